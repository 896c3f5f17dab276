import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What happens to the tool from outside while it writes.
@Suite struct SignalTests {
  /// A trace whose log grows for seconds.
  static let long = "main { while true { mark(\"m\") } }\n"

  @Test(
    "a signal ends the tool, as the shell sees it, and nothing is left behind",
    arguments: [
      SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV,
    ])
  func signalLeavesNothing(number: Int32) throws {
    let folder = TemporaryFolder()
    let trace = folder.write("t.trace", Self.long)
    folder.write("log", "old")
    folder.write(".spindle-other.partial", "of another process")
    // A backtrace of Swift's runtime would take seconds, while the run goes on.
    let process = try RunningTool(
      ["simulate", trace, "--steps", "5000000", "--log", folder["log"]],
      through: "SWIFT_BACKTRACE=enable=no exec \"$0\" \"$@\"")
    #expect(waitForPartial(in: folder))
    kill(process.id, number)
    #expect(process.wait() == .signal(number))
    #expect(folder.names == [".spindle-other.partial", "log", "t.trace"])
    let isOld = folder.read("log") == "old"
    #expect(isOld)
  }

  /// By `kill -9` nothing can be done any more; but what was written has another name than the part.
  @Test(
    "a part of a sweep that is stopped is not there, and is run again",
    arguments: [SIGTERM, SIGKILL])
  func stoppedPartIsRunAgain(number: Int32) throws {
    let folder = TemporaryFolder()
    let trace = folder.write("t.trace", SweepTests.trace)
    let sweep = ["sweep", trace, "--over", "seed=1...300", "--jobs", "1"]
    let part = sweep + ["--shard", "1/2", "--output", folder["part-1"]]
    // Checked after every event it takes long enough to be met in the middle.
    let process = try RunningTool(part + ["--check-invariants"])
    #expect(waitForPartial(in: folder, isWritten: false))
    kill(process.id, number)
    #expect(process.wait() == .signal(number))
    let left = folder.names.filter { !$0.hasSuffix(".partial") }
    #expect(left == ["t.trace"])
    #expect(number == SIGKILL || folder.names.count == 1)
    for shard in ["1", "2"] {
      let call = Invocation(sweep + ["--shard", "\(shard)/2", "--output", folder["part-\(shard)"]])
      #expect(call.status == .held, "\(call.error)")
    }
    let merged = Invocation(["merge", folder["part-1"], folder["part-2"], "--format", "csv"])
    let isSame = merged.output == Invocation(sweep + ["--format", "csv"]).output
    #expect(isSame && merged.status == .held, "\(merged.error)")
  }

