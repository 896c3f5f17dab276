import SpindleModel

/// A statement whose first name is followed by `?`, which does nothing when that name is `nil`.
struct OptionalChain: Sendable {
  /// Where the statement begins.
  var start: Int32
  /// The name; nil when no `?` stands behind it.
  var name: Expression?
  /// Where the `?` stands.
  var place = SourceRange(0, 0)
  /// Whether the name itself is called, as in `completion?(1)`.
  var isCall = false
}

// `x?.cancel()` and `completion?(1)`: statements only, read as what they are short for.

extension Parser {
  /// What stands for the value of a name whose member is asked for, read once: no name of a trace.
  static let chainedName = "?"

  /// Whether the `?` at hand may stand behind `base`: behind the first name of a statement, and in
  /// front of a member or of arguments; notes it.
  mutating func opensChain(_ base: Expression) -> Bool {
    guard case .name = base.kind, base.range.lowerBound == chain.start, chain.name == nil,
      !current.hasSpaceBefore
    else {
      return false
    }
    let isCall = current.kind == .question
    if isCall && lexer.following(0) != UInt8(ascii: "(") { return false }
    (chain.name, chain.place, chain.isCall) = (base, current.range, isCall)
    return true
  }

  /// The statement that was read, or an `if` around it when a `?` stands in it.
  mutating func unchained(_ statement: Statement) -> Statement {
    guard let name = chain.name else { return statement }
    switch statement.kind {
    case .assignment: break
    case .expression(let expression):
      if case .call(let call) = expression.kind, call.callee.range.lowerBound == chain.start {
        break
      }
      fallthrough
    default:
      report(SyntaxMessage.optionalChaining, chain.place)
      return Statement(kind: .missing, range: statement.range)
    }
    _ = grow(to: height + 2, at: chain.place)
    var tested = name
    if !chain.isCall { tested.kind = .name(Parser.chainedName) }
    let condition = Expression(
      kind: .infix(
        .notEqual, tested, Expression(kind: .none, range: chain.place),
        operatorRange: chain.place), range: name.range)
    let body = CodeBlock(statements: [statement], range: statement.range)
    let test = Statement(
      kind: .if([Statement.Branch(condition: condition, body: body)], otherwise: nil),
      range: statement.range)
    if chain.isCall { return test }
    let binding = Binding(
      isVariable: false, weak: nil, name: Name(text: Parser.chainedName, range: name.range),
      type: nil, value: name)
    let bound = Statement(kind: .binding(binding), range: name.range)
    return Statement(
      kind: .doCatch(CodeBlock(statements: [bound, test], range: statement.range), handler: nil),
      range: statement.range)
  }
}
