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
    (storages, substitution, expansion) = ([:], [:], nil)
    code.beginFrame(name: code.intern("equal"))
    let (one, other) = (allocate(), allocate())
    code.frame.parameterCount = 2
    let (result, end) = (code.frame.pinned(), code.frame.label())
    var done: Set<SwiftType> = []
    while let (type, number) = classes.filter({ !done.contains($0.key) }).min(by: {
      $0.value < $1.value
    }) {
      done.insert(type)
      let (held, isBox) = held(in: type)
      guard isHashable(held) else { continue }
      let (next, test, differs) = (code.frame.next, allocate(), code.frame.label())
      for value in [one, other] {
        emit(.instanceIs(test, of: value, ClassID(number)), range)
        emit(.jumpUnless(test, code.frame.target(differs)), range)
      }
      var parts = (one, other)
      if isBox {
        parts = (allocate(), allocate())
        emit(.fieldLoad(parts.0, of: one, 0), range)
        emit(.fieldLoad(parts.1, of: other, 0), range)
      }
      emit(.copy(result, from: equal(parts.0, parts.1, held, range)), range)
      code.frame.jump(end, range)
      code.frame.mark(differs)
      code.frame.next = next
    }
    emit(.constant(0, to: result), range)
    code.frame.mark(end)
    emit(.finishWith(result), range)
    code.frame.isReachable = false
    code.endFrame(block, range)
  }

  /// The type of the values that a class is for, and whether an instance is a box around one.
  private func held(in type: SwiftType) -> (SwiftType, Bool) {
    if case .tuple(let parts) = type, parts.count == 1 { return (parts[0].type, true) }
    return (type, false)
  }

  private func isHashable(_ type: SwiftType) -> Bool {
    if let wrapped = type.wrapped { return isHashable(wrapped) }
    guard let nominal = type.nominal, nominal.conforms(to: known.hashable) else { return false }
    return type.arguments.allSatisfy { isHashable($0) }
  }
}
