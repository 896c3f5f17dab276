import SpindleModel

/// Calls: which function, method or initialiser is meant.
extension Lowering {
  /// The value of a call; `isUsed` says whether anything takes it.
  @discardableResult
  mutating func lowerCall(
    _ call: CallSite, isUsed: Bool, expecting: ValueType?, target: Register?
  ) -> Operand {
    let bound = boundName
    boundName = nil
    let outer = wantedResult
    wantedResult = expecting
    defer { wantedResult = outer }
    let naming = bound.map { Naming.bound($0) } ?? .none
    switch call.callee.kind {
    case .name(let name):
      return callNamed(name, call, naming, isUsed: isUsed, expecting: expecting, target: target)
    case .member(let member):
      if let name = plainName(member) {
        return lowerCall(
          renamed(call, name), isUsed: isUsed, expecting: expecting, target: target)
      }
      return callMember(member, call, naming, isUsed: isUsed, target: target)
    case .implicitMember("now"):
      if !call.arguments.isEmpty || !call.closures.isEmpty {
        error(Messages.tooManyArguments("now"), call.range)
      }
      let register = target ?? frame.allocate()
      emit(.now(register), call.range)
      return .register(register, .instant)
    case .implicitMember(let name):
      if case .handle(let handle) = expecting?.unwrapped, let type = vocabulary.type(of: handle) {
        return callStatic(name, of: type, call, naming, isUsed: isUsed, target: target)
      }
      if let made = length(name, call, target: target) { return made }
      walkStray(call)
      guard expecting != .unknown else { return .unknown }
      let near = proposal(name.text, ["now"])
      return refuse(
        Messages.unknownMember(name.text, of: "Instant", nearest: near), call.callee.range)
    case .array(let elements):
      return makeArray(elements, call, bound, target: target)
    case .missing:
      walkStray(call)
      return .unknown
    case .bind(let inner): return callBound(inner, call, isUsed: isUsed, target: target)
    default:
      let made = value(call.callee)
      let name = source.text(in: call.callee.range)
      return self.call(made, call, name: name, isUsed: isUsed, target: target)
    }
  }

  /// The same call of something else.
  private func renamed(_ call: CallSite, _ callee: Expression) -> CallSite {
    arena.node(
      Expression.Call(
        callee: callee, arguments: call.arguments, closures: call.closures, range: call.range))
  }

  private mutating func callNamed(
    _ name: Word, _ call: CallSite, _ naming: Naming, isUsed: Bool, expecting: ValueType?,
    target: Register?
  ) -> Operand {
    if let index = find(name) {
      scope[index].isUsed = true
      if case .function(let ordinal) = scope[index].meaning {
        return callFunction(ordinal, call, isUsed: isUsed, target: target)
      }
      if case .functionOf(let function) = scope[index].type.unwrapped {
        if !localFunctions.isEmpty,
          let made = callLocalFunction(index, call, isUsed: isUsed, target: target)
        {
          return made
        }
        guard case .register = scope[index].meaning else {
          let made = value(call.callee)
          return self.call(made, call, name: name.text, isUsed: isUsed, target: target)
        }
        return callClosure(index, function, call, isUsed: isUsed, target: target)
      }
      walkStray(call)
      guard !scope[index].type.isUnknown else { return .unknown }
      return refuse(Messages.notAFunction(name.text), call.callee.range)
    }
    if let own = ownMember(name, call.callee.range) {
      let call = arena.node(
        Expression.Call(
          callee: own, arguments: call.arguments, closures: call.closures, range: call.range))
      return lowerCall(call, isUsed: isUsed, expecting: nil, target: target)
    }
    if name == words.choice { return choice(call, expecting: expecting, target: target) }
    if let meaning = forms.meaning(of: name, in: .passUnretained(vocabulary.free), call, &checker) {
      return callMember(meaning, nil, call, naming, isUsed: isUsed, target: target)
    }
    if let made = builtin(name.text, call, expecting: expecting, target: target) { return made }
    if let type = vocabulary.type(name), !type.initializers.isEmpty {
      let member = checker.overload(type.initializers, for: call)
      return callMember(
        CallMeaning(member), nil, call, naming, isUsed: isUsed, target: target)
    }
    if let own = checker.withoutClock(call) {
      return lowerCall(own, isUsed: isUsed, expecting: .instant, target: target)
    }
    if let moment = checker.laterDate(call) {
      return refuse(Messages.unknownName(name.text, nearest: moment), call.callee.range)
    }
    if ForeignWord.concurrencyTypes.contains(name.text) {
      return refuse(ForeignWord.concurrency(name.text), call.callee.range)
    }
    walkStray(call)
    if vocabulary.free.property(name) != nil || vocabulary.type(name) != nil {
      return refuse(Messages.notAFunction(name.text), call.callee.range)
    }
    if ["at", "every", "arrivals"].contains(name.text) {
      return refuse(Messages.arrivalInBody(name.text), call.callee.range)
    }
    return checker.unknownName(name, call.callee.range)
  }

