import SpindleModel

/// Objects of the trace: what registers hold for threads, names, and their making.
extension Process {
  /// What a register holds for a thread.
  func handle(_ thread: ThreadID) -> Int64 {
    ThreadHandle(thread: thread, generation: kernel.threads[thread].generation).value
  }

  /// The thread that a register names; nil when it has ended and its number is used again.
  func resolve(_ handle: Int64) -> ThreadID? {
    let named = ThreadHandle(handle)
    return kernel.threads[named.thread].generation == named.generation ? named.thread : nil
  }

  /// The number of an object's name: the one that is given, or the class with a number.
  mutating func objectName(_ given: Int64, _ className: String) -> Int32 {
    if given != noValue { return Int32(truncatingIfNeeded: given) }
    let number = (nameless[className] ?? 0) + 1
    nameless[className] = number
    return kernel.intern("\(className)-\(number)").index
  }

  /// What a thread is called that no name was given but that of its class: from the second on with its number.
  mutating func threadName(ofClass className: String) -> Int32 {
    let key = "thread \(className)"
    let number = (nameless[key] ?? 0) + 1
    nameless[key] = number
    return kernel.intern(number == 1 ? className : "\(className)-\(number)").index
  }

  /// What an item is called: its name, else what submitted it and its line; nil for what is no item.
  func itemName(_ name: Int32, kind: Int32) -> String? {
    if name >= 0 { return kernel.text(name) }
    return kind < 0 ? nil : program.kinds[Int(kind)].pattern
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

  /// Keeps an array for good; returns its number.
  mutating func keep(_ array: [Int64]) -> Int64 {
    kernel.storage.take(.arrays, 64 + 8 * array.count)
    arrays.append(array)
    if counts { arrayHolds.append(ArrayHold()) }
    return Int64(arrays.count - 1)
  }

  /// What an entry says besides of a thread that the log does not know yet, since it was not started:
  /// that it is one, and the number of its name; else nothing.
  func stranger(_ thread: ThreadID) -> (mention: ThreadMention, name: Int64) {
    let record = kernel.threads[thread]
    let isUnknown = record.state == .created && record.name >= 0
    return isUnknown ? (.notStarted, Int64(record.name)) : ([], 0)
  }

  /// The object that a register names, whatever its class.
  static func index(_ handle: Int64) -> Int32 { Int32(truncatingIfNeeded: handle & 0xFFFF_FFFF) }
}
