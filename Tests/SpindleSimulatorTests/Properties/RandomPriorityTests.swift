import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

/// After every event of every program each thread has the priority that a plain computation gives it
/// from who has what and who waits, and every line is in order: the invariants check both.
@Suite struct RandomPriorityTests {
  @Test("inherited priorities are what a computation from nothing makes them", arguments: 0..<120)
  func everyProgram(seed: Int) {
    var generator = RandomPriorityTraces(seed: UInt64(seed))
    let text = generator.trace()
    var limits = RunLimits()
    limits.checksInvariants = true
    let run = TestRun(text, limits: limits)
    #expect(run.messages == [], "seed \(seed):\n\(text)")
    let kind = run.record?.outcome.kind
    #expect(
      kind == .finished || kind == .deadlock || kind == .crashed,
      "seed \(seed): \(run.record?.outcome.message ?? "")\n\(text)")
    #expect(run.digest == TestRun(text).digest, "seed \(seed)")
  }
}
