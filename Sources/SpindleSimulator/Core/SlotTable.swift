/// A table whose records are given back one by one, each to be used again: the last one that was first.
///
/// Indices are checked, in release builds too, and what is given back twice stops the run. That a record
/// is still in use when it is looked at is checked in debug builds.
struct SlotTable<Record: BitwiseCopyable>: ~Copyable {
  private(set) var records: Table<Record>
  private var free: Table<Int32>
  /// A bit for each record that is in use.
  private var inUse: Table<UInt64>
  private let kind: StorageKind

  /// Creates an empty table of records of a kind, whose memory counts in `storage`, with what others
  /// hold `beside` each.
  init(_ kind: StorageKind, _ storage: Storage, beside: Int = 0) {
    self.kind = kind
    records = Table(kind, storage, beside: beside)
    free = Table(kind, storage)
    inUse = Table(kind, storage)
  }

  /// How many there have been at once at most: all indices lie below.
  @inline(__always) var count: Int { records.count }

  /// How many are in use.
  @inline(__always) var usedCount: Int { records.count - free.count }

  /// Whether a record of this index is in use.
  @inline(__always)
  func contains(_ index: Int32) -> Bool {
    index >= 0 && Int(index) < count
      && inUse.unchecked(index >> 6).pointee >> UInt64(index & 63) & 1 == 1
  }

  /// The record at `index`, in place.
  subscript(index: Int32) -> Record {
    @inline(__always) _read {
      assert(contains(index), "record \(index) of the \(kind) is not in use")
      yield records[index]
    }
    @inline(__always) nonmutating _modify {
      assert(contains(index), "record \(index) of the \(kind) is not in use")
      yield &records[index]
    }
  }

  /// The record at `index`, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ index: Int32) -> UnsafeMutablePointer<Record> {
    assert(contains(index), "record \(index) of the \(kind) is not in use")
    return records.at(index)
  }

  /// The record at `index`, as `at` has it, checked in debug builds only.
  @inline(__always)
  func unchecked(_ index: Int32) -> UnsafeMutablePointer<Record> {
    assert(contains(index), "record \(index) of the \(kind) is not in use")
    return records.unchecked(index)
  }

  /// Adds a record in the place of the last that was given back, else behind all; amortised O(1).
  ///
  /// Returns its index.
  @inline(__always)
  mutating func insert(_ record: Record) -> Int32 {
    let index = insertAny()
    records.unchecked(index).initialize(to: record)
    return index
  }

  /// Adds a record that holds anything, for the caller to initialise; amortised O(1).
  ///
  /// Returns its index.
  @inline(__always)
  mutating func insertAny() -> Int32 {
    let index: Int32
    if free.count > 0 {
      index = free.removeLast()
    } else {
      index = records.appendAny()
      if index & 63 == 0 { inUse.append(0) }
    }
    inUse.unchecked(index >> 6).pointee |= 1 << UInt64(index & 63)
    return index
  }

  /// Gives a record back; its index may be used for another one from now on.
  @inline(__always)
  mutating func remove(_ index: Int32) {
    demand(
      contains(index), "record \(index) of the \(kind), of \(count), is given back and not in use"
    )
    inUse.unchecked(index >> 6).pointee &= ~(1 << UInt64(index & 63))
    free.append(index)
  }
}
