import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleLanguage

/// The front end with types, held to what Swift prints and to what it refuses.
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
    let run = TestRun(text, writesLog: false, frontEnds: .typed)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
    #expect(
      TestRun(text, writesLog: false, frontEnds: .untyped).program == nil,
      "the other front end takes it too")
  }

  @Test(arguments: TypedProgram.suspending)
  func suspendsWhereSwiftDoes(program: TypedProgram) {
    let run = TestRun(
      Self.text(of: program, "await body()"), writesLog: false, frontEnds: .typed)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  @Test(arguments: TypedProgram.lifetimes) func releasesWhereSwiftDoes(program: TypedProgram) {
    let run = TestRun(Self.text(of: program, "body()"), writesLog: false, frontEnds: .typed)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  @Test(arguments: TypedProgram.suspendingLifetimes)
  func releasesWhereSwiftDoesInTasks(program: TypedProgram) {
    let run = TestRun(Self.text(of: program, "await body()"), writesLog: false, frontEnds: .typed)
    #expect(run.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds), "\(run.verdicts)")
  }

  /// The traces with tasks and actors that both front ends take, and of which the logs differ: each has its cause.
  static let differing: [String: String] = [
    "Traces/concurrency/closures-that-are-values.trace": "a property of a struct has no events",
    "Traces/concurrency/pasted-feed-model.trace":
      "kinds of work are counted in the order of the text",
    "Traces/findings/actorReentrancy-in-place.trace": "a part of a value has no events",
    "Traces/findings/actorReentrancy-optional-near-miss.trace": "a chain reads twice",
    "Traces/findings/actorReentrancy-optional.trace": "a chain reads twice",
    "Traces/language/accepted/static-setters.trace": "a static is made when it is first used",
    "Traces/lives/changes-in-chains.trace": "a part of a value has no events",
    "Traces/lives/right-side-first.trace": "a part of a value has no events",
    "Traces/lives/temporaries.trace": "names of objects",
    "Traces/language/accepted/lost-update.trace": "a sum reads its variable too late",
  ]

  @Test func runsTasksAsTheOtherFrontEndDoes() throws {
    var count = 0
    for path in Repository.files(below: "Traces", suffix: ".trace") {
      let text = try Repository.text(path)
      guard text.contains("await ") || text.contains("Task"), !path.contains("/rejected/") else {
        continue
      }
      var limits = RunLimits()
      limits.steps = 10_000
      let one = TestRun(text, limits: limits, writesLog: false, frontEnds: .untyped)
      let other = TestRun(text, limits: limits, writesLog: false, frontEnds: .typed)
      guard let first = one.record, let second = other.record,
        first.outcome.kind != .stepLimit, second.outcome.kind != .stepLimit
      else { continue }
      count += 1
      let isEqual = one.digest == other.digest
      #expect(isEqual == (TypedFrontEndTests.differing[path] == nil), "\(path)")
    }
    #expect(count > 180)
  }

  /// A mistake in the types of a program, and what is said of it.
  struct Row: Sendable {
    let text: String
    let message: String
  }

  @Test(arguments: [
    Row(text: "let x: String = (1, 2).0", message: "expected String, found Int"),
    Row(text: "let x = missing(1)", message: "'missing' is not known here"),
    Row(text: "let x = [1, 2].map { $0.size }", message: "Int has no member 'size'"),
    Row(text: "let x = 1; x += 2", message: "'x' is a 'let'"),
    Row(
      text: "let x: Int? = 1; print(x.description)",
      message:
        "'description' is a member of Int, and this is an optional: unwrap it with '?' or '!'"),
    Row(
      text: "switch (true, 1) { case (true, _): print(1) }",
      message:
        "this 'switch' does not handle (false, other values of Int)"),
    Row(text: "for x in 5 { print(x) }", message: "Int is not a sequence"),
    Row(text: "let x = \"a\" - 1", message: "there is no '-' of String and Int"),
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
