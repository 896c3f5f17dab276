import SpindleModel

/// Variables that hold arrays, dictionaries and sets, which are changed where they are: names, fields of
/// instances, and values of dictionaries.
extension Lowering {
  /// A variable that holds an array, a dictionary or a set.
  struct ArrayPlace {
    /// What it is.
    enum Kind {
      case symbol(Int32)
      /// A field of the instance that an expression is.
      case field(of: Expression, type: Int, number: Int)
      /// The value of a key in a dictionary that a variable holds, and what is done where there is none.
      indirect case entry(ArrayPlace, Expression.ElementAccess, MissingEntry)
    }

    var kind: Kind
    var type: ValueType
    /// What is done where it is nil; nil for one that always holds something.
    var absence: MissingEntry?
    /// The instance whose field it is, as soon as that is known.
    var instance: Register?
    /// Whether that is a copy of a struct, made when all else is known that the change needs: what is in its place then counts.
    var isCopied = false
    /// Whether there may be nothing in it, and what stands behind it is then left alone.
    var mayBeMissing: Bool {
      if case .entry(_, _, .ends) = kind { return true }
      return absence != nil
    }
    /// The registers of the dictionary and of the key whose value it is, as soon as these are known.
    var entry: (dictionary: Register, key: Register)?
  }

  /// The variable that an expression names when it holds an array.
  mutating func arrayPlace(_ expression: Expression) -> ArrayPlace? {
    switch plain(expression).kind {
    case .name(let name):
      if let index = find(name) {
        guard scope[index].type.isCollection else { return nil }
        if case .cell = scope[index].meaning {
          return arrayField(cellAccess(index, expression.range))
        }
        return ArrayPlace(kind: .symbol(index), type: scope[index].type)
      }
      guard checker.ownClass >= 0, let own = ownMember(name, expression.range) else { return nil }
      if case .member(let member) = own.kind { return arrayField(member) }
      return arrayPlace(own)
    case .member(let member): return checker.classes.isEmpty ? nil : arrayField(member)
    case .element(let access) where access.fallback != nil:
      return entryPlace(access.value, .takesDefault)
    case .bind(let inner): return optionalPlace(inner, .ends)
    case .unwrap(let inner): return optionalPlace(inner, .crashes)
    default: return nil
    }
  }

  /// The variable in front of a `?` or `!`, when it may hold an array.
  private mutating func optionalPlace(
    _ inner: Expression, _ absence: MissingEntry
  ) -> ArrayPlace? {
    switch plain(inner).kind {
    case .element(let access): return entryPlace(access.value, absence)
    case .name(let name):
      if let index = find(name) {
        guard case .optionalOf(let held) = scope[index].type, held.type.isCollection else {
          return nil
        }
        if case .cell = scope[index].meaning {
          return arrayField(cellAccess(index, inner.range), absence)
        }
        return ArrayPlace(kind: .symbol(index), type: held.type, absence: absence)
      }
      guard checker.ownClass >= 0, let own = ownMember(name, inner.range) else { return nil }
      if case .member(let member) = own.kind { return arrayField(member, absence) }
      return optionalPlace(own, absence)
    case .member(let member): return checker.classes.isEmpty ? nil : arrayField(member, absence)
    default: return nil
    }
  }

  private mutating func arrayField(
    _ member: Node<Expression.MemberAccess>, _ absence: MissingEntry? = nil
  ) -> ArrayPlace? {
    guard let type = instanceClass(member.base),
      let number = checker.classes[type].field(member.name)
    else { return nil }
    var held = fieldType(type, number)
    if absence != nil {
      guard case .optionalOf(let inner) = held else { return nil }
      held = inner.type
    }
    guard held.isCollection else { return nil }
    return ArrayPlace(
      kind: .field(of: member.base, type: type, number: number), type: held, absence: absence)
  }

  /// The class of the instance that names and fields lead to; nil for any other expression.
  mutating func instanceClass(_ expression: Expression) -> Int? {
    var type: ValueType?
    switch plain(expression).kind {
    case .name(let name):
      if let index = find(name) {
        type = scope[index].type
      } else if checker.ownClass >= 0, let own = ownMember(name, expression.range) {
        return instanceClass(own)
      }
    case .member(let member):
      if let outer = instanceClass(member.base),
        let number = checker.classes[outer].field(member.name)
      {
        type = fieldType(outer, number)
      }
    case .element(let access):
      switch arrayPlace(access.base)?.type.unwrapped {
      case .arrayOf(let element)?: type = element.type
      case .dictionaryOf(let types)?: type = types.result
      default: break
      }
    case .bind(let inner), .unwrap(let inner): return instanceClass(inner)
    default: return nil
    }
    return type?.className.map { checker.classes.index(of: $0) }
  }

