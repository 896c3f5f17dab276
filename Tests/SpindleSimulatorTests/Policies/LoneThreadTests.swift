import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// The quanta of a thread that is alone are no events, also where they are alike only for a while.
struct LoneThreadTests {
  /// Policies whose quanta are alike until a boost, or until a quota or its period ends.
  static let policies = [
    "multilevelFeedback(quantum: 1ms)",
    "multilevelFeedback(quantum: 1ms, growth: 2, allotment: 3, boost: 170ms)",
    "multilevelFeedback(levels: 1, quantum: 700us, boost: 90ms)",
    "eevdf(slice: 1ms, quota: 150ms)",
    "eevdf(slice: 700us, quota: 60ms, period: 90ms)",
    "eevdf(slice: 1ms, quota: 40ms, period: 40ms)",
  ]

  private static func text(_ policy: String, _ main: String) -> String {
    """
    machine { platform: .ideal; cores: 2; costs: .zero; policy: .\(policy) }
    main { \(main) }
    """
  }

  @Test(arguments: policies)
  func fewQuantaAreEvents(policy: String) throws {
    let text = Self.text(policy, "work(10s)")
    let fast = TestRun(text)
    let plain = TestRun(text, shortcuts: .all.subtracting(.repeatedQuanta))
    #expect(fast.messages == [])
    #expect(fast.log == plain.log)
    #expect(fast.digest == plain.digest)
    let (few, all) = (try #require(fast.record?.steps), try #require(plain.record?.steps))
    #expect(all > 2_000 && few * 5 < all, "\(few) steps, and \(all) one by one")
  }

  /// Others wake during its quanta, at their ends, and one nanosecond before and behind.
  @Test(arguments: policies)
  func othersComeBetween(policy: String) {
    let main = """

          for i in 0 ..< 40 {
              Thread.detachNewThread {
                  sleep(3ms * i + 1ns * (i % 3))
                  for j in 0 ..< 3 { work(300us * (i % 4 + 1)); sleep(7ms * (j + i % 5) + 1ns * (j % 2)) }
              }
          }
          for i in 0 ..< 20 { work(9ms); sleep(exponential(4ms)) }

      """
    let text = Self.text(policy, main)
    let fast = TestRun(text)
    let plain = TestRun(text, shortcuts: .none)
    #expect(fast.messages == [])
    #expect(fast.log == plain.log)
    #expect(fast.digest == plain.digest)
  }

  /// Who is alone goes on until the quota of its period is used up, and is taken from its core once in each.
  @Test func aQuotaPreemptsWhereItIsUsedUp() {
    let text = Self.text("eevdf(quota: 20ms, period: 100ms)", "work(50ms)")
    let run = TestRun(text)
    let preempted = run.log.split(separator: "\n").filter { $0.contains("preempted") }
    #expect(preempted.count == 2, "\(preempted)")
    #expect(run.record?.makespan == Instant(210_000_000))
  }
}
