import SpindleModel

/// A key under which a value of any type is kept.
struct StoredKey: Hashable {
  /// What keeps the value: a thread's dictionary, or what rows like `setSpecific` are about.
  enum Store { case thread, specific }

  var store: Store
  /// A word of the lowering's own.
  var key: Word
}

/// What a walk knows of the values that are kept under keys.
struct StoredValues {
  /// The types of the values.
  var types: [StoredKey: ValueType] = [:]
  /// The tree, until it is searched for such values.
  var unsearched: SyntaxTree?
  /// Whether the walk is over a part of the tree, and something asked for what is in the rest.
  private(set) var needsWholeTree = false

  /// The tree to search, once; nil when it has been searched, or when there is only a part of it.
  mutating func takeTree() -> SyntaxTree? {
    if unsearched == nil { needsWholeTree = true }
    defer { unsearched = nil }
    return unsearched
  }

  /// Notes that something can be done only when all has been read.
  mutating func needTree() { needsWholeTree = true }
}

/// Values that are kept under keys; the first value in the text gives a key its type.
extension Lowering {
  // MARK: Thread dictionaries

  /// The thread whose dictionary `expression` means, nil when it means something else.
  func dictionaryOwner(_ expression: Expression) -> Expression? {
    guard case .member(let member) = expression.kind, member.name == "threadDictionary" else {
      return nil
    }
    return member.base
  }

  /// The value that a thread's dictionary has.
  mutating func dictionaryValue(
    _ owner: Expression, _ key: Expression, target: Register?, _ range: SourceRange
  ) -> Operand {
    let base = target.flatMap { frame.isLast($0) ? $0 : nil } ?? frame.allocate()
    let first = Int(base.index)
    guard let name = dictionaryWindow(owner, key, base) else { return .unknown }
    emit(.perform(.thread(.dictionaryGet), base: base, noSite), range)
    frame.next = first + 1
    return finishWindow(base, .optional(storedType(name)), target: target, range)
  }

  /// Puts thread and key into the window at `base`; gives the key, nil when that was refused.
  private mutating func dictionaryWindow(
    _ owner: Expression, _ key: Expression, _ base: Register
  ) -> StoredKey? {
    let object = unwrap(value(owner, target: base), owner.range)
    let thread = coerce(object, to: .handle(.thread), owner.range)
    place(thread, in: base, owner.range)
    frame.next = Int(base.index) + 1
    let register = frame.allocate()
    let made = coerce(value(key, expecting: .string, target: register), to: .string, key.range)
    place(made, in: register, key.range)
    frame.next = Int(register.index) + 1
    guard thread.type != .unknown else { return nil }
    return storedKey(made, .thread, key.range)
  }

  /// Stores a value in a thread's dictionary; the first value in the text gives a key its type.
  mutating func assignDictionary(
    _ owner: Expression, _ key: Expression, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) {
    if let operation {
      error(Messages.compoundDictionary(operation.rawValue), range)
      _ = value(expression, expecting: .unknown)
      return
    }
    let base = frame.allocate()
    guard let name = dictionaryWindow(owner, key, base) else {
      _ = value(expression, expecting: .unknown)
      return
    }
    let register = frame.allocate()
    store(expression, under: name, in: register)
    emit(.perform(.thread(.dictionarySet), base: base, noSite), range)
  }

  // MARK: Keys

  /// The key that `made` is, which must be known before the run.
  mutating func storedKey(
    _ made: Operand, _ store: StoredKey.Store, _ range: SourceRange
  ) -> StoredKey? {
    guard !made.type.isUnknown else { return nil }
    guard let name = made.constant else {
      error(store == .thread ? Messages.computedKey : Messages.computedSpecificKey, range)
      return nil
    }
    return StoredKey(store: store, key: code.word(names[Int(name)]))
  }

  /// The type of the values under a key, unknown when nothing is stored with it.
  mutating func storedType(_ key: StoredKey) -> ValueType {
    if storedValues.types[key] == nil { findStoredTypes() }
    return storedValues.types[key] ?? .unknown
  }

  /// Evaluates a value that is kept under a key, or `nil`, into `register`.
  mutating func store(_ expression: Expression, under key: StoredKey?, in register: Register) {
    guard let key else {
      _ = value(expression, expecting: .unknown)
      return
    }
    let known = storedValues.types[key].flatMap { $0 == .unknown ? nil : $0 }
    var made = value(expression, expecting: known, target: register)
    if let known {
      made = coerce(made, to: .optional(known), expression.range)
    } else if made.type != .null {
      made = storable(made, expression.range)
      storedValues.types[key] = made.type.unwrapped
    }
    place(kept(made, isVariable: true), in: register, expression.range)
    // What is kept under a key is never let go of here.
    if let life = lifeKind(made.type) { emit(.keep(register, life), expression.range) }
  }
}
