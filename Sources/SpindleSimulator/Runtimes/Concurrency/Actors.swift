import SpindleModel

/// Default actors: one job at a time, the most urgent of those that wait first.
///
/// An actor is idle, scheduled or running. The first that asks an idle one from elsewhere puts a job into
/// the pool that serves it; a thread of the pool whose task calls an idle one keeps it at once. Source:
/// swift:stdlib/public/Concurrency/Actor.cpp, DefaultActorImpl::enqueue, defaultActorDrain, unlock,
/// swift_task_switchImpl.
extension ConcurrencyRuntime {
  // MARK: Asking

  /// Puts a job into an actor's inbox.
  mutating func enqueue(
    _ job: Int32, at actor: Int32, _ priority: TaskPriority, by thread: Int32,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let record = actors.at(actor)
    append(job, to: inboxes.at(record.pointee.inbox + Int32(priority.rawValue)))
    record.pointee.waiting &+= 1
    record.pointee.urgency = max(record.pointee.urgency, priority)
    if record.pointee.state != .idle { return }
    schedule(actor, priority, by: thread, &dispatch, &process)
  }

  /// Puts a job into the pool that serves an actor.
  private mutating func schedule(
    _ actor: Int32, _ priority: TaskPriority, by thread: Int32,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    actors[actor].state = .scheduled
    let job = jobs.insert(JobRecord(kind: .actor, object: actor, priority: priority))
    enqueue(job, by: thread, &dispatch, &process)
  }

  /// The most urgent job that waits for an actor; -1 for none.
  private func takeJob(of actor: Int32) -> Int32 {
    let record = actors.at(actor)
    for priority in TaskPriority.allCases.reversed() {
      let job = takeFirst(of: inboxes.at(record.pointee.inbox + Int32(priority.rawValue)))
      if job >= 0 {
        record.pointee.waiting &-= 1
        return job
      }
    }
    return -1
  }

  // MARK: Serving

  /// A thread of the pool begins to serve an actor.
  mutating func beginDrain(
    of actor: Int32, on thread: Int32, _ process: inout Process
  ) {
    demand(actors[actor].state == .scheduled, "actor \(actor) is served and not scheduled")
    actors[actor].state = .running
    let frame = process.push(.actorDrain, registers: 1, on: thread)
    process.frames.registers(frame)[0] = Int64(actor)
  }

  /// A thread that serves actors takes the next job of the one that it has.
  mutating func resumeDrain(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult
  {
    let actor = Int32(truncatingIfNeeded: process.frames.registers(frame)[0])
    let job = actor > 0 ? takeJob(of: actor) : -1
    if job < 0 {
      if actor > 0 { actors[actor].state = .idle }
      if actor > 0 { actors[actor].urgency = .background }
      process.leave(frame, thread, result: noResult)
      return .goOn
    }
    let task = jobs[job].object
    jobs.remove(job)
    actors[actor].task = task
    resumeTask(task, on: thread, &process)
    return process.thrown == noValue ? .goOn : .raises
  }

  // MARK: Hops

  /// The task that makes a call goes on at an executor: at once where that is at hand, else in its queue.
  mutating func hop(
    _ call: Call, to target: Int32, isAgain: Bool = false, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if task < 0 || tasks[task].executor == target { return .next }
    let current = tasks[task].executor
    if isAtHand(target, task) {
      if current > 0 { release(current, by: call.thread, &dispatch, &process) }
      tasks[task].executor = target
      if target > 0 { (actors[target].state, actors[target].task) = (.running, task) }
      return .next
    }
    let result = suspend(call, .executor, target, &dispatch, &process)
    if !isAgain { deliver(task, noResult, process) }
    tasks[task].executor = target
    enqueue(task, on: target, by: call.thread, &dispatch, &process)
    return result
  }

  /// Whether a task can go on at an executor without leaving its thread.
  func isAtHand(_ target: Int32, _ task: Int32) -> Bool {
    let record = tasks[task]
    if record.executor == Self.mainActor || target == Self.mainActor || record.isImmediate {
      return false
    }
    return target == Self.pool || actors[target].state == .idle
  }

  /// A task ends, or leaves its thread: who serves its actor takes the next job of that, who only came by
  /// gives it back.
  mutating func unlock(
    _ task: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    if tasks[task].isImmediate { return }
    let actor = tasks[task].executor
    let frame = process.kernel.threads[thread].frame
    let isServed = frame >= 0 && process.frames.activity(frame) == .actorDrain
    if isServed { process.frames.registers(frame)[0] = Int64(max(0, actor)) }
    if actor <= 0 { return }
    actors[actor].task = -1
    if !isServed { release(actor, by: thread, &dispatch, &process) }
  }

  /// An actor is given back; when something waits for it, behind what is in the pool.
  private mutating func release(
    _ actor: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let record = actors.at(actor)
    record.pointee.task = -1
    record.pointee.state = .idle
    for priority in TaskPriority.allCases.reversed()
    where inboxes[record.pointee.inbox + Int32(priority.rawValue)].count > 0 {
      record.pointee.urgency = priority
      return schedule(actor, priority, by: thread, &dispatch, &process)
    }
    record.pointee.urgency = .background
  }
}
