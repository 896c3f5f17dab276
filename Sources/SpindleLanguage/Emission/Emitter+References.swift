import SpindleModel

/// Weak and unowned references.
extension Emitter {
  /// A variable as a place: a weak or unowned one retains nothing.
  func reference(
    _ place: Place, _ variable: VariableSymbol, _ given: Substitution, _ range: SourceRange
  ) -> Place {
    guard variable.strength != .strong else { return place }
    let type = bodies.type(of: variable).substituting(given)
    checkReference(type, range)
    return .unretained(place, isWeak: variable.strength == .weak, type)
  }

  func reference(_ place: Place, _ local: Typed.Local, _ range: SourceRange) -> Place {
    guard local.strength != .strong else { return place }
    checkReference(concrete(local.type), range)
    return .unretained(place, isWeak: local.strength == .weak, concrete(local.type))
  }

  private func checkReference(_ type: SwiftType, _ range: SourceRange) {
    if lifeKind(type) == .instance || !isCounting { return }
    let handle = type.unwrappedFully.nominal?.handle
    if handle?.dies != true { unsupported("a weak reference to \(type)", range) }
  }

  /// The instance that such a reference names, which a temporary retains: nil where a weak one names what is dead, and
  /// where an unowned one does, the process ends.
  ///
  /// Source: swift:lib/SILGen/SILGenLValue.cpp, load_weak and strong_copy_unowned_value.
  func present(
    _ reference: Register, isWeak: Bool, _ type: SwiftType, _ range: SourceRange
  ) -> Register {
    if let handle = type.unwrappedFully.nominal?.handle {
      return present(reference, handle, isWeak: isWeak, type, range)
    }
    let owner = temporary(.instance)
    if isWeak {
      emit(.loadWeak(owner, from: reference), range)
    } else {
      emit(.checkUnowned(reference), range)
      emit(.retain(owner, from: reference, .instance), range)
    }
    return owner
  }

  /// An object of the library, of which the runtime knows whether it is there.
  private func present(
    _ reference: Register, _ handle: HandleClass, isWeak: Bool, _ type: SwiftType,
    _ range: SourceRange
  ) -> Register {
    let result = code.frame.pinned()
    let (next, alive) = (code.frame.next, code.frame.label())
    emit(.copy(result, from: reference), range)
    let base = window([reference, constant(Int64(handle.rawValue), range)], range)
    emit(.perform(.object(.isAlive), base: base, noSite), range)
    emit(.jumpIf(base, code.frame.target(alive)), range)
    if isWeak {
      emit(.constant(noValue, to: result), range)
    } else {
      crash(
        "Attempted to read an unowned reference but the object was already deallocated", range)
    }
    code.frame.mark(alive)
    code.frame.next = next
    return retained(result, type, range)
  }
}
