import SpindleModel

/// Names of properties as values: `\.isFinished`, `#keyPath(isFinished)`.
///
/// A trace has the keys of an operation, as texts, and no others.
extension Parser {
  /// Whether the next token begins `\.name` or `\Type.name`.
  var startsKeyPath: Bool { current.kind == .unknownCharacter && text(current).first == "\\" }

  /// `didChangeValue(for: \.isFinished)`: the argument `forKey: "isFinished"`; nil for anything else.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, didChangeValue(for:), where each key path
  /// stands for the key of that name.
  mutating func parseKey(_ callee: Expression, _ label: Token) -> Expression.Argument? {
    guard startsKeyPath, label.kind == .for || text(label) == "for",
      ["willChangeValue", "didChangeValue"].contains(calledName(callee))
    else { return nil }
    let value = parseKeyPath()
    return Expression.Argument(
      label: arena.words.word("forKey"), labelRange: label.range, value: value)
  }

  /// `\.name` where a trace has no use for it.
  mutating func refuseKeyPath() -> Expression {
    let start = current
    let path = parseKeyPath()
    guard case .text(let name) = path.kind else { return path }
    report(
      SyntaxMessage.keyPath(name.text), SourceRange(Int(start.start), Int(path.range.upperBound)))
    return missing(at: start.start)
  }

  /// `#keyPath(isFinished)`, which is a text; nil for anything else.
  mutating func parseKeyPathText() -> Expression? {
    let start = current
    guard start.kind == .unknownCharacter, text(start) == "#keyPath",
      peek().kind == .leftParenthesis
    else { return nil }
    advance()
    let opening = current
    advance()
    let name = lastName()
    expectClosing(.rightParenthesis, opening, SyntaxMessage.argumentEnd)
    guard let name else { return missing(at: start.start) }
    return arena.expression(kind: .text(name), range: range(from: start.start))
  }

  /// The name at the end of a key path, as a text.
  private mutating func parseKeyPath() -> Expression {
    let start = current
    advance()
    guard let name = lastName() else { return missing(at: start.start) }
    return arena.expression(kind: .text(name), range: range(from: start.start))
  }

  /// The last of names with dots between them; reports where there is none.
  private mutating func lastName() -> Word? {
    var last: Word?
    while current.kind.isWord || current.kind == .dot {
      if current.kind.isWord { last = word(current) }
      let isDot = current.kind == .dot
      advance()
      if !isDot && current.kind != .dot { break }
    }
    if last == nil { reportMissing(SyntaxMessage.expectedMember) }
    return last
  }

  /// The name of what is called; empty where it has none.
  private func calledName(_ callee: Expression) -> String {
    switch callee.kind {
    case .name(let name): name.text
    case .member(let member): member.name.text
    default: ""
    }
  }
}
