import SpindleModel

/// Calls of members: of objects, of types, of plain values.
extension Lowering {
  /// What a `catch` asks of what was thrown; nil for any other member.
  private mutating func thrownCall(
    _ base: Expression, _ name: Word, _ call: CallSite, target: Register?
  ) -> Operand? {
    switch name {
    case words.isThrown: isThrown(base, call, target: target)
    case words.isThrownAs: isThrownAs(base, call, target: target)
    case words.mayBeThrown: thrownCase(base, call)
    case words.whatIsThrown: whatIsThrown(base, call)
    case words.isOfType, words.asType: cast(base, name, call, target: target)
    default: nil
    }
  }

  mutating func callMember(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand {
    let (base, name, nameRange) = (member.base, member.name, member.nameRange)
    if let done = thrownCall(base, name, call, target: target) { return done }
    if let done = callOfTask(member, call, isUsed: isUsed, target: target) { return done }
    if name == words.initializer, let type = typeToMake(base) {
      return lowerCall(renamed(call, type), isUsed: isUsed, expecting: nil, target: target)
    }
    if checker.isFree(base),
      let done = callFree(member, call, naming, isUsed: isUsed, target: target)
    {
      return done
    }
    if let done = callThrough(member, call, isUsed: isUsed, target: target) { return done }
    if let done = changePlace(base, name, nameRange, call, isUsed: isUsed, target: target)
      ?? changeRow(base, name, nameRange, call, naming, isUsed: isUsed, target: target)
    {
      return done
    }
    if case .range(let bounds) = base.kind {
      return callPlain(numbers(in: bounds.value, base.range), name.text, call, target: target)
    }
    if name == words.initializer, checker.ownClass >= 0 { return callInitializer(base, call) }
    if let refused = refuseCase(name, of: base, nameRange, call) { return refused }
    if let done = callAbove(member, call, naming, isUsed: isUsed, target: target) { return done }
    let window = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let made = value(base, target: window)
    if let mapped = mapped(made, name, call) { return mapped }
    var object = unwrap(made, base.range)
    if case .instance(let className) = object.type {
      let index = checker.classes.index(of: className)
      if let done = callMethod(object, index, name, call, isUsed: isUsed, target: target) {
        return done
      }
      if let done = isolated(object, index, name, call, isUsed: isUsed, target: target) {
        return done
      }
      askForState(base, name, index, call, nameRange)
      guard let parent = parent(of: object, base.range) else {
        walkStray(call)
        return refuseMember(name, ofClass: index, nameRange)
      }
      object = parent
    }
    if let done = changeCopy(of: object, base, name.text, call, isUsed: isUsed, target: target) {
      return done
    }
    if case .choice(let className) = object.type,
      let index = checker.classes.members(ofEnum: className),
      let done = callMethod(object, index, name, call, isUsed: isUsed, target: target)
    {
      return done
    }
    return callMember(
      of: Receiver(object: object, window: window), member, call, naming, isUsed: isUsed,
      target: target)
  }

  /// `Task<Int, Never>.detached { }`, of which is wanted what the type says, or `$id.withValue(3) { }`; nil for any other
  /// member.
  private mutating func callOfTask(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    if member.name == "withValue" {
      return withValue(ofLocal: member.base, call, isUsed: isUsed, target: target)
    }
    guard case .specialized(let type, let types) = member.base.kind, type == words.task,
      !types.isEmpty
    else { return nil }
    let plain = arena.member(
      member.name, of: arena.named(type, member.base.range), member.nameRange)
    let wanted = checker.genericType(type, types)
    return lowerCall(renamed(call, plain), isUsed: isUsed, expecting: wanted, target: target)
  }

  /// In front of what tells or asks of an operation's state: that which its class computes itself.
  private mutating func askForState(
    _ base: Expression, _ name: Word, _ index: Int, _ call: CallSite, _ range: SourceRange
  ) {
    if name == "didChangeValue" { publishState(base, index, call, range) }
    if name == "waitUntilFinished" { askBeforeWait(base, index, range) }
  }

  /// The type in front of `.init`, whose name means nothing else here; nil for anything else.
  private mutating func typeToMake(_ base: Expression) -> Expression? {
    guard case .name(let type) = base.kind, find(type) == nil, type != words.own,
      type != words.parent,
      vocabulary.type(type) != nil || checker.classes.index(of: type) != nil
    else { return nil }
    return base
  }

  /// A call that changes what a place has: a collection that is kept there, or a struct in a dictionary, put there first; nil
  /// for any other.
  private mutating func changePlace(
    _ base: Expression, _ name: Word, _ nameRange: SourceRange, _ call: CallSite, isUsed: Bool,
    target: Register?
  ) -> Operand? {
    if let place = arrayPlace(base) {
      return place.type.isArray
        ? changeArray(base, name.text, call, isUsed: isUsed, target: target)
        : changeEntries(place, base, name.text, call, isUsed: isUsed)
    }
    guard hasDefault(base), let place = placeToMutate(base, name, call) else { return nil }
    let changed = arena.member(name, of: place, nameRange)
    return lowerCall(renamed(call, changed), isUsed: isUsed, expecting: nil, target: target)
  }

  /// A call of a member of a value that is there.
  private mutating func callMember(
    of receiver: Receiver, _ member: Node<Expression.MemberAccess>, _ call: CallSite,
    _ naming: Naming, isUsed: Bool, target: Register?
  ) -> Operand {
    let (base, name, nameRange) = (member.base, member.name, member.nameRange)
    let object = receiver.object
    switch object.type {
    case .unknown:
      walkStray(call)
      return .unknown
    case .generic(.unfair, let element) where name == "withLock" || name == "withLockUnchecked":
      return withValue(of: object, element.type, call, isUsed: isUsed, target: target)
    case .generic(.unfair, let element) where name == "withLockIfAvailable":
      return withValueIfAvailable(of: object, element.type, call, isUsed: isUsed)
    case .handle(.unfair) where name == "withLockIfAvailable":
      return withValueIfAvailable(of: object, nil, call, isUsed: isUsed)
    case .generic(.continuation, _) where isResumedWith(name, call),
      .handle(.continuation) where isResumedWith(name, call):
      return resume(object, with: call)
    case .generic(.taskGroup, let element) where isAwaitedSum(name, call),
      .generic(.asyncStream, let element) where isAwaitedSum(name, call):
      return awaitedSum(object, of: element.type, call)
    case .generic(.asyncStream, let element)
    where name == "makeAsyncIterator" || name == "next":
      return iterate(receiver, element.type, name, call, target: target)
    case .handle(let handle), .generic(let handle, _):
      let index = Int(handle.rawValue)
      checkCancel(handle, name, base, nameRange)
      let found = forms.meaning(
        of: name, in: .passUnretained(vocabulary.instances[index]), call, &checker)
      guard let meaning = found else {
        walkStray(call)
        let members = vocabulary.instances[index]
        // Both `Mutex(0)` and `OSAllocatedUnfairLock(initialState: 0)` are of this type.
        var owner = handle.name
        if case .generic(.unfair, _) = object.type { owner = "a lock around a value" }
        return refuseMember(name.text, of: owner, members, nameRange)
      }
      let named = base.named
      if meaning.member._withUnsafeGuaranteedRef({ $0.traits.contains(.locks) }) {
        usage.noteLocking(named, nameRange, &checker)
      }
      if usage.watchesMembers { usage.noteMember(name, of: named, &checker) }
      if handle == .queue { usage.checkBarrier(named, call, &checker) }
      if handle == .operation { usage.checkOperation(name, of: named, nameRange, &checker) }
      return callMember(
        meaning, receiver, call, naming, isUsed: isUsed, target: target)
    case .symbol(.clock):
      return clockCall(name, nameRange, call, object, isUsed: isUsed, target: target)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .choice,
      .instance, .optionalOf, .arrayOf, .dictionaryOf, .setOf, .functionOf, .void, .null:
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
      let made = random(
        checker.plainType(typeName.text) == .decimal ? "Decimal" : typeName.text, call,
        target: target)
    {
      return made
    }
    if let made = isolationCall(base, name, call, isUsed: isUsed, target: target) { return made }
    guard let family = checker.family(base) else { return nil }
    walkStray(call)
    let made = implicit(name.text, family.type, target: nil, nameRange)
    return made.type.isUnknown ? made : refuse(Messages.notAFunction(name.text), nameRange)
  }

  /// A call of a member of a value that is no object.
  private mutating func callPlain(
    _ object: Operand, _ name: String, _ call: CallSite, target: Register?
  ) -> Operand {
    var (made, object): (Operand?, Operand) = (nil, object)
    if object.type.isCollection,
      !call.closures.isEmpty || !call.arguments.allSatisfy({ isQuiet($0.value) }),
      case .member(let member) = call.callee.kind
    {
      object = steady(object, member.base)
    }
    if object.type == .boolean, name == "toggle", call.arguments.isEmpty, call.closures.isEmpty,
      case .member(let member) = call.callee.kind
    {
      if !isRepeatable(member.base) { error(Messages.repeatedPlace, member.base.range) }
      let other = arena.expression(kind: .prefix(.not, member.base), range: call.range)
      lowerAssignment(member.base, nil, other, call.range)
      return .void
    }
    switch object.type {
    case .arrayOf(let element): made = arrayCall(object, element.type, name, call)
    case .dictionaryOf, .setOf: made = entriesCall(object, name, call)
    default: made = plainCall(object, name, call, target: target)
    }
    if let made { return made }
    walkStray(call)
    return refuseMember(name, of: object.type, nameRange(of: call.callee))
  }

  /// A call of a static function, or of a list of names as if it made one: `RunLoop.Mode("x")`.
  mutating func callStatic(
    _ name: Word, of type: TypeEntry, _ call: CallSite, _ naming: Naming, isUsed: Bool,
    target: Register?
  ) -> Operand {
    if let meaning = forms.meaning(of: name, in: .passUnretained(type.statics), call, &checker) {
      return callMember(meaning, nil, call, naming, isUsed: isUsed, target: target)
    }
    if let family = checker.family(call.callee) { return makeSymbol(family, call, target: target) }
    if name == "makeStream" { return refuse(Messages.streamForm, call.callee.range) }
    walkStray(call)
    return refuseMember(name.text, of: type.name, type.statics, nameRange(of: call.callee))
  }
}

/// The object that a method is called on, and the register at which its window may begin.
struct Receiver {
  var object: Operand
  var window: Register
}
