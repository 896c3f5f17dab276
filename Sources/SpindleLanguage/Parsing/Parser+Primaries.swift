import SpindleModel

extension Parser {
  /// A literal, a name, or something in brackets.
  mutating func parsePrimary() -> Expression {
    let token = current
    switch token.kind {
    case .identifier:
      if skipTry() { return parsePrimary() }
      if skipForeignWords() {
        return current.start == token.start ? missing(at: token.start) : parsePrimary()
      }
      advance()
      return Expression(kind: .name(word(token)), range: token.range)
    case .underscore:
      advance()
      return Expression(kind: .name("_"), range: token.range)
    case .number:
      return parseNumber()
    case .string:
      return parseString()
    case .true, .false:
      advance()
      return Expression(kind: .boolean(token.kind == .true), range: token.range)
    case .nil:
      advance()
      return Expression(kind: .none, range: token.range)
    case .dot:
      return parseImplicitMember()
    case .leftParenthesis:
      return parseParenthesised()
    case .leftBracket:
      return parseCollection()
    case .leftBrace where allowsTrailingClosures:
      let closure = parseClosure()
      height += 1
      return Expression(kind: .closure(closure), range: range(from: token.start))
    case .unknownOperator where isReference:
      report(SyntaxMessage.reference, token.range)
      advance()
      return parsePrimary()
    case .unterminatedString:
      reportUnexpected(SyntaxMessage.expectedExpression)
      resumeInText(token)
      return missing(at: token.start)
    case .unknownCharacter, .unknownOperator:
      // It stands for a value, so that nothing is missing where it is.
      reportUnexpected(SyntaxMessage.expectedExpression)
      advance()
      return missing(at: token.start)
    default:
      reportMissing(SyntaxMessage.expectedExpression)
      return missing(at: token.start)
    }
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
    return Expression(kind: .implicitMember(text(name)), range: range(from: start))
  }

  private mutating func parseParenthesised() -> Expression {
    let opening = current
    advance()
    var inner = parseEnclosedExpression()
    let levels = height
    if current.kind == .comma || current.kind == .colon {
      report(SyntaxMessage.tuple, current.range)
      skipToClosing(.rightParenthesis)
      inner.kind = .missing
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    height = levels
    return Expression(kind: inner.kind, range: range(from: opening.start))
  }

  /// `[a, b]`, `[k: v]`, `[]` or `[:]`.
  private mutating func parseCollection() -> Expression {
    let opening = current
    advance()
    if current.kind == .colon {
      advance()
      expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
      height = 1
      return Expression(kind: .dictionary([]), range: range(from: opening.start))
    }
    var elements: [Expression] = []
    var entries: [Expression.Entry] = []
    var levels = 0
    while current.kind != .rightBracket && current.kind != .endOfFile {
      let element = parseEnclosedExpression()
      levels = max(levels, height)
      if current.kind == .colon && elements.isEmpty || !entries.isEmpty {
        var value = missing(at: current.start)
        if consume(.colon) {
          value = parseEnclosedExpression()
        } else {
          reportMissing(SyntaxMessage.dictionaryColon)
        }
        levels = max(levels, height)
        entries.append(Expression.Entry(key: element, value: value))
      } else {
        elements.append(element)
      }
      if !consume(.comma) { break }
    }
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    let whole = range(from: opening.start)
    guard grow(to: levels + 1, at: whole) else { return missing(at: opening.start) }
    return Expression(kind: entries.isEmpty ? .array(elements) : .dictionary(entries), range: whole)
  }
}

// MARK: Calls and closures

extension Parser {
  /// `callee(arguments) { closures }`.
  mutating func parseCall(_ callee: Expression) -> Expression {
    let opening = current
    advance()
    var arguments: [Expression.Argument] = []
    var levels = 0
    while current.kind != .rightParenthesis && current.kind != .endOfFile {
      let label = current
      var name: String?
      if label.kind.isWord || label.kind == .underscore, lexer.isColonNext() {
        name = word(label)
        advance()
        advance()
      }
      let value = parseEnclosedExpression()
      levels = max(levels, height)
      arguments.append(
        Expression.Argument(
          label: name, labelRange: name == nil ? value.range : label.range, value: value))
      if !consume(.comma) { break }
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.argumentEnd)
    height = levels
    return finishCall(callee, arguments)
  }

