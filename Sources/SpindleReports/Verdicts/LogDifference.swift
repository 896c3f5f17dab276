import SpindleModel

/// Where two logs diverge: their lines that differ, and some that precede the first difference.
///
/// A line is the same step when all of it but the time is equal, so that a step that only moved in time is
/// reported as that.
struct LogDifference {
  /// How many lines that agree are shown before the first that does not.
  private static let context = 3
  /// How many lines that differ are shown.
  private static let shownLimit = 24

  private let old: [Substring]
  private let new: [Substring]
  private var lines: [String] = []
  private var shown = 0
  private var hidden = 0

  /// The difference between what follows `position` in two logs, which are equal up to there: the line
  /// numbered `number`, with `before` the lines in front of it.
  static func text(
    before: [Substring], number: Int, recorded: [Substring], seen: [Substring]
  ) -> String {
    var difference = LogDifference(recorded, seen)
    difference.lines.append(difference.heading(number))
    for line in before.suffix(context) { difference.lines.append("  \(line)") }
    difference.tell()
    return difference.lines.joined(separator: "\n") + "\n"
  }

  private init(_ old: [Substring], _ new: [Substring]) {
    (self.old, self.new) = (old, new)
  }

  private func heading(_ number: Int) -> String {
    let times = [old.first, new.first].compactMap { $0.flatMap(LogDifference.time) }
    guard let first = times.min(by: { $0.moment < $1.moment }) else { return "line \(number):" }
    return "from \(first.text) on, line \(number):"
  }

  private mutating func tell() {
    let pairs = matchedLines()
    var (oldEnd, newEnd) = (0, 0)
    // Lines that agree since the last that was shown.
    var equal = 0
    var shifts = Shifts()
    for pair in pairs + [(old: old.count, new: new.count)] {
      if oldEnd < pair.old || newEnd < pair.new {
        skip(equal)
        equal = 0
        tellGap(oldEnd..<pair.old, newEnd..<pair.new)
      }
      (oldEnd, newEnd) = (pair.old + 1, pair.new + 1)
      guard pair.old < old.count && pair.new < new.count else { break }
      if old[pair.old] == new[pair.new] {
        equal += 1
      } else if shifts.add(old[pair.old], new[pair.new]) {
        skip(equal)
        equal = 0
        show("- \(old[pair.old])")
        show("+ \(new[pair.new])")
      } else {
        equal += 1
      }
    }
    if hidden > 0 { lines.append("and \(Int64(hidden).counted("more line")) that differ") }
    if let text = shifts.text { lines.append(text) }
  }

