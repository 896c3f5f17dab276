/// What dispatch keeps of a thread.
struct DispatchThread: BitwiseCopyable {
  /// The queue that the code on it runs on; -1 for none.
  var queue: Int32 = -1
  /// The innermost `sync` that it is in; -1 for none.
  var sync: Int32 = -1
}

/// What queue the code on threads runs on.
extension DispatchRuntime {
  /// The queue whose item or `sync` a thread runs; -1 for none.
  @inline(__always)
  func queue(of thread: Int32, _ process: borrowing Process) -> Int32 {
    threads.of(thread, process.kernel).queue
  }

  /// The innermost `sync` that a thread is in; -1 for none.
  @inline(__always)
  func sync(of thread: Int32, _ process: borrowing Process) -> Int32 {
    threads.of(thread, process.kernel).sync
  }

  /// Lets the code on a thread run on a queue; returns the one that it ran on before.
  @inline(__always)
  mutating func setQueue(of thread: Int32, to queue: Int32, _ process: borrowing Process) -> Int32 {
    assert(queue >= -1 && Int(queue) < queues.count, "thread \(thread) runs on queue \(queue)")
    var before: Int32 = -1
    threads.change(thread, process.kernel) {
      before = $0.queue
      $0.queue = queue
    }
    return before
  }

  /// The queue whose item or `sync` a thread runs; on the main thread else the main queue; -1 for
  /// none.
  func currentQueue(_ thread: Int32, _ process: borrowing Process) -> Int32 {
    let queue = queue(of: thread, process)
    return queue < 0 && thread == process.mainThread ? DispatchRuntime.mainQueue : queue
  }

  /// Takes a thread out of its innermost `sync`, back to the queue that its code ran on before.
  @inline(__always)
  mutating func leave(_ sync: DispatchSyncRecord, _ thread: Int32, _ process: borrowing Process) {
    assert(self.sync(of: thread, process) >= 0, "thread \(thread) is in no sync")
    threads.change(thread, process.kernel) {
      $0 = DispatchThread(queue: sync.outerQueue, sync: sync.outer)
    }
  }
}
