import SpindleSystem
import Testing

@testable import SpindleCommand

/// `--quiet`: problems and requested results, and nothing else.
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

  @Test func requestedMeasuresArePrinted() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", QuietTests.unmet)
    let call = Invocation("simulate", "--quiet", "--measure", "makespan, threads.peak", path)
    #expect(call.status == .notHeld)
    #expect(
      call.output.hasPrefix(
        "measured    makespan: 5.002ms\n            threads.peak: 1\n\(path):2:10: not met"),
      "\(call.output)")
    let spread = Invocation("simulate", "--quiet", "--seeds", "3", "--measure", "makespan", path)
    #expect(spread.output.contains("makespan"), "\(spread.output)")
  }

  /// The table and the numbers of a program are the same with and without '--quiet'.
  @Test(arguments: [
    ["--json"], ["--table", "threads"], ["--measure", "makespan", "--format", "csv"],
  ])
  func requestedResultsAreUnchanged(options: [String]) {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    let call = Invocation(["simulate", "--quiet", path] + options)
    #expect(call.output == Invocation(["simulate", path] + options).output)
    #expect(!call.output.isEmpty)
  }

  @Test func quietAndVerboseExcludeEachOther() {
    #expect(Invocation("test", "--quiet", "--verbose", "t.trace").status == .usage)
  }

  @Test func aComparisonIsATableAndProblems() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "t.trace",
      """
      param n = 2
      main { for _ in 0 ..< n { Thread { work(5ms) }.start() } }
      expect { makespan < 12ms }
      """)
    let options = ["compare", path, "--set", "n=2,9", "--cores", "1", "--expect"]
    let full = Invocation(options)
    let call = Invocation(options + ["--quiet"])
    #expect(call.status == .notHeld && full.status == .notHeld)
    #expect(full.output.contains("the best of its column"))
    #expect(!call.output.contains("the best of its column"), "\(call.output)")
    #expect(!call.output.contains("Equal everywhere"))
    #expect(call.output.contains("not met: makespan < 12ms"))
    let table = full.output.split(separator: "\n\n")[0]
    #expect(call.output.hasPrefix(table + "\n"))
  }

  /// Where no column differs, what is equal is the result.
  @Test func equalVariantsAreReported() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", "param n = 1\nmain { work(1ms) }\n")
    let call = Invocation("compare", path, "--set", "n=1,2", "--quiet")
    #expect(call.output.contains("Equal everywhere: "), "\(call.output)")
  }

  @Test func crossoversArePrintedWithoutTheMethod() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "t.trace",
      "param d = 1ms\nparam unit = 1ms\nmain { if d > unit { work(d) } else { work(unit) } }\n")
    let options = ["compare", path, "--set", "d=1ms,3ms", "--crossover", "unit=1ms...10ms"]
    let (full, call) = (Invocation(options), Invocation(options + ["--quiet"]))
    #expect(full.output.hasPrefix(call.output))
    #expect(!call.output.isEmpty && call.output.count < full.output.count, "\(full.output)")
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
