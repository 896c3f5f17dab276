import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle timeline` and `spindle explain`.
@Suite struct TimelineCommandTests {
  /// Runs a command on a trace that stands on standard input.
  private func call(_ trace: String, columns: Int = 66, _ arguments: String...) -> Invocation {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "\(columns)"], standardInput: Array(trace.utf8))
    return Invocation([arguments[0], "-"] + arguments.dropFirst(), environment: environment)
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// One thread that waits 30 ms and works 30 ms: with 66 columns, 4 for the name and 2 between, each of the
  /// 60 columns left is 1 ms.
  private let simple = """
    trace "simple"
    machine { cores: 1; costs: .zero }
    main { Thread(name: "日本") { io(30ms); work(30ms) }.start() }
    """

  @Test func aColumnShowsTheStateOfItsTime() throws {
    let lines = lines(call(simple, "timeline").output)
    // Two wide characters take the four columns of the name.
    #expect(
      lines.contains(
        "日本  " + String(repeating: "i", count: 30) + String(repeating: "#", count: 30)))
    #expect(lines.contains("# runs, i io"))
    #expect(lines.contains("and 1 thread idle: main"))
  }

  @Test func aWindowIsDrawnAsWide() throws {
    // From 20 to 50 ms, half a millisecond a column: 10 ms of io, 20 ms of work.
    let call = call(simple, "timeline", "--from", "20ms", "--to", "50ms")
    #expect(
      lines(call.output).contains(
        "日本  " + String(repeating: "i", count: 20) + String(repeating: "#", count: 40)))
  }

  /// Two tasks on one actor, whose stretches have no wait in them: the first has it from 0 to 20 ms, the
  /// second stood in line for that long and has it to 40, and then both wait for 20 ms of input.
  private let tasks = """
    machine { platform: .iOS; cores: 2; costs: .zero }
    actor Store { func save() { work(20ms) } }
    let store = Store()
    main {
        for i in 0..<2 {
            Task.detached(name: "t\\(i)") {
                await store.save()
                await io(20ms)
            }
        }
    }
    """

  @Test func tasksAndActorsHaveLanes() throws {
    let lines = lines(call(tasks, "timeline", "--by", "task").output)
    func lane(_ parts: (Character, Int)...) -> String {
      parts.map { String(repeating: $0.0, count: $0.1) }.joined()
    }
    #expect(lines.contains("t0    " + lane(("#", 20), ("i", 20), (" ", 20))))
    #expect(lines.contains("t1    " + lane(("r", 20), ("#", 20), ("i", 20))))
    #expect(lines.contains("# on a thread, r waits for its turn, i io"))
    let queues = self.lines(call(tasks, columns: 67, "timeline", "--by", "queue").output)
    let actor = try #require(queues.first { $0.hasPrefix("store") }).dropFirst(7)
    #expect(
      actor.prefix(19) == lane(("1", 19)) && actor.dropFirst(22).prefix(17) == lane(("#", 17)))
    let only = self.lines(call(tasks, "timeline", "--by", "task", "--only", "t1").output)
    #expect(only.count(where: { $0.hasPrefix("t") }) == 1)
    let unknown = call(tasks, "timeline", "--by", "task", "--only", "nobody,t7")
    #expect(unknown.status == .usage && unknown.output == "")
    #expect(unknown.error.contains("no task of the run is called 'nobody'"))
    let none = call(simple, "timeline", "--by", "task").output
    #expect(none == "no task was there in this time\n")
  }

  @Test func coresAndQueuesHaveLanes() throws {
    let trace = """
      trace "queues"
      machine { cores: 1; costs: .zero }
      let q = DispatchQueue(label: "q")
      main { for i in 0..<3 { q.async(name: "i\\(i)") { work(20ms) } } }
      """
    let cores = lines(call(trace, columns: 68, "timeline", "--by", "core").output)
    #expect(cores.contains("core 0  " + String(repeating: "a", count: 60)))
    // Three items of 20 ms in a serial queue: two wait, then one, then none.
    let queues = lines(call(trace, "timeline", "--by", "queue").output)
    let lane = try #require(queues.first { $0.hasPrefix("q ") }).dropFirst(6)
    #expect(lane.count == 60)
    #expect(lane.dropFirst(2).prefix(17).allSatisfy { $0 == "2" })
    #expect(lane.dropFirst(22).prefix(17).allSatisfy { $0 == "1" })
    #expect(lane.suffix(18).allSatisfy { $0 == "#" })
  }

  /// A moment of hours and minutes is read as a trace writes it: an hour and a half is 90 minutes.
  @Test func momentsHaveTheUnitsOfTraces() {
    let trace = "trace \"long\" { until: 3h }\nmain { sleep(2h) }"
    let (hours, minutes) = (
      call(trace, "explain", "--at", "1.5h"), call(trace, "explain", "--at", "90min")
    )
    #expect(hours.status == .held && hours.output == minutes.output)
    #expect(hours.output.contains("'main'"), "\(hours.output)")
    #expect(call(trace, "timeline", "--only", "main", "--from", "1min").status == .held)
    let nobody = call(trace, "timeline", "--only", "nobody")
    #expect(nobody.status == .usage && nobody.output == "")
    #expect(nobody.error.contains("no thread of the run is called 'nobody'"))
  }

  @Test func manyThreadsAreFolded() throws {
    let trace = """
      trace "many"
      machine { cores: 300; costs: .zero }
      main { for i in 0..<300 { Thread(name: "t\\(i)") { work(10ms) }.start() } }
      """
    let lines = lines(call(trace, "timeline").output)
    #expect(lines.count { $0.hasPrefix("t") } == 2)
    #expect(lines.contains { $0.contains("and 38 threads drawn alike: t2 to t39") })
    #expect(lines.contains { $0.contains("and 260 threads less busy: t40 to t299") })
    let chosen = self.lines(call(trace, "timeline", "--only", "t29*").output)
    // t29 and t290 to t299.
    #expect(chosen.count { $0.hasPrefix("t") } == 11)
  }

  @Test func colourAddsNothingButColour() throws {
    let plain = call(simple, "timeline").output
    let painted = call(simple, "timeline", "--color", "always").output
    #expect(painted != plain)
    #expect(painted.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
  }

  @Test(
    "mistakes are told",
    arguments: [
      (["timeline", "-", "--from", "3"], "'--from' needs a moment such as 192ms or 1.5s, not '3'"),
      (["timeline", "-", "--from", "99999999999999s"], "'--from' needs a moment"),
      (["timeline", "-", "--from", "2ms", "--to", "1ms"], "'--to' must be later than '--from'"),
      (["timeline", "-", "--from", "2s"], "the run ends at 60ms, before '--from'"),
      (["timeline", "-", "--by", "cores"], "did you mean 'core'?"),
      (["explain", "-", "--thread", "main"], "'--thread' needs '--at'"),
      (["explain", "-", "--at", "1ms", "--thread", "mian"], "did you mean 'main'?"),
      (["explain", "-", "--at", "2s"], "the run ends at 60ms"),
      (["explain", "-", "--item", "x"], "no item of the run is called 'x'"),
      (["explain", "-", "--finding", "1"], "the run has no findings"),
    ])
  func mistakesAreTold(arguments: [String], message: String) {
    let environment = HostEnvironment(standardInput: Array(simple.utf8))
    let call = Invocation(arguments, environment: environment)
    #expect(call.status == .usage)
    #expect(call.error.contains(message), "\(call.error)")
  }

  /// The item works 1 ms, has no core for 5 ms, and works 7 ms, each little beside the 200 ms before.
  @Test func timeWithoutACoreIsNotToldAsWork() {
    let trace = """
      machine { platform: .iOS; cores: 1; costs: .zero }
      main { DispatchQueue.global(qos: .utility).async(name: "image") { io(200ms); work(8ms) } }
      at(201ms) { DispatchQueue.main.async(name: "frame") { work(5ms) } }
      """
    let lines = self.lines(call(trace, columns: 160, "explain", "--item", "image").output)
    let told = lines.filter { $0.contains(" worked ") || $0.contains(" had no core ") }
    let expected = [
      "  'image' (2:8) worked 1ms",
      "  'image' had no core for 5ms, preempted by 'main', which policy clutch prefers by class, "
        + ".userInteractive against .utility, while 'frame' ran",
      "  'image' (2:8) worked 7ms",
    ]
    #expect(told == expected)
  }

  /// Each has the core for 4 ms: what comes between is the policy's decision.
  @Test func aPolicyThatEndsAQuantumIsNamed() {
    let trace = """
      machine { platform: .ideal; cores: 1; policy: .roundRobin(quantum: 4ms) }
      let left = Thread(name: "left") { work(8ms) }
      let right = Thread(name: "right") { work(8ms) }
      main { left.start(); right.start() }
      """
    let told = call(trace, columns: 160, "explain", "--item", "left").output
    #expect(
      told.contains(
        "'left' had no core for 4ms, after its quantum under policy roundRobin, "
          + "which gave the core to 'right', while 'right' ran"), "\(told)")
  }

  @Test func aMomentIsToldForEachThread() {
    let call = call(simple, columns: 100, "explain", "--at", "45ms")
    #expect(call.output.contains("'日本'"))
    #expect(call.output.contains("ran on core 0, 30..60ms, until it ended"))
    #expect(call.output.contains("1 thread idle"))
  }

  /// 'a' works 10 ms and hands 'b' over, which works 20 ms: the chain is both.
  @Test func theCriticalPathIsAChain() {
    let trace = """
      trace "chain"
      machine { cores: 2; costs: .zero }
      let p = DispatchQueue(label: "p")
      let q = DispatchQueue(label: "q")
      main {
        p.async(name: "a") { work(10ms); q.async(name: "b") { work(20ms) }; work(5ms) }
      }
      """
    let output = call(trace, columns: 100, "explain", "--critical-path").output
    #expect(output.contains("Critical path, makespan 30ms"))
    #expect(output.contains("'a' (6:3) 10ms"))
    #expect(output.contains("'b' (6:36) 20ms"))
  }

  /// Marks at 10, 30 and 50 of 60 ms, a column each.
  @Test func marksHaveLanes() {
    let trace = """
      trace "marks"
      machine { cores: 1; costs: .zero }
      main {
        work(10ms)
        mark("a")
        work(20ms)
        mark("b")
        work(20ms)
        mark("a")
        work(10ms)
      }
      """
    let shown = lines(call(trace, "timeline").output)
    let gap = { String(repeating: " ", count: $0) }
    #expect(shown.contains("'a'   \(gap(10))^\(gap(39))^"))
    #expect(shown.contains("'b'   \(gap(30))^"))
    #expect(shown.contains("# runs, ^ a mark"))
  }

  /// A log is looked into as its trace is, without places.
  @Test func logsAreLookedInto() {
    let folder = TemporaryFolder()
    let path = folder.write("simple.trace", simple)
    #expect(Invocation("simulate", path, "--log", folder["simple.log"]).status == .held)
    for arguments in [["timeline"], ["explain", "--at", "10ms"]] {
      let (first, rest) = (arguments[0], arguments.dropFirst())
      let ofTrace = Invocation([first, path] + rest)
      let ofLog = Invocation([first, folder["simple.log"]] + rest)
      #expect(ofTrace.status == .held)
      #expect(ofLog.output == ofTrace.output.replacing(/\ (at\ )?\(?[0-9]+:[0-9]+\)?/, with: ""))
    }
    let set = Invocation("timeline", folder["simple.log"], "--set", "n=1")
    #expect(set.error.contains("'--set' needs a trace: a log can't be run again"))
  }
}
