/// What a thread does for queues: calls within calls, and waits of the library.
struct DispatchCalls: Sendable {
  /// A call that has not ended.
  enum Call: Hashable, Sendable {
    /// An item runs.
    case item(Int)
    /// The library calls something of its own, or a block that belongs to what calls it.
    case own
    /// A `sync` with a queue, whose block is not called yet or has ended.
    case sync(queue: Int, isBarrier: Bool, isDone: Bool)
    /// A wait for a semaphore or a group, which needs no other cause; not reported yet where it began before
    /// the time that is taken.
    case wait(ThreadOperation, isTold: Bool)
  }

  /// To whom belongs what a thread does.
  enum Subject: Hashable, Sendable {
    /// To itself.
    case thread
    /// To the item that it runs.
    case item(Int)
    /// To the library: it is a worker and looks for work.
    case library
  }

  /// Whether it is one of the pool.
  var isWorker = false
  /// The innermost is the last one.
  var calls: [Call] = []
  /// The item that has just ended on it, where nothing else has happened since.
  var ended: Int?
  /// The last item that ran on it.
  var last: Int?
  /// What made it look for work.
  var poke: Int?
  /// The label of the queue that it is making.
  var label = ""

  /// Deeper calls are damaged.
  static let deepest = 256

  /// To whom belongs what it does now.
  var subject: Subject {
    for call in calls.reversed() {
      if case .item(let item) = call { return .item(item) }
    }
    return isWorker ? .library : .thread
  }

  /// Whether it waits inside the library, so that no other cause is reported.
  var isWaiting: Bool {
    switch calls.last {
    case .sync, .wait: true
    case .item, .own, nil: false
    }
  }
}
