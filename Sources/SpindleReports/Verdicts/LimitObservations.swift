import SpindleModel

/// Counts the items whose time is above a limit, exactly.
struct LimitObservations {
  private var selections: [(limit: Measure.Limit, items: ItemSelection)] = []
  private var counts: [(all: Int64, above: Int64)] = []

  init(_ inquiry: Inquiry) {
    for limit in inquiry.limits {
      guard case .items(_, let pattern) = limit.quantities else { continue }
      selections.append((limit, ItemSelection(pattern, inquiry)))
      counts.append((0, 0))
    }
  }

  /// Adds the time of an item.
  mutating func add(
    _ time: Measure.ItemTime, _ value: Int64, _ entry: LogEntry, _ names: NameTable
  ) {
    for index in selections.indices {
      guard case .items(time, _) = selections[index].limit.quantities,
        selections[index].items.contains(entry, names)
      else { continue }
      counts[index].all += 1
      if value > selections[index].limit.greatest { counts[index].above += 1 }
    }
  }

  /// How many there are, and how many of them above the limit.
  func counts(_ limit: Measure.Limit) -> (all: Int64, above: Int64) {
    selections.firstIndex { $0.limit == limit }.map { counts[$0] } ?? (0, 0)
  }

  /// Forgets the items that have ended.
  mutating func forget() { for index in counts.indices { counts[index] = (0, 0) } }
}
