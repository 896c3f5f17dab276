import SpindleModel

/// The numbers of a run's end, in lines: those that a person looks at first.
enum EndText {
  /// How many kinds of work are named.
  private static let kindLimit = 4
  /// How many findings are named.
  private static let findingLimit = 5

  /// Rows with their titles.
  static func rows(_ metrics: RunMetrics) -> [(title: String, text: String)] {
    var rows: [(title: String, text: String)] = []
    rows.append(("outcome", outcome(metrics)))
    rows.append(("makespan", "\(metrics.makespan)"))
    rows.append(("end", "\(metrics.end)"))
    rows.append(("threads", "\(metrics.threadsCreated) created, peak \(metrics.threadsPeak)"))
    rows.append(("memory", "peak \(metrics.memoryPeak), reserved \(metrics.reservedPeak)"))
    rows.append(
      (
        "switches",
        "\(metrics.switchesVoluntary) voluntary, \(metrics.switchesForced) forced, "
          + "\(metrics.migrations) migrations"
      ))
    for kind in metrics.kinds.prefix(kindLimit) {
      rows.append(
        (
          "kind",
          "\(ValueText.quoted(kind.pattern)): \(kind.count), wait \(times(kind.wait)), "
            + "latency \(times(kind.latency))"
        ))
    }
    for finding in metrics.findings.prefix(findingLimit) {
      rows.append(("finding", "\(finding.kind.rawValue) at \(finding.time)"))
    }
    return rows
  }

  /// The digest of all numbers that a run ends with, save for how many steps and entries it took.
  static func digest(_ metrics: RunMetrics) -> UInt64 {
    var hash = SequenceHash()
    func add(_ text: String) { hash.append(LayerHash.text(text.utf8)) }
    for row in rows(metrics) { add(row.text) }
    add("\(metrics.threadsLive) \(metrics.threadsReused) \(metrics.mainLongestStall)")
    for core in metrics.cores { add("\(core.busy) \(core.overhead)") }
    for kind in metrics.kinds + [metrics.items] {
      add("\(kind.pattern) \(kind.submitted) \(kind.count) \(kind.runningPeak) \(kind.waitingPeak)")
      for times in [kind.wait, kind.service, kind.latency] {
        add("\(times.count) \(times.total) \(times.min) \(times.max)")
        add("\(times.p50) \(times.p90) \(times.p95) \(times.p99)")
      }
    }
    for device in metrics.accelerators {
      add("\(device.name) \(device.served.count) \(device.served.total) \(device.waited.total)")
    }
    for lock in metrics.locks {
      add("\(lock.name) \(lock.acquisitions) \(lock.waits) \(lock.totalWait) \(lock.longestWait)")
    }
    if let deadlines = metrics.deadlines {
      add("\(deadlines.count) \(deadlines.missed) \(deadlines.greatestLateness)")
    }
    for finding in metrics.findings {
      add("\(finding.kind.rawValue) \(finding.time) \(finding.explanation)")
    }
    return hash.value
  }

  private static func outcome(_ metrics: RunMetrics) -> String {
    var text = metrics.outcome.kind.name
    if !metrics.outcome.message.isEmpty { text += " \(ValueText.quoted(metrics.outcome.message))" }
    if let code = metrics.outcome.exitCode { text += ", exit code \(code)" }
    return text
  }

  private static func times(_ distribution: LatencyDistribution) -> String {
    "mean \(distribution.mean), p95 \(distribution.p95), max \(distribution.max)"
  }
}
