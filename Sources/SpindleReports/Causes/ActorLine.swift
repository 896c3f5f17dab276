import SpindleModel

/// What tasks queue for, in words.
extension TimelineStore {
  /// What a task waited for that could have gone on: an actor that others had, or a thread of the pool.
  func line(_ piece: TaskPiece, from: Instant) -> String {
    let whole = piece.start.nanoseconds - from.nanoseconds
    let length = TimelineStore.short(whole)
    guard let hold = actorHold(at: piece), hold.waited > .zero else {
      let head = "\(length) queued for a thread, until '\(name(of: piece.thread))' dequeued it"
      return head + taken(piece, from: from, of: whole)
    }
    var actor = name(of: hold.lane)
    actor = actor == "main actor" ? "the main actor" : "actor '\(actor)'"
    let others = actorHolds(before: piece, from: from)
    let free = others.reduce(from) { max($0, min($1.end, piece.start)) }
    // The actor was free, but its next turn had not begun: the thread for it did something else.
    let rest = piece.start.nanoseconds - free.nanoseconds
    var late = ""
    if rest * 4 >= whole && rest > 0 {
      let time = rest == whole ? "" : "\(TimelineStore.short(rest)) "
      late =
        ", then \(time)until '\(name(of: piece.thread))' resumed it"
        + taken(piece, from: free, of: whole)
      if others.isEmpty { late = ", which was free" + late.replacing(", then ", with: ", ") }
    }
    return "\(length) queued for \(actor)\(held(others, from: from, to: piece.start))\(late)"
  }

  /// The intervals in which other tasks held the actor for which a piece of a task was queued.
  func actorHolds(before piece: TaskPiece, from: Instant) -> [HoldSlice] {
    guard let hold = actorHold(at: piece), hold.waited > .zero else { return [] }
    return holds.filter {
      $0.kind == .actor && $0.lane == hold.lane && $0.item != piece.item && $0.start < piece.start
        && $0.end > from
    }
  }

  /// The tasks that held an actor, the longest first, and what the first one did meanwhile.
  private func held(_ others: [HoldSlice], from: Instant, to: Instant) -> String {
    func length(_ other: HoldSlice) -> Int64 {
      min(other.end, to).nanoseconds - max(other.start, from).nanoseconds
    }
    let order = others.indices.sorted {
      let (left, right) = (length(others[$0]), length(others[$1]))
      return left == right ? $0 < $1 : left > right
    }
    guard let first = order.first.map({ others[$0] }) else { return "" }
    var seen: Set<String> = []
    let names = order.map { taskName(others[$0].item, others[$0].thread) }
      .filter { seen.insert($0).inserted }
    if names.count > 1 { return ", held by \(TimelineStore.list(names))" }
    let (start, end) = (max(first.start, from), min(first.end, to))
    return ", held by \(names[0])\(doing(first.thread, from: start, to: end, depth: 1))"
  }

  /// What the thread that was to continue a task did until then, as a clause; empty where it was idle.
  private func taken(_ piece: TaskPiece, from: Instant, of whole: Int64) -> String {
    let pieces = pieces(of: piece.thread, from: from, to: piece.start)
    let busy = pieces.reduce(0) { $0 + ($1.isIdle || $1.kind == .noThread ? 0 : $1.length) }
    guard busy * 4 >= whole else { return "" }
    let parts = parts(of: piece.thread, from: from, to: piece.start)
    return parts.isEmpty ? "" : ": \(TimelineStore.sequence(parts))"
  }

  /// The threads that affected a task besides its own: those on which it continued, and those of the tasks
  /// that held the actors for which it was queued.
  func threads(about item: ItemSlice) -> [ThreadIndex] {
    guard item.isTask, let all = tasks.pieces[item.item.raw] else { return [] }
    var threads: [ThreadIndex] = []
    var since = item.submitted
    for piece in all {
      threads.append(piece.thread)
      threads += actorHolds(before: piece, from: since).map(\.thread)
      since = piece.end
    }
    return threads
  }
}
