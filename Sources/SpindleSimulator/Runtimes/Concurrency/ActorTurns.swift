import SpindleModel

/// A task comes to an actor, and leaves it: what is told of both.
extension ConcurrencyRuntime {
  /// The code of a task is on its actor from now on, for which it has waited since `since`.
  mutating func enter(
    _ task: TaskRecord.Index, since: Int64, on thread: ThreadID, _ process: inout Process
  ) {
    let record = tasks.at(task)
    let actor = record.pointee.executor.actor
    demand(!actor.isNone, "task \(task) comes to an actor, and runs in the pool")
    demand(record.pointee.enteredAt < 0, "task \(task) comes to actor \(actor) and is on one")
    record.pointee.enteredAt = process.kernel.now
    process.taskTurns &+= 1
    beginOrder(of: task, at: actor, on: thread, &process)
    process.kernel.record(
      .actorEntered, thread: thread, detail: record.pointee.current.rawValue,
      object: actors[actor].name, other: record.pointee.number, subject: record.pointee.workKind,
      value: process.kernel.now - since)
    noteOrder(of: task, at: actor, thread, &process)
  }

  /// The code of a task leaves its actor.
  mutating func leave(_ task: TaskRecord.Index, on thread: ThreadID, _ process: inout Process) {
    let record = tasks.at(task)
    if record.pointee.enteredAt < 0 { return }
    let actor = record.pointee.executor.actor
    demand(!actor.isNone, "task \(task) leaves an actor, and runs in the pool")
    let held = process.kernel.now - record.pointee.enteredAt
    record.pointee.enteredAt = -1
    endOrder(of: task, at: actor, on: thread, &process)
    process.kernel.record(
      .actorLeft, thread: thread, object: actors[actor].name, other: record.pointee.number,
      subject: record.pointee.workKind, value: held)
  }

  // MARK: Findings

  /// How far apart tasks must be made for their order to mean something: an assumption.
  private static let event: Int64 = 1_000_000

  /// A task is on an actor for the first time: tells when one from the same place has overtaken another.
  private mutating func noteOrder(
    of task: TaskRecord.Index, at actor: ActorRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) {
    let record = tasks[task]
    if !record.parent.isNone || record.isMain { return }
    if ExecutorID(actor) == .mainActor {
      if record.hasBeenOnMain { return }
      tasks[task].hasBeenOnMain = true
    } else {
      if record.hasBeenOnActor { return }
      tasks[task].hasBeenOnActor = true
    }
    let last = actors[actor].lastTask
    actors[actor].lastTask = task
    if last.isNone || tasks[last].madeAt != record.madeAt { return }
    demand(last != task, "task \(task) is on actor \(actor) for the first time again")
    guard
      tasks[last].submitted - record.submitted >= Self.event
        || last.raw > task.raw && tasks[last].maker.isLater(than: record.maker),
      !process.kernel.hasTold(.orderNotKept, at: record.madeAt)
    else { return }
    process.kernel.report(
      .orderNotKept, thread: thread, places: [record.madeAt, record.place],
      FindingText.orderNotKept(
        name(task, process), after: name(last, process),
        actor: name(ofActor: actor, process.kernel)))
  }

  /// A job waits for an actor that a less urgent task has, where it is one of a task.
  mutating func noteBlocker(
    of job: JobRecord.Index, at actor: ActorRecord.Index, _ process: borrowing Process
  ) {
    guard jobs[job].kind == .task else { return }
    let (holder, waiting) = (actors[actor].task, TaskRecord.Index(jobs[job].object))
    demand(waiting != holder, "task \(waiting) waits for actor \(actor), which it has")
    guard !holder.isNone, tasks[holder].current < tasks[waiting].current else { return }
    (jobs[job].blocker, jobs[job].blockedSince) = (holder, process.kernel.now)
  }

  /// A task has become more urgent: where it stands in line for an actor, it waits from now on as an urgent one.
  mutating func noteBlocker(ofRaised task: TaskRecord.Index, _ process: borrowing Process) {
    let executor = tasks[task].executor
    demand(tasks[task].state != .finished, "task \(task) has ended and is raised")
    guard tasks[task].state == .queued, isDefault(executor) else { return }
    let actor = executor.actor
    if actors[actor].task.isNone { return }
    for priority in TaskPriority.allCases {
      var job = inboxes[actors[actor].inbox(of: priority)].first
      while !job.isNone {
        if jobs[job].object == task.raw && jobs[job].blocker.isNone {
          noteBlocker(of: job, at: actor, process)
        }
        job = jobs[job].next
      }
    }
  }

  /// A job has waited for an actor long enough that it is told.
  mutating func noteInversion(
    _ job: JobRecord.Index, at actor: ActorRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) {
    let record = jobs[job]
    if record.blocker.isNone { return }
    let waited = process.kernel.now - record.blockedSince
    demand(waited >= 0, "task \(record.object) has waited \(waited) for actor \(actor)")
    let waiting = TaskRecord.Index(record.object)
    let (task, blocker) = (tasks[waiting], tasks[record.blocker])
    guard waited >= Self.longDelay,
      !process.kernel.hasTold(.priorityInversionOnActor, at: task.place)
    else { return }
    process.kernel.report(
      .priorityInversionOnActor, thread: thread, places: [task.place, blocker.madeAt],
      FindingText.priorityInversionOnActor(
        name(waiting, process), task.current.name, waited: Nanoseconds(waited),
        actor: name(ofActor: actor, process.kernel),
        holder: name(record.blocker, process), blocker.base.name))
  }

  /// What an actor is called in findings.
  func name(ofActor actor: ActorRecord.Index, _ kernel: borrowing Kernel)
    -> FindingStatement
  {
    checkIndex(Int(actor.raw), of: actors.count)
    return ExecutorID(actor) == .mainActor
      ? "the main actor" : "\(kernel.text(actors[actor].name), .actor)"
  }
}
