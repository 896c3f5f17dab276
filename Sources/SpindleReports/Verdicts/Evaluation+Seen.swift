import SpindleModel

/// What came of comparing a timeline: where it differs, nil where it does not.
struct TimelineComparison {
  /// The difference in words.
  var difference: [String]?
  /// Of which kind it is; nil where the marks agree.
  var way: FailureWay.Part?
}

extension Evaluation {
  /// What was seen instead of what a term that does not hold expects, line by line.
  func seen(_ term: ExpectationTerm) -> [String] {
    switch term {
    case .and(let left, let right):
      do {
        return try holds(left) ? seen(right) : seen(left)
      } catch {
        return [error.explanation]
      }
    case .or(let left, let right): return seen(left) + seen(right)
    case .compare(let comparison, let left, let right, _):
      if comparison == .equal { return difference(left, right) ?? values(in: [left, right]) }
      return values(in: [left, right])
    case .measure(.order(let names)):
      do {
        return [try orderDifference(names) ?? "they were in order"]
      } catch {
        return [error.explanation]
      }
    case .not, .measure, .value, .arithmetic, .best: return values(in: [term])
    }
  }

  /// How the marks differ, when one side is a timeline and the other one that is expected.
  func timelineDifference(
    _ left: ExpectationTerm, _ right: ExpectationTerm
  ) -> TimelineComparison? {
    let (thread, within, constant): (Measure.ObjectReference?, Nanoseconds, ExpectationTerm)
    switch (left, right) {
    case (.measure(.timeline(let of, let length)), let other),
      (let other, .measure(.timeline(let of, let length))):
      (thread, within, constant) = (of, length, other)
    default: return nil
    }
    let rows: [ExpectationValue.TimelineRow]
    switch constant {
    case .value(.timeline(let expected)): rows = expected
    case .value(.list(let empty)) where empty.isEmpty: rows = []
    case .value(.table(let empty)) where empty.isEmpty: rows = []
    default:
      return TimelineComparison(
        difference: ["a timeline is compared with a timeline"], way: .unanswerable(.notComparable))
    }
    do {
      let marks = try marks(of: thread).map {
        TimelineMatch.Mark(time: Instant($0.time), label: text($0.name))
      }
      let difference = TimelineMatch(marks: marks, rows: rows, within: within).difference
      return TimelineComparison(
        difference: difference?.lines, way: (difference?.parting).map { .marks($0) })
    } catch {
      return TimelineComparison(difference: [error.explanation], way: .unanswerable(error.cause))
    }
  }

  /// Where a list, table or timeline differs; nil for plain values.
  private func difference(_ left: ExpectationTerm, _ right: ExpectationTerm) -> [String]? {
    if let timeline = timelineDifference(left, right) { return timeline.difference }
    guard case .measure(let measure) = left, case .value(let expected) = right,
      let seen = known(measure)
    else { return nil }
    let spelling = MeasureText.text(measure, program)
    switch (measure, seen, expected) {
    case (.values, .table(let rows), .table(let others)): return tableDifference(rows, others)
    case (.findings, .list(let found), .list):
      return ["findings was \(ValueText.text(.list(found)))"]
    case (.output, .list(let lines), .list(let others)):
      return listDifference(spelling, lines, others)
    default: return nil
    }
  }

  /// The measure's value, nil when it has none.
  private func known(_ measure: Measure) -> ExpectationValue? {
    do {
      return try value(measure)
    } catch {
      return nil
    }
  }

