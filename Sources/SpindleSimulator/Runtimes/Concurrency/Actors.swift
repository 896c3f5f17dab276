import SpindleModel

/// Default actors: one job at a time, the most urgent of those that wait first.
///
/// An actor is idle, scheduled or running. The first that asks an idle one from elsewhere puts a job into
/// the pool that serves it; a thread of the pool whose task calls an idle one keeps it at once. Source:
/// swift:stdlib/public/Concurrency/Actor.cpp, DefaultActorImpl::enqueue, defaultActorDrain, unlock,
/// swift_task_switchImpl.
extension ConcurrencyRuntime {
  // MARK: Making

  /// An instance of the trace is an actor: gives its executor.
  mutating func makeActor(_ call: Call, _ process: inout Process) {
    let instance = process.argument(0, call)
    demand(process.instances.isThere(instance), "an actor is made of what is no instance")
    let inbox = makeInboxes()
    let record = process.instances.instance(instance)
    let firstField = FieldWrite.Index(Int32(fieldWrites.count))
    for _ in process.program.classes[Int(record.type)].fields { fieldWrites.append(FieldWrite()) }
    let made = actors.add(
      ActorRecord(name: record.name, inbox: inbox, firstField: firstField))
    process.give(made.register, call)
  }

  /// Makes the inboxes of an actor; gives the first.
  mutating func makeInboxes() -> JobQueue.Index {
    let first = JobQueue.Index(Int32(inboxes.count))
    for _ in TaskPriority.allCases { inboxes.append(JobQueue()) }
    return first
  }

  /// An actor's code runs on a queue of the trace, which is its executor.
  mutating func useQueue(_ call: Call, _ process: borrowing Process) {
    actors[.init(process.object(0, call))].queue = .init(process.object(1, call))
  }

  /// The queue that the task of a call prefers from now on; where its code is in the pool, it goes on there.
  ///
  /// Source: SE-0417; swift:stdlib/public/Concurrency/Task.cpp, swift_task_pushTaskExecutorPreference.
  mutating func prefer(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    let preferred = DispatchQueueRecord.Index(process.objectIfGiven(0, call))
    let old = tasks[task].preferred
    process.give(old.isNone ? noValue : old.register, call)
    tasks[task].preferred = preferred
    if old == preferred || tasks[task].executor != .pool { return .next }
    let result = suspend(call, .executor, ExecutorID.pool.raw, &dispatch, &process)
    deliver(task, noResult, process)
    makeReady(task, by: call.thread, &dispatch, &process)
    return result
  }

  // MARK: Asking

  /// Puts a job into an actor's inbox.
  mutating func enqueue(
    _ job: JobRecord.Index, at actor: ActorRecord.Index, _ priority: TaskPriority,
    by thread: ThreadID,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let record = actors.at(actor)
    process.kernel.uses(.actor, actor.raw, .writes, name: record.pointee.name, by: thread)
    append(job, to: inboxes.at(record.pointee.inbox(of: priority)))
    record.pointee.waiting &+= 1
    record.pointee.urgency = max(record.pointee.urgency, priority)
    let isTask = jobs[job].kind == .task
    noteBlocker(of: job, at: actor, process)
    if !record.pointee.task.isNone { lend(priority, to: record.pointee.task, &process) }
    if record.pointee.state != .idle { return }
    let preferred = isTask ? tasks[.init(jobs[job].object)].preferred : .none
    schedule(actor, priority, on: preferred, by: thread, &dispatch, &process)
  }

  /// Puts a job that serves an actor into the pool, or into a queue that is preferred.
  private mutating func schedule(
    _ actor: ActorRecord.Index, _ priority: TaskPriority, on preferred: DispatchQueueRecord.Index,
    by thread: ThreadID,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    demand(
      actors[actor].state == .idle, "actor \(actor) is to be served and \(actors[actor].state)")
    actors[actor].state = .scheduled
    if !preferred.isNone {
      let job = jobs.add(JobRecord(kind: .actor, object: actor.raw, priority: nil))
      return submit(job, to: preferred, by: thread, &dispatch, &process)
    }
    let job = jobs.add(JobRecord(kind: .actor, object: actor.raw, priority: priority))
    enqueue(job, by: thread, &dispatch, &process)
  }

  /// The most urgent job that waits for an actor; none where none does.
  private mutating func takeJob(of actor: ActorRecord.Index) -> JobRecord.Index {
    let record = actors.at(actor)
    for priority in TaskPriority.allCases.reversed() {
      let job = takeFirst(of: inboxes.at(record.pointee.inbox(of: priority)))
      if !job.isNone {
        record.pointee.waiting &-= 1
        return job
      }
    }
    demand(
      record.pointee.waiting == 0, "actor \(actor) has no job, and \(record.pointee.waiting) wait")
    return .none
  }

  // MARK: Serving

