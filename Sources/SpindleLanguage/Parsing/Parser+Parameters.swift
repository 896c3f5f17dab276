import SpindleModel

/// The parameters of a function.
extension Parser {
  /// `(label name: Type = value)`.
  mutating func parseParameters() -> [Declaration.Function.Parameter] {
    let opening = current
    advance()
    var parameters: [Declaration.Function.Parameter] = []
    while current.kind != .rightParenthesis && current.kind != .endOfFile {
      guard let parameter = parseFunctionParameter() else { break }
      parameters.append(parameter)
      if !consume(.comma) { break }
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.argumentEnd)
    return parameters
  }

  private mutating func parseFunctionParameter() -> Declaration.Function.Parameter? {
    var isIsolated = false
    let first = current
    guard first.kind.isWord || first.kind == .underscore else {
      reportMissing(SyntaxMessage.expectedName("a parameter"))
      return nil
    }
    advance()
    var second: Token?
    if current.kind == .identifier || current.kind == .underscore {
      second = current
      advance()
    }
    var type = TypeName(kind: .missing, range: SourceRange(Int(previousEnd), Int(previousEnd)))
    if consume(.colon) {
      isIsolated = isName(current, "isolated")
      if isIsolated { advance() }
      let isGroup = isName(current, "inout")
      type = parseType()
      if isGroup, case .generic = type.kind { groups.insert(word(second ?? first)) }
    } else {
      reportMissing(SyntaxMessage.expectedSign(":", "and the parameter's type"))
    }
    let isVariadic = consume(.closedRange)
    if isVariadic { type = TypeName(kind: .array(arena.node(type)), range: type.range) }
    let standard = consume(.assign) ? parseExpression() : nil
    let (name, label) = (second ?? first, first.kind == .underscore ? nil : word(first))
    return Declaration.Function.Parameter(
      label: label, name: Name(word: word(name), range: name.range), type: type,
      isIsolated: isIsolated, isVariadic: isVariadic, standard: standard)
  }
}
