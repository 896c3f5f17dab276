import SpindleModel

/// A thread by its number in the kernel's table, as `TableIndex` has the records of other tables.
extension ThreadID {
  /// The thread with this number.
  @inline(__always)
  init(_ index: Int32) { self.init(Int(index)) }

  /// Whether it names no thread.
  @inline(__always) var isNone: Bool { index < 0 }
}

/// A core by its number in the kernel's table.
extension CoreID {
  /// The core with this number.
  @inline(__always)
  init(_ index: Int32) { self.init(Int(index)) }

  /// The core with the number that a record of a thread has.
  @inline(__always)
  init(_ index: Int16) { self.init(Int(index)) }

  /// Whether it names no core.
  @inline(__always) var isNone: Bool { index < 0 }
}

extension LogEntry {
  /// The thread that does it or that it is about.
  @inline(__always) var threadID: ThreadID { ThreadID(thread) }
}
