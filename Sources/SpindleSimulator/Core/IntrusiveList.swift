/// Where the records of a table keep their neighbours in one list.
///
/// A record may be in several lists at once, one for each type of links.
protocol ListLinks {
  /// What stands in the list.
  associatedtype Record: BitwiseCopyable
  /// The index of the record that follows; -1 for none.
  static func next(_ record: UnsafeMutablePointer<Record>) -> Int32
  /// The index of the record before; -1 for none.
  static func previous(_ record: UnsafeMutablePointer<Record>) -> Int32
  /// Notes both neighbours.
  static func set(_ record: UnsafeMutablePointer<Record>, next: Int32)
  static func set(_ record: UnsafeMutablePointer<Record>, previous: Int32)
}

/// The neighbours of a record in one list.
struct Neighbours<Record>: BitwiseCopyable {
  /// The record that follows; none for the last.
  var next = TableIndex<Record>.none
  /// The record before; none for the first.
  var previous = TableIndex<Record>.none
}

/// Links of records that keep both neighbours together: all that is to be said is where.
protocol NeighbourLinks: ListLinks {
  /// The neighbours of a record.
  static subscript(record: UnsafeMutablePointer<Record>) -> Neighbours<Record> { get set }
}

extension NeighbourLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<Record>) -> Int32 { Self[record].next.raw }

  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<Record>) -> Int32 {
    Self[record].previous.raw
  }

  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<Record>, next: Int32) {
    Self[record].next = .init(next)
  }

  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<Record>, previous: Int32) {
    Self[record].previous = .init(previous)
  }
}

/// Records of a table in an order, linked through themselves; every operation is O(1).
///
/// The list holds the indices of its ends only, and is handed the table. An index from outside is checked,
/// in release builds too; the neighbours that a record names were written here, and are not.
struct IntrusiveList<Links: ListLinks>: BitwiseCopyable {
  /// The first record; -1 when there is none.
  var head: Int32 = -1
  /// The last record; -1 when there is none.
  var tail: Int32 = -1

  /// Whether nothing is in it.
  @inline(__always) var isEmpty: Bool { head < 0 }

  /// Adds a record, which is in no such list, at the end.
  @inline(__always)
  mutating func append(_ index: Int32, in table: borrowing Table<Links.Record>) {
    insert(index, after: tail, in: table)
  }

  /// Adds a record, which is in no such list, behind another one; behind -1 at the front.
  @inline(__always)
  mutating func insert(
    _ index: Int32, after before: Int32, in table: borrowing Table<Links.Record>
  ) {
    let record = table.at(index)
    assert(
      Links.next(record) < 0 && Links.previous(record) < 0 && head != index,
      "record \(index) is in a list already")
    var behind = head
    if before >= 0 {
      let neighbour = table.at(before)
      behind = Links.next(neighbour)
      Links.set(neighbour, next: index)
    } else {
      head = index
    }
    Links.set(record, previous: before)
    Links.set(record, next: behind)
    if behind >= 0 {
      Links.set(table.unchecked(behind), previous: index)
    } else {
      tail = index
    }
  }

  /// Takes a record out, which is in this list.
  @inline(__always)
  mutating func remove(_ index: Int32, in table: borrowing Table<Links.Record>) {
    let record = table.at(index)
    let (next, previous) = (Links.next(record), Links.previous(record))
    if previous >= 0 {
      Links.set(table.unchecked(previous), next: next)
    } else {
      demand(head == index, "record \(index) is not in the list that begins with \(head)")
      head = next
    }
    if next >= 0 { Links.set(table.unchecked(next), previous: previous) } else { tail = previous }
    Links.set(record, next: -1)
    Links.set(record, previous: -1)
  }

  /// Takes the first record out; -1 when there is none.
  @inline(__always)
  mutating func removeFirst(in table: borrowing Table<Links.Record>) -> Int32 {
    let index = head
    if index >= 0 { remove(index, in: table) }
    return index
  }

  /// All records, first to last, for checks: O(n).
  ///
  /// Stops where the list is torn.
  func indices(in table: borrowing Table<Links.Record>) -> [Int32] {
    let found = chain(from: head, in: table)
    demand(tail == found.last ?? -1, "a list ends with \(found.last ?? -1), not with \(tail)")
    return found
  }

  /// The records from one on; stops where a record has another neighbour before it than the one from
  /// which it was reached.
  fileprivate func chain(
    from first: Int32, in table: borrowing Table<Links.Record>
  ) -> [Int32] {
    var (index, before, found) = (first, Int32(-1), [Int32]())
    while index >= 0 {
      let record = table.at(index)
      demand(
        Links.previous(record) == before && found.count < table.count,
        "a list is torn at record \(index): behind \(before), and says \(Links.previous(record))")
      found.append(index)
      (before, index) = (index, Links.next(record))
    }
    return found
  }
}

/// Records of a table of which the last that came is first, linked through themselves; every operation is O(1).
///
/// `IntrusiveList` without its other end: half its size.
struct IntrusiveStack<Links: ListLinks>: BitwiseCopyable {
  /// The first record; -1 when there is none.
  var head: Int32 = -1

  /// Whether nothing is in it.
  @inline(__always) var isEmpty: Bool { head < 0 }

  /// Adds a record, which is in no such list, at the front.
  @inline(__always)
  mutating func push(_ index: Int32, in table: borrowing Table<Links.Record>) {
    var list = IntrusiveList<Links>(head: head)
    list.insert(index, after: -1, in: table)
    head = list.head
  }

  /// Takes a record out, which is in this list.
  @inline(__always)
  mutating func remove(_ index: Int32, in table: borrowing Table<Links.Record>) {
    var list = IntrusiveList<Links>(head: head)
    list.remove(index, in: table)
    head = list.head
  }

  /// All records, first to last, for checks: O(n).
  ///
  /// Stops where the list is torn.
  func indices(in table: borrowing Table<Links.Record>) -> [Int32] {
    IntrusiveList<Links>().chain(from: head, in: table)
  }
}
