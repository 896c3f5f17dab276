import SpindleModel

/// The numbers of a run as tables: what was measured, work by kind with its distributions, cores, locks.
struct NumbersSection {
  private let run: HTMLReport.Run
  private var html = HTMLText()

  /// How many kinds of work, and how many locks and cores, have a row.
  private static let rowLimit = 200
  /// How many kinds have a picture of their latencies.
  private static let pictureLimit = 40

  /// The section of a run.
  init(_ run: HTMLReport.Run) { self.run = run }

  /// The tables in HTML; what a cell shows is short, and its title is exact.
  var markup: String {
    var section = self
    section.write()
    return section.html.text
  }

  private mutating func write() {
    html.add("<section id=\"numbers\">")
    writeMeasured()
    writeKinds()
    writeSamples()
    writeCores()
    writeLocks()
    html.add("</section>\n")
  }

  private mutating func writeMeasured() {
    if run.program.measures.isEmpty { return }
    html.add("h2", "Measured")
    html.add("<table>")
    for (measure, value) in zip(run.program.measures, run.measured) {
      html.add("<tr>")
      html.add("td", measure.text)
      switch value {
      case .number(let number): html.add("td", measure.unit.exact(number))
      case .text(let text): html.add("td", text)
      case .missing(let reason): html.add("td", "none: \(reason)")
      }
      html.add("</tr>\n")
    }
    html.add("</table>\n")
  }

  // MARK: Work

