import SpindleSystem
import Testing

@testable import SpindleCommand

/// `--quiet`: what went wrong, and nothing else.
@Suite struct QuietTests {
  static let unmet = "main { work(5ms) }\nexpect { makespan < 5ms }\n"

  @Test func aRunWithoutProblemsPrintsNothing() {
    let folder = TemporaryFolder()
    let call = Invocation("simulate", "--quiet", folder.write("t.trace", SimulateTests.holds))
    #expect(call.status == .held)
    #expect(call.output == "" && call.error == "")
  }

  @Test func anUnmetExpectationIsPrintedAlone() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", QuietTests.unmet)
    let call = Invocation("simulate", "--quiet", path)
    #expect(call.status == .notHeld)
    #expect(call.output.hasPrefix("\(path):2:10: not met: makespan < 5ms\n"), "\(call.output)")
    #expect(!call.output.contains("digest"))
    // The heading of a run stands above its problems only.
    let good = folder.write("g.trace", SimulateTests.holds)
    let both = Invocation("simulate", "--quiet", good, path)
    #expect(both.output.hasPrefix("== \(path) ==\n"), "\(both.output)")
    #expect(!both.output.contains("== \(good)"))
  }

  @Test func findingsArePrintedAlone() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", "let a = NSLock()\nmain { a.lock(); a.lock() }\n")
    let call = Invocation("simulate", "--quiet", path)
    #expect(call.output.contains("error: selfDeadlock at "), "\(call.output)")
    #expect(!call.output.contains("makespan"))
  }

  @Test func resultsAreRefused() {
    for option in [["--json"], ["--table", "threads"], ["--measure", "makespan"]] {
      let call = Invocation(["simulate", "--quiet", "t.trace"] + option)
      #expect(call.status == .usage)
      #expect(call.error.contains("'--quiet' prints only what went wrong; '\(option[0])'"))
    }
    #expect(Invocation("test", "--quiet", "--verbose", "t.trace").status == .usage)
  }

  @Test func passedTestsAreNotCounted() {
    let folder = TemporaryFolder()
    let good = folder.write("g.trace", SimulateTests.holds)
    #expect(Invocation("test", "--quiet", "--all", good).output == "")
    folder.write("b.trace", QuietTests.unmet)
    let failed = Invocation("test", "--quiet", "--all", folder.path)
    #expect(failed.status == .notHeld)
    #expect(failed.output.contains("1 passed, 1 failed"), "\(failed.output)")
  }

  @Test func seedsPrintFailuresAlone() {
    let folder = TemporaryFolder()
    let good = folder.write("g.trace", SimulateTests.holds)
    #expect(Invocation("simulate", "--quiet", "--seeds", "3", good).output == "")
    let bad = folder.write("b.trace", QuietTests.unmet)
    let call = Invocation("simulate", "--quiet", "--seeds", "3", bad)
    #expect(call.status == .notHeld)
    #expect(call.output.contains("3 of 3, first seed 0: "), "\(call.output)")
  }
}
