import SpindleModel

extension Parser {
  /// A type: `Duration`, `[NSLock]`, `() -> Void`, `Int?`.
  mutating func parseType() -> TypeName {
    let start = current.start
    guard descend() else { return TypeName(kind: .missing, range: current.range) }
    defer { ascend() }
    if isName(current, "inout") {
      let sign = current.range
      advance()
      // A task group is one, whoever has it.
      if isName(current, "TaskGroup") || isName(current, "ThrowingTaskGroup") {
        return parseType()
      }
      report(SyntaxMessage.referenceParameter, sign)
      let type = parseType()
      return TypeName(kind: .missing, range: type.range)
    }
    var traits = ClosureTraits()
    if current.kind != .leftBracket { traits = parseTypeAttributes() }
    var type = with(traits, parsePlainType())
    while text(current) == "&" {
      // Of a type with several protocols the first says which it is.
      advance()
      _ = parsePlainType()
    }
    if current.kind == .coalesce && !current.hasSpaceBefore {
      report(SyntaxMessage.doubleOptional, current.range)
      advance()
    }
    // 'Thread!' is an optional that stands for its value, as each does here.
    while current.kind == .question || current.kind == .not, !current.hasSpaceBefore {
      advance()
      guard grow(to: height + 1, at: range(from: start)) else { return type }
      type = TypeName(kind: .optional(arena.node(type)), range: range(from: start))
    }
    return type
  }

  /// `@escaping` and the like; what it says of a closure.
  private mutating func parseTypeAttributes() -> ClosureTraits {
    // What stands in front of a declaration is not said by the types in it.
    let (outer, wasSendable) = (isolation, isSendable)
    (isolation, isSendable) = (.unspecified, false)
    skipTypeAttributes()
    let traits = ClosureTraits(isSendable: isSendable, isolation: isolation)
    (isolation, isSendable) = (outer, wasSendable)
    return traits
  }

  /// A function's type with what stands in front of it; any other as it is.
  private func with(_ traits: ClosureTraits, _ type: TypeName) -> TypeName {
    guard !traits.isPlain, case .function(let parameters, let result, let effects) = type.kind
    else { return type }
    var whole = traits
    whole.isAsync = effects?.isAsync ?? false
    return TypeName(
      kind: .function(parameters: parameters, result: result, traits: arena.node(whole)),
      range: type.range)
  }

  private mutating func skipTypeAttributes() {
    while true {
      if current.kind == .unknownCharacter && bytes[Int(current.start)] == UInt8(ascii: "@") {
        skipAttributes()
        if current.kind == .unknownCharacter { return }
      } else if isName(current, "sending") {
        // A closure for such a parameter is formed on no actor, as a '@Sendable' one. Source: SE-0430.
        isSendable = true
        advance()
      } else if isName(current, "nonisolated") {
        isolation = parseNonisolated()
      } else {
        // A word that begins a statement is answered and left where it stands.
        let start = current.start
        if !skipForeignWords() { return }
        if current.start == start { advance() }
      }
    }
  }

  private mutating func parsePlainType() -> TypeName {
    height = 1
    let start = current.start
    switch current.kind {
    case .identifier:
      advance()
      while current.kind == .dot, peek().kind == .identifier {
        advance()
        advance()
      }
      if current.kind == .less, ForeignWord.isGenericType(source.text(in: range(from: start))) {
        return parseGenericType(start)
      }
      if current.kind == .less {
        let name = range(from: start)
        let isOwn = genericTypes.contains(word(Int(name.lowerBound), Int(name.upperBound)))
        if !isOwn {
          report(
            ForeignName.all[source.text(in: name)] ?? SyntaxMessage.genericType, current.range)
        }
        while current.kind != .greater && !current.isFirstOnLine && current.kind != .leftBrace {
          advance()
        }
        _ = consume(.greater)
        if isOwn {
          return TypeName(
            kind: .name(word(Int(name.lowerBound), Int(name.upperBound))), range: name)
        }
      }
      let whole = range(from: start)
      return TypeName(kind: .name(word(Int(whole.lowerBound), Int(whole.upperBound))), range: whole)
    case .leftBracket:
      return parseArrayType()
    case .leftParenthesis:
      return parseFunctionType()
    default:
      reportMissing(SyntaxMessage.expectedType)
      return TypeName(kind: .missing, range: SourceRange(Int(start), Int(start)))
    }
  }

  /// Whether brackets with a type that no value looks like stand here, in front of what makes such a collection:
  /// `[() -> Void]()`, `[Model?]()`.
  var isCollectionType: Bool {
    var (token, ahead) = (current, lexer)
    var (depth, isType, seen) = (1, false, 0)
    while depth > 0 {
      // As of types in angle brackets no more is looked at, so that no text is read again and again.
      seen += 1
      if seen > 32 { return false }
      let before = token.kind
      token = ahead.next()
      switch token.kind {
      case .leftBracket, .leftParenthesis: depth += 1
      case .rightParenthesis: depth -= 1
      case .rightBracket:
        depth -= 1
        if before == .question { isType = true }
      case .arrow: isType = true
      case .comma where depth > 1: break
      case .identifier, .dot, .colon, .question, .less, .greater, .shiftRight, .underscore: break
      default: return false
      }
    }
    let next = ahead.next()
    return isType && next.kind == .leftParenthesis && !next.hasSpaceBefore
  }

