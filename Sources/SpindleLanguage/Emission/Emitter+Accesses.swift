import SpindleModel

/// Formal accesses: each change of a place reads its root once and writes it once.
///
/// An access begins behind the evaluation of all operands and ends when the change is done, as in Swift (the ownership
/// manifesto's "formal access", enforced by SE-0176). What is on the way to the part that changes is written from the
/// inside out.
extension Emitter {
  /// The value of a place while it is changed.
  struct Access {
    /// Where the value is meanwhile.
    var register: Register
    /// What is written at the end, innermost first.
    var steps: [Step]

    struct Step {
      var register: Register
      /// What the register owns until the change is done.
      var kind: LifeKind?
      var type: SwiftType
      var place: Place
      /// The value before the change, which an observer is given.
      var old: Register?
    }
  }

  /// A chain whose parts are evaluated: where it goes on when one of them is nil.
  struct Chain {
    var exit: Frame.Label
    /// The accesses that have begun in it, and end with it.
    var accesses: [(access: Access, value: Typed.Expression)] = []
    /// The first register that is free while the accesses last.
    var mark = 0
    /// Where the last of them began, for errors that are thrown while they last.
    var start = 0
    var throwing = 0
    /// The parts that were changed and may be nil, with the number of accesses that have begun there.
    var ends: [(label: Frame.Label, count: Int)] = []
  }

  /// Frees registers from `next` on, but those that accesses of a chain need.
  func free(from next: Int) {
    code.frame.next = chains.reduce(next) { max($0, $1.mark) }
  }

  /// Frees registers behind the value of an expression, which is pinned where it is counted.
  func free(behind result: Register, _ next: Int) {
    code.frame.next = code.frame.isPinned(result) ? next : Int(result.index) + 1
  }

  /// Does what changes places, and ends the accesses that have begun in it.
  func inChain(_ range: SourceRange, _ body: () -> Void) {
    chains.append(Chain(exit: code.frame.label()))
    body()
    endChain(chains.removeLast(), range)
  }

  /// Prepares a place that is about to be changed.
  func prepareToChange(_ value: Typed.Expression) -> Place {
    let outer = isChanging
    isChanging = true
    defer { isChanging = outer }
    return prepare(value)
  }

  /// What an optional in a chain holds: the access to it begins before it is asked whether it is nil.
  func boundPlace(_ place: Place, _ inner: Typed.Expression, _ range: SourceRange) -> Place {
    let type = concrete(inner.type)
    let wrapped = type.wrapped ?? .error
    guard !chains.isEmpty else { return .forced(place, wrapped: wrapped) }
    let last = chains.count - 1
    guard isChanging else {
      jump(ifNil: true, load(place, inner), to: chains[last].exit, range)
      return .forced(place, wrapped: wrapped)
    }
    let access = beginAccess(place, type, inner)
    if access.steps.isEmpty {
      jump(ifNil: true, access.register, to: chains[last].exit, range)
    } else {
      chains[last].accesses.append((access, inner))
      noteStart()
      let label = code.frame.label()
      chains[last].ends.append((label, chains[last].accesses.count))
      jump(ifNil: true, access.register, to: label, range)
    }
    return .forced(.register(access.register), wrapped: wrapped)
  }

  /// What an optional holds that has to have a value: a change looks for that behind its operands.
  func forcedPlace(
    _ place: Place, _ inner: Typed.Expression, _ wrapped: SwiftType, _ range: SourceRange
  ) -> Place {
    if isChanging { return .needed(place, wrapped: wrapped, range) }
    checkPresent(load(place, inner), range)
    return .forced(place, wrapped: wrapped)
  }

  /// Ends the process where an optional is nil.
  func checkPresent(_ optional: Register, _ range: SourceRange) {
    let present = code.frame.label()
    jump(ifNil: false, optional, to: present, range)
    crash("Unexpectedly found nil while unwrapping an Optional value", range)
    code.frame.mark(present)
  }

  private func noteStart() {
    let last = chains.count - 1
    chains[last].mark = code.frame.next
    (chains[last].start, chains[last].throwing) = (code.frame.code.count, code.frame.throwing)
  }

