import SpindleModel

/// Groups of child tasks. Source: swift:stdlib/public/Concurrency/TaskGroup.cpp.
extension ConcurrencyRuntime {
  mutating func taskGroup(
    _ primitive: TaskGroupPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let group = TaskGroupRecord.Index(process.object(0, call))
    if primitive != .make { process.kernel.acquires(.taskGroup, group.raw, by: call.thread) }
    if task(of: call.thread, process).isNone { return process.crash(Self.needsTask, call) }
    if primitive != .make, groups[group].parent != task(of: call.thread, process) {
      return process.crash(
        "Fatal error: a task group is used outside of the task that made it", call)
    }
    switch primitive {
    case .make:
      let made = groups.add(
        TaskGroupRecord(
          parent: task(of: call.thread, process), isDiscarding: group.raw != 0,
          record: nextRecord(of: task(of: call.thread, process)),
          life: LifeKind(word: process.argument(1, call)),
          madeAt: Int32(truncatingIfNeeded: call.counter)))
      process.give(made.register, call)
    case .add: return add(call, &dispatch, &process)
    case .next: return next(group, call, &dispatch, &process)
    case .waitForAll: return waitForAll(group, call, &dispatch, &process)
    case .cancelAll:
      cancelAll(group, by: call.thread, &dispatch, &process)
      return doSteps(call.thread, &dispatch, &process)
    case .isCancelled: process.give(isCancelled(group: group), call)
    case .isEmpty:
      process.give(groups[group].pending == 0 && groups[group].firstResult.isNone, call)
    case .finish: return finish(group, call, &dispatch, &process)
    case .abandon:
      groups[group].error = noValue
      groups[group].hasThrown = true
      return finish(group, call, &dispatch, &process)
    case .dropResults:
      demand(groups[group].pending == 0, "group \(group) is over, and has tasks")
      while !groups[group].firstResult.isNone { dropResult(of: takeResult(of: group), &process) }
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: TaskGroupPrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    switch primitive {
    case .add: return process.kernel.costs.taskCreate.rawValue
    case .next:
      let record = groups[.init(process.object(0, call))]
      return record.firstResult.isNone && record.pending > 0
        ? process.kernel.costs.taskSwitch.rawValue : 0
    case .waitForAll, .finish, .abandon:
      return groups[.init(process.object(0, call))].pending > 0
        ? process.kernel.costs.taskSwitch.rawValue : 0
    case .make, .cancelAll, .isCancelled, .isEmpty, .dropResults: return 0
    }
  }

  private mutating func isCancelled(group: TaskGroupRecord.Index) -> Bool {
    groups[group].isCancelled || tasks[groups[group].parent].isCancelled
  }

  /// Adds a child, queued by the parent's present priority whatever it asks for.
  private mutating func add(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let given = TaskGroupAddArguments(call, process)
    let parent = groups[given.group].parent
    let isCancelled = isCancelled(group: given.group)
    if given.adding.contains(.unlessCancelled) && isCancelled {
      process.give(false, call)
      return .next
    }
    var fresh = TaskRecord(
      base: priority(given.priority, process.kernel) ?? tasks[parent].base,
      current: tasks[parent].current, name: given.name, workKind: given.workKind,
      number: process.kernel.nextItem(), madeAt: Int32(truncatingIfNeeded: call.counter),
      submitted: process.kernel.now, since: process.kernel.now,
      inner: process.activity(TaskGroupAddArguments.closure, call), executor: given.executor,
      preferred: given.preferred.isNone ? tasks[parent].preferred : given.preferred)
    (fresh.parent, fresh.group, fresh.isCancelled) = (parent, given.group, isCancelled)
    (fresh.state, fresh.isNamed) = (.suspended, given.adding.contains(.named))
    fresh.record = groups[given.group].record
    fresh.bindings = tasks[parent].bindings
    shareBindings(fresh.bindings)
    groups[given.group].pending += 1
    let task = add(fresh, call, &process)
    process.give(true, call)
    if given.adding.contains(.immediate), beginsHere(given.executor, call, process) {
      return begin(task, call, &process)
    }
    enqueue(task, on: given.executor, by: call.thread, &dispatch, &process)
    return process.checkMemory(call)
  }

  // MARK: Results

  private mutating func next(
    _ group: TaskGroupRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let record = groups[group]
    if !record.firstResult.isNone {
      let child = takeResult(of: group)
      giveBackMemory(call.thread, &process)
      if tasks[child].error != noValue { return process.raise(tasks[child].error) }
      process.give(outcome(of: child), call)
      return .next
    }
    demand(record.pending >= 0, "group \(group) has \(record.pending) tasks")
    if record.pending == 0 {
      process.give(noValue, call)
      return .next
    }
    return wait(for: group, .next, .group, call, &dispatch, &process)
  }

  private mutating func takeResult(of group: TaskGroupRecord.Index) -> TaskRecord.Index {
    let child = groups[group].firstResult
    demand(
      !child.isNone && tasks[child].group == group && tasks[child].state == .finished,
      "group \(group) gives the result of task \(child)")
    groups[group].firstResult = tasks[child].nextResult
    if groups[group].firstResult.isNone { groups[group].lastResult = .none }
    tasks[child].isAwaited = true
    return child
  }

  /// The memory of a child that is kept no longer.
  ///
  /// A child is kept until its result is taken, also where that is nothing; a discarding group keeps none. Source:
  /// swift:stdlib/public/Concurrency/TaskGroup.cpp, readyQueue; SE-0381. Measured with Swift 6.3.1 on Linux.
  private mutating func giveBackMemory(_ thread: ThreadID, _ process: inout Process) {
    process.kernel.changeHeap(by: -process.kernel.costs.task.rawValue, thread)
  }

  /// Whether a task that has ended is kept for whoever takes its result from its group.
  mutating func isKept(_ task: TaskRecord.Index) -> Bool {
    let group = tasks[task].group
    return !group.isNone && !groups[group].isDiscarding
  }

  /// What a child gave; of one that gives nothing a value that is not nil.
  private func outcome(of child: TaskRecord.Index) -> Int64 {
    tasks[child].result == noValue ? 0 : tasks[child].result
  }

  /// Nobody takes what a child gave.
  private mutating func dropResult(of child: TaskRecord.Index, _ process: inout Process) {
    demand(
      tasks[child].state == .finished, "what task \(child) gives is dropped before it has ended")
    if let life = groups[tasks[child].group].life { process.release(tasks[child].result, life) }
    tasks[child].result = noValue
  }

  /// The parent waits, and makes its children as urgent as it is.
  private mutating func wait(
    for group: TaskGroupRecord.Index, _ wait: TaskGroupRecord.Wait, _ reason: TaskWait,
    _ call: Call,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    demand(groups[group].wait == .none, "group \(group) is waited for twice")
    groups[group].wait = wait
    return suspend(call, reason, group.raw, &dispatch, &process)
  }

  private mutating func waitForAll(
    _ group: TaskGroupRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    while !groups[group].firstResult.isNone {
      let child = takeResult(of: group)
      giveBackMemory(call.thread, &process)
      if groups[group].error == noValue { groups[group].error = tasks[child].error }
      dropResult(of: child, &process)
    }
    if groups[group].pending > 0 {
      return wait(for: group, .all, .groupEnd, call, &dispatch, &process)
    }
    let error = groups[group].error
    groups[group].error = noValue
    return error == noValue ? .next : process.raise(error)
  }

  private mutating func finish(
    _ group: TaskGroupRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    var child = groups[group].firstResult
    while !child.isNone {
      giveBackMemory(call.thread, &process)
      child = tasks[child].nextResult
    }
    if groups[group].pending > 0 {
      return wait(for: group, .end, .groupEnd, call, &dispatch, &process)
    }
    let error = groups[group].isDiscarding ? groups[group].error : noValue
    groups[group].error = noValue
    groups[group].isOver = true
    return error == noValue ? .next : process.raise(error)
  }

  private mutating func cancelAll(
    _ group: TaskGroupRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    groups[group].isCancelled = true
    demand(
      tasks[groups[group].parent].state != .finished,
      "task \(groups[group].parent) of group \(group) has ended")
    let (parent, record, mark) = (groups[group].parent, groups[group].record, lastStep)
    cancelChildren(of: parent, record..<record + 1, from: mark, by: thread, &dispatch, &process)
    lockAround(parent, from: mark)
  }

  /// A child has ended: its parent goes on if it waits for it, else it is kept for later.
  mutating func offer(
    _ child: TaskRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let group = tasks[child].group
    let record = groups.at(group)
    record.pointee.pending -= 1
    demand(record.pointee.pending >= 0, "group \(group) has \(record.pointee.pending) tasks")
    let error = tasks[child].error
    if record.pointee.isDiscarding {
      if error != noValue && record.pointee.error == noValue && !record.pointee.isCancelled {
        record.pointee.error = error
        cancelAll(group, by: thread, &dispatch, &process)
      }
    } else if record.pointee.wait == .next {
      record.pointee.wait = .none
      tasks[child].isAwaited = true
      giveBackMemory(thread, &process)
      wake(
        record.pointee.parent, outcome(of: child), error: error, by: thread, &dispatch, &process)
      return
    } else if record.pointee.wait == .all {
      if record.pointee.error == noValue { record.pointee.error = error }
      tasks[child].isAwaited = true
      giveBackMemory(thread, &process)
      dropResult(of: child, &process)
    } else {
      if record.pointee.wait == .end { giveBackMemory(thread, &process) }
      append(child, to: record)
    }
    if record.pointee.pending > 0 { return }
    switch record.pointee.wait {
    case .none, .next: return
    case .all, .end:
      if record.pointee.wait == .end { record.pointee.isOver = true }
      let throwsError = record.pointee.wait == .all || record.pointee.isDiscarding
      let thrown = throwsError ? record.pointee.error : noValue
      (record.pointee.wait, record.pointee.error) = (.none, noValue)
      wake(record.pointee.parent, error: thrown, by: thread, &dispatch, &process)
    }
  }

  private mutating func append(
    _ child: TaskRecord.Index, to group: UnsafeMutablePointer<TaskGroupRecord>
  ) {
    if group.pointee.lastResult.isNone {
      group.pointee.firstResult = child
    } else {
      tasks[group.pointee.lastResult].nextResult = child
    }
    group.pointee.lastResult = child
  }
}
