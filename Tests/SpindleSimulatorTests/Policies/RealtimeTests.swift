import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// Real-time threads: what each policy makes of them, and when they miss a deadline.
@Suite struct RealtimeTests {
  typealias Row = PolicyTimelineTests.Row

  static let rows = [
    Row(
      "one takes the core from any other", "timeshare(quantum: 1ms)",
      ["A 3 p1.0", "B 2 @1 r1/9"], core: "ABBAA"),
    Row(
      "the earliest deadline runs first, whoever came first", "timeshare",
      ["A 1 r1/9", "B 1 r1/5", "C 1 r1/7"], core: "BCA"),
    Row(
      "of equal deadlines the first that came", "timeshare", ["A 2 r1/9", "B 1 r1/9"],
      core: "AAB"),
    Row(
      "an earlier deadline takes the core", "timeshare", ["A 3 r3/9", "B 1 @1 r1/3"],
      core: "ABAA"),
    // B has to be done at 8.95 ms and at 8.89 ms, A at 9 ms.
    Row(
      "not one that is earlier by 50 us", "timeshare", ["A 3 r3/9", "B 1 @1 r1/7.95"],
      core: "AAAB"),
    Row(
      "but one that is earlier by 110 us", "timeshare", ["A 3 r3/9", "B 1 @1 r1/7.89"],
      core: "ABAA"),
    Row(
      "a later deadline waits", "timeshare", ["A 3 r3/4", "B 1 @1 r1/9"], core: "AAAB"),
    Row(
      "a quantum that is used up comes after all deadlines", "timeshare",
      ["A 6 r2/4", "B 2 @1 r2/9"], core: "AABBAAAA"),
    Row(
      "but before what is not real-time", "timeshare", ["A 6 r2/4", "B 2 @1 p1.0"],
      core: "AAAAAABB"),
    Row(
      "a quantum is at least half the constraint", "timeshare", ["A 6 r1/8", "B 1 @1 r1/9"],
      core: "AAAABAA"),
    Row(
      "one that had to give way goes on with the rest of its quantum", "timeshare",
      ["A 5 r4/8", "B 1 @2 r1/2", "C 1 @3 r1/9"], core: "AABAACA"),
    Row(
      "fixed priorities have them above all", "fixedPriority", ["A 3 p1.0", "B 2 @1 r1/2"],
      core: "ABBAA"),
    Row(
      "and without turns", "fixedPriority(quantum: 1ms)", ["A 3 r1/2", "B 2 r1/2"], core: "AAABB"),
    Row(
      "a fair share is only of what they leave", "fairShare(slice: 1ms)",
      ["A 3", "B 2 @1 r1/2", "C 1"], core: "ABBCAA"),
    Row(
      "and they take no turns", "fairShare(slice: 1ms)", ["A 3 r1/2", "B 2 r1/2"], core: "AAABB"),
    Row("who comes first knows none", "fifo", ["A 3", "B 2 @1 r1/2"], core: "AAABB"),
    Row(
      "turns know none", "roundRobin(quantum: 1ms)", ["A 3", "B 2 @1 r1/2"], core: "ABABA"),
  ]

  /// XNU has one real-time class, whatever it does with other threads.
  static let alike = rows.flatMap { row in
    row.policy.hasPrefix("timeshare")
      ? ["clutch", "edge"].map { Row(row.testDescription, $0, row.threads, core: row.core) } : []
  }

  @Test("real-time threads get the core as the policy says", arguments: rows + alike)
  func timeline(row: Row) {
    let run = TestRun(PolicyTimelineTests.trace(row))
    #expect(run.messages == [], sourceLocation: row.location)
    #expect(PolicyTimelineTests.drawn(run) == row.core, sourceLocation: row.location)
  }

