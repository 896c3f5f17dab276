import SpindleModel

/// Chance by Swift's names. Each draw has its key from its place in the text, as all draws have.
extension Lowering {
  /// `Int.random(in: 1 ... 6)`, `Duration.random(in: 1ms ..< 5ms)`, `Bool.random()`; nil for another type.
  mutating func random(
    _ typeName: String, _ call: CallSite, target: Register?
  ) -> Operand? {
    guard let type = checker.plainType(typeName) else { return nil }
    switch type {
    case .boolean:
      guard isPlain(call, "random") else { return .unknown }
      let result = target ?? frame.allocate()
      emitDraw(from: 0, through: 1, to: result, call)
      return .register(result, .boolean)
    case .integer, .duration, .size, .decimal:
      guard call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == "in",
        case .range(let bounds) = call.arguments[0].value.kind
      else {
        walkStray(call)
        return refuse(Messages.randomForm(typeName), call.range)
      }
      return random(in: bounds.value, type, call, target: target)
    default: return nil
    }
  }

  private mutating func random(
    in bounds: Expression.Bounds, _ type: ValueType, _ call: CallSite, target: Register?
  ) -> Operand {
    let (least, most) = (frame.allocate(), frame.allocate())
    for (bound, register) in [(bounds.from, least), (bounds.to, most)] {
      let formal = Formal(label: nil, type: type, isOptional: false, slot: 0)
      argument(bound, formal, into: register)
      frame.next = Int(most.index) + 1
    }
    let place = call.place
    let (test, fits) = (frame.allocate(), frame.label())
    emit(bounds.isClosed ? .lessOrEqual(test, least, most) : .less(test, least, most), place)
    emit(.jumpIf(test, frame.target(fits)), place)
    crash(Messages.runTimeRandom, place)
    frame.mark(fits)
    // A draw is never negative: it is made from 0, and moved.
    let base = frame.allocate(2)
    let span = Register(Int(base.index) + 1)
    emit(.subtract(span, most, least), place)
    if !bounds.isClosed {
      emit(.constant(1, to: test), place)
      emit(.subtract(span, span, test), place)
    }
    emit(.constant(0, to: base), place)
    emit(.draw(base: base, site(), count: 2, .uniform), place)
    emit(.add(least, least, base), place)
    frame.next = Int(least.index) + 1
    return .register(least, type)
  }

  /// Draws a whole number.
  mutating func emitDraw(
    from least: Int64, through most: Int64, to result: Register, _ call: CallSite
  ) {
    let base = frame.allocate(2)
    emit(.constant(least, to: base), call.place)
    emit(.constant(most, to: Register(Int(base.index) + 1)), call.place)
    emit(.draw(base: base, site(), count: 2, .uniform), call.place)
    emit(.copy(result, from: base), call.place)
    frame.next = max(Int(base.index), Int(result.index) + 1)
  }

  /// `Bool(probability: 0.1)`.
  mutating func probable(_ call: CallSite, target: Register?) -> Operand {
    let formals = [
      Formal(label: "probability", type: .decimal, isOptional: false, slot: 0, limit: .probability)
    ]
    guard checker.match(formals, call, name: "Bool", call.callee.range) != nil else {
      walkStray(call)
      return .unknown
    }
    let result = frame.allocate()
    let limit = frame.allocate()
    argument(call.arguments[0].value, formals[0], into: limit)
    frame.next = Int(limit.index) + 1
    emitDraw(from: 0, through: FixedDecimal.scale - 1, to: result, call)
    emit(.less(result, result, limit), call.place)
    frame.next = Int(result.index) + 1
    return .register(result, .boolean)
  }

