import SpindleModel

/// Arrays.
extension Lowering {
  /// `[a, b]`.
  mutating func arrayLiteral(
    _ elements: SyntaxList<Expression>, expecting: ValueType?, target: Register?,
    _ range: SourceRange
  ) -> Operand {
    switch expecting?.unwrapped {
    case .setOf(let element):
      return setLiteral(elements, of: element.type, target: target, range)
    case .dictionaryOf where elements.isEmpty: return refuse(Messages.emptyDictionary, range)
    default: break
    }
    var type: ValueType?
    let hasNil = elements.dropFirst().contains(where: \.isNil)
    if case .arrayOf(let element) = expecting?.unwrapped, element.type != .unknown {
      type = element.type
    } else if let first = elements.first {
      type = functionType(of: first)
    }
    let result = target ?? frame.allocate()
    let (next, temporaries) = (frame.next, frame.temporaries.count)
    // A window of a few registers; what comes after is appended.
    let window = min(elements.count, 32)
    let base = Register(frame.next)
    let isFollowed = areFollowed(Array(elements.prefix(window)))
    for index in 0..<window {
      let register = frame.allocate()
      type = arrayElement(
        elements[index], type, in: register, hasNil: hasNil, isFollowed: isFollowed[index])
      frame.next = Int(register.index) + 1
    }
    emit(.arrayMake(result, base: base, count: Int32(window)), range)
    if let kind = type.flatMap({ lifeKind(.array($0)) }) {
      emit(.countElements(result, kind), range)
    }
    frame.next = next
    for element in elements[window...] {
      let register = frame.allocate()
      type = arrayElement(element, type, in: register)
      emit(.arrayAppend(result, value: register), element.range)
      frame.next = next
    }
    guard let type else {
      if expecting == .unknown { return .unknown }
      return refuse(Messages.untypedArray, range)
    }
    var made = Operand.register(result, .array(type))
    made.isFresh = true
    let elements = temporaries..<frame.temporaries.count
    let whole = held(made, range)
    // Only the array holds its elements now.
    for owner in frame.temporaries[elements] { emit(.release(owner.register, owner.kind), range) }
    return whole
  }

  private mutating func arrayElement(
    _ element: Expression, _ type: ValueType?, in register: Register, hasNil: Bool = false,
    isFollowed: Bool = false
  ) -> ValueType? {
    if let type, element.isNil, type.unwrapped == type, !type.isUnknown {
      error(Messages.nilInArray("\(type)"), element.range)
      return type
    }
    var made = value(element, expecting: type, target: register)
    if let type {
      made = coerce(made, to: type, element.range)
    } else {
      made = storable(made, element.range)
      // '[1, nil]' has values that may be nil.
      let isOptional = made.type.unwrapped != made.type || made.type.isUnknown
      if hasNil, !isOptional, !element.isNil {
        made = coerce(made, to: .optional(made.type), element.range)
      }
    }
    let whole = kept(made, isVariable: true)
    let isHeld = isFollowed && !whole.type.isCollection
    place(isHeld ? steady(whole, element) : whole, in: register, element.range)
    return type ?? made.type
  }

  // MARK: [NSLock](count: 5)

  /// Reports what no array is made of; gives what stands for it.
  private mutating func refuseElements(
    of name: Word, _ call: CallSite, _ made: Operand
  ) -> Operand {
    if call.arguments.count == 1, call.arguments[0].label == nil, call.closures.isEmpty {
      error(Messages.arrayOfOthers(source.text(in: call.arguments[0].value.range)), call.range)
    } else {
      error(Messages.missingArgument("count", of: "[\(name)]"), call.callee.range)
      walkStray(call)
    }
    return made
  }

