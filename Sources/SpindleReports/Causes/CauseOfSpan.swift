import SpindleModel

extension TimelineStore {
  /// One of the two points of spans, in the order of the run.
  private struct SpanEvent {
    var time: Instant
    /// Which comes first at one moment: what is submitted, what is marked, what ends.
    var rank: Int
    var name: ArraySlice<UInt8>
    /// Where it ends; nil where it can only be a start.
    var thread: ThreadIndex?
    /// Whether it can be a start.
    var begins: Bool
  }

  /// A span that is over.
  private struct SpanPair {
    var start: Instant
    var end: Instant
    /// What ended it, and on which thread.
    var name: String
    var thread: ThreadIndex
  }

  /// Why a span took as long as a statistic of it states, for a mean the longest: the path of causes to its end, from its
  /// start on.
  func cause(ofSpan span: Measure.Span, _ statistic: Measure.Statistic) -> Cause? {
    let pairs = pairs(of: span).sorted {
      ($0.end.nanoseconds - $0.start.nanoseconds, $0.start)
        < ($1.end.nanoseconds - $1.start.nanoseconds, $1.start)
    }
    if pairs.isEmpty { return nil }
    let rank = TimelineStore.rank(statistic, of: pairs.count)
    let pair = pairs[rank]
    var subject = "up to '\(pair.name)'"
    if pairs.count > 1 {
      let place = pairs.count - rank
      subject += ", the \(place == 1 ? "" : "\(Int64(place).ordinal) ")longest of \(pairs.count)"
    }
    // What the world outside marks has no cause in the run.
    if pair.thread.isNone { return nil }
    return path(to: pair.thread, at: pair.end, subject: subject, from: pair.start)
  }

  /// The spans that are over, in the order of their ends.
  private func pairs(of span: Measure.Span) -> [SpanPair] {
    guard let run else { return [] }
    var points: [SpanEvent] = []
    for note in notes where note.kind == .mark {
      points.append(
        SpanEvent(
          time: note.time, rank: 1, name: run.names.utf8(note.name), thread: note.thread,
          begins: true))
    }
    for item in items {
      guard let name = spanName(of: item, run) else { continue }
      points.append(
        SpanEvent(time: item.submitted, rank: 0, name: name, thread: nil, begins: true))
      if item.outcome == .ran {
        points.append(
          SpanEvent(time: item.ended, rank: 2, name: name, thread: item.thread, begins: false))
      }
    }
    points.sort { ($0.time, $0.rank) < ($1.time, $1.rank) }
    var pairing = SpanPairing(span)
    var pairs: [SpanPair] = []
    for point in points {
      let start = pairing.take(
        point.name, begins: point.begins, ends: point.thread != nil, at: point.time.nanoseconds)
      guard let start, let thread = point.thread else { continue }
      pairs.append(
        SpanPair(
          start: Instant(start), end: point.time,
          name: String(decoding: point.name, as: UTF8.self), thread: thread))
    }
    return pairs
  }

  /// What an item is called: by its name, or as work without one is.
  private func spanName(of item: ItemSlice, _ run: RunDescription) -> ArraySlice<UInt8>? {
    if item.name.index >= 0 { return run.names.utf8(item.name) }
    let kind = Int(item.kind)
    guard run.program.kinds.indices.contains(kind), !run.program.kinds[kind].isNamed else {
      return nil
    }
    return Array(run.program.kinds[kind].pattern.utf8)[...]
  }
}
