import SpindleModel

/// Weak and unowned references.
extension Emitter {
  /// A variable as a place: a weak or unowned one retains nothing.
  func reference(_ place: Place, _ variable: VariableSymbol, _ range: SourceRange) -> Place {
    guard variable.strength != .strong else { return place }
    checkReference(bodies.type(of: variable), range)
    return .unretained(place, isWeak: variable.strength == .weak)
  }

  func reference(_ place: Place, _ local: Typed.Local, _ range: SourceRange) -> Place {
    guard local.strength != .strong else { return place }
    checkReference(concrete(local.type), range)
    return .unretained(place, isWeak: local.strength == .weak)
  }

  private func checkReference(_ type: SwiftType, _ range: SourceRange) {
    if lifeKind(type) != .instance { unsupported("a weak reference to \(type)", range) }
  }

  /// The instance that such a reference names, which a temporary retains: nil where a weak one names what is dead, and
  /// where an unowned one does, the process ends.
  ///
  /// Source: swift:lib/SILGen/SILGenLValue.cpp, load_weak and strong_copy_unowned_value.
  func present(_ reference: Register, isWeak: Bool, _ range: SourceRange) -> Register {
    let owner = temporary(.instance)
    if isWeak {
      emit(.loadWeak(owner, from: reference), range)
    } else {
      emit(.checkUnowned(reference), range)
      emit(.retain(owner, from: reference, .instance), range)
    }
    return owner
  }
}
