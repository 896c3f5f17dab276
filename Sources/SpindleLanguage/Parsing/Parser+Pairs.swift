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

  /// `_ = await (first, second)`: each is evaluated, and nothing takes them; nil where something else stands.
  mutating func parseDroppedValues(_ target: Expression) -> Statement? {
    guard case .name(let name) = target.kind, name.isUnderscore, isTupleAhead else { return nil }
    let values = parseTuple()
    let place = range(from: target.range.lowerBound)
    return Statement(
      kind: .several(arena.list(values.map { arena.assignment(to: target, $0, place) })),
      range: place)
  }

  /// `await (x, y)`: a binding for each name, in order.
  private mutating func parseValues(of names: [Name], isVariable: Bool) -> Binding? {
    let start = current.start
    let values = parseTuple()
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

  /// `await (x, y)`: its parts, each of which is awaited.
  private mutating func parseTuple() -> [Expression] {
    var (isAwaited, isTried) = (false, isTrying)
    while isTry || isAwait {
      isAwaited = isAwaited || isAwait
      isTried = isTried || isTry
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
        isAwaited
          ? arena.expression(kind: .await(value, isTried: isTried), range: value.range) : value)
    } while consume(.comma)
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    height = levels
    return values
  }

  /// `(a, b) = (b, a)`, `(events, input) = AsyncStream.makeStream(…)`; nil where something else stands.
  ///
  /// As in Swift the places are found first, then all values are there before the first is set: each has a name of its own
  /// until then, which no trace can write, but for one that is the same anywhere.
  mutating func parsePairAssignment() -> Statement? {
    guard current.kind == .leftParenthesis, isPairSet else { return nil }
    let start = current.start
    advance()
    var targets: [Expression] = []
    repeat { targets.append(parseEnclosedExpression()) } while consume(.comma)
    guard consume(.rightParenthesis), consume(.assign) else { return nil }
    let names = targets.map { unwritableName(for: $0) }
    var statements: [Statement] = []
    targets = targets.map { steadyPlace($0, &statements) }
    let place: SourceRange
    if isTupleAhead {
      guard let first = parseValues(of: names, isVariable: false) else {
        return Statement(kind: .missing, range: range(from: start))
      }
      place = range(from: start)
      let values = [first] + takePairBindings()
      for each in values where !isSameAnywhere(each.value) {
        statements.append(Statement(kind: .binding(arena.node(each)), range: place))
      }
      for (target, each) in zip(targets, values) {
        let value =
          isSameAnywhere(each.value)
          ? each.value : arena.named(each.name.word, each.value.range)
        statements.append(arena.assignment(to: target, value, place))
      }
    } else {
      let value = parseExpression()
      place = range(from: start)
      let binding = Binding(
        isVariable: false, weak: nil, name: names[0], second: names[1], type: nil, value: value)
      statements.append(Statement(kind: .binding(arena.node(binding)), range: place))
      for (target, name) in zip(targets, names) {
        statements.append(arena.assignment(to: target, arena.named(name.word, place), place))
      }
    }
    let body = CodeBlock(statements: arena.list(statements), range: place)
    return Statement(
      kind: .doCatch(arena.node(Statement.Attempt(body: body, handler: nil))), range: place)
  }

  /// A name that no trace can write.
  private func unwritableName(for value: Expression) -> Name {
    let text = "\(source.text(in: value.range)) at \(value.range.lowerBound)"
    return Name(word: arena.words.word(text), range: value.range)
  }

  /// The same place by what does not change with what is set: what an index or a call gives has a name.
  private func steadyPlace(_ target: Expression, _ statements: inout [Statement]) -> Expression {
    switch target.kind {
    case .member(let access):
      return arena.expression(
        kind: .member(
          arena.node(
            Expression.MemberAccess(
              base: steadyPlace(access.value.base, &statements), name: access.value.name,
              nameRange: access.value.nameRange))),
        range: target.range)
    case .element(let access):
      let base = steadyPlace(access.value.base, &statements)
      return arena.expression(
        kind: .element(
          arena.node(
            Expression.ElementAccess(
              base: base, index: steadyValue(access.value.index, &statements),
              fallback: access.value.fallback))),
        range: target.range)
    case .call: return steadyValue(target, &statements)
    default: return target
    }
  }

  private func steadyValue(_ value: Expression, _ statements: inout [Statement]) -> Expression {
    if isSameAnywhere(value) { return value }
    let name = unwritableName(for: value)
    let binding = Binding(isVariable: false, weak: nil, name: name, type: nil, value: value)
    statements.append(Statement(kind: .binding(arena.node(binding)), range: value.range))
    return arena.named(name.word, value.range)
  }

  /// Whether several names in parentheses are set here, to as many values or to a stream and what feeds it.
  private var isPairSet: Bool {
    var (token, ahead) = (current, lexer)
    var (depth, commas) = (0, 0)
    for _ in 0..<64 {
      switch token.kind {
      case .leftParenthesis, .leftBracket: depth += 1
      case .rightParenthesis, .rightBracket: depth -= 1
      case .comma: commas += depth == 1 ? 1 : 0
      case .leftBrace, .rightBrace, .endOfFile, .assign, .semicolon: return false
      default: break
      }
      token = ahead.next()
      if depth == 0 { break }
    }
    guard depth == 0, commas > 0, token.kind == .assign else { return false }
    token = ahead.next()
    while isName(token, "try") || isName(token, "await") { token = ahead.next() }
    if commas == 1, isName(token, "AsyncStream") || isName(token, "AsyncThrowingStream") {
      return true
    }
    return token.kind == .leftParenthesis
  }

  /// Whether a value does not depend on what else is set with it.
  private func isSameAnywhere(_ value: Expression) -> Bool {
    switch value.kind {
    case .integer, .decimal, .duration, .size, .text, .boolean, .none, .implicitMember: true
    case .array(let elements): elements.isEmpty
    case .dictionary(let entries): entries.isEmpty
    case .prefix(_, let inner): isSameAnywhere(inner)
    default: false
    }
  }

  /// What `let (a, b) = (1, 2)` binds behind the first name; asked for once.
  mutating func takePairBindings() -> [Binding] {
    defer { pairBindings = [] }
    return pairBindings
  }
}
