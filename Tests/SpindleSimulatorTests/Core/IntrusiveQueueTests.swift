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

  /// Of queues of every length up to five, any record or none, and then any other one.
  @Test func anyRecordCanBeTakenOut() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    struct Numbered: Queueable {
      var number: Int32
      var next = TableIndex<Numbered>.none
    }
    for count in Int32(0)...5 {
      for first in 0...count {
        for second in 0...count {
          var table = Table<Numbered>(.items, storage)
          var (queue, model) = (IntrusiveQueue<Numbered>(), Array(0..<count))
          for number in model { queue.append(table.add(Numbered(number: number)), in: table) }
          for wanted in [first, second] {
            let taken = queue.removeFirst(in: table) { $0.number == wanted }
            #expect(taken.raw == (model.contains(wanted) ? wanted : -1))
            model.removeAll { $0 == wanted }
            #expect(queue.indices(in: table).map(\.raw) == model)
            if taken.isNone { continue }
            if wanted == first {
              queue.prepend(taken, in: table)
              model.insert(wanted, at: 0)
            } else {
              queue.append(taken, in: table)
              model.append(wanted)
            }
            #expect(queue.indices(in: table).map(\.raw) == model)
          }
        }
      }
    }
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
