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

  /// A loop, who ends it, and what else there is; the last three are run round by round.
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
      "it counts", "",
      "var rounds = 0\n    while !lock.withLock({ isOver }) { rounds += 1 }\n    print(rounds)", ""
    ),
    (
      "it counts up to a limit", "",
      "var (up, down) = (7, 5_000)\n    while !isOver && up < 6_011 && down >= 0 { up += 5; down -= 2; work(1us) }"
        + "\n    record(\"up\", up)\n    while !isOver { work(3us) }", ""
    ),
    (
      "it works", "", "while !isOver { work(3us) }", ""
    ),
    (
      "it yields", "", "while !isOver { work(1us)\n yield() }", ""
    ),
    (
      "it reads the clock", "",
      "let end = DispatchTime.now() + 13ms\n    while DispatchTime.now() < end { work(1us) }"
        + "\n    mark(\"late\")\n    while !isOver { work(1us) }", ""
    ),
    (
      "one lock each, one twice as slow", "let own = NSLock()",
      "while !own.withLock({ isOver }) { work(6us) }",
      "Thread.detachNewThread { while !lock.withLock({ isOver }) { } }"
    ),
    (
      "one asks for a lock that another one has", "let own = NSLock()",
      "own.lock()\n    while !isOver { work(2us) }\n    own.unlock()",
      "Thread.detachNewThread { while !own.try() { work(1us) }\n own.unlock() }"
    ),
    (
      "it writes", "var asked = 0",
      "while !lock.withLock({ isOver }) { asked += 1 }\n    print(asked)", ""
    ),
    (
      "it writes, and looks at what it writes", "var (asked, left) = (0, 900)",
      "while !isOver && left > 17 { asked += 3; work(1us); if asked > 0 { left -= 1 } }"
        + "\n    record(\"left\", left)\n    while !isOver { asked -= 1; work(3us) }", ""
    ),
    (
      "it writes a member",
      """
      final class Poller {
          var rounds = 0
          func wait() { while !lock.withLock({ isOver }) { rounds += 1 } }
      }
      """, "let poller = Poller()\n    poller.wait()\n    print(poller.rounds)", ""
    ),
    (
      "two write one variable", "var asked = 0", "while !isOver { asked += 1; work(2us) }",
      "Thread.detachNewThread { while !isOver { asked += 2; work(2us) } }"
    ),
    (
      "it counts unevenly", "",
      """
      var (step, sum) = (0, 0)
          while !isOver { step += 1; sum += step; work(7us) }
          record("sum", sum)
      """, ""
    ),
    (
      "both ask for one lock", "", "while !lock.withLock({ isOver }) { }",
      "Thread.detachNewThread { while !lock.withLock({ isOver }) { } }"
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

  /// With less effort, each loop has one of the policies.
  private static let rounds: [(loop: Int, policy: String)] = {
    let policies = ["fairShare", "roundRobin(quantum: 5ms)", "timeshare"]
    return loops.indices.flatMap { loop in
      (Effort.isWhole ? policies : [policies[loop % policies.count]]).map { (loop, $0) }
    }
  }()

  @Test(arguments: rounds) func roundsArePassedOver(loop: Int, policy: String) throws {
    let text = Self.text(loop, platform: "linux", policy: policy)
    let plain = Self.run(
      text, .all.subtracting(.busyRounds), steps: 400_000, sizes: .standard)
    #expect(plain.messages == [])
    #expect(plain.record?.outcome.kind == .finished, "\(plain.record?.outcome as Any)")
    for size in [nil, 1, 2, 3] as [UInt64?] {
      let fast = Self.run(
        text, .all, steps: 20_000, sizes: size.map { StructureSizes(smallBy: $0) } ?? .standard)
      if loop >= Self.loops.count - 3 && fast.record?.outcome.kind == .stepLimit { continue }
      #expect(fast.digest == plain.digest, "\(Self.loops[loop].name), sizes \(size ?? 0)")
      #expect(fast.log == plain.log)
      #expect(fast.record?.cores == plain.record?.cores)
    }
  }

  /// Nobody ends it, and no event is pending: it goes on until the time limit, not until the limit of steps.
  @Test func anEndlessWaitComesToTheTimeLimit() {
    let run = TestRun("main { var n = 0; while n >= 0 { n += 1; work(1us) } }")
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .timeLimit)
    #expect((run.record?.steps ?? Int64.max) < 200_000)
  }

  /// A minute has more rounds than a limit has steps, and few log lines.
  @Test(arguments: [
    "while !lock.withLock({ isOver }) { }", "while !isOver { yield() }",
    "var rounds = 0; while !lock.withLock({ isOver }) { rounds += 1 }; record(\"rounds\", rounds)",
    "while !lock.withLock({ isOver }) { asked += 1 }",
  ]) func aLongWaitTakesFewSteps(loop: String) throws {
    let text = """
      machine { platform: .linux; cores: 2 }
      let lock = NSLock()
      var isOver = false
      var asked = 0
      main(.tool) {
          DispatchQueue.global().async { sleep(60s); lock.withLock { isOver = true } }
          \(loop)
          print("over")
      }
      """
    var limits = RunLimits()
    limits.steps = 1_000_000
    let run = TestRun(text, limits: limits)
    #expect(run.record?.outcome.kind == .finished)
    let record = try #require(run.record)
    #expect(record.steps < 200_000)
    #expect(record.entries < (loop.contains("asked") ? 150_000 : 5_000))
    let plain = TestRun(
      text, limits: limits, shortcuts: .all.subtracting(.busyRounds), writesLog: false)
    #expect(plain.record?.outcome.kind == .stepLimit)
  }
}