  /// `drawn(from: [5ms, 7ms, 7ms])`: one of the values, each as likely.
  mutating func drawn(_ call: CallSite, expecting: ValueType?) -> Operand {
    let labels = call.arguments.map { $0.label?.text }
    guard labels == ["from"] || labels == ["from", "unit"], call.closures.isEmpty else {
      walkStray(call)
      return refuse(Messages.drawnForm, call.range)
    }
    let table = call.arguments[0].value
    if case .text(let file) = table.kind {
      let unit = labels.count == 2 ? call.arguments[1].value : nil
      return drawn(fromFile: file, at: table.range, unit: unit, call)
    }
    if labels.count == 2 {
      walkStray(call)
      return refuse(Messages.drawnForm, call.range)
    }
    let made = value(table, expecting: expecting.map { .array($0) })
    guard case .arrayOf(let element) = made.type else {
      guard !made.type.isUnknown else { return .unknown }
      return refuse(Messages.mismatch(expected: "an array", found: "\(made.type)"), table.range)
    }
    let array = register(of: made, table.range)
    return unwrap(
      randomElement(of: array, element.type, call), call.range, otherwise: Messages.runTimeDrawn)
  }

  /// `choice(a, b, …)`: one of them, each as likely.
  mutating func choice(
    _ call: CallSite, expecting: ValueType?, target: Register?
  ) -> Operand {
    guard !call.arguments.isEmpty, call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil })
    else {
      walkStray(call)
      return refuse(Messages.choiceForm, call.range)
    }
    guard call.arguments.count <= Int(UInt16.max) else {
      walkStray(call)
      return refuse(Messages.tooManyArguments("choice"), call.range)
    }
    let base = frame.allocate()
    let first = Int(base.index)
    var type = expecting ?? .unknown
    for (index, written) in call.arguments.enumerated() {
      if index > 0 { _ = frame.allocate() }
      let register = Register(first + index)
      var made = value(written.value, expecting: type.isUnknown ? nil : type, target: register)
      if index == 0 && type.isUnknown {
        type = storable(made, written.value.range).type
      } else {
        made = coerce(made, to: type, written.value.range)
      }
      let formal = Formal(
        label: nil, type: type, isOptional: false, slot: 0, limit: limit(of: type))
      checker.checkLiteral(written.value, made, formal)
      place(kept(made, isVariable: false), in: register, written.value.range)
      frame.next = first + index + 1
    }
    emit(.draw(base: base, site(), count: UInt16(call.arguments.count), .choice), call.place)
    return finishWindow(base, type, target: target, call.place)
  }

  private func limit(of type: ValueType) -> Formal.Limit {
    Formal.Limit(label: nil, type: type, isOptional: false)
  }

  // MARK: Arrays

  /// `a.randomElement()`, nil for an empty array.
  mutating func randomElement(
    of array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let place = call.place
    let result = frame.allocate()
    let end = frame.label()
    let (count, test) = (frame.allocate(), frame.allocate())
    emit(.constant(noValue, to: result), place)
    emit(.arrayCount(count, array: array), place)
    emit(.constant(1, to: test), place)
    emit(.subtract(count, count, test), place)
    emit(.constant(0, to: test), place)
    emit(.less(test, count, test), place)
    emit(.jumpIf(test, frame.target(end)), place)
    let base = frame.allocate(2)
    emit(.constant(0, to: base), place)
    emit(.copy(Register(Int(base.index) + 1), from: count), place)
    emit(.draw(base: base, site(), count: 2, .uniform), place)
    emit(.arrayGet(result, array: array, index: base), place)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .optional(element))
  }

  /// Brings an array into an order by chance, each order as likely: Fisher and Yates.
  mutating func shuffle(_ array: Register, _ call: CallSite) {
    let place = call.place
    let next = frame.next
    let (last, one, test) = (frame.allocate(), frame.allocate(), frame.allocate())
    let (top, exit) = (frame.label(), frame.label())
    emit(.arrayCount(last, array: array), place)
    emit(.constant(1, to: one), place)
    emit(.subtract(last, last, one), place)
    frame.mark(top)
    emit(.less(test, last, one), place)
    emit(.jumpIf(test, frame.target(exit)), place)
    let base = frame.allocate(2)
    emit(.constant(0, to: base), place)
    emit(.copy(Register(Int(base.index) + 1), from: last), place)
    frame.loopDepth += 1
    emit(.draw(base: base, site(), count: 2, .uniform), place)
    frame.loopDepth -= 1
    swap(last, base, in: array, place)
    emit(.subtract(last, last, one), place)
    frame.jump(top, place)
    frame.mark(exit)
    frame.next = next
  }
}