  /// Whether the variable may be changed here; reports when not.
  ///
  /// Finds the instance whose field it is.
  mutating func changeable(_ place: inout ArrayPlace, _ base: Expression) -> Bool {
    switch place.kind {
    case .field(let owner, let type, let number):
      let field = checker.classes[type].fields[number]
      guard field.isVariable || isInitializing(isOwn(owner)) else {
        error(Messages.notAVariable(field.name.text), base.range)
        return false
      }
      if !isInitializing(isOwn(owner)) {
        checkChange(checker.classes[type], number, of: symbol(of: owner), base.range)
      }
      if checker.classes[type].isValue, !isOwn(owner) {
        place.instance = frame.allocate()
        place.isCopied = true
        if endsEarly(owner) {
          // Where it is nil, nothing that the change is given is evaluated.
          let (next, mark) = (frame.next, frame.temporaries.count)
          _ = value(owner)
          releaseUsed(for: .void, from: mark, owner.range)
          frame.next = next
        }
      } else {
        if checker.classes[type].isValue, !changesOwnValue {
          error(Messages.notMutating, base.range)
        }
        place.instance = register(of: unwrap(value(owner), owner.range), owner.range)
      }
      checkPresence(place, base)
      return true
    case .symbol(let index):
      guard changeable(index, base) else { return false }
      checkPresence(place, base)
      return true
    case .entry(var dictionary, let access, let missing):
      guard changeable(&dictionary, access.base) else { return false }
      let registers = (dictionary: frame.allocate(), key: frame.allocate())
      entryKey(access, of: dictionary.type, into: registers.key)
      place.entry = registers
      place.kind = .entry(dictionary, access, missing)
      checkPresence(place, base)
      return true
    }
  }

  /// Whether a chain ends where something on the way is nil.
  private func endsEarly(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .bind: true
    case .member(let member): endsEarly(member.base)
    case .element(let access): endsEarly(access.base)
    case .unwrap(let inner), .chain(let inner): endsEarly(inner)
    default: false
    }
  }

  /// In front of an index and of a value: what is nil is not changed, and they are not evaluated.
  private mutating func checkPresence(_ place: ArrayPlace, _ base: Expression) {
    guard place.mayBeMissing else { return }
    let (next, mark) = (frame.next, frame.temporaries.count)
    // Whether there is something to change is no look at what it is.
    noteChange(in: place, base.range)
    _ = load(place, base.range)
    releaseUsed(for: .void, from: mark, base.range)
    frame.next = next
  }

  private mutating func changeable(_ index: Int32, _ base: Expression) -> Bool {
    let symbol = scope[index]
    scope[index].isUsed = true
    if symbol.late >= 0 { noteReading(index, base.range) }
    if statics.hasAny { makeLazy(index, base.range) }
    switch symbol.meaning {
    case .shared: return true
    case .variable:
      if Int(symbol.frame) == depth { return true }
      cells.want(symbol)
      if !isLenient { error(setFromClosure(symbol), base.range) }
    case .pending: error(Messages.usedTooEarly(symbol.name.text), base.range)
    case .constant, .register, .cell, .global, .function:
      error(Messages.notAVariable(symbol.name.text), base.range)
    }
    return false
  }

  /// The register of a variable's array.
  mutating func load(_ place: ArrayPlace, _ range: SourceRange) -> Register {
    let register = loadWhole(place, range)
    switch place.absence {
    case nil, .refused?, .takesDefault?: break
    case .ends?:
      if let exit = chainExits.last { jump(ifMissing: register, to: exit, range) }
    case .crashes?: _ = unwrap(.register(register, .optional(place.type)), range)
    }
    return register
  }

  private mutating func loadWhole(_ place: ArrayPlace, _ range: SourceRange) -> Register {
    switch place.kind {
    case .field(let owner, let index, let number):
      let register = frame.allocate()
      guard let instance = place.instance else { return register }
      if place.isCopied { emit(.copy(instance, from: changeableCopy(owner, owner.range)), range) }
      emit(readOf(number, of: instance, to: register, isOwn: isOwn(owner)), range)
      let name = checker.classes[index].fields[number].name
      return unobserved(
        register, place.type, isObserved(name, ofClass: index, isOwn: isOwn(owner)), range)
    case .entry(let dictionary, let access, let missing):
      let register = frame.allocate()
      guard let entry = place.entry else { return register }
      emit(.copy(entry.dictionary, from: load(dictionary, access.base.range)), range)
      present(access, missing, entry.dictionary, key: entry.key, place.type, in: register)
      return register
    case .symbol(let index):
      if case .variable(let register) = scope[index].meaning { return register }
      let register = frame.allocate()
      if case .shared(let global) = scope[index].meaning {
        emit(.readShared(register, global), range)
        return unobserved(register, place.type, isObserved(scope[index].name), range)
      }
      return register
    }
  }

  /// Notes that a variable's array has changed.
  mutating func store(_ register: Register, to place: ArrayPlace, _ range: SourceRange) {
    switch place.kind {
    case .field(let owner, let index, let number):
      guard let instance = place.instance else { return }
      setField(
        number, ofClass: index, instance, isOwn: isOwn(owner), from: register, range)
    case .entry(let dictionary, _, _):
      guard let entry = place.entry else { return }
      emit(.entrySet(entry.dictionary, key: entry.key, value: register), range)
      store(entry.dictionary, to: dictionary, range)
    case .symbol(let index):
      if case .shared(let global) = scope[index].meaning {
        setGlobal(global, scope[index].name, scope[index].type, from: register, range)
      }
    }
  }
}
