import SpindleModel

/// A thread by its number in the kernel's table, as `TableIndex` has the records of other tables.
extension ThreadID {
  /// The thread with this number.
  @inline(__always)
  init(_ index: Int32) { self.init(Int(index)) }

  /// Whether it names no thread.
  @inline(__always) var isNone: Bool { index < 0 }
}

extension LogEntry {
  /// The thread that does it or that it is about.
  @inline(__always) var threadID: ThreadID { ThreadID(thread) }
}
