import SpindleModel

/// What a Swift file has in the place of `main { }`: statements at its top, or a type with `@main`.
struct SwiftMain {
  private let source: SourceText
  private(set) var declarations: [Grammar.Declaration]
  private(set) var diagnostics: [Diagnostic] = []

  /// Completes the declarations of a text; a trace that includes no file stays as it is.
  init(_ declarations: [Grammar.Declaration], of source: SourceText) {
    (self.source, self.declarations) = (source, declarations)
    guard source.hasSwift else { return }
    let hasMain = declarations.contains { if case .main = $0.kind { true } else { false } }
    let first = declarations.first { isStatement($0) }
    if let first {
      if hasMain {
        report(
          "the trace has a 'main', and a file has one that has statements at its top", first.range)
      } else {
        makeScript(of: source.fileLine(at: first.range.lowerBound).file)
      }
    } else if !hasMain {
      callMainType()
    }
  }

  private mutating func report(_ message: String, _ range: SourceRange) {
    diagnostics.append(
      Diagnostic(severity: .error, message: message, range: range, source: source))
  }

  private func isSwift(_ declaration: Grammar.Declaration) -> Bool {
    source.isSwift(at: declaration.range.lowerBound)
  }

  private func isStatement(_ declaration: Grammar.Declaration) -> Bool {
    guard isSwift(declaration), case .statement = declaration.kind else { return false }
    return true
  }

  // MARK: Statements at the top

  /// Makes `main` of the statements of a file; its variables get their values in their place among them.
  private mutating func makeScript(of file: String) {
    var statements: [Grammar.Statement] = []
    var others: [Grammar.Declaration] = []
    for declaration in declarations {
      let isHere =
        isSwift(declaration) && source.fileLine(at: declaration.range.lowerBound).file == file
      switch declaration.kind {
      case .statement(let statement) where isHere: statements.append(statement)
      case .statement where isSwift(declaration):
        report(
          "two files have statements at their top: one of them is the program", declaration.range)
      case .variable where isHere && declaration.modifiers.has("async"):
        statements.append(
          Grammar.Statement(kind: .declaration(declaration), range: declaration.range))
      case .variable(let variable) where isHere:
        for part in ScriptVariables.parts(of: variable) {
          var declared = declaration
          declared.kind = .variable(part)
          let isNamed = part.entries.allSatisfy(ScriptVariables.isNamed)
          if isNamed { others.append(declared) }
          statements +=
            part.isSetInMain || !isNamed
            ? [Grammar.Statement(kind: .declaration(declared), range: declaration.range)]
            : part.entries.compactMap(Self.use)
        }
      default: others.append(declaration)
      }
    }
    guard let first = statements.first, let last = statements.last else { return }
    let range = SourceRange(Int(first.range.lowerBound), Int(last.range.upperBound))
    let block = Grammar.Block(statements: statements, range: range)
    declarations =
      others + [
        Grammar.Declaration(
          kind: .main(isTool: true, block), modifiers: Grammar.Modifiers(), range: range)
      ]
  }

  /// `_ = name`: the variable has its value from there on.
  private static func use(_ entry: Grammar.Variable.Entry) -> Grammar.Statement? {
    guard case .name(let name, _) = entry.pattern.kind, let value = entry.value else { return nil }
    switch value.kind {
    case .integer, .decimal, .duration, .size, .boolean, .nil, .string, .closure, .array,
      .dictionary:
      return nil
    default: break
    }
    let place = Grammar.Expression(kind: .discard, range: name.range)
    let read = Grammar.Expression(kind: .name(name.text, []), range: name.range)
    return Grammar.Statement(kind: .assignment(place, nil, read), range: entry.range)
  }

  // MARK: A type with `@main`

  private mutating func callMainType() {
    let found = declarations.first { isSwift($0) && $0.modifiers.attribute("main") != nil }
    guard let found, case .type(let type) = found.kind else {
      if source.isSwift {
        report(
          "this file has no statements at its top and no type with '@main'",
          SourceRange(source.ownCount, source.ownCount))
      }
      return
    }
    let function = type.members.compactMap { member -> Grammar.Function? in
      guard case .function(let one) = member.kind, one.name.text == "main",
        member.modifiers.isStatic, one.parameters.isEmpty
      else { return nil }
      return one
    }.first
    guard let function else {
      return report("a type with '@main' has 'static func main()'", type.name.range)
    }
    let range = function.name.range
    let owner = Grammar.Expression(kind: .name(type.name.text, []), range: range)
    let callee = Grammar.Expression(kind: .member(owner, function.name, []), range: range)
    var value = Grammar.Expression(
      kind: .call(
        Grammar.Call(callee: callee, arguments: [], place: range, hasParentheses: true)),
      range: range)
    if function.effects.isAsync { value = Grammar.Expression(kind: .await(value), range: range) }
    if function.effects.isThrowing {
      value = Grammar.Expression(kind: .attempt(.plain, value), range: range)
    }
    let block = Grammar.Block(
      statements: [Grammar.Statement(kind: .expression(value), range: range)], range: range)
    declarations.append(
      Grammar.Declaration(
        kind: .main(isTool: true, block), modifiers: Grammar.Modifiers(), range: range))
  }
}
