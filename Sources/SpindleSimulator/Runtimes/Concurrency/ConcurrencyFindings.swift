import SpindleModel

/// What is reported of tasks.
extension ConcurrencyRuntime {
  /// How many tasks may be alive before it is said that there are many, and how many may stand in line
  /// for the main actor: assumptions, far above what either is meant for.
  static let manyTasks: Int32 = 1_000
  static let manyOnMain: Int32 = 100
  /// For how long a scope may wait for a cancelled child before that is told: three frames, an assumption.
  static let longDelay: Int64 = 50_000_000

  /// A new task is alive.
  mutating func noteAlive(_ task: TaskRecord.Index, _ call: Call, _ process: inout Process) {
    demand(
      alive >= 0 && alive < tasks.count,
      "\(alive) of \(tasks.count) tasks were alive before the last")
    alive += 1
    guard alive == Self.manyTasks, !process.kernel.hasTold(.unboundedTaskCreation) else { return }
    process.kernel.report(
      .unboundedTaskCreation, thread: call.thread, places: [tasks[task].madeAt],
      FindingText.unboundedTasks(count: Int(alive)))
  }

  /// A task stands in line for the main actor.
  mutating func noteMainJob(_ task: TaskRecord.Index, by thread: ThreadID, _ process: inout Process)
  {
    demand(mainJobs >= 0, "\(mainJobs) tasks stand in line for the main actor")
    mainJobs += 1
    guard mainJobs == Self.manyOnMain, !process.kernel.hasTold(.mainActorFlood) else { return }
    process.kernel.report(
      .mainActorFlood, thread: thread, places: [tasks[task].madeAt],
      FindingText.mainActorFlood(count: Int(mainJobs)))
  }

  /// The thread of a task has begun to wait in a call, and where it is one of the pool, the pool has a thread fewer.
  mutating func noteBlocking(
    _ call: Call, _ object: String, _ dispatch: borrowing DispatchRuntime,
    _ process: inout Process
  ) {
    let task = task(of: call.thread, process)
    if task.isNone || !isOfPool(call.thread, dispatch, process) { return }
    let record = process.kernel.threads[call.thread]
    guard record.state == .waiting, record.reason != .lock, record.reason != .taskStatus
    else { return }
    let place = Int32(truncatingIfNeeded: call.counter)
    if process.kernel.hasTold(.blockingInTask, at: place) { return }
    let wait = FindingText.waitsInTask(record.reason, object)
    process.kernel.report(
      .blockingInTask, thread: call.thread, places: [place],
      FindingText.blockingInTask(name(task, process), wait))
  }

