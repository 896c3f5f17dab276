import SpindleModel

/// The lock of what is noted of a task, its handlers, children and what it waits for, while a thread has it for more
/// than an instant.
///
/// Who cancels a task, or raises it, calls its handlers under that lock, and holds it while those of its children are
/// called. All that changes the notes needs it: adding a child or a handler, taking one away, beginning to wait, and
/// being queued or run behind a wait, so also `resume` of its continuation. The owner may take it again. Source:
/// swift:stdlib/public/Concurrency/TaskStatus.cpp, withStatusRecordLock, addStatusRecord, removeStatusRecord;
/// TaskPrivate.h, flagAsAndEnqueueOnExecutor, flagAsRunning. Run with Swift 6.3.1 on Linux: a resume under a lock that the handler
/// takes hangs.
struct StatusLock: BitwiseCopyable {
  typealias Index = TableIndex<StatusLock>

  var owner: ThreadID
  /// How often the owner has taken it, and where it did first.
  var depth: Int32 = 1
  let takenAt: Int32
  var waiters = WaitList()
}

extension ConcurrencyRuntime {
  /// Takes a task's status lock for a thread; false where the thread waits for it, and then tries again.
  mutating func takeStatus(of task: TaskRecord.Index, by thread: ThreadID, _ process: inout Process)
    -> Bool
  {
    let lock = tasks[task].statusLock
    if !lock.isNone && statusLocks[lock].owner == thread {
      statusLocks[lock].depth += 1
      return true
    }
    if !lock.isNone {
      waitForStatus(of: task, thread, &process)
      return false
    }
    let place = thread.isNone ? -1 : process.kernel.threads[thread].place
    tasks[task].statusLock = statusLocks.add(StatusLock(owner: thread, takenAt: place))
    process.kernel.takes(statusOf: task.raw, name: statusName(task, &process), by: thread)
    return true
  }

  /// Gives a task's status lock back; who waits for it tries again.
  mutating func giveStatus(of task: TaskRecord.Index, by thread: ThreadID, _ process: inout Process)
  {
    let lock = tasks[task].statusLock
    demand(
      !lock.isNone && statusLocks[lock].owner == thread,
      "thread \(thread.index) gives the status lock of task \(task) back, and has it not")
    statusLocks[lock].depth -= 1
    if statusLocks[lock].depth > 0 { return }
    process.kernel.gives(statusOf: task.raw, by: thread)
    while !statusLocks[lock].waiters.isEmpty {
      let next = process.kernel.removeFirst(from: &statusLocks[lock].waiters)
      process.kernel.wake(next, .none, by: thread)
    }
    statusLocks.remove(lock)
    tasks[task].statusLock = .none
  }

  /// A thread needs a task's status lock for an instant; true where it waits for it, and then tries again.
  mutating func waitsForStatus(
    of task: TaskRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) -> Bool {
    if thread.isNone { return false }
    if isStatusTaken(task, by: thread) {
      waitForStatus(of: task, thread, &process)
      return true
    }
    if process.kernel.watchesLockOrder, tasks[task].statusLock.isNone {
      process.kernel.takes(statusOf: task.raw, name: statusName(task, &process), by: thread)
      process.kernel.gives(statusOf: task.raw, by: thread)
    }
    return false
  }

  /// Whether another thread has a task's status lock.
  func isStatusTaken(_ task: TaskRecord.Index, by thread: ThreadID) -> Bool {
    let lock = tasks[task].statusLock
    return !lock.isNone && statusLocks[lock].owner != thread
  }

  private mutating func waitForStatus(
    of task: TaskRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let lock = tasks[task].statusLock
    process.kernel.append(thread, to: &statusLocks[lock].waiters)
    process.kernel.block(
      thread, .taskStatus, on: task.raw,
      name: process.kernel.intern(number(task, process.kernel)).index,
      holder: statusLocks[lock].owner)
  }

  private func statusName(_ task: TaskRecord.Index, _ process: inout Process) -> Int32 {
    if !process.kernel.watchesLockOrder { return -1 }
    return process.kernel.intern("the status lock of \(name(task, process))").index
  }

  /// What a thread waits for that waits for a task's status lock, who has that, and where it was taken.
  func statusEdge(
    _ task: TaskRecord.Index, _ process: borrowing Process
  ) -> (object: String, holder: ThreadID, takenAt: Int32) {
    let lock = tasks[task].statusLock
    if lock.isNone { return (name(task, process), .none, -1) }
    return (name(task, process), statusLocks[lock].owner, statusLocks[lock].takenAt)
  }

  // MARK: Calls

  /// Whether a call needs a status lock that another thread has: then its thread waits, and makes the call again.
  mutating func waitsForStatus(
    before primitive: Primitive, _ call: Call, _ process: inout Process
  ) -> Bool {
    if call.thread.isNone || statusLocks.usedCount == 0 && !process.kernel.watchesLockOrder {
      return false
    }
    let task = taskChanged(by: primitive, call, process)
    return !task.isNone && waitsForStatus(of: task, call.thread, &process)
  }

  /// The task of which a call changes what is noted; none where it changes none.
  private mutating func taskChanged(
    by primitive: Primitive, _ call: Call, _ process: borrowing Process
  ) -> TaskRecord.Index {
    switch primitive {
    case .task(.make):
      let start = TaskStart(rawValue: process.argument(4, call))
      return start == .asyncLet ? task(of: call.thread, process) : .none
    case .task(.value), .task(.result):
      return tasks[.init(process.object(0, call))].state == .finished
        ? .none : task(of: call.thread, process)
    case .task(.hop):
      let own = task(of: call.thread, process)
      return !own.isNone && tasks[own].executor != ExecutorID(register: process.argument(0, call))
        ? own : .none
    case .task(.yield), .task(.sleep), .task(.sleepUntil), .task(.io), .task(.endLet),
      .task(.pushHandler), .task(.pushEscalation), .task(.popHandler), .task(.prefer),
      .taskGroup(.make), .taskGroup(.add), .taskGroup(.next), .taskGroup(.waitForAll),
      .taskGroup(.finish), .taskGroup(.abandon), .asyncStream(.next):
      return task(of: call.thread, process)
    case .continuation(.await):
      return continuations[.init(process.object(0, call))].isResumed
        ? .none : task(of: call.thread, process)
    case .continuation(.resume), .continuation(.resumeThrowing):
      let record = continuations[.init(process.object(0, call))]
      return record.isAwaited && !record.isResumed ? record.task : .none
    default: return .none
    }
  }
}
