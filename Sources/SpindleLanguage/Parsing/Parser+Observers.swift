import SpindleModel

// What stands in braces behind a property: how it is computed, or what is done when it is set.

// MARK: Observers

extension Parser {
  /// Whether the brace at hand begins `{ willSet { } didSet { } }`.
  var startsObservers: Bool {
    guard current.kind == .leftBrace else { return false }
    let inner = peek()
    return isName(inner, "willSet") || isName(inner, "didSet")
  }

  /// The first value of what may have observers, whose brace is no closure behind the value.
  mutating func parseObservedValue(of type: TypeName? = nil) -> Expression {
    let outer = mayBeObserved
    mayBeObserved = true
    defer { mayBeObserved = outer }
    return parseValue(of: type)
  }

  /// What is called when a property is set: functions with names that no trace can write, of which each is
  /// given a value where its code names one.
  fileprivate mutating func parseObserverFunctions(
    of name: Name, _ type: TypeName?, _ isolation: Isolation
  ) -> [Declaration.Function] {
    var functions: [Declaration.Function] = []
    advance()
    while isName(current, "willSet") || isName(current, "didSet") {
      let word = current
      let isBefore = isName(word, "willSet")
      advance()
      var given = Name(
        word: arena.words.word(isBefore ? "newValue" : "oldValue"), range: word.range)
      let isNamed = consume(.leftParenthesis)
      if isNamed {
        given = parseName("'\(text(word))('")
        _ = consume(.rightParenthesis)
      }
      let start = current.start
      let body = parseBlock("'\(text(word))'")
      var parameters: [Declaration.Function.Parameter] = []
      // A name of one's own asks for the value, whether it is used or not: run with Swift 6.3.1.
      if isNamed || mentions(given, from: start) {
        let type = type ?? TypeName(kind: .missing, range: name.range)
        parameters.append(Declaration.Function.Parameter(label: nil, name: given, type: type))
      }
      functions.append(
        Declaration.Function(
          name: Name(word: arena.words.word("\(text(word)) \(name.text)"), range: word.range),
          isolation: isolation, isAsync: false, parameters: parameters, result: nil, body: body))
      while consume(.semicolon) {}
    }
    if current.kind != .rightBrace {
      report(SyntaxMessage.observersAlone, current.range)
      skipToClosing(.rightBrace)
    }
    _ = consume(.rightBrace)
    return functions
  }

  /// Whether the text that was read since `start` has a name in it.
  private func mentions(_ name: Name, from start: Int32) -> Bool {
    var ahead = lexer
    ahead.position = Int(start)
    while true {
      let token = ahead.next()
      if token.start >= current.start || token.kind == .endOfFile { return false }
      if token.kind == .identifier, word(token) == name.word { return true }
      if token.kind == .string, mentions(name, in: text(token)) { return true }
    }
  }

  /// Whether a name stands in what a text's `\( )` have in them.
  private func mentions(_ name: Name, in text: some StringProtocol) -> Bool {
    guard let first = text.firstRange(of: "\\(") else { return false }
    let words = text[first.upperBound...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.contains { $0 == name.text }
  }

  /// What is done when a property of a class is set.
  mutating func parseObservers(of field: TypeDeclaration.Field) -> [TypeDeclaration.Method] {
    let place = current.range
    let type = field.type ?? (field.isStatic ? field.value.flatMap { observedType(of: $0) } : nil)
    let functions = parseObserverFunctions(of: field.name, type, field.isolation)
    if !field.isVariable {
      report(SyntaxMessage.observersOfClass, place)
      return []
    }
    if field.isStatic, type == nil, functions.contains(where: { !$0.parameters.isEmpty }) {
      report(SyntaxMessage.observedType(field.name.text), field.name.range)
      return []
    }
    return functions.map {
      TypeDeclaration.Method(
        isStatic: field.isStatic, isMutating: true, isObserver: true, function: $0)
    }
  }

  /// Passes over the observers of a local `var`, which has none.
  mutating func skipObservers() {
    report(SyntaxMessage.observersOfClass, current.range)
    advance()
    skipToClosing(.rightBrace)
    _ = consume(.rightBrace)
  }

  /// What is done when a `var` at the top is set.
  mutating func parseObservers(of binding: inout Binding) {
    guard startsObservers else { return }
    let place = current.range
    let type = binding.type ?? observedType(of: binding.value)
    let functions = parseObserverFunctions(of: binding.name, type, binding.isolation)
    if type == nil, functions.contains(where: { !$0.parameters.isEmpty }) {
      report(SyntaxMessage.observedType(binding.name.text), binding.name.range)
    } else if !binding.isVariable || binding.weak != nil {
      report(SyntaxMessage.observersOfClass, place)
    } else {
      pendingDeclarations += functions.map {
        Declaration(kind: .function($0), range: $0.name.range)
      }
    }
  }

  /// The type of a first value that says it: a literal, `State.idle`, `Cache()`; nil for any other.
  func observedType(of value: Expression) -> TypeName? {
    var named: Expression?
    switch value.kind {
    case .member(let member): named = member.base
    case .call(let call): named = call.callee
    default: return typeName(of: value)
    }
    guard case .name(let name)? = named?.kind, name.text.first?.isUppercase == true else {
      return nil
    }
    return TypeName(kind: .name(name), range: value.range)
  }
}

// MARK: What is computed

extension Parser {
  /// Whether a `var` at the top begins here that has a type, no value and no observers: one that is computed.
  var startsComputed: Bool {
    guard current.kind == .var else { return false }
    var ahead = lexer
    guard ahead.next().kind == .identifier, ahead.next().kind == .colon else { return false }
    while true {
      let token = ahead.next()
      switch token.kind {
      case .leftBrace:
        let inner = ahead.next()
        return !isName(inner, "willSet") && !isName(inner, "didSet")
      case .assign, .semicolon, .comma, .rightBrace, .endOfFile: return false
      default: if token.isFirstOnLine { return false }
      }
    }
  }