  /// Whether a thread is one of those that tasks run on which have no executor of their own.
  ///
  /// The queue of an actor or of a preferred executor has threads of its own, unless it is a global one on Linux,
  /// whose threads the pool has too. A task that began at once runs where its maker does. Source: SE-0392, SE-0417;
  /// swift:stdlib/public/Concurrency/DispatchGlobalExecutor.cpp, getGlobalQueue.
  private func isOfPool(
    _ thread: ThreadID, _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> Bool {
    if thread == process.mainThread { return false }
    if rules.isPerPriority {
      let executor = process.kernel.threads[thread].executor
      return TaskPriority.allCases.contains { Self.root($0, rules, dispatch).raw == executor }
    }
    return runsJobOfPool(thread, dispatch, process)
  }

  /// Whether a thread has a job in hand that the pool counts.
  private func runsJobOfPool(
    _ thread: ThreadID, _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> Bool {
    guard let item = dispatch.presentItem(thread, process), item.kind == .job else { return false }
    return jobs[.init(item.object)].priority != nil
  }

  /// A task as it was called when another one waited for it; its number may be another one's later.
  struct Awaited {
    let name: String
    let madeAt: Int32
  }

  /// A cancelled task waits for the end of another one: that is told where it is the child of nobody, so that it
  /// goes on.
  mutating func noteWait(
    of task: TaskRecord.Index, for other: TaskRecord.Index, _ process: borrowing Process
  ) {
    demand(tasks[task].isCancelled, "task \(task) is not cancelled and waits in vain")
    if !tasks[other].parent.isNone || tasks[other].isCancelled || tasks[task].knowsCancellation {
      return
    }
    awaitedInVain[task] = Awaited(name: name(other, process), madeAt: tasks[other].madeAt)
  }

  /// A cancelled child has ended that never asked.
  mutating func noteIgnorance(
    _ task: TaskRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let awaited = awaitedInVain.isEmpty ? nil : awaitedInVain.removeValue(forKey: task)
    let record = tasks[task]
    let delay = process.kernel.now - record.cancelledAt
    demand(delay >= 0, "task \(task) is cancelled in \(-delay) ns")
    guard record.isCancelled, !record.knowsCancellation, !record.parent.isNone,
      record.cancelledAt > record.submitted, delay >= Self.longDelay
    else { return }
    process.kernel.report(
      .cancellationIgnored, thread: thread, places: [record.madeAt, awaited?.madeAt ?? -1],
      FindingText.cancellationIgnored(
        name(task, process), awaits: awaited?.name, delay: Nanoseconds(delay)))
  }

  /// A continuation was resumed again: the process crashes where that is checked, by an error here, and with a value
  /// by the code behind the call, which has its text.
  mutating func resumedTwice(
    _ index: ContinuationRecord.Index, error: Int64, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let record = continuations[index]
    process.kernel.report(
      .continuationResumedTwice, thread: call.thread,
      places: [Int32(truncatingIfNeeded: call.counter), record.resumedAt, record.madeAt],
      FindingText.continuationResumedTwice(
        name(record.task, process), first: Instant(record.resumed)))
    if error != noValue, record.isChecked {
      let text = process.kernel.text(error)
      return crashResumedTwice(index, "throwing \(text)", call, &process)
    }
    process.give(error == noValue && record.isChecked, call)
    return .next
  }

  /// The process ends as that of the real library does.
  ///
  /// Source: swift:stdlib/public/Concurrency/CheckedContinuation.swift; run with Swift 6.3.1.
  func crashResumedTwice(
    _ index: ContinuationRecord.Index, _ what: String, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let function = process.kernel.text(continuations[index].function)
    return process.crash(
      "Fatal error: SWIFT TASK CONTINUATION MISUSE: \(function) tried to resume its continuation "
        + "more than once, \(what)!", call)
  }

  /// What a task has to do with a continuation that is never resumed: what cancelled it in vain, and who waits for it.
  private func reportNeverResumed(
    _ index: ContinuationRecord.Index, _ enders: TaskWaitEnders?, _ process: inout Process
  ) {
    let record = continuations[index]
    let waiting = tasks[record.task]
    var waiters: [String] = []
    var waiter = waiting.waiters
    while !waiter.isNone {
      waiters.append(name(waiter, process))
      waiter = tasks[waiter].nextWaiter
    }
    var group: String?
    if !waiting.group.isNone, groups[waiting.group].wait != .none {
      group = name(groups[waiting.group].parent, process)
    }
    process.kernel.report(
      .continuationNeverResumed, thread: .none, places: [record.madeAt] + (enders?.places ?? []),
      FindingText.continuationNeverResumed(
        name(record.task, process), enders?.words,
        cancelled: waiting.isCancelled && waiting.cancelledAt > 0
          ? Instant(waiting.cancelledAt) : nil, hears: !waiting.handler.isNone,
        awaitedBy: waiters.reversed(), group: group))
  }

  /// Who would end a task's wait, and the places of these.
  struct TaskWaitEnders {
    let words: FindingText.Enders
    let places: [Int32]
  }

  // MARK: Deadlocks

  /// The task for which a job of the main actor is, when it began elsewhere and only awaits code of it; nil for any
  /// other job.
  func visitor(ofMain job: JobRecord.Index) -> TaskRecord.Index? {
    let record = jobs[job]
    guard record.kind == .task, record.isOnMain else { return nil }
    let visitor = TaskRecord.Index(record.object)
    let task = tasks[visitor]
    return task.hasBegun && !task.beganOnMain && !task.isMain ? visitor : nil
  }

  /// The task of a number, when it waits; nil when it does not.
  func suspended(number: Int32) -> TaskRecord.Index? {
    tasks.indices.first {
      tasks[$0].number == number && tasks[$0].thread.isNone && tasks[$0].state != .finished
    }
  }

  /// Whether a task waits for a continuation, and nobody is about to resume it.
  func isNeverResumed(_ index: ContinuationRecord.Index) -> Bool {
    let record = continuations[index]
    // Somebody resumes it, and waits for the task's status lock.
    if !tasks[record.task].statusLock.isNone { return false }
    return record.isAwaited && !record.isResumed && !record.isLost
  }

  // MARK: The end

  /// The async main has returned: says which tasks were not done.
  func reportAtExit(_ thread: ThreadID, _ process: inout Process) {
    for task in tasks.indices {
      let record = tasks[task]
      if record.isMain || record.state == .finished { continue }
      guard process.kernel.tells(.taskOutlivesScope) else { continue }
      let state: FindingStatement
      switch record.state {
      case .queued: state = record.hasBegun ? "is ready" : "has not begun"
      case .running: state = "is at work"
      case .suspended where record.wait == .task:
        state = FindingText.waitsForTask(name(.init(record.waitObject), process))
      case .suspended, .finished: state = "waits \(words: "\(record.wait.words)")"
      }
      process.kernel.report(
        .taskOutlivesScope, thread: thread, places: [record.madeAt, record.place],
        FindingText.taskOutlivesScope(name(task, process), state: state))
    }
  }

  /// Nothing can happen any more: says which tasks wait for ever; true when main does, or tasks wait for
  /// each other.
  ///
  /// With the code that would resume each continuation.
  mutating func reportWaits(
    _ enders: [ContinuationRecord.Index: TaskWaitEnders], _ process: inout Process
  ) -> Bool {
    if tasks.count == 0 { return false }
    var isStuck = reportCycles(&process)
    for index in continuations.indices where isNeverResumed(index) {
      reportNeverResumed(index, enders[index], &process)
    }
    for task in tasks.indices where tasks[task].isMain {
      if tasks[task].state == .suspended { isStuck = true }
    }
    return isStuck
  }

  /// Says what the end of a run shows of errors: those that are lost.
  mutating func reportAtEnd(_ process: inout Process) {
    if tasks.count == 0 { return }
    for task in tasks.indices {
      let record = tasks[task]
      guard record.state == .finished, record.error != noValue, !record.isAwaited,
        record.parent.isNone || isLost(errorOf: record), !record.isMain,
        process.kernel.text(record.error) != Self.cancellationError
      else { continue }
      process.kernel.report(
        .errorNobodyAwaits, thread: .none, places: [record.place, record.madeAt],
        FindingText.errorNobodyAwaits(
          name(task, process), error: process.kernel.text(record.error)))
    }
  }

  /// Whether the error of a child is lost: its group has ended in good order and never gave it.
  ///
  /// Where the body of a group throws, or `waitForAll()`, or a child of a discarding group, one error stands for all;
  /// and one who was cancelled may throw for that reason alone. Source:
  /// swift:stdlib/public/Concurrency/TaskGroup.swift, awaitAllRemainingTasks.
  private func isLost(errorOf child: TaskRecord) -> Bool {
    if child.group.isNone || child.isCancelled { return false }
    let group = groups[child.group]
    demand(!group.isOver || group.pending == 0, "group \(child.group) is over, and has tasks")
    return group.isOver && !group.isDiscarding && !group.hasThrown
  }

  /// The tasks that keep the threads of the pool which others of a priority are ready for, by number; empty
  /// where none is, or one of these threads does not wait.
  func tasksThatStarve(
    _ priority: TaskPriority, _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> [TaskRecord.Index] {
    let queue = queues[Int32(priority.rawValue)]
    if queue.count == 0 { return [] }
    let root = Self.root(priority, rules, dispatch)
    let found = tasks.indices.filter { task in
      let record = tasks[task]
      guard record.state == .running, self.task(of: record.thread, process) == task,
        runsJobOfPool(record.thread, dispatch, process)
      else { return false }
      let thread = process.kernel.threads[record.thread]
      return thread.state == .waiting && (!rules.isPerPriority || thread.executor == root.raw)
    }
    return found.count < (rules.isPerPriority ? queue.running : running) ? [] : found
  }

  /// Reports that tasks of a priority are ready while the threads of the pool wait, for what the sentences
  /// say.
  func reportStarvation(
    of priority: TaskPriority, by blocked: [TaskRecord.Index], _ sentences: [FindingStatement],
    _ process: inout Process
  ) {
    demand(blocked.count == sentences.count, "it is not said for what each of the tasks waits")
    process.kernel.report(
      .poolStarved, thread: .none,
      places: blocked.map { process.kernel.threads[tasks[$0].thread].place },
      FindingText.poolStarved(
        waiting: Int(queues[Int32(priority.rawValue)].count), priority.name, sentences))
  }
}
