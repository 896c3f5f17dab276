import Foundation
import SpindleLanguage
import SpindleModel
import SpindleRun
import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle test`.
@Suite struct TestCommandTests {
  /// A folder with traces that pass once their logs are recorded.
  private func folderOfTraces() -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write("b/holds.trace", SimulateTests.holds)
    folder.write("a/listed.trace", SimulateTests.listed)
    folder.write(
      "a/refused.trace",
      "main { wrok(1ms) }\n  //   ^ error: \(message(SimulateTests.mistaken))\n")
    return folder
  }

  /// The first message for a trace, so that these tests need not know its wording.
  private func message(_ text: String) -> String {
    Compiler.standard.compile(SourceText(name: "m", text)).diagnostics.first?.message ?? ""
  }

  @Test func expectationsAloneAreATest() {
    let folder = folderOfTraces()
    let call = Invocation("test", folder.path)
    #expect(call.status == .held)
    #expect(call.output == "3 passed, 0 failed, 2 without a recorded log\n")
  }

  /// Of an output that is not as expected all lines are shown, up to ten.
  @Test func anotherOutputIsShown() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "t.trace",
      """
      main { for i in 0 ..< 12 { print("line \\(i)") } }
      expect { output == ["total 100"] }
      """)
    let output = Invocation("test", path).output
    #expect(output.contains("output[0] was \"line 0\", not \"total 100\"\n"))
    #expect(output.contains("output had 12 elements, not 1\n      \"line 0\"\n      \"line 1\"\n"))
    #expect(output.contains("\n      \"line 9\"\n      and 2 more\n"))
  }

  @Test func updateRecordsOnceAndThenAllPass() {
    let folder = folderOfTraces()
    let first = Invocation("test", folder.path, "--update")
    #expect(first.status == .held)
    #expect(
      first.output == """
        recorded \(folder["a/listed.log"])
        recorded \(folder["b/holds.log"])
        2 recorded, 0 updated, 0 unchanged
        3 passed, 0 failed

        """)
    #expect(Invocation("test", folder.path).output == "3 passed, 0 failed\n")
    let again = Invocation("test", folder.path, "--update").output
    #expect(again == "0 recorded, 0 updated, 2 unchanged\n3 passed, 0 failed\n")
    #expect(folder.names == ["a", "b"])
  }

  @Test func changedTraceFailsWhereTheLogsPart() {
    let folder = folderOfTraces()
    _ = Invocation("test", folder.path, "--update")
    let changed = SimulateTests.holds.replacing("mark(\"m", with: "mark(\"other")
    let path = folder.write("b/holds.trace", changed)
    let call = Invocation("test", folder.path)
    #expect(call.status == .notHeld)
    let told = "failed \(path)\n  the run differs from \(folder["b/holds.log"])\n"
    #expect(call.output.contains(told))
    #expect(call.output.contains("mark \"m0\""))
    #expect(call.output.contains("mark \"other0\""))
    #expect(call.output.hasSuffix("\n2 passed, 1 failed\n"))
    let update = Invocation("test", folder.path, "--update")
    #expect(update.output.contains("updated \(folder["b/holds.log"])\n  from 1ms on, line "))
    #expect(update.output.contains("\n0 recorded, 1 updated, 1 unchanged\n"))
    #expect(Invocation("test", folder.path).status == .held)
  }

  /// Behind an expectation that is not met, only how the logs part.
  @Test func aLongDifferenceBehindAFailureIsCut() {
    let folder = TemporaryFolder()
    let trace =
      "machine { platform: .ideal; costs: .zero }\nmain { for i in 0 ..< 20 { mark(\"m\\(i)\"); work(1ms) } }\nexpect { makespan == 20ms }\n"
    let path = folder.write("f.trace", trace)
    _ = Invocation("test", path, "--update")
    folder.write("f.trace", trace.replacing("mark(\"m", with: "mark(\"n"))
    let whole = Invocation("test", path).output
    #expect(whole.contains("mark \"m9\"") && whole.contains("mark \"m19\""), "\(whole)")
    folder.write(
      "f.trace", trace.replacing("mark(\"m", with: "mark(\"n").replacing("== 20", with: "== 2"))
    let call = Invocation("test", path)
    #expect(call.output.contains("not met: makespan == 2ms\n"))
    #expect(call.output.contains("\n  the run differs from \(folder["f.log"])\n"))
    #expect(call.output.contains("mark \"m0\"") && !call.output.contains("mark \"m9\""))
    #expect(
      call.output.contains(" more lines: 'spindle diff \(folder["f.log"]) \(path)'\n"),
      "\(call.output)")
  }

  @Test func unmetExpectationIsShownWithWhatWasSeen() {
    let folder = TemporaryFolder()
    let path = folder.write("f.trace", SimulateTests.fails)
    let call = Invocation("test", path, "--update")
    #expect(call.status == .notHeld)
    #expect(call.output.contains("\(path):3:10: not met: makespan == 2ms\n"))
    #expect(call.output.contains("1ms"))
    #expect(call.output.hasSuffix("\n0 passed, 1 failed\n"))
    // A log of a run that fails may be wanted, but nobody should take it for a good one.
    #expect(call.output.hasPrefix("recorded \(folder["f.log"]), of a trace that fails\n"))
  }

  /// Work without a name is called after its line: who leaves that out is told, and a `*` stands for it.
  @Test func workWithoutANameIsProposed() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "f.trace",
      """
      main {
          DispatchQueue.main.async { work(1ms) }
          DispatchQueue.main.async(name: "named") { work(1ms) }
      }
      expect {
          latency("main.async").p99 <= 16ms
          wait("main.sync*").p99 <= 16ms
          count(of: "main.as*") == 1
          count(of: "*") == 2
          latency("*").max == latency("named").max
      }
      """)
    let call = Invocation("simulate", path)
    #expect(
      call.output.contains(
        "no \"main.async\" ended; work without a name is called after its line, such as\n"
          + "    \"main.async:2\"\n"))
    #expect(call.output.contains("  no \"main.sync*\" started\n"))
    #expect(call.output.contains("\nexpected    3 of 5 met"), "\(call.output)")
  }

  @Test func traceWithErrorsIsNotAFailedExpectation() {
    let folder = TemporaryFolder()
    let path = folder.write("m.trace", SimulateTests.mistaken)
    let call = Invocation("test", path)
    #expect(call.status == .traceErrors)
    #expect(call.output.contains("failed \(path)\n  \(path):1:8: error: "))
    #expect(Invocation("test", folder["no"]).status == .noInput)
    #expect(Invocation("test", folder.path, folder["no"]).status == .noInput)
  }

  /// The main queue is busy for 2 s from 0, 10 and 20 s on: one hang is told, and two like it.
  @Test func findingsThatAreAlikeAreToldOnce() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "hangs.trace",
      """
      machine { platform: .macOS; cores: 2; costs: .zero }
      main {
          for i in 0 ..< 3 {
              Thread.detachNewThread {
                  sleep(10s * i)
                  DispatchQueue.main.async { work(2s) }
              }
          }
          RunLoop.main.run()
      }
      expect { outcome == .deadlock }
      """)
    let told = Invocation("test", path).output
    #expect(told.components(separatedBy: "warning: mainThreadHang").count == 2)
    #expect(told.contains("warning: mainThreadHang at 2s\n"))
    #expect(told.contains("    and 2 more like it, the last at 22s\n"))
  }

  /// What was found is told with its place, and not once more by the expectation that it should not be found.
  @Test(arguments: ["test", "simulate"])
  func aRaceIsToldOnce(command: String) {
    let folder = TemporaryFolder()
    let path = folder.write(
      "race.trace",
      """
      machine { platform: .iOS; cores: 4; costs: .zero }
      let cache = DispatchQueue(label: "cache", attributes: .concurrent)
      var version = 0
      main {
          for i in 0 ..< 2 { cache.async(name: "write\\(i)") { work(3ms); version += 1 } }
      }
      expect { findings == [] }
      """)
    let call = Invocation(command, path)
    #expect(call.status == .notHeld)
    #expect(call.output.contains("\(path):7:10: not met: findings == []\n"), "\(call.output)")
    #expect(call.output.contains("findings was [.dataRace]"))
    #expect(call.output.components(separatedBy: "'version' is").count == 2, "\(call.output)")
    // Where findings are not told, the expectation tells them.
    let compared = Invocation("compare", path, "--expect", "--policies", "fifo, roundRobin")
    #expect(compared.output.contains("'version' is changed here"), "\(compared.output)")
  }

  @Test func folderWithoutTracesIsAMistake() {
    let folder = TemporaryFolder()
    let call = Invocation("test", folder.path)
    #expect(call.status == .noInput)
    #expect(call.error.contains("no traces in"))
  }

  @Test func updateIsRefusedUnderCI() {
    let folder = folderOfTraces()
    let host = HostEnvironment(variables: ["CI": "true"])
    let call = Invocation(["test", folder.path, "--update"], environment: host)
    #expect(call.status == .usage)
    #expect(folder.read("b/holds.log") == nil)
  }

  @Test func unreadableLogIsAFailure() {
    let folder = folderOfTraces()
    _ = Invocation("test", folder.path, "--update")
    folder.write("b/holds.log", "")
    #expect(Invocation("test", folder.path).output.hasSuffix("\n2 passed, 1 failed\n"))
    folder.remove("b/holds.log")
    folder.write("b/holds.log/file", "")
    let call = Invocation("test", folder.path)
    #expect(
      call.output.contains("no log to compare with: '\(folder["b/holds.log"])' is a folder"))
  }

  @Test func aFileThatIsNoTraceIsShownInPart() {
    let folder = TemporaryFolder()
    let text = String(repeating: "let here is nothing\n", count: 300)
    let path = folder.write("help.txt", text)
    let count = Compiler.standard.compile(SourceText(name: path, text)).diagnostics.count
    #expect(count > 100)
    func blocks(_ text: String) -> Int {
      text.split(separator: "\n").count { $0.contains(": error: ") }
    }
    let test = Invocation("test", path)
    #expect(blocks(test.output) == 10)
    #expect(test.output.hasSuffix("\n  and \(count - 10) more\n0 passed, 1 failed\n"))
    let check = Invocation("check", path)
    #expect(blocks(check.output) == 100)
    #expect(check.output.hasSuffix("\nand \(count - 100) more in \(path)\n"))
    #expect(check.status == .traceErrors)
    let refused = folder.write("refused.trace", "// ^ error: m\n" + text)
    #expect(Invocation("test", refused).output.contains("\n  and \(count - 9) more\n"))
  }

  @Test func refusedTraceHasNoLog() {
    let folder = folderOfTraces()
    _ = Invocation("test", folder.path, "--update")
    folder.write("a/refused.log", "")
    #expect(Invocation("test", folder.path).output.contains("has no log; remove"))
  }

  @Test func outputDoesNotDependOnJobs() {
    let folder = folderOfTraces()
    for index in 0..<6 { folder.write("c/\(index).trace", SimulateTests.fails) }
    let one = Invocation("test", folder.path, "--jobs", "1")
    let four = Invocation("test", folder.path, "--jobs", "4")
    #expect(one.output == four.output)
    #expect(one.status == four.status)
    #expect(one.output.hasSuffix("\n3 passed, 6 failed, 8 without a recorded log\n"))
  }

  @Test func noTraceIsTestedTwice() {
    let folder = folderOfTraces()
    _ = Invocation("test", folder.path, "--update")
    let call = Invocation("test", folder.path, folder["a/listed.trace"])
    #expect(call.output == "3 passed, 0 failed\n")
  }

  @Test func resultsAreExported() {
    let folder = folderOfTraces()
    folder.write("a/fails.trace", SimulateTests.fails)
    #expect(Invocation("test", folder.path, "--junit", folder["r.xml"]).status == .notHeld)
    let report = folder.read("r.xml") ?? ""
    #expect(report.contains("tests=\"4\""))
    #expect(report.contains("failures=\"1\""))
    #expect(report.contains("classname=\"\(folder["a"])\" name=\"refused.trace\""))
    #expect(report.contains("file=\"\(folder["a/fails.trace"])\" line=\"3\" time=\""))
    #expect(report.contains("<failure type=\"expectation\" message=\""))
  }
}
