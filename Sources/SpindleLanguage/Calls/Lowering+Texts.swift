import SpindleModel

/// What texts are asked: how long they are, and what is in them.
extension Lowering {
  /// `text.hasPrefix("a")`, `text.uppercased()`; nil for any other member.
  mutating func textCall(_ text: Operand, _ name: String, _ call: CallSite) -> Operand? {
    let primitive: DoingPrimitive
    var result = ValueType.boolean
    switch name {
    case "hasPrefix": primitive = .textHasPrefix
    case "hasSuffix": primitive = .textHasSuffix
    case "contains": primitive = .textContains
    case "uppercased": (primitive, result) = (.textUppercased, .string)
    case "lowercased": (primitive, result) = (.textLowercased, .string)
    default: return nil
    }
    let formals =
      result == .string ? [] : [Formal(label: nil, type: .string, isOptional: false, slot: 0)]
    guard checker.match(formals, call, name: name, nameRange(of: call.callee)) != nil else {
      walkStray(call)
      return .unknown
    }
    return ask(primitive, text, call.arguments.first?.value, result, call.place)
  }

  /// What a primitive says of a text, and of another one where it takes two.
  mutating func ask(
    _ primitive: DoingPrimitive, _ text: Operand, _ other: Expression?, _ result: ValueType,
    _ range: SourceRange
  ) -> Operand {
    let base = frame.allocate()
    place(text, in: base, range)
    if let other {
      let formal = Formal(label: nil, type: .string, isOptional: false, slot: 0)
      argument(other, formal, into: frame.allocate())
    }
    emit(.perform(.doing(primitive), base: base, noSite), range)
    frame.next = Int(base.index) + 1
    return .register(base, result)
  }

  /// `Array(repeating: x, count: n)`; nil for any other call.
  mutating func repeatedArray(_ call: CallSite, expecting: ValueType?) -> Operand? {
    guard call.arguments.count == 2, call.closures.isEmpty,
      call.arguments[0].label == "repeating", call.arguments[1].label == "count"
    else { return nil }
    let (result, item, count) = (frame.allocate(), frame.allocate(), frame.allocate())
    var wanted: ValueType?
    if case .arrayOf(let element)? = expecting?.unwrapped { wanted = element.type }
    var made = value(call.arguments[0].value, expecting: wanted, target: item)
    if let wanted { made = coerce(made, to: wanted, call.arguments[0].value.range) }
    made = storable(made, call.arguments[0].value.range)
    place(kept(made, isVariable: false), in: item, call.place)
    frame.next = Int(count.index) + 1
    let formal = Formal(
      label: "count", type: .integer, isOptional: false, slot: 0, limit: .notNegative)
    let given = argument(call.arguments[1].value, formal, into: count)
    if given.constant == nil { crashUnlessCount(count, call.place) }
    emit(.arrayMake(result, base: result, count: 0), call.place)
    if let kind = lifeKind(.array(made.type)) { emit(.countElements(result, kind), call.place) }
    let (index, element) = (frame.allocate(), frame.allocate())
    let (top, exit) = (frame.label(), frame.label())
    emit(.constant(0, to: index), call.place)
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), call.place)
    let copy = kept(
      Operand(type: made.type, location: .register(item), isVariable: true), isVariable: true)
    place(copy, in: element, call.place)
    emit(.arrayAppend(result, value: element), call.place)
    emit(.increment(index), call.place)
    frame.jump(top, call.place)
    frame.mark(exit)
    frame.next = Int(result.index) + 1
    var array = Operand.register(result, .array(made.type))
    array.isFresh = true
    return held(array, call.place)
  }
}
