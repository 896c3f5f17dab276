package import SpindleModel

/// In which layers a run differs from a recorded one, where, and on which threads.
package struct LayerDifference: Sendable {
  /// A layer of a run.
  package enum Layer: String, Hashable, Sendable, CaseIterable {
    case order, times, totals, end
  }

  /// A stretch of the run that was recorded, or of the one that was seen.
  package struct Stretch: Hashable, Sendable {
    package var from: Nanoseconds
    package var to: Nanoseconds
  }

  /// The layers that differ.
  package private(set) var layers: Set<Layer> = []
  /// Where other steps were taken: stretches of the recorded run, and of this one.
  package private(set) var otherSteps: [(recorded: Stretch, seen: Stretch)] = []
  /// Where the same steps were taken at other times.
  package private(set) var otherTimes: [Stretch] = []
  /// How much later the run ends than the recorded one, where they end alike; nil where they do not.
  package private(set) var shift: Nanoseconds?
  /// The threads that may have done something else in all.
  package private(set) var totalsOf: [String] = []
  /// The threads that may have taken other steps, or at other times.
  package private(set) var stepsOf: [String] = []
  private let recorded: LayerRecord
  private let numbers: [String]
  private let header: [String]
  private let threadCount: Int

  /// Compares a run with a recorded one; nil when their digests are equal.
  init?(recorded: LayerRecord, seen: LayerRecord, layers run: RunLayers) {
    if recorded == seen { return nil }
    self.recorded = recorded
    (numbers, header, threadCount) = (seen.numbers, seen.header, run.threadCount)
    if recorded.order != seen.order || recorded.count != seen.count { layers.insert(.order) }
    if recorded.times != seen.times { layers.insert(.times) }
    if recorded.totals != seen.totals { layers.insert(.totals) }
    if recorded.end != seen.end || recorded.numbers != seen.numbers { layers.insert(.end) }
    if layers.contains(.order) || layers.contains(.times) { compare(run) }
    for (name, thread) in zip(run.names, run.threads) {
      if run.totalsSketch.maySeparate(thread.key, from: recorded.totalsSketch) {
        totalsOf.append(name)
      }
      if run.stepsSketch.maySeparate(thread.key, from: recorded.stepsSketch) {
        stepsOf.append(name)
      }
    }
  }

  /// Where stretches of the recorded run are found again, and where not.
  private mutating func compare(_ run: RunLayers) {
    let search = StretchSearch(run.intervals)
    let found = search.found(recorded.intervals)
    var (position, start, oldEnd) = (0, Int64(0), Nanoseconds.zero)
    // Where the last stretch that both have ends, in the recorded run.
    var common = Nanoseconds.zero
    for (interval, place) in zip(recorded.intervals, found) {
      if let place {
        if place.start > position || common < oldEnd {
          note(
            Stretch(from: common, to: oldEnd),
            Stretch(from: Nanoseconds(start), to: search.end(before: place.start)))
        }
        let seen = search.joined(place)
        if LayerHash.short(seen.allTimes) != interval.times {
          otherTimes.append(Stretch(from: oldEnd, to: interval.end))
        }
        (position, start, common) = (place.end, seen.end, interval.end)
        shift = Nanoseconds(seen.end - interval.end.rawValue)
      } else {
        shift = nil
      }
      oldEnd = interval.end
    }
    if common < oldEnd || position < search.count || shift == nil {
      note(
        Stretch(from: common, to: oldEnd),
        Stretch(from: Nanoseconds(start), to: search.end(before: search.count)))
      if position < search.count { shift = nil }
    }
    if otherSteps.isEmpty && !otherTimes.isEmpty { layers.insert(.times) }
  }

  private mutating func note(_ recorded: Stretch, _ seen: Stretch) {
    otherSteps.append((recorded, seen))
  }

  // MARK: Text

  /// How many threads are named.
  private static let nameLimit = 5

  /// What differs, in lines.
  package var text: String {
    var lines: [String] = []
    func add(_ title: String, _ text: String) {
      lines.append(title + String(repeating: " ", count: max(1, 9 - title.count)) + text)
    }
    if layers.contains(.order) {
      for (recorded, seen) in otherSteps.prefix(3) {
        add("order", "other steps \(LayerDifference.text(seen))\(before(recorded, seen))")
      }
      if otherSteps.count > 3 { add("", "and in \(otherSteps.count - 3) more stretches") }
      if otherSteps.isEmpty { add("order", "other steps somewhere") }
    } else {
      add("order", "the same steps, in the same order")
    }
    add("times", times)
    if layers.contains(.totals) {
      add("totals", "other work, runs or items\(named(totalsOf))")
    } else {
      add("totals", "each thread does the same in all")
    }
    if !stepsOf.isEmpty { add("steps", "other steps or times\(named(stepsOf))") }
    if layers.contains(.order) {
      add("", "'spindle diff OLD NEW' shows them; OLD is the trace as recorded")
      add("", "('git show HEAD:./NEW > OLD', where it was committed with its log)")
    }
    return (lines + endLines).joined(separator: "\n") + "\n"
  }

  private var times: String {
    guard layers.contains(.times) else { return "the same" }
    let moved =
      shift.flatMap { shift -> String? in
        guard shift != .zero else { return nil }
        let size = Nanoseconds(Int64(shift.rawValue.magnitude))
        return "; the end comes \(size) \(shift > .zero ? "later" : "earlier")"
      } ?? ""
    guard !otherTimes.isEmpty else {
      return otherSteps.isEmpty
        ? "other times somewhere" : "the same between the steps that are the same\(moved)"
    }
    var joined: [Stretch] = []
    for stretch in otherTimes {
      if let last = joined.last, last.to == stretch.from {
        joined[joined.count - 1].to = stretch.to
      } else {
        joined.append(stretch)
      }
    }
    let first = joined.prefix(3).map(LayerDifference.text).joined(separator: ", ")
    let more = joined.count > 3 ? " and in \(joined.count - 3) more stretches" : ""
    return "the same steps at other times, \(first)\(more) of the recorded run\(moved)"
  }

  private func before(_ recorded: Stretch, _ seen: Stretch) -> String {
    recorded == seen ? "" : "; in the recorded run \(LayerDifference.text(recorded))"
  }

  private static func text(_ stretch: Stretch) -> String {
    stretch.from == stretch.to
      ? "at \(stretch.from)" : "from \(stretch.from) to \(stretch.to)"
  }

  private func named(_ names: [String]) -> String {
    guard !names.isEmpty else { return ", of threads that are not there any more" }
    let first = names.prefix(LayerDifference.nameLimit).map(ValueText.quoted)
    let more = names.count - first.count
    let rest = more > 0 ? " and \(more) more" : ""
    return " of \(first.joined(separator: ", "))\(rest), of \(Int64(threadCount).counted("thread"))"
  }

  /// The numbers that differ, those recorded and those seen; no line that both have.
  private var endLines: [String] {
    let old = recorded.header + recorded.numbers
    let new = header + numbers
    let lines =
      old.filter { !new.contains($0) }.map { "- \($0)" }
      + new.filter { !old.contains($0) }.map { "+ \($0)" }
    if !lines.isEmpty { return lines }
    if layers.contains(.end) { return ["end      other numbers that are not kept one by one"] }
    if layers.isEmpty { return ["only numbers of items, objects or threads differ"] }
    return []
  }
}

