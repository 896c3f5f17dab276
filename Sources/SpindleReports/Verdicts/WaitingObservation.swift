import SpindleModel

/// The items that a name or pattern means: those of a kind that is called so, else those whose names match, or of
/// work without a name its kind's.
struct ItemSelection {
  let pattern: String
  private let utf8: [UInt8]
  private let isKind: Bool
  private let kinds: [String]
  private let namelessKinds: [String]
  /// By the number of a kind, and of a name: whether its items belong; nil for what was not met yet.
  private var kindBelongs: [Bool?] = []
  private var nameBelongs: [Bool?] = []

  init(_ pattern: String, _ inquiry: Inquiry) {
    (self.pattern, utf8, isKind) = (pattern, Array(pattern.utf8), inquiry.isKind(pattern))
    (kinds, namelessKinds) = (inquiry.kindPatterns, inquiry.namelessKinds)
  }

  /// Whether the item that an entry is about is one of them.
  mutating func contains(_ entry: LogEntry, _ names: NameTable) -> Bool {
    let kind = Int(entry.subject)
    if isKind {
      return ItemSelection.known(kind, &kindBelongs) {
        kinds.indices.contains(kind) && kinds[kind] == pattern
      }
    }
    if entry.object < 0 {
      return ItemSelection.known(kind, &kindBelongs) {
        namelessKinds.indices.contains(kind) && !namelessKinds[kind].isEmpty
          && NamePattern.matches(Array(namelessKinds[kind].utf8)[...], utf8)
      }
    }
    let name = NameID(Int(entry.object))
    return ItemSelection.known(Int(entry.object), &nameBelongs) {
      NamePattern.matches(names.utf8(name), utf8)
    }
  }

  /// The cached answer of a table for a number, or what `find` gives and is then kept; false for a negative
  /// number.
  private static func known(_ number: Int, _ table: inout [Bool?], _ find: () -> Bool) -> Bool {
    if number < 0 { return false }
    if number >= table.count {
      table += repeatElement(nil, count: number + 1 - table.count)
    }
    if let known = table[number] { return known }
    let found = find()
    table[number] = found
    return found
  }
}

/// Collects the waiting times of the items of some patterns.
///
/// A class, since its histograms can't be copied.
final class WaitingObservation {
  private var times = ItemTimes()
  private var selections: [ItemSelection]
  private var distributions: [Times] = []

  /// The waiting times of one pattern.
  private final class Times {
    var histogram = Histogram()
  }

  init(_ inquiry: Inquiry) {
    selections = inquiry.waitingPatterns.map { ItemSelection($0, inquiry) }
    distributions = selections.map { _ in Times() }
  }

  /// Processes the next entry of a complete log; returns the waiting time of the item that ends with it.
  func receive(_ entry: LogEntry, _ names: NameTable) -> Int64? {
    times.receive(entry)
    guard let ended = times.ended else { return nil }
    for index in selections.indices where selections[index].contains(entry, names) {
      distributions[index].histogram.add(ended.waiting)
    }
    return ended.waiting
  }

  /// Forgets the items that have ended.
  func forget() { for sample in distributions { sample.histogram = Histogram() } }

  /// The waiting times of a pattern that is asked for, of the items that have ended.
  func distribution(of pattern: String) -> LatencyDistribution {
    guard let index = selections.firstIndex(where: { $0.pattern == pattern }) else {
      return LatencyDistribution()
    }
    return distributions[index].histogram.distribution
  }
}
