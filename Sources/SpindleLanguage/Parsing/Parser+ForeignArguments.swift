import SpindleModel

// Arguments that no call of a trace takes: `&value` and `#selector(f)`. What to write instead depends on the call.

extension Parser {
  /// Notes `&value`, once for all arguments of a call, and goes on behind the sign.
  ///
  /// A task group is given so in Swift, and is the same one here.
  mutating func refuseReference() {
    if groups.contains(word(peek())) { return advance() }
    let call = callAround
    if call.start < 0 || call.start != lastReference {
      report(SyntaxMessage.reference(to: call.name, call.label, word(peek()).text), current.range)
    }
    lastReference = call.start
    advance()
  }

  /// Notes the name that the closure of a call gives a task group: `withTaskGroup(of: Int.self) { group in`.
  mutating func noteGroup(of callee: Expression) {
    guard case .name(let name) = callee.kind, name.text.hasPrefix("with"),
      name.text.hasSuffix("TaskGroup")
    else { return }
    var (token, ahead) = (current, lexer)
    token = ahead.next()
    if token.kind == .leftParenthesis { token = ahead.next() }
    if token.kind == .identifier { groups.insert(word(token)) }
  }

  /// Notes `#selector(f)`, and gives what stands for it.
  mutating func refuseSelector() -> Expression {
    let token = current
    let line = source.lineNumber(at: token.start)
    let end = line < source.lineStarts.count ? Int(source.lineStarts[line]) : bytes.count
    let rest = String(decoding: bytes[Int(token.end)..<max(Int(token.end), end)], as: UTF8.self)
    let call = callAround
    let labels = (call.label ?? "") + rest.prefix { $0 != ";" }
    report(SyntaxMessage.selector(in: call.name, labels), token.range)
    advance()
    return missing(at: token.start)
  }

  /// Notes `(a, b)` where one value stands, at the comma or colon in it, and goes on in front of its end.
  mutating func refuseTuple(behind opening: Token) {
    let sign = current.range
    var end = Int(opening.start)
    while end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    let isAwaited = bytes[..<end].suffix(5).elementsEqual("await".utf8)
    skipToClosing(.rightParenthesis)
    let isSet = current.kind == .rightParenthesis && peek().kind == .assign
    // What it is set to is told of with it.
    if bytes[..<end].last == UInt8(ascii: "="),
      diagnostics.last?.message == SyntaxMessage.assignedTuple
    {
      return
    }
    report(
      isAwaited
        ? SyntaxMessage.awaitedTuple : isSet ? SyntaxMessage.assignedTuple : SyntaxMessage.tuple,
      sign)
  }

  /// The call in whose arguments the current token stands, by its whole name, as in `Timer.scheduledTimer`; where its
  /// bracket is, and the label in front of the token.
  private var callAround: (name: String, start: Int, label: String?) {
    var position = Int(current.start)
    // Nobody writes more in front of an argument.
    let least = max(0, position - 400)
    let label = name(before: &position, least, sign: ":")
    var depth = 0
    while position > least {
      position -= 1
      switch bytes[position] {
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 0 { return ("", -1, nil) }
        depth -= 1
      case UInt8(ascii: "(") where depth == 0:
        var end = position
        while end > 0, bytes[end - 1].isWordPart || bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return (String(decoding: bytes[end..<position], as: UTF8.self), position, label)
      case UInt8(ascii: "("): depth -= 1
      default: break
      }
    }
    return ("", -1, nil)
  }

  /// The name in front of a sign that a position stands behind, which then is in front of it.
  private func name(before position: inout Int, _ least: Int, sign: Unicode.Scalar) -> String? {
    var end = position
    while end > least, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    guard end > least, bytes[end - 1] == UInt8(ascii: sign) else { return nil }
    end -= 1
    var start = end
    while start > least, bytes[start - 1].isWordPart { start -= 1 }
    position = start
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
