import SpindleModel

/// Pairs the starts of a span with its ends.
///
/// A point is a mark, or an item: the first point of a span is where an item is submitted, the second where
/// one ends. Where both patterns have one `*`, the text that it matches is the key, and each end belongs to
/// the earliest open start of its key; else all have one key. An end without an open start is left out.
struct SpanPairing {
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

  /// Creates a pairing without starts.
  init(_ span: Measure.Span) {
    (start, end) = (Point(span.start), Point(span.end))
    hasKeys = start.around != nil && end.around != nil
  }

  /// A point of the run may end a span, and begin one: when the span began that it ends; nil where it ends none.
  ///
  /// An end is looked for first, so that a span from a name to the same name is the time from each to the next.
  mutating func take(
    _ name: ArraySlice<UInt8>, begins: Bool, ends: Bool, at time: Int64
  ) -> Int64? {
    let begun = ends ? ended(name) : nil
    if begins { started(name, at: time) }
    return begun
  }

  /// An item is submitted, or a mark is set.
  private mutating func started(_ name: ArraySlice<UInt8>, at time: Int64) {
    guard let key = start.key(name, hasKeys: hasKeys) else { return }
    open[key, default: FIFOTimes()].append(time)
    openCount += 1
  }

  /// An item ends, or a mark is set: when its span began; nil where it ends none.
  private mutating func ended(_ name: ArraySlice<UInt8>) -> Int64? {
    guard let key = end.key(name, hasKeys: hasKeys), let begun = open[key]?.takeFirst() else {
      return nil
    }
    openCount -= 1
    return begun
  }
}