  /// `var count: Int { … }` at the top: a function that is called where it is read, and one where it is set.
  mutating func parseComputed() -> Declaration.Kind {
    let isolation = takeIsolation()
    _ = takeTaskLocal()
    advance()
    var field = TypeDeclaration.Field(isStatic: true, isVariable: true, name: parseName("'var'"))
    field.isolation = isolation
    guard consume(.colon) else { return .missing }
    let type = parseType()
    field.type = type
    guard current.kind == .leftBrace else { return .missing }
    let setter = parseGetter(of: &field)
    guard let body = field.getter else { return .missing }
    if var setter = setter?.function {
      setter.role = .setter
      pendingDeclarations.append(Declaration(kind: .function(setter), range: setter.name.range))
    }
    return .function(
      Declaration.Function(
        name: field.name, isolation: isolation, isAsync: field.isAsync, parameters: [],
        result: type, body: body, role: .getter))
  }

  /// `{ value }`, `{ get { value } }`, `{ get { value } set { … } }`; gives the function that sets it.
  mutating func parseGetter(
    of field: inout TypeDeclaration.Field
  ) -> TypeDeclaration.Method? {
    let opening = current
    let inner = peek()
    if isName(inner, "set") || field.value != nil {
      report(SyntaxMessage.propertyObserver, opening.range)
      advance()
      skipToClosing(.rightBrace)
      _ = consume(.rightBrace)
      return nil
    }
    guard isName(inner, "get") else {
      field.getter = parseBlock("a computed property")
      return nil
    }
    advance()
    advance()
    field.isAsync = skipEffects()
    field.getter = parseBlock("'get'")
    let setter = parseSetter(of: field)
    if current.kind != .rightBrace {
      report(SyntaxMessage.propertyObserver, current.range)
      skipToClosing(.rightBrace)
    }
    _ = consume(.rightBrace)
    return setter
  }

  /// `set { … }`, `set(value) { … }`: a function with a name that no trace can write; nil for none.
  private mutating func parseSetter(
    of field: TypeDeclaration.Field
  ) -> TypeDeclaration.Method? {
    while isName(current, "nonmutating") || isName(current, "mutating") { advance() }
    guard isName(current, "set"), let type = field.type else { return nil }
    let range = current.range
    advance()
    var given = Name(word: arena.words.word("newValue"), range: range)
    if consume(.leftParenthesis) {
      given = parseName("'set('")
      _ = consume(.rightParenthesis)
    }
    let function = Declaration.Function(
      name: Name(word: arena.words.word("set \(field.name.text)"), range: field.name.range),
      isolation: field.isolation, isAsync: false,
      parameters: [Declaration.Function.Parameter(label: nil, name: given, type: type)],
      result: nil, body: parseBlock("'set'"))
    return TypeDeclaration.Method(
      isStatic: field.isStatic, isMutating: !field.isStatic, isSetter: !field.isStatic,
      function: function)
  }
}