  /// Ends a chain: the accesses in it end, also where one of its parts is nil.
  func endChain(_ chain: Chain, _ range: SourceRange) {
    let (end, count) = (code.frame.code.count, chain.accesses.count)
    endAccesses(chain, count)
    if count > 0, code.frame.throwing > chain.throwing {
      onThrow(from: chain.start, to: end, range) { endAccesses(chain, count) }
    }
    if !chain.ends.isEmpty, code.frame.isReachable {
      code.frame.jump(chain.exit, expansion ?? range)
    }
    for (label, count) in chain.ends {
      code.frame.mark(label)
      endAccesses(chain, count)
      code.frame.jump(chain.exit, expansion ?? range)
    }
    code.frame.mark(chain.exit)
  }

  private func endAccesses(_ chain: Chain, _ count: Int) {
    for (access, value) in chain.accesses.prefix(count).reversed() { endAccess(access, value) }
  }

  /// Begins to change a place whose type is `type`.
  func beginAccess(
    _ place: Place, _ type: SwiftType, _ value: Typed.Expression, key: Register? = nil
  ) -> Access {
    let range = value.range
    noteChange(in: place, key: key, range)
    switch place {
    case .register(let register), .value(let register):
      return Access(register: register, steps: [])
    case .unretained(let inner, _, _):
      return access(
        borrow(place, value), .unretained(inner, isWeak: true, type), [], type, range)
    case .box, .global, .field, .row, .lazy:
      return access(borrow(place, value, toChange: true), place, [], type, range)
    case .observed(let observation): return beginAccess(observation, type, value)
    case .computed(let call, let receiver, let arguments, let own):
      guard let receiver, case .function(let getter) = call.callee,
        getter.setter?.changesSelf == true, let object = call.receiver
      else { return takingOver(borrow(place, value, toChange: true), place, [], type, range) }
      let outer = beginAccess(receiver, concrete(object.type), object)
      let inner = Place.computed(
        call, receiver: .register(outer.register), arguments: arguments, type: own)
      return takingOver(borrow(inner, value), inner, outer.steps, type, range)
    case .part(let whole, let number, let count, let owner):
      let outer = beginAccess(whole, owner, value)
      let inner = Place.part(.register(outer.register), number: number, count: count, of: owner)
      return accessOfPart(borrow(inner, value), inner, outer.steps, type, range)
    case .element(let array, let index, let owner):
      let outer = beginAccess(array, owner, value)
      let inner = Place.element(.register(outer.register), index: index, array: owner)
      return accessOfPart(borrow(inner, value), inner, outer.steps, type, range)
    case .entry(let dictionary, let key, let owner):
      let outer = beginAccess(dictionary, owner, value, key: key)
      let inner = Place.entry(.register(outer.register), key: key, dictionary: owner)
      return accessOfPart(borrow(inner, value), inner, outer.steps, type, range)
    case .forced(let optional, let wrapped):
      let outer = beginAccess(optional, known.optional(wrapped), value)
      let inner = Place.forced(.register(outer.register), wrapped: wrapped)
      return access(borrow(inner, value), inner, outer.steps, type, range)
    case .needed(let optional, let wrapped, let sign):
      let outer = beginAccess(optional, known.optional(wrapped), value)
      checkPresent(outer.register, sign)
      let inner = Place.forced(.register(outer.register), wrapped: wrapped)
      return access(borrow(inner, value), inner, outer.steps, type, range)
    }
  }

  private func access(
    _ current: Register, _ place: Place, _ outer: [Access.Step], _ type: SwiftType,
    _ range: SourceRange
  ) -> Access {
    let (register, kind) = accessRegister(type)
    assign(register, from: current, type, range)
    return Access(
      register: register,
      steps: [Access.Step(register: register, kind: kind, type: type, place: place)] + outer)
  }

  /// A register for the value of a place while that is changed, and what it owns.
  func accessRegister(_ type: SwiftType) -> (register: Register, kind: LifeKind?) {
    guard let kind = lifeKind(type) else { return (allocate(), nil) }
    return (code.frame.owner(kind).register, kind)
  }

  /// A collection in a value has another owner as well: it is copied.
  private func accessOfPart(
    _ current: Register, _ place: Place, _ outer: [Access.Step], _ type: SwiftType,
    _ range: SourceRange
  ) -> Access {
    guard isCollection(type) else { return access(current, place, outer, type, range) }
    return takingOver(copy(current, type, range), place, outer, type, range)
  }

