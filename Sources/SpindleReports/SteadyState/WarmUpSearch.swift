package import SpindleModel

/// Finds in a run how long its warm-up was: the latest cut of the series that its measures are made of.
///
/// Each `latency` and `wait` that is asked has a series, by the ends and the beginnings of its items. Where
/// none is asked, it is that of the latencies of all items.
///
/// A class, since the simulator is handed it and the caller reads it.
package final class WarmUpSearch: LogConsumer {
  private let inquiry: Inquiry
  private let kindPatterns: [String]
  private var series: [Series]
  private var names = NameTable([])

  /// One series, with the items that it is of.
  private struct Series {
    let isWait: Bool
    let pattern: String
    let utf8: [UInt8]
    /// Whether the kind of an item decides, and not its name.
    let isKind: Bool
    /// By the kind's or the name's number: whether its items belong to it; nil for what was not met yet.
    var belongs: [Bool?] = []
    var observed = ObservedSeries()
  }

  /// Creates a search for one run of `program`.
  package init(_ program: Program) {
    inquiry = Inquiry(program, asked: program.measures.map(\.term))
    kindPatterns = program.kinds.map(\.pattern)
    series = []
    for measure in program.measures { add(measure.term) }
    if series.isEmpty { add(isWait: false, "*") }
  }

  package var needsEveryEntry: Bool { false }

  package func begin(_ run: RunDescription) { names = run.names }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      switch entry.event {
      case .itemStarted: observe(entry, isWait: true)
      case .itemEnded: observe(entry, isWait: false)
      default: break
      }
    }
  }

  package func end(_ record: RunRecord) {}

  /// When the warm-up was over, for all series; nil when one of them does not tell.
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
      let name = "\(one.isWait ? "wait" : "latency")(\(ValueText.quoted(one.pattern)))"
      return means.count < TruncationRule.fewest
        ? "MSER-5 needs 50 values of \(name) to find the end of the warm-up"
        : "MSER-5 finds no end of the warm-up in the first half of \(name): run longer"
    }
    return ""
  }

  private func add(_ term: ExpectationTerm) {
    switch term {
    case .measure(.latency(let pattern, _)): add(isWait: false, pattern)
    case .measure(.wait(let pattern, _)): add(isWait: true, pattern)
    case .value, .measure: break
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      add(left)
      add(right)
    case .not(let inner), .best(let inner, _, _): add(inner)
    }
  }

  private func add(isWait: Bool, _ pattern: String) {
    guard !series.contains(where: { $0.isWait == isWait && $0.pattern == pattern }) else { return }
    series.append(
      Series(
        isWait: isWait, pattern: pattern, utf8: Array(pattern.utf8),
        isKind: inquiry.isKind(pattern)))
  }

  private func observe(_ entry: LogEntry, isWait: Bool) {
    for index in series.indices where series[index].isWait == isWait {
      let number = Int(series[index].isKind ? entry.subject : entry.object)
      if number < 0 || !belongs(number, to: index) { continue }
      series[index].observed.add(entry.value, at: entry.time)
    }
  }

  private func belongs(_ number: Int, to index: Int) -> Bool {
    let missing = number + 1 - series[index].belongs.count
    if missing > 0 { series[index].belongs += repeatElement(nil, count: missing) }
    if let known = series[index].belongs[number] { return known }
    let answer =
      series[index].isKind
      ? number < kindPatterns.count && kindPatterns[number] == series[index].pattern
      : NamePattern.matches(names.utf8(NameID(number)), series[index].utf8)
    series[index].belongs[number] = answer
    return answer
  }
}