  /// `[Type](count: n)`, `[Type](repeating: x, count: n)`, `[Type]()`.
  mutating func makeArray(
    _ elements: SyntaxList<Expression>, _ call: CallSite, _ bound: Word?, target: Register?
  ) -> Operand {
    guard elements.count == 1, case .name(let name) = elements[0].kind else {
      if call.arguments.isEmpty, call.closures.isEmpty, elements.count == 1,
        let written = writtenType(elements[0])
      {
        return emptyCollection(.array(checker.type(written)), target: target, call.place)
      }
      walkStray(call)
      return refuse(Messages.notAFunction("[…]"), call.callee.range)
    }
    let entry = find(name) == nil ? vocabulary.type(name) : nil
    guard let element = entry?.handle.map({ .handle($0) }) ?? checker.namedType(name.text) else {
      walkStray(call)
      let near = proposal(name.text, checker.typeNames)
      return refuse(Messages.unknownType(name.text, nearest: near), elements[0].range)
    }
    let result = target ?? frame.allocate()
    emit(.arrayMake(result, base: Register(frame.next), count: 0), call.place)
    var made = Operand.register(result, .array(element))
    made.isFresh = true
    made = counted(made, call.place)
    if call.arguments.isEmpty && call.closures.isEmpty { return made }
    guard let position = call.arguments.firstIndex(where: { $0.label == "count" }) else {
      return refuseElements(of: name, call, made)
    }
    var others = Array(call.arguments)
    others.remove(at: position)
    let rest = arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list(others), closures: call.closures,
        range: call.range))
    let count = frame.allocate()
    let formal = Formal(
      label: "count", type: .integer, isOptional: false, slot: 0, limit: .notNegative)
    let given = argument(call.arguments[position].value, formal, into: count)
    if given.constant == nil { crashUnlessCount(count, call.place) }
    let repeated = entry == nil ? repeatedValue(element, rest, name.text) : nil
    let index = frame.allocate()
    emit(.constant(0, to: index), call.place)
    let (top, exit) = (frame.label(), frame.label())
    frame.mark(top)
    emit(.jumpUnlessLess(index, count, frame.target(exit)), call.place)
    frame.loopDepth += 1
    if let members = entry?.initializers,
      let member = members.first(where: { checker.fits($0.formals, rest) }) ?? members.first
    {
      appendObject(member, rest, bound, index: index, to: result)
    } else if let repeated {
      emit(.arrayAppend(result, value: repeated), call.place)
    }
    frame.loopDepth -= 1
    emit(.increment(index), call.place)
    frame.jump(top, call.place)
    frame.mark(exit)
    return made
  }

  /// An array of less than no elements can't be made.
  mutating func crashUnlessCount(_ count: Register, _ range: SourceRange) {
    let next = frame.next
    let (zero, fits) = (frame.allocate(), frame.label())
    emit(.constant(0, to: zero), range)
    emit(.lessOrEqual(zero, zero, count), range)
    emit(.jumpIf(zero, frame.target(fits)), range)
    crash(Messages.runTimeArrayCount, range)
    frame.mark(fits)
    frame.next = next
  }

  private mutating func repeatedValue(
    _ element: ValueType, _ call: CallSite, _ name: String
  ) -> Register? {
    let formals = [Formal(label: "repeating", type: element, isOptional: false, slot: 0)]
    guard checker.match(formals, call, name: "[\(name)]", call.callee.range) != nil else {
      walkStray(call)
      return nil
    }
    let register = frame.allocate()
    argument(call.arguments[0].value, formals[0], into: register)
    return register
  }

  private mutating func appendObject(
    _ member: Member, _ call: CallSite, _ bound: Word?, index: Register, to array: Register
  ) {
    guard let actuals = checker.match(member.formals, call, name: member.name, call.callee.range)
    else {
      walkStray(call)
      return
    }
    let naming = Naming.element(bound ?? code.word(member.name), index)
    let next = frame.next
    let object = perform(member, actuals, nil, call, naming, target: nil)
    emit(.arrayAppend(array, value: register(of: object, call.place)), call.place)
    frame.next = next
  }

  // MARK: Changing

  /// `array.append(value)`; nil when `base` is no array.
  mutating func append(_ base: Expression, _ call: CallSite) -> Operand? {
    guard var place = arrayPlace(base) else { return nil }
    guard case .arrayOf(let node) = place.type else { return nil }
    let element = node.type
    guard changeable(&place, base) else {
      walkStray(call)
      return .unknown
    }
    let formals = [Formal(label: nil, type: element, isOptional: false, slot: 0)]
    guard let actuals = checker.match(formals, call, name: "append", call.callee.range) else {
      walkStray(call)
      return .void
    }
    let register = frame.allocate()
    if let literal = closureLiteral(actuals[0], call) {
      let made = closureValue(literal, expecting: element, target: register, call.place)
      self.place(made, in: register, call.place)
    } else {
      argument(call.arguments[0].value, formals[0], into: register)
    }
    noteChange(in: place, element: register, call.place)
    let array = load(place, base.range)
    emit(.arrayAppend(array, value: register), call.place)
    store(array, to: place, call.place)
    return .void
  }
}
