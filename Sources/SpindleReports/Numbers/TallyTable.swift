import SpindleHost

/// A growing table of counts, by number; changed in place.
///
/// Raw memory, since an array that is part of a larger value pays for a uniqueness check at every change,
/// which is more than the counting itself. Indices are checked.
struct TallyTable<Record: ~Copyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Record>
  private(set) var count = 0
  private var capacity = 16

  /// Creates an empty table.
  init() { base = LargeBuffer.allocate(Record.self, capacity: capacity) }

  deinit {
    base.deinitialize(count: count)
    LargeBuffer.deallocate(base, capacity: capacity)
  }

  /// The record at `index`, in place; valid until the table grows.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Record> {
    precondition(index >= 0 && index < count, "index \(index) of \(count)")
    return base + index
  }

  /// Adds a record; amortised O(1).
  mutating func append(_ record: consuming Record) {
    if count == capacity { grow(to: capacity * 2) }
    (base + count).initialize(to: record)
    count += 1
  }

  @inline(never)
  private mutating func grow(to room: Int) {
    let larger = LargeBuffer.allocate(Record.self, capacity: room)
    larger.moveInitialize(from: base, count: count)
    LargeBuffer.deallocate(base, capacity: capacity)
    (base, capacity) = (larger, room)
  }
}

extension TallyTable {
  /// Makes the table reach `index`, with `filler` where nothing was counted yet; amortised O(1).
  @inline(__always)
  mutating func reach(_ index: Int, filledWith filler: Record) {
    if index >= count { fill(upTo: index, filler) }
  }

  @inline(never)
  private mutating func fill(upTo index: Int, _ filler: Record) {
    if index >= capacity { grow(to: max(capacity * 2, index + 1)) }
    (base + count).initialize(repeating: filler, count: index + 1 - count)
    count = index + 1
  }
}
