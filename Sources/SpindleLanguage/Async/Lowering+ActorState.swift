import SpindleModel

/// What an actor's own code looks at and changes of the collections that its members hold, by their keys.
///
/// Where it waits in between, others may have changed the same: see the finding `actorReentrancy`.
extension Lowering {
  /// The number of the member that an expression names, of the actor whose code this is; nil for anything else.
  mutating func ownState(_ expression: Expression) -> Int? {
    guard checker.ownClass >= 0, checker.classes[checker.ownClass].isActor else { return nil }
    let info = checker.classes[checker.ownClass]
    var number: Int?
    switch plain(expression).kind {
    case .name(let name) where find(name) == nil: number = info.field(name)
    case .member(let member) where isOwn(member.base): number = info.field(member.name)
    default: break
    }
    guard let number, info.fields[number].isVariable, !isInitializing(true) else { return nil }
    return number
  }

  /// What was read last of a member is a look at one key.
  mutating func noteLook(at base: Expression, key: Register, _ range: SourceRange) {
    guard let number = ownState(base) else { return }
    let own = register(of: value(arena.named(words.own, base.range)), base.range)
    emit(.actorUse(of: own, Int32(number), key: key, isChange: false), range)
  }

  /// What was read last of a member, an array, is a look for one element.
  mutating func noteLook(at base: Expression, element: Register, _ range: SourceRange) {
    if ownState(base) != nil { noteLook(at: base, key: elementKey(element, range), range) }
  }

  /// What is read next of a variable, an array, gets one element more.
  mutating func noteChange(in place: ArrayPlace, element: Register, _ range: SourceRange) {
    guard case .field(_, let type, _) = place.kind, checker.classes[type].isActor else {
      return noteChange(in: place, range)
    }
    noteChange(in: place, key: elementKey(element, range), range)
  }

  /// An element as a key that is no index.
  private mutating func elementKey(_ element: Register, _ range: SourceRange) -> Register {
    let (mark, key) = (frame.allocate(), frame.allocate())
    emit(.constant(0x3C5A << 48, to: mark), range)
    emit(.bitXor(key, element, mark), range)
    return key
  }

  /// What is read next of a variable is changed in place, at a key where one is given, and is no look.
  mutating func noteChange(in place: ArrayPlace, key: Register? = nil, _ range: SourceRange) {
    switch place.kind {
    case .field(_, let type, let number):
      guard checker.classes[type].isActor, let instance = place.instance else { return }
      noteChange(of: number, instance, key, range)
    case .entry(let dictionary, _, _): noteChange(in: dictionary, key: place.entry?.key, range)
    case .symbol: break
    }
  }

  /// The same of a value that a member has, of which a part is changed.
  mutating func noteChange(ofPartOf base: Expression, _ range: SourceRange) {
    guard changesBlindly, let number = ownState(base) else { return }
    let own = register(of: value(arena.named(words.own, base.range)), base.range)
    noteChange(of: number, own, nil, range)
  }

  private mutating func noteChange(
    of number: Int, _ instance: Register, _ key: Register?, _ range: SourceRange
  ) {
    if isInitializing(instance.index == 0) { return }
    let part = key ?? frame.allocate()
    if key == nil { emit(.constant(noValue, to: part), range) }
    emit(.actorUse(of: instance, Int32(number), key: part, isChange: true), range)
  }
}
