import SpindleModel

/// Collects the times between two points of a run, for `span("tap*", "shown*")`.
///
/// A class, since its histogram can't be copied.
final class SpanObservation {
  let span: Measure.Span
  private(set) var histogram = Histogram()
  /// How many times were above each limit that is asked for.
  private(set) var limits: LimitCounts
  private var pairing: SpanPairing

  /// How many starts have no end.
  var openCount: Int64 { pairing.openCount }

  /// Creates an observation; `limits` are those of which the share above is asked.
  init(_ span: Measure.Span, limits: [Int64]) {
    (self.span, self.limits, pairing) = (span, LimitCounts(limits), SpanPairing(span))
  }

  /// Takes in a point of the run.
  func receive(_ point: SpanPoint, at time: Int64) {
    guard
      let begun = pairing.take(point.name, begins: point.begins, ends: point.ends, at: time)
    else { return }
    let length = time - begun
    assert(length >= 0 && openCount >= 0, "a span of \(length)ns ends, \(openCount) are open")
    histogram.add(length)
    limits.add(length)
  }

  /// Forgets the spans that are over; open ones continue.
  func forget() {
    histogram = Histogram()
    limits.forget()
  }
}

/// What can begin or end a span.
struct SpanPoint {
  var name: ArraySlice<UInt8>
  var begins: Bool
  var ends: Bool

  /// The point that an entry of the log is; nil for none.
  ///
  /// `namelessKinds` is what work without a name is called.
  init?(_ entry: LogEntry, _ names: NameTable, namelessKinds: [[UInt8]]) {
    switch entry.event {
    case .mark: (begins, ends) = (true, true)
    case .itemSubmitted: (begins, ends) = (true, false)
    case .itemEnded: (begins, ends) = (false, true)
    default: return nil
    }
    if entry.object >= 0 {
      name = names.utf8(NameID(Int(entry.object)))
      return
    }
    let kind = Int(entry.subject)
    guard namelessKinds.indices.contains(kind), !namelessKinds[kind].isEmpty else { return nil }
    name = namelessKinds[kind][...]
  }
}

/// Collects the spans that are asked for.
struct SpanObservations {
  private(set) var spans: [SpanObservation] = []
  private let namelessKinds: [[UInt8]]

  init(_ inquiry: Inquiry) {
    spans = inquiry.spans.map { span in
      SpanObservation(span, limits: inquiry.limits(of: .span(span)))
    }
    namelessKinds = inquiry.namelessKinds.map { Array($0.utf8) }
  }

  /// What was seen of a span that is asked for.
  subscript(_ span: Measure.Span) -> SpanObservation? { spans.first { $0.span == span } }

  /// Processes the next entry.
  func receive(_ entry: LogEntry, _ names: NameTable) {
    if spans.isEmpty { return }
    guard let point = SpanPoint(entry, names, namelessKinds: namelessKinds) else { return }
    for span in spans { span.receive(point, at: entry.time) }
  }

  /// Forgets the spans that are over.
  func forget() { for span in spans { span.forget() } }
}
