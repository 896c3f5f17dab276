import SpindleModel

/// How long somebody waited for something, and had it.
private struct Occupation {
  var came: Instant
  /// When it began, or the wait for it ended.
  var began: Instant
  var ended: Instant
  var hasBegun: Bool

  init(_ item: ItemSlice) {
    (came, ended, hasBegun) = (item.submitted, item.ended, item.hasStarted)
    began = item.hasStarted ? item.started : item.ended
  }

  /// A task's turn on an actor.
  init(_ turn: HoldSlice) {
    (came, began, ended) = (
      Instant(turn.start.nanoseconds - turn.waited.rawValue), turn.start, turn.end
    )
    hasBegun = true
  }
}

extension LanePicture {
  /// A lane for each queue, pool and actor: how many items wait for it, or `#` where one runs and none waits.
  mutating func queueLines(_ only: [String]) -> [String] {
    let patterns = only.map { Array($0.utf8) }
    let itemsByLane = Dictionary(
      grouping: store.items.filter { $0.submitted < to && $0.ended >= from }, by: \.lane)
    let turnsByLane = Dictionary(
      grouping: store.holds.filter {
        $0.kind == .actor && $0.start.nanoseconds - $0.waited.rawValue < to.nanoseconds
          && $0.end >= from
      },
      by: \.lane)
    var rows: [(lane: LaneFacts, items: [Occupation])] = []
    for lane in store.lanes {
      let name = Array(store.name(of: lane.lane).utf8)
      if !patterns.isEmpty && !patterns.contains(where: { NamePattern.matches(name[...], $0) }) {
        continue
      }
      if let found = itemsByLane[lane.lane] {
        rows.append((lane, found.map { Occupation($0) }))
      } else if let found = turnsByLane[lane.lane] {
        rows.append((lane, found.map { Occupation($0) }))
      }
    }
    let hidden = max(0, rows.count - laneLimit)
    rows = Array(rows.prefix(laneLimit))
    share(rows.map { store.name(of: $0.lane.lane) })
    var lines = [axis]
    for row in rows {
      lines.append(lane(store.name(of: row.lane.lane), queueCells(row.items)))
    }
    if hidden > 0 { lines.append("and \(Int64(hidden).counted("more queue"))") }
    if rows.isEmpty { lines.append("no queue or actor had anything in this time") }
    let legend = "# an item runs and none waits, 1 to 9 items wait, + more than 9, . nothing"
    return lines + style.wrapped(legend, indent: "")
  }

  /// The most items that wait at one time in each column.
  private func queueCells(_ items: [Occupation]) -> String {
    var waits = [Int](repeating: 0, count: columns)
    var runs = [Bool](repeating: false, count: columns)
    for item in items {
      if item.began > item.came && item.began > from {
        for column in column(of: item.came)...column(of: item.began) { waits[column] += 1 }
      }
      guard item.hasBegun && item.began < to else { continue }
      for column in column(of: item.began)...column(of: item.ended) { runs[column] = true }
    }
    return String(
      waits.indices.map { column -> Character in
        if waits[column] > 9 { return "+" }
        if waits[column] > 0 { return Character("\(waits[column])") }
        return runs[column] ? "#" : "."
      })
  }
}
