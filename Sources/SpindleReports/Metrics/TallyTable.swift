/// A growing table of what is counted, by number; reached in place.
///
/// Raw memory, since an array that is part of a larger value pays for a uniqueness check at every
/// change, which is more than the counting itself. Indices are checked in debug builds.
struct TallyTable<Record>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Record>
  private(set) var count = 0
  private var capacity = 16
  /// What a place holds that nothing was counted for yet.
  private let filler: Record

  /// Creates an empty table whose new places hold `filler`.
  init(filledWith filler: Record) {
    self.filler = filler
    base = .allocate(capacity: capacity)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// The record at `index`, in place; valid until the table grows.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutablePointer<Record> {
    assert(index >= 0 && index < count, "index \(index) of \(count)")
    return base + index
  }

  /// Makes the table reach `index`; amortised O(1).
  @inline(__always)
  mutating func reach(_ index: Int) {
    if index >= count { grow(toReach: index) }
  }

  /// Adds a record.
  mutating func append(_ record: Record) {
    reach(count)
    base[count - 1] = record
  }

  @inline(never)
  private mutating func grow(toReach index: Int) {
    if index >= capacity {
      let room = max(capacity * 2, index + 1)
      let larger = UnsafeMutablePointer<Record>.allocate(capacity: room)
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
      (base, capacity) = (larger, room)
    }
    (base + count).initialize(repeating: filler, count: index + 1 - count)
    count = index + 1
  }
}
