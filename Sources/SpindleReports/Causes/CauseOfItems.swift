package import SpindleModel

extension TimelineStore {
  /// Why items of a name or pattern were as late as a statistic states: the cause of the item that it names,
  /// for a mean that of the slowest.
  package func cause(
    ofItems pattern: String, _ time: Measure.ItemTime, _ statistic: Measure.Statistic
  ) -> Cause? {
    let found = items(matching: pattern).filter {
      switch time {
      case .wait: $0.hasStarted
      case .latency, .waiting: $0.outcome == .ran
      case .sinceArrival: $0.outcome == .ran && arrival(of: $0) != nil
      }
    }
    let lengths = found.map { length(time, of: $0) }
    let order = found.indices.sorted {
      lengths[$0] == lengths[$1] ? found[$0].item < found[$1].item : lengths[$0] < lengths[$1]
    }
    if order.isEmpty { return nil }
    let rank = TimelineStore.rank(statistic, of: order.count)
    // Of several that took equally long, the first is explained.
    let first = order.first { lengths[$0] == lengths[order[rank]] } ?? order[rank]
    let item = found[first]
    let name = name(of: item.item) ?? pattern
    var subject = "'\(name)'"
    if order.count > 1 {
      let place = order.count - rank
      let what =
        switch time {
        case .latency, .sinceArrival: "slowest"
        case .wait: "longest wait"
        case .waiting: "longest waiting"
        }
      subject += ", the \(place == 1 ? "" : "\(Int64(place).ordinal) ")\(what) of \(order.count)"
    }
    if time == .sinceArrival, let arrival = arrival(of: item) {
      var cause = path(to: item.thread, at: item.ended, subject: subject)
      if cause.from < arrival { cause = self.cause(of: item, subject: subject, untilStart: false) }
      return cause
    }
    return cause(of: item, subject: subject, untilStart: time == .wait)
  }

  /// One of the times of an item that has begun, or for one up to its end, has ended.
  private func length(_ time: Measure.ItemTime, of item: ItemSlice) -> Int64 {
    let wait = item.started.nanoseconds - item.submitted.nanoseconds
    switch time {
    case .latency: return item.ended.nanoseconds - item.submitted.nanoseconds
    case .wait: return wait
    case .sinceArrival:
      return item.ended.nanoseconds - (arrival(of: item) ?? item.submitted).nanoseconds
    case .waiting:
      guard item.isTask, let pieces = tasks.pieces[item.item.raw] else {
        return wait + readyTime(of: item.thread, from: item.started, to: item.ended)
      }
      let turns = pieces.dropFirst().reduce(0) {
        $0 + $1.start.nanoseconds - $1.ready.nanoseconds
      }
      return pieces.reduce(wait + turns) {
        $0 + readyTime(of: $1.thread, from: $1.start, to: $1.end)
      }
    }
  }

  /// When the work came from outside that an item does, over all that handed it on; nil where the program made it.
  private func arrival(of item: ItemSlice) -> Instant? {
    var item = item
    while !item.submitter.isNone {
      guard let parent = self.item(item.parent) else { return nil }
      item = parent
    }
    return item.submitted
  }

  /// For how long a thread could have run and had no core between two moments.
  private func readyTime(of thread: ThreadIndex, from: Instant, to: Instant) -> Int64 {
    states(of: thread, from: from, to: to).reduce(0) { sum, slice in
      let length = min(slice.end, to).nanoseconds - max(slice.start, from).nanoseconds
      return slice.state == .ready ? sum + length : sum
    }
  }

  /// Why one item took as long as it did.
  func cause(of item: ItemSlice, subject: String, untilStart: Bool) -> Cause {
    var threads: [ThreadIndex] = item.hasStarted ? [item.thread] : []
    if !item.submitter.isNone && !threads.contains(item.submitter) {
      threads.append(item.submitter)
    }
    for thread in self.threads(about: item) where !threads.contains(thread) {
      threads.append(thread)
    }
    return Cause(
      from: item.submitted, to: untilStart ? item.started : item.ended, threads: threads,
      subject: subject, parts: cause(of: item, untilStart: untilStart))
  }

  /// Why an item began, or ended, when it did: the chain that led there, and for one that never did, why
  /// not.
  package func cause(ofMoment name: String, isStart: Bool) -> Cause? {
    guard let item = items(matching: name).first else { return nil }
    let isOver = isStart ? item.hasStarted : item.outcome == .ran
    guard isOver && !item.thread.isNone else {
      return cause(
        of: item, subject: "'\(name)' never \(isStart ? "began" : "ended")", untilStart: isStart)
    }
    return path(to: item.thread, at: isStart ? item.started : item.ended, subject: "")
  }

  /// The items whose names a pattern matches, or that are of the kind with this pattern.
  func items(matching pattern: String) -> [ItemSlice] {
    guard let run else { return [] }
    let bytes = Array(pattern.utf8)
    let found = items.filter { item in
      if item.kind >= 0 && Int(item.kind) < run.program.kinds.count
        && run.program.kinds[Int(item.kind)].pattern == pattern
      {
        return true
      }
      guard item.name.index >= 0 else { return false }
      return NamePattern.matches(run.names.utf8(item.name), bytes)
    }
    // `task#3`, as the log and every text here call the third of a name.
    return found.isEmpty ? items.filter { $0.name(in: run.names, run.program) == pattern } : found
  }

  /// The nearest rank of a statistic among `count`, from 0; see `LatencyDistribution`.
  static func rank(_ statistic: Measure.Statistic, of count: Int) -> Int {
    let percent =
      switch statistic {
      case .mean, .max: 100
      case .min: 0
      case .p50: 50
      case .p90: 90
      case .p95: 95
      case .p99: 99
      }
    return min(count - 1, max(0, (count * percent + 99) / 100 - 1))
  }
}