/// Looks for stretches of a recorded run in one that was seen.
private struct StretchSearch {
  private let intervals: [RunInterval]
  /// How many entries come before each stretch.
  private let starts: [Int64]

  init(_ intervals: [RunInterval]) {
    self.intervals = intervals
    var (starts, total): ([Int64], Int64) = ([], 0)
    for interval in intervals {
      starts.append(total)
      total += interval.count
    }
    self.starts = starts
  }

  /// How many stretches there are.
  var count: Int { intervals.count }

  /// When the stretch before this one ends.
  func end(before index: Int) -> Nanoseconds {
    Nanoseconds(index > 0 ? intervals[index - 1].end : 0)
  }

  /// Some stretches as one.
  func joined(_ range: (start: Int, end: Int)) -> RunInterval {
    var joined = RunInterval()
    for index in range.start..<range.end { joined.append(intervals[index]) }
    return joined
  }

  /// For each recorded interval the intervals with its steps, in order; nil where there are none.
  ///
  /// Those at their old position, counted from the start, come first, then those counted from the end, and at
  /// last those between that are somewhere else.
  func found(_ recorded: [LayerRecord.Interval]) -> [(start: Int, end: Int)?] {
    var found = [(start: Int, end: Int)?](repeating: nil, count: recorded.count)
    var (first, position) = (0, 0)
    while first < recorded.count, let end = match(recorded[first], at: position) {
      found[first] = (position, end)
      (first, position) = (first + 1, end)
    }
    var (last, limit) = (recorded.count - 1, count)
    while last >= first, let start = start(of: recorded[last], endingAt: limit),
      start >= position, match(recorded[last], at: start) == limit
    {
      found[last] = (start, limit)
      (last, limit) = (last - 1, start)
    }
    for index in first..<max(first, last + 1) {
      for start in position..<max(position, limit) {
        guard let end = match(recorded[index], at: start), end <= limit else { continue }
        found[index] = (start, end)
        position = end
        break
      }
    }
    return found
  }

  /// Where a stretch of as many entries begins that ends in front of another one.
  private func start(of interval: LayerRecord.Interval, endingAt limit: Int) -> Int? {
    let entries =
      limit < count ? starts[limit] : starts.last.map { $0 + intervals[count - 1].count }
    return starts.firstIndex(of: (entries ?? 0) - interval.count)
  }

  private func match(_ interval: LayerRecord.Interval, at start: Int) -> Int? {
    var (joined, index) = (RunInterval(), start)
    while index < count && joined.count < interval.count {
      joined.append(intervals[index])
      index += 1
    }
    guard joined.count == interval.count else { return nil }
    return LayerHash.short(joined.order.value) == interval.order ? index : nil
  }
}
