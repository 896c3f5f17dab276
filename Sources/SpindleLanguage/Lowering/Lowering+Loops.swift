import SpindleModel

/// `for … in`.
extension Lowering {
  /// A loop with the registers of what it goes through.
  private struct OpenLoop {
    var loop: Statement.Loop
    var label: Word?
    /// Values that the loop's names stand for; the second for `(i, x)` only.
    var values: [(register: Register, type: ValueType)]
    /// The dictionary whose entry the only name stands for.
    var entries: Int32 = -1
  }

  mutating func lowerFor(_ loop: Statement.Loop, _ range: SourceRange) {
    let label = takeLabel()
    let sequence = loop.sequence
    if loop.awaitRange != nil { return lowerAsyncLoop(loop, label, range) }
    if case .range(let bounds) = sequence.kind {
      checkPair(loop, isPair: false, "a range")
      lowerCountingLoop(loop, label, bounds.value, sequence.range)
      return
    }
    if let (name, call) = sequenceCall(sequence) {
      switch name {
      case "stride": return lowerStride(loop, label, call)
      case "reversed":
        if case .member(let member) = call.callee.kind, case .range(let bounds) = member.base.kind {
          checkPair(loop, isPair: false, "a range")
          return lowerReversedRange(loop, label, bounds.value, sequence.range)
        }
      case "enumerated":
        if case .member(let member) = call.callee.kind {
          checkPair(loop, isPair: true, "enumerated()")
          return lowerArrayLoop(loop, label, member.base, isEnumerated: true)
        }
      default: break
      }
    }
    if let (base, call) = sortedEntries(sequence) { return lowerEntryLoop(loop, label, base, call) }
    lowerArrayLoop(loop, label, sequence, isEnumerated: false)
  }

  /// `for (key, value) in d.sorted { … }`.
  private mutating func lowerEntryLoop(
    _ loop: Statement.Loop, _ label: Word?, _ base: Expression, _ call: CallSite
  ) {
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    guard let ordered = orderEntries(base, call) else { return lowerUnknownLoop(loop, label) }
    let (count, index) = (frame.allocate(), frame.allocate())
    let (key, item) = (frame.allocate(), frame.allocate())
    emit(.arrayCount(count, array: ordered.keys), call.range)
    emit(.constant(0, to: index), call.range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), call.range)
    emit(.arrayGet(key, array: ordered.keys, index: index), call.range)
    emit(.entryGet(item, of: ordered.entries, key: key), call.range)
    let values = [
      (register: key, type: ordered.types.parameters[0]),
      (register: item, type: ordered.types.result),
    ]
    lowerNamedBody(
      OpenLoop(loop: loop, label: label, values: values, entries: ordered.dictionary),
      exit: exit, next: next)
    frame.mark(next)
    emit(.increment(index), closingBrace(loop.body))
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  /// The call that a sequence is, with the name of what is called.
  private func sequenceCall(_ sequence: Expression) -> (String, CallSite)? {
    guard case .call(let call) = sequence.kind else { return nil }
    switch call.callee.kind {
    case .name(let name) where name == "stride" && find(name) == nil: return ("stride", call)
    case .member(let member) where call.arguments.isEmpty && call.closures.isEmpty:
      return (member.name.text, call)
    default: return nil
    }
  }

  private mutating func checkPair(_ loop: Statement.Loop, isPair: Bool, _ what: String) {
    if let second = loop.second, !isPair { error(Messages.oneLoopName(what), second.range) }
    if loop.second == nil, isPair, !loop.name.word.isUnderscore {
      error(Messages.twoLoopNames(what), loop.name.range)
    }
  }

  // MARK: Arrays

