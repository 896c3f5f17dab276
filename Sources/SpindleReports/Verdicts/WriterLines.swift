package import SpindleModel

/// Who wrote the values that an expectation does not agree with.
package enum WriterLines {
  /// How many values of one expectation are explained.
  private static let most = 3

  /// Whether a condition is about values that somebody wrote.
  package static func asksForValues(_ condition: ExpectationTerm) -> Bool {
    !measures(in: condition).isEmpty
  }

  /// A line for each record and each write that a condition which does not hold is about.
  package static func lines(
    _ condition: ExpectationTerm, _ history: ValueHistory, _ program: Program
  ) -> [String] {
    var lines: [String] = []
    for (measure, other) in measures(in: condition) {
      switch measure {
      case .values: lines += recorded(wrongIn: other, history, program.source)
      case .finalValue(let global):
        let name = program.globals[Int(global.index)].name
        if let write = lastWrite(ofPartOf: name, history) {
          lines.append(line(write, "was last set to", program.source))
        }
      default: break
      }
    }
    return lines
  }

  private static func recorded(
    wrongIn expected: ExpectationTerm?, _ history: ValueHistory, _ source: SourceText
  ) -> [String] {
    var rows: [String: String] = [:]
    if case .value(.table(let table))? = expected {
      for row in table { rows[row.key] = ValueText.text(row.value) }
    }
    let wrong = history.writes.filter { $0.isRecord && rows[$0.name] != $0.value }
    return wrong.prefix(most).flatMap { record in
      [line(record, "was recorded as", source)]
        + history.sources(of: record).map { line($0, "was last set to", source) }
    }
  }

  /// The last write of what a text names, or of what that is a part of: `model.list` of `model.list.count`.
  private static func lastWrite(
    ofPartOf text: String, _ history: ValueHistory
  ) -> ValueHistory.Write? {
    var name = text[...]
    while !name.isEmpty {
      if let write = history.lastWrite(of: String(name)) { return write }
      guard let end = name.lastIndex(where: { ".[(?".contains($0) }) else { return nil }
      name = name[..<end]
    }
    return nil
  }

  private static func line(
    _ write: ValueHistory.Write, _ verb: String, _ source: SourceText
  ) -> String {
    "'\(write.name)' \(verb) \(write.value) at \(write.time) "
      + HistoryText.writer(write, source)
  }

  /// What a condition asks of values, and what it compares that with.
  private static func measures(
    in term: ExpectationTerm
  ) -> [(measure: Measure, other: ExpectationTerm?)] {
    switch term {
    case .value: return []
    case .measure(let measure):
      switch measure {
      case .values, .finalValue: return [(measure, nil)]
      default: return []
      }
    case .compare(_, .measure(.values), let other, _), .compare(_, let other, .measure(.values), _):
      return [(.values, other)]
    case .not(let inner), .best(let inner, _, _): return measures(in: inner)
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      return measures(in: left) + measures(in: right)
    }
  }
}
