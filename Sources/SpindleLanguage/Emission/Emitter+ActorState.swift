import SpindleModel

/// What an actor's own code looks at and changes of the collections that its properties hold, by their keys.
///
/// Where it waits in between, others may have changed the same: see the finding `actorReentrancy`.
extension Emitter {
  /// What was read last of a property is a look at one key.
  func noteLook(at place: Place, key: Register, _ range: SourceRange) {
    guard let (actor, number) = ownState(place) else { return }
    emit(.actorUse(of: actor, number, key: key, isChange: false), range)
  }

  /// The same for a value that is read from where it is.
  func noteLook(at value: Typed.Expression?, key: Register, _ range: SourceRange) {
    if let place = ownPlace(value) { noteLook(at: place, key: key, range) }
  }

  /// The place that a value is read from, if that may be a property of the actor on which the code runs.
  private func ownPlace(_ value: Typed.Expression?) -> Place? {
    if case .local(let local)? = value?.kind,
      case .place(let place)? = storages[ObjectIdentifier(local)]
    {
      return place
    }
    guard let value, case .field(let base, let variable) = value.kind, !variable.isLet,
      let owner = variable.owner, owner.kind == .actor, case .local(let own) = base.kind,
      own.isSelf,
      case .register(let register, _, _)? = storages[ObjectIdentifier(own)]
    else { return nil }
    return .field(register, fieldNumber(variable, owner), isVariable: true)
  }

  /// What was read last of a property, an array, is a look for one element.
  func noteLook(
    for element: Register, _ type: SwiftType, in array: Typed.Expression?, _ range: SourceRange
  ) {
    guard isWordKey(type), let place = ownPlace(array), ownState(place) != nil,
      let key = elementKey(element, type, in: place, range)
    else { return }
    noteLook(at: place, key: key, range)
  }

  /// An element as a key that is no index, for an array that a property of an actor holds; nil for any other array.
  func elementKey(
    _ element: Register, _ type: SwiftType, in place: Place, _ range: SourceRange
  ) -> Register? {
    guard isWordKey(type), ownState(place) != nil else { return nil }
    let key = allocate()
    let mark = constant(0x3C5A << 48, range)
    emit(.bitXor(key, element, mark), range)
    return key
  }

  /// What is read next of a property is changed in place, at a key where one is given, and is no look.
  func noteChange(in place: Place, key: Register?, _ range: SourceRange) {
    guard let (actor, number) = ownState(place) else { return }
    let next = code.frame.next
    let part = key ?? constant(noValue, range)
    emit(.actorUse(of: actor, number, key: part, isChange: true), range)
    code.frame.next = next
  }

  /// The variable that a place is of the actor on which the code runs; nil for any other place.
  private func ownState(_ place: Place) -> (actor: Register, number: Int32)? {
    guard !isInitializing, case .field(let instance, let number, isVariable: true) = place,
      case .symbol(let own) = code.frame.asynchrony.home, register(of: own) == instance
    else { return nil }
    return (instance, number)
  }
}
