import SpindleModel

/// Bindings and assignments.
extension Emitter {
  func emitBinding(
    _ pattern: Typed.Pattern, _ value: Typed.Expression, _ range: SourceRange
  ) {
    if case .local(let local) = pattern.kind {
      boundName = isMade(value) ? local.name : nil
      // The variable takes the first register that its value has used.
      let (next, mark) = (code.frame.next, code.frame.temporaries.count)
      let made = emitOwned(value, isVariable: local.isVariable)
      boundName = nil
      code.frame.next = next
      if !takeOver(made, from: mark, as: local) {
        declare(local, taking: inNext(range) { made }, range)
      }
      return
    }
    if case .any = pattern.kind { dropped = awaited(value) }
    if case .tuple(let parts) = pattern.kind { boundParts = parts.map(name) }
    let kept = inNext(range) { emitOwned(value) }
    boundParts = []
    let fails = code.frame.label()
    emitPattern(pattern, kept, fails: fails)
    code.frame.mark(fails)
  }

  /// What a part of a tuple is bound to; nil for a pattern that is no name.
  private func name(_ pattern: Typed.Pattern) -> String? {
    if case .local(let local) = pattern.kind { return local.name }
    return nil
  }

  /// Whether a value is a call, which gives the object that it makes its name.
  func isMade(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .call: true
    case .wrapped(let inner), .conversion(let inner): isMade(inner)
    default: false
    }
  }

  func emitAssignment(
    _ place: Typed.Expression, _ value: Typed.Expression, _ range: SourceRange
  ) {
    if isWholeSelf(place), isInitializing, case .register(let own) = prepare(place) {
      return assign(
        own, from: emitOwned(value, isVariable: true), concrete(value.type), range)
    }
    if case .global(let variable, _) = place.kind, variable.isSetInMain {
      return emitTopValue(variable, value, place, range)
    }
    let target = prepareToChange(place)
    if case .row = target, isClosure(concrete(value.type)) {
      return store(emitKept(value), in: target, place)
    }
    let made = emitOwned(value, isVariable: true)
    replace(target, by: made, place)
  }

  /// Gives a place another value behind what an assignment evaluates: what has a `_modify` is read first.
  private func replace(_ target: Place, by made: Register, _ place: Typed.Expression) {
    guard case .computed(let call, _, _, let type) = target,
      case .function(let getter) = call.callee,
      getter.setter?.readsFirst == true
    else { return store(made, in: target, place) }
    modify(target, type, place) { assign($0, from: made, type, place.range) }
  }

  /// `(a, b[i]) = value`: the places are evaluated in front of the value, and get theirs from the left.
  func emitAssignment(
    to places: [Typed.Expression?], _ value: Typed.Expression, _ range: SourceRange
  ) {
    let targets = places.map { place in place.map { ($0, prepareToChange($0)) } }
    let whole = code.frame.pinned()
    emit(.copy(whole, from: emitOwned(value)), range)
    for (index, target) in targets.enumerated() {
      guard let (place, target) = target else { continue }
      let part = allocate()
      emit(.fieldLoad(part, of: whole, Int32(index)), range)
      replace(target, by: part, place)
    }
  }

  func isWholeSelf(_ place: Typed.Expression) -> Bool {
    if case .local(let local) = place.kind { return local.isSelf }
    return false
  }
}
