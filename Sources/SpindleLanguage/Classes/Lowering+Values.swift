import SpindleModel

/// Values that change: a `struct` with a `var`, and `mutating func` of one or of an `enum`.
///
/// An instance of such a struct never changes while two names may have it: whoever changes what a place has puts a copy
/// there first, and changes that. So each name has a value of its own, as in Swift, and nothing is copied
/// where nothing changes.
extension Lowering {
  /// Whether a class stands for a struct whose values can change.
  func isValue(_ type: ValueType) -> Bool {
    guard case .instance(let className) = type else { return false }
    return checker.classes[checker.classes.index(of: className)].isValue
  }

  /// The struct that a type is; nil for any other.
  func structure(of type: ValueType) -> Int? {
    guard case .instance(let name) = type else { return nil }
    let index = checker.classes.index(of: name)
    return checker.classes[index].isStruct ? index : nil
  }

  /// Whether the code at hand may change its `self` in place: an `init`, or a `mutating func` of a struct.
  var changesOwnValue: Bool {
    guard checker.ownClass >= 0, checker.classes[checker.ownClass].isValue,
      case .function(let ordinal) = frame.context
    else { return false }
    return checker.mutating.contains(ordinal) || initialization?.depth == depth
  }

  /// Puts a copy into the place that has a struct, and gives the copy's register: it may be changed.
  mutating func changeableCopy(_ place: Expression, _ range: SourceRange) -> Register {
    let base = withDefault(place) ?? place
    if !isRepeatable(base) { error(Messages.repeatedPlace, base.range) }
    let mark = frame.temporaries.count
    noteChange(ofPartOf: base, range)
    let made = unwrap(value(base), base.range)
    guard case .instance(let className) = made.type else { return register(of: made, range) }
    let fresh = copy(
      of: register(of: made, range), checker.classes.index(of: className), range)
    store(fresh, made.type, to: base, range)
    releaseUsed(for: .register(fresh, made.type), from: mark, range)
    return fresh
  }

  /// Lets go of what was read from a place that is changed: only the place has it, as if it were changed there.
  mutating func letGo(of former: Operand, _ range: SourceRange) {
    guard case .register(let register) = former.location,
      let index = frame.temporaries.lastIndex(where: { $0.register == register })
    else { return }
    emit(.release(register, frame.temporaries[index].kind), range)
    frame.temporaries.remove(at: index)
  }

  /// Whether a place may be come to more than once: nothing is called on the way.
  func isRepeatable(_ place: Expression) -> Bool {
    switch place.kind {
    case .name: true
    case .member(let member): isRepeatable(member.base)
    case .element(let access):
      isRepeatable(access.base) && isSimple(access.index) && access.fallback == nil
    case .bind(let inner), .unwrap(let inner), .chain(let inner): isRepeatable(inner)
    // What can't be assigned to is told as that.
    default: true
    }
  }

  /// `d[key, default: x].count` as the place `d[key]!.count`, behind code that puts the default where there is none; nil for
  /// any other place, and for a default of objects, which is not kept, as in Swift.
  mutating func withDefault(_ place: Expression) -> Expression? {
    switch place.kind {
    case .member(let member):
      return withDefault(member.base).map { arena.member(member.name, of: $0, member.nameRange) }
    case .element(let access):
      guard let fallback = access.fallback, isRepeatable(access.base), isSimple(access.index),
        case .dictionaryOf(let types)? = arrayPlace(access.base)?.type,
        isValue(types.result)
      else { return nil }
      var plain = access.value
      plain.fallback = nil
      let element = arena.expression(kind: .element(arena.node(plain)), range: place.range)
      let sides = Expression.Sides(
        left: element, right: arena.expression(kind: .none, range: place.range),
        operatorRange: place.range)
      let (next, end) = (frame.next, frame.label())
      let test = arena.expression(kind: .infix(.equal, arena.node(sides)), range: place.range)
      branch(test, when: false, to: end)
      lowerAssignment(element, nil, fallback, fallback.range)
      frame.mark(end)
      frame.next = next
      return arena.expression(kind: .unwrap(element), range: place.range)
    default: return nil
    }
  }

