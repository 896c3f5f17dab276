package import SpindleModel

/// Finds the length of a run's warm-up: the latest cut of the series behind its measures.
///
/// Each requested `latency`, `wait` and `waiting` has a series, by the ends of its items, or for `wait` the
/// starts. Without one, it is that of the latencies of all items.
///
/// A class, since the simulator gets it and the caller reads it.
package final class WarmUpSearch: LogConsumer {
  private let inquiry: Inquiry
  private var series: [Series]
  private var names = NameTable([])
  private var times = ItemTimes()

  /// One series, with the items that it is of.
  private struct Series {
    let time: Measure.ItemTime
    var selection: ItemSelection
    var observed = ObservedSeries()
  }

  /// Creates a search for one run of `program`.
  package init(_ program: Program) {
    inquiry = Inquiry(program, asked: program.measures.map(\.term))
    series = []
    for measure in program.measures { add(measure.term) }
    if series.isEmpty { add(.latency, "*") }
  }

  package var needsEveryEntry: Bool { inquiry.needsWaiting }

  package func begin(_ run: RunDescription) { names = run.names }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      if inquiry.needsWaiting { times.receive(entry) }
      switch entry.event {
      case .itemStarted: observe(entry, .wait, entry.value)
      case .itemEnded:
        observe(entry, .latency, entry.value)
        if let ended = times.ended { observe(entry, .waiting, ended.waiting) }
      default: break
      }
    }
  }

  package func end(_ record: RunRecord) {}

  /// When the warm-up was over, for all series; nil when one of them does not show it.
  package var end: Instant? {
    var latest = Int64(0)
    for one in series {
      guard let cut = TruncationRule.cut(one.observed.means) else { return nil }
      if cut > 0 { latest = max(latest, one.observed.times[cut]) }
    }
    return Instant(latest)
  }

  /// Why there is no end: one sentence without a full stop.
  package var failure: String {
    for one in series {
      let means = one.observed.means
      guard TruncationRule.cut(means) == nil else { continue }
      let name = one.time.spelled(of: ValueText.quoted(one.selection.pattern))
      return means.count < TruncationRule.fewest
        ? "MSER-5 needs 50 values of \(name) to find the end of the warm-up"
        : "MSER-5 finds no end of the warm-up in the first half of \(name): run longer"
    }
    return ""
  }

  private func add(_ term: ExpectationTerm) {
    switch term {
    // The latency settles with the time since the arrival, of which it is a part.
    case .measure(.itemTime(.sinceArrival, let pattern, _)): add(.latency, pattern)
    case .measure(.itemTime(let time, let pattern, _)): add(time, pattern)
    case .value, .measure: break
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      add(left)
      add(right)
    case .not(let inner), .best(let inner, _, _): add(inner)
    }
  }

  private func add(_ time: Measure.ItemTime, _ pattern: String) {
    guard !series.contains(where: { $0.time == time && $0.selection.pattern == pattern }) else {
      return
    }
    series.append(Series(time: time, selection: ItemSelection(pattern, inquiry)))
  }

  private func observe(_ entry: LogEntry, _ time: Measure.ItemTime, _ value: Int64) {
    for index in series.indices
    where series[index].time == time && series[index].selection.contains(entry, names) {
      series[index].observed.add(value, at: entry.time)
    }
  }
}