  /// Under each policy, when a real-time thread gets the one core at five wakes, each 10 ms after it has
  /// computed for 1 ms, while another thread computes for 300 ms.
  static let wakes: [String: [Int64]] = [
    "timeshare": [10, 21, 32, 43, 54],
    "timeshare(quantum: 100ms)": [10, 21, 32, 43, 54],
    "clutch": [10, 21, 32, 43, 54],
    "edge": [10, 21, 32, 43, 54],
    "fixedPriority": [10, 21, 32, 43, 54],
    "fixedPriority(quantum: 100ms)": [10, 21, 32, 43, 54],
    "fairShare": [10, 21, 32, 43, 54],
    "fairShare(slice: 100ms)": [10, 21, 32, 43, 54],
    "eevdf": [10, 21, 32, 43, 54],
    // It is not taken from who has it before that ends, or ends its turn.
    "fifo": [300, 311, 322, 333, 344],
    "fixedPriority(quantum: 15ms, preemptive: false)": [300, 311, 322, 333, 344],
    "roundRobin(quantum: 15ms)": [15, 31, 47, 63, 79],
    "shortestJobFirst": [300, 311, 322, 333, 344],
    "highestResponseRatioNext": [300, 311, 322, 333, 344],
    // The hog is the newest of the line, so the other thread begins to sleep at 300 ms only.
    "workStealing": [310, 321, 332, 343, 354],
    // 1 ms is less than what the hog has left.
    "shortestRemainingTime": [10, 21, 32, 43, 54],
    // The highest queue is its own.
    "multilevelQueue": [10, 21, 32, 43, 54],
    "priorityAging": [10, 21, 32, 43, 54],
    // All that is real-time comes first.
    "rateMonotonic": [10, 21, 32, 43, 54],
    "deadlineMonotonic": [10, 21, 32, 43, 54],
    "earliestDeadlineFirst": [10, 21, 32, 43, 54],
    "leastLaxity": [10, 21, 32, 43, 54],
    // It wakes every 11 ms, has a budget of 1 ms in 10, and uses that up just when it waits.
    "constantBandwidth": [10, 21, 32, 43, 54],
    // It has had 1 ms for each 10 of the other, so it stays above it, or has the lesser pass.
    "multilevelFeedback": [10, 21, 32, 43, 54],
    "stride": [10, 21, 32, 43, 54],
    // It has twice the tickets of the other, and ten times as many after a burst of a tenth of its quantum:
    // it wins all draws but one of about twenty, here the second; then the other has a turn of 10 ms.
    "lottery": [10, 31, 42, 53, 64],
  ]

  @Test(arguments: wakes.keys.sorted())
  func everyWake(policy: String) {
    let run = TestRun(
      """
      machine { platform: .ideal; cores: 1; costs: .zero; policy: .\(policy) }
      main {
          Thread.detachNewThread(name: "realtime") {
              Thread.current.realtime(period: 10ms, computation: 1ms, constraint: 5ms)
              for _ in 0 ..< 5 { sleep(10ms); mark("awake"); work(1ms) }
          }
          Thread.detachNewThread(name: "hog") { work(300ms) }
      }
      """)
    #expect(run.messages == [])
    let marks = run.log.split(separator: "\n").filter { $0.contains("\"awake\"") }
    let times = marks.compactMap { $0.split(separator: " ").first }
    #expect(times.map(String.init) == Self.wakes[policy]?.map { "\($0)ms" })
  }

  @Test func everyPolicyHasItsWakes() {
    for policy in PolicyCatalog.signatures.map(\.name) {
      #expect(Self.wakes.keys.contains { $0.hasPrefix(policy) }, "\(policy)")
    }
  }

  /// thread_policy.c: the computation, raised to half the constraint, up to 50 ms; in microseconds.
  @Test(arguments: [
    (2_000, 5_000, 2_500), (2_000, 4_000, 2_000), (2_000, 3_000, 2_000), (1_000, 200_000, 50_000),
    (50_000, 50_000, 50_000), (50, 50, 50),
  ])
  func quanta(computation: Int64, constraint: Int64, quantum: Int64) {
    var threads = TimeshareRealtime()
    threads.setClaim(0, Self.claim(computation, constraint))
    #expect(threads.quantum(0) == .microseconds(quantum))
  }

  private static func claim(_ computation: Int64, _ constraint: Int64) -> RealtimeClaim {
    RealtimeClaim(computation: .microseconds(computation), constraint: .microseconds(constraint))
  }

