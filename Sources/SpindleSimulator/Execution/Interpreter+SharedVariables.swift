import SpindleModel

/// Shared variables: reads, writes, and updates that are lost.
///
/// Threads whose work ends at one instant go on at the same time. What one of them does then up to its
/// next wait or work happens in one go, as if the others came later, except for this: who comes
/// straight from its work to a statement that reads a variable and writes it (`n += 1`) reads what the
/// variable was when the instant began, since others that changed it at this instant did so at the same
/// time. So all but one such update is lost. Any call in between, as of a lock, orders the two.
extension Interpreter {
  /// What a statement reads that then writes the variable.
  func valueToChange(_ global: GlobalID, _ thread: ThreadID) -> Int64 {
    valueToChange(sharedWrites[Int(global.index)], globals[Int(global.index)], thread)
  }

  /// The same, of a variable with its last writes and its present value.
  func valueToChange(_ write: SharedWrite, _ present: Int64, _ thread: ThreadID) -> Int64 {
    assert(
      write.time <= process.kernel.now, "a variable was written at \(write.time), later than now")
    return write.time == process.kernel.now && write.writer != thread && !thread.isNone
      && process.kernel.isStraight
      ? write.before : present
  }

  /// Notes that a variable is about to be written.
  mutating func noteWrite(_ global: GlobalID, _ thread: ThreadID) {
    let index = Int(global.index)
    sharedWrites[index] = noted(sharedWrites[index], of: globals[index], thread)
  }

  /// The same, of a variable with its last writes and its present value.
  func noted(_ write: SharedWrite, of present: Int64, _ thread: ThreadID) -> SharedWrite {
    write.time == process.kernel.now
      ? SharedWrite(time: write.time, before: write.before, writer: thread)
      : SharedWrite(time: process.kernel.now, before: present, writer: thread)
  }

  /// Notes that a `var` of the top level was read or written.
  mutating func noteShared(
    _ event: LogEvent, _ global: GlobalID, _ value: Int64, _ thread: ThreadID, _ counter: Int
  ) {
    // The work before it and the work behind it are not one: others may notice what stands between.
    process.kernel.endChain()
    if !process.kernel.recorder.isOn { return }
    let shared = process.program.globals[Int(global.index)]
    var name = sharedNames[Int(global.index)]
    if name < 0 {
      name = process.kernel.intern(shared.name).index
      sharedNames[Int(global.index)] = name
    }
    process.kernel.recordAccess(
      event, thread, shared.format, name: name, at: counter,
      value: shared.isClosure ? told(closure: value) : told(value, shared.format, shared.handle))
    if process.isDriven { endStep(thread) }
    if process.kernel.recorder.races.isOn {
      noteAccess(
        .init(event, process.code[counter]), SharedVariable(owner: -1, number: Int32(global.index)),
        name, thread, counter)
    }
  }
}
