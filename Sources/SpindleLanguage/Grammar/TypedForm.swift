import SpindleModel

/// A text as the front end with types reads it: the declarations by its own parser, the settings by the other one.
struct TypedForm {
  let declarations: [Grammar.Declaration]
  let tree: SyntaxTree
  /// How the files behind the trace are compiled, by the offset of their first byte.
  let options: [Int32: FileOptions]
  /// What is wrong with the form; empty exactly when both parsers can read their parts.
  let diagnostics: [Diagnostic]
  /// Reads a text of which `settings` is what the other parser made.
  init(
    _ source: SourceText, settings: (tree: SyntaxTree, diagnostics: [Diagnostic]),
    _ options: [Int32: FileOptions] = [:]
  ) {
    self.options = options
    let (tree, other) = settings
    let (declarations, found) = GrammarParser.parse(
      source, platform: Self.platform(of: tree, in: source))
    (self.declarations, self.tree) = (declarations, tree)
    let isWhole = Self.hasAllSettings(tree, declarations, other)
    diagnostics = found.isEmpty && !isWhole ? other : found
  }

  /// The platform that the machine names; nil where it names none.
  private static func platform(of tree: SyntaxTree, in source: SourceText) -> String? {
    for declaration in tree.declarations {
      guard case .machine(let settings) = declaration.kind else { continue }
      for setting in settings where source.text(in: setting.name.range) == "platform" {
        return String(source.text(in: setting.value.range).drop { $0 == "." })
      }
    }
    return nil
  }

  /// Whether the tree of the settings has all of them: a mistake in one of them is that parser's to report.
  private static func hasAllSettings(
    _ tree: SyntaxTree, _ declarations: [Grammar.Declaration], _ found: [Diagnostic]
  ) -> Bool {
    let written = declarations.filter { if case .setting = $0.kind { true } else { false } }
    let known = tree.declarations.filter { declaration in
      switch declaration.kind {
      case .trace, .machine, .parameter, .expect, .schedule, .explore: true
      case .binding, .function, .type, .main, .call, .missing: false
      }
    }
    let isBroken = found.contains { diagnostic in
      diagnostic.severity == .error
        && written.contains {
          $0.range.lowerBound <= diagnostic.range.lowerBound
            && diagnostic.range.lowerBound < $0.range.upperBound
        }
    }
    return !isBroken && written.map(\.range.lowerBound) == known.map(\.range.lowerBound)
  }
}
