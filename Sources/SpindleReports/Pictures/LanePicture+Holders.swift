import SpindleModel

extension LanePicture {
  /// An owner of a lock, a queue or an actor for a while.
  private struct Holding {
    var who: String
    var thread: ThreadIndex
    var start: Instant
    var end: Instant

    var length: Int64 { end.nanoseconds - start.nanoseconds }
  }

  /// The owners of what others waited for in the window: locks, and queues in `sync`.
  func holders(_ threads: [ThreadIndex]) -> [String] {
    var texts: [String] = []
    var known: Set<LaneIndex> = []
    for thread in threads {
      for slice in store.states(of: thread, from: from, to: to)
      where !slice.lane.isNone && (slice.reason == .lock || slice.reason == .sync) {
        guard known.insert(slice.lane).inserted else { continue }
        let isLock = slice.reason == .lock
        let all = isLock ? locked(slice.lane) : occupied(slice.lane)
        if !isLock && all.isEmpty { continue }
        let name = "\(isLock ? "lock" : "queue") '\(store.name(of: slice.lane))'"
        texts.append("\(name): held by \(told(all))")
      }
    }
    let limit = 6
    var lines = texts.prefix(limit).flatMap { style.wrapped($0, indent: "", hanging: "  ") }
    if texts.count > limit { lines.append("and \(texts.count - limit) more locks and queues") }
    return lines
  }

  /// The longest owners, in their order.
  private func told(_ all: [Holding]) -> String {
    let longest = all.sorted { left, right in
      left.length == right.length ? left.start < right.start : left.length > right.length
    }
    let shown = longest.prefix(3).sorted { $0.start < $1.start }.map { holding in
      "\(holding.who) on \(store.name(of: holding.thread)) "
        + TimelineStore.window(max(holding.start, from), min(holding.end, to))
    }
    let more = all.count > 3 ? ", and \(all.count - 3) shorter" : ""
    return shown.joined(separator: ", ") + more
  }

  private func locked(_ lane: LaneIndex) -> [Holding] {
    store.holds
      .filter { $0.lane == lane && $0.start < to && $0.end > from && $0.end > $0.start }
      .map {
        Holding(who: store.holder($0), thread: $0.thread, start: $0.start, end: $0.end)
      }
  }

  /// What ran on a queue, and whose syncs.
  private func occupied(_ lane: LaneIndex) -> [Holding] {
    store.spans.joined()
      .filter {
        $0.lane == lane && $0.start < to && $0.end > from && $0.end > $0.start
          && ($0.kind == .item || $0.kind == .sync)
      }
      .sorted { $0.start < $1.start }
      .map { span in
        let name =
          span.kind == .sync ? store.caller(of: span) : store.words(span, on: span.thread)
        let who = name + (store.position(span.place).map { " (\($0))" } ?? "")
        return Holding(who: who, thread: span.thread, start: span.start, end: span.end)
      }
  }
}
