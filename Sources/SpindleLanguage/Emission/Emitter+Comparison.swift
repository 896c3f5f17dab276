import SpindleModel

/// Raw values, and whether values are equal.
extension Emitter {
  func raw(_ one: CaseSymbol, _ range: SourceRange) -> Register {
    switch one.raw {
    case .integer(let value)?, .decimal(let value)?: constant(value, range)
    case .text(let text)?: constant(intern(text), range)
    case nil: constant(intern(one.name), range)
    }
  }

  func emitRawValue(_ call: Typed.Call, _ range: SourceRange) -> Register {
    guard let receiver = call.receiver, let nominal = concrete(receiver.type).nominal else {
      return allocate()
    }
    let (value, result) = (emit(receiver), constant(0, range))
    forCase(of: value, among: nominal.cases, range) { one in
      emit(.copy(result, from: raw(one, range)), range)
    }
    return result
  }

  func emitFromRawValue(_ call: Typed.Call, _ value: Typed.Expression) -> Register {
    let range = value.range
    guard let nominal = concrete(value.type).wrapped?.nominal else { return allocate() }
    let (given, result) = (emit(call.arguments[0]), constant(noValue, range))
    forCase(of: given, among: nominal.cases, by: raw, range) { one in
      emit(.constant(intern(one.name), to: result), range)
    }
    return result
  }

  /// Whether a value of an `enum` is before another one: its case is, or in the same case the first of its parts that is
  /// another one.
  func emitCaseIsBefore(
    _ one: Register, _ other: Register, _ call: Typed.Call, _ range: SourceRange
  ) -> Register {
    guard case .value(let first)? = call.arguments.first else { return allocate() }
    let type = concrete(first.type)
    let cases = type.nominal?.cases ?? []
    let (result, name, second, end) = (
      code.frame.pinned(), code.frame.pinned(), allocate(), code.frame.label()
    )
    let isWhole = isInstance(type)
    emit(isWhole ? .fieldLoad(name, of: one, 0) : .copy(name, from: one), range)
    emit(isWhole ? .fieldLoad(second, of: other, 0) : .copy(second, from: other), range)
    emit(
      .less(result, ordinal(name, among: cases, range), ordinal(second, among: cases, range)), range
    )
    guard isWhole else { return result }
    let same = allocate()
    emit(.equal(same, name, second), range)
    emit(.jumpUnless(same, code.frame.target(end)), range)
    let substitution = type.nominal?.substitution(type.arguments) ?? [:]
    forCase(of: name, among: cases.filter { !$0.values.isEmpty }, range) { value in
      for (index, part) in value.values.enumerated() {
        let (a, b, next) = (code.frame.pinned(), code.frame.pinned(), code.frame.label())
        emit(.fieldLoad(a, of: one, firstField(of: value) + Int32(index)), range)
        emit(.fieldLoad(b, of: other, firstField(of: value) + Int32(index)), range)
        let type = part.type.substituting(substitution)
        emit(.jumpIf(equal(a, b, type, range), code.frame.target(next)), range)
        emit(.copy(result, from: emitIsLess(a, b, type, range)), range)
        code.frame.jump(end, expansion ?? range)
        code.frame.mark(next)
      }
    }
    code.frame.mark(end)
    return result
  }

  /// `a < b` of a type that is `Comparable`.
  private func emitIsLess(
    _ one: Register, _ other: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let symbols = known.comparable.members["<"] ?? []
    guard let symbol = symbols.lazy.compactMap({ $0 as? FunctionSymbol }).first else {
      preconditionFailure("the library's 'Comparable' has no '<'")
    }
    let call = Typed.Call(
      callee: .function(symbol), substitution: [known.comparable.selfParameter: type],
      receiver: nil,
      arguments: [.value(held(one, type, range)), .value(held(other, type, range))], place: range,
      nameRange: range)
    return emit(Typed.Expression(.call(call), known.boolean, range))
  }

  /// The place of a case among those of its type, by its name.
  private func ordinal(
    _ value: Register, among cases: [CaseSymbol], _ range: SourceRange
  ) -> Register {
    let result = constant(0, range)
    forCase(of: value, among: cases, range) { one in
      emit(.constant(Int64(one.index), to: result), range)
    }
    return result
  }

