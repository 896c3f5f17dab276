import SpindleModel

/// Errors that are cases of an `enum`, or values of a `struct`.
///
/// What is thrown is a text: what Swift prints of it, which of a case without values is its name, unless it says
/// otherwise. What the text stood for is kept beside, so that a `catch` can look into it.
extension Lowering {
  /// The text that an error with values is, which from now on stands for it; nil for anything that is no such error.
  mutating func thrownText(_ made: Operand, _ range: SourceRange) -> Operand? {
    guard let index = payloads(of: made.type) ?? structure(of: made.type),
      checker.classes[index].isError
    else { return nil }
    let text = register(of: join([piece(made, range)], frame.allocate(), range), range)
    let result = frame.pinned()
    emit(.copy(result, from: text), range)
    let next = frame.next
    let all = table(thrownCases(index), range)
    let value = register(of: made, range)
    emit(.entrySet(all, key: result, value: value), range)
    if let kind = lifeKind(made.type) { emit(.keep(value, kind), range) }
    frame.next = next
    noteType(.class(index), of: result, range)
    return .register(result, .string)
  }

  /// The text that a case without values is as an error: its name, or what it says of itself.
  mutating func thrownName(_ made: Operand, _ name: ClassName, _ range: SourceRange) -> Operand {
    if let said = thrownDescription(made, name, range) { return said }
    var text = made
    text.type = .string
    guard errorsShareNames else { return text }
    let result = frame.pinned()
    place(text, in: result, range)
    noteType(.enum(checker.enums.index(of: name)), of: result, range)
    return .register(result, .string)
  }

  /// The global that has what each text of such an error stands for.
  mutating func thrownCases(_ index: Int) -> GlobalID {
    if let known = statics.thrownCases[index] { return known }
    let made = hiddenGlobal(checker.classes[index].name.text)
    statics.thrownCases[index] = made
    return made
  }

  /// `catch NetworkError.status(let code)`: what was thrown as one of the cases, or nil.
  mutating func thrownCase(_ type: Expression, _ call: CallSite) -> Operand {
    let range = type.range
    guard case .name(let name) = type.kind, let index = checker.classes.index(of: name),
      isThrown(index)
    else {
      if checker.enumIndex(type) != nil {
        return refuse(Messages.noPayloads(source.text(in: range)), range)
      }
      return refuseError(type)
    }
    return thrownCase(of: index, register(of: value(call.arguments[0].value), range), range)
  }

  /// What a text that was thrown stands for, where a pattern looks into a case of an error by its type, and that type; nil
  /// for any other pattern.
  mutating func thrownCase(
    _ pattern: Pattern, _ text: Register, _ type: ValueType
  ) -> (Register, ValueType)? {
    guard type == .string, case .payload(let node) = pattern.kind, let owner = node.value.owner,
      case .name(let name) = owner.kind, find(name) == nil,
      let index = checker.classes.index(of: name), isThrown(index)
    else { return nil }
    let found = thrownCase(of: index, text, owner.range)
    let register = frame.pinned()
    place(found, in: register, owner.range)
    return (register, found.type)
  }

  /// The error of a class that a text stands for, or nil.
  private mutating func thrownCase(
    of index: Int, _ text: Register, _ range: SourceRange
  ) -> Operand {
    let (result, missing) = (frame.allocate(), frame.label())
    let type = checker.classes[index].type
    return thrownEntry(index, text, to: missing, in: result, .class(index), type, range)
  }

  /// What is kept beside a text that was thrown, by the class that keeps it, where that text was thrown as `kind`; nil as an
  /// optional for any other.
  mutating func thrownEntry(
    _ members: Int, _ text: Register, to missing: Frame.Label, in result: Register,
    _ kind: ErrorType, _ type: ValueType, _ range: SourceRange
  ) -> Operand {
    emit(.loadGlobal(result, thrownCases(members)), range)
    jump(ifMissing: result, to: missing, range)
    emit(.entryGet(result, of: result, key: text), range)
    frame.mark(missing)
    ifOther(kind, text, range) { lowering in
      lowering.emit(.constant(noValue, to: result), range)
    }
    return .register(result, .optional(type))
  }

  /// Whether a type of the trace has errors as its values.
  func isThrown(_ type: Word) -> Bool {
    if let index = checker.enums.index(of: type.text) { return checker.enums[index].isError }
    return checker.classes.index(of: type).map { isThrown($0) } ?? false
  }

  /// Whether values of a class are errors that are kept beside their texts.
  private func isThrown(_ index: Int) -> Bool {
    !checker.classes[index].cases.isEmpty
      || checker.classes[index].isStruct && checker.classes[index].isError
  }

