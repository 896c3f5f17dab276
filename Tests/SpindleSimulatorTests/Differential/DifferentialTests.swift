import Foundation
import TestSupport
import Testing

/// A second simulator, written from the documentation alone, agrees with Spindle on random programs.
///
/// What is compared of a run: the starts and ends of all items and threads, all marks, and what was
/// refused at a limit, with their times and in order; who got each lock and semaphore, when, and in
/// which order; and how the run ended. `SPINDLE_SEEDS=20000 swift test --filter DifferentialTests` tries
/// so many further programs.
@Suite struct DifferentialTests {
  private static let parts = 20

  /// The seeds of a part.
  private static func seeds(of part: Int) -> Range<Int> {
    let further = ProcessInfo.processInfo.environment["SPINDLE_SEEDS"].flatMap { Int($0) }
    let count = (further ?? Effort.count(600, whole: 2_000)) / parts
    let first = (further == nil ? 0 : 2_000) + part * count
    return first..<first + count
  }

  @Test("the reference agrees with Spindle", arguments: 0..<parts)
  func agree(part: Int) {
    for seed in Self.seeds(of: part) {
      var generator = RandomPrograms(seed: UInt64(seed))
      let program = generator.next()
      guard let spindle = LogObserver.run(program.text) else {
        Issue.record("seed \(seed) makes a trace with errors:\n\(program.text)")
        return
      }
      let reference = ReferenceSimulator(program).run()
      if spindle == reference { continue }
      report(seed, Shrinking.shrunk(program, while: Self.differs))
      return
    }
  }

  /// `SPINDLE_SEEDS` is for these policies too: so many further programs for all of them together.
  @Test(
    "the reference agrees under a policy of books", arguments: RandomPrograms.textbookPolicies)
  func agree(policy: SmallMachine.Policy) {
    let further = ProcessInfo.processInfo.environment["SPINDLE_SEEDS"].flatMap { Int($0) }
    let count =
      further.map { $0 / RandomPrograms.textbookPolicies.count } ?? Effort.count(20, whole: 60)
    let first = further == nil ? 0 : 60
    for seed in first..<first + count {
      var generator = RandomPrograms(seed: UInt64(seed))
      let program = generator.next(under: policy)
      guard let spindle = LogObserver.run(program.text) else {
        Issue.record("seed \(seed) makes a trace with errors:\n\(program.text)")
        return
      }
      if spindle == ReferenceSimulator(program).run() { continue }
      report(seed, Shrinking.shrunk(program, while: Self.differs))
      return
    }
  }

  private static func differs(_ program: SmallProgram) -> Bool {
    guard let spindle = LogObserver.run(program.text) else { return false }
    return spindle != ReferenceSimulator(program).run()
  }

  private func report(_ seed: Int, _ program: SmallProgram) {
    let (spindle, reference) = (LogObserver.run(program.text), ReferenceSimulator(program).run())
    Issue.record(
      """
      seed \(seed), as far as it can be shrunk:
      \(program.text)
      Spindle:
      \(spindle?.text ?? "errors")
      the reference:
      \(reference.text)
      """)
  }

  /// Programs that never wait, or never meet, would prove nothing.
  @Test func programsAreDense() {
    var (ties, passes, refusals, ended) = (0, 0, 0, 0)
    for seed in 0..<200 {
      var generator = RandomPrograms(seed: UInt64(seed))
      let seen = ReferenceSimulator(generator.next()).run()
      let times = seen.steps.map { $0.split(separator: " ")[0] }
      ties += zip(times, times.dropFirst()).count { $0 == $1 }
      passes += seen.passes.values.reduce(0) { $0 + $1.count }
      refusals += seen.steps.count { $0.contains("mark r") }
      ended += seen.outcome == "finished" ? 1 : 0
    }
    #expect(ties > 2_000)
    #expect(passes > 400)
    #expect(refusals > 100)
    #expect(ended > 50 && ended < 150)
  }
}
