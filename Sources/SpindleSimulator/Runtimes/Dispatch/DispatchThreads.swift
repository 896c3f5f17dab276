import SpindleModel

/// What dispatch keeps of a thread.
struct DispatchThread: BitwiseCopyable {
  /// The queue that the code on it runs on; none for none.
  var queue = DispatchQueueRecord.Index.none
  /// The innermost `sync` that it is in; none for none.
  var sync = DispatchSyncRecord.Index.none
}

/// What queue the code on threads runs on.
extension DispatchRuntime {
  /// The queue whose item or `sync` a thread runs; none for none.
  @inline(__always)
  func queue(of thread: ThreadID, _ process: borrowing Process) -> DispatchQueueRecord.Index {
    threads.of(thread, process.kernel).queue
  }

  /// The innermost `sync` that a thread is in; none for none.
  @inline(__always)
  func sync(of thread: ThreadID, _ process: borrowing Process) -> DispatchSyncRecord.Index {
    threads.of(thread, process.kernel).sync
  }

  /// Lets the code on a thread run on a queue; returns the one that it ran on before.
  @inline(__always)
  mutating func setQueue(
    of thread: ThreadID, to queue: DispatchQueueRecord.Index, _ process: borrowing Process
  ) -> DispatchQueueRecord.Index {
    assert(Int(queue.raw) < queues.count, "thread \(thread.index) runs on queue \(queue)")
    var before = DispatchQueueRecord.Index.none
    threads.change(thread, process.kernel) {
      before = $0.queue
      $0.queue = queue
    }
    return before
  }

  /// The queue whose item or `sync` a thread runs; on the main thread else the main queue; none for
  /// none.
  mutating func currentQueue(_ thread: ThreadID, _ process: borrowing Process)
    -> DispatchQueueRecord.Index
  {
    let queue = queue(of: thread, process)
    return queue.isNone && thread == process.mainThread ? DispatchRuntime.mainQueue : queue
  }

  /// Takes a thread out of its innermost `sync`, back to the queue that its code ran on before.
  @inline(__always)
  mutating func leave(_ sync: DispatchSyncRecord, _ thread: ThreadID, _ process: borrowing Process)
  {
    assert(!self.sync(of: thread, process).isNone, "thread \(thread.index) is in no sync")
    threads.change(thread, process.kernel) {
      $0 = DispatchThread(queue: sync.outerQueue, sync: sync.outer)
    }
  }
}
