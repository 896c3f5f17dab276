/// The hold model: the pending-event set alone, for the benchmarks.
///
/// `pending` events are due; each step takes the least and puts it back an exponential time of mean
/// 1 ms later. Source: Vaucher, Duval, "A Comparison of Simulation Event List Algorithms", CACM 1975.
package struct HoldModel: ~Copyable {
  private var queue: EventQueue
  private let storage = Storage(limit: Int.max)
  private let sampler = Sampler()
  private var generator: UInt64 = 1
  private var sequence: UInt64 = 0

  /// Fills the queue with `pending` events.
  package init(pending: Int) {
    queue = EventQueue(storage)
    for index in 0..<pending {
      sequence += 1
      queue.push(
        ScheduledEvent(
          time: draw(), kind: .core, index: Int32(index), sequence: sequence))
    }
  }

  deinit { storage.deallocate() }

  /// The next number of SplitMix64, as an exponential time.
  @inline(__always)
  private mutating func draw() -> Int64 {
    let number = RandomStreams.mix(generator)
    generator &+= 0x9E37_79B9_7F4A_7C15
    return sampler.exponential(number, mean: 1_000_000)
  }

  /// Takes and puts back `holds` times; returns a number that depends on every time and its order.
  package mutating func run(holds: Int) -> UInt64 {
    var check: UInt64 = 0
    for _ in 0..<holds {
      guard let event = queue.pop() else { return check }
      check = (check << 5 | check >> 59) ^ (UInt64(bitPattern: event.time) &+ UInt64(event.index))
      sequence &+= 1
      queue.push(
        ScheduledEvent(
          time: event.time &+ draw(), kind: .core, index: event.index, sequence: sequence))
    }
    return check
  }
}
