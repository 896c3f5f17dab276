import SpindleModel

/// Cancelling tasks, and raising their priority.
extension ConcurrencyRuntime {
  static let cancellationError = "CancellationError()"

  /// Whether the task that makes a call is cancelled; it knows then.
  mutating func isCancelled(_ call: Call, _ process: borrowing Process) -> Bool {
    let task = task(of: call.thread, process)
    guard task >= 0, tasks[task].isCancelled else { return false }
    tasks[task].knowsCancellation = true
    return true
  }

  /// Cancels a task, what is called then, and its children; once.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskStatus.cpp, swift_task_cancelImpl.
  mutating func cancel(
    _ task: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    if tasks[task].isCancelled { return }
    tasks[task].isCancelled = true
    process.kernel.acquires(.taskState, task, by: thread)
    process.kernel.releases(.taskState, task, by: thread)
    // Who asks is told so, and that is all.
    if tasks[task].state == .finished { return }
    tasks[task].cancelledAt = process.kernel.now
    process.kernel.record(
      .taskCancelled, thread: thread, object: tasks[task].name, other: tasks[task].number,
      subject: tasks[task].workKind)
    callWhenCancelled(task, &process)
    demand(
      tasks[task].cancelledAt >= tasks[task].submitted,
      "task \(task) is cancelled before it is made")
    if tasks[task].state == .suspended {
      switch tasks[task].wait {
      case .sleep:
        tasks[task].knowsCancellation = true
        let error = Int64(process.kernel.intern(Self.cancellationError).index)
        wake(task, error: error, by: thread, &dispatch, &process)
      case .stream:
        tasks[task].knowsCancellation = true
        terminate(tasks[task].waitObject, isCancelled: true, &process)
        endReaders(tasks[task].waitObject, by: thread, &dispatch, &process)
      case .io: cancelIO(of: task, by: thread, &dispatch, &process)
      case .task: noteWait(of: task, for: tasks[task].waitObject, process)
      case .executor, .group, .groupEnd, .yield, .continuation: break
      }
    }
    var child = tasks[task].firstChild
    while child >= 0 {
      let next = tasks[child].nextSibling
      cancel(child, by: thread, &dispatch, &process)
      child = next
    }
  }

  // MARK: Handlers

  /// What cancelling a task calls is to be called, the innermost first.
  private mutating func callWhenCancelled(_ task: Int32, _ process: inout Process) {
    var handler = tasks[task].handler
    while handler >= 0 {
      let stream = handlers[handler].stream
      if handlers[handler].event == .cancelled {
        tasks[task].knowsCancellation = true
        if stream >= 0 {
          endUnfolding(stream, isCancelled: true, &process)
        } else {
          pendingHandlers.append(process.activate(&handlers[handler].handler, parent: -1))
        }
      }
      handler = handlers[handler].outer
    }
  }

  /// What raising a task calls is to be called, the innermost first, with the old priority and the new one.
  ///
  /// Source: SE-0462.
  private mutating func callWhenRaised(
    _ task: Int32, from old: TaskPriority, _ process: inout Process
  ) {
    var handler = tasks[task].handler
    while handler >= 0 {
      if handlers[handler].event == .raised {
        let (before, now) = (
          process.kernel.intern(old.name).index,
          process.kernel.intern(tasks[task].current.name).index
        )
        let frame = process.activate(
          &handlers[handler].handler, parent: -1, argument: Int64(before))
        process.give(Int64(now), toParameter: 1, of: frame)
        pendingHandlers.append(frame)
      }
      handler = handlers[handler].outer
    }
  }

  /// The closure that cancelling the task calls from now on; at once when it is cancelled already.
  mutating func pushHandler(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    guard let handler = process.handler(0, call) else { fatalError("a handler is no closure") }
    let task = task(of: call.thread, process)
    let pushed = handlers.insert(
      TaskHandler(handler: handler, outer: tasks[task].handler))
    tasks[task].handler = pushed
    process.kernel.releases(.taskState, task, by: call.thread)
    if !tasks[task].isCancelled { return .next }
    tasks[task].knowsCancellation = true
    pendingHandlers.append(process.activate(&handlers[pushed].handler, parent: -1))
    return callHandlers(call.thread, &dispatch, &process)
  }

  /// The closure that raising the task calls from now on; source: SE-0462, withTaskPriorityEscalationHandler.
  mutating func pushEscalation(_ call: Call, _ process: inout Process) {
    guard let handler = process.handler(0, call) else { fatalError("a handler is no closure") }
    let task = task(of: call.thread, process)
    tasks[task].handler = handlers.insert(
      TaskHandler(event: .raised, handler: handler, outer: tasks[task].handler))
    process.kernel.releases(.taskState, task, by: call.thread)
  }

  /// The innermost handler is not called any more.
  mutating func popHandler(on thread: Int32, _ process: inout Process) {
    let task = task(of: thread, process)
    let handler = tasks[task].handler
    demand(handler >= 0, "task \(task) has no handler to take away")
    tasks[task].handler = handlers[handler].outer
    process.kernel.acquires(.taskState, task, by: thread)
    process.discard(handlers[handler].handler)
    handlers.remove(handler)
  }

  /// Lets a thread call the closures that are to be called, before it goes on with its call; the world
  /// outside has a thread of the pool do it.
  mutating func callHandlers(
    _ thread: Int32, isCall: Bool = true, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if pendingHandlers.isEmpty { return .next }
    if thread < 0 {
      let job = jobs.insert(JobRecord(kind: .handlers, object: -1, priority: .medium))
      enqueue(job, by: -1, &dispatch, &process)
      return .next
    }
    let frame = process.push(.taskHandlers, registers: 2, on: thread)
    process.frames.registers(frame)[0] = process.worldResult
    process.frames.registers(frame)[1] = isCall ? 1 : 0
    return .entered
  }

  /// A thread calls the next closure that is to be called.
  mutating func resumeHandlers(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult
  {
    guard !pendingHandlers.isEmpty else {
      let registers = process.frames.registers(frame)
      let (result, isCall) = (registers[0], registers[1] != 0)
      if isCall {
        process.leave(frame, thread, result: noResult)
      } else {
        process.takeOff(frame, thread)
      }
      // What a frame below is about to take is there still.
      process.worldResult = result
      return .goOn
    }
    let called = pendingHandlers.removeFirst()
    process.frames.setParent(called, frame)
    process.kernel.threads.at(thread).enter(called)
    return .goOn
  }

  // MARK: Priority

  /// A task gets more urgent; what stands in a queue stays where it is.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskStatus.cpp, swift_task_escalateImpl.
  mutating func raise(
    _ task: Int32, to priority: TaskPriority, by thread: Int32, _ process: inout Process
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
    while child >= 0 {
      raise(child, to: priority, by: thread, &process)
      child = tasks[child].nextSibling
    }
    if tasks[task].state == .suspended && tasks[task].wait == .task {
      raise(tasks[task].waitObject, to: priority, by: thread, &process)
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
