import SpindleModel

/// A worker that the pool added by itself: no thread of the run woke or created it then, but one had
/// requested it before.
///
/// The log has no entry for the request, so it is inferred: an item waited, and as long as every core's share
/// of workers was active, no further worker was due; the delay lasts from the last such moment to the worker.
/// On Darwin that is the kernel's delay after a worker began to wait, on Linux the period of the monitor.
struct PoolAnswer {
  /// Since when the further worker was awaited.
  var asked: Instant
  /// The thread whose request it was: it began to wait then, or submitted the item; none for the outside
  /// world.
  var asker: ThreadIndex
}

extension TimelineStore {
  /// What a worker became ready for, when the pool added it of its own accord; nil for any other thread.
  func answer(_ slice: ThreadSlice) -> PoolAnswer? {
    guard slice.state == .ready, slice.agent.isNone,
      slice.began == .woken || slice.began == .started,
      threads[Int(slice.thread.raw)].origin == .worker,
      slice.began == .started || waitBefore(slice)?.reason == .idleWorker
    else { return nil }
    let spans = spans[Int(slice.thread.raw)]
    let next = spans.partition { $0.start < slice.start }
    guard next < spans.count, spans[next].kind == .item, let item = item(spans[next].item),
      !item.isTask, item.submitted < slice.start
    else { return nil }
    return room(before: slice, since: item.submitted)
      ?? blocked(before: slice, item)
  }

  /// The worker that began to wait last of those that do so as another one becomes ready.
  ///
  /// Only just blocked, it still counts as active. Without one the pool had no reason to be late, and the item came to
  /// it only then.
  private func blocked(before slice: ThreadSlice, _ item: ItemSlice) -> PoolAnswer? {
    var last: ThreadSlice?
    for other in threads where other.origin == .worker && other.thread != slice.thread {
      let now = states(
        of: other.thread, from: Instant(slice.start.nanoseconds - 1), to: slice.start
      ).last
      if let now, now.state == .waiting, now.reason != .idleWorker,
        now.start > last?.start ?? Instant(-1)
      {
        last = now
      }
    }
    guard let last else { return nil }
    return last.start > item.submitted
      ? PoolAnswer(asked: last.start, asker: last.thread)
      : PoolAnswer(asked: item.submitted, asker: item.submitter)
  }

  /// The wait that ended as a thread became ready; nil where it did not wait.
  func waitBefore(_ slice: ThreadSlice) -> ThreadSlice? {
    let all = states[Int(slice.thread.raw)]
    let before = all.partition { $0.end <= slice.start && $0.start < slice.start } - 1
    return before >= 0 && all[before].state == .waiting ? all[before] : nil
  }

  /// The answer that an item waited for before its worker took it; nil where it waited for none.
  ///
  /// A worker that was added asks for the next one as it takes its first item: that one waited for the same answer.
  func answer(to item: ItemSlice) -> (answer: PoolAnswer, end: Instant)? {
    guard item.hasStarted, !item.isTask, !item.thread.isNone else { return nil }
    var (thread, end) = (item.thread, item.started)
    for _ in 0..<TimelineStore.mostAsked {
      let ready = states(of: thread, from: item.submitted, to: Instant(end.nanoseconds + 1)).filter
      {
        $0.state == .ready && ($0.began == .woken || $0.began == .started)
      }
      // One that became ready again at that moment did so behind the item.
      guard let slice = ready.first(where: { $0.start == end }) ?? ready.last,
        slice.start > item.submitted
      else { return nil }
      if let answer = answer(slice) {
        let asked = max(answer.asked, item.submitted)
        let isAtOnce =
          item.started.nanoseconds - slice.start.nanoseconds
          <= slice.start.nanoseconds - asked.nanoseconds
        return isAtOnce ? (PoolAnswer(asked: asked, asker: answer.asker), slice.start) : nil
      }
      guard !slice.agent.isNone else { return nil }
      (thread, end) = (slice.agent, slice.start)
    }
    return nil
  }

  /// How many workers in a row that asked for the next one are followed back.
  private static let mostAsked = 64

  /// When there was finally room for a further worker, before one became runnable, and the thread that made
  /// room by waiting.
  ///
  /// Searches backwards in windows of doubling length, so that the time is proportional to what it finds.
  private func room(before slice: ThreadSlice, since first: Instant) -> PoolAnswer? {
    guard let cores = run?.machine.cores.count else { return nil }
    var length: Int64 = 1_000_000
    while true {
      let from = Instant(max(first.nanoseconds, slice.start.nanoseconds - length))
      if let found = room(from: from, to: slice.start, besides: slice.thread, of: cores) {
        return found
      }
      if from <= first { return nil }
      length *= 2
    }
  }

  /// The last moment between two at which fewer workers than there are cores were left active.
  private func room(
    from: Instant, to: Instant, besides thread: ThreadIndex, of cores: Int
  ) -> PoolAnswer? {
    var active = 0
    var changes: [(time: Instant, thread: ThreadIndex, change: Int)] = []
    for other in threads where other.origin == .worker && other.thread != thread {
      for slice in states(of: other.thread, from: from, to: to) where slice.state != .waiting {
        if slice.start <= from {
          active += 1
        } else {
          changes.append((slice.start, other.thread, 1))
        }
        if slice.end <= to { changes.append((slice.end, other.thread, -1)) }
      }
    }
    changes.sort { ($0.time, $0.thread) < ($1.time, $1.thread) }
    var found: PoolAnswer?
    var index = 0
    while index < changes.count {
      let (time, before) = (changes[index].time, active)
      // What ends and begins at one moment is one change: a thread that gets its core stays active.
      var left = ThreadIndex.none
      while index < changes.count && changes[index].time == time {
        let (thread, first) = (changes[index].thread, active)
        while index < changes.count && changes[index].time == time
          && changes[index].thread == thread
        {
          active += changes[index].change
          index += 1
        }
        if active < first { left = thread }
      }
      if before >= cores && active < cores && time < to {
        found = PoolAnswer(asked: time, asker: left)
      }
    }
    return found
  }

  /// How many workers the pool's monitor added while an item waited behind others that were blocked, as a clause;
  /// empty where the pool has no monitor, or these were at work.
  func monitorClause(behind others: [ItemSlice], from: Instant, to: Instant) -> String {
    guard run?.machine.platform == .linux,
      others.allSatisfy({ $0.thread.raw >= 0 && threads[Int($0.thread.raw)].origin == .worker })
    else { return "" }
    var (blocked, whole) = (Int64(0), Int64(0))
    for other in others {
      let (start, end) = (max(other.started, from), min(other.ended, to))
      whole += end.nanoseconds - start.nanoseconds
      for slice in states(of: other.thread, from: start, to: end) where slice.state == .waiting {
        blocked += min(slice.end, end).nanoseconds - max(slice.start, start).nanoseconds
      }
    }
    if blocked * 2 < whole { return "" }
    let added = threads.reduce(0) { sum, thread in
      sum
        + states(of: thread.thread, from: from, to: to).count {
          $0.start > from && $0.start < to && answer($0) != nil
        }
    }
    return "; \(answerPhrase), added \(added == 0 ? "none" : "\(added)") in that time"
  }

  /// What it is that is awaited of the pool, in words.
  var answerPhrase: String {
    switch run?.machine.platform {
    case .linux: "the pool monitor, which adds workers once a second"
    case .ideal: "the pool's answer for a further worker"
    case .iOS, .macOS, nil: "the kernel's answer for a further worker"
    }
  }
}
