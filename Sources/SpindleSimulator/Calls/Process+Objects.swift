import SpindleModel

/// Objects of the trace: what registers hold for threads, names, and their making.
extension Process {
  /// What a register holds for a thread.
  func handle(_ thread: Int32) -> Int64 {
    Int64(kernel.threads[thread].generation) << 32 | Int64(thread)
  }

  /// The thread that a register names; nil when it has ended and its number is used again.
  func resolve(_ handle: Int64) -> Int32? {
    let thread = Int32(truncatingIfNeeded: handle & 0xFFFF_FFFF)
    if kernel.threads[thread].generation != Int32(truncatingIfNeeded: handle >> 32) { return nil }
    return thread
  }

  /// The number of an object's name: the one that is given, or the class with a number.
  mutating func objectName(_ given: Int64, _ className: String) -> Int32 {
    if given != noValue { return Int32(truncatingIfNeeded: given) }
    let number = (nameless[className] ?? 0) + 1
    nameless[className] = number
    return kernel.intern("\(className)-\(number)").index
  }

  /// Notes in the log that a call has made an object.
  mutating func noteMaking(
    _ handle: HandleClass, _ number: Int32, _ name: Int32, _ call: Call, quality: Int32 = -1,
    value: Int64 = 0
  ) {
    kernel.recordMaking(
      handle, number, name: name, by: call.thread, place: Int32(truncatingIfNeeded: call.counter),
      quality: quality, value: value)
  }
}
