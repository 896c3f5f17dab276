import SpindleModel

// What asks of which type an error is, or an object of any class. Any other value has its type from its line.

extension Parser {
  /// Whether what was thrown is of a type: `error is NetworkError`.
  static let isOfType = "is of type"
  /// What was thrown as a value of a type, or nil: `error as? NetworkError`.
  static let asType = "as type"

  /// `error is NetworkError`, `error as? NetworkError`, `error as! NetworkError`; or the value alone.
  @inline(__always)
  mutating func parseCast(_ value: Expression) -> Expression {
    current.end - current.start == 2 && current.kind == .identifier
      ? parseCastBehind(value) : value
  }

  private mutating func parseCastBehind(_ value: Expression) -> Expression {
    let asks = isName(current, "is")
    if isName(current, "as"), isName(peek(), "Any") {
      // For the compiler alone: what it is stays.
      advance()
      advance()
      return value
    }
    guard asks || isName(current, "as"), !current.isFirstOnLine, Parser.mayBeCast(value) else {
      return value
    }
    var ahead = lexer
    var (sign, type) = (current, ahead.next())
    if !asks {
      guard type.kind == .question || type.kind == .not else { return value }
      (sign, type) = (type, ahead.next())
    }
    while type.kind == .identifier {
      var behind = ahead
      guard behind.next().kind == .dot else { break }
      (type, ahead) = (behind.next(), behind)
    }
    guard type.kind == .identifier, ahead.following(0) != UInt8(ascii: "<") else { return value }
    while current.start < type.start { advance() }
    let place = current.range
    advance()
    let callee = arena.member(
      arena.words.word(asks ? Parser.isOfType : Parser.asType),
      of: arena.named(word(type), place), place)
    let argument = Expression.Argument(label: nil, labelRange: value.range, value: value)
    let whole = range(from: value.range.lowerBound)
    guard grow(to: height + 2, at: place) else { return value }
    let found = arena.call(callee, [argument], at: whole)
    return sign.kind == .not ? arena.expression(kind: .unwrap(found), range: whole) : found
  }

  /// Whether a value is one that is read: `error`, `note.object`, `note.userInfo?["count"]`.
  private static func mayBeCast(_ value: Expression) -> Bool {
    switch value.kind {
    case .chain, .element: true
    default: isRead(value)
    }
  }

  /// Whether a value is a name, or a member of one, which may be read more than once.
  static func isRead(_ value: Expression) -> Bool {
    switch value.kind {
    case .name: true
    case .member(let member): isRead(member.base)
    default: false
    }
  }
}