  private mutating func writeKinds() {
    let kinds = run.metrics.kinds
    if kinds.isEmpty { return }
    html.add("h2", "Work")
    html.add("<div class=\"wide\"><table id=\"kinds\"><tr>")
    let titles = [
      "kind", "count", "wait p50", "wait p95", "latency p50", "latency p95", "latency p99", "max",
      "sum",
    ]
    for title in titles { html.add("th", title) }
    let found = latencies()
    if !found.isEmpty {
      let scale = "from the shortest to the longest; 12 dots to the right are twice as long"
      html.add("<th title=\"\(scale)\">latencies, log scale</th>")
    }
    html.add("</tr>\n")
    for (index, kind) in kinds.prefix(NumbersSection.rowLimit).enumerated() {
      html.add("<tr>")
      html.add("td", kind.pattern)
      number(kind.count)
      let (wait, latency) = (kind.wait, kind.latency)
      for time in [wait.p50, wait.p95] { duration(wait.count > 0 ? time : nil) }
      for time in [latency.p50, latency.p95, latency.p99, latency.max, latency.total] {
        duration(latency.count > 0 ? time : nil)
      }
      if !found.isEmpty {
        html.add("<td>")
        if index < NumbersSection.pictureLimit, let lengths = found[kind.pattern] {
          html.add(LatencyPicture(lengths).markup)
        }
        html.add("</td>")
      }
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    more(kinds.count, "more kind")
    for line in PoolLoad.lines(run.metrics) { html.add("p", "Load of \(line).") }
  }

  private mutating func writeSamples() {
    let samples = run.metrics.samples
    if samples.isEmpty { return }
    html.add("h2", "Samples")
    html.add("<div class=\"wide\"><table id=\"samples\"><tr>")
    for title in ["key"] + SampleText.titles { html.add("th", title) }
    html.add("</tr>\n")
    for key in samples.prefix(NumbersSection.rowLimit) {
      html.add("<tr>")
      html.add("td", key.name)
      for cell in SampleText.cells(key) { html.add("td", cell) }
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    more(samples.count, "more key")
  }

  /// The latencies of each kind whose items the timeline has all of.
  private func latencies() -> [String: [Int64]] {
    var latenciesByKind: [String: [Int64]] = [:]
    let kinds = run.program.kinds
    for item in run.store.items where item.outcome == .ran {
      guard item.kind >= 0 && Int(item.kind) < kinds.count else { continue }
      latenciesByKind[kinds[Int(item.kind)].pattern, default: []].append(
        item.ended.nanoseconds - item.submitted.nanoseconds)
    }
    for kind in run.metrics.kinds
    where latenciesByKind[kind.pattern]?.count ?? 0 != kind.latency.count {
      latenciesByKind[kind.pattern] = nil
    }
    return latenciesByKind
  }

  // MARK: Cores and locks

  private mutating func writeCores() {
    html.add("h2", "Cores")
    html.add("<div class=\"wide\"><table id=\"cores\"><tr>")
    let labels = CoreKind.labels(run.machine.cores)
    for title in ["core", "used", "work", "costs", "idle"] { html.add("th", title) }
    html.add("</tr>\n")
    for (number, core) in run.metrics.cores.prefix(NumbersSection.rowLimit).enumerated() {
      html.add("<tr>")
      html.add("td", labels[number])
      html.add("td", "\(core.utilization)")
      for time in [core.busy, core.overhead, core.idle] { duration(time) }
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    more(run.metrics.cores.count, "more core")
  }

  private mutating func writeLocks() {
    let locks = run.metrics.locks.filter { $0.acquisitions > 0 || $0.waits > 0 }
    if locks.isEmpty { return }
    html.add("h2", "Locks and semaphores")
    html.add("<div class=\"wide\"><table id=\"locks\"><tr>")
    // Of a deadlock, whose waits have no length.
    let hasEndless = locks.contains { $0.unfinishedWaits > 0 }
    let titles = ["name", "taken", "waits", "waited in all", "longest"]
    for title in titles + (hasEndless ? ["not over at the end"] : []) { html.add("th", title) }
    html.add("</tr>\n")
    for lock in locks.prefix(NumbersSection.rowLimit) {
      html.add("<tr>")
      html.add("td", lock.name)
      number(lock.acquisitions)
      number(lock.waits)
      for time in [lock.totalWait, lock.longestWait] { duration(time) }
      if hasEndless { number(lock.unfinishedWaits) }
      html.add("</tr>\n")
    }
    html.add("</table></div>\n")
    more(locks.count, "more lock")
  }

  // MARK: Cells

  private mutating func number(_ value: Int64) {
    html.add("<td data-value=\"\(value)\">\(value.grouped)</td>")
  }

  private mutating func duration(_ length: Nanoseconds?) {
    guard let length else { return html.add("<td>-</td>") }
    html.add(
      "<td data-value=\"\(length.rawValue)\" title=\"\(length)\">\(length.approximate)</td>")
  }

  private mutating func more(_ count: Int, _ noun: String) {
    let left = Int64(count - NumbersSection.rowLimit)
    if left > 0 { html.add("p", "and \(left.counted(noun))", class: "dim") }
  }
}

/// How lengths of time are spread: a bar for each quarter of a doubling.
struct LatencyPicture {
  /// By quarter of a doubling from the shortest on: how many.
  private var counts: [Int] = []
  private let shortest: Int64
  private let longest: Int64

  /// The picture of some lengths, at least one.
  init(_ lengths: [Int64]) {
    shortest = lengths.min() ?? 0
    longest = lengths.max() ?? 0
    let first = LatencyPicture.place(shortest)
    counts = Array(repeating: 0, count: LatencyPicture.place(longest) - first + 1)
    for length in lengths { counts[LatencyPicture.place(length) - first] += 1 }
  }

  /// Which quarter of which doubling a length lies in.
  private static func place(_ length: Int64) -> Int {
    let length = max(4, length)
    let doubling = Int64.bitWidth - 1 - length.leadingZeroBitCount
    return doubling * 4 + Int(length >> (doubling - 2) & 3)
  }

  /// The picture as SVG.
  var markup: String {
    let (width, height) = (3 * counts.count, 22)
    let most = max(1, counts.max() ?? 1)
    var text = "<svg width=\"\(width)\" height=\"\(height)\" role=\"img\"><title>"
    text += "from \(TimelineStore.short(shortest)) to \(TimelineStore.short(longest))</title>"
    for (index, count) in counts.enumerated() where count > 0 {
      let size = max(1, count * height / most)
      text += "<rect class=\"bar\" x=\"\(3 * index)\" y=\"\(height - size)\" width=\"2\" "
      text += "height=\"\(size)\"/>"
    }
    return text + "</svg>"
  }
}
