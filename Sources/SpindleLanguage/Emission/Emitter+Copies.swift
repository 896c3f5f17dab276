import SpindleModel

/// Copies of collections, which are values: where one is bound, given or kept.
///
/// A collection is changed where it is, so that no two places may have the same one.
extension Emitter {
  /// The value of an expression that nothing else changes from then on.
  ///
  /// A collection in a variable is changed where it is, so that what keeps it has a copy.
  /// A variable gets a copy of what another name has, too, also where that never changes.
  func emitOwned(_ value: Typed.Expression, isVariable: Bool = false) -> Register {
    let register = emit(value)
    guard isCollection(concrete(value.type)), isShared(value, isVariable) else { return register }
    return copy(register, concrete(value.type), value.range)
  }

  func copy(_ register: Register, _ type: SwiftType, _ range: SourceRange) -> Register {
    let result = allocate()
    guard type.wrapped != nil else {
      emit(.arrayCopy(result, from: register), range)
      return owning(result, type, range)
    }
    let end = code.frame.label()
    emit(.copy(result, from: register), range)
    for word in 0..<depth(type) {
      let isNil = constant(noValue + word, range)
      emit(.equal(isNil, isNil, register), range)
      emit(.jumpIf(isNil, code.frame.target(end)), range)
    }
    emit(.arrayCopy(result, from: register), range)
    code.frame.mark(end)
    return owning(result, type, range)
  }

  /// Whether a value is in a place that may be changed, or with `orLet` in any place.
  func isShared(_ value: Typed.Expression, _ orLet: Bool = false) -> Bool {
    switch value.kind {
    case .local(let local): orLet || local.isVariable || local.isInout
    case .global(let variable, _): orLet || !variable.isLet
    case .field(let base, let variable):
      orLet || !variable.isLet && (variable.owner?.isReference == true || isShared(base))
    case .element(let base, _), .forced(let base), .bound(let base), .conversion(let base),
      .attempt(_, let base), .await(let base), .wrapped(let base), .chain(let base):
      isShared(base, orLet)
    case .coalesce(let one, let other, _): isShared(one, orLet) || isShared(other, orLet)
    case .ternary(_, let one, let other): isShared(one, orLet) || isShared(other, orLet)
    case .call(let call):
      isPartRead(call, value) && (orLet || call.receiver.map { isShared($0) } == true)
    default: false
    }
  }

  /// Whether a call of the library reads a part of a collection, which that has too: `lists[0]`, `lists.first`,
  /// `named["a"]`.
  private func isPartRead(_ call: Typed.Call, _ value: Typed.Expression) -> Bool {
    guard case .function(let symbol) = call.callee, symbol.owner?.isLibrary == true,
      let receiver = call.receiver
    else { return false }
    let part = concrete(value.type).unwrappedFully
    // An entry of a dictionary is a tuple.
    if case .tuple = part { return true }
    return concrete(receiver.type).unwrappedFully.arguments.contains(part)
  }

  /// Whether a function that gives a value may leave it in a place that is there after the call, as that of a property;
  /// a variable of its own has a value that nothing else has.
  func isLeft(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .local(let local): !local.isVariable || local.isInout
    case .field, .global: true
    case .element(let base, _), .forced(let base), .bound(let base), .conversion(let base),
      .attempt(_, let base), .await(let base), .wrapped(let base), .chain(let base):
      isLeft(base)
    case .coalesce(let one, let other, _), .ternary(_, let one, let other):
      isLeft(one) || isLeft(other)
    case .call(let call): isPartRead(call, value)
    default: false
    }
  }
}
