import SpindleLanguage
import SpindleModel
import Testing

/// What the tests of checking and lowering share: a compiler with a small catalogue.
enum CompilerSupport {
  static let catalogue = MachineCatalogue(
    policies: [
      signature("fifo"), signature("roundRobin", ("quantum", .duration, 1)),
      signature("timeshare", ("quantum", .duration, 1)),
    ],
    costs: [signature("zero"), signature("apple", ("contextSwitch", .duration, 0))])

  private static func signature(
    _ name: String, _ parameters: (String, ValueFormat, Int64)...
  ) -> MachineCatalogue.Signature {
    MachineCatalogue.Signature(
      name: name, summary: "",
      parameters: parameters.map {
        MachineCatalogue.Parameter(label: $0.0, format: $0.1, standard: 1, least: $0.2)
      })
  }

  /// The program of a text, and what is wrong with it.
  static func compile(
    _ text: String, _ overrides: Overrides = Overrides()
  ) -> (program: Program?, diagnostics: [Diagnostic]) {
    var compiler = Compiler(catalogue: catalogue)
    // Each part of the language is looked at by itself.
    compiler.joinsInstructions = false
    return compiler.compile(SourceText(name: "t", text), overrides: overrides)
  }

  /// The diagnostics of a text, one a line: `LINE:COLUMN: severity: message`.
  static func report(
    _ text: String, _ overrides: Overrides = Overrides()
  ) -> String {
    let diagnostics = compile(text, overrides).diagnostics
    guard !diagnostics.isEmpty else { return "ok" }
    return diagnostics.map { diagnostic in
      let name = diagnostic.source.name == "t" ? "" : diagnostic.source.name + " "
      let position = diagnostic.source.position(of: diagnostic.range)
      return "\(name)\(position): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    }.joined(separator: "\n")
  }

  /// The program of a text that must be right.
  static func program(
    _ text: String, _ overrides: Overrides = Overrides(),
    location: SourceLocation = #_sourceLocation
  ) throws -> Program {
    let (program, diagnostics) = compile(text, overrides)
    #expect(diagnostics.map(\.message) == [], sourceLocation: location)
    return try #require(program, sourceLocation: location)
  }
}
