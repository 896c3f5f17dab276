import Testing

@testable import SpindleSimulator

/// Lists that are linked through their records do what arrays do.
@Suite struct IntrusiveListTests {
  /// A record that can be in two lists at once.
  struct Pair: BitwiseCopyable {
    var (next, previous): (Int32, Int32) = (-1, -1)
    var (later, earlier): (Int32, Int32) = (-1, -1)
  }

  enum First: ListLinks {
    static func next(_ record: UnsafeMutablePointer<Pair>) -> Int32 { record.pointee.next }
    static func previous(_ record: UnsafeMutablePointer<Pair>) -> Int32 { record.pointee.previous }
    static func set(_ record: UnsafeMutablePointer<Pair>, next: Int32) {
      record.pointee.next = next
    }
    static func set(_ record: UnsafeMutablePointer<Pair>, previous: Int32) {
      record.pointee.previous = previous
    }
  }

  enum Second: ListLinks {
    static func next(_ record: UnsafeMutablePointer<Pair>) -> Int32 { record.pointee.later }
    static func previous(_ record: UnsafeMutablePointer<Pair>) -> Int32 { record.pointee.earlier }
    static func set(_ record: UnsafeMutablePointer<Pair>, next: Int32) {
      record.pointee.later = next
    }
    static func set(_ record: UnsafeMutablePointer<Pair>, previous: Int32) {
      record.pointee.earlier = previous
    }
  }

  /// What can be done to a list.
  enum Operation: Int, CaseIterable {
    case append, insertAtFront, insertInTheMiddle, removeFirst, removeLast, removeFromTheMiddle
  }

  private static func model(_ operation: Operation, on list: inout [Int32], fresh: Int32) {
    switch operation {
    case .append: list.append(fresh)
    case .insertAtFront: list.insert(fresh, at: 0)
    case .insertInTheMiddle: list.insert(fresh, at: (list.count + 1) / 2)
    case .removeFirst: if !list.isEmpty { list.removeFirst() }
    case .removeLast: _ = list.popLast()
    case .removeFromTheMiddle: if !list.isEmpty { list.remove(at: list.count / 2) }
    }
  }

  private static func apply<Links: ListLinks>(
    _ operation: Operation, on list: inout IntrusiveList<Links>, model: [Int32], fresh: Int32,
    in table: borrowing Table<Pair>
  ) where Links.Record == Pair {
    switch operation {
    case .append: list.append(fresh, in: table)
    case .insertAtFront: list.insert(fresh, after: -1, in: table)
    case .insertInTheMiddle:
      let place = (model.count + 1) / 2
      list.insert(fresh, after: place == 0 ? -1 : model[place - 1], in: table)
    case .removeFirst: #expect(list.removeFirst(in: table) == model.first ?? -1)
    case .removeLast: if let last = model.last { list.remove(last, in: table) }
    case .removeFromTheMiddle:
      if !model.isEmpty { list.remove(model[model.count / 2], in: table) }
    }
  }

  /// Every sequence of six operations, with records that stand in another list all the time.
  @Test func everyOrderOfOperations() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    let operations = Operation.allCases
    for code in 0..<46_656 {
      var table = Table<Pair>(.items, storage)
      for _ in 0..<6 { table.append(Pair()) }
      var (list, other) = (IntrusiveList<First>(), IntrusiveList<Second>())
      var (model, rest): ([Int32], Int) = ([], code)
      for step in 0..<6 {
        let operation = operations[rest % 6]
        rest /= 6
        let fresh = Int32(step)
        Self.apply(operation, on: &list, model: model, fresh: fresh, in: table)
        Self.model(operation, on: &model, fresh: fresh)
        other.append(fresh, in: table)
        if list.indices(in: table) != model { Issue.record("\(code), \(operation): \(model)") }
        if (list.head, list.tail) != (model.first ?? -1, model.last ?? -1) {
          Issue.record("\(code): the ends of \(model)")
        }
      }
      if other.indices(in: table) != [0, 1, 2, 3, 4, 5] { Issue.record("\(code): the other list") }
    }
  }

  @Test func everyOrderOfPushesAndRemovals() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    for code in 0..<6_561 {
      var table = Table<Pair>(.items, storage)
      for _ in 0..<8 { table.append(Pair()) }
      var stack = IntrusiveStack<First>()
      var (model, rest): ([Int32], Int) = ([], code)
      for step in 0..<8 {
        let choice = rest % 3
        rest /= 3
        if choice == 0 || model.isEmpty {
          stack.push(Int32(step), in: table)
          model.insert(Int32(step), at: 0)
        } else {
          let gone = model.remove(at: choice == 1 ? 0 : model.count - 1)
          stack.remove(gone, in: table)
          #expect(table[gone].next == -1 && table[gone].previous == -1)
        }
        if stack.indices(in: table) != model { Issue.record("\(code): \(model)") }
        #expect(stack.isEmpty == model.isEmpty)
      }
    }
  }

  private static func torn(_ damage: (inout IntrusiveList<First>, borrowing Table<Pair>) -> Void) {
    let storage = Storage(limit: Int.max)
    var table = Table<Pair>(.items, storage)
    for _ in 0..<4 { table.append(Pair()) }
    var list = IntrusiveList<First>()
    for index in 0..<Int32(3) { list.append(index, in: table) }
    damage(&list, table)
    _ = list.indices(in: table)
  }

  @Test func aTornListIsNoticed() async {
    Self.torn { _, _ in }
    await #expect(processExitsWith: .failure) { Self.torn { _, table in table[1].previous = 2 } }
    await #expect(processExitsWith: .failure) { Self.torn { _, table in table[2].next = 0 } }
    await #expect(processExitsWith: .failure) { Self.torn { list, _ in list.tail = 1 } }
    await #expect(processExitsWith: .failure) { Self.torn { $0.remove(3, in: $1) } }
    await #expect(processExitsWith: .failure) { Self.torn { $0.append(4, in: $1) } }
  }
}
