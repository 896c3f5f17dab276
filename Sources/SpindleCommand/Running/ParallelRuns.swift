import SpindleHost

/// Runs independent jobs on several host threads and hands their results on in order.
enum ParallelRuns {
  /// How many results for each thread may wait to be handed on.
  private static let ahead = 64

  /// Calls `job` once for each index below `count`, on up to `threads` threads at a time, and
  /// `deliver` with each result on the caller's thread, in the order of the indices.
  ///
  /// So nothing that `deliver` sees depends on `threads`. With one thread, and where the host
  /// gives none, everything happens on the caller's own. Only a few results are kept at a time.
  static func run<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result,
    deliver: (Int, Result) -> Void
  ) {
    _ = stream(count, threads: threads, job: job) { index, result in
      deliver(index, result)
      return true
    }
  }

  /// The same, until `deliver` says that it wants no more; whether it has got all.
  static func stream<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result,
    deliver: (Int, Result) -> Bool
  ) -> Bool {
    guard threads > 1 && count > 1 else { return inPlace(count, job, deliver) }
    let room = min(count, threads * ahead)
    let exchange = Monitor(Exchange<Result>(count: count, room: room))
    let workers = (0..<min(threads, count)).compactMap { _ in
      HostThread {
        while case .index(let index) = exchange.wait(for: { $0.ticket() }) {
          let result = job(index)
          exchange.change { $0.put(result, at: index) }
        }
      }
    }
    if workers.isEmpty { return inPlace(count, job, deliver) }
    var isWhole = true
    for index in 0..<count {
      let result = exchange.wait { $0.take(index) }
      exchange.change { $0.delivered += 1 }
      isWhole = deliver(index, result)
      if !isWhole { break }
    }
    exchange.change { $0.isOver = true }
    for worker in workers { worker.join() }
    return isWhole
  }

  private static func inPlace<Result>(
    _ count: Int, _ job: (Int) -> Result, _ deliver: (Int, Result) -> Bool
  ) -> Bool {
    for index in 0..<count where !deliver(index, job(index)) { return false }
    return true
  }

  /// All results, in the order of the indices.
  static func map<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    run(count, threads: threads, job: job) { _, result in results.append(result) }
    return results
  }
}

extension ParallelRuns {
  /// All results, in the order of the indices, of jobs that are so short that each thread gets a part of them at once.
  static func mapParts<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let parts = min(threads, count / leastOfAPart)
    if parts < 2 { return (0..<count).map(job) }
    return map(parts, threads: parts) { part in
      (count * part / parts..<count * (part + 1) / parts).map(job)
    }.flatMap { $0 }
  }

  /// To begin a thread for fewer jobs takes longer than they do.
  private static let leastOfAPart = 4
}

/// Where workers leave their results and the caller finds them: a ring with room for a few.
private struct Exchange<Result: Sendable>: Sendable {
  /// What a worker is to do next.
  enum Ticket { case index(Int), over }

  private var ring: [Result?]
  private let count: Int
  private var next = 0
  /// How many results the caller has taken.
  var delivered = 0
  /// Whether nothing more is wanted.
  var isOver = false

  init(count: Int, room: Int) {
    (self.count, ring) = (count, Array(repeating: nil, count: room))
  }

  /// The next index that nobody has taken; nil while there is no room for its result.
  mutating func ticket() -> Ticket? {
    if isOver || next == count { return .over }
    guard next - delivered < ring.count else { return nil }
    next += 1
    return .index(next - 1)
  }

  mutating func put(_ result: Result, at index: Int) {
    assert(
      index < next && index >= delivered,
      "result \(index) comes, of \(next), \(delivered) are taken")
    ring[index % ring.count] = result
  }

  /// The result at an index, once it is there.
  mutating func take(_ index: Int) -> Result? { ring[index % ring.count].take() }
}
