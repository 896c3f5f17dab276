import SpindleModel

/// Findings, those together that are of one kind and about the same places.
struct FindingGroups {
  /// Findings that are alike.
  struct Group {
    /// The first of them.
    let first: Finding
    /// The last of them.
    fileprivate(set) var last: Finding
    /// How many there are.
    fileprivate(set) var count = 1
  }

  /// The groups, in the order of their first findings.
  private(set) var groups: [Group] = []

  private struct Key: Hashable {
    let kind: Finding.Kind
    let places: [SourceRange]
  }

  init(_ findings: [Finding]) {
    var known: [Key: Int] = [:]
    for finding in findings {
      let key = Key(kind: finding.kind, places: finding.places)
      if let index = known[key] {
        (groups[index].last, groups[index].count) = (finding, groups[index].count + 1)
      } else {
        known[key] = groups.count
        groups.append(Group(first: finding, last: finding))
      }
    }
  }
}
