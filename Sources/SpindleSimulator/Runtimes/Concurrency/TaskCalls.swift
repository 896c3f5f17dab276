import SpindleModel

/// What the language's members of tasks do and cost.
extension ConcurrencyRuntime {
  mutating func task(
    _ primitive: TaskPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if Self.needsTask(primitive), task(of: call.thread, process).isNone {
      return process.crash(Self.needsTask, call)
    }
    switch primitive {
    case .make: return make(call, &dispatch, &process)
    case .value: return value(call, &dispatch, &process)
    case .result: return result(call, &dispatch, &process)
    case .get:
      let ended = tasks[.init(process.object(0, call))]
      demand(ended.state == .finished, "what a task gave is taken while it is \(ended.state)")
      if ended.error != noValue { return process.raise(ended.error) }
      process.give(ended.result, call)
    case .isSuccess: process.give(tasks[.init(process.object(0, call))].error == noValue, call)
    case .failure: process.give(tasks[.init(process.object(0, call))].error, call)
    case .cancel:
      cancel(.init(process.object(0, call)), by: call.thread, &dispatch, &process)
      return doSteps(call.thread, &dispatch, &process)
    case .isCancelled:
      process.kernel.acquires(.taskState, process.object(0, call), by: call.thread)
      process.give(tasks[.init(process.object(0, call))].isCancelled, call)
    case .escalate:
      if let priority = priority(process.argument(1, call), process.kernel) {
        raise(.init(process.object(0, call)), to: priority, by: call.thread, &process)
        return doSteps(call.thread, &dispatch, &process)
      }
    case .ownIsCancelled:
      process.kernel.acquires(.taskState, task(of: call.thread, process).raw, by: call.thread)
      process.give(isCancelled(call, process), call)
    case .checkCancellation:
      process.kernel.acquires(.taskState, task(of: call.thread, process).raw, by: call.thread)
      if isCancelled(call, process) { return process.throwCancellation() }
    case .yield: return yield(call, &dispatch, &process)
    case .sleep, .sleepUntil: return sleep(primitive, call, &dispatch, &process)
    case .io, .ioThrowing: return io(primitive, call, &dispatch, &process)
    case .currentPriority: givePriority(call, &process) { $0.current }
    case .basePriority: givePriority(call, &process) { $0.base }
    case .ownName: process.give(givenName(of: task(of: call.thread, process)), call)
    case .current:
      let task = task(of: call.thread, process)
      process.give(task.isNone ? noValue : task.register, call)
    case .hop: return hop(call, to: .init(register: process.argument(0, call)), &dispatch, &process)
    case .ownExecutor: process.give(executor(of: call, process).register, call)
    case .checkIsolation: return checkIsolation(call, &dispatch, &process)
    case .makeActor: makeActor(call, &process)
    case .useQueue: useQueue(call, process)
    case .prefer: return prefer(call, &dispatch, &process)
    case .endLet: return endLet(call, &dispatch, &process)
    case .pushHandler: return pushHandler(call, &dispatch, &process)
    case .pushEscalation: pushEscalation(call, &process)
    case .popHandler: popHandler(on: call.thread, &process)
    case .local: readLocal(call, &process)
    case .bindLocal: bindLocal(call, &process)
    case .unbindLocal: unbindLocal(call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: TaskPrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    let costs = process.kernel.costs
    switch primitive {
    case .make: return costs.taskCreate.rawValue
    case .value, .result:
      return tasks[.init(process.object(0, call))].state == .finished
        ? 0 : costs.taskSwitch.rawValue
    case .yield, .sleep, .sleepUntil, .io, .ioThrowing: return costs.taskSwitch.rawValue
    case .hop:
      let target = ExecutorID(register: process.argument(0, call))
      let task = task(of: call.thread, process)
      if task.isNone || tasks[task].executor == target { return 0 }
      return isAtHand(target, task) ? costs.taskHop.rawValue : costs.taskSwitch.rawValue
    case .get, .isSuccess, .failure, .cancel, .isCancelled, .escalate, .ownIsCancelled,
      .checkCancellation, .currentPriority, .basePriority, .ownName, .current, .ownExecutor,
      .checkIsolation, .makeActor, .useQueue, .prefer, .endLet,
      .pushHandler, .pushEscalation, .popHandler, .local, .bindLocal, .unbindLocal:
      return 0
    }
  }

  /// Whether a call is one of a task only.
  private static func needsTask(_ primitive: TaskPrimitive) -> Bool {
    switch primitive {
    case .value, .result, .yield, .sleep, .sleepUntil, .io, .ioThrowing, .prefer, .endLet,
      .pushHandler, .pushEscalation, .popHandler:
      true
    case .make, .get, .isSuccess, .failure, .cancel, .isCancelled, .escalate, .ownIsCancelled,
      .checkCancellation,
      .currentPriority, .basePriority, .ownName, .current, .hop, .ownExecutor, .checkIsolation,
      .makeActor,
      .useQueue, .local, .bindLocal, .unbindLocal:
      false
    }
  }

  /// The name that a task was given; nothing for none, and where no task runs.
  private func givenName(of task: TaskRecord.Index) -> Int64 {
    !task.isNone && tasks[task].isNamed && tasks[task].name >= 0
      ? Int64(tasks[task].name) : noValue
  }

  // MARK: Making

  private mutating func make(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let given = TaskMakeArguments(call, process)
    let creator = task(of: call.thread, process)
    checkIndex(Int(given.executor.raw) + 1, of: actors.count + 1)
    let asked = priority(given.priority, process.kernel)
    let start = given.making.start
    let isChild = start == .asyncLet
    let inherits = start != .detached && !creator.isNone
    let base =
      asked ?? (inherits ? tasks[creator].base : standardPriority(start, on: call.thread, process))
    var fresh = TaskRecord(
      base: base, current: isChild && !creator.isNone ? tasks[creator].current : base,
      name: given.name, workKind: given.workKind, number: process.kernel.nextItem(),
      madeAt: Int32(truncatingIfNeeded: call.counter), submitted: process.kernel.now,
      since: process.kernel.now, inner: process.activity(TaskMakeArguments.closure, call),
      executor: given.executor, preferred: given.preferred)
    (fresh.life, fresh.isNamed) = (given.life, given.making.isNamed)
    if start != .detached {
      fresh.bindings = bindings(on: call.thread, process)
      shareBindings(fresh.bindings)
    }
    if !isChild { fresh.maker = maker(of: call, &dispatch, process) }
    if isChild, !creator.isNone {
      fresh.preferred = tasks[creator].preferred
      (fresh.parent, fresh.isAwaited) = (creator, true)
      fresh.record = nextRecord(of: creator)
      fresh.isCancelled = tasks[creator].isCancelled
    }
    let task = add(fresh, call, &process)
    if start == .immediate, beginsHere(given.executor, call, process) {
      process.give(task.register, call)
      return begin(task, call, &process)
    }
    tasks[task].state = .suspended
    enqueue(task, on: given.executor, by: call.thread, &dispatch, &process)
    process.give(task.register, call)
    return process.checkMemory(call)
  }

  /// Whether a task that begins at once can do so where a call is made.
  ///
  /// Source: SE-0472: one that belongs to another actor is queued as others are.
  mutating func beginsHere(
    _ executor: ExecutorID, _ call: Call, _ process: borrowing Process
  ) -> Bool {
    !call.thread.isNone
      && (executor == .pool || executor == self.executor(of: call, process))
  }

  /// Begins a new task in the midst of the call that makes it, up to where it first waits.
  mutating func begin(_ task: TaskRecord.Index, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    tasks[task].isImmediate = true
    tasks[task].state = .queued
    resumeTask(task, on: call.thread, &process)
    return .entered
  }

  /// Takes in a new task: it is an item of work from now on.
  mutating func add(_ fresh: TaskRecord, _ call: Call, _ process: inout Process)
    -> TaskRecord.Index
  {
    demand(
      fresh.base <= fresh.current || !fresh.parent.isNone, "a task is made below its own priority")
    let task = tasks.add(fresh)
    tasks[task].origin = origin(of: call, process)
    if !fresh.parent.isNone { link(task, to: fresh.parent) }
    process.kernel.record(
      .itemSubmitted, thread: call.thread, object: fresh.name, subject: fresh.workKind,
      place: fresh.madeAt, value: Submission.value(item: fresh.number))
    process.kernel.changeHeap(by: process.kernel.costs.task.rawValue, call.thread)
    noteAlive(task, call, &process)
    return task
  }

  /// The executor on which a call is made: the main actor for all other code of the main thread.
  mutating func executor(of call: Call, _ process: borrowing Process) -> ExecutorID {
    executor(on: call.thread, process)
  }

  /// The executor on which the code of a thread is.
  mutating func executor(on thread: ThreadID, _ process: borrowing Process) -> ExecutorID {
    let task = task(of: thread, process)
    if !isolatedEnds.isEmpty, let executor = executor(ofDeinitOn: thread, task) { return executor }
    if !task.isNone { return tasks[task].executor }
    return thread == process.mainThread ? .mainActor : .pool
  }

  /// The priority of what the code of a thread hands over.
  mutating func priority(on thread: ThreadID, _ process: borrowing Process) -> TaskPriority {
    let task = task(of: thread, process)
    return !task.isNone ? tasks[task].current : standardPriority(.plain, on: thread, process)
  }

  /// The priority of a task that is made outside of one, or detached.
  ///
  /// Source: swift:stdlib/public/Concurrency/Actor.cpp, swift_task_getCurrentThreadPriority.
  private func standardPriority(
    _ start: TaskStart, on thread: ThreadID, _ process: borrowing Process
  ) -> TaskPriority {
    if start == .detached || thread.isNone { return .medium }
    switch process.kernel.machine.platform {
    case .linux: return thread == process.mainThread ? .high : .medium
    case .ideal: return .medium
    case .iOS, .macOS:
      let quality = process.kernel.threads[thread].quality
      if quality < 0 { return thread == process.mainThread ? .high : .medium }
      return TaskPriority(name: process.kernel.text(quality)) ?? .medium
    }
  }

  /// The priority that a register has the name of; nil for none.
  func priority(_ name: Int64, _ kernel: borrowing Kernel) -> TaskPriority? {
    name == noValue ? nil : TaskPriority(name: kernel.text(name))
  }

  private func givePriority(
    _ call: Call, _ process: inout Process, _ which: (TaskRecord) -> TaskPriority
  ) {
    let task = task(of: call.thread, process)
    let priority =
      task.isNone ? standardPriority(.plain, on: call.thread, process) : which(tasks[task])
    process.give(Int64(process.kernel.intern(priority.name).index), call)
  }

  // MARK: Waiting for the end

  /// The value of a task: at once when it has ended, else when it does.
  private mutating func value(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let awaited = TaskRecord.Index(process.object(0, call))
    tasks[awaited].isAwaited = true
    if tasks[awaited].state == .finished {
      process.kernel.acquires(.task, awaited.raw, by: call.thread)
      if tasks[awaited].error != noValue { return process.raise(tasks[awaited].error) }
      process.give(tasks[awaited].result, call)
      return .next
    }
    return wait(for: awaited, call, wantsOutcome: true, &dispatch, &process)
  }

  /// A task, when it has ended.
  private mutating func result(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let awaited = TaskRecord.Index(process.object(0, call))
    tasks[awaited].isAwaited = true
    if tasks[awaited].state == .finished { return .next }
    return wait(for: awaited, call, wantsOutcome: false, &dispatch, &process)
  }

  /// Suspends until a task has ended.
  private mutating func wait(
    for awaited: TaskRecord.Index, _ call: Call, wantsOutcome: Bool,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    demand(
      tasks[awaited].state != .finished, "task \(task) waits for task \(awaited), which has ended")
    let result = suspend(call, .task, awaited.raw, &dispatch, &process)
    tasks[task].wantsOutcome = wantsOutcome
    tasks[task].nextWaiter = tasks[awaited].waiters
    tasks[awaited].waiters = task
    raise(awaited, to: tasks[task].current, by: call.thread, &process)
    // What that calls, the thread calls before it takes up something else.
    doSteps(call.thread, &dispatch, &process)
    return result
  }

  /// An `async let` whose scope ends is cancelled and waited for.
  private mutating func endLet(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let child = TaskRecord.Index(process.object(0, call))
    if tasks[child].state == .finished {
      process.kernel.acquires(.task, child.raw, by: call.thread)
      return .next
    }
    demand(
      tasks[child].parent == task(of: call.thread, process),
      "task \(child) is an 'async let' of task \(tasks[child].parent), and ends with another")
    cancel(child, by: call.thread, &dispatch, &process)
    guard firstStep.isNone else {
      // The handlers come first; then the call is made again.
      process.frames.setCounter(call.frame, Int32(truncatingIfNeeded: call.counter) - 1)
      return doSteps(call.thread, &dispatch, &process)
    }
    return wait(for: child, call, wantsOutcome: false, &dispatch, &process)
  }

  /// A task has ended: those who wait for it go on, the last one first.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.cpp, completeFuture.
  mutating func complete(
    _ task: TaskRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(tasks[task].state == .finished, "task \(task) is complete and \(tasks[task].state)")
    if !tasks[task].parent.isNone { unlink(task) }
    var waiter = tasks[task].waiters
    tasks[task].waiters = .none
    while !waiter.isNone {
      let next = tasks[waiter].nextWaiter
      tasks[waiter].nextWaiter = .none
      if tasks[waiter].wantsOutcome {
        wake(
          waiter, tasks[task].result, error: tasks[task].error, by: thread, &dispatch, &process)
      } else {
        wake(waiter, by: thread, &dispatch, &process)
      }
      tasks[waiter].wantsOutcome = true
      waiter = next
    }
    if !tasks[task].group.isNone { offer(task, by: thread, &dispatch, &process) }
    if process.objectHolds.isAbandoned(ObjectKey(handle: .task, object: task.register)) {
      letGoOfResult(of: task, &process)
    }
  }

  /// Nothing of the trace holds a task any more: when it has ended, what it gave is let go of.
  mutating func letGoOfResult(of task: TaskRecord.Index, _ process: inout Process) {
    let record = tasks.at(task)
    guard record.pointee.state == .finished, let life = record.pointee.life else { return }
    demand(record.pointee.waiters.isNone, "task \(task) is waited for, and nothing holds it")
    process.release(record.pointee.result, life)
    record.pointee.result = noValue
  }

  // MARK: Children

  private mutating func link(_ child: TaskRecord.Index, to parent: TaskRecord.Index) {
    demand(tasks[parent].state != .finished, "task \(parent) has ended and gets child \(child)")
    let last = tasks[parent].lastChild
    tasks[child].previousSibling = last
    if last.isNone {
      tasks[parent].firstChild = child
    } else {
      tasks[last].nextSibling = child
    }
    tasks[parent].lastChild = child
  }

  private mutating func unlink(_ child: TaskRecord.Index) {
    let record = tasks[child]
    demand(
      !record.previousSibling.isNone || tasks[record.parent].firstChild == child,
      "task \(child) is no child of task \(record.parent)")
    if record.previousSibling.isNone {
      tasks[record.parent].firstChild = record.nextSibling
    } else {
      tasks[record.previousSibling].nextSibling = record.nextSibling
    }
    if record.nextSibling.isNone {
      tasks[record.parent].lastChild = record.previousSibling
    } else {
      tasks[record.nextSibling].previousSibling = record.previousSibling
    }
  }
}