  /// Who sits at a terminal has what is known so far, and it is marked as what it is.
  @Test func atATerminalARunIsCutOffInOrder() throws {
    let folder = TemporaryFolder()
    let trace = folder.write("t.trace", "main { while true { mark(\"m\"); work(1us) } }\n")
    var (terminal, end): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &end, nil, nil, nil) == 0)
    defer {
      close(terminal)
      close(end)
    }
    let process = try RunningTool(
      ["simulate", trace, "--json", "--log", folder["log"]], output: folder["json"], error: end)
    #expect(waitForPartial(in: folder))
    kill(process.id, SIGINT)
    #expect(process.wait() == .exit(ExitStatus.interrupted.rawValue))
    #expect(folder.read("json")?.contains("\"cutOff\": \"interrupt\",") == true)
    #expect(folder.names == ["json", "log", "t.trace"])
  }

  /// Both signals are there when the process next runs, and the lower number comes first.
  @Test func signalThatIsIgnoredStaysIgnored() throws {
    let folder = TemporaryFolder()
    let trace = folder.write("t.trace", Self.long)
    let process = try RunningTool(
      ["simulate", trace, "--steps", "5000000", "--log", folder["log"]],
      through: "trap '' HUP; exec \"$0\" \"$@\"")
    #expect(waitForPartial(in: folder))
    kill(process.id, SIGHUP)
    kill(process.id, SIGTERM)
    #expect(process.wait() == .signal(SIGTERM))
    #expect(folder.names == ["t.trace"])
  }

  @Test func fileThatOutgrowsItsLimitIsAFailure() throws {
    let folder = TemporaryFolder()
    let trace = folder.write("t.trace", Self.long)
    folder.write("log", "old")
    let process = try RunningTool(
      ["simulate", trace, "--steps", "100000", "--log", folder["log"]],
      through: "ulimit -f 8; exec \"$0\" \"$@\"")
    #expect(process.wait() == .exit(ExitStatus.noOutput.rawValue))
    #expect(folder.names == ["log", "t.trace"])
    let isOld = folder.read("log") == "old"
    #expect(isOld)
  }

  #if os(Linux)
    /// Where the tests have all rights, the tool is run by somebody who has not.
    @Test func logIsWrittenWhereNoFileCanBeMade() throws {
      let folder = TemporaryFolder()
      let trace = folder.write("t.trace", SimulateTests.holds)
      folder.write("log", "old")
      chmod(folder["log"], 0o666)
      chmod(folder.path, 0o555)
      defer { chmod(folder.path, 0o755) }
      let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
      let process = try RunningTool(
        ["simulate", trace, "--log", folder["log"]],
        through: geteuid() == 0 ? "exec \(nobody) \"$0\" \"$@\"" : "exec \"$0\" \"$@\"")
      #expect(process.wait() == .exit(0))
      #expect(folder.read("log")?.contains("mark \"m1\"") == true)
      #expect(folder.names == ["log", "t.trace"])
    }

    /// What measures for the tool is of no use without it.
    @Test func whatMeasuresEndsWithTheTool() throws {
      let folder = TemporaryFolder()
      let process = try RunningTool(["calibrate", "--output", folder["my.costs"]])
      var child: pid_t?
      for _ in 0..<2_000 where child == nil {
        usleep(1_000)
        child = Self.firstLine("/proc/\(process.id)/task/\(process.id)/children")
          .split(separator: " ").first.flatMap { pid_t($0) }
      }
      let found = try #require(child)
      kill(process.id, SIGINT)
      #expect(process.wait() == .signal(SIGINT))
      // 'Z' has ended, and nobody has asked yet how.
      func runs() -> Bool {
        let state = Self.firstLine("/proc/\(found)/stat").split(separator: ")").last
        return state.map { !$0.hasPrefix(" Z") } ?? false
      }
      for _ in 0..<100 where runs() { usleep(1_000) }
      #expect(!runs())
      #expect(folder.names.isEmpty)
    }

    private static func firstLine(_ path: String) -> String {
      guard let file = fopen(path, "r") else { return "" }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 1_024)
      guard fgets(&line, 1_024, file) != nil else { return "" }
      return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func argumentThatIsNoTextIsNamed() throws {
      let process = try RunningTool(["check"], through: "exec \"$0\" \"$@\" \"$(printf 'x\\377')\"")
      #expect(process.wait() == .exit(ExitStatus.usage.rawValue))
    }
  #endif

  /// Looks until a partial file of the tool's own is there, with something in it unless that does not
  /// matter; gives up after many looks.
  private func waitForPartial(in folder: TemporaryFolder, isWritten: Bool = true) -> Bool {
    for _ in 0..<2_000_000 {
      for name in folder.names where name.hasSuffix(".partial") && !name.contains("other") {
        var status = stat()
        if stat(folder[name], &status) == 0 && (status.st_size > 0 || !isWritten) { return true }
      }
      sched_yield()
    }
    return false
  }
}

/// The tool as a process that runs beside the test.
struct RunningTool {
  /// How a process ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The number of the process.
  let id: pid_t

  /// Starts the tool with no signal ignored or held back, whatever the test's own thread does.
  ///
  /// `script` is a shell's, to which the tool and its arguments are given.
  /// What the tool says goes to no one, or where `output` and `error` say.
  init(
    _ arguments: [String], through script: String? = nil, output: String = "/dev/null",
    error: Int32? = nil
  ) throws {
    let tool = try #require(BuiltTool.path)
    let words = (script.map { ["/bin/sh", "-c", $0] } ?? []) + [tool] + arguments
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
    #else
      var attributes = posix_spawnattr_t()
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o644)
    if let error {
      posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var copies = words.map { strdup($0) } + [nil]
    // What a sanitizer is told counts for the tool too.
    var variables: [String] = ["PATH=/usr/local/bin:/usr/bin:/bin"]
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
      guard let value = getenv(name) else { continue }
      variables.append("\(name)=\(String(cString: value))")
    }
    var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) }
    environment.append(nil)
    defer { for copy in copies + environment { free(copy) } }
    var id: pid_t = 0
    try #require(posix_spawn(&id, words[0], &actions, &attributes, &copies, &environment) == 0)
    self.id = id
  }

  /// Waits for the end.
  func wait() -> End {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }
}
