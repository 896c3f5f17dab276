import SpindleModel

/// What modes of run loops are called outside of a trace.
extension Lowering {
  /// The text that a mode stands for: a name of one's own is its own text.
  mutating func modeText(_ mode: Operand, _ range: SourceRange) -> Operand {
    translated(mode, KnownNumbers.modes.map { (intern($0.own), intern($0.raw)) }, range)
  }

  /// The mode that a text stands for: of one's own where it is that of no other.
  mutating func mode(named text: Operand, _ range: SourceRange) -> Operand {
    let mode = translated(text, KnownNumbers.modes.map { (intern($0.raw), intern($0.own)) }, range)
    return Operand(type: .symbol(.mode), location: mode.location)
  }

  /// What a name of the first column is called in the second; any other name stays as it is.
  private mutating func translated(
    _ name: Operand, _ names: [(from: NameID, to: NameID)], _ range: SourceRange
  ) -> Operand {
    if let constant = name.constant {
      let known = names.first { Int64($0.from.index) == constant }
      return .constant(known.map { Int64($0.to.index) } ?? constant, .string)
    }
    let given = register(of: name, range)
    let result = frame.allocate()
    let (test, end) = (frame.allocate(), frame.label())
    for (from, to) in names {
      emit(.constant(Int64(to.index), to: result), range)
      emit(.constant(Int64(from.index), to: test), range)
      emit(.equal(test, test, given), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    emit(.copy(result, from: given), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .string)
  }
}
