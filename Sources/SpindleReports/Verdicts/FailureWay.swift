package import SpindleModel

/// In which way something goes wrong in a run, without the amounts: what two runs have in common that fail
/// for the same reason.
///
/// A value that is there and wrong is another way than one that is missing, one that is too small another than
/// one that is too large, and nothing at all (0, no text, no elements) is another than too little.
package struct FailureWay: Hashable, Sendable {
  /// What is said of each comparison that fails, in the order of the text.
  private var parts: [String]

  /// The way in which an expectation fails that a trace states.
  init(_ condition: ExpectationTerm, _ evaluation: Evaluation) {
    parts = evaluation.ways(condition)
    let outcome = evaluation.record.outcome
    parts.append("\(outcome.kind.name) \(outcome.message)")
  }

  /// What the threads of a finding wait for, whoever they are and how many.
  package init(_ finding: Finding) {
    let waits = FailureWay.waits(in: finding.explanation)
    parts = Set(waits).sorted()
    // Whether they wait for each other, and whether one, two or more do.
    let isSelf = finding.explanation.hasSuffix(", and that is itself")
    if isSelf || finding.explanation.hasSuffix(": none of them can go on") {
      parts.append("circle of \(isSelf ? 1 : min(waits.count, 3))")
    }
  }

  /// The words from `waits` on, up to the end of the clause, without names and numbers: `waits for lock`.
  private static func waits(in explanation: String) -> [String] {
    var phrases: [String] = []
    for clause in plain(explanation).split(whereSeparator: { ",;:".contains($0) }) {
      let words = clause.split(separator: " ")
      guard let verb = words.lastIndex(where: { FailureWay.verbs.contains(String($0)) }) else {
        continue
      }
      let phrase = words[(verb + 1)...].filter { $0 != "#" }
      if !phrase.isEmpty { phrases.append(phrase.joined(separator: " ")) }
    }
    return phrases
  }

  private static let verbs: Set<String> = ["waits", "wait", "waited", "slept", "stood", "stand"]

  /// A sentence with `#` for each name in quotes, and for each word that begins with a digit.
  static func plain(_ sentence: String) -> String {
    var text = ""
    var open: Character?
    var last: Character = " "
    var isNumber = false
    let characters = Array(sentence)
    for (index, character) in characters.enumerated() {
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      defer { last = character }
      if let quote = open {
        // An apostrophe within a name is followed by a letter.
        if character == quote && !next.isLetter && !next.isNumber { open = nil }
        continue
      }
      let isFirst = !last.isLetter && !last.isNumber
      if isFirst && (character == "'" || character == "\"") {
        open = character
        text.append("#")
        continue
      }
      if isFirst && character.isNumber && !isNumber {
        isNumber = true
        text.append("#")
      }
      if character == " " || ",;:".contains(character) { isNumber = false }
      if !isNumber { text.append(character) }
    }
    return text
  }
}

extension Evaluation {
  /// In which way each comparison of a condition fails that does; empty where all hold.
  fileprivate func ways(_ term: ExpectationTerm) -> [String] {
    switch term {
    case .and(let left, let right), .or(let left, let right):
      return ways(left) + ["/"] + ways(right)
    case .compare(let comparison, let left, let right, _):
      do {
        return try holds(term) ? [] : [way(comparison, left, right)]
      } catch {
        return [FailureWay.plain(error.explanation)]
      }
    case .not, .measure, .value, .arithmetic, .best:
      do {
        return try holds(term) ? [] : ["false"]
      } catch {
        return [FailureWay.plain(error.explanation)]
      }
    }
  }

  private func way(
    _ comparison: ExpectationTerm.Relation, _ left: ExpectationTerm, _ right: ExpectationTerm
  ) throws(Unanswerable) -> String {
    if let timeline = timelineDifference(left, right) {
      return FailureWay.plain(timeline.difference?.first ?? "as expected")
    }
    // The constant is what is expected, on whichever side it stands.
    var (seen, expected) = (try value(left), try value(right))
    if case .value = left { swap(&seen, &expected) }
    switch (seen, expected) {
    case (.table(let rows), .table(let others)):
      return try others.map { other throws(Unanswerable) in
        guard let row = rows.first(where: { $0.key == other.key }) else { return "missing" }
        return Quantities.areEqual(row.value, other.value, nil)
          ? "" : try way(row.value, other.value)
      }.joined(separator: ",") + (rows.count > others.count ? ", more" : "")
    case (.list(let some), .list(let all)):
      if isSymbols(some) && isSymbols(all) {
        return Set(some.map(ValueText.text)).sorted().joined(separator: ",")
      }
      if some.isEmpty { return "empty" }
      guard let (found, wanted) = zip(some, all).first(where: { !Quantities.areEqual($0, $1, nil) })
      else { return some.count < all.count ? "too short" : "too long" }
      return try way(found, wanted)
    default: return try way(seen, expected)
    }
  }

  private func isSymbols(_ values: [ExpectationValue]) -> Bool {
    values.allSatisfy { if case .symbol = $0 { true } else { false } }
  }

  /// How one plain value fails to be another.
  private func way(
    _ seen: ExpectationValue, _ expected: ExpectationValue
  ) throws(Unanswerable) -> String {
    switch (seen, expected) {
    case (.none, _): return "none"
    case (.symbol(let name), _): return name
    case (.boolean(let truth), _): return truth ? "true" : "false"
    case (.string(let text), _): return text.isEmpty ? "empty" : "text"
    case (.list(let elements), _): return elements.isEmpty ? "empty" : "list"
    case (.table, _), (.timeline, _): return "table"
    case (.integer(0), _), (.duration(.zero), _), (.size(.zero), _): return "zero"
    case (.decimal(let decimal), _) where decimal.billionths == 0: return "zero"
    case (.integer, _), (.duration, _), (.size, _), (.decimal, _):
      if try Quantities.isLess(seen, expected) { return "too small" }
      return try Quantities.isLess(expected, seen) ? "too large" : "equal"
    }
  }
}
