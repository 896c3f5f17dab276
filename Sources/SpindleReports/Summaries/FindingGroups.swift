package import SpindleModel

/// Findings, those together that are of one kind and about the same places, and the data races of one
/// variable: each pair of places that may come at once is one, and what mends one mends most.
package struct FindingGroups {
  /// Findings that are alike.
  package struct Group {
    /// The first of them.
    package let first: Finding
    /// The last of them.
    package fileprivate(set) var last: Finding
    /// How many there are.
    package fileprivate(set) var count = 1

    /// The text after the first of several: `and 3 more like it, the last at 5ms`.
    package var more: String? {
      if count == 1 { return nil }
      let others = Int64(count - 1)
      let what =
        first.kind == .dataRace
        ? "\(others.grouped) more \(others == 1 ? "pair" : "pairs") of accesses to it"
        : "\(others.grouped) more like it"
      return "and \(what), the last at \(last.time)"
    }
  }

  /// The groups, in the order of their first findings.
  package private(set) var groups: [Group] = []

  private struct Key: Hashable {
    let kind: Finding.Kind
    let places: [SourceRange]
    /// Of a data race, the variable.
    var variable: String?

    init(_ finding: Finding) {
      kind = finding.kind
      places = kind == .dataRace ? [] : finding.places
      if kind == .dataRace {
        variable = finding.statement.subjects.first { $0.role == .variable }?.name
      }
    }
  }

  /// Puts findings together.
  package init(_ findings: [Finding]) {
    var known: [Key: Int] = [:]
    for finding in findings {
      let key = Key(finding)
      if let index = known[key] {
        (groups[index].last, groups[index].count) = (finding, groups[index].count + 1)
      } else {
        known[key] = groups.count
        groups.append(Group(first: finding, last: finding))
      }
    }
  }
}
