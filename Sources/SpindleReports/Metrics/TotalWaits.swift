import SpindleModel

/// For how long all of a run's work waited for each lock and actor, and how much its cores were used.
struct TotalWaits {
  private var totals: [(for: Bottleneck, total: Int64)] = []
  private let isFull: Bool

  /// From this share on the cores are the bottleneck.
  private static let fullUse = 0.95

  init(_ metrics: RunMetrics) {
    totals += metrics.locks.map { (.lock($0.name), $0.totalWait.rawValue) }
    totals += metrics.actors.map { (.actor($0.name), $0.totalWait.rawValue) }
    isFull = Double(metrics.usedShare.billionths) / 1e9 >= Self.fullUse
  }

  /// For what items of these latencies waited at least half of their time; nil where that is not known.
  func bottleneck(_ latency: LatencyDistribution) -> Bottleneck? {
    let longest = totals.max { $0.total < $1.total }
    if let longest, longest.total >= latency.total.rawValue / 2, longest.total > 0 {
      return longest.for
    }
    return isFull ? .cores : nil
  }
}
