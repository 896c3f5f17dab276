import SpindleModel

// `x?.cancel()`, `completion?(1)`, `a?[0]` and `x!`.

extension Parser {
  /// Whether the `?` at hand may stand behind a value, in front of arguments, an index or an assignment.
  var bindsOptional: Bool {
    let next = lexer.following(0)
    if next == UInt8(ascii: "(") || next == UInt8(ascii: "[") { return true }
    // In front of the '=' of 'case .a? = b' it belongs to the pattern.
    guard next == UInt8(ascii: " "), !isInPattern else { return false }
    let (first, second) = (lexer.following(1), lexer.following(2))
    if first == UInt8(ascii: "=") { return second == UInt8(ascii: " ") }
    return second == UInt8(ascii: "=") && "+-*/%".utf8.contains(first)
  }

  /// Whether the current token is `?.`.
  var isOptionalChaining: Bool {
    current.end - current.start == 2 && bytes[Int(current.start)] == UInt8(ascii: "?")
      && bytes[Int(current.start) + 1] == UInt8(ascii: ".")
  }

  /// `base?`, of which the rest of the chain is done when it is not nil.
  func bound(_ base: Expression) -> Expression {
    arena.expression(kind: .bind(base), range: base.range)
  }

  /// `base!`.
  mutating func unwrapped(_ base: Expression) -> Expression {
    advance()
    return arena.expression(kind: .unwrap(base), range: range(from: base.range.lowerBound))
  }

  /// What is read once all of it is there: the value of a chain with a `?` in it.
  @inline(__always)
  func chained(_ base: Expression, _ hasOptional: Bool) -> Expression {
    hasOptional ? arena.expression(kind: .chain(base), range: base.range) : base
  }
}
