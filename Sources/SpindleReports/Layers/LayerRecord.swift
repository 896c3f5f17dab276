import SpindleModel

/// What is recorded of a run whose log is long: the numbers of its end, and digests of its layers.
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
  static let mark = "# layers 1 of a log of "
  /// How many stretches are kept.
  private static let intervalLimit = 10

  /// Creates the record of a run with `header` and `digest`.
  init(header: [String], metrics: RunMetrics, layers: RunLayers, digest: String) {
    self.header = header
    numbers = EndText.rows(metrics).map { LayerRecord.row($0.title, $0.text) }
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

  /// The record as it is written; `lineCount` lines has the log.
  package func text(lineCount: Int) -> String {
    var lines = header
    lines.append("\(LayerRecord.mark)\(Int64(lineCount).counted("line"))")
    lines += numbers
    lines.append(LayerRecord.row("entries", "\(count)"))
    lines.append(LayerRecord.row("digest", digest))
    lines.append(
      LayerRecord.row(
        "layers",
        "order \(LayerRecord.hex(order)), times \(LayerRecord.hex(times)), "
          + "totals \(LayerRecord.hex(totals)), end \(LayerRecord.hex(end))"))
    lines.append(LayerRecord.row("totals", totalsSketch.text))
    lines.append(LayerRecord.row("steps", stepsSketch.text))
    for interval in intervals {
      let digests = "\(LayerRecord.hex(interval.order)) \(LayerRecord.hex(interval.times))"
      lines.append(LayerRecord.row("until", "\(interval.end) \(interval.count) \(digests)"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads what `text` writes; nil when it is not that.
  package init?(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") {
        if !line.hasPrefix(LayerRecord.mark) { header.append(String(line)) }
        continue
      }
      let title = line.prefix { $0 != " " }
      let rest = line.dropFirst(title.count).drop { $0 == " " }
      guard read(title, rest, line) else { return nil }
    }
    guard !digest.isEmpty && !intervals.isEmpty else { return nil }
  }

  /// Reads one line; false when it is damaged.
  private mutating func read(_ title: Substring, _ rest: Substring, _ line: Substring) -> Bool {
    switch title {
    case "entries":
      guard let number = Int64(rest) else { return false }
      count = number
    case "digest": digest = String(rest)
    case "layers":
      let words = rest.split { $0 == " " || $0 == "," }
      guard words.count == 8, let order = UInt64(words[1], radix: 16),
        let times = UInt64(words[3], radix: 16), let totals = UInt64(words[5], radix: 16),
        let end = UInt64(words[7], radix: 16)
      else { return false }
      (self.order, self.times, self.totals, self.end) = (order, times, totals, end)
    case "totals", "steps":
      guard let sketch = ThreadSketch(rest) else { return false }
      if title == "totals" { totalsSketch = sketch } else { stepsSketch = sketch }
    case "until":
      let words = rest.split(separator: " ")
      guard words.count == 4, let end = Nanoseconds(logTime: words[0]), let count = Int64(words[1]),
        let order = UInt64(words[2], radix: 16), let times = UInt64(words[3], radix: 16)
      else { return false }
      intervals.append(Interval(end: end, count: count, order: order, times: times))
    default: numbers.append(String(line))
    }
    return true
  }

  private static func hex(_ digest: UInt64) -> String {
    LayerHash.hexadecimal(digest, digits: 6)
  }

  private static func row(_ title: String, _ text: String) -> String {
    title + String(repeating: " ", count: max(1, 11 - title.count)) + text
  }
}