  /// A thread of the pool begins to serve an actor.
  mutating func beginDrain(
    of actor: ActorRecord.Index, on thread: ThreadID, _ process: inout Process
  ) {
    demand(actors[actor].state == .scheduled, "actor \(actor) is served and not scheduled")
    actors[actor].state = .running
    let frame = process.push(.actorDrain, registers: 1, on: thread)
    process.frames.registers(frame)[0] = actor.register
  }

  /// A thread that serves actors takes the next job of the one that it has.
  mutating func resumeDrain(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let actor = ActorRecord.Index(register: process.frames.registers(frame)[0])
    let job = actor.isNone ? .none : takeJob(of: actor)
    if job.isNone {
      if !actor.isNone { (actors[actor].state, actors[actor].urgency) = (.idle, .background) }
      process.leave(frame, thread, result: noResult)
      return .goOn
    }
    if jobs[job].kind == .deinitializer {
      beginDeinit(job, on: thread, &process)
      jobs.remove(job)
      return .goOn
    }
    let task = TaskRecord.Index(jobs[job].object)
    demand(
      tasks[task].executor == ExecutorID(actor),
      "task \(task) waits for actor \(actor), and belongs to \(tasks[task].executor)")
    noteInversion(job, at: actor, thread, &process)
    jobs.remove(job)
    actors[actor].task = task
    resumeTask(task, on: thread, &process)
    return process.thrown == noValue ? .goOn : .raises
  }

  // MARK: Hops

  /// The task that makes a call goes on at an executor: at once where that is at hand, else in its queue.
  mutating func hop(
    _ call: Call, to target: ExecutorID, isAgain: Bool = false, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if task.isNone || tasks[task].executor == target { return .next }
    let current = tasks[task].executor
    if shareQueue(current, target) {
      leave(task, on: call.thread, &process)
      tasks[task].executor = target
      enter(task, since: process.kernel.now, on: call.thread, &process)
      return .next
    }
    if isAtHand(target, task) {
      leave(task, on: call.thread, &process)
      if isDefault(current) { release(current.actor, by: call.thread, &dispatch, &process) }
      tasks[task].executor = target
      if target.isActor {
        let actor = target.actor
        demand(actors[actor].task.isNone, "actor \(actor) is idle, and a task has it")
        (actors[actor].state, actors[actor].task) = (.running, task)
        enter(task, since: process.kernel.now, on: call.thread, &process)
      }
      return .next
    }
    let result = suspend(call, .executor, target.raw, &dispatch, &process)
    if !isAgain { deliver(task, noResult, process) }
    tasks[task].executor = target
    enqueue(task, on: target, by: call.thread, &dispatch, &process)
    return result
  }

  /// Whether a task can go on at an executor without leaving its thread.
  mutating func isAtHand(_ target: ExecutorID, _ task: TaskRecord.Index) -> Bool {
    let record = tasks[task]
    if record.isImmediate || !record.preferred.isNone { return false }
    if record.executor != .pool && !isDefault(record.executor) { return false }
    return target == .pool || isDefault(target) && actors[target.actor].state == .idle
  }

  /// Whether an executor is an actor that the pool serves.
  mutating func isDefault(_ executor: ExecutorID) -> Bool {
    executor.isActor && executor != .mainActor && actors[executor.actor].queue.isNone
  }

  /// Whether two executors are one queue, so that going from one to the other is nothing.
  private mutating func shareQueue(_ one: ExecutorID, _ other: ExecutorID) -> Bool {
    guard one.isActor, other.isActor else { return false }
    let queue = actors[one.actor].queue
    return !queue.isNone && queue == actors[other.actor].queue
  }

  /// A task ends, or leaves its thread: who serves its actor takes the next job of that, who only came by
  /// gives it back.
  mutating func unlock(
    _ task: TaskRecord.Index, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if tasks[task].isImmediate { return }
    leave(task, on: thread, &process)
    let executor = tasks[task].executor
    let frame = process.kernel.threads[thread].frame
    let isServed = !frame.isNone && process.frames.activity(frame) == .actorDrain
    let actor = isDefault(executor) ? executor.actor : .none
    if isServed { process.frames.registers(frame)[0] = actor.register }
    if actor.isNone { return }
    actors[actor].task = .none
    if !isServed { release(actor, by: thread, &dispatch, &process) }
  }

  /// An actor is given back; when something waits for it, behind what is in the pool.
  private mutating func release(
    _ actor: ActorRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = actors.at(actor)
    demand(
      record.pointee.state == .running, "actor \(actor) is given back and \(record.pointee.state)")
    record.pointee.task = .none
    record.pointee.state = .idle
    for priority in TaskPriority.allCases.reversed()
    where inboxes[record.pointee.inbox(of: priority)].count > 0 {
      record.pointee.urgency = priority
      return schedule(actor, priority, on: .none, by: thread, &dispatch, &process)
    }
    record.pointee.urgency = .background
  }
}
