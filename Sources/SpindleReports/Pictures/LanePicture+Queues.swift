import SpindleModel

/// How long something was waited for, and owned.
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
  /// A lane for each queue, pool and actor: how many items wait for it, or where hardly any does, for how much of the
  /// time one is there.
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
      lines.append(lane(store.name(of: row.lane.lane), painted(queueCells(row.items))))
    }
    if hidden > 0 { lines.append("and \(Int64(hidden).counted("more queue"))") }
    if rows.isEmpty { lines.append("no queue or actor had anything in this time") }
    let legend =
      "1 to 9 items wait, on average, + more; else # an item runs or waits, \(LaneCell.shares) for that "
      + "share of it, . none"
    return lines + style.wrapped(legend, indent: "")
  }

  /// How many items wait on average in each column, or for how much of it one is there.
  private func queueCells(_ items: [Occupation]) -> [LaneCell] {
    var waits = [Int128](repeating: 0, count: columns)
    var isTouched = [Bool](repeating: false, count: columns)
    for item in items where item.began > item.came && item.began > from {
      each(from: item.came, to: item.began) { waits[$0] += Int128($1) }
    }
    // Simultaneous items count once.
    var (present, end) = ([Int64](repeating: 0, count: columns), from)
    for item in items.sorted(by: { ($0.came, $0.ended) < ($1.came, $1.ended) })
    where item.came <= to && item.ended >= from {
      for column in column(of: item.came)...column(of: item.ended) { isTouched[column] = true }
      each(from: max(item.came, end), to: item.ended) { present[$0] += $1 }
      end = max(end, item.ended)
    }
    return waits.indices.map { column in
      let (start, end) = bounds(of: column)
      let whole = Int128(end.nanoseconds - start.nanoseconds)
      // Rounded to the nearest.
      let waiting = (2 * waits[column] + whole) / (2 * whole)
      if waiting > 9 { return LaneCell(letter: "+", ink: .yellow) }
      if waiting > 0 { return LaneCell(letter: Character("\(waiting)"), ink: .yellow) }
      guard isTouched[column] else { return LaneCell(letter: ".", ink: .dim) }
      return LaneCell.share(
        present[column], of: Int64(whole), .green, full: LaneCell(letter: "#", ink: .green))
    }
  }

  /// Calls `body` with each column of a stretch of time, and how much of it lies in the column.
  private func each(from start: Instant, to end: Instant, _ body: (Int, Int64) -> Void) {
    guard max(start, from) < min(end, to) else { return }
    for column in column(of: start)...column(of: end) {
      let bounds = bounds(of: column)
      let length = min(bounds.end, end).nanoseconds - max(bounds.start, start).nanoseconds
      if length > 0 { body(column, length) }
    }
  }
}
