import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// Loops that wait for a lock or a variable: the rounds that are passed over are as if each had been run.
struct BusyWaitTests {
  /// Little enough that a look comes soon.
  private static func run(
    _ text: String, _ shortcuts: ShortcutSet, steps: Int64, sizes: StructureSizes = .standard
  ) -> TestRun {
    var limits = RunLimits()
    limits.steps = steps
    return TestRun(text, limits: limits, sizes: sizes, shortcuts: shortcuts)
  }

  /// A loop, who ends it, and what else there is.
  static let loops: [(name: String, top: String, loop: String, other: String)] = [
    ("a lock", "", "while !lock.withLock({ isOver }) { }", ""),
    ("a function", "func ask() -> Bool { lock.withLock { isOver } }", "while !ask() { }", ""),
    (
      "two locks", "let inner = NSLock()",
      "while !lock.withLock({ inner.withLock { isOver } }) { }", ""
    ),
    (
      "a lock that is only tried", "",
      "while true { if lock.try() { let ends = isOver\n lock.unlock()\n if ends { break } } }", ""
    ),
    (
      "a timer beside it", "", "while !lock.withLock({ isOver }) { }",
      "Thread.detachNewThread { for _ in 0 ..< 9 { sleep(1700us); work(300us) } }"
    ),
    (
      "another one beside it", "", "while !lock.withLock({ isOver }) { }",
      "Thread.detachNewThread { while !lock.withLock({ isOver }) { } }"
    ),
    (
      "it counts", "",
      "var rounds = 0\n    while !lock.withLock({ isOver }) { rounds += 1 }\n    print(rounds)", ""
    ),
    (
      "it draws", "", "while !lock.withLock({ isOver }) { work(exponential(1us)) }", ""
    ),
  ]

  private static func text(_ loop: Int, platform: String, policy: String) -> String {
    let (name, top, code, other) = loops[loop]
    return """
      trace "\(name)" { seed: 7 }
      machine { platform: .\(platform); cores: 2; costs: .zero(lock: 3us); policy: .\(policy) }
      let lock = NSLock()
      var isOver = false
      \(top)
      main(.tool) {
          Thread.detachNewThread {
              sleep(20ms)
              lock.withLock { isOver = true }
          }
          \(other)
          \(code)
          print("over")
      }
      """
  }

  @Test(arguments: loops.indices, ["fairShare", "roundRobin(quantum: 5ms)", "timeshare"])
  func roundsArePassedOver(loop: Int, policy: String) throws {
    let text = Self.text(loop, platform: "linux", policy: policy)
    let plain = Self.run(
      text, .all.subtracting(.busyRounds), steps: 400_000, sizes: .standard)
    #expect(plain.messages == [])
    #expect(plain.record?.outcome.kind == .finished, "\(plain.record?.outcome as Any)")
    for size in [nil, 1, 2, 3] as [UInt64?] {
      let fast = Self.run(
        text, .all, steps: 20_000, sizes: size.map { StructureSizes(smallBy: $0) } ?? .standard)
      // Two that ask at once, and one that counts or draws, are run round by round.
      if loop >= 5 && fast.record?.outcome.kind == .stepLimit { continue }
      #expect(fast.digest == plain.digest, "\(Self.loops[loop].name), sizes \(size ?? 0)")
      #expect(fast.log == plain.log)
      #expect(fast.record?.cores == plain.record?.cores)
    }
  }

  /// As many rounds as a limit has no steps for.
  @Test func aLongWaitTakesFewSteps() {
    let text = """
      machine { platform: .linux; cores: 2 }
      let lock = NSLock()
      var isOver = false
      main(.tool) {
          DispatchQueue.global().async { sleep(20ms); lock.withLock { isOver = true } }
          while !lock.withLock({ isOver }) { }
          print("over")
      }
      """
    var limits = RunLimits()
    limits.steps = 1_000_000
    let run = TestRun(text, limits: limits, writesLog: false)
    #expect(run.record?.outcome.kind == .finished)
    let plain = TestRun(
      text, limits: limits, shortcuts: .all.subtracting(.busyRounds), writesLog: false)
    #expect(plain.record?.outcome.kind == .stepLimit)
  }
}