  private func tableDifference(
    _ seen: [ExpectationValue.TableRow], _ expected: [ExpectationValue.TableRow]
  ) -> [String] {
    var lines: [String] = []
    let values = Dictionary(seen.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for row in expected {
      let key = ValueText.quoted(row.key)
      guard let found = values[row.key] else {
        lines.append("\(key) was not recorded")
        continue
      }
      if !Quantities.areEqual(found.value, row.value, nil) {
        lines.append(
          "\(key) was \(ValueText.text(found.value)), not \(ValueText.text(row.value))")
      }
    }
    let keys = Set(expected.map(\.key))
    for row in seen where !keys.contains(row.key) {
      lines.append(
        "\(ValueText.quoted(row.key)) was \(ValueText.text(row.value)), and not expected")
    }
    return lines
  }

  /// What was found that a term does not expect, line by line.
  func unexpected(_ term: ExpectationTerm) -> [String] {
    switch term {
    case .and(let left, let right), .or(let left, let right):
      return unexpected(left) + unexpected(right)
    case .compare(.equal, .measure(.findings), .value(.list(let expected)), _):
      let wanted = Set(expected)
      return metrics.findings.lazy
        .filter { $0.kind.severity >= .warning && !wanted.contains(.symbol($0.kind.rawValue)) }
        .map { "\($0.kind.rawValue) at \($0.time): \($0.explanation)" }
    case .not, .compare, .measure, .value, .arithmetic, .best: return []
    }
  }

  private func listDifference(
    _ spelling: String, _ seen: [ExpectationValue], _ expected: [ExpectationValue]
  ) -> [String] {
    let first = zip(seen, expected).enumerated().first { !Quantities.areEqual($1.0, $1.1, nil) }
    let counts = "\(spelling) had \(Int64(seen.count).counted("element")), not \(expected.count)"
    if let (index, (found, wanted)) = first {
      let line = "\(spelling)[\(index)] was \(ValueText.text(found)), not \(ValueText.text(wanted))"
      if seen.count == expected.count { return [line] }
      return [line, counts] + whole(seen)
    }
    if seen.count > expected.count {
      let line = "the first that is too much is \(ValueText.text(seen[expected.count]))"
      return [counts, line] + whole(seen)
    }
    return [counts, "the first that is missing is \(ValueText.text(expected[seen.count]))"]
      + whole(seen)
  }

  /// How many elements of a list are shown that differs.
  private static let elementLimit = 10

  /// The elements of a list, one a line, indented; empty where the line above contains all of them.
  private func whole(_ seen: [ExpectationValue]) -> [String] {
    if seen.count < 2 { return [] }
    let lines = seen.prefix(Evaluation.elementLimit).map { "  \(ValueText.text($0))" }
    let more = Int64(seen.count - lines.count)
    return more > 0 ? lines + ["  and \(more) more"] : lines
  }

  /// `makespan was 612.5ms`, for every measure in the terms, each once.
  private func values(in terms: [ExpectationTerm]) -> [String] {
    var lines: [String] = []
    var told: Set<String> = []
    for term in terms {
      for measure in measures(in: term) {
        let spelling = MeasureText.text(measure, program)
        let line: String
        do {
          line = "\(spelling) was \(described(try value(measure), of: measure))"
        } catch {
          line = "\(spelling): \(error.explanation)"
        }
        if told.insert(line).inserted { lines.append(line) }
      }
    }
    return lines.isEmpty ? ["it is false whatever happens"] : lines
  }

  /// The value, with its size in round numbers behind it where the exact one is hard to read.
  private func described(_ value: ExpectationValue, of measure: Measure) -> String {
    let text = ValueText.text(value)
    switch (measure, value) {
    case (.share, .decimal(let share)), (.utilization, .decimal(let share)):
      return "\(text) (\(MeasureUnit.share.approximate(Double(share.billionths))))"
    default: break
    }
    guard case .size(let size) = value, size.rawValue >= 1_024, text != size.approximate else {
      return text
    }
    return "\(text) (\(size.approximate))"
  }

  private func measures(in term: ExpectationTerm) -> [Measure] {
    switch term {
    case .value: []
    case .measure(let measure): [measure]
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      measures(in: left) + measures(in: right)
    case .not(let inner), .best(let inner, _, _): measures(in: inner)
    }
  }
}
