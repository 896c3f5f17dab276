import SpindleModel

/// Variables that the rounds of a busy wait write.
extension Interpreter {
  /// The variable that an instruction writes; nil where more depends on a write than what the variable is then: where it
  /// holds something, or belongs to an actor.
  func numberCell(
    writtenBy instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>
  ) -> SharedVariable? {
    switch instruction {
    case .writeShared(let global, _):
      if process.program.globals[Int(global.index)].life != nil { return nil }
      return SharedVariable(owner: -1, number: Int32(global.index))
    case .fieldWrite(let register, let number, _):
      let instance = registers[register]
      guard process.instances.isThere(instance) else { return nil }
      let type = process.program.classes[Int(process.instances.instance(instance).type)]
      if type.isActor || type.fields[Int(number)].life != nil { return nil }
      return SharedVariable(owner: instance, number: number)
    default: fatalError("\(instruction) writes no variable")
    }
  }

  /// What a variable is now, and its last write.
  func cellMark(of cell: SharedVariable) -> CellMark {
    guard cell.owner >= 0 else {
      let number = Int(cell.number)
      return CellMark(value: globals[number], write: sharedWrites[number])
    }
    let field = field(cell.number, of: cell.owner).pointee
    return CellMark(value: field.value, write: field.write)
  }

  /// A variable is what it is `count` rounds later, when it was `before` a round ago and is `present` now.
  mutating func passRounds(
    _ count: Int64, of period: Int64, in cell: SharedVariable, _ before: CellMark,
    _ present: CellMark
  ) {
    var mark = cellMark(of: cell)
    mark.value &+= count &* (present.value &- before.value)
    mark.write.before &+= count &* (present.write.before &- before.write.before)
    mark.write.time += count * period
    guard cell.owner >= 0 else {
      let number = Int(cell.number)
      (globals[number], sharedWrites[number]) = (mark.value, mark.write)
      return
    }
    let field = field(cell.number, of: cell.owner)
    (field.pointee.value, field.pointee.write) = (mark.value, mark.write)
  }
}

extension Instruction {
  /// Whether it writes a variable that others may know.
  var writesVariable: Bool {
    if case .writeShared = self { return true }
    if case .fieldWrite = self { return true }
    return false
  }
}
