import SpindleHost

/// Records of run loops, which hold lists of their own and so are no plain memory as those of a
/// `Table` are; by typed index.
///
/// An index that was given back is used again, the last one first. Raw memory, as a `Table` is, since
/// an array asks at every access whether it is shared (a tenth of what a pass takes, measured); none
/// before the first record is added. Indices are checked, in release builds too.
struct RunLoopRecords<Record>: ~Copyable {
  typealias Index = TableIndex<Record>

  /// Nil only while there is no record.
  private var base: UnsafeMutablePointer<Record>?
  /// How many there are, with those that were given back.
  private(set) var count = 0
  private var capacity = 0
  private var freed: [Index] = []
  private let kind: StorageKind
  private let bytesEach: Int
  private let storage: Storage

  /// No records; each new one counts as `bytesEach` of a kind.
  init(_ kind: StorageKind, bytesEach: Int, _ storage: Storage) {
    (self.kind, self.bytesEach, self.storage) = (kind, bytesEach, storage)
  }

  deinit {
    guard let base else { return }
    base.deinitialize(count: count)
    WatchedBuffer.deallocate(base, capacity: capacity)
  }

  /// The indices of all of them, in order.
  var indices: some Sequence<Index> { (0..<Int32(count)).lazy.map { Index($0) } }

  /// The record at `index`, in place.
  subscript(index: Index) -> Record {
    @inline(__always) _read { yield at(index).pointee }
    @inline(__always) _modify { yield &at(index).pointee }
  }

  @inline(__always)
  private func at(_ index: Index) -> UnsafeMutablePointer<Record> {
    checkIndex(Int(index.raw), of: count)
    return base.unsafelyUnwrapped + Int(index.raw)
  }

  /// Adds a record.
  mutating func add(_ record: Record) -> Index {
    if let index = freed.popLast() {
      assert(index.raw >= 0 && Int(index.raw) < count, "\(kind.plural): \(index) was given back")
      self[index] = record
      return index
    }
    demand(count < Int(Int32.max), "there is no number left for another of \(kind.plural)")
    if count == capacity { grow() }
    (base.unsafelyUnwrapped + count).initialize(to: record)
    count += 1
    storage.take(kind, bytesEach)
    return Index(Int32(count - 1))
  }

  @inline(never)
  private mutating func grow() {
    let room = max(4, capacity * 2)
    demand(room > count, "\(count) \(kind.plural) grow to \(room)")
    let larger = WatchedBuffer.allocate(Record.self, capacity: room)
    if let base {
      larger.moveInitialize(from: base, count: count)
      WatchedBuffer.leave(base, capacity: capacity)
    }
    (base, capacity) = (larger, room)
  }

  /// Lets the index of a record be used again, at which `rest` is until then.
  mutating func free(_ index: Index, leaving rest: Record) {
    assert(freed.last != index, "\(kind.plural): \(index.raw) is given back twice")
    self[index] = rest
    freed.append(index)
  }
}

extension Array {
  /// The element at an index of its own type, in place.
  subscript(index: TableIndex<Element>) -> Element {
    @inline(__always) _read { yield self[Int(index.raw)] }
    @inline(__always) _modify { yield &self[Int(index.raw)] }
  }
}

/// Records by a key of two parts, the least first; `ItemHeap` with typed indices.
struct RunLoopHeap<Record> {
  typealias Index = TableIndex<Record>

  /// A record with its key.
  struct Entry {
    let first: Int64
    let second: Int64
    let item: Index

    init(first: Int64, second: Int64, item: Index) {
      (self.first, self.second, self.item) = (first, second, item)
    }

    fileprivate init(_ entry: ItemHeap.Entry) {
      self.init(first: entry.first, second: entry.second, item: Index(entry.item))
    }
  }

  private var heap = ItemHeap()

  /// How many there are.
  var count: Int { heap.count }
  /// Whether there is none.
  var isEmpty: Bool { heap.isEmpty }
  /// The one with the least key; nil when there is none.
  var first: Entry? { heap.first.map { Entry($0) } }
  /// All of them, in order.
  var all: [Entry] { heap.all.map { Entry($0) } }

  /// One with its key; nil when it is not there.
  func entry(of item: Index) -> Entry? { heap.entry(of: item.raw).map { Entry($0) } }

  /// Whether one is there.
  func contains(_ item: Index) -> Bool { heap.contains(item.raw) }

  /// Hands over those whose keys' first parts are at most `limit`, in order.
  @inline(__always)
  func forEach(upTo limit: Int64, _ body: (Index) -> Void) {
    heap.forEach(upTo: limit) { body(Index($0)) }
  }

  /// Adds one that is not there.
  mutating func insert(_ entry: Entry) {
    assert(!heap.contains(entry.item.raw), "\(entry.item.raw) stands in a heap twice")
    heap.insert(
      ItemHeap.Entry(first: entry.first, second: entry.second, item: entry.item.raw))
  }

  /// Takes one out; nil when it was not there.
  @discardableResult
  mutating func remove(_ item: Index) -> Entry? { heap.remove(item.raw).map { Entry($0) } }

  /// Gives each one a new first part of its key.
  mutating func rekey(_ key: (Index) -> Int64) { heap.rekey { key(Index($0.item)) } }
}