  /// An access that alone has a new value, so that what the change replaces in it dies at once.
  private func takingOver(
    _ current: Register, _ place: Place, _ outer: [Access.Step], _ type: SwiftType,
    _ range: SourceRange
  ) -> Access {
    let made = access(current, place, outer, type, range)
    if let last = code.frame.temporaries.last, last.register == current {
      endTemporaries(from: code.frame.temporaries.count - 1, range)
    }
    return made
  }

  /// Lets the box that a call is given alone have the value of a place, so that what the call replaces in it dies at once.
  ///
  /// Swift changes the value where it is. What reads the place meanwhile breaks the law of exclusivity (SE-0176).
  func vacate(_ access: Access, _ range: SourceRange) {
    for (outer, _) in chains.last?.accesses ?? [] { vacatePlaces(of: outer, range) }
    vacatePlaces(of: access, range)
    guard let kind = access.steps.first?.kind else { return }
    emit(.release(access.register, kind), range)
  }

  /// Lets the registers of an access alone have the values of its places.
  func vacatePlaces(of access: Access, _ range: SourceRange) {
    for step in access.steps.reversed() where step.kind != nil {
      vacate(step.place, step.type, range)
    }
  }

  private func vacate(_ place: Place, _ type: SwiftType, _ range: SourceRange) {
    let next = code.frame.next
    switch place {
    case .box(let box, _):
      guard let none = placeholder(type, range) else { return }
      emit(.fieldStore(box, 0, from: none), range)
    case .field(let instance, let number, _):
      guard let none = placeholder(type, range) else { return }
      emit(.fieldStore(instance, number, from: none), range)
    case .global(let global, _):
      guard let none = placeholder(type, range), let kind = lifeKind(type) else { return }
      let former = allocate()
      emit(.loadGlobal(former, global), range)
      emit(.storeGlobal(global, from: none), range)
      emit(.release(former, kind), range)
    case .part(.register(let whole), let number, let count, let owner):
      guard let none = placeholder(type, isCopied: true, range) else { return }
      storePart(none, in: whole, number, count, owner, range)
    case .element(.register(let array), let index, _):
      guard let none = placeholder(type, isCopied: true, range) else { return }
      emit(.arraySet(array, index: index, value: none), range)
    case .entry(.register(let dictionary), let key, let owner):
      guard let none = placeholder(type, isCopied: true, range) else { return }
      let key = known(key, in: dictionary, owner.arguments[0], range)
      emit(.entrySet(dictionary, key: key, value: none), range)
    case .forced(.register(let target), let wrapped):
      let none = constant(noValue, range)
      assign(target, from: none, known.optional(wrapped), range)
    case .observed(let observation):
      guard !observation.takesOld, observation.variable.willSet == nil else { return }
      vacate(observation.stored, type, range)
    case .register, .value, .part, .element, .entry, .forced, .needed, .computed, .row, .lazy,
      .unretained:
      return
    }
    code.frame.next = next
  }

  /// What a place has while its value is elsewhere: nil for what keeps its value, since it is changed in place or is called.
  private func placeholder(
    _ type: SwiftType, isCopied: Bool = false, _ range: SourceRange
  ) -> Register? {
    if isCollection(type) { return isCopied ? makeCollection(type, range) : nil }
    if type.wrapped != nil || isInstance(type) { return constant(noValue, range) }
    return nil
  }

  /// Ends the change of a place.
  func endAccess(_ access: Access, _ value: Typed.Expression) {
    for step in access.steps {
      if case .observed(let observation) = step.place {
        store(step.register, in: observation, old: step.old, value)
      } else {
        store(step.register, in: step.place, value)
      }
    }
    for step in access.steps {
      if let kind = step.kind { emit(.release(step.register, kind), value.range) }
    }
  }

  /// Changes a place by code that is given the register with its value.
  func modify(
    _ place: Place, _ type: SwiftType, _ value: Typed.Expression, key: Register? = nil,
    _ body: (Register) -> Void
  ) {
    let access = beginAccess(place, type, value, key: key)
    body(access.register)
    endAccess(access, value)
  }

  /// Does `finish` behind `body`, whether that ends or throws.
  func ending(
    _ range: SourceRange, finish: () -> Void, _ body: () -> Register
  ) -> Register {
    let (start, throwing) = (code.frame.code.count, code.frame.throwing)
    let result = body()
    let end = code.frame.code.count
    finish()
    if code.frame.throwing > throwing { onThrow(from: start, to: end, range, finish) }
    return result
  }
}