  /// priority.c, thread_quantum_expire: more than 100 quanta of 10 ms, then twice that.
  @Test func theFailSafe() {
    var threads = TimeshareRealtime()
    threads.setClaim(0, Self.claim(5_000, 10_000))
    threads.getsReady(0, .woken, at: .start)
    threads.ran(0, for: .seconds(1))
    let second = Instant(1_000_000_000)
    threads.getsReady(0, .quantumExpired, at: second)
    #expect(!threads.isDemoted(0), "a second is not too much")
    threads.ran(0, for: Nanoseconds(1))
    threads.getsReady(0, .preempted(left: Nanoseconds(1)), at: second)
    #expect(!threads.isDemoted(0), "it is seen when a quantum ends")
    threads.getsReady(0, .quantumExpired, at: second)
    #expect(threads.isDemoted(0))

    let end = Instant(3_000_000_000)
    threads.getsReady(0, .woken, at: Instant(end.nanoseconds - 1))
    #expect(threads.isDemoted(0), "a wait does not end it")
    #expect(threads.deadline(0) == Int64.max, "nor gives it a deadline")
    let isReleased = threads.release(0, at: end)
    #expect(isReleased)
    #expect(!threads.isDemoted(0))
    threads.getsReady(0, .quantumExpired, at: end)
    #expect(!threads.isDemoted(0), "it has waited since")
    threads.getsReady(0, .woken, at: end)
    #expect(threads.deadline(0) == end.nanoseconds + 10_000_000)
  }

  @Test func whoNeverWaitsIsDemotedAgainAfterOneQuantum() {
    var threads = TimeshareRealtime()
    threads.setClaim(0, Self.claim(5_000, 10_000))
    threads.getsReady(0, .woken, at: .start)
    threads.ran(0, for: .seconds(2))
    threads.getsReady(0, .quantumExpired, at: Instant(2_000_000_000))
    let isReleased = threads.release(0, at: Instant(4_000_000_000))
    #expect(isReleased)
    threads.getsReady(0, .quantumExpired, at: Instant(4_005_000_000))
    #expect(threads.isDemoted(0))
  }

  /// priority.c: who gets its class back at the end of a quantum was not real-time in it, and is not demoted
  /// for what it had computed before; it has a whole quantum, also when it has just lost its core.
  @Test(arguments: [ReadyCause.quantumExpired, .preempted(left: Nanoseconds(1_000))])
  func whoReturnsHasAQuantum(cause: ReadyCause) {
    var threads = TimeshareRealtime()
    threads.setClaim(0, Self.claim(5_000, 10_000))
    threads.getsReady(0, .woken, at: .start)
    threads.ran(0, for: .seconds(2))
    threads.getsReady(0, .quantumExpired, at: Instant(2_000_000_000))
    #expect(threads.isDemoted(0))
    threads.ran(0, for: .seconds(2))
    threads.getsReady(0, cause, at: Instant(4_000_000_000))
    #expect(!threads.isDemoted(0))
    #expect(threads.quantum(0) == .milliseconds(5))
    threads.ran(0, for: .milliseconds(5))
    threads.getsReady(0, .quantumExpired, at: Instant(4_005_000_000))
    #expect(threads.isDemoted(0))
  }

  // MARK: Whole runs

  /// A thread on one core with `body`, started at 0, and what stands before it.
  private static func run(_ body: String, _ settings: String = "") -> TestRun {
    TestRun(
      """
      \(settings)
      machine { platform: .iOS; cores: 1; costs: .zero }
      let audio = Thread(name: "audio") {
          \(body)
      }
      main { audio.start() }
      """)
  }

  private static let become =
    "Thread.current.realtime(period: 10ms, computation: 2ms, constraint: 5ms)"

  /// What a thread does after it has become real-time with a constraint of 5 ms, how many deadlines it
  /// has, how many it misses, and by how many milliseconds at the most.
  static let deadlines: [(String, Int64, Int64, Int64)] = [
    ("work(9ms)", 0, 0, 0),
    ("sleep(1ms); work(5ms)", 1, 0, 0),
    ("sleep(1ms); work(6ms)", 1, 1, 1),
    ("sleep(1ms); work(6ms); sleep(1ms); work(9ms); io(1ms); work(1ms)", 3, 2, 4),
    ("sleep(1ms); work(3ms); sleep(1ms); work(3ms)", 2, 0, 0),
    ("sleep(1ms); Thread.current.threadPriority = 0.5; work(9ms)", 1, 0, 0),
    ("sleep(1ms); work(6ms); exit()", 1, 1, 1),
  ]

