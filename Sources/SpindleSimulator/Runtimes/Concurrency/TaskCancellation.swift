import SpindleModel

/// Cancelling tasks, and raising their priority.
extension ConcurrencyRuntime {
  static let cancellationError = "CancellationError()"

  /// Whether the task that makes a call is cancelled; it knows then.
  mutating func isCancelled(_ call: Call, _ process: borrowing Process) -> Bool {
    let task = task(of: call.thread, process)
    guard !task.isNone, tasks[task].isCancelled else { return false }
    tasks[task].knowsCancellation = true
    return true
  }

  /// Cancels a task, what is called then, and its children; once.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskStatus.cpp, swift_task_cancelImpl.
  mutating func cancel(
    _ task: TaskRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if tasks[task].isCancelled { return }
    tasks[task].isCancelled = true
    process.kernel.uses(.task, task.raw, .writes, name: tasks[task].name, by: thread)
    process.kernel.acquires(.taskState, task.raw, by: thread)
    process.kernel.releases(.taskState, task.raw, by: thread)
    // Who asks is told so, and that is all.
    if tasks[task].state == .finished { return }
    tasks[task].cancelledAt = process.kernel.now
    process.kernel.record(
      .taskCancelled, thread: thread, object: tasks[task].name, other: tasks[task].number,
      subject: tasks[task].workKind)
    demand(
      tasks[task].cancelledAt >= tasks[task].submitted,
      "task \(task) is cancelled before it is made")
    let mark = lastStep
    if tasks[task].state == .suspended {
      switch tasks[task].wait {
      case .sleep:
        tasks[task].knowsCancellation = true
        let error = Int64(process.kernel.intern(Self.cancellationError).index)
        wake(task, error: error, by: thread, &dispatch, &process)
      case .stream:
        tasks[task].knowsCancellation = true
        cancel(stream: .init(tasks[task].waitObject), by: thread, &dispatch, &process)
      case .io: cancelIO(of: task, by: thread, &dispatch, &process)
      case .task: noteWait(of: task, for: .init(tasks[task].waitObject), process)
      case .executor, .group, .groupEnd, .yield, .continuation: break
      }
    }
    cancelRecords(of: task, from: mark, by: thread, &dispatch, &process)
    lockAround(task, from: mark)
  }

  /// What a task has around what it does hears that it is cancelled, the innermost first: handlers are called,
  /// children cancelled.
  private mutating func cancelRecords(
    of task: TaskRecord.Index, from mark: TaskStep.Index, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    var (handler, ceiling) = (tasks[task].handler, Int32.max)
    while true {
      let record = handler.isNone ? -1 : handlers[handler].record
      cancelChildren(of: task, record + 1..<ceiling, from: mark, by: thread, &dispatch, &process)
      if handler.isNone { return }
      ceiling = record
      if handlers[handler].event == .cancelled {
        tasks[task].knowsCancellation = true
        let stream = handlers[handler].stream
        if !stream.isNone {
          endUnfolding(stream, isCancelled: true, &process)
        } else {
          plan(.call, process.activate(&handlers[handler].handler, parent: .none).raw)
        }
      }
      handler = handlers[handler].outer
    }
  }

  /// Cancels the children that are in some of a task's records, in the order in which they were made; behind what is
  /// planned since `mark`, if anything is.
  mutating func cancelChildren(
    of task: TaskRecord.Index, _ records: Range<Int32>, from mark: TaskStep.Index,
    by thread: ThreadID,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    var child = tasks[task].firstChild
    while !child.isNone {
      let next = tasks[child].nextSibling
      if records.contains(tasks[child].record), !tasks[child].isCancelled {
        if lastStep == mark {
          cancel(child, by: thread, &dispatch, &process)
        } else {
          plan(.cancel, child.raw)
        }
      }
      child = next
    }
  }

  /// The number of a task's next status record.
  mutating func nextRecord(of task: TaskRecord.Index) -> Int32 {
    tasks[task].recordCount += 1
    return tasks[task].recordCount
  }

  // MARK: Handlers

