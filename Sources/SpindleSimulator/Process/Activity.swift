import SpindleModel

/// What the simulator itself does on a thread, between blocks of the program.
///
/// Each is a frame whose counter says how far it has come and whose registers hold what it needs, so
/// that run loops nest, a queue is drained and an operation runs inside a worker by pushing frames.
enum Activity: UInt8, CaseIterable {
  /// Starts an operation, runs its blocks, reports its end and tears it down; see `OperationStep`.
  case operation
  /// A worker of the pool: takes items of global queues until it ends.
  case queueWorker
  /// The manager of libdispatch's own pool: its monitor's first look.
  case manager
  /// Drains a serial queue.
  case lane
  /// Drains what the main queue had when it was looked at.
  case mainDrain
  /// `dispatchMain()`: serves the main queue for ever.
  case dispatchMain
  /// Takes part in a `concurrentPerform`.
  case apply
  /// Runs a work item where `perform()` or `sync(execute:)` was called.
  case performItem
  /// One run of a run loop.
  case runLoopRun
  /// Runs a run loop again and again: `run()`, `run(until:)`, `CFRunLoopRun()`, main's own.
  case runLoopRepeat
  /// Fires a timer by hand.
  case timerFire
  /// Stands below the code of a task: ends the task when that has ended.
  case task
  /// Serves an actor: its jobs one after another.
  case actorDrain
  /// Calls what is to be called since a task was cancelled or a stream has ended.
  case taskHandlers
  /// Waits for the closure of a stream to give its next element.
  case streamElement
}

/// What became of a frame of the simulator's own when it was resumed.
enum FrameResult {
  /// The thread's innermost frame is another one now, or the frame is in another state: goes on.
  case goOn
  /// It charged a cost: the thread needs its core first.
  case computing
  /// The thread has left its core; the frame is resumed when it comes back.
  case left
  /// The thread begins what an item of a queue is, which the queue does not know; then it goes on, or
  /// pays first.
  case begins(ItemBody, pays: Bool)
  /// The item of a source has ended, and the thread goes on with its frame.
  case endedSource(Int32, called: Bool)
  /// The job of a task, an actor or a sleep has ended, and the thread goes on with its frame.
  case endedJob(Int32)
  /// The thread's innermost frame is to get what is thrown.
  case raises
  /// The run has ended.
  case stopped
}

/// What an item of a queue is that another runtime has handed over.
enum ItemBody {
  /// An operation is to be run.
  case operation(Int32)
  /// A source has something to deliver.
  case source(Int32)
  /// An expiration handler is called: that of a background task, or -1 after the last.
  case expiration(Int32)
  /// A job of a task or an actor.
  case job(Int32)
  /// A work item, by the item in hand, where a schedule may have its thread held.
  case workItem(Int32)
}
