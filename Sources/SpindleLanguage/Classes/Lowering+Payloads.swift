import SpindleModel

/// An `enum` with values: what its cases hold, and patterns that look into them.
extension Lowering {
  /// Notes the cases of an `enum` with values, once its fields are known.
  mutating func declareCases(_ declaration: TypeDeclaration, of index: Int) {
    guard declaration.keyword == .class, !declaration.cases.isEmpty else { return }
    let info = checker.classes[index]
    checker.classes[index].cases = declaration.cases.map { one in
      ClassInfo.Case(
        name: one.name,
        values: one.values.enumerated().compactMap { number, value in
          let field = Payload.field(one.name.text, number)
          return info.fields.firstIndex { $0.name.text == field }
            .map { ClassInfo.Case.Value(label: value.label, field: $0, type: value.type) }
        })
    }
  }

  /// The `enum` with values that a type is; nil for any other.
  func payloads(of type: ValueType) -> Int? {
    guard case .instance(let name) = type else { return nil }
    let index = checker.classes.index(of: name)
    return checker.classes[index].cases.isEmpty ? nil : index
  }

  /// What is said of a call of what a type does not have: of an `enum`, which cases there are.
  mutating func unknownMember(_ name: String, of type: ValueType) -> String {
    var names: [String] = []
    if let index = payloads(of: type.unwrapped) {
      names = checker.classes[index].cases.map(\.name.text)
    } else if case .choice(let known) = type.unwrapped {
      names = checker.enums[checker.enums.index(of: known)].cases.map(\.text)
      if names.contains(name) { return Messages.payloadCount(name, []) }
    }
    let near = proposal(name, names)
    return Messages.unknownMember(name, of: "\(type)", nearest: near, names)
  }

  // MARK: Patterns

  /// Whether a pattern looks into what its subject holds, or is a case of an `enum` with values.
  func looksInside(_ pattern: Pattern, _ type: ValueType) -> Bool {
    if case .payload = pattern.kind { return true }
    guard pattern.namedCase != nil else { return false }
    if case .optionalOf = type, pattern.isNil { return false }
    return payloads(of: type.unwrapped) != nil || type.unwrapped.isOutcome
  }

  /// Jumps to `label` where what a register holds is not what a pattern says.
  mutating func test(
    _ pattern: Pattern, _ from: Register, _ given: ValueType, otherwise label: Frame.Label
  ) {
    var (from, type) = (from, given)
    guard looksInside(pattern, type) else {
      if !pattern.takesAll { compare(pattern, from, type, otherwise: label) }
      return
    }
    if let thrown = thrownCase(pattern, from, type) { (from, type) = thrown }
    if case .optionalOf(let inner) = type {
      jump(ifMissing: from, to: label, pattern.range)
      type = inner.type
    }
    if let index = payloads(of: type) {
      return testCase(pattern, from, index, otherwise: label)
    }
    if case .choice = type, case .payload(let node) = pattern.kind, node.value.elements.isEmpty {
      // `.some(.none)` of an `enum` without values.
      let one = arena.expression(kind: .implicitMember(node.value.name.word), range: pattern.range)
      let plain = Pattern(kind: .value(one), filter: nil, range: pattern.range)
      return compare(plain, from, type, otherwise: label)
    }
    guard type.isOutcome, let (isSuccess, part) = outcome(pattern) else {
      if type == .string, let named = pattern.namedCase,
        refuseBareCase(named.name, pattern.range)
      {
        return
      }
      if !type.isUnknown { error(Messages.noPayloads("\(type)"), pattern.range) }
      return
    }
    if let part, !part.takesAll { error(Messages.outcomePattern, part.range) }
    branchOutcome(isSuccess, from, otherwise: label, pattern.range)
  }

  private mutating func testCase(
    _ pattern: Pattern, _ from: Register, _ index: Int, otherwise label: Frame.Label
  ) {
    guard let named = pattern.namedCase, let one = matched(named, index) else { return }
    let range = pattern.range
    let next = frame.next
    let (held, wanted) = (frame.allocate(), frame.allocate())
    emit(.fieldLoad(held, of: from, Payload.caseField), range)
    emit(.constant(Int64(intern(one.name.text).index), to: wanted), range)
    emit(.equal(held, held, wanted), range)
    emit(.jumpUnless(held, frame.target(label)), range)
    frame.next = next
    for (element, value) in zip(named.elements, one.values) where !element.pattern.takesAll {
      let register = frame.pinned()
      emit(.fieldLoad(register, of: from, Int32(value.field)), range)
      test(element.pattern, register, checker.type(value.type), otherwise: label)
    }
  }

