import Testing

@testable import SpindleSimulator

/// The queue does what a sorted list does, whatever is asked of it in which order.
@Suite struct EventQueueTests {
  /// What can be asked of a queue whose owner is at some moment.
  enum Request: Equatable, Sendable {
    /// Push an event that is due in so many nanoseconds.
    case push(Int64)
    /// Take the next event that is due now.
    case popDue
    /// Look at the next event, and go to its moment.
    case advance
    /// Look at the next event, and stay.
    case peek
    /// Take the next event off though it is not due yet: nobody wants it.
    case discard
  }

  /// A queue and the sorted list that it must behave like, with the present moment.
  struct Pair: ~Copyable {
    var queue: EventQueue
    /// The last one is the next.
    var list: [ScheduledEvent] = []
    var now: Int64 = 0
    var sequence: UInt64 = 0

    private let storage = Storage(limit: Int.max)

    init(_ sizes: StructureSizes) { queue = EventQueue(storage, sizes) }

    deinit { storage.deallocate() }

    /// Does a request on both; returns whether they agree.
    mutating func agrees(on request: Request) -> Bool {
      switch request {
      case .push(let delay): push(delay)
      case .popDue:
        let expected = list.last?.time == now ? list.popLast() : nil
        if queue.pop(dueAt: now)?.low != expected?.low { return false }
      case .advance:
        guard let next = queue.peek() else { return list.isEmpty }
        now = next.time
        return next.low == list.last?.low
      case .peek: if queue.peek()?.low != list.last?.low { return false }
      case .discard: if queue.pop()?.low != list.popLast()?.low { return false }
      }
      return queue.count == list.count
    }

    private mutating func push(_ delay: Int64) {
      sequence += 1
      let kinds: [DueKind] = [.core, .device, .arrival, .threadTimer, .quantum]
      let (time, isPastEnd) = now.addingReportingOverflow(delay)
      let event = ScheduledEvent(
        time: isPastEnd ? Int64.max : time, kind: kinds[Int(RandomStreams.mix(sequence) % 5)],
        index: Int32(sequence), sequence: sequence)
      queue.push(event)
      var (low, high) = (0, list.count)
      while low < high {
        let middle = (low + high) / 2
        if event.precedes(list[middle]) { low = middle + 1 } else { high = middle }
      }
      list.insert(event, at: low)
    }

    /// Whether what is left comes out in the order of the list.
    mutating func agreesToTheEnd() -> Bool {
      while let expected = list.popLast() {
        if queue.peek()?.low != expected.low || queue.pop()?.low != expected.low { return false }
      }
      return queue.pop() == nil && queue.count == 0
    }
  }

  /// Sizes at which everything that a queue does seldom happens after a few requests.
  static var least: StructureSizes {
    var sizes = StructureSizes.standard
    (sizes.sortLimit, sizes.splitLimit, sizes.bottomRoom, sizes.blockRoom) = (1, 2, 1, 1)
    return sizes
  }

  /// Every sequence of six requests, and then all that is left.
  ///
  /// The pushes are: at this moment, in the slot beside, a level up, and three levels up.
  @Test func everySequenceOfSixRequests() {
    let requests: [Request] = [
      .push(0), .push(1), .push(300), .push(1 << 25), .popDue, .advance, .discard,
    ]
    let count = requests.count
    var failures = 0
    for number in 0..<(count * count * count * count * count * count) {
      var pair = Pair(Self.least)
      var (rest, taken, agrees) = (number, [Request](), true)
      for _ in 0..<6 {
        taken.append(requests[rest % count])
        agrees = agrees && pair.agrees(on: requests[rest % count])
        rest /= count
      }
      if !agrees || !pair.agreesToTheEnd() {
        failures += 1
        if failures <= 3 { Issue.record("\(taken)") }
      }
    }
    #expect(failures == 0)
  }

  /// How the times of new events lie.
  enum Spread: String, CaseIterable, Sendable {
    case near, wide, equal, zeroHalf, bursts, farThenNear, clusters, endOfTime

