import SpindleModel

/// A table that only the kernel writes: whoever else has it reads records, and hands what is to change
/// to a verb of the kernel.
///
/// A record is read in place. `writable` is for the files of the kernel; a test holds the others to that.
struct KernelTable<Record: BitwiseCopyable>: ~Copyable {
  /// The same table, for the kernel's verbs.
  var writable: Table<Record>

  /// Creates an empty table of records of a kind, whose memory counts in `storage`, with what others
  /// hold `beside` each.
  init(_ kind: StorageKind, _ storage: Storage, beside: Int = 0) {
    writable = Table(kind, storage, beside: beside)
  }

  /// How many records there are.
  @inline(__always) var count: Int { writable.count }

  /// The record at `index`.
  subscript(index: Int32) -> Record {
    @inline(__always) _read { yield writable[index] }
  }

  /// The record at `index`, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ index: Int32) -> UnsafePointer<Record> { UnsafePointer(writable.at(index)) }

  /// The record at `index`, as `at` has it, checked in debug builds only; see `Table`.
  @inline(__always)
  func unchecked(_ index: Int32) -> UnsafePointer<Record> {
    UnsafePointer(writable.unchecked(index))
  }
}

extension KernelTable {
  /// The index of a record of this table.
  typealias Index = TableIndex<Record>

  /// The record at `index`.
  subscript(index: Index) -> Record {
    @inline(__always) _read { yield writable[index] }
  }

  /// The indices of all records, in order.
  var indices: some Sequence<Index> { (0..<Int32(count)).lazy.map { Index($0) } }
}

extension KernelTable where Record == ThreadRecord {
  /// The record of a thread.
  subscript(thread: ThreadID) -> ThreadRecord {
    @inline(__always) _read { yield writable[thread] }
  }

  /// The record of a thread, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ thread: ThreadID) -> UnsafePointer<ThreadRecord> { UnsafePointer(writable.at(thread)) }

  /// The record of a thread, as `at` has it, checked in debug builds only; see `Table`.
  @inline(__always)
  func unchecked(_ thread: ThreadID) -> UnsafePointer<ThreadRecord> {
    UnsafePointer(writable.unchecked(thread))
  }

  /// All threads, in the order of their numbers.
  var ids: some Sequence<ThreadID> { (0..<Int32(count)).lazy.map { ThreadID($0) } }
}

extension KernelTable where Record == CoreRecord {
  /// The record of a core.
  subscript(core: CoreID) -> CoreRecord {
    @inline(__always) _read { yield writable[core] }
  }

  /// The record of a core, checked in debug builds only; see `Table`.
  @inline(__always)
  func unchecked(_ core: CoreID) -> UnsafePointer<CoreRecord> {
    UnsafePointer(writable.unchecked(core))
  }

  /// All cores, in the order of their numbers.
  var ids: some Sequence<CoreID> { (0..<Int32(count)).lazy.map { CoreID($0) } }
}
