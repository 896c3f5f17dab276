import SpindleModel

/// Variables, their accessors and observers.
extension GrammarParser {
  /// The accessor whose `yield` is read.
  struct Yielding {
    let isModify: Bool
    var hasYielded = false
  }

  mutating func parseVariable(_ modifiers: Grammar.Modifiers) -> Grammar.Variable {
    let word = "'\(text(current))'"
    let isLet = current.kind == .let
    let errors = diagnostics.count
    advance()
    var variable = Grammar.Variable(isLet: isLet, entries: [])
    repeat {
      let start = current.start
      switch current.kind {
      case .identifier, .underscore, .leftParenthesis: break
      case let kind where kind.isKeyword: break
      default:
        reportMissing(SyntaxMessage.expectedName(word))
        skipToStatementEnd()
        return variable
      }
      let pattern = parseBoundPattern(isVariable: !isLet)
      var entry = Grammar.Variable.Entry(
        pattern: pattern, type: nil, value: nil, accessors: nil, range: pattern.range)
      if consume(.colon) { entry.type = parseType() }
      if consume(.assign) { entry.value = parseExpression() }
      if current.kind == .leftBrace, entry.value == nil || startsObservers {
        if isLet { report(SyntaxMessage.computedLet, current.range) }
        entry.accessors = parseAccessors()
      }
      entry.range = range(from: start)
      variable.entries.append(entry)
    } while consume(.comma)
    // A property wrapper may say the type and the value.
    let mayBeWrapped = modifiers.attributes.contains(where: \.mayBeWrapper)
    if diagnostics.count == errors, !mayBeWrapped { completeTypes(of: &variable, word) }
    return variable
  }

  /// Gives each of several names the type behind the last one: `var a, b: Int`.
  private mutating func completeTypes(of variable: inout Grammar.Variable, _ word: String) {
    var type: Grammar.TypeSyntax?
    for index in variable.entries.indices.reversed() {
      let entry = variable.entries[index]
      guard entry.type == nil, entry.value == nil else {
        type = entry.value == nil && entry.accessors == nil ? entry.type : nil
        continue
      }
      variable.entries[index].type = type
      guard type == nil else { continue }
      if index + 1 == variable.entries.count, current.kind != .leftBrace {
        reportMissing { _ in SyntaxMessage.nothingKnown(word) }
      } else {
        let end = Int(entry.range.upperBound)
        report(SyntaxMessage.nothingKnown(word), SourceRange(end, end))
      }
    }
  }

  /// Whether the brace at hand is one of observers behind an initial value, and of no closure.
  var startsObservers: Bool {
    let next = peek()
    return isWord(next, "didSet") || isWord(next, "willSet")
  }

  // MARK: Accessors

  /// `{ get set }`, `{ get { } set { } }`, `{ willSet { } didSet { } }`, or the body of a getter.
  mutating func parseAccessors() -> Grammar.Accessors {
    let start = current.start
    if namesAccessors() {
      return nested { $0.parseNamedAccessors() }
        ?? Grammar.Accessors(range: range(from: start))
    }
    let body = parseBlock("a computed property")
    return Grammar.Accessors(getter: body, range: range(from: start))
  }

  private static let accessorWords: Set<String> = [
    "get", "set", "willSet", "didSet", "_read", "_modify",
  ]

