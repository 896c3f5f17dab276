/// The number of a record in its table; a number of another table is of another type.
///
/// Four bytes, as the number itself. `none` is -1, which no table has.
struct TableIndex<Record>: Hashable, BitwiseCopyable, CustomStringConvertible {
  /// The number.
  let raw: Int32

  /// The record with this number.
  @inline(__always)
  init(_ raw: Int32) { self.raw = raw }

  /// The record that a register of the trace names.
  @inline(__always)
  init(register: Int64) { raw = Int32(truncatingIfNeeded: register) }

  /// No record.
  @inline(__always) static var none: TableIndex { TableIndex(-1) }

  /// Whether it names no record.
  @inline(__always) var isNone: Bool { raw < 0 }

  /// What a register holds for it.
  @inline(__always) var register: Int64 { Int64(raw) }

  /// The number, for messages.
  var description: String { String(raw) }
}

extension Table {
  /// The index of a record of this table.
  typealias Index = TableIndex<Record>

  /// The record at `index`, in place.
  subscript(index: Index) -> Record {
    @inline(__always) _read { yield self[index.raw] }
    @inline(__always) nonmutating _modify { yield &self[index.raw] }
  }

  /// The record at `index`, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ index: Index) -> UnsafeMutablePointer<Record> { at(index.raw) }

  /// The record at `index`, checked in debug builds only; see `unchecked(_:)`.
  @inline(__always)
  func unchecked(_ index: Index) -> UnsafeMutablePointer<Record> { unchecked(index.raw) }

  /// Adds a record and gives its index; amortised O(1).
  @inline(__always)
  mutating func add(_ record: Record) -> Index { Index(append(record)) }

  /// The indices of all records, in order.
  var indices: some Sequence<Index> { (0..<Int32(count)).lazy.map { Index($0) } }
}

extension SlotTable {
  /// The index of a record of this table.
  typealias Index = TableIndex<Record>

  /// The record at `index`, in place.
  subscript(index: Index) -> Record {
    @inline(__always) _read { yield self[index.raw] }
    @inline(__always) nonmutating _modify { yield &self[index.raw] }
  }

  /// The record at `index`, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ index: Index) -> UnsafeMutablePointer<Record> { at(index.raw) }

  /// The record at `index`, as `at` has it, checked in debug builds only.
  @inline(__always)
  func unchecked(_ index: Index) -> UnsafeMutablePointer<Record> { unchecked(index.raw) }

  /// Whether a record of this index is in use.
  @inline(__always)
  func contains(_ index: Index) -> Bool { contains(index.raw) }

  /// Adds a record and gives its index; amortised O(1).
  @inline(__always)
  mutating func add(_ record: Record) -> Index { Index(insert(record)) }

  /// Gives a record back; its index may be used for another one from now on.
  @inline(__always)
  mutating func remove(_ index: Index) { remove(index.raw) }

  /// The indices of the records that are in use, in order.
  var usedIndices: [Index] {
    var found: [Index] = []
    for index in 0..<Int32(count) where contains(index) { found.append(Index(index)) }
    return found
  }
}

extension IntrusiveList {
  /// The index of a record that can stand in the list.
  typealias Index = TableIndex<Links.Record>

  /// The first record; none where nothing is in the list.
  @inline(__always) var first: Index { Index(head) }

  /// The last record; none where nothing is in the list.
  @inline(__always) var last: Index { Index(tail) }

  /// Adds a record, which is in use and in no such list, at the end.
  @inline(__always)
  mutating func append(_ index: Index, in table: borrowing SlotTable<Links.Record>) {
    assert(table.contains(index), "record \(index) is not in use and comes into a list")
    append(index.raw, in: table.records)
  }

  /// Takes a record out, which is in this list.
  @inline(__always)
  mutating func remove(_ index: Index, in table: borrowing SlotTable<Links.Record>) {
    remove(index.raw, in: table.records)
  }

  /// All records, first to last, for checks: O(n); stops where the list is torn.
  func indices(in table: borrowing SlotTable<Links.Record>) -> [Index] {
    indices(in: table.records).map { Index($0) }
  }
}

extension IntrusiveStack {
  /// The index of a record that can be in the stack.
  typealias Index = TableIndex<Links.Record>

  /// The first record; none where nothing is in it.
  @inline(__always) var first: Index { Index(head) }

  /// Adds a record, which is in no such list, at the front.
  @inline(__always)
  mutating func push(_ index: Index, in table: borrowing Table<Links.Record>) {
    push(index.raw, in: table)
  }

  /// Takes a record out, which is in this list.
  @inline(__always)
  mutating func remove(_ index: Index, in table: borrowing Table<Links.Record>) {
    remove(index.raw, in: table)
  }
}

/// What has the frames of code, by their numbers; see `FrameArena`.
enum CodeFrame {}

/// The number of a frame, or of a closure, which is a frame that was not entered.
typealias FrameIndex = TableIndex<CodeFrame>