  private mutating func callMember(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand {
    let (base, name, nameRange) = (member.base, member.name, member.nameRange)
    if checker.isFree(base),
      let done = callFree(member, call, naming, isUsed: isUsed, target: target)
    {
      return done
    }
    if arrayPlace(base) != nil,
      let done = changeArray(base, name.text, call, isUsed: isUsed, target: target)
    {
      return done
    }
    if case .range(let bounds) = base.kind {
      return callPlain(numbers(in: bounds.value, base.range), name.text, call, target: target)
    }
    let window = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let object = unwrap(value(base, target: window), base.range)
    switch object.type {
    case .unknown:
      walkStray(call)
      return .unknown
    case .handle(let handle):
      let index = Int(handle.rawValue)
      let found = forms.meaning(
        of: name, in: .passUnretained(vocabulary.instances[index]), call, &checker)
      guard let meaning = found else {
        walkStray(call)
        let members = vocabulary.instances[index]
        return refuseMember(name.text, of: handle.name, members, nameRange)
      }
      let named = base.named
      if meaning.member._withUnsafeGuaranteedRef({ $0.traits.contains(.locks) }) {
        usage.noteLocking(named, nameRange, &checker)
      }
      if usage.watchesMembers { usage.noteMember(name, of: named, &checker) }
      if handle == .queue { usage.checkBarrier(named, call, &checker) }
      if handle == .operation { usage.checkOperation(name, of: named, nameRange, &checker) }
      return callMember(
        meaning, Receiver(object: object, window: window), call, naming, isUsed: isUsed,
        target: target)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .optionalOf, .arrayOf, .functionOf, .void, .null:
      return callPlain(object, name.text, call, target: target)
    }
  }

  /// A call of a member of what a name of no trace stands for: a type, a clock, a list; nil for none.
  private mutating func callFree(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand? {
    let (base, name, nameRange) = (member.base, member.name, member.nameRange)
    if case .name(let typeName) = base.kind, let type = vocabulary.type(typeName) {
      return callStatic(name, of: type, call, naming, isUsed: isUsed, target: target)
    }
    if let own = checker.withoutClock(call) {
      return lowerCall(own, isUsed: isUsed, expecting: .instant, target: target)
    }
    if let family = checker.family(call.callee) { return makeSymbol(family, call, target: target) }
    if name == "random", case .name(let typeName) = base.kind,
      let made = random(typeName.text, call, target: target)
    {
      return made
    }
    guard let family = checker.family(base) else { return nil }
    walkStray(call)
    let made = implicit(name.text, family.type, target: nil, nameRange)
    return made.type.isUnknown ? made : refuse(Messages.notAFunction(name.text), nameRange)
  }

  /// A call of a member of a value that is no object.
  private mutating func callPlain(
    _ object: Operand, _ name: String, _ call: CallSite, target: Register?
  ) -> Operand {
    var made: Operand?
    if case .arrayOf(let element) = object.type {
      made = arrayCall(object, element.type, name, call)
    } else {
      made = plainCall(object, name, call, target: target)
    }
    if let made { return made }
    walkStray(call)
    return refuseMember(name, of: object.type, nameRange(of: call.callee))
  }

  /// A call of a static function, or of a list of names as if it made one: `RunLoop.Mode("x")`.
  private mutating func callStatic(
    _ name: Word, of type: TypeEntry, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand {
    if let meaning = forms.meaning(of: name, in: .passUnretained(type.statics), call, &checker) {
      return callMember(meaning, nil, call, naming, isUsed: isUsed, target: target)
    }
    if let family = checker.family(call.callee) { return makeSymbol(family, call, target: target) }
    walkStray(call)
    return refuseMember(name.text, of: type.name, type.statics, nameRange(of: call.callee))
  }

  mutating func refuseMember(
    _ name: String, of owner: String, _ members: MemberTable, _ range: SourceRange
  ) -> Operand {
    if members.property(name) != nil { return refuse(Messages.notAFunction(name), range) }
    if let message = misplaced(name, of: owner, members) { return refuse(message, range) }
    let near = proposal(name, members.names)
    return refuse(Messages.unknownMember(name, of: owner, nearest: near), range)
  }

  // MARK: Functions of the trace

  private mutating func callFunction(
    _ ordinal: Int, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let signature = functions[ordinal]
    noteCall(of: ordinal, call.callee.range)
    guard
      let actuals = checker.match(signature.formals, call, name: signature.name, call.callee.range)
    else {
      walkStray(call)
      return Operand(type: signature.result.isVoid ? .void : .unknown, location: .constant(0))
    }
    let made = emitCall(
      signature.formals, actuals, signature.standards, call, result: signature.result,
      function: ordinal, target: target
    ) { .call(signature.block, base: $0, $1) }
    if !isUsed && !signature.result.isVoid {
      warn(Messages.unusedResult(signature.name), call.callee.range)
    }
    return made
  }

  /// Notes that the present block calls a function, which may need a thread.
  mutating func noteCall(of ordinal: Int, _ range: SourceRange) {
    needs.noteCall(of: ordinal, from: frame.context, range, source)
  }

  private mutating func callClosure(
    _ index: Int32, _ function: FunctionNode, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand {
    let result = function.result
    let name = scope[index].name
    if depth > 0 { noteEscape(index) }
    let formals = function.parameters.enumerated().map {
      Formal(label: nil, type: $0.element, isOptional: false, slot: $0.offset)
    }
    guard var register = register(of: index),
      let actuals = checker.match(formals, call, name: name.text, call.callee.range)
    else {
      walkStray(call)
      return .unknown
    }
    if !isUsed && !result.isVoid { warn(Messages.unusedResult(name.text), call.callee.range) }
    let given = unwrap(.register(register, scope[index].type), call.callee.range)
    if case .register(let present) = given.location { register = present }
    return emitCall(
      formals, actuals, [], call, result: result, function: nil, target: target
    ) { .callClosure(register, base: $0, $1) }
  }

  /// Puts the arguments into a window and appends the call.
  mutating func emitCall(
    _ formals: [Formal], _ actuals: Actuals, _ standards: [Expression?], _ call: CallSite,
    result: ValueType, function: Int?, target: Register?,
    _ instruction: (Register, SiteID) -> Instruction
  ) -> Operand {
    var closures: [(Register, Int)] = []
    for (index, formal) in formals.enumerated() where formal.takesClosure {
      guard case .functionOf(let type) = formal.type.unwrapped else { continue }
      if let literal = closureLiteral(actuals[index], call) {
        let register = frame.allocate()
        makeClosure(
          literal, context: .anywhere, parameters: Array(type.parameters), result: type.result,
          target: register, place: call.place)
        closures.append((register, index))
      } else if case .argument(let ordinal) = actuals[index],
        let named = checker.namedClosure(call.arguments[ordinal].value),
        case .function = named.callee,
        named.fits(formal)
      {
        let register = frame.allocate()
        wrapClosure(named, context: .anywhere, target: register, place: call.place)
        closures.append((register, index))
      }
    }
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let first = Int(base.index)
    for (index, formal) in formals.enumerated() {
      if index > 0 { _ = frame.allocate() }
      let register = Register(first + index)
      if let (made, _) = closures.first(where: { $0.1 == index }) {
        emit(.copy(register, from: made), call.place)
      } else if case .argument(let ordinal) = actuals[index] {
        argument(call.arguments[ordinal].value, formal, into: register)
      }
      frame.next = first + index + 1
    }
    // Defaults come after all that the call gives, wherever they stand, as in Swift.
    for (index, formal) in formals.enumerated() {
      guard case .absent = actuals[index], let standard = standards[index] else { continue }
      let wasTop = checker.seesOnlyTop
      checker.seesOnlyTop = true
      argument(standard, formal, into: Register(first + index))
      checker.seesOnlyTop = wasTop
      frame.next = first + formals.count
    }
    emit(instruction(base, site()), call.place)
    frame.throwing += 1
    for (register, index) in closures {
      guard let function, frame.isReachable else { continue }
      frame.frees.append(
        ClosureFree(
          instruction: frame.code.count, function: function, parameter: index))
      emit(.freeClosure(register), call.place)
    }
    frame.next = max(frame.next, first + 1)
    return finishWindow(base, result, target: target, call.place)
  }

  /// Evaluates an argument into the register where the callee finds it.
  @discardableResult
  mutating func argument(
    _ expression: Expression, _ formal: Formal, into register: Register
  ) -> Operand {
    let made = value(expression, expecting: formal.type, target: register)
    checker.checkLiteral(expression, made, formal, isInLoop: frame.loopDepth > 0)
    let result = kept(coerce(made, to: formal.type, expression.range), isVariable: false)
    place(result, in: register, expression.range)
    return result
  }

  /// The result of what was done in the window at `base`, moved to `target`.
  mutating func finishWindow(
    _ base: Register, _ result: ValueType, target: Register?, _ range: SourceRange
  ) -> Operand {
    guard !result.isVoid else {
      frame.next = max(Int(base.index), target.map { Int($0.index) + 1 } ?? 0)
      return .void
    }
    guard let target, target != base else {
      frame.next = Int(base.index) + 1
      return .register(base, result)
    }
    emit(.copy(target, from: base), range)
    frame.next = max(Int(base.index), Int(target.index) + 1)
    return .register(target, result)
  }
}

/// The object that a method is called on, and the register at which its window may begin.
struct Receiver {
  var object: Operand
  var window: Register
}
