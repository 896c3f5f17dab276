/// A growing table of plain records, reached by index: the storage of all simulated state.
///
/// Raw memory, since an array as part of a larger state pays for uniqueness and bounds checks at
/// every access (twice the time of a whole scheduling decision, measured). Indices are checked in
/// debug builds.
struct Table<Record: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Record>
  private(set) var count = 0
  private var capacity: Int

  /// Creates an empty table with room for `capacity` records.
  init(capacity: Int = 16) {
    self.capacity = max(1, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The record at `index`, in place.
  subscript(index: Int32) -> Record {
    @inline(__always) _read {
      assert(index >= 0 && Int(index) < count, "index \(index) of \(count)")
      yield base[Int(index)]
    }
    @inline(__always) nonmutating _modify {
      assert(index >= 0 && Int(index) < count, "index \(index) of \(count)")
      yield &base[Int(index)]
    }
  }

  /// Adds a record; amortised O(1).
  ///
  /// Returns its index.
  @discardableResult
  @inline(__always)
  mutating func append(_ record: Record) -> Int32 {
    if count == capacity { grow() }
    (base + count).initialize(to: record)
    count += 1
    return Int32(truncatingIfNeeded: count - 1)
  }

  /// Takes the last record off; traps when there is none.
  @inline(__always)
  mutating func removeLast() -> Record {
    precondition(count > 0, "an empty table has no last record")
    count -= 1
    return base[count]
  }

  /// Forgets all records and keeps the room.
  mutating func removeAll() { count = 0 }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
