import SpindleHost

/// A growing table of plain records, reached by index: the storage of all simulated state.
///
/// Raw memory, since an array as part of a larger state pays for a uniqueness check at every access
/// (twice the time of a whole scheduling decision, measured). Indices are checked, in release builds
/// too; only what is done for every event reaches a record by `unchecked`.
struct Table<Record: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Record>
  private(set) var count = 0
  private var capacity: Int
  private let storage: Storage
  private let kind: StorageKind
  /// What others hold for each record: policies, and those who read the log.
  private let beside: Int

  /// Creates an empty table of records of a kind, whose memory counts in `storage`, with what others
  /// hold `beside` each.
  init(_ kind: StorageKind, _ storage: Storage, beside: Int = 0) {
    (self.kind, self.storage, self.beside) = (kind, storage, beside)
    capacity = storage.firstRoom
    base = WatchedBuffer.allocate(Record.self, capacity: capacity)
  }

  deinit { WatchedBuffer.deallocate(base, capacity: capacity) }

  /// The record at `index`, in place.
  subscript(index: Int32) -> Record {
    @inline(__always) _read {
      checkIndex(Int(index), of: count)
      yield base[Int(index)]
    }
    @inline(__always) nonmutating _modify {
      checkIndex(Int(index), of: count)
      yield &base[Int(index)]
    }
  }

  /// The record at `index`, for several accesses; valid until the table grows, which `WatchedBuffer` checks.
  @inline(__always)
  func at(_ index: Int32) -> UnsafeMutablePointer<Record> {
    checkIndex(Int(index), of: count)
    return base + Int(index)
  }

  /// The record at `index`, as `at` has it, checked in debug builds only: for what is done for every
  /// event, with an index that the simulator has kept itself.
  @inline(__always)
  func unchecked(_ index: Int32) -> UnsafeMutablePointer<Record> {
    assert(index >= 0 && Int(index) < count, "index \(index) of \(count)")
    return base + Int(index)
  }

  /// Adds a record; amortised O(1).
  ///
  /// Returns its index.
  @discardableResult
  @inline(__always)
  mutating func append(_ record: Record) -> Int32 {
    if count == capacity { grow() }
    (base + count).initialize(to: record)
    count &+= 1
    return Int32(truncatingIfNeeded: count &- 1)
  }

  /// Adds a record that holds anything, for the caller to initialise; amortised O(1).
  ///
  /// Returns its index.
  @inline(__always)
  mutating func appendAny() -> Int32 {
    if count == capacity { grow() }
    count &+= 1
    return Int32(truncatingIfNeeded: count &- 1)
  }

  /// Takes the last record off; traps when there is none.
  @inline(__always)
  mutating func removeLast() -> Record {
    precondition(count > 0, "an empty table has no last record")
    count &-= 1
    return base[count]
  }

  /// Forgets all records and keeps the room.
  mutating func removeAll() { count = 0 }

  @inline(never)
  private mutating func grow() {
    let room = storage.room(
      after: capacity, bytesEach: MemoryLayout<Record>.stride, beside: beside, kind)
    demand(room > count, "a table of \(count) \(kind.plural) grows to \(room)")
    let larger = WatchedBuffer.allocate(Record.self, capacity: room)
    larger.moveInitialize(from: base, count: count)
    WatchedBuffer.leave(base, capacity: capacity)
    (base, capacity) = (larger, room)
  }
}

/// Stops unless `index` is one of `count`, in release builds too.
///
/// By `precondition`, behind which the compiler keeps a record in place; behind a call that names the
/// index it copies the whole (a tenth of what a barrier of a queue takes, measured).
@inline(__always)
func checkIndex(_ index: Int, of count: Int) {
  precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index \(index) of \(count)")
}

/// How tables grow.
enum Growth {
  /// What a table gets at once when it is no small one any more.
  private static let largeStep = 8 << 20

  /// The room that follows `room` places.
  ///
  /// Twice as many, but from 128 KB on at least 8 MB: room that is not touched is no memory, but for
  /// the rest of a large page, while copying what is there, and touching as much again for the first
  /// time, is time. No table gets more than `step` for that.
  static func room(after room: Int, bytesEach size: Int, step: Int) -> Int {
    room * size < 128 << 10 ? room * 2 : max(room * 2, min(largeStep, step) / size)
  }
}
