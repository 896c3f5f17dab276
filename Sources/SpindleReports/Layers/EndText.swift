import SpindleModel

/// The numbers of a run's end, in lines: the most important ones for a reader.
enum EndText {
  /// How many kinds of work are named.
  private static let kindLimit = 3
  /// How many findings are named.
  private static let findingLimit = 3

  /// What is read first, a title and a number each; zeros are left out.
  static func rows(_ metrics: RunMetrics) -> [String] {
    var rows = ["outcome \(outcome(metrics))", "makespan \(metrics.makespan)"]
    if metrics.end != metrics.makespan { rows.append("end \(metrics.end)") }
    rows.append("threads \(metrics.threadsCreated) created, peak \(metrics.threadsPeak)")
    if metrics.memoryPeak.rawValue > 0 { rows.append("memory \(metrics.memoryPeak)") }
    rows.append("switches \(metrics.switchesVoluntary) voluntary, \(metrics.switchesForced) forced")
    if metrics.migrations > 0 { rows.append("migrations \(metrics.migrations)") }
    for kind in metrics.kinds.prefix(kindLimit) {
      rows.append(
        "kind \(ValueText.quoted(kind.pattern)): \(kind.count), "
          + "latency mean \(kind.latency.mean), max \(kind.latency.max)")
    }
    for finding in metrics.findings.prefix(findingLimit) {
      rows.append("finding \(finding.kind.rawValue) at \(finding.time)")
    }
    return rows
  }

  /// The digest of all numbers that a run ends with, save for how many steps and entries it took.
  static func digest(_ metrics: RunMetrics) -> UInt64 {
    var hash = SequenceHash()
    func add(_ text: String) { hash.append(LayerHash.text(text.utf8)) }
    add(outcome(metrics))
    add("\(metrics.makespan) \(metrics.end) \(metrics.memoryPeak) \(metrics.reservedPeak)")
    add("\(metrics.threadsCreated) \(metrics.threadsPeak) \(metrics.migrations)")
    add("\(metrics.switchesVoluntary) \(metrics.switchesForced)")
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
}
