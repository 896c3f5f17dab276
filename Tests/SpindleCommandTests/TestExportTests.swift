import Foundation
import SpindleSystem
import Testing

@testable import SpindleCommand

/// Results of `spindle test` for other programs.
@Suite struct TestExportTests {
  static let stuck = """
    let lock = NSLock()
    main {
        lock.lock()
        lock.lock()
    }

    """

  private func folder() -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write("fails.trace", SimulateTests.fails)
    folder.write("holds.trace", SimulateTests.holds)
    folder.write("stuck, 50%.trace", Self.stuck)
    return folder
  }

  private func json(_ text: String?) throws -> Any {
    try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
  }

  @Test func staticAnalysisResults() throws {
    let folder = folder()
    #expect(Invocation("test", folder.path, "--sarif", folder["r.sarif"]).status == .notHeld)
    let log = try #require(try json(folder.read("r.sarif")) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let tool = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    #expect(tool["name"] as? String == "spindle" && tool["version"] as? String == ToolVersion.text)
    let rules = try #require(tool["rules"] as? [[String: Any]]).map { $0["id"] as? String }
    let results = try #require(run["results"] as? [[String: Any]])
    for result in results {
      // Each result names a rule by its place in the list of rules, too.
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(result["ruleId"] as? String == rules[index])
    }
    let found = try #require(results.first { $0["ruleId"] as? String == "selfDeadlock" })
    #expect(found["level"] as? String == "error")
    let place = try #require(
      ((found["locations"] as? [[String: Any]])?.first?["physicalLocation"]) as? [String: Any])
    #expect((place["region"] as? [String: Int])?["startLine"] == 4)
    let uri = (place["artifactLocation"] as? [String: String])?["uri"]
    #expect(uri == "file://\(folder.path)/stuck%2C%2050%25.trace")
  }

  @Test func annotationsAreForGitHubActions() {
    let folder = folder()
    let host = HostEnvironment(variables: ["GITHUB_ACTIONS": "true", "CI": "true"])
    let call = Invocation(["test", folder.path], environment: host)
    #expect(
      call.output.contains(
        "\n::error file=\(folder["fails.trace"]),line=3,col=10,title=expectation::"
          + "\(folder["fails.trace"]):3:10: not met: makespan == 2ms%0A"))
    #expect(
      call.output.contains(
        "::error file=\(folder["stuck%2C 50%25.trace"]),line=4,col=5,title=expectation::"))
    // A line of its own each: what is said has no line breaks left.
    let commands = call.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(commands.count >= 2)
    #expect(!Invocation("test", folder.path).output.contains("\n::"))
  }
}

/// What reports say of a run that differs from its log.
@Suite struct DifferenceExportTests {
  private static func trace(_ work: String) -> String {
    """
    trace "many"
    machine { cores: 1; costs: .zero }
    main { for i in 0 ..< 12 { Thread(name: "t\\(i)") { work(\(work)) }.start() } }
    """
  }

  /// A log knows no lines: the annotation stands at the first one, and has the beginning of the text.
  @Test func aDifferenceStandsAtTheFirstLine() throws {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.trace("1ms"))
    #expect(Invocation(["test", "--update", path]).status == .held)
    folder.write("t.trace", Self.trace("2ms"))
    let host = HostEnvironment(variables: ["GITHUB_ACTIONS": "true", "CI": "true"])
    let call = Invocation(["test", path, "--junit", folder["j.xml"]], environment: host)
    let command = try #require(call.output.split(separator: "\n").first { $0.hasPrefix("::error") })
    #expect(command.contains("t.trace,line=1,col=1,title=difference::the run differs from "))
    #expect(command.contains("%0Aand "))
    #expect(command.split(separator: "%0A").count <= 9)
  }
}

/// What is not run again.
@Suite struct UnchangedTests {
  private func host(_ folder: TemporaryFolder, _ more: [String: String] = [:]) -> HostEnvironment {
    HostEnvironment(
      variables: ["XDG_CACHE_HOME": folder["cache"]].merging(more) { $1 })
  }

