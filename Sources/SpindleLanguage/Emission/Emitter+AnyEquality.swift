import SpindleModel

/// Whether two values are equal whose types only the run knows: both are of one type, whose own `==` says so.
extension Emitter {
  func equalAny(_ one: Register, _ other: Register, _ range: SourceRange) -> Register {
    let block = anyEquality ?? code.reserveBlock()
    anyEquality = block
    let base = window([one, other], range)
    emit(.call(block, base: base, code.site()), range)
    return base
  }

  /// The block that compares such values, when all classes of the program are known.
  func emitAnyEquality() {
    guard let block = anyEquality else { return }
    let range = SourceRange(0, 0)
    emitByClass(
      block, called: "equal", tested: 2, where: { isHashable(held(in: $0).type) }, otherwise: 0
    ) { type, values, result in
      let (held, isBox) = held(in: type)
      var parts = values
      if isBox {
        parts = [allocate(), allocate()]
        for (part, value) in zip(parts, values) {
          emit(.fieldLoad(part, of: value, 0), range)
        }
      }
      emit(.copy(result, from: equal(parts[0], parts[1], held, range)), range)
    }
  }

  /// The type of the values that a class is for, and whether an instance is a box around one.
  func held(in type: SwiftType) -> (type: SwiftType, isBox: Bool) {
    if case .tuple(let parts) = type, parts.count == 1, parts[0].label == nil {
      return (parts[0].type, true)
    }
    return (type, false)
  }

  private func isHashable(_ type: SwiftType) -> Bool {
    if let wrapped = type.wrapped { return isHashable(wrapped) }
    guard let nominal = type.nominal, nominal.conforms(to: known.hashable) else { return false }
    return type.arguments.allSatisfy { isHashable($0) }
  }
}