  /// The lines that belong to each other: those that are equal, and between these the same steps.
  private func matchedLines() -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    var (oldStart, newStart) = (0, 0)
    for pair in LineMatching(old, new).pairs + [(old: old.count, new: new.count)] {
      if oldStart < pair.old && newStart < pair.new {
        let steps = LineMatching(
          old[oldStart..<pair.old].map(LogDifference.step),
          new[newStart..<pair.new].map(LogDifference.step))
        pairs += steps.pairs.map { ($0.old + oldStart, $0.new + newStart) }
      }
      if pair.old < old.count && pair.new < new.count { pairs.append(pair) }
      (oldStart, newStart) = (pair.old + 1, pair.new + 1)
    }
    return pairs
  }

  private mutating func tellGap(_ left: Range<Int>, _ right: Range<Int>) {
    // The last line has the digest of all: it is redundant where others are shown.
    for index in left where isTold(old[index]) { show("- \(old[index])") }
    if oldIsOver(left, right) { show("- (the end)") }
    for index in right where isTold(new[index]) { show("+ \(new[index])") }
    if newIsOver(left, right) { show("+ (the end)") }
  }

  private func oldIsOver(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.isEmpty && left.lowerBound == old.count && !right.isEmpty
  }

  private func newIsOver(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    right.isEmpty && right.lowerBound == new.count && !left.isEmpty
  }

  private func isTold(_ line: Substring) -> Bool {
    !line.hasPrefix("# entries ") || (shown == 0 && hidden == 0)
  }

  private mutating func show(_ line: String) {
    if shown < LogDifference.shownLimit {
      lines.append(line)
      shown += 1
    } else {
      hidden += 1
    }
  }

  private mutating func skip(_ equal: Int) {
    guard equal > 0 && shown > 0 && shown < LogDifference.shownLimit else { return }
    lines.append("  (\(Int64(equal).counted("line")) as recorded)")
  }

  /// The line without its time.
  private static func step(_ line: Substring) -> Substring {
    guard !line.hasPrefix("#") else { return line }
    return line.drop { $0 == " " }.drop { $0 != " " }
  }

  /// The time at the start of a line.
  private static func time(_ line: Substring) -> (text: Substring, moment: Nanoseconds)? {
    let text = line.drop { $0 == " " }.prefix { $0 != " " }
    return Nanoseconds(logTime: text).map { (text, $0) }
  }

  /// How far the same steps have moved.
  private struct Shifts {
    private var count = 0
    private var least = Int64.max
    private var most = Int64.min

    /// Adds a step at two times; whether it is the first.
    mutating func add(_ old: Substring, _ new: Substring) -> Bool {
      guard let before = LogDifference.time(old), let after = LogDifference.time(new) else {
        return true
      }
      let shift = after.moment.rawValue - before.moment.rawValue
      count += 1
      (least, most) = (min(least, shift), max(most, shift))
      return count == 1
    }

    /// The summary of all of them; nil when there is no more than the one that was shown.
    var text: String? {
      guard count > 1 else { return nil }
      let steps = "\(Int64(count).counted("step")) the same at other times: "
      if least == most { return steps + Shifts.text(least) }
      return steps + "\(Shifts.text(least)) to \(Shifts.text(most))"
    }

    private static func text(_ shift: Int64) -> String {
      "\(Nanoseconds(Int64(shift.magnitude))) \(shift < 0 ? "earlier" : "later")"
    }
  }
}

extension Nanoseconds {
  /// Reads a time as a log writes it; nil for anything else.
  init?(logTime text: Substring) {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let units: [(String, Int)] = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]
    guard !number.isEmpty,
      let digits = units.first(where: { text.dropFirst(number.count) == $0.0 })?.1
    else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    guard parts.count <= 2, fraction.count <= digits else { return nil }
    let padding = String(repeating: "0", count: digits - fraction.count)
    guard let nanoseconds = Int64(parts[0] + fraction + padding) else { return nil }
    self.init(nanoseconds)
  }
}

/// Compares the text of a log, while it is written, with a recorded one; keeps equal lines only once.
///
/// A class, since the log writes into it from a closure.
package final class LogComparison {
  private let recorded: [UInt8]
  /// How many bytes agree.
  private var agreed = 0
  private var parted = false
  /// What was seen from where they part on, as far as there is room.
  private var tail: [UInt8] = []
  /// The most of each log that is compared line by line behind the first difference.
  private static let tailLimit = 16 << 20

  /// Begins with the first byte of `recorded`.
  package init(_ recorded: [UInt8]) { self.recorded = recorded }

  /// Takes in the next piece.
  package func add(_ piece: ArraySlice<UInt8>) {
    var rest = piece
    if !parted {
      let common = zip(recorded[agreed...], piece).prefix { $0 == $1 }.count
      agreed += common
      rest = piece.dropFirst(common)
      parted = !rest.isEmpty
    }
    tail += rest.prefix(LogComparison.tailLimit - tail.count)
  }

  /// Whether all that was seen is what was recorded; when all was added.
  package var isEqual: Bool { !parted && agreed == recorded.count }

  /// Where and how they differ, in lines; when all was added.
  package var text: String {
    // Back to the start of the line in which they part.
    let start = recorded[..<agreed].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let old = recorded[start...].prefix(LogComparison.tailLimit)
    let new = Array(recorded[start..<agreed]) + tail
    let (oldLines, newLines) = (LogComparison.lines(old), LogComparison.lines(new[...]))
    if oldLines == newLines { return "the texts differ in line breaks only\n" }
    let number = recorded[..<start].count { $0 == 0x0A } + 1
    let before = LogComparison.lines(recorded[..<start].suffix(4_096))
    return LogDifference.text(
      before: before.filter { !$0.hasPrefix("#") }, number: number, recorded: oldLines,
      seen: newLines)
  }

  private static func lines(_ bytes: ArraySlice<UInt8>) -> [Substring] {
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
