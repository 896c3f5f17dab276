import SpindleModel

/// What an array can do that is no primitive: each comes to a loop or to an instruction of its own.
extension Lowering {
  /// The other functions of arrays, and their properties.
  static let arrayMembers = [
    "count", "isEmpty", "first", "last", "indices", "contains", "firstIndex", "forEach", "map",
    "filter", "reduce", "allSatisfy", "min", "max", "reversed", "randomElement", "shuffled",
    "enumerated", "sorted", "compactMap", "flatMap", "prefix", "suffix", "dropFirst", "dropLast",
    "joined", "lastIndex",
  ]

  // MARK: Loops

  /// Code that is run for each element of an array as long as it is: with the registers of the element
  /// and of its index, and the label behind the loop.
  mutating func eachElement(
    of array: Register, isBackwards: Bool = false, _ place: SourceRange,
    _ body: (inout Lowering, Register, Register, Frame.Label) -> Void
  ) {
    let next = frame.next
    let (count, index, item) = (frame.allocate(), frame.allocate(), frame.allocate())
    let (top, exit) = (frame.label(), frame.label())
    emit(.arrayCount(count, array: array), place)
    emit(.constant(0, to: index), place)
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), place)
    var present = index
    if isBackwards {
      let (last, one) = (frame.allocate(), frame.allocate())
      emit(.subtract(last, count, index), place)
      emit(.constant(1, to: one), place)
      emit(.subtract(last, last, one), place)
      present = last
    }
    emit(.arrayGet(item, array: array, index: present), place)
    frame.loopDepth += 1
    body(&self, item, present, exit)
    frame.loopDepth -= 1
    emit(.increment(index), place)
    frame.jump(top, place)
    frame.mark(exit)
    frame.next = next
  }

  // MARK: Ranges

  /// The numbers of a range as an array.
  mutating func numbers(in bounds: Expression.Bounds, _ range: SourceRange) -> Operand {
    let (start, end) = (frame.allocate(), frame.allocate())
    for (bound, register) in [(bounds.from, start), (bounds.to, end)] {
      let made = coerce(value(bound, target: register), to: .integer, bound.range)
      place(made, in: register, bound.range)
      frame.next = Int(end.index) + 1
    }
    let (test, fits) = (frame.allocate(), frame.label())
    emit(.lessOrEqual(test, start, end), range)
    emit(.jumpIf(test, frame.target(fits)), range)
    crash(Messages.runTimeRange, range)
    frame.mark(fits)
    if bounds.isClosed { emit(.increment(end), range) }
    return numbers(from: start, upTo: end, range)
  }

  /// The numbers of a range that is asked what an array is asked, as `(0 ..< 5).count`; nil for anything else.
  mutating func numbers(_ base: Expression, asked name: Word) -> Operand? {
    guard case .range(let bounds) = base.kind,
      ["count", "isEmpty", "first", "last"].contains(name.text)
    else { return nil }
    return numbers(in: bounds.value, base.range)
  }

  private mutating func numbers(
    from start: Register, upTo end: Register, _ range: SourceRange
  ) -> Operand {
    let result = frame.allocate()
    let (top, exit) = (frame.label(), frame.label())
    emit(.arrayMake(result, base: result, count: 0), range)
    frame.mark(top)
    emit(.jumpUnlessLess(start, end, frame.target(exit)), range)
    emit(.arrayAppend(result, value: start), range)
    emit(.increment(start), range)
    frame.jump(top, range)
    frame.mark(exit)
    var made = Operand.register(result, .array(.integer))
    made.isFresh = true
    return made
  }

  // MARK: What changes nothing

  /// The value of `array.name`; nil when there is no such property.
  mutating func arrayProperty(
    _ object: Operand, _ element: ValueType, _ name: String, target: Register?,
    _ range: SourceRange
  ) -> Operand? {
    let array = register(of: object, range)
    if name == "indices" {
      let (start, count) = (frame.allocate(), frame.allocate())
      emit(.constant(0, to: start), range)
      emit(.arrayCount(count, array: array), range)
      return numbers(from: start, upTo: count, range)
    }
    guard name == "first" || name == "last" else { return nil }
    if case .optionalOf = element { return refuse(Messages.optionalElement(name), range) }
    let result = frame.allocate()
    let (index, test) = (frame.allocate(), frame.allocate())
    let end = frame.label()
    emit(.constant(noValue, to: result), range)
    emit(.arrayCount(index, array: array), range)
    emit(.constant(0, to: test), range)
    emit(.equal(test, index, test), range)
    emit(.jumpIf(test, frame.target(end)), range)
    if name == "first" {
      emit(.constant(0, to: index), range)
    } else {
      emit(.constant(1, to: test), range)
      emit(.subtract(index, index, test), range)
    }
    emit(.arrayGet(result, array: array, index: index), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return shared(.register(result, .optional(element)), range)
  }

  /// A function of an array that leaves it as it is; nil when there is none of that name.
  mutating func arrayCall(
    _ object: Operand, _ element: ValueType, _ name: String, _ call: CallSite
  ) -> Operand? {
    let array = register(of: object, call.place)
    if case .optionalOf = element, ["first", "last", "randomElement"].contains(name) {
      walkStray(call)
      return refuse(Messages.optionalElement(name), nameRange(of: call.callee))
    }
    // What is gone through must stay as it is, whatever the closure does to the variable.
    frame.next = max(frame.next, Int(array.index) < Frame.pinnedBase ? Int(array.index) + 1 : 0)
    switch name {
    case "contains", "firstIndex", "lastIndex": return find(name, array, element, call)
    case "sorted": return sorted(array, element, call)
    case "compactMap", "flatMap": return gathered(name, array, element, call)
    case "first", "last", "count": return chosen(name, array, element, call)
    case "joined": return joinedText(array, element, call)
    case _ where Lowering.stretches.contains(name): return stretch(name, array, element, call)
    case "forEach", "map", "filter", "allSatisfy", KnownWords.rejected:
      return goThrough(name, array, element, call)
    case "reduce": return reduce(array, element, call)
    case "min", "max": return extreme(name, array, element, call)
    case "reversed", "shuffled", "randomElement":
      guard isPlain(call, name) else { return .unknown }
      if name == "randomElement" { return randomElement(of: array, element, call) }
      let result = frame.allocate()
      emit(.arrayCopy(result, from: array), call.place)
      let life = lifeKind(.array(element))
      if life != nil { emit(.disownElements(result), call.place) }
      if name == "shuffled" { shuffle(result, call) } else { reverse(result, call.place) }
      if let life { emit(.adoptElements(result, life), call.place) }
      frame.next = Int(result.index) + 1
      var made = Operand.register(result, .array(element))
      made.isFresh = true
      return held(made, call.place)
    case "enumerated":
      walkStray(call)
      return refuse(Messages.enumeratedValue, call.range)
    default: return nil
    }
  }

  /// Whether a call gives nothing; reports when not.
  mutating func isPlain(_ call: CallSite, _ name: String) -> Bool {
    guard checker.match([], call, name: name, nameRange(of: call.callee)) == nil else {
      return true
    }
    walkStray(call)
    return false
  }

  /// `contains(x)`, `firstIndex(of: x)`, and both with `where: { }`.
  private mutating func find(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let isQuestion = name == "contains"
    let result = frame.allocate()
    emit(.constant(isQuestion ? 0 : noValue, to: result), call.place)
    let made = Operand.register(result, isQuestion ? .boolean : .optional(.integer))
    if call.closures.count == 1 || call.arguments.first?.label == "where" {
      let isFound = eachTested(array, isBackwards: name == "lastIndex", element, call, "where") {
        lowering, index, exit in
        if isQuestion {
          lowering.emit(.constant(1, to: result), call.place)
        } else {
          lowering.emit(.copy(result, from: index), call.place)
        }
        lowering.frame.jump(exit, call.place)
      }
      return isFound ? made : .unknown
    }
    let formals = [
      Formal(label: isQuestion ? nil : "of", type: element, isOptional: false, slot: 0)
    ]
    guard checker.match(formals, call, name: name, nameRange(of: call.callee)) != nil else {
      walkStray(call)
      return .unknown
    }
    if structure(of: element) != nil, !isEquatable(element),
      let message = inequality(element, isSame: false)
    {
      error(message, call.arguments[0].value.range)
    }
    let wanted = frame.allocate()
    argument(call.arguments[0].value, formals[0], into: wanted)
    if isQuestion, case .member(let member) = call.callee.kind {
      noteLook(at: member.base, element: wanted, call.place)
    }
    eachElement(of: array, isBackwards: name == "lastIndex", call.place) {
      lowering, item, index, exit in
      let next = lowering.frame.label()
      lowering.compareParts(item, wanted, element, whenDifferent: next, call.place)
      if isQuestion {
        lowering.emit(.constant(1, to: result), call.place)
      } else {
        lowering.emit(.copy(result, from: index), call.place)
      }
      lowering.frame.jump(exit, call.place)
      lowering.frame.mark(next)
    }
    frame.next = Int(result.index) + 1
    return made
  }

  /// Runs the closure of a call for each element, and `found` where it gives true.
  private mutating func eachTested(
    _ array: Register, isBackwards: Bool = false, _ element: ValueType, _ call: CallSite,
    _ label: Label?,
    _ found: (inout Lowering, Register, Frame.Label) -> Void
  ) -> Bool {
    guard let body = elementBody(call, label, [element], .boolean) else { return false }
    eachElement(of: array, isBackwards: isBackwards, call.place) {
      lowering, item, index, exit in
      let test = lowering.run(body, [(item, element)], .boolean)
      let next = lowering.frame.label()
      let register = lowering.register(of: test, call.place)
      lowering.emit(.jumpUnless(register, lowering.frame.target(next)), call.place)
      found(&lowering, index, exit)
      lowering.frame.mark(next)
    }
    return true
  }

  private mutating func goThrough(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    let wanted: ValueType? =
      switch name {
      case "forEach": .void
      case "map": nil
      default: .boolean
      }
    let wish = name == "map" ? wishedElement : nil
    guard let body = elementBody(call, nil, [element], wanted) else { return .unknown }
    let result = frame.allocate()
    if name == "allSatisfy" {
      emit(.constant(1, to: result), call.place)
    } else if name != "forEach" {
      emit(.arrayMake(result, base: result, count: 0), call.place)
      if name == "filter" || name == KnownWords.rejected, let kind = lifeKind(.array(element)) {
        emit(.countElements(result, kind), call.place)
      }
    }
    let owner = wanted == .void || name == "allSatisfy" ? nil : growing(result, call.place)
    var type = wanted ?? .unknown
    eachElement(of: array, call.place) { lowering, item, _, exit in
      let made = lowering.run(body, [(item, element)], wanted, wish: wish)
      if name == "forEach" { return }
      if name == "map" {
        type = made.type
        guard !made.type.isVoid else { return lowering.error(Messages.noValue, call.range) }
        if let kind = lowering.lifeKind(.array(type)) {
          lowering.emit(.countElements(result, kind), call.place)
        }
        let kept = lowering.register(of: lowering.kept(made, isVariable: true), call.place)
        lowering.emit(.arrayAppend(result, value: kept), call.place)
        return
      }
      let next = lowering.frame.label()
      let test = lowering.register(of: made, call.place)
      let passes = lowering.frame.target(next)
      lowering.emit(
        name == "filter" ? .jumpUnless(test, passes) : .jumpIf(test, passes), call.place)
      if name == "allSatisfy" {
        lowering.emit(.constant(0, to: result), call.place)
        lowering.frame.jump(exit, call.place)
      } else {
        lowering.emit(.arrayAppend(result, value: item), call.place)
      }
      lowering.frame.mark(next)
    }
    frame.next = Int(result.index) + 1
    switch name {
    case "forEach":
      frame.next = Int(result.index)
      return .void
    case "allSatisfy": return .register(result, .boolean)
    default:
      guard !type.isVoid else { return .unknown }
      return grown(result, owner, name == "map" ? type : element)
    }
  }

  /// `a.reduce(0) { $0 + $1 }`.
  private mutating func reduce(
    _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    if call.arguments.first?.label == "into" { return reduceInPlace(array, element, call) }
    guard let first = call.arguments.first, first.label == nil else {
      walkStray(call)
      return refuse(Messages.reduceForm, call.range)
    }
    let sum = frame.allocate()
    var isMember = false
    if case .implicitMember = first.value.kind { isMember = true }
    var made = value(first.value, expecting: isMember ? element : nil, target: sum)
    // The sum of '+' alone is what the elements are.
    if made.isLiteral, element == .decimal, call.closures.isEmpty {
      made = coerce(made, to: element, first.value.range)
    }
    place(kept(made, isVariable: true), in: sum, first.value.range)
    frame.next = Int(sum.index) + 1
    let rest = arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list(call.arguments.dropFirst()),
        closures: call.closures, range: call.range))
    guard let body = elementBody(rest, nil, [made.type, element], made.type) else {
      return .unknown
    }
    eachElement(of: array, call.place) { lowering, item, _, _ in
      let next = lowering.run(body, [(sum, made.type), (item, element)], made.type)
      lowering.place(lowering.kept(next, isVariable: true), in: sum, call.place)
    }
    return .register(sum, made.type)
  }
}