  /// Whether what is in the brace at hand begins with an accessor, and with no statement.
  private mutating func namesAccessors() -> Bool {
    var ahead = lexer
    var token = ahead.next()
    while true {
      if token.kind == .unknownCharacter, bytes[Int(token.start)] == UInt8(ascii: "@") {
        token = ahead.next()
        if token.kind == .leftParenthesis, !token.hasSpaceBefore,
          !skipBalanced(&token, &ahead)
        {
          return false
        }
      } else if isWord(token, "mutating") || isWord(token, "nonmutating")
        || isWord(token, "nonisolated")
      {
        token = ahead.next()
      } else {
        break
      }
    }
    guard token.kind == .identifier, GrammarParser.accessorWords.contains(text(token)) else {
      return false
    }
    let isGetter = isWord(token, "get")
    token = ahead.next()
    if token.kind == .leftParenthesis, !isGetter {
      guard ahead.next().kind == .identifier, ahead.next().kind == .rightParenthesis else {
        return false
      }
      token = ahead.next()
    }
    switch token.kind {
    case .leftBrace, .rightBrace: return true
    case .identifier:
      return isWord(token, "async") || isWord(token, "throws") || isWord(token, "mutating")
        || isWord(token, "nonmutating") || GrammarParser.accessorWords.contains(text(token))
    case .unknownCharacter: return bytes[Int(token.start)] == UInt8(ascii: "@")
    default: return false
    }
  }

  private mutating func parseNamedAccessors() -> Grammar.Accessors {
    let opening = current
    advance()
    let isIndented = !isAtLineStart(current)
    let place = SourceRange(Int(opening.start), Int(opening.start))
    var accessors = Grammar.Accessors(range: place)
    var setter: SourceRange?
    while current.kind != .rightBrace && current.kind != .endOfFile
      && !endsBlock(isIndented: isIndented)
    {
      if consume(.semicolon) { continue }
      while isAttribute { _ = parseAttribute() }
      var (isMutating, isNonmutating) = (false, false)
      modifiers: while true {
        if consume(word: "mutating") {
          isMutating = true
        } else if consume(word: "nonmutating") {
          isNonmutating = true
        } else if !consume(word: "nonisolated") {
          break modifiers
        }
      }
      let word = current
      if isWord(word, "get") { accessors.isGetterMutating = isMutating }
      guard word.kind == .identifier, GrammarParser.accessorWords.contains(text(word)) else {
        reportUnexpected(SyntaxMessage.expectedAccessor)
        skipToStatementEnd()
        continue
      }
      if isWord(word, "set") {
        (setter, accessors.isSetterNonmutating) = (word.range, isNonmutating)
      }
      parseAccessor(&accessors)
    }
    if !consume(.rightBrace) { reportUnclosedBrace(opening) }
    if let setter, accessors.setter != nil, accessors.getter == nil {
      report(SyntaxMessage.setterAlone, setter)
    }
    accessors.range = range(from: opening.start)
    return accessors
  }

  /// `get { }`, `set(value) { }`, or the word alone in a protocol.
  private mutating func parseAccessor(_ accessors: inout Grammar.Accessors) {
    let word = text(current)
    advance()
    var name: Grammar.Name?
    if current.kind == .leftParenthesis {
      let opening = current
      advance()
      name = parseDeclaredName("the value of '\(word)'")
      expectClosing(.rightParenthesis, opening, SyntaxMessage.parenthesisEnd)
    }
    let (effects, thrown) = parseEffects()
    let body: Grammar.Block?
    var hasYielded = false
    switch current.kind {
    case .rightBrace, .semicolon, .unknownCharacter: body = nil
    case .identifier where !current.isFirstOnLine || isInProtocol: body = nil
    default:
      let outer = yielding
      yielding = word.hasPrefix("_") ? .init(isModify: word == "_modify") : nil
      defer { yielding = outer }
      body = parseBlock("'\(word)'")
      hasYielded = yielding?.hasYielded == true
    }
    switch word {
    case "get", "_read":
      (accessors.getter, accessors.getterEffects) = (body, effects)
      accessors.getterThrown = thrown
      if body == nil { accessors.isRequirement = true }
    case "set", "_modify":
      (accessors.setter, accessors.setterName) = (body, name)
      accessors.readsFirst = word == "_modify" && !hasYielded
      if body == nil { (accessors.isRequirement, accessors.requiresSetter) = (true, true) }
    case "willSet": (accessors.willSet, accessors.willSetName) = (body, name)
    default: (accessors.didSet, accessors.didSetName) = (body, name)
    }
  }
}
