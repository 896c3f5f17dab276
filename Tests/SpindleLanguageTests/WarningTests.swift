import SpindleLanguage
import SpindleModel
import Testing

/// What the front end with types warns of: each kind in every place where code can stand, and its near misses.
@Suite struct WarningTests {
  /// A kind of warning: statements in which `⟨ ⟩` is around what it is about, and others that look alike.
  struct Kind: CustomTestStringConvertible, Sendable {
    var name: String
    var message: String
    /// What is declared at the top for them.
    var top: String
    var fires: String
    var silent: String
    /// Whether the statements wait.
    var isAsync: Bool
    var location: SourceLocation
    var testDescription: String { name }

    init(
      _ name: String, _ message: String, top: String = "", _ fires: String, silent: String,
      isAsync: Bool = false, location: SourceLocation = #_sourceLocation
    ) {
      (self.name, self.message, self.top) = (name, message, top)
      (self.fires, self.silent, self.isAsync) = (fires, silent, isAsync)
      self.location = location
    }
  }

  /// Where the statements stand.
  enum Place: CaseIterable {
    case main, closure, method, localFunction, loop

    func text(_ statements: String, of kind: Kind) -> String {
      let (main, effect) = kind.isAsync ? ("main(.tool)", " async") : ("main", "")
      let wait = kind.isAsync ? "await " : ""
      let start = kind.isAsync ? "Task" : "DispatchQueue.main.async"
      let code =
        switch self {
        case .main: "\(main) {\n\(statements)\n}"
        case .closure: "main {\n\(start) {\n\(statements)\n}\n}"
        case .method:
          """
          final class Holder {
          func run()\(effect) {
          \(statements)
          }
          }
          \(main) { \(wait)Holder().run() }
          """
        case .localFunction:
          "\(main) {\nfunc run()\(effect) {\n\(statements)\n}\n\(wait)run()\n}"
        case .loop: "\(main) {\nfor turn in 0 ..< 2 {\nprint(turn)\n\(statements)\n}\n}"
        }
      return kind.top.isEmpty ? code : kind.top + "\n" + code
    }
  }

  @Test(arguments: kinds, Place.allCases)
  func isToldInEachPlace(kind: Kind, place: Place) throws {
    let marked = place.text(kind.fires, of: kind)
    let parts = marked.split(separator: /[⟨⟩]/, omittingEmptySubsequences: false)
    try #require(parts.count == 3, sourceLocation: kind.location)
    let found = Self.warnings(of: parts.joined())
    let start = parts[0].utf8.count
    #expect(
      found.map { Self.described($0) } == [
        "\(start) '\(parts[1])': \(kind.message)"
      ], "\(marked)", sourceLocation: kind.location)
  }

  @Test(arguments: kinds, Place.allCases)
  func isSilentNearby(kind: Kind, place: Place) {
    let text = place.text(kind.silent, of: kind)
    #expect(
      Self.warnings(of: text).map { Self.described($0) } == [], "\(text)",
      sourceLocation: kind.location)
  }

  /// A text and what is said of it: kinds that stand at the top, or in a few places.
  @Test(arguments: rows)
  func isTold(row: CheckingTests.Row) {
    #expect(
      CompilerSupport.report(row.text) == row.report,
      sourceLocation: row.location)
  }

  @Test func whatIsBehindTheTraceIsNotJudged() {
    let compiler = Compiler(catalogue: CompilerSupport.catalogue)
    let own = SourceText(name: "t", "let n = 1\nmain { print(f()) }")
    let found = compiler.compile(
      own.adding("let m = 1\nfunc f() -> Int { 1 + 1; return 2 }", named: "u"))
    #expect(found.diagnostics.map { Self.described($0) } == ["4 'n': 'n' is never used"])
  }

  private static func warnings(of text: String) -> [Diagnostic] {
    CompilerSupport.compile(text).diagnostics
  }

  private static func described(_ found: Diagnostic) -> String {
    let mistake = found.severity == .warning ? "" : "\(found.severity) "
    return
      "\(mistake)\(found.range.lowerBound) '\(found.source.text(in: found.range))': \(found.message)"
  }
}
