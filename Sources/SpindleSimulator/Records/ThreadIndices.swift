import SpindleModel

extension Table where Record == ThreadRecord {
  /// The record of a thread, in place.
  subscript(thread: ThreadID) -> ThreadRecord {
    @inline(__always) _read { yield self[thread.index] }
    @inline(__always) nonmutating _modify { yield &self[thread.index] }
  }

  /// The record of a thread, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ thread: ThreadID) -> UnsafeMutablePointer<ThreadRecord> { at(thread.index) }

  /// The record of a thread, checked in debug builds only; see `unchecked(_:)`.
  @inline(__always)
  func unchecked(_ thread: ThreadID) -> UnsafeMutablePointer<ThreadRecord> {
    unchecked(thread.index)
  }
}

extension IntrusiveList where Links.Record == ThreadRecord {
  /// The first thread; none where nobody is in the list.
  @inline(__always) var firstThread: ThreadID { ThreadID(head) }

  /// The last thread; none where nobody is in the list.
  @inline(__always) var lastThread: ThreadID { ThreadID(tail) }

  /// Adds a thread, which is in no such list, behind another one; behind none at the front.
  @inline(__always)
  mutating func insert(
    _ thread: ThreadID, after before: ThreadID, in table: borrowing Table<ThreadRecord>
  ) {
    insert(thread.index, after: before.index, in: table)
  }

  /// Takes a thread out, which is in this list.
  @inline(__always)
  mutating func remove(_ thread: ThreadID, in table: borrowing Table<ThreadRecord>) {
    remove(thread.index, in: table)
  }

  /// All threads, first to last, for checks: O(n); stops where the list is torn.
  func threads(in table: borrowing Table<ThreadRecord>) -> [ThreadID] {
    indices(in: table).map { ThreadID($0) }
  }
}