  /// The case that a pattern names, whose values it fits; reports what does not.
  private mutating func matched(
    _ named: (
      name: String, range: SourceRange, elements: SyntaxList<CasePattern.Element>, isCalled: Bool
    ),
    _ index: Int
  ) -> ClassInfo.Case? {
    let info = checker.classes[index]
    guard let one = info.cases.first(where: { $0.name.text == named.name }) else {
      let names = info.cases.map(\.name.text)
      error(
        Messages.unknownMember(
          named.name, of: info.name.text, nearest: proposal(named.name, names), names), named.range)
      return nil
    }
    guard named.isCalled else { return one }
    guard named.elements.count == one.values.count else {
      error(Messages.payloadCount(one.name.text, one.values.map(\.label?.text)), named.range)
      return nil
    }
    for (element, value) in zip(named.elements, one.values) {
      guard let label = element.label, label.word != value.label else { continue }
      error(Messages.payloadLabel(label.text, value.label?.text), label.range)
      return nil
    }
    return one
  }

  /// Jumps to `label` where a value is not the one that a pattern is.
  private mutating func compare(
    _ pattern: Pattern, _ from: Register, _ type: ValueType, otherwise label: Frame.Label
  ) {
    let mark = scope.count
    let meaning = Symbol.Meaning.register(from)
    scope.declare(
      Symbol(
        name: words.subject, meaning: meaning, type: type, place: pattern.range, frame: Int32(depth)
      ))
    let subject = Subject(type: type, symbol: meaning, range: pattern.range)
    if let tested = condition(pattern, subject) { branch(tested, when: false, to: label) }
    scope.close(downTo: mark)
  }

  /// Declares what a pattern binds of what it looks into.
  ///
  /// A name that `holds` keeps what it names until the scope ends: the `enum` may get another value meanwhile.
  /// Where `isUsed`, it need not be used there any more.
  mutating func declareParts(
    _ pattern: Pattern, _ from: Register, _ given: ValueType, holds: Bool, isUsed: Bool
  ) {
    let (from, held) = thrownCase(pattern, from, given) ?? (from, given)
    let type = held.unwrapped
    guard case .payload(let node) = pattern.kind else { return }
    let elements = node.value.elements
    if let index = payloads(of: type),
      let one = checker.classes[index].cases.first(where: { $0.name.text == node.value.name.text }),
      one.values.count == elements.count
    {
      for (element, value) in zip(elements, one.values) {
        declarePart(element.pattern, from, value, holds: holds, isUsed: isUsed)
      }
    } else if type.isOutcome, let (isSuccess, part) = outcome(pattern),
      let (name, isVariable) = part?.name
    {
      declareOutcome(isSuccess, name, isVariable: isVariable, from, type, pattern.range)
    } else {
      declareUnknown(pattern)
    }
  }

  /// The names of a pattern that is wrong, so that what uses them is no second mistake.
  private mutating func declareUnknown(_ pattern: Pattern) {
    if let (name, _) = pattern.name {
      declareLocal(name, .register(frame.pinned()), .unknown)
    } else if case .payload(let node) = pattern.kind {
      for element in node.value.elements { declareUnknown(element.pattern) }
    }
  }

  private mutating func declarePart(
    _ pattern: Pattern, _ from: Register, _ value: ClassInfo.Case.Value, holds: Bool, isUsed: Bool
  ) {
    guard pattern.binds, pattern.name?.0.word.isUnderscore != true else { return }
    let range = pattern.range
    let plain = frame.pinned()
    emit(.fieldLoad(plain, of: from, Int32(value.field)), range)
    var type = checker.type(value.type)
    guard let (name, isVariable) = pattern.name else {
      return declareParts(pattern, plain, type, holds: holds, isUsed: isUsed)
    }
    if case .present = pattern.kind { type = type.unwrapped }
    if type.isVoid { return }
    declareBound(
      name, .register(plain, type), isVariable: isVariable, holds: holds,
      isExpectedToBeUsed: holds && !isVariable && !isUsed, range)
  }
}