  /// What raising a task calls is to be called, the innermost first, with the old priority and the new one.
  ///
  /// Source: SE-0462.
  private mutating func callWhenRaised(
    _ task: TaskRecord.Index, from old: TaskPriority, _ process: inout Process
  ) {
    var handler = tasks[task].handler
    let mark = lastStep
    while !handler.isNone {
      if handlers[handler].event == .raised {
        let (before, now) = (
          process.kernel.intern(old.name).index,
          process.kernel.intern(tasks[task].current.name).index
        )
        let frame = process.activate(
          &handlers[handler].handler, parent: .none, argument: Int64(before))
        process.give(Int64(now), toParameter: 1, of: frame)
        plan(.call, frame.raw)
      }
      handler = handlers[handler].outer
    }
    lockAround(task, from: mark)
  }

  /// The closure that cancelling the task calls from now on; at once when it is cancelled already.
  mutating func pushHandler(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    guard let handler = process.handler(0, call) else { fatalError("a handler is no closure") }
    let task = task(of: call.thread, process)
    let pushed = handlers.add(
      TaskHandler(
        handler: handler, record: nextRecord(of: task), outer: tasks[task].handler))
    tasks[task].handler = pushed
    process.kernel.releases(.taskState, task.raw, by: call.thread)
    if !tasks[task].isCancelled { return .next }
    tasks[task].knowsCancellation = true
    plan(.call, process.activate(&handlers[pushed].handler, parent: .none).raw)
    return doSteps(call.thread, &dispatch, &process)
  }

  /// The closure that raising the task calls from now on; source: SE-0462, withTaskPriorityEscalationHandler.
  mutating func pushEscalation(_ call: Call, _ process: inout Process) {
    guard let handler = process.handler(0, call) else { fatalError("a handler is no closure") }
    let task = task(of: call.thread, process)
    tasks[task].handler = handlers.add(
      TaskHandler(
        event: .raised, handler: handler, record: nextRecord(of: task),
        outer: tasks[task].handler))
    process.kernel.releases(.taskState, task.raw, by: call.thread)
  }

  /// The innermost handler is not called any more.
  mutating func popHandler(on thread: ThreadID, _ process: inout Process) {
    let task = task(of: thread, process)
    let handler = tasks[task].handler
    demand(!handler.isNone, "task \(task) has no handler to take away")
    tasks[task].handler = handlers[handler].outer
    process.kernel.acquires(.taskState, task.raw, by: thread)
    process.discard(handlers[handler].handler)
    handlers.remove(handler)
  }

  // MARK: Priority

  /// A task gets more urgent; what stands in a queue stays where it is.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskStatus.cpp, swift_task_escalateImpl.
  mutating func raise(
    _ task: TaskRecord.Index, to priority: TaskPriority, by thread: ThreadID,
    _ process: inout Process
  ) {
    if tasks[task].current >= priority || tasks[task].state == .finished { return }
    demand(tasks[task].base <= priority, "task \(task) is raised below what it was made with")
    let old = tasks[task].current
    tasks[task].current = priority
    process.kernel.record(
      .taskRaised, thread: thread, object: tasks[task].name, other: tasks[task].number,
      subject: tasks[task].workKind, value: Int64(priority.rawValue))
    lend(priority, to: task, &process)
    noteBlocker(ofRaised: task, process)
    callWhenRaised(task, from: old, &process)
    var child = tasks[task].firstChild
    while !child.isNone {
      raise(child, to: priority, by: thread, &process)
      child = tasks[child].nextSibling
    }
    if tasks[task].state == .suspended && tasks[task].wait == .task {
      raise(.init(tasks[task].waitObject), to: priority, by: thread, &process)
    }
  }
}

extension Process {
  /// The call throws: its handler in the trace is looked for at the call.
  mutating func raise(_ message: Int64) -> CallResult {
    thrown = message
    return .raises
  }

  /// The call throws `CancellationError`.
  mutating func throwCancellation() -> CallResult {
    raise(Int64(kernel.intern(ConcurrencyRuntime.cancellationError).index))
  }

  /// The same, of a task that knows it then.
  mutating func throwCancellation(of task: UnsafeMutablePointer<TaskRecord>) -> CallResult {
    task.pointee.knowsCancellation = true
    return throwCancellation()
  }
}
