import SpindleModel

/// `class Model { … }`, `enum State { … }` and their members.
extension Parser {
  /// The type that is declared here, with the words in front of its keyword; nil when none is.
  mutating func parseTypeDeclaration() -> TypeDeclaration? {
    guard let keyword = typeKeyword else { return nil }
    let isolation = takeIsolation()
    let isGlobalActor = takeGlobalActor()
    while text(current) != keyword.rawValue { advance() }
    advance()
    let name = parseName("the \(keyword.rawValue)")
    if keyword == .extension || keyword == .protocol || keyword == .typealias {
      return parseAddition(keyword, name, isolation)
    }
    if current.kind == .less {
      report(SyntaxMessage.typeParameters, current.range)
      genericTypes.insert(name.word)
      while current.kind != .greater, current.kind != .leftBrace, current.kind != .endOfFile {
        noteTypeParameter()
        advance()
      }
      _ = consume(.greater)
    }
    var type = TypeDeclaration(keyword: keyword, name: name)
    (type.isolation, type.isGlobalActor) = (isolation, isGlobalActor)
    if consume(.colon) { type.bases = parseBases() }
    if isName(current, "where") { skipToBlock() }
    let outer = isComparable
    isComparable = type.bases.contains { $0.text == "Comparable" }
    if type.bases.contains(where: { Messages.views.contains($0.text) }) {
      // A trace has no views, and nothing in one is told of.
      skipBraces()
    } else {
      parseMembers(&type)
    }
    isComparable = outer
    if keyword == .struct { makeShared(&type) }
    if keyword == .enum, !type.fields.isEmpty || !type.methods.isEmpty { makeNamespace(&type) }
    if keyword == .enum, type.cases.contains(where: \.isCalled) { makePayloads(&type) }
    return type
  }

  /// The word that declares a type here, behind words that change nothing; nil for none.
  private var typeKeyword: TypeDeclaration.Keyword? {
    var (token, ahead) = (current, lexer)
    for _ in 0..<8 {
      guard token.kind == .identifier else { return nil }
      if let keyword = TypeDeclaration.Keyword(rawValue: text(token)) {
        return ahead.next().kind == .identifier ? keyword : nil
      }
      guard ForeignWord.all[text(token)]?.kind == .noise else { return nil }
      token = ahead.next()
    }
    return nil
  }

  mutating func parseBases() -> [Name] {
    var bases: [Name] = []
    repeat {
      skipAttributes()
      let token = current
      guard token.kind == .identifier else { break }
      advance()
      while current.kind == .dot {
        advance()
        if current.kind == .identifier { advance() }
      }
      bases.append(Name(word: word(token), range: token.range))
    } while consume(.comma)
    return bases
  }

  // MARK: Members

  mutating func parseMembers(_ type: inout TypeDeclaration) {
    let opening = current
    guard consume(.leftBrace) else {
      reportMissing(SyntaxMessage.expectedBlock("'\(type.keyword.rawValue)'"))
      return
    }
    guard descend() else { return }
    defer { ascend() }
    while !consume(.rightBrace) {
      if consume(.semicolon) { continue }
      if current.kind == .endOfFile || isAtLineStart(current) && isDeclarationWord {
        return reportUnclosedBrace(opening)
      }
      let (start, errors) = (current.start, diagnostics.count)
      parseMember(&type)
      endStatement(hasErrors: diagnostics.count > errors)
      if current.start == start && current.kind != .endOfFile && current.kind != .rightBrace {
        advance()
      }
    }
  }

  private mutating func parseMember(_ type: inout TypeDeclaration) {
    var modifiers = Modifiers()
    parseModifiers(&modifiers)
    if typeKeyword != nil { isolation = modifiers.isolation }
    if parseNested() { return }
    if type.keyword == .enum, !isOfNamespace(modifiers), !isOfCase(modifiers) {
      return parseEnumMember(&type)
    }
    if current.kind == .let || current.kind == .var {
      parseFields(&type, modifiers)
    } else if current.kind == .func {
      let around = isolation(in: type, modifiers)
      let function = parseFunction(around: around)
      type.methods.append(
        TypeDeclaration.Method(
          isStatic: modifiers.isStatic, isMutating: modifiers.isMutating, function: function))
      note(modifiers, methodsFrom: type.methods.count - 1, fieldsFrom: type.fields.count, &type)
    } else if isName(current, "init") {
      parseInitializer(&type, modifiers)
    } else if isName(current, "deinit") {
      let range = current.range
      advance()
      if !type.deinitializers.isEmpty { report(SyntaxMessage.secondDeinit, range) }
      type.deinitializers = [parseBlock("'deinit'")]
      if case .own = modifiers.isolation { type.endsIsolated = true }
    } else {
      if let foreign = ForeignWord.all[text(current)], foreign.kind == .statement {
        report(foreign.message, current.range)
        type.isBroken = true
      } else {
        reportUnexpected(SyntaxMessage.expectedClassMember)
      }
      skipToStatementEnd()
    }
  }

