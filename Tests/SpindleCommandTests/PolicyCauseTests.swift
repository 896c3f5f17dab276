import SpindleModel
import Testing

@testable import SpindleCommand

/// Why a runnable thread had no core: whom the policy preferred, and by what.
@Suite struct PolicyCauseTests {
  /// A policy, what it decides by for 'low' while 'high' has the core, and where that is said.
  struct Row: Sendable, CustomTestStringConvertible {
    let policy: String
    let moment: String
    let thread: String
    let said: String

    var testDescription: String { policy }
  }

  /// 'low' works from 0 on, and 'high' and 'late' come at 5 ms; main's own work takes no time.
  private static let trace = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    main(.tool) {
      let low = Thread(name: "low") { work(50ms) }
      low.threadPriority = 0.2
      low.start()
      sleep(5ms)
      let high = Thread(name: "high") { work(30ms) }
      let late = Thread(name: "late") { work(30ms) }
      for thread in [high, late] { thread.threadPriority = 0.8; thread.start() }
      low.join(); high.join(); late.join()
    }
    """

  private static let rows: [Row] = [
    Row(
      policy: "fixedPriority", moment: "15ms", thread: "low",
      said: "policy fixedPriority prefers 'high' by priority, 41 against 21"),
    // Of two that are equal the one that came first.
    Row(
      policy: "fixedPriority", moment: "6ms", thread: "late",
      said: "policy fixedPriority has 'high' before it in line, of equal priority 41"),
    Row(
      policy: "fixedPriority(preemptive: false)", moment: "6ms", thread: "main",
      said: "policy fixedPriority does not preempt 'low'"),
    Row(policy: "fifo", moment: "6ms", thread: "main", said: "policy fifo does not preempt 'low'"),
    // Main stands behind the quantum of 'low', and 'high' comes behind main.
    Row(
      policy: "roundRobin", moment: "12ms", thread: "high",
      said: "policy roundRobin has 'low' before it in line"),
    Row(
      policy: "fairShare", moment: "10ms", thread: "low",
      said: "which gave the core to 'high' by virtual runtime, 6ms against 9ms"),
    Row(policy: "eevdf", moment: "10ms", thread: "low", said: "by lag, "),
    Row(
      policy: "multilevelFeedback", moment: "15ms", thread: "low",
      said: "by level, 0 against 1"),
    // With what main has had to compute: nothing.
    Row(
      policy: "shortestRemainingTime", moment: "15ms", thread: "low",
      said: "prefers 'high' by burst, 30ms against 45ms"),
    Row(
      policy: "lottery", moment: "15ms", thread: "late",
      said: "policy lottery drew 'high', which has 800 tickets against 800"),
    Row(policy: "stride", moment: "15ms", thread: "low", said: "by pass, "),
    Row(
      policy: "clutch", moment: "15ms", thread: "low",
      said: "policy clutch prefers 'high' by class, .userInteractive against .default"),
  ]

  @Test(arguments: rows) func whoIsPreferredIsSaid(_ row: Row) {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(Self.trace.utf8))
    let call = Invocation(
      ["explain", "-", "--policy", row.policy, "--at", row.moment, "--thread", row.thread],
      environment: environment)
    #expect(call.output.contains(row.said), "\(call.output)\(call.error)")
  }

  /// The item and the critical path say it, too: 'low' is done last, since 'high' comes first.
  @Test(arguments: [["--item", "low"], ["--critical-path"]])
  func itemsAndPathsSayIt(_ options: [String]) {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(Self.trace.utf8))
    let call = Invocation(
      ["explain", "-", "--policy", "fixedPriority"] + options, environment: environment)
    #expect(
      call.output.contains(
        "preempted by 'main', which policy fixedPriority prefers by priority, 31 against 21"),
      "\(call.output)")
    #expect(
      call.output.contains(
        "while 'high' and 'late' ran: policy fixedPriority prefers 'high' by priority, 41 against 21"
      ),
      "\(call.output)")
  }

  /// Both wake at 1 ms: one has to be done 10 ms later, the other 20 ms.
  @Test(arguments: [
    ("earliestDeadlineFirst", "by deadline, 11ms against 21ms"),
    ("rateMonotonic", "by period, 40ms against 60ms"),
  ])
  func jobsAreComparedByWhatTheyAskFor(policy: String, said: String) {
    let trace = """
      machine { platform: .ideal; cores: 1; costs: .zero; policy: .\(policy) }
      main(.tool) {
        let soon = Thread(name: "soon") {
          Thread.current.realtime(period: 40ms, computation: 5ms, constraint: 10ms)
          sleep(1ms)
          work(5ms)
        }
        let later = Thread(name: "later") {
          Thread.current.realtime(period: 60ms, computation: 5ms, constraint: 20ms)
          sleep(1ms)
          work(5ms)
        }
        later.start(); soon.start(); later.join(); soon.join()
      }
      """
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(trace.utf8))
    let call = Invocation(
      ["explain", "-", "--at", "3ms", "--thread", "later"], environment: environment)
    #expect(call.output.contains(said), "\(call.output)\(call.error)")
  }

  /// A thread of a class that is for efficiency cores waits though a performance core is idle.
  @Test func aCoreThatIsLeftIdleIsACause() {
    let trace = """
      machine { platform: .iOS; cores: [.performance(1), .efficiency(1, speed: 0.5)]; costs: .zero; policy: .edge }
      main(.tool) {
        let group = DispatchGroup()
        for name in ["first", "second"] {
          let thread = Thread(name: name) { work(10ms); group.leave() }
          thread.qualityOfService = .background
          group.enter()
          thread.start()
        }
        group.wait()
      }
      """
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"], standardInput: Array(trace.utf8))
    let call = Invocation(["explain", "-", "--item", "second"], environment: environment)
    #expect(
      call.output.contains(": policy edge runs class .background on efficiency cores only"),
      "\(call.output)\(call.error)")
  }

  /// Threads with computed names: a report names them by their kind, which is named after their place.
  @Test func whoRanIsCalledByItsName() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "named.trace",
      """
      machine { platform: .ideal; cores: 1; costs: .zero }
      func process(_ name: String, _ burst: Duration) {
          Thread.detachNewThread(name: name) { work(burst) }
      }
      main {
          process("first", 30ms)
          process("second", 10ms)
      }

      """)
    let call = Invocation("explain", path, "--item", "second", "--policy", "fifo")
    #expect(call.output.contains("while 'first' ran"), "\(call.output)")
  }
}
