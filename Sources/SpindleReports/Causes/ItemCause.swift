import SpindleModel

/// Why an item took as long as it did, in words.
extension TimelineStore {
  /// What an item's time from being handed over to its end consisted of; with `untilStart` only to its
  /// beginning.
  func cause(of item: ItemSlice, untilStart: Bool) -> [String] {
    var texts: [String] = []
    if !item.submitter.isNone {
      let who = name(of: item.parent) ?? name(of: item.submitter)
      texts.append("submitted by '\(who)'" + (position(item.place).map { " (\($0))" } ?? ""))
    }
    if item.started > item.submitted { texts += delay(of: item) }
    if untilStart || !item.hasStarted { return texts }
    if item.needsNoThread {
      let length = item.ended.nanoseconds - item.started.nanoseconds
      texts.append("\(TimelineStore.short(length)) until it reported its end")
    } else if item.isTask && tasks.pieces[item.item.raw] != nil {
      texts += taskParts(of: item)
    } else {
      texts += parts(of: item.thread, from: item.started, to: item.ended)
      if item.outcome != .ran, let wait = lastWait(of: item.thread) { texts.append(wait) }
    }
    return texts
  }

  /// What a thread waits for since the very moment at which the run ended: that has no length, and lasts.
  private func lastWait(of thread: ThreadIndex) -> String? {
    guard thread.raw >= 0, Int(thread.raw) < states.count, let slice = states[Int(thread.raw)].last,
      slice.state == .waiting && slice.start == slice.end && slice.ended == .runEnded,
      slice.reason?.facts.family != .idle
    else { return nil }
    let wait = wait(slice, from: slice.start, to: slice.end).drop { $0 != " " }
    return "waits\(wait), from \(slice.start) to the end"
  }

  /// Why an item did not begin at once: what held its queue, what ran there, or what its thread did.
  func delay(of item: ItemSlice) -> [String] {
    let (from, to) = (item.submitted, item.started)
    if item.isTask, let first = tasks.pieces[item.item.raw]?.first,
      actorHold(at: first).map({ $0.waited > .zero }) ?? false
    {
      return [line(first, from: from)]
    }
    let whole = to.nanoseconds - from.nanoseconds
    let queue = item.lane.isNone ? "" : "'\(name(of: item.lane))'"
    for hold in holds
    where hold.lane == item.lane && (hold.kind == .suspended || hold.kind == .inactive) {
      let length = min(hold.end, to).nanoseconds - max(hold.start, from).nanoseconds
      if length * 2 >= whole {
        let state = hold.kind == .suspended ? "suspended" : "inactive"
        return ["\(TimelineStore.short(whole)) in queue \(queue), which was \(state)\(by(hold))"]
      }
    }
    if item.thread != mainThread, answer(to: item) != nil { return takenUp(item, whole) }
    let before = predecessors(of: item)
    let covered = before.reduce(0) {
      $0 + min($1.ended, to).nanoseconds - max($1.started, from).nanoseconds
    }
    if item.hasStarted && item.thread == mainThread || covered * 2 < whole {
      guard item.hasStarted else { return ["\(TimelineStore.short(whole)) in \(queue), forever"] }
      return takenUp(item, whole)
    }
    let names = before.map { before in
      "'\(name(of: before.item) ?? "")'" + (position(before.place).map { " (\($0))" } ?? "")
    }
    return [
      "\(TimelineStore.short(whole)) in queue \(queue), behind \(TimelineStore.list(names))"
    ]
  }

  /// An item that waited for its thread: what that did meanwhile, and since when the pool was to add it.
  private func takenUp(_ item: ItemSlice, _ whole: Int64) -> [String] {
    let head =
      "\(TimelineStore.short(whole)) until '\(name(of: item.thread))' dequeued it: "
    guard let (answer, end) = answer(to: item) else {
      let parts = parts(of: item.thread, from: item.submitted, to: item.started)
      return parts.isEmpty ? [] : [head + TimelineStore.sequence(parts)]
    }
    let length = TimelineStore.short(end.nanoseconds - answer.asked.nanoseconds)
    var parts = ["\(length) for \(answerPhrase), asked at \(answer.asked)"]
    let before = answer.asked.nanoseconds - item.submitted.nanoseconds
    if before * 100 >= whole {
      parts.insert(
        "\(TimelineStore.short(before)) while as many workers as cores were active", at: 0)
    }
    let rest = item.started.nanoseconds - end.nanoseconds
    if rest * 100 >= whole { parts += self.parts(of: item.thread, from: end, to: item.started) }
    return [head + TimelineStore.sequence(parts)]
  }

  private func by(_ hold: HoldSlice) -> String {
    let who = hold.thread.isNone ? "" : " by '\(name(of: hold.thread))'"
    return who + (position(hold.place).map { " (\($0))" } ?? "")
  }

  /// The items of the same queue that ran while one waited, those with most time first; none where
  /// items of the queue run side by side.
  private func predecessors(of item: ItemSlice) -> [ItemSlice] {
    if item.lane.isNone || runsSideBySide(item.lane) { return [] }
    func length(_ other: ItemSlice) -> Int64 {
      min(other.ended, item.started).nanoseconds - max(other.started, item.submitted).nanoseconds
    }
    let others = items.filter {
      $0.lane == item.lane && $0.item != item.item && $0.hasStarted && length($0) > 0
    }
    return others.sorted {
      length($0) == length($1) ? $0.item < $1.item : length($0) > length($1)
    }
  }

  private func runsSideBySide(_ lane: LaneIndex) -> Bool {
    guard lane.raw >= 0 && Int(lane.raw) < lanes.count else { return false }
    let facts = lanes[Int(lane.raw)]
    switch facts.family {
    case .queue: return facts.value & 1 == 1
    case .operationQueue, .executor: return facts.value != 1
    case .lock, .semaphore, .group, .operation, .dispatchSource, .other, .actor, .accelerator:
      return false
    }
  }
}