  /// `[() -> Void]` in front of `()`, as `Array<() -> Void>`.
  mutating func parseCollectionType() -> Expression {
    let start = current.start
    let type = parseArrayType()
    height = 1
    switch type.kind {
    case .array(let element):
      return arena.expression(
        kind: .specialized(arena.words.word("Array"), arena.list([element.value])),
        range: range(from: start))
    case .dictionary(let key, let value):
      return arena.expression(
        kind: .specialized(arena.words.word("Dictionary"), arena.list([key.value, value.value])),
        range: range(from: start))
    default: return missing(at: start)
    }
  }

  private mutating func parseArrayType() -> TypeName {
    let opening = current
    advance()
    let element = parseType()
    var levels = height
    var value: TypeName?
    if consume(.colon) {
      value = parseType()
      levels = max(levels, height)
    }
    expectClosing(.rightBracket, opening, SyntaxMessage.bracketEnd)
    _ = grow(to: levels + 1, at: opening.range)
    let whole = range(from: opening.start)
    if let value {
      return TypeName(
        kind: .dictionary(key: arena.node(element), arena.node(value)), range: whole)
    }
    return TypeName(kind: .array(arena.node(element)), range: whole)
  }

  private mutating func parseFunctionType() -> TypeName {
    let opening = current
    advance()
    var parameters = SyntaxListBuilder<TypeName>()
    var labels: [SourceRange] = []
    var levels = 0
    while current.kind != .rightParenthesis && current.kind != .endOfFile {
      // `(_ done: Bool)`: a label in a type says nothing to who calls it.
      if current.kind == .underscore {
        while current.kind.isWord || current.kind == .underscore { advance() }
        _ = consume(.colon)
      } else if current.kind.isWord, peek().kind == .colon {
        labels.append(current.range)
        advance()
        advance()
      }
      let isIsolated = isName(current, "isolated") && peek().kind == .identifier
      if isIsolated {
        report(SyntaxMessage.isolatedClosure, current.range)
        advance()
      }
      var parameter = parseType()
      if isIsolated { parameter.kind = .missing }
      parameters.append(parameter, in: arena)
      levels = max(levels, height)
      if !consume(.comma) { break }
    }
    expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    let isAsync = skipEffects()
    var result: TypeName?
    if consume(.arrow) {
      for label in labels { report(SyntaxMessage.labelledType, label) }
      result = parseType()
      levels = max(levels, height)
    } else if parameters.count == 1, var only = parameters.list.first {
      only.range = range(from: opening.start)
      return only
    } else if parameters.count == 0 {
      // `()` is `Void`.
      return TypeName(kind: .name(arena.words.word("Void")), range: range(from: opening.start))
    } else {
      let place = range(from: opening.start)
      report(SyntaxMessage.tupleType, place)
      return TypeName(kind: .missing, range: place)
    }
    _ = grow(to: levels + 1, at: opening.range)
    return TypeName(
      kind: .function(
        parameters: parameters.list, result: result.map { arena.node($0) },
        traits: isAsync ? arena.node(ClosureTraits(isAsync: true)) : nil),
      range: range(from: opening.start))
  }

  /// `Task<Int, Never>`, at its `<`.
  private mutating func parseGenericType(_ start: Int32) -> TypeName {
    let name = word(Int(start), Int(previousEnd))
    let arguments = parseTypeArguments()
    if name == "Result", let first = arguments.first, first.range.count > 0 {
      return resultType(arguments, range(from: start))
    }
    if name == "AsyncStream" || name == "AsyncThrowingStream", current.kind == .dot,
      isName(peek(), "Continuation")
    {
      advance()
      advance()
      return TypeName(
        kind: .generic(arena.words.word("AsyncStream.Continuation"), arguments),
        range: range(from: start))
    }
    return TypeName(kind: .generic(name, arguments), range: range(from: start))
  }

  /// `<Int, Never>`.
  mutating func parseTypeArguments() -> SyntaxList<TypeName> {
    var arguments = SyntaxListBuilder<TypeName>()
    advance()
    while current.kind == .identifier || current.kind == .leftBracket
      || current.kind == .leftParenthesis
    {
      arguments.append(parseType(), in: arena)
      if !consume(.comma) { break }
    }
    if current.kind == .shiftRight {
      // The first half of `>>`; what is around it has the other.
      current.kind = .greater
      current.start += 1
    } else if !consume(.greater) {
      reportMissing(SyntaxMessage.expectedSign(">", "behind the types"))
    }
    return arguments.list
  }

  /// Skips `throws` and `async`, and says whether `async` is there: every function may throw.
  @discardableResult
  mutating func skipEffects() -> Bool {
    var isAsync = false
    thrownType = nil
    while current.kind == .identifier {
      if isName(current, "async") {
        isAsync = true
        advance()
        continue
      }
      guard let foreign = ForeignWord.all[text(current)], foreign.kind != .statement else { break }
      if foreign.kind == .superfluous { report(foreign.message, current.range) }
      let isThrows = isName(current, "throws")
      advance()
      // `throws(NetworkError)`: what is thrown is a text all the same, and `throw .offline` one of its cases.
      if isThrows, current.kind == .leftParenthesis {
        advance()
        if current.kind == .identifier { thrownType = word(current) }
        skipToClosing(.rightParenthesis)
        _ = consume(.rightParenthesis)
      }
    }
    return isAsync
  }
}
