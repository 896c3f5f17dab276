/// The items of a program, sorted by what they do: those that do the same are one function, with a number.
struct ItemKinds: Sendable {
  /// Items that do the same, and differ in how long that takes.
  struct Kind: Sendable {
    /// What they have in common besides.
    let manner: Manner
    /// What each does, with the lengths of all.
    fileprivate(set) var operations: [FoldedOperation]
    /// How many there are.
    fileprivate(set) var count: Int
  }

  /// How an item is submitted.
  struct Manner: Hashable, Sendable {
    let queue: Int
    let isSync: Bool
    let isBarrier: Bool
    let group: Int32?

    fileprivate init(_ item: RecordedItem) {
      (queue, isSync, isBarrier, group) = (item.queue, item.isSync, item.isBarrier, item.group)
    }
  }

  /// The key of the items of one kind.
  private struct Key: Hashable {
    let manner: Manner
    let operations: [ThreadOperation]
  }

  /// In the order in which the first of each was submitted.
  private(set) var kinds: [Kind] = []
  /// By item: its kind, and which of that kind it is; nil of one that was not called.
  private var numbers: [(kind: Int32, number: Int64)?]

  /// Sorts the items that were called.
  ///
  /// What an item submits comes behind it in the list, so that their kinds are known before its own, from the last to
  /// the first.
  init(_ items: [RecordedItem]) {
    var kindOf: [Key: Int] = [:]
    var found: [Int?] = Array(repeating: nil, count: items.count)
    var order: [Int] = []
    for place in items.indices.reversed() where items[place].hasBegun {
      let item = items[place]
      let shape = item.operations.map { operation in
        let target = operation.kind.isNumbered ? found[Int(operation.target)] : nil
        return ThreadOperation(
          kind: operation.kind, target: target.map(Int32.init) ?? operation.target)
      }
      let key = Key(manner: Manner(item), operations: shape)
      let kind = kindOf[key] ?? kindOf.count
      (kindOf[key], found[place]) = (kind, kind)
      if kind == order.count { order.append(place) } else { order[kind] = place }
    }
    // By their first items.
    let sorted = order.indices.sorted { order[$0] < order[$1] }
    var rank = Array(repeating: Int32(0), count: order.count)
    for (new, old) in sorted.enumerated() { rank[old] = Int32(new) }
    var counts = Array(repeating: Int64(0), count: order.count)
    numbers = found.map { old in
      guard let old else { return nil }
      counts[old] += 1
      return (rank[old], counts[old] - 1)
    }
    for place in items.indices {
      guard let number = numbers[place] else { continue }
      let item = items[place]
      let operations = FoldedOperation.folded(numbered(item.operations))
      if number.number == 0 {
        kinds.append(Kind(manner: Manner(item), operations: operations, count: 1))
      } else {
        kinds[Int(number.kind)].join(operations)
      }
    }
  }

  /// The kind of an item that was called, and which of it it is.
  subscript(item: Int) -> (kind: Int32, number: Int64)? { numbers[item] }

  /// Operations with kinds and numbers for items.
  func numbered(_ operations: [ThreadOperation]) -> [ThreadOperation] {
    operations.map { operation in
      guard operation.kind.isNumbered, let number = numbers[Int(operation.target)] else {
        return operation
      }
      return ThreadOperation(kind: operation.kind, target: number.kind, length: number.number)
    }
  }
}

extension ItemKinds.Kind {
  fileprivate mutating func join(_ other: [FoldedOperation]) {
    for place in operations.indices { operations[place].join(other[place]) }
    count += 1
  }
}
