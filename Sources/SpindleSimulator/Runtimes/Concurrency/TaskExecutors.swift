import SpindleModel

/// Tasks as an executor like the others: each item is a task.
///
/// Of a group so many are at work at once, as where a task group adds the next child when one has ended; an
/// actor has one at a time.
extension ConcurrencyRuntime {
  mutating func makeExecutor(_ call: Call, _ process: inout Process) -> CallResult {
    let limit = process.argument(1, call)
    if limit < 0 { return process.crash("Fatal error: a group needs a limit of at least 1", call) }
    let name = process.objectName(process.argument(0, call), limit == 0 ? "Actor" : "TaskGroup")
    var record = TaskExecutorRecord(name: name, limit: limit)
    if limit == 0 {
      record.home = ExecutorID(actors.add(ActorRecord(name: name, inbox: makeInboxes())))
    }
    let made = executors.add(record)
    process.noteMaking(.taskExecutor, made.raw, name, call, value: limit)
    process.give(ExecutorHandle(.tasks, made.raw).value, call)
    return .next
  }

  /// An item that is handed to such an executor: what it is called, its closure, the group that it is in.
  mutating func submit(
    _ name: Int32, kind: Int32, _ closure: FrameIndex, group: GroupRuntime.Index,
    to executor: TaskExecutorRecord.Index,
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let record = executors.at(executor)
    if !group.isNone { dispatch.groups.enter(group, call.thread, &process.kernel) }
    var fresh = TaskRecord(
      base: .medium, current: .medium, name: name, workKind: kind,
      number: process.kernel.nextItem(), madeAt: Int32(truncatingIfNeeded: call.counter),
      submitted: process.kernel.now, since: process.kernel.now,
      inner: closure, executor: record.pointee.home)
    (fresh.submittedTo, fresh.dispatchGroup, fresh.state) = (executor, group, .suspended)
    let task = add(fresh, call, &process)
    if record.pointee.limit > 0 && record.pointee.running >= record.pointee.limit {
      if record.pointee.last.isNone {
        record.pointee.first = task
      } else {
        tasks[record.pointee.last].nextWaiter = task
      }
      record.pointee.last = task
    } else {
      begin(task, of: executor, by: call.thread, &dispatch, &process)
    }
    return process.checkMemory(call)
  }

  private mutating func begin(
    _ task: TaskRecord.Index, of executor: TaskExecutorRecord.Index, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = executors.at(executor)
    record.pointee.running += 1
    demand(
      record.pointee.limit == 0 || record.pointee.running <= record.pointee.limit,
      "group \(executor) has \(record.pointee.running) tasks at work, and a limit of "
        + "\(record.pointee.limit)")
    enqueue(task, on: record.pointee.home, by: thread, &dispatch, &process)
  }

  /// An item has ended: the next one begins.
  mutating func leaveExecutor(
    _ task: TaskRecord.Index, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let (executor, group) = (tasks[task].submittedTo, tasks[task].dispatchGroup)
    let record = executors.at(executor)
    record.pointee.running -= 1
    demand(record.pointee.running >= 0, "executor \(executor) has \(record.pointee.running) tasks")
    if !group.isNone { dispatch.leaveGroup(group, thread, &process) }
    let next = record.pointee.first
    if next.isNone { return }
    record.pointee.first = tasks[next].nextWaiter
    if record.pointee.first.isNone { record.pointee.last = .none }
    tasks[next].nextWaiter = .none
    begin(next, of: executor, by: thread, &dispatch, &process)
  }
}

/// What takes items and makes tasks of them.
struct TaskExecutorRecord: BitwiseCopyable {
  typealias Index = TableIndex<TaskExecutorRecord>

  var name: Int32
  /// How many may be at work; 0 for an actor, which has an inbox.
  var limit: Int64
  var running: Int64 = 0
  /// Where their code runs.
  var home = ExecutorID.pool
  /// The tasks that wait for their turn, linked by `nextWaiter`; -1 for none.
  var first = TaskRecord.Index.none
  var last = TaskRecord.Index.none
}
