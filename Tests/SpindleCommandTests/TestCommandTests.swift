import SpindleLanguage
import SpindleModel
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
    TraceRun.compiler.compile(SourceText(name: "m", text)).diagnostics.first?.message ?? ""
  }

  @Test func missingLogFailsAndSaysHowToRecordIt() {
    let folder = folderOfTraces()
    let call = Invocation("test", folder.path)
    #expect(call.status == .notHeld)
    let path = folder["a/listed.trace"]
    let log = folder["a/listed.log"]
    #expect(
      call.output.contains("failed \(path)\n  no log to compare with: \(log) is not there\n"))
    #expect(call.output.contains("'spindle test --update \(path)' records it"))
    #expect(call.output.hasSuffix("\n1 passed, 2 failed\n"))
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
    #expect(update.output.contains("updated \(folder["b/holds.log"])\n"))
    #expect(update.output.contains("\n0 recorded, 1 updated, 1 unchanged\n"))
    #expect(Invocation("test", folder.path).status == .held)
  }

  @Test func unmetExpectationIsShownWithWhatWasSeen() {
    let folder = TemporaryFolder()
    let path = folder.write("f.trace", SimulateTests.fails)
    let call = Invocation("test", path, "--update")
    #expect(call.status == .notHeld)
    #expect(call.output.contains("\(path):3:10: not met: makespan == 2ms\n"))
    #expect(call.output.contains("1ms"))
    #expect(call.output.hasSuffix("\n0 passed, 1 failed\n"))
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
    let text = String(repeating: "here is nothing\n", count: 300)
    let path = folder.write("help.txt", text)
    let count = TraceRun.compiler.compile(SourceText(name: path, text)).diagnostics.count
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
    #expect(one.output.hasSuffix("\n1 passed, 8 failed\n"))
  }

  @Test func noTraceIsTestedTwice() {
    let folder = folderOfTraces()
    _ = Invocation("test", folder.path, "--update")
    let call = Invocation("test", folder.path, folder["a/listed.trace"])
    #expect(call.output == "3 passed, 0 failed\n")
  }

  @Test func resultsAreExported() {
    let folder = folderOfTraces()
    #expect(Invocation("test", folder.path, "--junit", folder["r.xml"]).status == .notHeld)
    let report = folder.read("r.xml") ?? ""
    #expect(report.contains("tests=\"3\""))
    #expect(report.contains("failures=\"2\""))
    #expect(report.contains("classname=\"\(folder["a"])\" name=\"refused.trace\""))
  }
}

/// Comments that say what is wrong with a trace.
@Suite struct DiagnosticNotesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// Line, column and length of the diagnostics, counted from 1, each with the message "m".
    let reported: [(line: Int, column: Int, length: Int)]
    let differences: Int

    init(
      _ claim: String, _ text: String, _ reported: [(line: Int, column: Int, length: Int)],
      differences: Int = 0
    ) {
      (testDescription, self.text) = (claim, text)
      (self.reported, self.differences) = (reported, differences)
    }
  }

  static let rows = [
    Row("a caret under the text", "    abc\n    // ^ error: m\n", [(1, 8, 1)]),
    Row("a caret one column off", "    abc d\n    // ^ error: m\n", [(1, 9, 1)], differences: 2),
    Row("a caret without white space", "  abc\n  //^ error: m\n", [(1, 5, 1)]),
    Row("another message", "    abc\n    // ^ error: n\n", [(1, 8, 1)], differences: 2),
    Row("another severity", "    abc\n    // ^ warning: m\n", [(1, 8, 1)], differences: 2),
    Row("reported only", "    abc\n", [(1, 5, 3)], differences: 1),
    Row("noted only", "    abc\n    // ^ error: m\n", [], differences: 1),
    Row(
      "several below one line", "abc defg h\n//  ^ error: m\n//       ^ error: m\n",
      [(1, 5, 4), (1, 10, 1)]),
    Row(
      "two at one place need two", "    abc\n    // ^ error: m\n", [(1, 8, 1), (1, 8, 1)],
      differences: 1),
    Row("the first columns", "abc\n// ^ error: m\n", [(1, 1, 3)]),
    Row("the first columns, tight", "abc\n//^ error: m\n", [(1, 3, 1)]),
    Row("not the first columns", "abcdef\n//   ^ error: m\n", [(1, 1, 3)], differences: 2),
    Row("an underline of the right length", "    abc\n//  ^~~ error: m\n", [(1, 5, 3)]),
    Row(
      "an underline that is too short", "    abc\n//  ^~ error: m\n", [(1, 5, 3)], differences: 2),
    Row("the end of the file", "main\n// ^ error: m\n", [(3, 1, 0)]),
    Row("tabs count as one column", "\tabc\n\t//^ error: m\n", [(1, 4, 1)]),
    Row("characters, not bytes", "éé abc\n// ^ error: m\n", [(1, 4, 3)]),
    Row("an ordinary comment", "abc\n// ^ see above\n", []),
  ]

  @Test("each diagnostic has exactly one comment", arguments: rows)
  func eachHasOneComment(row: Row) {
    let source = SourceText(name: "t", row.text)
    let reported = row.reported.map { place in
      let line = Array(source.line(place.line))
      let before = String(line.prefix(place.column - 1)).utf8.count
      let start = Int(source.lineStarts[place.line - 1]) + before
      let text = String(line.dropFirst(place.column - 1).prefix(place.length)).utf8.count
      return Diagnostic(
        severity: .error, message: "m", range: SourceRange(start, start + text), source: source)
    }
    let differences = DiagnosticNotes(source).differences(from: reported)
    #expect(differences.count == row.differences, "\(differences)")
  }

  @Test func onlyErrorsMakeATraceRefused() {
    let warned = DiagnosticNotes(SourceText(name: "t", "a\n// ^ warning: m\n"))
    #expect(!warned.expectsErrors)
    #expect(!warned.isEmpty)
    #expect(DiagnosticNotes(SourceText(name: "t", "a\n// ^ error: m\n")).expectsErrors)
    #expect(DiagnosticNotes(SourceText(name: "t", "")).isEmpty)
  }
}
