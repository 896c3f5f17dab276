import SpindleHost

/// Runs independent jobs on several host threads and hands their results on in order.
enum ParallelRuns {
  /// Calls `job` once for each index below `count`, on up to `threads` threads at a time, and
  /// `deliver` with each result on the caller's thread, in the order of the indices.
  ///
  /// So nothing that `deliver` sees depends on `threads`. With one thread, and where the host
  /// gives none, everything happens on the caller's own.
  static func run<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result,
    deliver: (Int, Result) -> Void
  ) {
    guard threads > 1 && count > 1 else {
      for index in 0..<count { deliver(index, job(index)) }
      return
    }
    let exchange = Monitor(Exchange<Result>(count: count))
    let workers = (0..<min(threads, count)).compactMap { _ in
      HostThread {
        while let index = exchange.look({ $0.nextIndex() }) {
          let result = job(index)
          exchange.change { $0.results[index] = result }
        }
      }
    }
    if workers.isEmpty {
      for index in 0..<count { deliver(index, job(index)) }
      return
    }
    for index in 0..<count { deliver(index, exchange.wait { $0.results[index].take() }) }
    for worker in workers { worker.join() }
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

/// Where workers leave their results and the caller finds them.
private struct Exchange<Result: Sendable>: Sendable {
  var results: [Result?]
  private var next = 0

  init(count: Int) {
    results = Array(repeating: nil, count: count)
  }

  /// The next index that nobody has taken, nil when there is none.
  mutating func nextIndex() -> Int? {
    guard next < results.count else { return nil }
    next += 1
    return next - 1
  }
}