  /// `catch let error as NetworkError`: what was thrown, which is one of the cases.
  mutating func whatIsThrown(_ type: Expression, _ call: CallSite) -> Operand {
    guard case .name(let name) = type.kind, let index = checker.classes.index(of: name),
      isThrown(index)
    else {
      var made = value(call.arguments[0].value)
      if let index = checker.enumIndex(type), checker.enums[index].isError, made.type == .string {
        if let found = thrownChoice(of: index, call.arguments[0].value, type.range) {
          return unwrap(found, type.range)
        }
        made.type = checker.enums[index].type
      }
      return made
    }
    return unwrap(thrownCase(type, call), type.range)
  }

  /// `catch is NetworkError`: whether what was thrown is one of its cases.
  mutating func isThrown(_ type: Expression, _ call: CallSite, target: Register?) -> Operand {
    let range = type.range
    guard let index = checker.enumIndex(type) else {
      let found = thrownCase(type, call)
      return isThere(found, target: target, range)
    }
    if let found = thrownChoice(of: index, call.arguments[0].value, range) {
      return isThere(found, target: target, range)
    }
    let tests = checker.enums[index].cases.map { name -> Expression in
      let text = arena.expression(kind: .text(name.word), range: range)
      let sides = Expression.Sides(
        left: call.arguments[0].value, right: text, operatorRange: range)
      return arena.expression(kind: .infix(.equal, arena.node(sides)), range: range)
    }
    guard var whole = tests.first else { return .constant(0, .boolean) }
    for test in tests.dropFirst() {
      let sides = Expression.Sides(left: whole, right: test, operatorRange: range)
      whole = arena.expression(kind: .infix(.or, arena.node(sides)), range: range)
    }
    return ofType(.enum(index), value(whole, expecting: .boolean, target: target), call, range)
  }

  /// Whether an error that was asked for is not nil.
  private mutating func isThere(
    _ found: Operand, target: Register?, _ range: SourceRange
  ) -> Operand {
    guard case .register(let register) = found.location, !found.type.isUnknown else {
      return .unknown
    }
    let result = target ?? frame.allocate()
    let test = frame.allocate()
    emit(.constant(noValue, to: test), range)
    emit(.notEqual(result, register, test), range)
    return .register(result, .boolean)
  }

  /// `catch NetworkError.offline`: whether what was thrown is that case.
  mutating func isThrownAs(_ type: Expression, _ call: CallSite, target: Register?) -> Operand {
    let (thrown, one) = (call.arguments[0].value, call.arguments[1].value)
    guard case .text(let name) = one.kind else { return .unknown }
    var (cases, own): ([String], ErrorType?) = ([], nil)
    if let index = checker.enumIndex(type) {
      (cases, own) = (checker.enums[index].cases.map(\.text), .enum(index))
    } else if case .name(let word) = type.kind, let index = checker.classes.index(of: word),
      isThrown(index)
    {
      cases = checker.classes[index].cases.map(\.name.text)
      if cases.contains(name.text) {
        return isCase(thrownCase(type, call), name.text, target: target, one.range)
      }
    } else {
      return refuseError(type)
    }
    guard cases.contains(name.text) else {
      return refuse(
        Messages.unknownMember(
          name.text, of: source.text(in: type.range), nearest: proposal(name.text, cases), cases),
        one.range)
    }
    if case .enum(let index)? = own, let found = thrownChoice(of: index, thrown, one.range),
      case .register(let register) = found.location
    {
      let (result, wanted) = (target ?? frame.allocate(), frame.allocate())
      emit(.constant(Int64(intern(name).index), to: wanted), one.range)
      emit(.equal(result, register, wanted), one.range)
      return .register(result, .boolean)
    }
    let sides = Expression.Sides(left: thrown, right: one, operatorRange: one.range)
    let made = value(
      arena.expression(kind: .infix(.equal, arena.node(sides)), range: one.range),
      expecting: .boolean, target: target)
    return own.map { ofType($0, made, call, one.range) } ?? made
  }

  /// Whether an instance of an `enum` with values, which may be nil, is the case with a name.
  private mutating func isCase(
    _ found: Operand, _ name: String, target: Register?, _ range: SourceRange
  ) -> Operand {
    let instance = register(of: found, range)
    let (result, wanted) = (target ?? frame.allocate(), frame.allocate())
    let end = frame.label()
    emit(.constant(0, to: result), range)
    jump(ifMissing: instance, to: end, range)
    emit(.fieldLoad(result, of: instance, Payload.caseField), range)
    emit(.constant(Int64(intern(name).index), to: wanted), range)
    emit(.equal(result, result, wanted), range)
    frame.mark(end)
    return .register(result, .boolean)
  }

  /// Reports a type whose values are not thrown.
  private mutating func refuseError(_ type: Expression) -> Operand {
    guard case .name(let name) = type.kind else { return .unknown }
    if let message = ForeignName.all[name.text] { return refuse(message, type.range) }
    let names = checker.enums.names + ["CancellationError"]
    return refuse(
      Messages.unknownType(name.text, nearest: proposal(name.text, names)), type.range)
  }
}
