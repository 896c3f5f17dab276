import SpindleModel

/// How much each pool was asked to do by work from outside.
enum PoolLoad {
  /// A line for each pool, and one for the kinds of cores.
  ///
  /// `pool: 8.2 threads on average for r* (399/s of 20.4ms); at most 6 ran at once`.
  static func lines(_ metrics: RunMetrics) -> [String] {
    var pools: [(name: String, kinds: [KindMetrics])] = []
    for kind in metrics.kinds {
      guard let arrivals = kind.arrivals, arrivals.samples >= ArrivalTally.fewest,
        let pool = arrivals.pool
      else { continue }
      if let known = pools.firstIndex(where: { $0.name == pool }) {
        pools[known].kinds.append(kind)
      } else {
        pools.append((pool, [kind]))
      }
    }
    let texts: [String] = pools.compactMap { pool in
      let offered = pool.kinds.reduce(0) { $0 + ($1.arrivals?.offered ?? 0) }
      if offered == 0 { return nil }
      let parts = pool.kinds.map { kind in
        let rate = Finding.Amount.Value.rate(
          FixedDecimal(billionths: Int64(min(kind.arrivals?.rate ?? 0, 9e9) * 1e9)))
        return "\(kind.pattern) (\(rate.text) of \(kind.service.mean.approximate))"
      }
      let text =
        "\(pool.name): \(RelativeText.short(offered)) threads on average for "
        + TimelineStore.list(parts)
      // Of several kinds it is not known how many ran side by side.
      guard pool.kinds.count == 1 else { return text }
      return text + "; at most \(pool.kinds[0].runningPeak.grouped) ran at once"
    }
    return texts + (metrics.coreLoads.isEmpty ? [] : [cores(metrics.coreLoads)])
  }

  /// What is asked of each kind of core: `performance: 1.4 of 2 cores on average, efficiency at speed 0.4: 0.2 of 4`.
  private static func cores(_ loads: [CoreLoad]) -> String {
    loads.enumerated().map { number, load in
      let kind = CoreKind(cluster: load.cluster, speed: load.speed, cores: [])
      let unit = number == 0 ? " \(load.cores == 1 ? "core" : "cores") on average" : ""
      return
        "\(kind.name): \(RelativeText.short(load.offered)) of \(Int64(load.cores).grouped)\(unit)"
    }.joined(separator: ", ")
  }
}
