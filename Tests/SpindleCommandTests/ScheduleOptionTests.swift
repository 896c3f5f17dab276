import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

/// `--schedule` in the commands that look into one run or two: a failure that was found can be explained.
@Suite struct ScheduleOptionTests {
  /// Two items that fill a cache; one that is late finds it empty.
  private static let cache = """
    trace "Cache"
    machine { platform: .iOS; cores: 4 }
    param unused = 3
    let queue = DispatchQueue(label: "queue", attributes: .concurrent)
    let other = NSLock()
    var loads = 0
    var isThere = false
    main {
        for _ in 0 ..< unused { other.withLock { work(1ms) } }
        queue.async(name: "first") { if !isThere { work(20ms); loads += 1; isThere = true } }
        queue.asyncAfter(deadline: .now() + 50ms, name: "second") { if !isThere { loads += 1; isThere = true } }
    }
    expect { value(loads) == 1 }

    """
  private static let schedule = "\"second\" reads isThere before \"first\" writes isThere"

  @Test func timelinesShowWhoIsHeld() {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let normal = Invocation("timeline", path, "--width", "80")
    let scheduled = Invocation("timeline", path, "--width", "80", "--schedule", Self.schedule)
    #expect(scheduled.status == .held, "\(scheduled.error)")
    #expect(normal.output != scheduled.output)
    #expect(scheduled.output.contains("h held by the schedule"), "\(scheduled.output)")
  }

  @Test func explainIsAboutTheScheduledRun() {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let file = folder.write("cache.schedule", Self.schedule + "\n")
    let normal = Invocation("explain", path, "--item", "first")
    let scheduled = Invocation("explain", path, "--item", "first", "--schedule", file)
    #expect(normal.status == .held && scheduled.status == .held, "\(scheduled.error)")
    #expect(!normal.flat.contains("held"), "\(normal.output)")
    #expect(scheduled.flat.contains("held"), "\(scheduled.output)")
  }

  @Test func diffComparesWithTheNormalRun() {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let call = Invocation("diff", path, "--schedule", Self.schedule)
    #expect(call.status == .notHeld, "\(call.error)")
    #expect(call.flat.contains("normal") && call.flat.contains("scheduled"), "\(call.output)")
    #expect(call.flat.contains("'first'"), "\(call.output)")
    // Two settings both run under the schedule.
    let both = Invocation("diff", path, "--schedule", Self.schedule, "--set", "unused=1,1_0")
    #expect(!both.output.contains("scheduled"), "\(both.output)")
  }

  @Test func compareHasTheNormalRunBesideTheScheduledOne() {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let call = Invocation(
      "compare", path, "--schedule", Self.schedule, "--measure", "value(loads)", "--format", "csv",
      "--expect")
    #expect(call.status == .notHeld, "\(call.error)")
    let lines = call.output.split(separator: "\n")
    #expect(lines.contains { $0.contains("normal") && $0.hasSuffix(",1") }, "\(call.output)")
    #expect(lines.contains { $0.contains("scheduled") && $0.hasSuffix(",2") }, "\(call.output)")
  }

  @Test(arguments: ["explain", "timeline", "diff", "compare", "reduce", "simulate"])
  func linesThatAreNotKeptAreReported(command: String) {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let call = Invocation(command, path, "--schedule", "\"nobody\" reads isThere late 1ms")
    #expect(call.status == .notHeld, "\(call.output)")
    #expect((call.output + call.error).contains("\"nobody\" reads isThere"), "\(call.error)")
  }

  @Test(arguments: ["explain", "timeline", "diff"])
  func logsHaveNoSchedule(command: String) {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    let log = folder["cache.log"]
    #expect(Invocation("simulate", path, "--log", log).status == .held)
    let operands = command == "diff" ? [log, log] : [log]
    let call = Invocation([command] + operands + ["--schedule", Self.schedule])
    #expect(call.status == .usage && call.error.contains("--schedule"), "\(call.error)")
  }

  @Test func reduceKeepsTheScheduleAndTheFailure() {
    let folder = TemporaryFolder()
    let path = folder.write("cache.trace", Self.cache)
    // The second line changes nothing that matters.
    let text = Self.schedule + "; \"main\" locks other late 1ms"
    let call = Invocation("reduce", path, "--schedule", text, "--output", folder["small.trace"])
    #expect(call.status == .held, "\(call.error)")
    let small = folder.read("small.trace") ?? ""
    #expect(small.contains(Self.schedule) && !small.contains("late 1ms"), "\(small)")
    #expect(!small.contains("other") && small.contains("value(loads) == 1"), "\(small)")
    #expect(Invocation("simulate", folder["small.trace"]).status == .notHeld, "\(small)")
    // It passes without the schedule: what is left is a failure of order.
    let normal = folder.write("empty.schedule", "// nothing\n")
    let call2 = Invocation("simulate", folder["small.trace"], "--schedule", normal)
    #expect(call2.status == .held, "\(call2.output)\(small)")
    // A block in the trace is kept, too.
    let block = folder.write("block.trace", Self.cache + "schedule {\n    \(Self.schedule)\n}\n")
    let again = Invocation("reduce", block, "--output", folder["again.trace"])
    #expect(again.status == .held, "\(again.error)")
    let second = folder.read("again.trace") ?? ""
    #expect(second.components(of: "schedule {") == 1, "\(second)")
    #expect(Invocation("simulate", folder["again.trace"]).status == .notHeld, "\(second)")
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.firstRange(of: text) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }

  /// Orders of forty iterations and what they hand on: a run of any of them that fails is written as a schedule that a
  /// person reads, and fails again by it.
  @Test func drawsOfManyIterationsAreWritten() throws {
    let path = Repository.root + "/Traces/apps/settings-store.trace"
    let folder = TemporaryFolder()
    let prefix = folder["fails"]
    let found = Invocation(
      "explore", path, "--strategy", "random", "--runs", "3", "--json", "--save", prefix)
    #expect(found.status == .notHeld)
    #expect(found.output.contains("\"notWritten\": 0"), "\(found.output)")
    let file = prefix + "-1.schedule"
    let again = Invocation("simulate", path, "--schedule", file)
    #expect(again.status == .notHeld)
    #expect(!again.output.contains("not met: schedule:"), "\(again.output)")
    let text = String(decoding: try Files.read(file, atMost: 1_000_000), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("\"") }
    #expect((1...4).contains(lines.count), "\(lines)")
  }
}