  /// Whether an `enum` has a member of the type itself here.
  private func isOfNamespace(_ modifiers: Modifiers) -> Bool {
    modifiers.isStatic && !isName(current, "case")
  }

  /// Whether an `enum` has something here that each of its cases can do.
  private func isOfCase(_ modifiers: Modifiers) -> Bool {
    !modifiers.isStatic && (current.kind == .func || current.kind == .var)
  }

  /// Where a member belongs that says nothing itself, or a word in front of it does.
  private func isolation(in type: TypeDeclaration, _ modifiers: Modifiers) -> Isolation {
    if !modifiers.isolation.isUnspecified { return modifiers.isolation }
    if type.keyword == .actor { return modifiers.isStatic ? .unspecified : .own }
    return type.isolation
  }

  /// A type within a type, which is as good as one at the top; whether there was one.
  private mutating func parseNested() -> Bool {
    let start = current.start
    guard let nested = parseTypeDeclaration() else { return false }
    pendingDeclarations.append(Declaration(kind: .type(nested), range: range(from: start)))
    return true
  }

  /// A `struct` whose values never change is as good as a class: nobody can tell who has which copy.
  private mutating func makeShared(_ type: inout TypeDeclaration) {
    type.keyword = .class
    type.isStruct = true
    let own = type.fields.filter { !$0.isStatic && $0.getter == nil }
    type.isValue = own.contains(where: \.isVariable)
    guard type.initializers.isEmpty else { return }
    let given = own.filter { $0.value == nil || $0.isVariable }
    let place = type.name.range
    var parameters: [Declaration.Function.Parameter] = []
    var statements: [Statement] = []
    for field in given {
      guard let type = field.type ?? field.value.flatMap({ typeName(of: $0) }) else {
        if field.value == nil {
          report(SyntaxMessage.structFieldType(field.name.text), field.name.range)
        }
        continue
      }
      parameters.append(
        Declaration.Function.Parameter(
          label: field.name.word, name: field.name, type: type, standard: field.value))
      let member = Expression.MemberAccess(
        base: arena.expression(kind: .name(arena.words.word("self")), range: place),
        name: field.name.word, nameRange: field.name.range)
      let assignment = Statement.Assignment(
        target: arena.expression(kind: .member(arena.node(member)), range: place),
        assigned: arena.expression(kind: .name(field.name.word), range: field.name.range))
      statements.append(Statement(kind: .assignment(arena.node(assignment)), range: place))
    }
    if parameters.isEmpty { return }
    type.initializers.append(
      TypeDeclaration.Initializer(
        isConvenience: false, parameters: parameters,
        body: CodeBlock(statements: arena.list(statements), range: place), range: place))
  }

  /// The type of a value, where the text of a struct leaves it out and it shows in the value itself: of a literal, of
  /// a sum of such, of what is made or is a case, as `Point(x: 1)` and `State.idle`; nil for anything else.
  func typeName(of value: Expression) -> TypeName? {
    let name: String
    switch value.kind {
    case .array(let elements):
      let first = elements.first.flatMap { typeName(of: $0) }
      return first.map { TypeName(kind: .array(arena.node($0)), range: value.range) }
    case .dictionary(let entries):
      guard let entry = entries.first, let key = typeName(of: entry.key),
        let item = typeName(of: entry.value)
      else { return nil }
      return TypeName(
        kind: .dictionary(key: arena.node(key), arena.node(item)), range: value.range)
    case .prefix(.minus, let inner), .prefix(.plus, let inner): return typeName(of: inner)
    case .prefix(.not, _): name = "Bool"
    case .infix(let operation, let sides):
      guard operation == .add || operation == .subtract || operation == .multiply else {
        return nil
      }
      return typeName(of: sides.left)
    case .call(let call):
      guard case .name(let type) = call.callee.kind, isTypeName(type) else { return nil }
      return TypeName(kind: .name(type), range: value.range)
    case .member(let member):
      guard case .name(let type) = member.base.kind, isTypeName(type) else { return nil }
      return TypeName(kind: .name(type), range: value.range)
    case .integer: name = "Int"
    case .decimal: name = "Decimal"
    case .text, .string: name = "String"
    case .boolean: name = "Bool"
    case .duration: name = "Duration"
    case .size: name = "Size"
    default: return nil
    }
    return TypeName(kind: .name(arena.words.word(name)), range: value.range)
  }

