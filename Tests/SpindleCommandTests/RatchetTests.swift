import SpindleModel
import SpindleSystem
import Testing

@testable import SpindleCommand
@testable import SpindleReports

/// `expect { best(makespan) }`: what fails only when it gets worse.
@Suite struct RatchetTests {
  /// One thread that works so long; the makespan is that, since nothing costs anything.
  private static func trace(_ milliseconds: Int, _ ratchets: String = "best(makespan)") -> String {
    """
    machine { platform: .ideal; cores: 1; costs: .zero }
    main { work(\(milliseconds)ms) }
    expect { \(ratchets) }
    """
  }

  /// A folder with a trace of 100 ms whose best is recorded.
  private static func recorded(_ ratchets: String = "best(makespan)") -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write("r.trace", trace(100, ratchets))
    _ = Invocation("test", folder.path, "--update")
    return folder
  }

  @Test func withoutARecordItPassesAndProposes() {
    let folder = TemporaryFolder()
    let path = folder.write("r.trace", Self.trace(100))
    let call = Invocation("test", folder.path)
    #expect(call.status == .held)
    #expect(
      call.output == """
        not recorded in \(folder["r.best"])
          makespan 100ms
          'spindle test --update \(path)' records it
        1 passed, 0 failed

        """)
    #expect(folder.names == ["r.trace"])
  }

  @Test func updateRecordsTheBestAndNoLog() {
    let folder = TemporaryFolder()
    folder.write("r.trace", Self.trace(100))
    let call = Invocation("test", folder.path, "--update")
    #expect(call.output.hasPrefix("recorded \(folder["r.best"])\n  makespan 100ms\n1 recorded"))
    #expect(folder.read("r.best") == "# spindle best\nmakespan 100ms\n")
    #expect(folder.names == ["r.best", "r.trace"])
    #expect(Invocation("test", folder.path).output == "1 passed, 0 failed\n")
    let whole = Invocation("test", folder.path, "--update", "--keep-log")
    #expect(whole.status == .held)
    #expect(folder.names == ["r.best", "r.log", "r.trace"])
  }

  @Test func worseFailsAndSaysByHowMuchAndWhy() {
    let folder = Self.recorded()
    let path = folder.write("r.trace", Self.trace(101))
    let call = Invocation("test", folder.path)
    #expect(call.status == .notHeld)
    #expect(call.output.contains("\(path):3:10: not met: best(makespan)\n"))
    #expect(call.output.contains("    makespan was 101ms; the best was 100ms\n"))
    // The reason of the time, as for any expectation of one.
    #expect(call.output.contains("    0..101ms: 'main' 101ms\n"))
    #expect(call.output.hasSuffix("0 passed, 1 failed\n"))
    let junit = folder["r.xml"]
    _ = Invocation("test", path, "--junit", junit)
    #expect(folder.read("r.xml")?.contains("type=\"ratchet\"") == true)
  }

  @Test func betterPassesAndProposesTheNewBest() {
    let folder = Self.recorded()
    let path = folder.write("r.trace", Self.trace(80))
    let call = Invocation("test", folder.path)
    #expect(call.status == .held)
    let proposal = """
      better than \(folder["r.best"])
        makespan 100ms -> 80ms
        'spindle test --update \(path)' records it

      """
    #expect(call.output == proposal + "1 passed, 0 failed\n")
    #expect(folder.read("r.best") == "# spindle best\nmakespan 100ms\n")
    _ = Invocation("test", folder.path, "--update")
    #expect(folder.read("r.best") == "# spindle best\nmakespan 80ms\n")
    #expect(Invocation("test", folder.path).output == "1 passed, 0 failed\n")
    folder.write("r.trace", Self.trace(100))
    #expect(Invocation("test", folder.path).status == .notHeld)
  }

  /// Each row: the tolerance, how long the run is, and whether it passes where 100 ms is the best.
  @Test(
    "a tolerance is of the best, and its edge is within",
    arguments: [
      ("± 5%", 105, true), ("± 5%", 106, false), ("± 3ms", 103, true), ("± 3ms", 104, false),
      ("", 100, true), ("", 101, false), ("± 0%", 101, false),
    ])
  func tolerance(text: String, length: Int, passes: Bool) {
    let folder = Self.recorded("best(makespan) \(text)")
    folder.write("r.trace", Self.trace(length, "best(makespan) \(text)"))
    let call = Invocation("test", folder.path)
    #expect((call.status == .held) == passes, "\(call.output)")
    #expect(!call.output.contains("better than"))
    // What is worse and tolerated moves nothing, or many small steps would add up.
    _ = Invocation("test", folder.path, "--update")
    #expect(folder.read("r.best")?.contains("makespan \(passes ? 100 : length)ms\n") == true)
  }

  /// More is better of the share of the cores that is used: 100 ms of 2 cores' 100 ms each is a half.
  @Test func moreIsBetterWhereItIs() {
    let head = "machine { platform: .ideal; cores: 2; costs: .zero }\n"
    let body = "let t = Thread(name: \"t\") { work(50ms) }\n"
    let tail = "expect { best(utilization); best(threads.peak + 1) }\n"
    let folder = TemporaryFolder()
    folder.write("r.trace", head + "main { work(100ms) }\n" + tail)
    _ = Invocation("test", folder.path, "--update")
    #expect(
      folder.read("r.best")?.hasPrefix("# spindle best\nutilization 0.5\nthreads.peak + 1 2\n")
        == true)
    folder.write("r.trace", head + body + "main { t.start(); work(100ms) }\n" + tail)
    let call = Invocation("test", folder.path)
    // Of 200 ms of the cores 150 are used; there is one thread more.
    #expect(!call.output.contains("not met: best(utilization)"))
    #expect(call.output.contains("threads.peak + 1 was 3; the best was 2\n"))
  }

  @Test func whatIsNoRecordIsTold() {
    let folder = Self.recorded()
    folder.write("r.best", "# spindle best\nmakespan soon\n")
    let call = Invocation("test", folder.path)
    #expect(call.status == .notHeld)
    #expect(call.output.contains("\(folder["r.best"]) is damaged\n"))
    #expect(Invocation("test", folder.path, "--update").status == .held)
    #expect(folder.read("r.best") == "# spindle best\nmakespan 100ms\n")
  }

  @Test func whatNothingRefersToIsTold() {
    let folder = Self.recorded("best(makespan); best(switches)")
    folder.write("r.trace", Self.trace(100))
    let call = Invocation("test", folder.path)
    #expect(call.status == .held)
    #expect(call.output.contains("  switches is no longer a ratchet of the trace\n"))
    folder.remove("r.trace")
    folder.write("other.trace", Self.trace(1, "makespan == 1ms"))
    #expect(
      Invocation("test", folder.path).output.contains(
        "no trace for \(folder["r.best"]); remove it\n"))
  }

  /// A test that passed is run again when the best that it is compared with has changed.
  @Test func aNewBestIsNoPassBefore() {
    let folder = Self.recorded()
    let digests = folder["passed"]
    _ = Invocation("test", folder["r.trace"], "--digests", digests)
    let same = Invocation("test", folder["r.trace"], "--changed-since", digests)
    #expect(same.output.contains("1 unchanged"))
    folder.write("r.best", "# spindle best\nmakespan 90ms\n")
    #expect(
      Invocation("test", folder["r.trace"], "--changed-since", digests).status == .notHeld)
  }

  @Test func simulateOnlyTells() throws {
    let folder = Self.recorded()
    let path = folder.write("r.trace", Self.trace(200))
    let call = Invocation("simulate", path, "--json")
    #expect(call.status == .held)
    #expect(call.output.contains("\"ratchet\""))
    #expect(call.output.contains("\"value\": \"200ms\""))
  }

  @Test(
    "a record is read as it was written",
    arguments: [
      ExpectationValue.duration(Nanoseconds(1)), .duration(Nanoseconds(51_616_414_175)),
      .duration(.zero), .duration(Nanoseconds(-2_500_000)), .size(ByteCount(65_536)),
      .size(ByteCount(1_000)), .size(ByteCount(0)), .integer(-3), .integer(Int64.max),
      .decimal(FixedDecimal(billionths: 1)), .decimal(FixedDecimal(billionths: -2_500_000_000)),
    ])
  func readAsWritten(value: ExpectationValue) {
    let ratchet = Ratchet(measure: "a - \"b c\" x", value: value, better: .less, tolerance: nil)
    let record = BestRecord([ratchet])
    let read = BestRecord(Array(record.text.utf8))
    #expect(read == record)
    #expect(ratchet.standing(to: read?[ratchet.measure]) == .same)
  }
}
