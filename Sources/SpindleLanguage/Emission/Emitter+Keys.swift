import SpindleModel

/// The keys of dictionaries, and the members of sets.
extension Emitter {
  /// Whether two values of a type are equal exactly when their words are.
  func isWordKey(_ type: SwiftType) -> Bool {
    if let wrapped = type.wrapped { return isWordKey(wrapped) }
    return !isCollection(type) && (!isInstance(type) || type.nominal?.handle != nil)
  }

  /// Reports a type whose values have no function that compares them.
  func checkKey(_ type: SwiftType, _ range: SourceRange) {
    if !isWordKey(type), type.nominal?.isReference == true, ownEquality(of: type) == nil {
      unsupported("a key that is \(type)", range)
    } else if !isWordKey(type), isCounting, hasReference(type), mayEnd(type) {
      unsupported("a key that has instances of classes, where a 'deinit' may run", range)
    }
  }

  private func hasReference(_ type: SwiftType, within seen: [SwiftType] = []) -> Bool {
    if seen.contains(type) { return false }
    let around = seen + [type]
    switch type {
    case .existential, .function: return true
    case .tuple(let elements): return elements.contains { hasReference($0.type, within: around) }
    case .nominal(let nominal, let arguments):
      if nominal.isReference { return true }
      let parts =
        nominal.builtin == nil
        ? fields(of: nominal, nominal.substitution(arguments)).map(\.type) : arguments
      return parts.contains { hasReference($0, within: around) }
    case .parameter, .member, .metatype, .variable, .error: return false
    }
  }

  /// Whether the program sees when an instance that is in a value of a type is gone: one of the classes has a `deinit`, or
  /// something refers to it weakly.
  private func mayEnd(_ type: SwiftType) -> Bool {
    var (seen, open): (Set<SwiftType>, [SwiftType]) = ([], [type])
    while let one = open.popLast() {
      guard seen.insert(one).inserted else { continue }
      switch one {
      case .existential, .function:
        return table.usedTypes.contains { $0.isReference && isWatched($0) }
      case .tuple(let elements): open += elements.map(\.type)
      case .nominal(let nominal, let arguments):
        if isWatched(nominal) { return true }
        open +=
          nominal.builtin == nil
          ? fields(of: nominal, nominal.substitution(arguments)).map(\.type) : arguments
        open += nominal.subclasses.map(\.selfType)
      case .parameter, .member, .metatype, .variable, .error: break
      }
    }
    return false
  }

  private func isWatched(_ nominal: Nominal) -> Bool {
    nominal.deinitializer != nil
      || table.usedTypes.contains { owner in
        owner.stored.contains {
          $0.strength != .strong && $0.type.unwrappedFully.nominal === nominal
        }
      }
  }

  /// What becomes a key: a dictionary never releases a key, which is a value without instances of classes, or with some
  /// whose end nothing sees.
  func keepKey(_ key: Register, _ type: SwiftType, _ range: SourceRange) {
    if let kind = lifeKind(type) { emit(.keep(key, kind), range) }
  }

  /// The key of a dictionary or set that is equal to a value; if no key is, the value as a key.
  ///
  /// Keys are kept as optionals, as the values of a dictionary are: nil is what is read where nothing is.
  ///
  /// The simulator compares words. A value of several parts is an instance of its own, so the keys are gone through with
  /// the `==` of their type: linear in their number.
  func known(
    _ key: Register, in whole: Register, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    if isWordKey(type) { return wrap(key, type, range) }
    let (found, keys) = (allocate(), allocate())
    emit(.copy(found, from: wrap(key, type, range)), range)
    emit(.entryKeys(keys, of: whole), range)
    let done = code.frame.label()
    emitLoop(over: keys, range) { other in
      let next = code.frame.label()
      let isEqual = equal(unwrap(other, type, range), key, type, range)
      emit(.jumpUnless(isEqual, code.frame.target(next)), range)
      emit(.copy(found, from: other), range)
      code.frame.jump(done, expansion ?? range)
      code.frame.mark(next)
    }
    code.frame.mark(done)
    code.frame.next = Int(found.index) + 1
    return found
  }
}
