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
  var chainedName: Word { arena.words.word("?") }

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
      if case .call(let call) = expression.kind, call.value.callee.range.lowerBound == chain.start {
        break
      }
      fallthrough
    default:
      report(SyntaxMessage.optionalChaining, chain.place)
      return Statement(kind: .missing, range: statement.range)
    }
    _ = grow(to: height + 2, at: chain.place)
    var tested = name
    if !chain.isCall { tested = arena.expression(kind: .name(chainedName), range: name.range) }
    let nothing = arena.expression(kind: .none, range: chain.place)
    let sides = Expression.Sides(left: tested, right: nothing, operatorRange: chain.place)
    let condition = arena.expression(kind: .infix(.notEqual, arena.node(sides)), range: name.range)
    let body = CodeBlock(statements: arena.list([statement]), range: statement.range)
    let branches = arena.list([Statement.Branch(condition: condition, body: body)])
    let choice = Statement.Choice(branches: branches, otherwise: nil)
    let test = Statement(kind: .if(arena.node(choice)), range: statement.range)
    if chain.isCall { return test }
    let binding = Binding(
      isVariable: false, weak: nil, name: Name(word: chainedName, range: name.range),
      type: nil, value: name)
    let bound = Statement(kind: .binding(arena.node(binding)), range: name.range)
    let both = CodeBlock(statements: arena.list([bound, test]), range: statement.range)
    let attempt = Statement.Attempt(body: both, handler: nil)
    return Statement(kind: .doCatch(arena.node(attempt)), range: statement.range)
  }
}
