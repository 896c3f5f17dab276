/// The number of a record in its table; a number of another table is of another type.
///
/// Four bytes, as the number itself. `none` is -1, which no table has.
struct TableIndex<Record>: Hashable, BitwiseCopyable {
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
