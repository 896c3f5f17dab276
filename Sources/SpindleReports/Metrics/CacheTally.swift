import SpindleModel

/// The costs of refilling caches for dispatched threads.
struct CacheTally {
  private var clusterMigrations: Int64 = 0
  private var refills: Int64 = 0
  private var time: Int64 = 0

  /// A thread gets a core that it had not before, or whose caches have lost it.
  mutating func runs(_ entry: LogEntry) {
    if DispatchFlags(rawValue: entry.detail).contains(.clusterMigration) { clusterMigrations &+= 1 }
    if entry.value > 0 { refills &+= 1 }
    let (sum, overflow) = time.addingReportingOverflow(entry.value)
    time = overflow ? Int64.max : sum
  }

  /// Puts the numbers into those of a run.
  func tell(_ result: inout RunMetrics) {
    result.clusterMigrations = clusterMigrations
    (result.cacheRefills, result.cacheRefillTime) = (refills, Nanoseconds(time))
  }

  /// Forgets what was counted.
  mutating func restart() { (clusterMigrations, refills, time) = (0, 0, 0) }
}
