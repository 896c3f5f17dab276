package import SpindleModel

/// Findings, those together that are of one kind and about the same places.
package struct FindingGroups {
  /// Findings that are alike.
  package struct Group {
    /// The first of them.
    package let first: Finding
    /// The last of them.
    package fileprivate(set) var last: Finding
    /// How many there are.
    package fileprivate(set) var count = 1
  }

  /// The groups, in the order of their first findings.
  package private(set) var groups: [Group] = []

  private struct Key: Hashable {
    let kind: Finding.Kind
    let places: [SourceRange]
  }

  /// Puts findings together.
  package init(_ findings: [Finding]) {
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