  /// The place of a struct with a default where a `mutating func` of it is called; nil for any other call.
  mutating func placeToMutate(_ place: Expression, _ name: Word, _ call: CallSite) -> Expression? {
    guard let index = instanceClass(place),
      checker.classes[index].methods.contains(where: {
        $0.name == name && checker.mutating.contains($0.ordinal)
      })
    else { return nil }
    guard call.closures.isEmpty, call.arguments.allSatisfy({ isQuiet($0.value) }) else {
      if keepsDefault(place) { error(Messages.earlyDefault, place.range) }
      return nil
    }
    return withDefault(place)
  }

  /// Whether what a place has is a struct, so that its default is kept where it is changed.
  mutating func keepsDefault(_ place: Expression) -> Bool {
    instanceClass(place).map { checker.classes[$0].isValue } ?? false
  }

  /// Whether a place has a default of its own on the way: then it is not looked at before its time.
  mutating func hasDefault(_ place: Expression) -> Bool {
    switch place.kind {
    case .member(let member): hasDefault(member.base)
    case .element(let access): access.fallback != nil
    default: false
    }
  }

  /// Assigns what a register has to what an expression names.
  mutating func store(
    _ register: Register, _ type: ValueType, to base: Expression, _ range: SourceRange
  ) {
    var target = base
    while true {
      switch target.kind {
      case .bind(let inner), .unwrap(let inner):
        target = inner
        continue
      default: break
      }
      break
    }
    let mark = scope.count
    lowerAssignment(target, nil, standIn(for: .register(register, type), range), range)
    scope.close(downTo: mark)
  }

  /// A new instance with the same in it; arrays and dictionaries in it are copied.
  private mutating func copy(
    of instance: Register, _ index: Int, _ range: SourceRange
  ) -> Register {
    let fresh = frame.allocate()
    emit(.instanceMake(fresh, ClassID(index), .none), range)
    let made = held(.register(fresh, checker.classes[index].type), range)
    let result = register(of: made, range)
    for number in checker.classes[index].fields.indices {
      let type = fieldType(index, number)
      let field = frame.allocate()
      emit(.fieldLoad(field, of: instance, Int32(number)), range)
      let mark = frame.temporaries.count
      if type.unwrapped.isCollection {
        emit(.arrayCopy(field, from: field), range)
        _ = held(.register(field, type), range)
      }
      emit(.fieldStore(result, Int32(number), from: field), range)
      releaseUsed(for: .void, from: mark, range)
    }
    return result
  }

  /// `self` of a struct as a value, where the code at hand changes it in place: a copy.
  mutating func ownCopy(_ made: Operand, _ range: SourceRange) -> Operand? {
    guard changesOwnValue, made.type == checker.classes[checker.ownClass].type,
      case .register(Register(0)) = made.location
    else { return nil }
    return .register(copy(of: Register(0), checker.ownClass, range), made.type)
  }

  // MARK: Mutating functions

  /// What a `mutating func` is called on: a copy in the place of a struct; the value of an `enum`, behind which
  /// what it is then is stored.
  mutating func mutationReceiver(
    _ object: inout Operand, _ ordinal: Int, _ base: Expression, _ call: CallSite
  ) -> CallReceiver {
    let runsCode = !call.closures.isEmpty || !call.arguments.allSatisfy { isQuiet($0.value) }
    guard checker.mutating.contains(ordinal), isValue(object.type) else {
      if runsCode { object = steady(object, base) }
      return .object(object)
    }
    let range = nameRange(of: call.callee)
    if isOwn(base) {
      if !changesOwnValue { error(Messages.notMutating, range) }
      return .object(object)
    }
    if case .name(let name) = base.kind, name == words.changed { return .object(object) }
    letGo(of: object, range)
    if runsCode {
      // The arguments come first: they may put another one into its place.
      object = .register(frame.pinned(), object.type)
      return .changed(object, base)
    }
    object = .register(changeableCopy(base, range), object.type)
    return .object(object)
  }

