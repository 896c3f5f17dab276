import SpindleModel

// Words of Swift concurrency.

extension Parser {
  /// Whether the current token is the word `await`.
  @inline(__always)
  var isAwait: Bool { current.end - current.start == 5 && isName(current, "await") }

  /// `await a`, which covers all of the expression behind it.
  mutating func parseAwait() -> Expression {
    let start = current.start
    advance()
    let inner = parseExpression()
    guard grow(to: height + 1, at: range(from: start)) else { return inner }
    return arena.expression(kind: .await(inner), range: range(from: start))
  }

  /// `AsyncStream<Int>` in front of a call or a member, behind its name; nil where the types say nothing.
  mutating func parseSpecialized(_ name: Token) -> Expression? {
    guard ForeignWord.isAsyncType(text(name)) else { return nil }
    let arguments = parseTypeArguments()
    height = 1
    return arena.expression(
      kind: .specialized(word(name), arguments), range: range(from: name.start))
  }

  /// What the attributes in front say of where code runs; they say it once.
  mutating func takeIsolation() -> Isolation {
    defer { isolation = .unspecified }
    return isolation
  }
}
