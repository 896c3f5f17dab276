import SpindleModel

/// On Apple's platforms the thread of a task is as urgent as the task: what makes a task more urgent while it runs
/// raises its thread, and one that begins on a thread of a lower class raises that until it leaves it.
///
/// A call that waits for an actor raises the thread that has the actor. On Linux none of this is done. Source:
/// swift:stdlib/public/Concurrency/Task.cpp, flagAsRunning; Actor.cpp, DefaultActorImpl::enqueue and
/// defaultActorDrain, below SWIFT_CONCURRENCY_ENABLE_PRIORITY_ESCALATION.
extension ConcurrencyRuntime {
  /// Lets the thread of a task, of the pool, be at least as urgent as a priority until the task leaves it.
  mutating func lend(_ priority: TaskPriority, to task: TaskRecord.Index, _ process: inout Process)
  {
    let (thread, lent) = (tasks[task].thread, tasks[task].turnstile)
    guard rules.isApart, !thread.isNone, thread != process.mainThread else { return }
    let wanted = DispatchRuntime.priority(of: Self.quality(of: priority))
    let present =
      lent.isNone
      ? process.kernel.threads[thread].basePriority : process.kernel.turnstiles[lent].floor
    if present >= wanted { return }
    if lent.isNone {
      let turnstile = freeTurnstiles.popLast() ?? process.kernel.makeTurnstile()
      process.kernel.setOwner(of: turnstile, to: thread)
      tasks[task].turnstile = turnstile
    }
    process.kernel.setFloor(of: tasks[task].turnstile, to: wanted)
  }

  /// A task leaves its thread, which is as urgent as it was before.
  mutating func takeBack(from task: TaskRecord.Index, _ process: inout Process) {
    let turnstile = tasks[task].turnstile
    demand(!turnstile.isNone, "the thread of task \(task) is lent nothing")
    process.kernel.setFloor(of: turnstile, to: -1)
    process.kernel.setOwner(of: turnstile, to: .none)
    freeTurnstiles.append(turnstile)
    tasks[task].turnstile = .none
  }
}