  /// Whether a name begins as those of types do.
  private func isTypeName(_ name: Word) -> Bool {
    name.text.utf8.first.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
  }

  /// An `enum` without cases holds together what belongs to no instance, as a class does.
  private mutating func makeNamespace(_ type: inout TypeDeclaration) {
    if type.cases.isEmpty {
      type.keyword = .class
      return
    }
    for field in type.fields where !field.isStatic && field.getter == nil {
      report(SyntaxMessage.storedOfEnum, field.name.range)
    }
    type.fields.removeAll { !$0.isStatic && $0.getter == nil }
  }

  /// `case a, b = 2`: what an `enum` has besides is refused.
  private mutating func parseEnumMember(_ type: inout TypeDeclaration) {
    guard isName(current, "case") else {
      reportUnexpected(SyntaxMessage.expectedCase)
      return skipMember()
    }
    advance()
    repeat {
      let errors = diagnostics.count
      let name = parseName("'case'")
      guard diagnostics.count == errors else { return skipToStatementEnd() }
      var one = TypeDeclaration.Case(name: name)
      if current.kind == .leftParenthesis {
        one.isCalled = true
        one.values = parseCaseValues()
      }
      if consume(.assign) { one.raw = parseExpression() }
      type.cases.append(one)
    } while consume(.comma)
  }

  /// Passes over a member with its braces.
  private mutating func skipMember() {
    while current.kind != .endOfFile, current.kind != .leftBrace, current.kind != .rightBrace {
      if peek().isFirstOnLine { return advance() }
      advance()
    }
    guard consume(.leftBrace) else { return }
    skipToClosing(.rightBrace)
    _ = consume(.rightBrace)
  }

  private mutating func parseFields(_ type: inout TypeDeclaration, _ modifiers: Modifiers) {
    let word = current
    let (methods, fields) = (type.methods.count, type.fields.count)
    advance()
    repeat {
      let errors = diagnostics.count
      let name = parseName("'\(text(word))'")
      guard diagnostics.count == errors else { return skipToStatementEnd() }
      var field = TypeDeclaration.Field(
        isStatic: modifiers.isStatic, isVariable: word.kind == .var, hold: modifiers.hold,
        name: name)
      field.isolation = isolation(in: type, modifiers)
      field.isTaskLocal = modifiers.isTaskLocal
      if consume(.colon) { field.type = parseType() }
      if consume(.assign) {
        var value = parseObservedValue()
        makeOnce(&field.type, &value)
        field.value = value
      } else if word.kind == .var, case .optional? = field.type?.kind,
        current.kind != .leftBrace || startsObservers
      {
        field.value = arena.expression(kind: .none, range: name.range)
      }
      if current.kind == .leftBrace, !current.isFirstOnLine || startsObservers {
        if startsObservers {
          type.methods += parseObservers(of: field)
        } else if let setter = parseGetter(of: &field) {
          type.methods.append(setter)
        }
      }
      if !modifiers.isLazy || !addLazy(field, to: &type) { type.fields.append(field) }
    } while consume(.comma)
    note(modifiers, methodsFrom: methods, fieldsFrom: fields, &type)
  }

  private mutating func parseInitializer(_ type: inout TypeDeclaration, _ modifiers: Modifiers) {
    let range = current.range
    advance()
    if current.kind == .question || current.kind == .not {
      report(SyntaxMessage.failableInit, current.range)
      advance()
    }
    var parameters: [Declaration.Function.Parameter] = []
    if current.kind == .leftParenthesis {
      parameters = parseParameters()
    } else {
      reportMissing(SyntaxMessage.expectedSign("(", "and parameters behind 'init'"))
      skipToBlock()
    }
    let isAsync = skipEffects()
    let body = parseBlock("'init'")
    type.initializers.append(
      TypeDeclaration.Initializer(
        isConvenience: modifiers.isConvenience, isAsync: isAsync,
        isolation: modifiers.isolation, parameters: parameters, body: body, range: range))
  }
}
