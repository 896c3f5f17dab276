import SpindleModel

/// The last writes of a `var` of the top level within one instant.
struct SharedWrite: BitwiseCopyable {
  /// The instant; -1 before the first write.
  var time: Int64 = -1
  /// What the variable was before the instant's first write.
  var before: Int64 = 0
  /// Who wrote last; -1 for the world outside.
  var writer: Int32 = -1
}

/// Shared variables: reads, writes, and updates that are lost.
///
/// Threads whose work ends at one instant go on at the same time. What one of them does then up to its
/// next wait or work happens in one go, as if the others came later, except for this: who comes
/// straight from its work to a statement that reads a variable and writes it (`n += 1`) reads what the
/// variable was when the instant began, since others that changed it at this instant did so at the same
/// time. So all but one such update is lost. Any call in between, as of a lock, orders the two.
extension Interpreter {
  /// What a statement reads that then writes the variable.
  func valueToChange(_ global: GlobalID, _ thread: Int32) -> Int64 {
    let index = Int(global.index)
    let write = sharedWrites[index]
    return write.time == process.kernel.now && write.writer != thread && thread >= 0
      && process.kernel.isStraight
      ? write.before : globals[index]
  }

  /// Notes that a variable is about to be written.
  mutating func noteWrite(_ global: GlobalID, _ thread: Int32) {
    let index = Int(global.index)
    if sharedWrites[index].time != process.kernel.now {
      sharedWrites[index].time = process.kernel.now
      sharedWrites[index].before = globals[index]
    }
    sharedWrites[index].writer = thread
  }

  /// Notes that a `var` of the top level was read or written.
  mutating func noteShared(
    _ event: LogEvent, _ global: GlobalID, _ value: Int64, _ thread: Int32, _ counter: Int
  ) {
    // The work before it and the work behind it are not one: others may notice what stands between.
    process.kernel.endChain()
    if !process.kernel.recorder.isOn { return }
    let shared = process.program.globals[Int(global.index)]
    var value = value
    if shared.format == .array, value != noValue {
      value = Int64(process.arrays[Int(value)].count)
    } else if value != noValue, let handle = shared.handle {
      value = Int64(process.kernel.intern(name(of: value, handle)).index)
    }
    process.kernel.record(
      event, thread: thread, detail: shared.format.rawValue,
      object: process.kernel.intern(shared.name).index, place: Int32(truncatingIfNeeded: counter),
      value: value)
  }
}
