import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleLanguage

/// The front end, held to what Swift prints and to what it refuses.
@Suite struct TypedFrontEndTests {
  /// The text of a program that runs `body` by `call` and expects what Swift prints.
  static func text(of program: TypedProgram, _ call: String) -> String {
    let expected = program.output.map { "\"" + $0.replacing("\"", with: "\\\"") + "\"" }
    return """
      \(program.text)
      main(.tool) { \(call) }
      expect { output == [\(expected.joined(separator: ", "))] }
      """
  }

  @Test(arguments: TypedProgram.all) func printsWhatSwiftPrints(program: TypedProgram) {
    let text = Self.text(of: program, "body()")
    let run = TestRun(text, writesLog: false)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  @Test(arguments: TypedProgram.suspending)
  func suspendsWhereSwiftDoes(program: TypedProgram) {
    let run = TestRun(
      Self.text(of: program, "await body()"), writesLog: false)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  @Test(arguments: TypedProgram.lifetimes) func releasesWhereSwiftDoes(program: TypedProgram) {
    let run = TestRun(Self.text(of: program, "body()"), writesLog: false)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  @Test(arguments: TypedProgram.suspendingLifetimes)
  func releasesWhereSwiftDoesInTasks(program: TypedProgram) {
    let run = TestRun(Self.text(of: program, "await body()"), writesLog: false)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  /// A mistake in the types of a program, and what is said of it.
  struct Row: Sendable {
    let text: String
    let message: String
  }

  @Test(arguments: [
    Row(text: "let x: String = (1, 2).0", message: "expected String, found Int"),
    Row(text: "let x = missing(1)", message: "unknown name 'missing'"),
    Row(text: "let x = [1, 2].map { $0.size }", message: "unknown member 'size' of Int"),
    Row(text: "let x = 1; x += 2", message: "'x' can't be changed: it is not a 'var'"),
    Row(
      text: "let x: Int? = 1; print(x.description)",
      message:
        "'description' is a member of Int, and this is an optional: unwrap it with '?' or '!'"),
    Row(
      text: "switch (true, 1) { case (true, _): print(1) }",
      message:
        "this 'switch' does not handle (false, other values of Int)"),
    Row(text: "for x in 5 { print(x) }", message: "Int is not a sequence"),
    Row(text: "let x = \"a\" - 1", message: "'-' can't be applied to String and Int"),
  ])
  func refusesWhatHasNoType(row: Row) throws {
    let source = SourceText(name: "t", "main(.tool) { \(row.text) }")
    let (declarations, found) = GrammarParser.parse(source)
    try #require(found.isEmpty)
    let table = Declarer.declare(declarations, of: source, .standard)
    _ = BodyTable(table).check()
    #expect(
      table.diagnostics.map(\.message).contains(row.message), "\(table.diagnostics.map(\.message))")
  }

  @Test func readsEveryTraceAsItIsWritten() throws {
    for path in Repository.files(below: "Traces", suffix: ".trace")
    where !path.contains("/rejected/") {
      let source = SourceText(name: path, try Repository.text(path))
      #expect(GrammarParser.parse(source).diagnostics.map(\.message) == [], "\(path)")
    }
  }
}
