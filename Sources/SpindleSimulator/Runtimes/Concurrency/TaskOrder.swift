import SpindleModel

/// What tasks and actors order, for whoever looks for races.
extension ConcurrencyRuntime {
  /// A thread goes on with a task: behind what made it ready, and what it waited for.
  @inline(__always)
  mutating func enterOrder(of task: TaskRecord.Index, on thread: ThreadID, _ process: inout Process)
  {
    if process.kernel.watchesOrder { enter(task, thread, &process) }
  }

  @inline(never)
  private mutating func enter(
    _ task: TaskRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let record = tasks[task]
    demand(
      record.thread == thread, "thread \(thread.index) goes on with task \(task) of another one")
    process.kernel.enter(
      task: task.raw, on: thread, inOrder: thread == process.mainThread || record.isImmediate)
    if !record.hasBegun { return }
    switch record.wait {
    case .task: process.kernel.acquires(.task, record.waitObject, by: thread)
    case .group, .groupEnd: process.kernel.acquires(.taskGroup, record.waitObject, by: thread)
    case .continuation: process.kernel.acquires(.continuation, record.waitObject, by: thread)
    case .stream: process.kernel.acquires(.stream, record.waitObject, by: thread)
    case .executor, .sleep, .io, .yield: break
    }
  }

  /// A thread is done with a task for now.
  @inline(__always)
  mutating func leaveOrder(of task: TaskRecord.Index, on thread: ThreadID, _ process: inout Process)
  {
    if !process.kernel.watchesOrder { return }
    process.kernel.leave(
      task: task.raw, on: thread,
      inOrder: thread == process.mainThread || tasks[task].isImmediate)
  }

  /// A task comes to an actor: behind all that were on it.
  @inline(__always)
  mutating func beginOrder(
    of task: TaskRecord.Index, at actor: ActorRecord.Index, on thread: ThreadID,
    _ process: inout Process
  ) {
    if !process.kernel.watchesOrder { return }
    process.kernel.acquire(order(ofActor: actor), by: thread)
  }

  /// It leaves the actor, on its thread still or taken off it.
  @inline(__always)
  mutating func endOrder(
    of task: TaskRecord.Index, at actor: ActorRecord.Index, on thread: ThreadID,
    _ process: inout Process
  ) {
    if !process.kernel.watchesOrder { return }
    process.kernel.release(order(ofActor: actor), task: task.raw, by: thread)
  }

  /// What orders those that come to an actor: its queue where it has one of the trace's.
  private func order(ofActor actor: ActorRecord.Index) -> SyncObject {
    let queue = actors[actor].queue
    return !queue.isNone
      ? SyncObject(kind: .queue, number: queue.raw) : SyncObject(kind: .actor, number: actor.raw)
  }
}