  /// Emits a test for each case; what `body` emits runs for the one whose name a register holds.
  func forCase(
    of name: Register, among cases: [CaseSymbol], _ range: SourceRange,
    _ body: (CaseSymbol) -> Void
  ) {
    forCase(
      of: name, among: cases, by: { self.constant(self.intern($0.name), $1) }, range, body)
  }

  /// Emits a test for each case; what `body` emits runs for the one whose `key` a register holds.
  func forCase(
    of value: Register, among cases: [CaseSymbol], by key: (CaseSymbol, SourceRange) -> Register,
    _ range: SourceRange, _ body: (CaseSymbol) -> Void
  ) {
    for one in cases {
      let next = code.frame.label()
      let test = key(one, range)
      emit(.equal(test, test, value), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      body(one)
      code.frame.mark(next)
    }
  }

  // MARK: Comparison

  /// Whether two values are equal, part by part.
  func emitEqual(
    _ one: Register, _ other: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = constant(0, range)
    let fails = code.frame.label()
    if let wrapped = type.wrapped {
      compareOptionals(one, other, wrapped, result, fails, range)
    } else if isInstance(type), type.nominal?.isReference != true {
      compareInstances(one, other, type, result, fails, range)
    } else {
      emit(.equal(result, one, other), range)
    }
    code.frame.mark(fails)
    code.frame.next = Int(result.index) + 1
    return result
  }

  func compareOptionals(
    _ one: Register, _ other: Register, _ wrapped: SwiftType, _ result: Register,
    _ fails: Frame.Label, _ range: SourceRange
  ) {
    // Two words that are the same are equal; else neither may be nil.
    emit(.equal(result, one, other), range)
    if !isInstance(wrapped), !isCollection(wrapped) { return }
    emit(.jumpIf(result, code.frame.target(fails)), range)
    jump(ifNil: true, one, to: fails, range)
    jump(ifNil: true, other, to: fails, range)
    emit(.copy(result, from: equal(one, other, wrapped, range)), range)
  }

  private func compareInstances(
    _ one: Register, _ other: Register, _ type: SwiftType, _ result: Register, _ fails: Frame.Label,
    _ range: SourceRange
  ) {
    func compare(_ number: Int32, _ part: SwiftType) {
      let next = code.frame.next
      let (a, b) = (allocate(), allocate())
      emit(.fieldLoad(a, of: one, number), range)
      emit(.fieldLoad(b, of: other, number), range)
      let same = equal(a, b, part, range)
      emit(.jumpUnless(same, code.frame.target(fails)), range)
      code.frame.next = next
    }
    switch type {
    case .tuple(let elements):
      for (index, element) in elements.enumerated() { compare(Int32(index), element.type) }
    case .nominal(let nominal, let arguments):
      let substitution = nominal.substitution(arguments)
      if nominal.kind == .enum {
        compare(0, known.string)
        let name = allocate()
        emit(.fieldLoad(name, of: one, 0), range)
        forCase(of: name, among: nominal.cases.filter { !$0.values.isEmpty }, range) { one in
          for (index, part) in one.values.enumerated() {
            compare(firstField(of: one) + Int32(index), part.type.substituting(substitution))
          }
        }
      } else {
        for variable in nominal.stored {
          compare(
            Int32(variable.index), bodies.type(of: variable).substituting(substitution))
        }
      }
    default: break
    }
    emit(.constant(1, to: result), range)
  }

  /// Whether two values of a type are equal, as its own `==` says.
  func equal(
    _ one: Register, _ other: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    guard let (symbol, substitution) = ownEquality(of: type) else {
      return emitEqual(one, other, type, range)
    }
    return emitBlockCall(
      block(of: symbol, substitution), [.register(one), .register(other)], result: known.boolean,
      range)
  }

  /// The `==` with a body that a type declares or inherits; nil where its values are compared part by part.
  func ownEquality(of type: SwiftType) -> (symbol: FunctionSymbol, substitution: Substitution)? {
    guard let nominal = type.nominal,
      nominal.builtin == nil || nominal.builtin == .array
        || nominal.builtin == .dictionary || nominal.builtin == .set
    else { return nil }
    let checker = BodyChecker(bodies, context: TypeContext())
    for found in checker.members("==", of: type) {
      guard let symbol = found.symbol as? FunctionSymbol, case .body = symbol.implementation else {
        continue
      }
      let types = symbol.parameters.map { $0.type.substituting(found.substitution) }
      if types.count == 2, types[0] == types[1] { return (symbol, found.substitution) }
    }
    return nil
  }
}