  private mutating func lowerArrayLoop(
    _ loop: Statement.Loop, _ label: Word?, _ sequence: Expression, isEnumerated: Bool
  ) {
    let made = unwrap(value(sequence), sequence.range)
    guard let element = elementType(made.type) else {
      if made.type.handle == .taskGroup || made.type.handle == .asyncStream {
        error(Messages.loopNeedsAwait, sequence.range)
      } else if made.type != .unknown {
        error(Messages.notASequence("\(made.type)"), sequence.range)
      }
      return lowerUnknownLoop(loop, label)
    }
    var keyType: ValueType?
    if case .dictionaryOf(let types) = made.type {
      keyType = types.parameters[0]
      if isEnumerated || loop.second == nil {
        error(Messages.entryNames, loop.name.range)
        return lowerUnknownLoop(loop, label)
      }
    } else if !isEnumerated {
      checkPair(loop, isPair: false, made.type.isArray ? "an array" : "a set")
    }
    let array = register(of: kept(made, isVariable: false), sequence.range)
    let keys = keyType == nil ? array : frame.allocate()
    if keyType != nil { emit(.entryKeys(keys, of: array), sequence.range) }
    let (count, index, item) = (frame.allocate(), frame.allocate(), frame.allocate())
    emit(.arrayCount(count, array: array), sequence.range)
    emit(.constant(0, to: index), sequence.range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), sequence.range)
    emit(.arrayGet(item, array: array, index: index), sequence.range)
    var values = [(register: item, type: element)]
    if isEnumerated { values.insert((register: index, type: .integer), at: 0) }
    if let keyType {
      let key = frame.allocate()
      emit(.arrayGet(key, array: keys, index: index), sequence.range)
      values.insert((register: key, type: keyType), at: 0)
    }
    lowerNamedBody(OpenLoop(loop: loop, label: label, values: values), exit: exit, next: next)
    frame.mark(next)
    emit(.increment(index), closingBrace(loop.body))
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  /// What a loop goes through in an array, a set, or in the values of a dictionary; nil for what is none.
  private func elementType(_ type: ValueType) -> ValueType? {
    switch type {
    case .arrayOf(let element), .setOf(let element): element.type
    case .dictionaryOf(let types): types.result
    default: nil
    }
  }

  /// A loop over what is not a sequence: only its body can still be checked.
  private mutating func lowerUnknownLoop(_ loop: Statement.Loop, _ label: Word?) {
    let (exit, next) = (frame.label(), frame.label())
    let item = frame.allocate()
    let values = [(register: item, type: ValueType.unknown), (register: item, type: .unknown)]
    let isReached = frame.isReachable
    lowerNamedBody(OpenLoop(loop: loop, label: label, values: values), exit: exit, next: next)
    frame.isReachable = isReached
    frame.mark(next)
    frame.mark(exit)
  }

  // MARK: Numbers

