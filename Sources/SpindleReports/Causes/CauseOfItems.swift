package import SpindleModel

extension TimelineStore {
  /// Why items of a name or pattern were as late as a statistic says: the cause of the one that it names,
  /// of a mean that of the slowest.
  package func cause(
    ofItems pattern: String, _ statistic: Measure.Statistic, untilStart: Bool
  ) -> Cause? {
    let found = items(matching: pattern).filter {
      untilStart ? $0.hasStarted : $0.outcome == .ran
    }
    func length(_ item: ItemSlice) -> Int64 {
      (untilStart ? item.started : item.ended).nanoseconds - item.submitted.nanoseconds
    }
    let order = found.sorted {
      length($0) == length($1) ? $0.item < $1.item : length($0) < length($1)
    }
    guard let last = order.last else { return nil }
    let rank = TimelineStore.rank(statistic, of: order.count)
    // Of several that took equally long the first tells it.
    let item = order.first { length($0) == length(order[rank]) } ?? last
    let name = name(of: item.item) ?? pattern
    var subject = "'\(name)'"
    if order.count > 1 {
      let place = order.count - rank
      subject +=
        place == 1 ? ", the slowest of \(order.count)" : ", number \(place) of \(order.count)"
    }
    return cause(of: item, subject: subject, untilStart: untilStart)
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
  private static func rank(_ statistic: Measure.Statistic, of count: Int) -> Int {
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
