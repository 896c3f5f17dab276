import SpindleModel

/// Tasks that wait for each other's end.
extension ConcurrencyRuntime {
  /// Reports the tasks that wait for each other in a cycle, however the run has ended; true when there
  /// are any.
  mutating func reportCycles(_ process: inout Process) -> Bool {
    let needs = endsNeeded()
    if needs.isEmpty { return false }
    var isSeen = [Bool](repeating: false, count: Int(tasks.count))
    var found = false
    for start in tasks.indices where needs[Int(start.raw)] > 0 {
      var (path, task): ([TaskRecord.Index], TaskRecord.Index) = ([], start)
      while !task.isNone, !isSeen[Int(task.raw)] {
        isSeen[Int(task.raw)] = true
        path.append(task)
        task = stuck(awaitedBy: task, needs)
      }
      guard !task.isNone, let first = path.firstIndex(of: task) else { continue }
      let cycle = path[first...]
      found = true
      process.kernel.report(
        .circularAwait, thread: .none, places: cycle.map { tasks[$0].place },
        FindingText.circularAwait(cycle.map { name($0, process) }))
    }
    return found
  }

  /// How many ends of other tasks each task still waits for that can't come since they wait for its own,
  /// or for those who do; empty where no task waits for another.
  ///
  /// Whoever waits for something else is taken for one that goes on: somebody may resume it. Complexity:
  /// O(tasks).
  private func endsNeeded() -> [Int32] {
    var needs: [Int32] = []
    for task in tasks.indices {
      let count = endsAwaited(by: task)
      if count > 0 && needs.isEmpty { needs = [Int32](repeating: 0, count: Int(tasks.count)) }
      if count > 0 { needs[Int(task.raw)] = count }
    }
    if needs.isEmpty { return [] }
    var goOn = tasks.indices.filter { needs[Int($0.raw)] == 0 }
    while let task = goOn.popLast() {
      if tasks[task].state == .finished { continue }
      var waiter = tasks[task].waiters
      while !waiter.isNone {
        if hasOneLess(waiter, &needs) { goOn.append(waiter) }
        waiter = tasks[waiter].nextWaiter
      }
      let group = tasks[task].group
      if group.isNone || groups[group].wait == .none { continue }
      if hasOneLess(groups[group].parent, &needs) { goOn.append(groups[group].parent) }
    }
    return needs
  }

  /// A task that another one waits for can end; true when that was the last that it needs.
  private func hasOneLess(_ waiter: TaskRecord.Index, _ needs: inout [Int32]) -> Bool {
    if needs[Int(waiter.raw)] == 0 { return false }
    needs[Int(waiter.raw)] -= 1
    return needs[Int(waiter.raw)] == 0
  }

  /// How many other tasks must end before a task goes on.
  private func endsAwaited(by task: TaskRecord.Index) -> Int32 {
    let record = tasks[task]
    guard record.state == .suspended else { return 0 }
    switch record.wait {
    case .task: return 1
    case .group: return 1
    case .groupEnd: return groups[.init(record.waitObject)].pending
    case .executor, .sleep, .io, .yield, .continuation, .stream: return 0
    }
  }

  /// The first of those that a task waits for who can't end either; none where all can.
  private func stuck(awaitedBy task: TaskRecord.Index, _ needs: [Int32]) -> TaskRecord.Index {
    let record = tasks[task]
    demand(needs[Int(task.raw)] > 0, "task \(task) goes on, and it is asked for whom it waits")
    if record.wait == .task { return .init(record.waitObject) }
    var child = record.firstChild
    while !child.isNone {
      if tasks[child].group.raw == record.waitObject && needs[Int(child.raw)] > 0 { return child }
      child = tasks[child].nextSibling
    }
    return .none
  }
}
