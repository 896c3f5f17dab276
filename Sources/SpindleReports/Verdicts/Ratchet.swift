package import SpindleModel

/// What `best(makespan) ± 2%` came to in a run: a number that must not get worse than it was at its best.
package struct Ratchet: Hashable, Sendable {
  /// The measure, as the trace writes it: `makespan`.
  package let measure: String
  /// What it came to: a duration, a size, a whole number or a decimal.
  package let value: ExpectationValue
  /// Which of two values is better.
  package let better: MeasurePreference
  private let tolerance: ExpectationTerm.Tolerance?

  /// Evaluates a condition whose text is `text`; nil for one that is not a ratchet.
  init?(_ condition: ExpectationTerm, text: String, _ evaluation: Evaluation) {
    guard case .best(let term, let better, let tolerance) = condition else { return nil }
    do {
      self.init(
        measure: Ratchet.measure(in: text), value: try evaluation.value(term), better: better,
        tolerance: tolerance)
    } catch {
      return nil
    }
  }

  /// Creates a ratchet.
  init(
    measure: String, value: ExpectationValue, better: MeasurePreference,
    tolerance: ExpectationTerm.Tolerance?
  ) {
    (self.measure, self.value, self.better, self.tolerance) = (measure, value, better, tolerance)
  }

  /// The value as the trace language writes it.
  package var text: String { ValueText.text(value) }

  /// How a value compares with the recorded best.
  package enum Standing: Hashable, Sendable {
    /// Nothing was recorded, or something of another unit.
    case new
    case better, same
    /// It is worse, and the tolerance allows that.
    case tolerated
    case worse
  }

  /// How the value compares with the recorded best; nil without a record.
  package func standing(to best: ExpectationValue?) -> Standing {
    guard let best, let isLess = Ratchet.isLess(value, best),
      let isMore = Ratchet.isLess(best, value)
    else { return .new }
    if !isLess && !isMore { return .same }
    if better == .less ? isLess : isMore { return .better }
    return tolerance != nil && Quantities.areEqual(value, best, tolerance) ? .tolerated : .worse
  }

  /// The text about a worse value: `makespan was 420ms; the best was 400ms`.
  package func seen(best: ExpectationValue) -> String {
    "\(measure) was \(text); the best was \(ValueText.text(best))"
  }

  private static func isLess(_ left: ExpectationValue, _ right: ExpectationValue) -> Bool? {
    do {
      return try Quantities.isLess(left, right)
    } catch {
      return nil
    }
  }

  /// The text within the brackets of `best(…)`.
  private static func measure(in text: String) -> String {
    var (depth, isQuoted, isEscaped, measure) = (0, false, false, "")
    for character in text.drop(while: { $0 != "(" }) {
      if isQuoted {
        isQuoted = isEscaped || character != "\""
        isEscaped = !isEscaped && character == "\\"
      } else if character == "\"" {
        isQuoted = true
      } else if character == "(" {
        depth += 1
        if depth == 1 { continue }
      } else if character == ")" {
        depth -= 1
        if depth == 0 { break }
      }
      measure.append(character)
    }
    return measure
  }
}

/// The best values of the ratchets of a trace: the content of `NAME.best` beside it.
///
/// A line for each: the measure, a space, the value.
package struct BestRecord: Hashable, Sendable {
  /// A line of it.
  package struct Row: Hashable, Sendable {
    /// The measure.
    package var measure: String
    /// The best of it.
    package var value: ExpectationValue
  }

  /// The rows, in the order of the file.
  package private(set) var rows: [Row] = []
  /// What the first line is.
  package static let header = "# spindle best"

  /// Creates the record of these ratchets, at their values.
  package init(_ ratchets: [Ratchet] = []) {
    for ratchet in ratchets where self[ratchet.measure] == nil {
      rows.append(Row(measure: ratchet.measure, value: ratchet.value))
    }
  }

  /// Reads what `text` writes; nil when it is not that.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n")
    guard lines.first == BestRecord.header[...] else { return nil }
    for line in lines.dropFirst() where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "), space > line.startIndex,
        let value = ExpectationValue(number: line[line.index(after: space)...])
      else { return nil }
      rows.append(Row(measure: String(line[..<space]), value: value))
    }
  }

  /// The best that was recorded of a measure; nil when nothing was.
  package subscript(measure: String) -> ExpectationValue? {
    rows.first { $0.measure == measure }?.value
  }

  /// The record as it is written.
  package var text: String {
    let lines = rows.map { "\($0.measure) \(ValueText.text($0.value))" }
    return ([BestRecord.header] + lines).joined(separator: "\n") + "\n"
  }

  /// The record after a run with these ratchets: the better of both, and the present value where it is worse
  /// by more than a ratchet allows.
  package func updated(_ ratchets: [Ratchet]) -> BestRecord {
    var record = BestRecord(ratchets)
    for index in record.rows.indices {
      let measure = record.rows[index].measure
      guard let best = self[measure], let ratchet = ratchets.first(where: { $0.measure == measure })
      else { continue }
      if ratchet.standing(to: best) == .tolerated { record.rows[index].value = best }
    }
    return record
  }

  /// How it became another record, line by line: `makespan 400ms -> 380ms`.
  package func changes(to other: BestRecord) -> [String] {
    var lines: [String] = []
    for row in other.rows where self[row.measure] != row.value {
      let old = self[row.measure].map { "\(ValueText.text($0)) -> " } ?? ""
      lines.append("\(row.measure) \(old)\(ValueText.text(row.value))")
    }
    for row in rows where other[row.measure] == nil {
      lines.append("\(row.measure) is no longer a ratchet of the trace")
    }
    return lines
  }
}

extension ExpectationValue {
  /// The units of sizes, the longer names first.
  private static let sizes: [(String, Int64)] = [
    ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10), ("B", 1),
  ]

  /// Reads a number as `ValueText` writes it: `612.5ms`, `64KB`, `0.5`, `12`; nil for anything else.
  init?(number text: Substring) {
    if text.first == "-" {
      guard let number = ExpectationValue(number: text.dropFirst()) else { return nil }
      switch number {
      case .duration(let length): self = .duration(Nanoseconds(-length.rawValue))
      case .size(let size): self = .size(ByteCount(-size.rawValue))
      case .integer(let integer): self = .integer(-integer)
      case .decimal(let decimal): self = .decimal(FixedDecimal(billionths: -decimal.billionths))
      case .boolean, .string, .symbol, .list, .table, .timeline, .none: return nil
      }
    } else if let length = Nanoseconds(logTime: text) {
      self = .duration(length)
    } else if let (unit, scale) = ExpectationValue.sizes.first(where: { text.hasSuffix($0.0) }) {
      guard let count = Int64(text.dropLast(unit.count)) else { return nil }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: scale)
      if overflow { return nil }
      self = .size(ByteCount(bytes))
    } else if let number = Int64(text) {
      self = .integer(number)
    } else {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, (1...9).contains(parts[1].count) else {
        return nil
      }
      let padding = String(repeating: "0", count: 9 - parts[1].count)
      guard let billionths = Int64(parts[0] + parts[1] + padding) else { return nil }
      self = .decimal(FixedDecimal(billionths: billionths))
    }
  }
}
