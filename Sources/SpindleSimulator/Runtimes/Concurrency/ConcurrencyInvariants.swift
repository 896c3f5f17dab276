import SpindleModel

/// What is always true of tasks.
extension ConcurrencyRuntime {
  /// Stops with a message when the state of tasks contradicts itself.
  func checkTasks(_ process: borrowing Process) {
    if tasks.count == 0 { return }
    var (unfinished, runningTasks) = (Int32(0), 0)
    for task in tasks.indices {
      let record = tasks[task]
      if record.state != .finished && !record.isMain { unfinished += 1 }
      demand(
        (record.state == .running) == (!record.thread.isNone),
        "task \(task) is \(record.state) and has thread \(record.thread.index)")
      if record.state == .running { runningTasks += 1 }
      demand(
        record.current >= record.base || !record.parent.isNone, "task \(task) is below its base")
      demand(
        record.state != .finished || record.firstChild.isNone, "task \(task) has left children")
      demand(
        record.bindings.isNone || record.state != .finished && locals[record.bindings].users > 0,
        "task \(task) is \(record.state) and has binding \(record.bindings)")
    }
    demand(unfinished == alive, "\(unfinished) tasks are alive, \(alive) counted")
    var (waiting, with) = (0, Int32(0))
    for priority in TaskPriority.allCases {
      let queue = queues[Int32(priority.rawValue)]
      waiting += Int(queue.count)
      with += queue.running
      demand(queue.running >= 0, "\(queue.running) jobs of priority \(priority) are with threads")
      demand(
        !rules.isPerPriority || queue.running <= rules.width,
        "\(queue.running) jobs of priority \(priority) are with threads, \(rules.width) may be")
    }
    demand(with == running, "\(with) jobs are with threads, \(running) counted")
    checkActors()
    for executor in executors.indices {
      let record = executors[executor]
      demand(
        record.first.isNone || record.running == record.limit,
        "group \(executor) has \(record.running) tasks at work, and task \(record.first) waits")
    }
    demand(
      waiting <= jobs.usedCount || process.outcome != nil,
      "\(waiting) jobs wait, \(jobs.usedCount) are kept")
  }

  private func checkActors() {
    for actor in actors.indices.dropFirst() {
      let record = actors[actor]
      var count: Int32 = 0
      for priority in TaskPriority.allCases {
        count += inboxes[record.inbox(of: priority)].count
      }
      demand(count == record.waiting, "actor \(actor) has \(count) jobs, \(record.waiting) counted")
      demand(
        count == 0 || record.state != .idle, "actor \(actor) is idle, and \(count) jobs wait for it"
      )
      if !record.task.isNone {
        demand(
          record.state == .running && tasks[record.task].executor == ExecutorID(actor),
          "task \(record.task) has actor \(actor), which is \(record.state)")
      }
    }
  }
}
