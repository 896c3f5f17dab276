import Testing

@testable import SpindleSimulator

/// The wheel gives events in exactly the order of their keys, whatever the times look like.
@Suite struct EventQueueTests {
  /// How the times of new events lie.
  enum Spread: String, CaseIterable, Sendable {
    case near, wide, equal, zeroHalf, bursts, farThenNear
  }

  /// A small repeatable generator, apart from the simulator's own.
  struct Generator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11
    }
  }

  static func increment(_ spread: Spread, _ generator: inout Generator, _ step: Int) -> Int64 {
    let draw = Int64(generator.next() >> 8)
    switch spread {
    case .near: return draw % 1_000
    case .wide: return draw % (1 << (1 + draw % 40))
    case .equal: return 5_000
    case .zeroHalf: return draw % 2 == 0 ? 0 : draw % 1_000_000
    case .bursts: return step % 500 == 0 ? 1_000_000_000 : 0
    case .farThenNear: return step < 2_000 ? 1_000_000_000_000 + draw % 1_000 : draw % 100
    }
  }

  @Test(arguments: Spread.allCases, [1, 10, 300, 3_000])
  func popsInOrder(spread: Spread, pending: Int) {
    var queue = EventQueue()
    var reference: [ScheduledEvent] = []
    var generator = Generator(state: UInt64(pending))
    var (sequence, now) = (UInt64(0), Int64(0))
    func add(_ step: Int) {
      sequence += 1
      let kinds: [DueKind] = [.core, .device, .arrival, .threadTimer]
      let time = now + Self.increment(spread, &generator, step)
      let event = ScheduledEvent(
        time: time, kind: kinds[Int(generator.next() % 4)],
        index: Int32(generator.next() % 1_000), sequence: sequence)
      queue.push(event)
      reference.append(event)
    }
    for step in 0..<pending { add(step) }
    var popped: [ScheduledEvent] = []
    for step in 0..<6_000 {
      guard let event = queue.pop() else { break }
      popped.append(event)
      now = event.time
      if step < 5_000 { add(step) }
    }
    while let event = queue.pop() { popped.append(event) }
    #expect(popped.count == reference.count)
    #expect(queue.count == 0)
    // The times of the reference never lie before the pop that added them, so the order in which a
    // correct queue pops is the sorted order.
    for index in popped.indices.dropFirst() {
      #expect(
        !popped[index].precedes(popped[index - 1]) || popped[index].time == popped[index - 1].time)
    }
    let expected = reference.sorted { $0.precedes($1) }
    #expect(popped.map(\.time) == expected.map(\.time))
    #expect(Set(popped.map(\.low)) == Set(expected.map(\.low)))
  }

  /// Every pop gives the least of all that are there, as a list that is searched does; what is new
  /// comes before, between and behind what waits.
  @Test(arguments: Spread.allCases, [3, 40, 700])
  func popsWhatASearchedListPops(spread: Spread, pending: Int) {
    var queue = EventQueue()
    var list: [ScheduledEvent] = []
    var generator = Generator(state: UInt64(pending) &* 31)
    var (sequence, now) = (UInt64(0), Int64(0))
    for step in 0..<4_000 {
      let adds = step < pending ? 3 : Int(generator.next() % 3)
      for _ in 0..<adds {
        sequence += 1
        let kinds: [DueKind] = [.core, .device, .arrival, .threadTimer]
        let event = ScheduledEvent(
          time: now + Self.increment(spread, &generator, step),
          kind: kinds[Int(generator.next() % 4)], index: Int32(step), sequence: sequence)
        queue.push(event)
        list.append(event)
      }
      let least = list.indices.min { list[$0].precedes(list[$1]) }
      let expected = least.map { list.swapRemove($0) }
      let peeked = queue.peek()
      let popped = queue.pop()
      #expect(popped?.low == expected?.low && peeked?.low == expected?.low)
      if popped?.low != expected?.low { return }
      now = popped?.time ?? now
    }
    #expect(queue.count == list.count)
  }

  @Test func ordersOneInstantByClassThenSequence() {
    var queue = EventQueue()
    let rows: [(DueKind, UInt64)] = [
      (.threadTimer, 1), (.core, 2), (.arrival, 3), (.core, 4), (.device, 5), (.policyTick, 6),
    ]
    for (kind, sequence) in rows {
      queue.push(ScheduledEvent(time: 70, kind: kind, index: 9, sequence: sequence))
    }
    var order: [UInt64] = []
    while let event = queue.pop() { order.append(event.sequence) }
    #expect(order == [2, 4, 3, 5, 1, 6])
  }

  @Test func peekKeepsTheEvent() {
    var queue = EventQueue()
    let isEmpty = queue.peek() == nil
    #expect(isEmpty)
    queue.push(ScheduledEvent(time: 5, kind: .core, index: 1, sequence: 1))
    let (first, second) = (queue.peek()?.time, queue.pop()?.time)
    #expect(first == 5)
    #expect(second == 5)
    let end = queue.pop() == nil
    #expect(end)
  }
}

extension Array {
  /// Takes the element at `index` out; the last one takes its place.
  fileprivate mutating func swapRemove(_ index: Int) -> Element {
    swapAt(index, count - 1)
    return removeLast()
  }
}
