import SpindleModel

/// The record of a run whose log is long: numbers of its end, and digests of its layers.
package struct LayerRecord: Hashable, Sendable {
  /// A stretch of the recorded run.
  struct Interval: Hashable, Sendable {
    /// When it ends, as written.
    var end: Nanoseconds
    var count: Int64
    /// Short digests.
    var order: UInt64
    var times: UInt64
  }

  /// The lines at the top: what ran on which machine.
  var header: [String] = []
  /// The numbers of the end, as lines.
  var numbers: [String] = []
  var count: Int64 = 0
  /// The digest of the whole log.
  var digest = ""
  /// Short digests of the whole.
  var order: UInt64 = 0
  var times: UInt64 = 0
  var totals: UInt64 = 0
  var end: UInt64 = 0
  var totalsSketch = ThreadSketch()
  var stepsSketch = ThreadSketch()
  var intervals: [Interval] = []

  /// What the last line of the top begins with.
  static let mark = "# layers 2 of "
  /// How many stretches are kept.
  private static let intervalLimit = 6
  /// How many intervals are on a line.
  private static let intervalsPerLine = 3
  /// What separates the numbers that share a line.
  private static let separator = "; "

  /// Creates the record of a run with `header` and `digest`.
  init(header: [String], metrics: RunMetrics, layers: RunLayers, digest: String) {
    self.header = header
    numbers = EndText.rows(metrics)
    (self.digest, count) = (digest, layers.count)
    let whole = layers.whole
    order = LayerHash.short(whole.order.value)
    times = LayerHash.short(whole.allTimes)
    totals = LayerHash.short(layers.totals)
    end = LayerHash.short(layers.end)
    (totalsSketch, stepsSketch) = (layers.totalsSketch, layers.stepsSketch)
    let joined = RunIntervals.joined(layers.intervals, to: LayerRecord.intervalLimit)
    intervals = joined.map {
      Interval(
        end: Nanoseconds($0.end), count: $0.count, order: LayerHash.short($0.order.value),
        times: LayerHash.short($0.allTimes))
    }
  }

  /// The record as it is written.
  package var text: String {
    var lines = header
    lines.append("\(LayerRecord.mark)\(count) entries, digest \(digest)")
    // The first states how the run ended, and the others begin with the makespan.
    let shared = numbers.filter { LayerRecord.isShared($0) }
    lines += numbers.prefix(1)
    lines.append(shared.joined(separator: LayerRecord.separator))
    lines += numbers.dropFirst().filter { !LayerRecord.isShared($0) }
    lines.append(
      "layers order \(LayerHash.letters(order)), times \(LayerHash.letters(times)), "
        + "totals \(LayerHash.letters(totals)), end \(LayerHash.letters(end))")
    lines.append("totals \(totalsSketch.text)")
    lines.append("steps \(stepsSketch.text)")
    let stretches = intervals.map {
      "\($0.end) \($0.count) \(LayerHash.letters($0.order))\(LayerHash.letters($0.times))"
    }
    for first in stride(from: 0, to: stretches.count, by: LayerRecord.intervalsPerLine) {
      let some = stretches.dropFirst(first).prefix(LayerRecord.intervalsPerLine)
      lines.append("until \(some.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a number shares a line with others: one that has no name, and so no text of others in it.
  private static func isShared(_ number: String) -> Bool {
    ["makespan ", "end ", "threads ", "memory ", "switches ", "migrations "]
      .contains { number.hasPrefix($0) }
  }

  /// Reads what `text` writes; nil when it is not that.
  package init?(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix(LayerRecord.mark) {
        let words = line.dropFirst(LayerRecord.mark.count).split(separator: " ")
        guard words.count == 4, let count = Int64(words[0]) else { return nil }
        (self.count, digest) = (count, String(words[3]))
      } else if line.hasPrefix("#") {
        header.append(String(line))
      } else {
        guard read(line) else { return nil }
      }
    }
    guard !digest.isEmpty && !intervals.isEmpty else { return nil }
  }

  /// Reads one line; false when it is damaged.
  private mutating func read(_ line: Substring) -> Bool {
    let title = line.prefix { $0 != " " }
    let rest = line.dropFirst(title.count + 1)
    switch title {
    case "makespan":
      numbers += line.split(separator: LayerRecord.separator).map(String.init)
    case "layers":
      let words = rest.split { $0 == " " || $0 == "," }
      guard words.count == 8, let order = LayerHash.digest(words[1]),
        let times = LayerHash.digest(words[3]), let totals = LayerHash.digest(words[5]),
        let end = LayerHash.digest(words[7])
      else { return false }
      (self.order, self.times, self.totals, self.end) = (order, times, totals, end)
    case "totals", "steps":
      guard let sketch = ThreadSketch(rest) else { return false }
      if title == "totals" { totalsSketch = sketch } else { stepsSketch = sketch }
    case "until":
      for stretch in rest.split(separator: ", ") {
        guard let interval = LayerRecord.interval(stretch) else { return false }
        intervals.append(interval)
      }
    default: numbers.append(String(line))
    }
    return true
  }

  private static func interval(_ text: Substring) -> Interval? {
    let words = text.split(separator: " ")
    guard words.count == 3, let end = Nanoseconds(logTime: words[0]), let count = Int64(words[1]),
      let order = LayerHash.digest(words[2].prefix(words[2].count / 2)),
      let times = LayerHash.digest(words[2].suffix(words[2].count / 2))
    else { return nil }
    return Interval(end: end, count: count, order: order, times: times)
  }
}