    func delay(_ draw: Int64, _ step: Int) -> Int64 {
      switch self {
      case .near: draw % 1_000
      case .wide: draw % (1 << (1 + draw % 62))
      case .equal: 5_000
      case .zeroHalf: draw % 2 == 0 ? 0 : draw % 1_000_000
      case .bursts: step % 50 == 0 ? 1_000_000_000 : 0
      case .farThenNear: step % 100 < 3 ? 1_000_000_000_000 + draw % 1_000 : draw % 100
      case .clusters: step % 100 < 40 ? (1 << (20 + draw % 3)) + draw % 2_000 : draw % 500
      case .endOfTime: draw % 3 == 0 ? Int64.max - draw % 4 : draw % 1_000
      }
    }
  }

  /// Random requests, in phases in which the queue mostly grows or mostly shrinks.
  private func run(_ spread: Spread, _ sizes: StructureSizes, seed: UInt64, requests: Int) -> Int? {
    var pair = Pair(sizes)
    for step in 0..<requests {
      let number = RandomStreams.mix(seed << 32 &+ UInt64(step))
      let draw = Int64(number >> 2)
      let growth = RandomStreams.mix(seed << 8 &+ UInt64(step * 10 / requests)) % 3
      let request: Request
      switch number % 16 {
      case ..<(3 + 3 * growth): request = .push(spread.delay(draw, step))
      case 13: request = .advance
      case 14: request = .peek
      case 15 where draw % 2 == 0: request = .discard
      case 15: request = .advance
      default: request = .popDue
      }
      if !pair.agrees(on: request) { return step }
    }
    return pair.agreesToTheEnd() ? nil : requests
  }

  @Test("random requests, with limits that the seed draws small", arguments: Spread.allCases)
  func smallLimits(spread: Spread) {
    for seed in 0..<300 {
      let sizes = StructureSizes(smallBy: UInt64(seed))
      let failure = run(spread, sizes, seed: UInt64(seed), requests: 400)
      #expect(failure == nil, "\(spread), seed \(seed)")
    }
  }

  @Test("random requests, with the limits as they are", arguments: Spread.allCases)
  func standardLimits(spread: Spread) {
    for seed in 0..<3 {
      let failure = run(spread, .standard, seed: UInt64(seed), requests: 20_000)
      #expect(failure == nil, "\(spread), seed \(seed)")
    }
  }

  /// A crowd far ahead is begun by taking one off; then a crowd comes before it, on every level.
  @Test(arguments: [8, 16, 24, 32, 40, 48, 56], [0, 8, 16, 24])
  func crowdBeforeACrowdThatWasBegun(far: Int, step: Int) {
    for (count, discarded) in [(3, 1), (30, 1), (30, 7)] {
      for near in [1 << 3, 1 << 10, 1 << 20] {
        var pair = Pair(Self.least)
        var agrees = pair.agrees(on: .push(0)) && pair.agrees(on: .popDue)
        func push(_ delay: Int) { agrees = agrees && pair.agrees(on: .push(Int64(delay))) }
        for index in 0..<count { push(1 << far + (index * 7 % count) << step) }
        for _ in 0..<discarded { agrees = agrees && pair.agrees(on: .discard) }
        for index in 0..<count { push(index * 11 % count * near) }
        #expect(agrees && pair.agreesToTheEnd(), "\(count), \(discarded), \(near)")
      }
    }
  }

  /// More than the bottom holds at once is pushed before an event that has been looked at.
  @Test(arguments: [511, 512, 513, 2_000])
  func pushesBeforeWhatWasSeen(count: Int) {
    var pair = Pair(.standard)
    var agrees = pair.agrees(on: .push(1_000_000_000)) && pair.agrees(on: .peek)
    for index in 1...count { agrees = agrees && pair.agrees(on: .push(Int64(index) * 1_000_000)) }
    #expect(agrees && pair.agreesToTheEnd())
    // The same behind an event that was taken off ahead of its time.
    var other = Pair(.standard)
    agrees = other.agrees(on: .push(1_000_000_000)) && other.agrees(on: .discard)
    for index in 1...count { agrees = agrees && other.agrees(on: .push(Int64(index) * 1_000_000)) }
    #expect(agrees && other.agreesToTheEnd())
  }

  @Test func ordersOneInstantByClassThenSequence() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var queue = EventQueue(storage)
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
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var queue = EventQueue(storage)
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
