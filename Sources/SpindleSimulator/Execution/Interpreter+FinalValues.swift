import SpindleModel

/// What is known at the end of the values at the top, and of what expectations compute from them.
extension Interpreter {
  /// How many instructions may compute one value.
  private static let finalSteps: Int64 = 1_000_000

  /// Puts the values at the top into a record, with what expectations compute from them.
  mutating func tellValues(_ record: inout RunRecord) {
    for operation in 0..<Int32(operations.operations.count) {
      record.operationStates.append(operations.lastState(of: .init(operation)))
    }
    computeFinalValues(&record)
    for (index, global) in process.program.globals.enumerated() {
      let value = globals[index]
      record.globals.append(value)
      record.globalArrays.append(
        global.format == .array && value != noValue ? process.arrays[Int(value)] : [])
      record.objectNames.append(names(of: index))
    }
  }

  /// Runs the code that expectations ask the values at the end with.
  ///
  /// It is no part of the run, which is over: nothing is recorded, no time passes, and a crash of it is only a reason
  /// for having no value.
  private mutating func computeFinalValues(_ record: inout RunRecord) {
    if process.program.finalValues.isEmpty { return }
    process.kernel.recorder.close()
    for final in process.program.finalValues {
      (process.outcome, process.lives) = (nil, Lives())
      (process.stepsLeft, process.stepsHeld) = (Self.finalSteps, 0)
      let block = process.blocks[Int(final.block.index)]
      let value = runWorld(
        frame: process.frames.allocate(
          block: final.block.index, entry: block.entry, registers: block.registerCount,
          parent: .none,
          key: 0))
      globals[Int(final.global.index)] = process.outcome == nil ? value : noValue
      guard let outcome = process.outcome else { continue }
      record.finalFaults[Int(final.global.index)] =
        outcome.kind == .crashed
        ? outcome.message : "it takes more than \(Self.finalSteps) instructions"
    }
  }
}
