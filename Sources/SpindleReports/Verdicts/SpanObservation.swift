import SpindleModel

/// Collects the times between two points of a run, for `span("tap*", "shown*")`.
///
/// A point is a mark, or an item: the first point of a span is where an item is submitted, the second where
/// one ends. Where both patterns have one `*`, the text that it matches is the key, and each end belongs to
/// the earliest open start of its key; else all have one key. An end without an open start is left out.
///
/// A class, since its histogram can't be copied.
final class SpanObservation {
  let span: Measure.Span
  private(set) var histogram = Histogram()
  /// How many times were above each limit that is asked for.
  private(set) var limits: LimitCounts
  private let start: Point
  private let end: Point
  private let hasKeys: Bool
  /// The starts without an end so far, by key, in the order of time.
  private var open: [[UInt8]: FIFOTimes] = [:]
  private(set) var openCount: Int64 = 0

  /// Times in the order in which they came.
  private struct FIFOTimes {
    private var times: [Int64] = []
    private var first = 0

    mutating func append(_ time: Int64) { times.append(time) }

    /// Takes the earliest time; nil when no start is open.
    mutating func takeFirst() -> Int64? {
      guard first < times.count else { return nil }
      defer { first += 1 }
      // What was taken is dropped once it is half of all.
      if first > 64 && first * 2 > times.count {
        times.removeFirst(first)
        first = 0
      }
      return times[first]
    }
  }

  /// One of the two points: a pattern, and the parts around its only `*`.
  private struct Point {
    let pattern: [UInt8]
    /// The number of bytes before and after the star; nil unless there is just one star.
    let around: (before: Int, behind: Int)?

    init(_ text: String) {
      let pattern = Array(text.utf8)
      let stars = pattern.indices.filter { pattern[$0] == UInt8(ascii: "*") }
      around = stars.count == 1 ? (stars[0], pattern.count - stars[0] - 1) : nil
      self.pattern = pattern
    }

    /// The key of a name; nil where the name is not one of the pattern.
    func key(_ name: ArraySlice<UInt8>, hasKeys: Bool) -> [UInt8]? {
      guard NamePattern.matches(name, pattern) else { return nil }
      guard hasKeys, let around else { return [] }
      return Array(name.dropFirst(around.before).dropLast(around.behind))
    }
  }

  /// Creates an observation; `limits` are those of which the share above is asked.
  init(_ span: Measure.Span, limits: [Int64]) {
    (self.span, self.limits) = (span, LimitCounts(limits))
    (start, end) = (Point(span.start), Point(span.end))
    hasKeys = start.around != nil && end.around != nil
  }

  /// A mark or an item's end is at most one of the two; an end is looked for first, so that a span
  /// from a name to the same name is the time from each to the next.
  func marked(_ name: ArraySlice<UInt8>, at time: Int64) {
    ended(name, at: time)
    started(name, at: time)
  }

  /// An item is submitted.
  func started(_ name: ArraySlice<UInt8>, at time: Int64) {
    guard let key = start.key(name, hasKeys: hasKeys) else { return }
    open[key, default: FIFOTimes()].append(time)
    openCount += 1
  }

  /// An item has ended.
  func ended(_ name: ArraySlice<UInt8>, at time: Int64) {
    guard let key = end.key(name, hasKeys: hasKeys), let begun = open[key]?.takeFirst() else {
      return
    }
    openCount -= 1
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
    switch entry.event {
    case .mark:
      let name = names.utf8(NameID(Int(entry.object)))
      for span in spans { span.marked(name, at: entry.time) }
    case .itemSubmitted:
      guard let name = name(of: entry, names) else { return }
      for span in spans { span.started(name, at: entry.time) }
    case .itemEnded:
      guard let name = name(of: entry, names) else { return }
      for span in spans { span.ended(name, at: entry.time) }
    default: break
    }
  }

  /// What an item is called: by its name, or as work without one is.
  private func name(of entry: LogEntry, _ names: NameTable) -> ArraySlice<UInt8>? {
    if entry.object >= 0 { return names.utf8(NameID(Int(entry.object))) }
    let kind = Int(entry.subject)
    guard namelessKinds.indices.contains(kind), !namelessKinds[kind].isEmpty else { return nil }
    return namelessKinds[kind][...]
  }

  /// Forgets the spans that are over.
  func forget() { for span in spans { span.forget() } }
}

/// Counts the items whose time is above a limit, exactly.
struct LimitObservations {
  private var selections: [(limit: Measure.Limit, items: ItemSelection)] = []
  private var counts: [(all: Int64, above: Int64)] = []

  init(_ inquiry: Inquiry) {
    for limit in inquiry.limits {
      guard case .items(_, let pattern) = limit.quantities else { continue }
      selections.append((limit, ItemSelection(pattern, inquiry)))
      counts.append((0, 0))
    }
  }

  /// Adds the time of an item.
  mutating func add(
    _ time: Measure.ItemTime, _ value: Int64, _ entry: LogEntry, _ names: NameTable
  ) {
    for index in selections.indices {
      guard case .items(time, _) = selections[index].limit.quantities,
        selections[index].items.contains(entry, names)
      else { continue }
      counts[index].all += 1
      if value > selections[index].limit.greatest { counts[index].above += 1 }
    }
  }

  /// How many there are, and how many of them above the limit.
  func counts(_ limit: Measure.Limit) -> (all: Int64, above: Int64) {
    selections.firstIndex { $0.limit == limit }.map { counts[$0] } ?? (0, 0)
  }

  /// Forgets the items that have ended.
  mutating func forget() { for index in counts.indices { counts[index] = (0, 0) } }
}
