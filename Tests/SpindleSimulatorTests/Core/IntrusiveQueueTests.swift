import Testing

@testable import SpindleSimulator

/// Queues that are linked through their records do what arrays do.
@Suite struct IntrusiveQueueTests {
  struct Link: Queueable {
    var next = TableIndex<Link>.none
  }

  /// Every sequence of eight steps, of which each adds a record to one of two queues of one table, or
  /// takes the first out of one.
  @Test func everyOrderOfAddingAndTaking() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    for code in 0..<65_536 {
      var table = Table<Link>(.items, storage)
      var (queues, models) = ([IntrusiveQueue<Link>(), IntrusiveQueue()], [[Int32](), []])
      for step in 0..<8 {
        let (which, adds) = (code >> (2 * step) & 1, code >> (2 * step + 1) & 1 == 1)
        if adds {
          let fresh = table.add(Link())
          queues[which].append(fresh, in: table)
          models[which].append(fresh.raw)
        } else {
          let first = models[which].isEmpty ? -1 : models[which].removeFirst()
          #expect(queues[which].removeFirst(in: table).raw == first)
        }
      }
      for which in 0..<2 {
        #expect(queues[which].indices(in: table).map(\.raw) == models[which])
        #expect(queues[which].isEmpty == models[which].isEmpty)
        #expect(queues[which].first.raw == models[which].first ?? -1)
        #expect(queues[which].last.raw == models[which].last ?? -1)
      }
    }
  }

  /// What was taken out can be added again: nothing of its old neighbours is left in it.
  @Test func aRecordThatWasTakenCanBeAddedAgain() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var table = Table<Link>(.items, storage)
    var queue = IntrusiveQueue<Link>()
    for _ in 0..<3 { queue.append(table.add(Link()), in: table) }
    for round in 0..<6 {
      let first = queue.removeFirst(in: table)
      #expect(first.raw == Int32(round % 3))
      queue.append(first, in: table)
    }
    #expect(queue.indices(in: table).map(\.raw) == [0, 1, 2])
  }

  @Test func aRingIsFoundByWhoWalksIt() async {
    await #expect(processExitsWith: .failure) {
      let storage = Storage(limit: Int.max)
      var table = Table<Link>(.items, storage)
      var queue = IntrusiveQueue<Link>()
      for _ in 0..<3 { queue.append(table.add(Link()), in: table) }
      table[queue.last].next = queue.first
      _ = queue.indices(in: table)
    }
  }
}
