import SpindleModel

/// The comparison of a run's marks with a timeline that is expected.
struct TimelineMatch {
  /// Marks with the times and labels that they have.
  struct Mark: Hashable {
    var time: Instant
    var label: String
  }

  /// How many marks are shown before and after the one that differs.
  private static let context = 3

  let marks: [Mark]
  let rows: [ExpectationValue.TimelineRow]
  let within: Nanoseconds

  /// Where a run's marks diverge from the expected ones.
  enum Parting: Hashable {
    /// Marks are missing at the end.
    case tooFew
    /// Marks are left at the end.
    case tooMany
    /// A mark is another one than is expected, or comes at another time.
    case other
  }

  /// The first difference: its kind, and the words of it in one or more lines; nil without one.
  ///
  /// Each row takes as many marks as it has labels, in the order of the log: every label once, in any order,
  /// at a time that the row allows.
  var difference: (parting: Parting, lines: [String])? {
    var position = 0
    for (number, row) in rows.enumerated() {
      var missing: [String: Int] = [:]
      for label in row.labels { missing[label, default: 0] += 1 }
      for _ in row.labels.indices {
        guard position < marks.count else {
          let text = "entry \(number + 1) should be \(ValueText.text(row)), but no mark is left"
          return (.tooFew, lines(text, position))
        }
        let mark = marks[position]
        guard let left = missing[mark.label], left > 0, allows(row, mark.time) else {
          let text = "entry \(number + 1) should be \(ValueText.text(row)), but was \(text(mark))"
          return (.other, lines(text, position))
        }
        missing[mark.label] = left - 1
        position += 1
      }
    }
    guard position < marks.count else { return nil }
    return (.tooMany, lines("after the last entry came \(text(marks[position]))", position))
  }

  private func allows(_ row: ExpectationValue.TimelineRow, _ time: Instant) -> Bool {
    row.earliest <= time + within && time <= row.latest + within
  }

  /// The message, then the marks around the one that differs.
  private func lines(_ message: String, _ position: Int) -> [String] {
    if marks.isEmpty { return [message + "; there were no marks"] }
    let first = max(0, position - TimelineMatch.context)
    let last = min(marks.count, position + TimelineMatch.context + 1)
    var lines = ["\(message):"]
    if first > 0 { lines.append("    … \(first) before") }
    for index in first..<last {
      lines.append("  \(index == position ? ">" : " ") \(text(marks[index]))")
    }
    if position == marks.count { lines.append("  > the end") }
    if last < marks.count { lines.append("    … \(marks.count - last) after") }
    return lines
  }

  private func text(_ mark: Mark) -> String {
    "\(mark.time): \(ValueText.quoted(mark.label))"
  }
}