  /// `callee { closures }`.
  mutating func parseBraceCall(_ callee: Expression) -> Expression {
    height = 0
    return finishCall(callee, [])
  }

  private mutating func finishCall(
    _ callee: Expression, _ arguments: [Expression.Argument]
  ) -> Expression {
    var levels = height
    var closures: [Expression.TrailingClosure] = []
    if current.kind == .leftBrace && allowsTrailingClosures
      && (!current.isFirstOnLine || reportsBraceOnNextLine())
    {
      let start = current.start
      let closure = parseClosure()
      levels = max(levels, height)
      let place = range(from: start)
      closures = [
        Expression.TrailingClosure(label: nil, labelRange: place, closure: closure, range: place)
      ]
      while current.kind.isWord && lexer.isColonNext() && isLabelledClosureNext {
        let label = current
        advance()
        advance()
        let closure = parseClosure()
        levels = max(levels, height)
        closures.append(
          Expression.TrailingClosure(
            label: text(label), labelRange: label.range, closure: closure,
            range: range(from: label.start)))
      }
    }
    height = levels
    let whole = range(from: callee.range.lowerBound)
    let call = Expression.Call(
      callee: callee, arguments: arguments, closures: closures, range: whole)
    return Expression(kind: .call(call), range: whole)
  }

  private var isLabelledClosureNext: Bool {
    var ahead = lexer
    return ahead.next().kind == .colon && ahead.next().kind == .leftBrace
  }

  /// `{ a, b in statements }`, at its brace.
  mutating func parseClosure() -> Expression.Closure {
    let opening = current
    guard descend() else {
      return Expression.Closure(
        parameters: [], body: CodeBlock(statements: [], range: opening.range))
    }
    defer { ascend() }
    let outer = allowsTrailingClosures
    allowsTrailingClosures = true
    defer { allowsTrailingClosures = outer }
    advance()
    let parameters = parseClosureParameters()
    let body = parseStatements(opening)
    return Expression.Closure(parameters: parameters, body: body)
  }

  private mutating func parseClosureParameters() -> [Name] {
    if current.kind == .leftBracket && startsCaptureList {
      report(SyntaxMessage.captureList, current.range)
      advance()
      skipToClosing(.rightBracket)
      _ = consume(.rightBracket)
    }
    guard let end = endOfClosureParameters() else { return [] }
    var names: [Name] = []
    var isType = false
    while current.start < end {
      switch current.kind {
      case .comma: isType = false
      case .colon, .arrow:
        report(SyntaxMessage.closureParameterType, current.range)
        isType = true
      case .identifier where !isType, .underscore where !isType:
        names.append(Name(text: text(current), range: current.range))
      default: break
      }
      advance()
    }
    // The word `in`.
    advance()
    return names
  }

  private var startsCaptureList: Bool {
    var ahead = lexer
    let first = ahead.next()
    return isName(first, "weak") || isName(first, "unowned")
  }

  /// Where the word `in` stands that ends the parameters; nil when there are none.
  ///
  /// Looks no further than over what parameters may be made of, so reading stays linear.
  private func endOfClosureParameters() -> Int32? {
    switch current.kind {
    case .identifier, .underscore: break
    case .leftParenthesis: break
    case .in: return current.start
    default: return nil
    }
    var ahead = lexer
    var token = ahead.next()
    var previous = current
    while true {
      switch token.kind {
      case .in: return token.start
      case .identifier, .underscore:
        // Two names in a row are never parameters.
        if previous.kind == .identifier || previous.kind == .underscore { return nil }
      case .comma, .rightParenthesis: break
      case .colon, .leftBracket, .rightBracket, .arrow, .question:
        if current.kind != .leftParenthesis { return nil }
      default: return nil
      }
      previous = token
      token = ahead.next()
    }
  }
}
