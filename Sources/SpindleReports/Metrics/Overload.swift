import SpindleModel

/// Finds work that arrived faster than it could be served.
enum Overload {
  /// A finding for each kind of such work; `place` gives the range of a place in the log.
  static func findings(_ kinds: [KindMetrics], place: (Int32) -> SourceRange?) -> [Finding] {
    kinds.compactMap { kind in
      guard let arrivals = kind.arrivals, arrivals.isOverload else { return nil }
      return Finding(
        kind: .overload, time: arrivals.last, places: place(arrivals.place).map { [$0] } ?? [],
        statement: statement(kind.pattern, arrivals))
    }
  }

  private static func statement(_ pattern: String, _ arrivals: ArrivalMetrics) -> FindingStatement {
    let served = rate(arrivals.servedRate)
    var text: FindingStatement =
      "\(pattern, .item) arrives at \(perSecond: rate(arrivals.rate), .arriving) and is served at \(perSecond: served, .served)"
    if let pool = arrivals.pool { text += " by \(pool, .executor)" }
    let waiting = Int(arrivals.waiting)
    let verb = waiting == 1 ? "waits" : "wait"
    text += ": no more than \(perSecond: served, .served) can be sustained, and \(waiting, .items)"
    return text + " \(words: verb) at the last arrival"
  }

  private static func rate(_ perSecond: Double) -> FixedDecimal {
    FixedDecimal(billionths: Int64(min(perSecond, 9e9) * 1e9))
  }
}

/// How much each pool was asked to do by work from outside.
enum PoolLoad {
  /// A line for each pool: `pool: 8.1 threads on average, 399/s of 20.4ms; at most 6 were at work`.
  static func lines(_ metrics: RunMetrics) -> [String] {
    var pools: [(name: String, kinds: [KindMetrics])] = []
    for kind in metrics.kinds {
      guard let arrivals = kind.arrivals, arrivals.count >= ArrivalTally.fewest,
        let pool = arrivals.pool
      else { continue }
      if let known = pools.firstIndex(where: { $0.name == pool }) {
        pools[known].kinds.append(kind)
      } else {
        pools.append((pool, [kind]))
      }
    }
    return pools.map { pool in
      let offered = pool.kinds.reduce(0) { $0 + ($1.arrivals?.offered ?? 0) }
      let parts = pool.kinds.map { kind in
        let rate = Finding.Amount.Value.rate(
          FixedDecimal(billionths: Int64(min(kind.arrivals?.rate ?? 0, 9e9) * 1e9)))
        return "\(kind.pattern) \(rate.text) of \(kind.service.mean.approximate)"
      }
      return "\(pool.name): \(RelativeText.short(offered)) threads asked for on average, by "
        + parts.joined(separator: ", ")
    }
  }
}