  /// Behind a call of a `mutating func` of an `enum`, or when that threw: its place gets what it has become.
  mutating func storeMutation(
    _ made: Operand, _ ordinal: Int, of object: Operand, _ base: Expression, _ range: SourceRange
  ) {
    let type = object.type
    guard checker.mutating.contains(ordinal) else { return }
    if case .name(let name) = base.kind, name == words.changed { return }
    guard case .choice = type else { return }
    if !isRepeatable(base) { error(Messages.repeatedPlace, base.range) }
    let register = frame.allocate()
    func storeResult(_ lowering: inout Lowering) {
      lowering.emit(.loadGlobal(register, lowering.mutationResult), range)
      lowering.store(register, type, to: base, range)
    }
    endScope(
      start: frame.lastCall, throwing: frame.throwing - 1, range, normal: storeResult,
      thrown: storeResult)
    frame.next = Int(register.index)
    keepFree(made)
  }

  /// The global in which a `mutating func` of an `enum` leaves what the value has become, for whoever called it.
  private var mutationResult: GlobalID {
    mutating get {
      if let known = statics.mutationResult { return known }
      program.globals.append(
        Global(
          name: "self", format: .string, isVariable: false, place: SourceRange(0, 0)))
      let made = GlobalID(program.globals.count - 1)
      statics.mutationResult = made
      return made
    }
  }

  /// In front of the body of a `mutating func` of an `enum`: `self` is a `var`, and all ways lead to one end.
  mutating func beginMutation(_ ordinal: Int, _ range: SourceRange) {
    guard isEnumMutation(ordinal), let own = scope.find(words.own) else { return }
    scope[own].meaning = .variable(Register(0))
    // Another call may come between, and both leave what they made in one place.
    if frame.asynchrony.suspending != .no { error(Messages.suspendingMutation, range) }
    let result = functions[ordinal].result
    let end = Statics.MutationEnd(
      exit: frame.label(), result: frame.pinned(), start: frame.code.count,
      throwing: frame.throwing)
    frame.enterReturn(
      Frame.Return(type: result, register: end.result, exit: end.exit, lives: lifeMark))
    statics.mutationEnd = end
  }

  /// Behind that body.
  mutating func endMutation(_ ordinal: Int, _ range: SourceRange) {
    guard isEnumMutation(ordinal), let end = statics.mutationEnd else { return }
    statics.mutationEnd = nil
    let result = functions[ordinal].result
    frame.leaveReturn()
    frame.mark(end.exit)
    func storeResult(_ lowering: inout Lowering) {
      lowering.emit(.storeGlobal(lowering.mutationResult, from: Register(0)), range)
    }
    endScope(start: end.start, throwing: end.throwing, range) { lowering in
      storeResult(&lowering)
      if result.isVoid { return }
      lowering.emit(.finishWith(end.result), range)
      lowering.frame.isReachable = false
    } thrown: {
      storeResult(&$0)
    }
  }

  private func isEnumMutation(_ ordinal: Int) -> Bool {
    guard checker.mutating.contains(ordinal), checker.ownClass >= 0,
      case .choice = checker.classes[checker.ownClass].type
    else { return false }
    return true
  }

  /// `self = value` in a `mutating func` or an `init` of a struct: all that is in it; false for anything else.
  mutating func assignOwn(_ expression: Expression, _ range: SourceRange) -> Bool {
    guard changesOwnValue else { return false }
    let index = checker.ownClass
    let made = coerce(
      value(expression, expecting: checker.classes[index].type), to: checker.classes[index].type,
      expression.range)
    if made.type.isUnknown { return true }
    let from = copy(of: register(of: made, range), index, range)
    for number in checker.classes[index].fields.indices {
      let field = frame.allocate()
      emit(.fieldLoad(field, of: from, Int32(number)), range)
      emit(
        initialization == nil
          ? .fieldWrite(Register(0), Int32(number), from: field)
          : .fieldStore(Register(0), Int32(number), from: field), range)
      initialization?.assigned.insert(number)
    }
    return true
  }
}
