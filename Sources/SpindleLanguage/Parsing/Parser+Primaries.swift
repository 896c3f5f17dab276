import SpindleModel

extension Parser {
  /// A literal, a name, or something in brackets.
  mutating func parsePrimary() -> Expression {
    let token = current
    switch token.kind {
    case .identifier:
      if isTry { return parseTry() }
      if isAwait { return parseAwait() }
      if skipForeignWords() {
        return current.start == token.start ? missing(at: token.start) : parsePrimary()
      }
      if bytes[Int(token.start)] == UInt8(ascii: "$"), bytes[Int(token.start) + 1].isDigit {
        noteShorthand(token)
      }
      let isGeneric = lexer.following(0) == UInt8(ascii: "<") && beginsTypeArguments
      advance()
      if isGeneric, let made = parseSpecialized(token) { return made }
      if isGeneric { skipTypeArguments(of: token) }
      if current.kind == .dot, isName(token, "Result") { return parseImplicitMember() }
      return arena.expression(kind: .name(word(token)), range: token.range)
    case .underscore:
      advance()
      return arena.expression(kind: .name(word(token)), range: token.range)
    case .number: return parseNumber()
    case .string: return parseString()
    case .true, .false:
      advance()
      return arena.expression(kind: .boolean(token.kind == .true), range: token.range)
    case .nil:
      advance()
      return arena.expression(kind: .none, range: token.range)
    case .dot: return parseImplicitMember()
    case .leftParenthesis: return parseParenthesised()
    case .leftBracket:
      return isCollectionType ? parseCollectionType() : parseCollection()
    case .leftBrace where allowsTrailingClosures:
      let closure = parseClosure()
      height += 1
      return arena.expression(kind: .closure(arena.node(closure)), range: range(from: token.start))
    case .bitAnd where isReference:
      refuseReference()
      return parsePrimary()
    case .unterminatedString:
      reportUnexpected(SyntaxMessage.expectedExpression)
      resumeInText(token)
      return missing(at: token.start)
    case .unknownCharacter, .unknownOperator: return parseForeign(token)
    default:
      reportMissing(SyntaxMessage.expectedExpression)
      return missing(at: token.start)
    }
  }

  /// What begins with a sign that no value of a trace begins with.
  private mutating func parseForeign(_ token: Token) -> Expression {
    if token.kind == .unknownCharacter {
      if startsKeyPath { return refuseKeyPath() }
      switch text(token) {
      case "#selector": return refuseSelector()
      case "#available", "#unavailable":
        reportUnexpected(SyntaxMessage.expectedExpression)
        advance()
        if consume(.leftParenthesis) {
          skipToClosing(.rightParenthesis)
          _ = consume(.rightParenthesis)
        }
        return missing(at: token.start)
      default: break
      }
    }
    if let text = parseKeyPathText() { return text }
    // It stands for a value, so that nothing is missing where it is.
    reportUnexpected(SyntaxMessage.expectedExpression)
    advance()
    return missing(at: token.start)
  }

  private mutating func parseImplicitMember() -> Expression {
    let start = current.start
    advance()
    let name = current
    guard name.kind.isWord, !name.hasSpaceBefore else {
      if name.kind == .number && !name.hasSpaceBefore {
        report(SyntaxMessage.decimalWithoutZero, SourceRange(Int(start), Int(name.end)))
        advance()
      } else {
        reportMissing(SyntaxMessage.expectedMember)
      }
      return missing(at: start)
    }
    advance()
    return arena.expression(kind: .implicitMember(word(name)), range: range(from: start))
  }

  private mutating func parseParenthesised() -> Expression {
    let opening = current
    advance()
    var inner = parseOperatorFunction() ?? parseEnclosedExpression()
    let levels = height
    if current.kind == .comma || current.kind == .colon {
      refuseTuple(behind: opening)
      inner = arena.expression(kind: .missing, range: inner.range)
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    height = levels
    let whole = range(from: opening.start)
    guard case .call(let call) = inner.kind else {
      return arena.expression(kind: inner.kind, range: whole)
    }
    return arena.expression(kind: .call(arena.node(call.value.spanning(whole))), range: whole)
  }

  /// `[a, b]`, `[k: v]`, `[]` or `[:]`.
  private mutating func parseCollection() -> Expression {
    let opening = current
    advance()
    if current.kind == .colon {
      advance()
      expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
      height = 1
      return arena.expression(kind: .dictionary(SyntaxList()), range: range(from: opening.start))
    }
    var elements = SyntaxListBuilder<Expression>()
    var entries = SyntaxListBuilder<Expression.Entry>()
    var levels = 0
    while current.kind != .rightBracket && current.kind != .endOfFile {
      let element = parseEnclosedExpression()
      levels = max(levels, height)
      if current.kind == .colon && elements.count == 0 || entries.count > 0 {
        var value = missing(at: current.start)
        if consume(.colon) {
          value = parseEnclosedExpression()
        } else {
          reportMissing(SyntaxMessage.dictionaryColon)
        }
        levels = max(levels, height)
        entries.append(Expression.Entry(key: element, value: value), in: arena)
      } else {
        elements.append(element, in: arena)
      }
      if !consume(.comma) { break }
    }
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    let whole = range(from: opening.start)
    guard grow(to: levels + 1, at: whole) else { return missing(at: opening.start) }
    let kind: Expression.Kind =
      entries.count == 0 ? .array(elements.list) : .dictionary(entries.list)
    return arena.expression(kind: kind, range: whole)
  }
}

// MARK: Calls and closures

extension Parser {
  /// `callee(arguments) { closures }`.
  mutating func parseCall(_ callee: Expression) -> Expression {
    let opening = current
    advance()
    var arguments = SyntaxListBuilder<Expression.Argument>()
    var levels = 0
    while current.kind != .rightParenthesis && current.kind != .endOfFile {
      let label = current
      var name: Word?
      if label.kind.isWord || label.kind == .underscore, lexer.isColonNext() {
        name = word(label)
        advance()
        advance()
      }
      if current.kind == .leftParenthesis, peek().kind == .rightParenthesis {
        // `()` is the value of `Void`, which takes no argument: `resume(returning: ())`, `yield(())`.
        advance()
        advance()
        if !consume(.comma) { break }
        continue
      }
      if name != nil, arguments.count == 0, let whole = parseWholeName(callee, label) {
        return whole
      }
      if name != nil, let key = parseKey(callee, label) {
        arguments.append(key, in: arena)
        if !consume(.comma) { break }
        continue
      }
      let value = parseOperatorFunction() ?? parseEnclosedExpression()
      levels = max(levels, height)
      arguments.append(
        Expression.Argument(
          label: name, labelRange: name == nil ? value.range : label.range, value: value),
        in: arena)
      if !consume(.comma) { break }
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.argumentEnd)
    height = levels
    return finishCall(callee, arguments.list)
  }