  @Test(arguments: deadlines)
  func misses(body: String, count: Int64, missed: Int64, milliseconds: Int64) {
    let run = Self.run("\(Self.become); \(body)")
    #expect(run.messages == [])
    let metrics = run.metrics?.deadlines
    #expect(metrics?.threads == 1)
    #expect(metrics?.count == count)
    #expect(metrics?.missed == missed)
    #expect(metrics?.greatestLateness == .milliseconds(milliseconds))
    let told = run.record?.findings.count { $0.kind == .deadlineMissed }
    #expect(told == (missed > 0 ? 1 : 0), "it is told once")
  }

  @Test func aRunThatIsCutOffCountsWhatIsLate() {
    let run = Self.run("\(Self.become); sleep(1ms); work(1s)", "trace \"cut off\" { until: 20ms }")
    #expect(run.messages == [])
    #expect(run.metrics?.deadlines?.greatestLateness == .milliseconds(14))
  }

  @Test func ordinaryThreadsHaveNoDeadlines() {
    let run = Self.run("work(1s)")
    #expect(run.metrics != nil)
    #expect(run.metrics?.deadlines == nil)
  }

  /// Calls that are refused, and part of why; "" for one that is taken.
  static let refusals: [(String, String)] = [
    ("computation: long, constraint: long", "60ms is not from 50us to 50ms"),
    ("computation: long / 2000, constraint: long", "30us is not from 50us to 50ms"),
    ("computation: long / 2, constraint: long / 3", "20ms is shorter than the computation of 30ms"),
    ("computation: long / 1200, constraint: long / 1200", ""),
    ("computation: 50ms, constraint: 50ms", ""),
  ]

  @Test(arguments: refusals)
  func refused(arguments: String, reason: String) {
    let run = Self.run(
      "Thread.current.realtime(period: long, \(arguments)); sleep(1ms)", "param long = 60ms")
    #expect(run.messages == [])
    let told = run.record?.findings.first { $0.kind == .realtimeRefused }?.explanation
    #expect((told ?? "").contains(reason) && (told == nil) == reason.isEmpty, "\(told ?? "")")
    #expect((run.metrics?.deadlines == nil) == !reason.isEmpty)
  }

  /// thread_policy_set: the workers of Darwin's workqueue have fixed parameters; on Linux they are plain
  /// threads.
  @Test(arguments: [("platform: .iOS", true), ("platform: .linux", false)])
  func aWorkerOfAQueue(machine: String, isRefused: Bool) {
    let run = TestRun(
      """
      machine { \(machine); cores: 1; costs: .zero }
      main { DispatchQueue.global().async { \(Self.become) } }
      """)
    #expect(run.messages == [])
    #expect(run.record?.findings.map(\.kind) == (isRefused ? [.realtimeRefused] : []))
  }

  /// A thread that waits for a lock lends its priority, but not its class: `owner` has the core before
  /// `other`, whose priority is the highest there is, and gives way to a real-time thread.
  @Test func theClassIsNotLent() {
    let run = TestRun(
      """
      machine { platform: .iOS; cores: 1; costs: .zero }
      let lock = NSLock()
      let owner = Thread(name: "owner", threadPriority: 0.1) {
          lock.withLock { work(10ms) }
          mark("owner")
      }
      let audio = Thread(name: "audio") { lock.withLock { work(1ms) }; mark("audio") }
      let click = Thread(name: "click") { work(1ms); mark("click") }
      main {
          owner.start()
          audio.realtime(period: 50ms, computation: 1ms, constraint: 2ms)
          click.realtime(period: 50ms, computation: 1ms, constraint: 50ms)
      }
      at(1ms) { audio.start() }
      at(2ms) { click.start() }
      at(2ms) { Thread.detachNewThread(name: "other") {
          Thread.current.threadPriority = 1.0; work(1ms); mark("other") } }
      expect { timeline == [3ms: "click", 11ms: "owner", 12ms: "audio", 13ms: "other"] }
      """)
    #expect(run.messages == [])
    #expect(run.verdicts.filter { !$0.holds }.map(\.seen) == [])
  }

  /// A server has no budget before it was ready for the first time, to the smallest part of a nanosecond.
  @Test(arguments: [false, true]) func aNewServerHasNoBudget(reclaims: Bool) {
    var servers = BandwidthServers(reclaims: reclaims)
    servers.begin(1)
    servers.admit(0, RealtimeClaim(computation: Nanoseconds(2), constraint: Nanoseconds(10)))
    #expect(servers.isEmpty(0))
    servers.becomesReady(0, begins: true, at: 5)
    #expect(!servers.isEmpty(0) && servers.deadline(0) == 15)
  }
}
