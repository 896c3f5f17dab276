import SpindleModel

/// Who makes a task: what runs one piece of code behind the other, and which of its pieces did it.
///
/// Two tasks that one maker makes in different pieces stand for two events in a sure order, however close they are:
/// two items of a serial queue, two calls of an actor, two rounds of a loop that waits between them. Those that one
/// piece makes, as a loop does that starts many at once, are meant to be side by side.
struct TaskMaker: BitwiseCopyable {
  private var sequence: Int64 = -1
  private var piece: Int64 = -1

  init() {}

  fileprivate init(_ kind: Int64, _ number: Int32, piece: Int64) {
    (sequence, self.piece) = (kind << 32 | Int64(number), piece)
  }

  fileprivate static let queue: Int64 = 1
  fileprivate static let actor: Int64 = 2
  fileprivate static let task: Int64 = 3

  /// Whether what was made later than something else was made in a later piece of the same sequence.
  func isLater(than other: TaskMaker) -> Bool {
    sequence >= 0 && sequence == other.sequence && piece != other.piece
  }
}

extension ConcurrencyRuntime {
  /// Who makes a task by a call.
  mutating func maker(
    of call: Call, _ dispatch: inout DispatchRuntime, _ process: borrowing Process
  ) -> TaskMaker {
    if call.thread.isNone { return TaskMaker() }
    let task = task(of: call.thread, process)
    if !task.isNone {
      let piece = task.register << 32 | Int64(tasks[task].waits)
      let executor = tasks[task].executor
      if executor == .pool { return TaskMaker(TaskMaker.task, task.raw, piece: piece) }
      let queue = actors[executor.actor].queue
      return !queue.isNone
        ? TaskMaker(TaskMaker.queue, queue.raw, piece: piece)
        : TaskMaker(TaskMaker.actor, executor.raw, piece: piece)
    }
    assert(tasks.count == 0 || task.isNone, "task \(task) makes another one")
    let queue = dispatch.currentQueue(call.thread, process)
    guard !queue.isNone, dispatch.sync(of: call.thread, process).isNone,
      dispatch.queues[queue].kind == .serial || queue == DispatchRuntime.mainQueue,
      let item = dispatch.presentItem(call.thread, process)
    else { return TaskMaker() }
    let piece = item.number >= 0 ? Int64(item.number) : -1 - item.submitted
    return TaskMaker(TaskMaker.queue, queue.raw, piece: piece)
  }
}