  private mutating func lowerCountingLoop(
    _ loop: Statement.Loop, _ label: Word?, _ bounds: Expression.Bounds, _ range: SourceRange
  ) {
    let (item, limit) = (frame.allocate(), frame.allocate())
    lowerBounds(bounds, item, limit, range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    frame.mark(top)
    if bounds.isClosed {
      let isInside = frame.allocate()
      emit(.lessOrEqual(isInside, item, limit), range)
      emit(.jumpUnless(isInside, frame.target(exit)), range)
    } else {
      emit(.jumpUnlessLess(item, limit, frame.target(exit)), range)
    }
    lowerNumberedBody(loop, label, item, .integer, exit: exit, next: next)
    frame.mark(next)
    emit(.increment(item), closingBrace(loop.body))
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  private mutating func lowerBounds(
    _ bounds: Expression.Bounds, _ item: Register, _ limit: Register, _ range: SourceRange
  ) {
    let from = coerce(value(bounds.from, target: item), to: .integer, bounds.from.range)
    place(from, in: item, bounds.from.range)
    let to = coerce(value(bounds.to, target: limit), to: .integer, bounds.to.range)
    place(to, in: limit, bounds.to.range)
    checkBounds(from, to, item, limit, range)
  }

  /// `for i in (a ..< b).reversed()`.
  private mutating func lowerReversedRange(
    _ loop: Statement.Loop, _ label: Word?, _ bounds: Expression.Bounds, _ range: SourceRange
  ) {
    let (limit, item, one) = (frame.allocate(), frame.allocate(), frame.allocate())
    lowerBounds(bounds, limit, item, range)
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    let isInside = frame.allocate()
    emit(.constant(1, to: one), range)
    if !bounds.isClosed { emit(.subtract(item, item, one), range) }
    frame.mark(top)
    emit(.lessOrEqual(isInside, limit, item), range)
    emit(.jumpUnless(isInside, frame.target(exit)), range)
    lowerNumberedBody(loop, label, item, .integer, exit: exit, next: next)
    frame.mark(next)
    emit(.subtract(item, item, one), closingBrace(loop.body))
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  /// `for t in stride(from: a, to: b, by: c)`, over numbers, durations and the like.
  private mutating func lowerStride(_ loop: Statement.Loop, _ label: Word?, _ call: CallSite) {
    checkPair(loop, isPair: false, "stride")
    let labels = call.arguments.map(\.label?.text)
    let isClosed = labels == ["from", "through", "by"]
    guard isClosed || labels == ["from", "to", "by"], call.closures.isEmpty else {
      walkStray(call)
      error(Messages.strideForm, call.range)
      return lowerUnknownLoop(loop, label)
    }
    let registers = [frame.allocate(), frame.allocate(), frame.allocate()]
    var type = ValueType.unknown
    for (index, register) in registers.enumerated() {
      let argument = call.arguments[index].value
      let wanted = index == 0 ? nil : index == 2 && type == .instant ? .duration : type
      var made = unwrap(value(argument, expecting: wanted, target: register), argument.range)
      if let wanted { made = coerce(made, to: wanted, argument.range) } else { type = made.type }
      if index == 2, !made.type.isUnknown, made.constant == 0 {
        error(Messages.strideZero, argument.range)
      }
      place(made, in: register, argument.range)
    }
    guard type.isOrdered || type.isUnknown else {
      error(Messages.mismatch(expected: "Int", found: "\(type)"), call.arguments[0].value.range)
      return lowerUnknownLoop(loop, label)
    }
    let (item, limit, step) = (registers[0], registers[1], registers[2])
    let (test, zero) = (frame.allocate(), frame.allocate())
    let (top, next, exit) = (frame.label(), frame.label(), frame.label())
    let (down, body) = (frame.label(), frame.label())
    let range = call.range
    emit(.constant(0, to: zero), range)
    emit(.equal(test, step, zero), range)
    let moves = frame.label()
    emit(.jumpUnless(test, frame.target(moves)), range)
    crash(Messages.runTimeStride, range)
    frame.mark(moves)
    frame.mark(top)
    emit(.less(test, step, zero), range)
    emit(.jumpIf(test, frame.target(down)), range)
    emit(isClosed ? .lessOrEqual(test, item, limit) : .less(test, item, limit), range)
    emit(.jumpIf(test, frame.target(body)), range)
    frame.jump(exit, range)
    frame.mark(down)
    emit(isClosed ? .lessOrEqual(test, limit, item) : .less(test, limit, item), range)
    emit(.jumpUnless(test, frame.target(exit)), range)
    frame.mark(body)
    lowerNumberedBody(loop, label, item, type, exit: exit, next: next)
    frame.mark(next)
    emit(
      type == .instant ? .advance(item, item, by: step) : .add(item, item, step),
      closingBrace(loop.body))
    frame.jump(top, closingBrace(loop.body))
    frame.mark(exit)
  }

  private mutating func lowerNumberedBody(
    _ loop: Statement.Loop, _ label: Word?, _ item: Register, _ type: ValueType,
    exit: Frame.Label, next: Frame.Label
  ) {
    let values = [(register: item, type: type)]
    lowerNamedBody(OpenLoop(loop: loop, label: label, values: values), exit: exit, next: next)
  }

  /// The body of a loop whose element is in a register.
  mutating func lowerElementBody(
    _ loop: Statement.Loop, _ label: Word?, _ value: (register: Register, type: ValueType),
    exit: Frame.Label, next: Frame.Label
  ) {
    lowerNamedBody(
      OpenLoop(loop: loop, label: label, values: [value]), exit: exit, next: next)
  }

  private mutating func lowerNamedBody(_ open: OpenLoop, exit: Frame.Label, next: Frame.Label) {
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    let first = declareLocal(
      open.loop.name, .register(open.values[0].register), open.values[0].type)
    if let first, open.loop.second == nil { scope[first].entries = open.entries }
    if let second = open.loop.second, let last = open.values.last {
      declareLocal(second, .register(last.register), last.type)
    }
    frame.loopDepth += 1
    if let filter = open.loop.filter { branch(filter, when: false, to: next) }
    lowerLoopBody(open.loop.body, open.label, exit: exit, next: next)
    frame.loopDepth -= 1
    closeScope(downTo: mark)
    blockStart = outerStart
  }

  /// Sees to it that a range does not end before it starts.
  private mutating func checkBounds(
    _ from: Operand, _ to: Operand, _ start: Register, _ end: Register, _ range: SourceRange
  ) {
    if let from = from.constant, let to = to.constant, from <= to { return }
    let next = frame.next
    let isOrdered = frame.allocate()
    let ordered = frame.label()
    emit(.lessOrEqual(isOrdered, start, end), range)
    emit(.jumpIf(isOrdered, frame.target(ordered)), range)
    crash(Messages.runTimeRange, range)
    frame.mark(ordered)
    frame.next = next
  }
}
