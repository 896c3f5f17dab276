import SpindleModel

/// Why an item took as long as it did, in words.
extension TimelineStore {
  /// The parts of an item's time from submission to end; with `untilStart` only to its start.
  func cause(of item: ItemSlice, untilStart: Bool) -> [String] {
    var texts: [String] = []
    if !item.submitter.isNone {
      let who = name(of: item.parent) ?? name(of: item.submitter)
      texts.append("submitted by '\(who)'" + (position(item.place).map { " (\($0))" } ?? ""))
    }
    if item.started > item.submitted || !item.hasStarted { texts += delay(of: item) }
    if untilStart || !item.hasStarted { return texts }
    if item.needsNoThread {
      let length = item.ended.nanoseconds - item.started.nanoseconds
      texts.append("\(TimelineStore.short(length)) until it reported its end")
    } else if item.isTask && tasks.pieces[item.item.raw] != nil {
      texts += taskParts(of: item)
    } else {
      texts += parts(of: item.thread, from: item.started, to: item.ended)
      if item.outcome != .ran {
        if let wait = lastWait(of: item.thread, isNew: true) { texts.append(wait) }
        texts += findings(about: [item])
      }
    }
    return texts
  }

  /// What a thread waits for when the run ends: that lasts.
  ///
  /// With `isNew` only what began at that very moment: that has no length of its own.
  private func lastWait(of thread: ThreadIndex, isNew: Bool = false) -> String? {
    guard thread.raw >= 0, Int(thread.raw) < states.count, let slice = states[Int(thread.raw)].last,
      slice.state == .waiting && slice.ended == .runEnded, slice.reason?.facts.family != .idle,
      !isNew || slice.start == slice.end
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
    if !item.hasStarted { return standstill(of: item, whole) }
    if item.thread != mainThread, answer(to: item) != nil { return takenUp(item, whole) }
    let before = predecessors(of: item)
    let covered = before.reduce(0) {
      $0 + min($1.ended, to).nanoseconds - max($1.started, from).nanoseconds
    }
    if item.thread == mainThread || covered * 2 < whole { return takenUp(item, whole) }
    let names = before.map { called($0) }
    return [
      "\(TimelineStore.short(whole)) in queue \(queue), behind \(TimelineStore.list(names))"
        + monitorClause(behind: before, from: from, to: to)
    ]
  }

  private func called(_ item: ItemSlice) -> String {
    "'\(name(of: item.item) ?? "")'" + (position(item.place).map { " (\($0))" } ?? "")
  }

  /// Why an item never began: what occupies its queue, what that waits for, and the finding that names what
  /// would end it.
  private func standstill(of item: ItemSlice, _ whole: Int64) -> [String] {
    let length = whole == 0 ? "" : "\(TimelineStore.short(whole)) "
    let head = "\(length)in queue '\(name(of: item.lane))'"
    let occupants = items.filter {
      $0.lane == item.lane && $0.item != item.item && $0.hasStarted && $0.outcome != .ran
    }
    guard let first = occupants.first, !runsSideBySide(item.lane) else {
      return ["\(head), forever"] + findings(about: [item])
    }
    let wait = lastWait(of: first.thread).map { ", which \($0)" } ?? ""
    return ["\(head), forever, behind \(called(first))\(wait)"]
      + findings(about: [item, first])
  }

  /// The findings of the run about endless waits in which items have a part.
  ///
  /// A finding of a run has its subjects as data. One that was read back from a log has its text only.
  private func findings(about items: [ItemSlice]) -> [String] {
    let names = Set(items.compactMap { name(of: $0.item) })
    let found = (record?.findings ?? []).filter { finding in
      guard Self.endlessWaits.contains(finding.kind) else { return false }
      let subjects = finding.statement.subjects
      return subjects.contains { names.contains($0.name) }
        || subjects.isEmpty && names.contains { finding.explanation.contains("'\($0)'") }
    }
    return found.prefix(2).map { "\($0.kind.rawValue): \($0.explanation)" }
  }

  /// The findings about waits that never end.
  private static let endlessWaits: Set<Finding.Kind> = [
    .deadlock, .selfDeadlock, .syncCycle, .poolExhaustion, .poolStarved, .waitOnOwnQueue,
    .continuationNeverResumed, .circularAwait, .circularDependency, .neverResumed, .neverFinishes,
    .mainQueueNotDrained,
  ]

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
