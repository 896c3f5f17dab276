import SpindleModel

// `let (a, b) = …`: a stream with what feeds it, or a value for each name.

extension Parser {
  /// `(a, b) = value`, `(a, b) = await (x, y)`; the bindings behind the first one are left in `pairBindings`.
  mutating func parsePairBinding(isVariable: Bool) -> Binding? {
    let opening = current
    let errors = diagnostics.count
    advance()
    var names: [Name] = []
    repeat { names.append(parseName("'let'", orUnderscore: true)) } while consume(.comma)
    guard names.count > 1, consume(.rightParenthesis), diagnostics.count == errors, consume(.assign)
    else {
      if diagnostics.count == errors { report(SyntaxMessage.tuple, opening.range) }
      skipToStatementEnd()
      return nil
    }
    if isTupleAhead { return parseValues(of: names, isVariable: isVariable) }
    let value = parseExpression()
    if names.count > 2 { report(SyntaxMessage.tuple, opening.range) }
    return Binding(
      isVariable: isVariable, weak: nil, name: names[0], second: names[1], type: nil, value: value)
  }

  /// Whether values in parentheses stand here, behind `try` and `await` or not.
  private var isTupleAhead: Bool {
    var (token, ahead) = (current, lexer)
    while isName(token, "try") || isName(token, "await") { token = ahead.next() }
    guard token.kind == .leftParenthesis else { return false }
    var depth = 1
    while depth > 0 {
      token = ahead.next()
      switch token.kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
      case .comma where depth == 1: return true
      case .endOfFile: return false
      default: break
      }
    }
    return false
  }

  /// `await (x, y)`: a binding for each name, in order.
  private mutating func parseValues(of names: [Name], isVariable: Bool) -> Binding? {
    let start = current.start
    var isAwaited = false
    while isTry || isAwait {
      isAwaited = isAwaited || isAwait
      advance()
    }
    if isAwaited { isAwaiting = true }
    let opening = current
    advance()
    var (values, levels): ([Expression], _) = ([], 0)
    repeat {
      let value = parseEnclosedExpression()
      levels = max(levels, height + 1)
      values.append(
        isAwaited ? arena.expression(kind: .await(value), range: value.range) : value)
    } while consume(.comma)
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    height = levels
    guard values.count == names.count else {
      report(SyntaxMessage.tuple, range(from: start))
      return nil
    }
    var bindings = zip(names, values).map { name, value in
      Binding(isVariable: isVariable, weak: nil, name: name, type: nil, value: value)
    }
    let first = bindings.removeFirst()
    pairBindings = bindings
    return first
  }

  /// What `let (a, b) = (1, 2)` binds behind the first name; asked for once.
  mutating func takePairBindings() -> [Binding] {
    defer { pairBindings = [] }
    return pairBindings
  }
}
