import SpindleModel

/// Which stretches of a long run a report keeps in full: what was asked for, and as much as there is room
/// for around what went wrong.
struct ReportWindows {
  private let store: TimelineStore
  private let end: Instant
  private let asked: ClosedRange<Instant>?
  /// Moments around which more is kept.
  private var points: [ClosedRange<Instant>] = []

  /// How many findings have a stretch of their own.
  private static let findingLimit = 40

  init(_ run: HTMLReport.Run, asked: ClosedRange<Instant>?) {
    (store, self.asked) = (run.store, asked)
    end = max(run.metrics.end, Instant(1))
    for verdict in run.verdicts where !verdict.holds {
      points += verdict.causes.map { $0.from...max($0.from, $0.to) }
    }
    if let stall = run.store.longestStall { points.append(stall.from...stall.to) }
    for finding in run.metrics.findings.prefix(ReportWindows.findingLimit) {
      points.append(finding.time...finding.time)
    }
    points.append(.start ... .start)
    points.append(end...end)
  }

  /// Stretches in which `count` gives at most `limit`, in order and apart from each other; they are as
  /// wide around what went wrong as that allows.
  func chosen(limit: Int) -> [ClosedRange<Instant>] {
    func windows(
      around points: [ClosedRange<Instant>], _ reach: Int64
    ) -> [ClosedRange<Instant>] {
      ReportWindows.joined(
        (asked.map { [$0] } ?? []) + points.map { widened($0, by: Nanoseconds(reach)) })
    }
    func fits(_ windows: [ClosedRange<Instant>]) -> Bool {
      ReportTables.count(store, in: windows) <= limit
    }
    // A moment with too many events, such as thousands of submitted items, is left out.
    var kept: [ClosedRange<Instant>] = []
    for point in points where fits(windows(around: kept + [point], 0)) { kept.append(point) }
    if fits(windows(around: kept, 0)) {
      var (least, most) = (Int64(0), end.nanoseconds)
      while most - least > max(1, end.nanoseconds / 4_096) {
        let middle = least + (most - least) / 2
        if fits(windows(around: kept, middle)) { least = middle } else { most = middle }
      }
      return windows(around: kept, least)
    }
    // What was asked for is too much by itself: its beginning is kept.
    guard let asked else { return [] }
    var length = asked.upperBound - asked.lowerBound
    while length > .zero {
      length = Nanoseconds(length.rawValue / 2)
      let window = asked.lowerBound...(asked.lowerBound + length)
      if fits([window]) { return [window] }
    }
    return []
  }

  private func widened(_ range: ClosedRange<Instant>, by reach: Nanoseconds) -> ClosedRange<Instant>
  {
    // The end of a long interval is the most useful part.
    let back = Nanoseconds(-reach.rawValue)
    let from = max(range.lowerBound, range.upperBound + back + back)
    let start = max(Instant.start, from + back)
    return start...max(start, min(end, range.upperBound + reach))
  }

  /// The same time as stretches that don't touch, in order.
  private static func joined(_ ranges: [ClosedRange<Instant>]) -> [ClosedRange<Instant>] {
    var result: [ClosedRange<Instant>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
