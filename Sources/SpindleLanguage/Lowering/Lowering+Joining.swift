import SpindleModel

/// Joins instructions that busy programs have one after the other: see the end of `Instruction`.
///
/// An interpreter spends more on finding out what the next instruction is than on most of them. No
/// instruction moves, so that places, jumps and handlers stay what they are.
extension Lowering {
  /// Puts instructions that do several at once in the place of the first of what they stand for.
  mutating func joinInstructions() {
    program.instructions.withUnsafeMutableBufferPointer { code in
      for place in code.indices {
        if let joined = Lowering.joined(UnsafeBufferPointer(code), at: place) {
          code[place] = joined
        }
      }
    }
  }

  /// What does all of what begins at `place`; nil when nothing does.
  private static func joined(
    _ code: UnsafeBufferPointer<Instruction>, at place: Int
  ) -> Instruction? {
    guard place + 1 < code.count else { return nil }
    switch (code[place], code[place + 1]) {
    case (.constant(let value, let to), .perform(.work, let base, _)) where base == to:
      return .workConstant(value, at: to)
    case (.constant(let value, let to), .draw(let base, _, 1, .exponential)) where base == to:
      return .drawConstant(value, at: to)
    case (.increment(let counter), .jump(let head)):
      guard case .jumpUnlessLess(counter, let limit, _) = code[Int(head)] else { return nil }
      return .nextRound(counter, limit, head)
    case (.loadGlobal(let base, let global), .constant) where place + 5 < code.count:
      guard case .constant(_, base.advanced(by: 1)) = code[place + 1],
        case .constant(_, base.advanced(by: 2)) = code[place + 2],
        case .constant(noValue, base.advanced(by: 3)) = code[place + 3],
        case .closure(base.advanced(by: 4), let block, let captured) = code[place + 4],
        case .perform(.executorAsync, base, _) = code[place + 5]
      else { return nil }
      return .submit(global, block, base: captured)
    default: return nil
    }
  }
}

extension Register {
  /// The register `offset` places behind.
  fileprivate func advanced(by offset: Int) -> Register { Register(Int(index) + offset) }
}
