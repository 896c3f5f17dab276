import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// The quanta of a thread that is alone are no events, also where they are not alike.
struct LoneThreadTests {
  /// Policies whose quanta depend on boosts, or on what is left of a quota, which is enough for one core.
  static let steady = [
    "multilevelFeedback(quantum: 1ms)",
    "multilevelFeedback(quantum: 1ms, growth: 2, allotment: 3, boost: 170ms)",
    "multilevelFeedback(levels: 1, quantum: 700us, boost: 90ms)",
    // The time from a boost to the next quantum that ends takes many values in turn.
    "multilevelFeedback(levels: 4, quantum: 600us, growth: 2, boost: 10ms)",
    "multilevelFeedback(quantum: 1100us, boost: 20001ns)",
    // Boosts that come before the lowest level, and several in one quantum.
    "multilevelFeedback(levels: 9, quantum: 900us, allotment: 4, boost: 7ms)",
    "multilevelFeedback(quantum: 1ms, boost: 300us)",
    "multilevelFeedback(levels: 2, quantum: 1ms, boost: 0s)",
    "eevdf(slice: 1ms, quota: 150ms)",
    "eevdf(slice: 1ms, quota: 40ms, period: 40ms)",
    // The last slice of a period is cut where the quota is used up.
    "eevdf(slice: 700us, quota: 100ms)",
    "eevdf(slice: 2300001ns, quota: 30000001ns, period: 30ms)",
    // A request that takes several portions of the quota.
    "eevdf(slice: 12ms, quota: 17ms, period: 17ms)",
  ]

  /// Policies that take a thread that is alone from its core in each period.
  static let limited = [
    "eevdf(slice: 100us, quota: 60ms, period: 90ms)",
    "eevdf(slice: 30us, quota: 20ms)",
  ]

  private static func text(_ policy: String, _ main: String) -> String {
    """
    machine { platform: .ideal; cores: 2; costs: .zero; policy: .\(policy) }
    main { \(main) }
    """
  }

  /// The longest of a run of 10 s has 11 quanta a millisecond.
  @Test(arguments: steady)
  func noQuantumIsAnEvent(policy: String) throws {
    let (few, all) = try steps(policy)
    #expect(all > 1_000 && few < 10, "\(few) steps, and \(all) one by one")
  }

  /// Each period has the same events, however many slices it has.
  @Test(arguments: limited)
  func slicesAreNoEventsWhereAQuotaEnds(policy: String) throws {
    let (few, all) = try steps(policy)
    #expect(all > 100_000 && few < all / 50, "\(few) steps, and \(all) one by one")
  }

  @Test(arguments: PolicyCatalog.signatures.map(\.name))
  func noPolicyHasEventsOfOneThread(policy: String) throws {
    let run = TestRun(Self.text(policy, "work(100s)"))
    let count = try #require(run.record?.steps, "\(run.messages)")
    #expect(count < 10)
  }

  /// How many steps a run of one thread takes, and how many where each quantum is an event.
  private func steps(_ policy: String) throws -> (few: Int64, all: Int64) {
    let text = Self.text(policy, "work(10s)")
    let fast = TestRun(text)
    let plain = TestRun(text, shortcuts: .all.subtracting(.repeatedQuanta))
    #expect(fast.messages == [])
    #expect(fast.log == plain.log)
    #expect(fast.digest == plain.digest)
    return (try #require(fast.record?.steps), try #require(plain.record?.steps))
  }

  /// Others wake during its quanta, at their ends, and one nanosecond before and behind.
  @Test(arguments: steady + limited)
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
    expectTheSame(Self.text(policy, main))
  }

  /// Long after it was alone others come at once, so that it is seen where it stands: its level, its request, and what
  /// is left of the quota.
  @Test(arguments: steady + limited, [0, 3])
  func othersComeLater(policy: String, nice: Int) {
    let main = """

          for i in 0 ..< 12 {
              Thread.detachNewThread {
                  if i % 2 == 0 { Thread.current.niceValue = i - 6 }
                  sleep(1370ms * (i / 4 + 1) + 100ns * i)
                  for j in 0 ..< 4 { work(3ms + 700us * i); sleep(2ms * j) }
              }
          }
          Thread.current.niceValue = \(nice)
          work(5s)

      """
    expectTheSame(Self.text(policy, main))
  }

  private func expectTheSame(_ text: String) {
    let text = text.replacing("machine { platform: .ideal", with: "machine { platform: .linux")
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

  /// Periods of 31 ns against slices of 3 ms: millions of quanta lead from one phase to the same one.
  ///
  /// They are steps, so that the limit of steps ends the run.
  @Test func quantaOfALongCycleAreSteps() throws {
    var limits = RunLimits()
    limits.steps = 20_000
    let text = Self.text("eevdf(quota: 329ns, period: 31ns)", "work(600s)")
    let run = TestRun(text, limits: limits, writesLog: false)
    #expect(try #require(run.record).outcome.kind == .stepLimit, "\(run.messages)")
  }
}