  private func last(_ call: Invocation) -> String {
    call.output.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test func whatPassedIsNotRunUntilItChanges() {
    let folder = TemporaryFolder()
    folder.write("t/a.trace", SimulateTests.holds)
    folder.write("t/b.trace", SimulateTests.fails)
    let host = host(folder)
    func test(_ options: String...) -> String {
      last(Invocation(["test", folder["t"]] + options, environment: host))
    }
    #expect(test() == "1 passed, 1 failed, 2 without a recorded log")
    // What failed is run again.
    let skipped =
      "0 passed, 1 failed, 1 unchanged since they passed (--all runs them), "
      + "1 without a recorded log"
    #expect(test() == skipped)
    #expect(test("--all") == "1 passed, 1 failed, 2 without a recorded log")
    // Another limit is another test.
    #expect(test("--steps", "1000") == "1 passed, 1 failed, 2 without a recorded log")
    #expect(test() == "1 passed, 1 failed, 2 without a recorded log")
    // So is another log, and another trace.
    folder.write("t/a.log", "nothing\n")
    #expect(test() == "0 passed, 2 failed, 1 without a recorded log")
    folder.remove("t/a.log")
    #expect(test() == "1 passed, 1 failed, 2 without a recorded log")
    folder.write("t/a.trace", SimulateTests.holds + "// A comment.\n")
    #expect(test() == "1 passed, 1 failed, 2 without a recorded log")
    #expect(test() == skipped)
    // So are other costs, and another best.
    folder.write("t/c.costs", ".zero")
    folder.write(
      "t/a.trace", "machine { costs: \"c.costs\" }\nmain { }\nexpect { best(makespan) }\n")
    #expect(test() == "1 passed, 1 failed, 1 without a recorded log")
    #expect(test() == skipped)
    folder.write("t/c.costs", ".linux")
    #expect(test() == "1 passed, 1 failed, 1 without a recorded log")
    #expect(test() == skipped)
    folder.write("t/a.best", "# spindle best\nmakespan 9s\n")
    #expect(test() == "1 passed, 1 failed, 1 without a recorded log")
    #expect(folder.names == ["cache", "t"] && folder.read("cache/spindle/passed") != nil)
  }

  @Test func nothingIsLeftOutWhereCIIsSet() {
    let folder = TemporaryFolder()
    folder.write("t/a.trace", SimulateTests.holds)
    let host = host(folder, ["CI": "1"])
    for _ in 0..<2 {
      let call = Invocation(["test", folder["t"]], environment: host)
      #expect(last(call) == "1 passed, 0 failed, 1 without a recorded log")
    }
    #expect(folder.names == ["t"])
  }

  @Test func aFileOfDigestsSaysWhatHasChanged() {
    let folder = TemporaryFolder()
    for name in ["a", "b", "c"] { folder.write("t/\(name).trace", SimulateTests.holds) }
    folder.write("t/c.trace", SimulateTests.fails)
    let first = Invocation("test", folder["t"], "--digests", folder["old"])
    #expect(last(first) == "2 passed, 1 failed, 3 without a recorded log")
    #expect(folder.read("old")?.split(separator: "\n").count == 2)
    folder.write("t/b.trace", SimulateTests.holds.replacing("1ms", with: "3ms"))
    let second = Invocation(
      "test", folder["t"], "--changed-since", folder["old"], "--digests", folder["new"],
      "--verbose", "--junit", folder["r.xml"])
    #expect(
      second.output.hasPrefix("unchanged \(folder["t/a.trace"])\npassed \(folder["t/b.trace"])\n"))
    #expect(folder.read("r.xml")?.contains("skipped=\"1\"") == true)
    // What was left out has passed too.
    #expect(folder.read("new")?.split(separator: "\n").count == 2)
    // What is listed is what would run.
    let listed = Invocation("test", folder["t"], "--changed-since", folder["old"], "--list")
    #expect(listed.output == "\(folder["t/b.trace"])\n\(folder["t/c.trace"])\n")
    let missing = Invocation("test", folder["t"], "--changed-since", folder["none"])
    #expect(missing.status == .noInput)
    let own = Invocation(
      "test", folder["t"], "--changed-since", folder["old"], "--digests", folder["old"])
    #expect(own.status == .noOutput)
    #expect(Invocation("test", folder["t"], "--all", "--changed-since", "x").status == .usage)
  }
}
