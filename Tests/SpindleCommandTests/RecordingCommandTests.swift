import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `spindle import` and `spindle replay`.
@Suite struct RecordingCommandTests {
  /// A thread works 2 ms, wakes another and ends; that one works 3 ms, on the one core.
  static let recording = """
    # entries-in-buffer/entries-written: 6/6   #P:1
      <idle>-0 (-----) [000] d..2. 1.000000: sched_switch: prev_comm=swapper prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=10 next_prio=120
      app-10 (   10) [000] d..2. 1.002000: sched_waking: comm=helper pid=11 prio=120 target_cpu=000
      app-10 (   10) [000] d..2. 1.002000: sched_switch: prev_comm=app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=helper next_pid=11 next_prio=120
      helper-11 (   10) [000] d..2. 1.005000: sched_switch: prev_comm=helper prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120

    """

  @Test func importWritesACanonicalTraceThatRuns() throws {
    let folder = TemporaryFolder()
    let path = folder.write("app.txt", Self.recording)
    let call = Invocation("import", path, "--output", folder["app.trace"])
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.isEmpty && call.error.isEmpty)
    #expect(Invocation("format", "--check", folder["app.trace"]).status == .held)
    let run = Invocation(
      "simulate", folder["app.trace"], "--measure", "makespan", "--format", "csv")
    #expect(run.status == .held, "\(run.error)")
    #expect(run.output.contains("5000000"))
    #expect(Invocation("import", path).output.contains("param cores = 1"))
  }

  @Test func replayIsHeldBesideTheRecording() {
    let folder = TemporaryFolder()
    let path = folder.write("app.txt", Self.recording)
    let call = Invocation("replay", path)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.hasSuffix("recorded 5ms, simulated 5ms: the same\n"))
    #expect(call.output.contains("2 switches, 1 wake") == false)
    #expect(call.output.contains("3 switches, 1 wake, 0 of them in interrupts"))
  }

  /// A real program, recorded with probes in libdispatch on an idle machine of two cores: its trace is canonical, and takes
  /// about as long, and the workers exactly the same time of a processor.
  @Test func recordingWithProbesBecomesQueues() throws {
    let folder = TemporaryFolder()
    let path = Repository.root + "/Tests/Recordings/dispatch.ftrace.txt"
    #expect(Invocation("import", path, "--output", folder["app.trace"]).status == .held)
    #expect(Invocation("format", "--check", folder["app.trace"]).status == .held)
    let replay = Invocation("replay", path)
    #expect(replay.status == .held, "\(replay.error)")
    let words = replay.output.split(separator: "\n").map { $0.split(separator: " ") }
    let workers = try #require(words.firstIndex { $0.first == "workers" })
    #expect(words[workers][2] == words[workers + 1][1])
    #expect(words[workers + 2].prefix(2) == ["error", "="])
    #expect(!replay.output.contains("too far off"))
    #expect(Invocation("replay", path, "--level", "thread").status == .usage)
    let threads = Invocation("import", path, "--level", "threads")
    #expect(!threads.output.contains("DispatchQueue"))
  }

  /// On two cores the helper still comes after the app: 5 ms, whatever the cores.
  @Test func whatIfIsTold() {
    let folder = TemporaryFolder()
    let path = folder.write("app.txt", Self.recording)
    let call = Invocation("replay", path, "--cores", "1,2")
    #expect(call.status == .held, "\(call.error)")
    let line = call.output.split(separator: "\n").last { $0.hasPrefix("2 cores") }
    #expect(line?.split(separator: " ").prefix(4) == ["2", "cores", "5ms", "+0.0%"])
  }

  /// Wherever the limit of steps ends a run, in front of its first work too, that is said and nothing is compared.
  @Test func limitOfStepsIsSaid() {
    let folder = TemporaryFolder()
    let path = folder.write("app.txt", Self.recording)
    var steps = 1
    while steps < 1_000 {
      let call = Invocation("replay", path, "--steps", "\(steps)")
      if call.status == .held { break }
      #expect(call.status == .notHeld)
      #expect(call.output.isEmpty)
      #expect(
        call.error
          == "spindle: error: the run of the recording ended before its end: by the limit of "
          + "\(steps) steps; '--steps' sets another\n")
      steps += 1
    }
    // A call, two kinds of work and a signal take some steps each.
    #expect(steps > 5 && steps < 1_000)
    // What the simulation ends by a moment is held beside the recording as far as it went.
    #expect(Invocation("replay", path, "--until", "1ns").output.contains("recorded 5ms, simulated"))
  }

  /// What is wrong with a question is said before anything is run.
  @Test func questionIsCheckedFirst() {
    let folder = TemporaryFolder()
    let path = folder.write("app.txt", Self.recording)
    for (arguments, said) in [
      (["--policies", "fifo,nope"], "unknown policy 'nope'"), (["--set", "foo=1"], "'foo'"),
      (["--cores", "1,2", "--set", "cores=3"], "'--set' and '--cores' both give 'cores'"),
    ] {
      let call = Invocation(["replay", path] + arguments)
      #expect(call.status == .usage)
      #expect(call.output.isEmpty)
      #expect(call.error.contains(said), "\(call.error)")
    }
    let cores = Invocation("replay", path, "--set", "cores=1,2")
    #expect(cores.status == .held, "\(cores.error)")
    #expect(cores.output.contains("cores=2"))
  }

  @Test func workloadIsTakenWhole() {
    let folder = TemporaryFolder()
    let path = folder.write("load.json", "{ \"tasks\" : { \"t\" : { \"run\" : 5 } } }")
    #expect(Invocation("import", path).status == .held)
    for option in ["--process=t", "--from=1s", "--to=2s", "--others=threads", "--level=queues"] {
      let call = Invocation("import", path, option)
      #expect(call.status == .usage && call.output.isEmpty)
      #expect(call.error.contains("is a workload, which is imported completely"), "\(call.error)")
    }
    #expect(Invocation("replay", path).error.contains("'spindle import' makes a trace of it"))
    let other = folder.write("other.json", "{ \"a\" : 1 }")
    for command in ["import", "replay"] {
      let call = Invocation(command, other)
      #expect(call.status == .noInput)
      #expect(call.error.hasSuffix(": it is JSON, but no workload of rt-app: it has no 'tasks'\n"))
    }
  }

  /// A pipe can be read once: what is long goes into a file, of which nothing is left.
  @Test func pipeIsReadAsAFileIs() throws {
    let folder = TemporaryFolder()
    let padding = String(repeating: "# \(String(repeating: "x", count: 97))\n", count: 30_000)
    let path = folder.write("app.txt", Self.recording + padding + "  app-10 [000] 1.0")
    folder.write("pipes/nothing", "")
    folder.write("own/nothing", "")
    let pipe = folder["pipes/app.txt"]
    #expect(mkfifo(pipe, 0o600) == 0)
    let environment = HostEnvironment(variables: ["TMPDIR": folder["own"]])
    let whole = Invocation("import", path)
    #expect(whole.status == .held)
    #expect(whole.error.contains("line 30006: the recording ends within the line"))
    for copies in [environment, HostEnvironment(variables: ["TMPDIR": folder["none"]])] {
      let writer = try #require(popen("exec cat '\(path)' > '\(pipe)' 2>/dev/null", "r"))
      let call = Invocation(["import", pipe], environment: copies)
      pclose(writer)
      if copies.variables["TMPDIR"] == folder["own"] {
        #expect(call.output == whole.output)
        #expect(call.error.contains("line 30006: the recording ends within the line"))
      } else {
        #expect(call.status == .noOutput)
        #expect(call.error.contains("cannot write '\(folder["none"])'"), "\(call.error)")
      }
    }
    #expect(TemporaryFolder.names(folder["own"]) == ["nothing"])
  }

  /// What never ends and is no recording is told from its start.
  @Test func endlessInputIsRefused() {
    let call = Invocation("import", "/dev/zero")
    #expect(call.status == .noInput)
    #expect(call.error.contains("this is not a readable recording"))
  }

  /// A thread works 100 us and sleeps 10 us, 40 times, and after each wake waits 40 us for its core.
  private static let late: [String] = {
    var (lines, time) = (["# #P:1"], 0)
    func at(_ length: Int) -> String {
      time += length
      return "1.\(String(1_000_000 + time).dropFirst())"
    }
    let idle = "prev_comm=swapper prev_pid=0 prev_prio=120 prev_state=R"
    lines.append(
      " <idle>-0 (-----) [000] d..2. \(at(0)): sched_switch: \(idle) ==> next_comm=a next_pid=10 next_prio=120"
    )
    for _ in 0..<40 {
      lines.append(
        " a-10 ( 10) [000] d..2. \(at(100)): sched_switch: prev_comm=a prev_pid=10 prev_prio=120 "
          + "prev_state=S ==> next_comm=swapper next_pid=0 next_prio=120")
      lines.append(
        " <idle>-0 (-----) [000] d.h2. \(at(10)): sched_waking: comm=a pid=10 prio=120 target_cpu=000"
      )
      lines.append(
        " <idle>-0 (-----) [000] d..2. \(at(40)): sched_switch: \(idle) ==> next_comm=a next_pid=10 "
          + "next_prio=120")
    }
    return lines
  }()

  /// Another thread that has a core of its own for 10 ms hides what is off of the one that is late.
  @Test func doubtsAreTold() {
    let folder = TemporaryFolder()
    let idle = "swapper prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=11"
    let end = "b prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper next_pid=0"
    let lines =
      [" <idle>-0 (-----) [001] d..2. 1.000000: sched_switch: prev_comm=\(idle) next_prio=120"]
      + Self.late + [
        " b-11 ( 10) [001] d..2. 1.010000: sched_switch: prev_comm=\(end) next_prio=120"
      ]
    let late = folder.write("late.txt", lines.joined(separator: "\n") + "\n")
    let call = Invocation("replay", late, "--cores", "2")
    #expect(call.status == .held && call.output.contains("what if"))
    // 40 times 40 us of its 10 ms are not simulated: 16%.
    #expect(
      call.error.hasPrefix(
        "spindle: warning: forecasts may be inaccurate: of 2 threads, the span of 1 is off by more than 5%, "
          + "of 'a' by -16.0%"), "\(call.error)")
    #expect(Invocation("replay", late).error.isEmpty)

    let flags = Self.recording.replacing(" d..2.", with: "")
    let untold = folder.write("untold.txt", flags)
    #expect(
      Invocation("replay", untold, "--cores", "2").error.contains("has no interrupt events"))
    let lost = flags.split(separator: "\n").filter { !$0.contains("sched_waking") }
    let wakeless = folder.write("lost.txt", lost.joined(separator: "\n") + "\n")
    #expect(
      Invocation("replay", wakeless, "--cores", "2", "--force").error.contains(
        "has no wake-ups"))
    let plain = folder.write("a.txt", Self.recording)
    #expect(Invocation("replay", plain).error.isEmpty)
    // What threads do to each other on several cores is not in a recording of one.
    let doubted = Invocation("replay", plain, "--cores", "2").error
    #expect(doubted.contains("the recording is of one core"))
  }

  /// Each time it waits for its core though that idles, which no policy of ours does: what if is refused.
  @Test func whatIfIsRefusedWhereTheModelIsOff() {
    let lines = Self.late
    let folder = TemporaryFolder()
    let path = folder.write("a.txt", lines.joined(separator: "\n") + "\n")
    let call = Invocation("replay", path, "--cores", "2")
    #expect(call.status == .notHeld)
    #expect(call.error.contains("off by more than 5%"))
    #expect(!call.output.contains("what if"))
    let forced = Invocation("replay", path, "--cores", "2", "--force")
    #expect(forced.status == .held)
    #expect(forced.output.contains("what if"))
  }

  /// A thread works 2 ms and wakes another, which works 3 ms, on the two kinds of cores.
  static let export: String = {
    func thread(_ name: String, _ id: Int) -> String {
      "<thread id=\"\(id)\" fmt=\"\(name) (0x\(id)) (app, pid: 10)\"><tid>\(id)</tid>"
        + "<process fmt=\"app (10)\"><pid>10</pid></process></thread>"
    }
    func row(_ start: Int, _ thread: String, _ state: String, _ length: Int, _ core: Int?) -> String
    {
      let kind = core == 0 ? "E" : "P"
      return "<row><start-time>\(start)</start-time>\(thread)<thread-state fmt=\"\(state)\"/>"
        + "<duration>\(length)</duration>"
        + (core.map { "<core fmt=\"CPU \($0) (\(kind) Core)\">\($0)</core>" } ?? "<sentinel/>")
        + (state == "Runnable" ? "<thread ref=\"3\"/>" : "<sentinel/>") + "</row>\n"
    }
    let columns = ["start", "thread", "state", "duration", "core", "made-runnable-by-thread"]
    return "<?xml version=\"1.0\"?>\n<trace-query-result><node><schema name=\"thread-state\">"
      + columns.map { "<col><mnemonic>\($0)</mnemonic></col>" }.joined() + "</schema>"
      + row(0, thread("Main Thread", 3), "Running", 2_000_000, 4)
      + row(0, thread("helper", 4), "Blocked", 1_990_000, nil)
      + row(1_990_000, "<thread ref=\"4\"/>", "Runnable", 10_000, nil)
      + row(2_000_000, "<thread ref=\"3\"/>", "Blocked", 3_000_000, nil)
      + row(2_000_000, "<thread ref=\"4\"/>", "Running", 3_000_000, 0)
      + "</node></trace-query-result>\n"
  }()

  @Test func exportOfInstrumentsIsImportedAndReplayed() {
    let folder = TemporaryFolder()
    let path = folder.write("app.xml", Self.export)
    let call = Invocation("import", path, "--output", folder["app.trace"])
    #expect(call.status == .held, "\(call.error)")
    #expect(call.error.isEmpty)
    #expect(Invocation("format", "--check", folder["app.trace"]).status == .held)
    let replay = Invocation("replay", path, "--cores", "1")
    #expect(replay.status == .held, "\(replay.error)")
    #expect(replay.output.contains("\nrecorded 5ms, simulated 5ms: the same\n"), "\(replay.output)")
    // One core: 5 ms of work.
    #expect(replay.output.contains("\n1 core "))
  }

  /// A table without cores has nothing to be held beside, and a folder is no table.
  @Test func whatElseInstrumentsHasIsRefused() {
    let folder = TemporaryFolder()
    let tasks = folder.write(
      "tasks.xml", Self.export.replacing("\"thread-state\"", with: "\"SwiftTaskStateTable\""))
    #expect(Invocation("replay", tasks).error.contains("says nothing of cores"))
    let call = Invocation("import", folder.path)
    #expect(call.status == .noInput)
    #expect(
      call.error.hasPrefix(
        "spindle: error: \(folder.path) is a folder: of a recording of Instruments"))
  }

  @Test func whatCanNotBeReadIsSaid() {
    let folder = TemporaryFolder()
    let empty = folder.write("empty.txt", "")
    for command in ["import", "replay"] {
      let call = Invocation(command, empty)
      #expect(call.status == .noInput)
      #expect(call.error == "spindle: error: \(empty): the recording is empty\n")
      #expect(Invocation(command, folder["none.txt"]).status == .noInput)
      #expect(Invocation(command, empty, "--others", "thread").status == .usage)
      #expect(Invocation(command, empty, "--from", "2s", "--to", "1s").status == .usage)
    }
    let cut = folder.write("cut.txt", String(Self.recording.dropLast(60)))
    let call = Invocation("import", cut)
    #expect(call.status == .held)
    #expect(
      call.error == "spindle: warning: \(cut), line 5: the recording ends within the line\n")
  }
}
