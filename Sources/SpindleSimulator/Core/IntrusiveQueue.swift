/// A record of a table that can stand in a queue of such records: it names the one behind it.
protocol Queueable: BitwiseCopyable {
  /// The record behind it; none for the last, and for one that stands in no queue.
  var next: TableIndex<Self> { get set }
}

/// Records of a table, first in, first out, linked through themselves; every operation is O(1) but where it says more.
///
/// Half of what an `IntrusiveList` writes, for records that leave at the front but for seldom ones. The queue holds
/// the indices of its ends only, and is handed the table.
struct IntrusiveQueue<Record: Queueable>: BitwiseCopyable {
  /// The index of a record that can stand in the queue.
  typealias Index = TableIndex<Record>

  /// The first record; none when nothing is in it.
  private(set) var first = Index.none
  /// The last record; none when nothing is in it.
  private(set) var last = Index.none

  /// Whether nothing is in it.
  @inline(__always) var isEmpty: Bool { first.isNone }

  /// Adds a record, which is in no queue, at the end.
  @inline(__always)
  mutating func append(_ index: Index, in table: borrowing Table<Record>) {
    let record = table.at(index)
    assert(record.pointee.next.isNone && last != index, "record \(index) is in a queue already")
    if first.isNone {
      first = index
    } else {
      table.unchecked(last).pointee.next = index
    }
    last = index
  }

  /// Adds a record, which is in no queue, in front of all.
  mutating func prepend(_ index: Index, in table: borrowing Table<Record>) {
    let record = table.at(index)
    assert(record.pointee.next.isNone && last != index, "record \(index) is in a queue already")
    record.pointee.next = first
    first = index
    if last.isNone { last = index }
  }

  /// Takes the first record out; none when there is none.
  @inline(__always)
  mutating func removeFirst(in table: borrowing Table<Record>) -> Index {
    let index = first
    if index.isNone { return index }
    let record = table.at(index)
    first = record.pointee.next
    if first.isNone {
      assert(last == index, "a queue ends with \(index), and \(last) is noted")
      last = .none
    }
    record.pointee.next = .none
    return index
  }

  /// Takes the first record out that is `wanted`; none when no one is: O(n).
  mutating func removeFirst(
    in table: borrowing Table<Record>, where wanted: (Record) -> Bool
  ) -> Index {
    var (before, index) = (Index.none, first)
    while !index.isNone && !wanted(table[index]) { (before, index) = (index, table[index].next) }
    if index.isNone || before.isNone { return index.isNone ? index : removeFirst(in: table) }
    table.at(before).pointee.next = table[index].next
    if last == index { last = before }
    table.at(index).pointee.next = .none
    return index
  }

  /// All records, first to last, for checks: O(n).
  ///
  /// Stops where the queue is torn, or is a ring.
  func indices(in table: borrowing Table<Record>) -> [Index] {
    var (index, found) = (first, [Index]())
    while !index.isNone {
      demand(found.count < table.count, "a queue that begins with \(first) is a ring")
      found.append(index)
      index = table[index].next
    }
    demand(
      last == found.last ?? .none, "a queue ends with \(found.last ?? .none), not with \(last)")
    return found
  }
}

extension IntrusiveQueue {
  /// Adds a record, which is in use and in no queue, at the end.
  @inline(__always)
  mutating func append(_ index: Index, in table: borrowing SlotTable<Record>) {
    assert(table.contains(index), "record \(index) is not in use and comes into a queue")
    append(index, in: table.records)
  }

  /// Adds a record, which is in use and in no queue, in front of all.
  mutating func prepend(_ index: Index, in table: borrowing SlotTable<Record>) {
    assert(table.contains(index), "record \(index) is not in use and comes into a queue")
    prepend(index, in: table.records)
  }

  /// Takes the first record out; none when there is none.
  @inline(__always)
  mutating func removeFirst(in table: borrowing SlotTable<Record>) -> Index {
    removeFirst(in: table.records)
  }

  /// Takes the first record out that is `wanted`; none when no one is: O(n).
  mutating func removeFirst(
    in table: borrowing SlotTable<Record>, where wanted: (Record) -> Bool
  ) -> Index {
    removeFirst(in: table.records, where: wanted)
  }

  /// All records, first to last, for checks: O(n); stops where the queue is torn.
  func indices(in table: borrowing SlotTable<Record>) -> [Index] { indices(in: table.records) }
}