  /// `f(_:)`, `f(a:b:)`, of which the first label has been read: `f` by its whole name; nil for a call.
  private mutating func parseWholeName(_ callee: Expression, _ label: Token) -> Expression? {
    while current.kind.isWord || current.kind == .underscore, lexer.isColonNext(),
      bytes[Int(current.start) - 1] == UInt8(ascii: ":")
    {
      advance()
      advance()
    }
    guard consume(.rightParenthesis) else { return nil }
    height = 1
    // Of these there are several, which differ in their labels alone.
    guard case .member(let member) = callee.kind, member.name == "resume" else { return callee }
    let name = Name(word: arena.words.word("$0"), range: label.range)
    let given = Expression.Argument(
      label: word(label), labelRange: label.range, value: arena.named(name.word, label.range))
    let call = arena.call(callee, [given], at: range(from: callee.range.lowerBound))
    let body = arena.block([Statement(kind: .expression(call), range: call.range)], call.range)
    let closure = Expression.Closure(parameters: arena.list([name]), body: body)
    return arena.expression(kind: .closure(arena.node(closure)), range: call.range)
  }

  /// An operator alone, as in `reduce(0, +)`: the closure `{ $0 + $1 }`; nil where something else stands.
  private mutating func parseOperatorFunction() -> Expression? {
    let token = current
    guard let operation = Expression.InfixOperator(token.kind) else { return nil }
    let following = peek().kind
    guard following == .rightParenthesis || following == .comma else { return nil }
    advance()
    let place = token.range
    let names = ["$0", "$1"].map { Name(word: arena.words.word($0), range: place) }
    let sides = Expression.Sides(
      left: arena.expression(kind: .name(names[0].word), range: place),
      right: arena.expression(kind: .name(names[1].word), range: place), operatorRange: place)
    let joined = arena.expression(kind: .infix(operation, arena.node(sides)), range: place)
    let body = CodeBlock(
      statements: arena.list([Statement(kind: .expression(joined), range: place)]), range: place)
    let closure = Expression.Closure(parameters: arena.list(names), header: nil, body: body)
    return arena.expression(kind: .closure(arena.node(closure)), range: place)
  }

  /// `callee { closures }`.
  mutating func parseBraceCall(_ callee: Expression) -> Expression {
    height = 0
    return finishCall(callee, SyntaxList())
  }

  private mutating func finishCall(
    _ callee: Expression, _ arguments: SyntaxList<Expression.Argument>
  ) -> Expression {
    var levels = height
    var closures = SyntaxListBuilder<Expression.TrailingClosure>()
    if current.kind == .leftBrace && allowsTrailingClosures
      && !(mayBeObserved && startsObservers)
      && (!current.isFirstOnLine || reportsBraceOnNextLine())
    {
      let start = current.start
      noteGroup(of: callee)
      let closure = parseClosure()
      levels = max(levels, height)
      let place = range(from: start)
      closures.append(
        Expression.TrailingClosure(label: nil, labelRange: place, closure: closure, range: place),
        in: arena)
      while current.kind.isWord && lexer.isColonNext() && isLabelledClosureNext {
        let label = current
        advance()
        advance()
        let closure = parseClosure()
        levels = max(levels, height)
        closures.append(
          Expression.TrailingClosure(
            label: word(label), labelRange: label.range, closure: closure,
            range: range(from: label.start)), in: arena)
      }
    }
    height = levels
    let whole = range(from: callee.range.lowerBound)
    let call = Expression.Call(
      callee: callee, arguments: arguments, closures: closures.list, range: whole)
    return arena.expression(kind: .call(arena.node(call)), range: whole)
  }

  private var isLabelledClosureNext: Bool {
    var ahead = lexer
    return ahead.next().kind == .colon && ahead.next().kind == .leftBrace
  }
}
