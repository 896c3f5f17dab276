import SpindleModel

/// Holding queues back, letting them go, and letting go of them.
extension DispatchRuntime {
  mutating func suspendQueue(_ call: Call, _ process: inout Process) {
    guard let queue = ownQueue(call, process) else { return }
    queues[queue].suspensions += 1
    note(.queueSuspended, queue, call, &process)
  }

  mutating func resumeQueue(_ call: Call, _ process: inout Process) -> CallResult {
    guard let queue = ownQueue(call, process) else { return .next }
    return resumeQueue(queue, call, &process)
  }

  mutating func activateQueue(_ call: Call, _ process: inout Process) {
    guard let queue = ownQueue(call, process), queues[queue].isInactive else { return }
    assert(queues[queue].running == 0, "queue \(queue), which is inactive, runs items")
    queues[queue].isInactive = false
    note(.queueActivated, queue, call, &process)
    pump(queue, by: call.thread, &process.kernel)
  }

  /// The queue that a call is about; nil for the main one and the global ones, which always run.
  private mutating func ownQueue(_ call: Call, _ process: borrowing Process) -> DispatchQueueRecord
    .Index?
  {
    let queue = process.queue(0, call)
    let kind = queues[queue].kind
    return kind == .main || kind == .root ? nil : queue
  }

  private mutating func note(
    _ event: LogEvent, _ queue: DispatchQueueRecord.Index, _ call: Call, _ process: inout Process
  ) {
    process.kernel.record(
      event, thread: call.thread, detail: DispatchObject.queue.rawValue,
      object: label(queue, process.kernel), subject: queue.raw,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(queues[queue].suspensions))
  }

  /// `resume()`: one too many crashes, also on a queue that was never activated.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_resume.
  private mutating func resumeQueue(
    _ queue: DispatchQueueRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    if queues[queue].suspensions == 0 {
      let place = Int32(truncatingIfNeeded: call.counter)
      let isInactive = queues[queue].isInactive
      process.kernel.report(
        .overResume, thread: call.thread, places: [place],
        FindingText.overResumeOfQueue(name(queue, process.kernel), isInactive: isInactive))
      return process.crash(
        "BUG IN CLIENT OF LIBDISPATCH: Over-resume of an \(isInactive ? "inactive " : "")object",
        call)
    }
    queues[queue].suspensions -= 1
    note(.queueResumed, queue, call, &process)
    if queues[queue].suspensions == 0 {
      pump(queue, by: call.thread, &process.kernel)
    }
    return .next
  }

  /// `release()`: crashes in a state that the real library does not let a queue die in.
  ///
  /// A queue that still has items lives until they are done; then its finalizer is handed over.
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_dispose; src/object.c.
  mutating func releaseQueue(
    _ queue: DispatchQueueRecord.Index, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let record = queues[queue]
    if record.kind == .main || record.kind == .root || record.isReleased { return .next }
    if record.isInactive {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of an inactive object", call)
    }
    if record.suspensions > 0 {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of a suspended object", call)
    }
    queues[queue].isReleased = true
    finalizeIfDone(queue, call.thread, &process)
    return .next
  }

  /// Stops the process when something is asked of a queue that is gone, and says whether it was: whoever
  /// let go of it for the last time, by `release()`, still had it.
  ///
  /// Source: swift-corelibs-libdispatch:src/inline_internal.h, _os_object_retain_internal_n_inline.
  @inline(__always)
  mutating func isResurrected(
    _ queue: DispatchQueueRecord.Index, by thread: ThreadID, _ process: inout Process
  ) -> Bool {
    if !queues[queue].isGone { return false }
    process.crash("API MISUSE: Resurrection of an object", thread)
    return true
  }

  /// Looks at a queue and its targets: which of them are not needed any more.
  mutating func finalizeChain(
    _ queue: DispatchQueueRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    var queue = queue
    while !queue.isNone {
      let target = queues[queue].target
      finalizeIfDone(queue, thread, &process)
      queue = target
    }
  }

  /// Hands over the finalizer of a queue that nobody wants any more and that has nothing to do.
  mutating func finalizeIfDone(
    _ queue: DispatchQueueRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let record = queues[queue]
    if !record.isReleased || record.isGone { return }
    if !record.items.isEmpty || !record.owner.isNone || record.isScheduled || record.running > 0 {
      return
    }
    if record.holds > 0 || record.isBarred { return }
    demand(record.count == 0, "queue \(queue) goes and has \(record.count) items")
    queues[queue].isGone = true
    letHold(record.target)
    process.kernel.changeMemory(by: -process.kernel.costs.queue.rawValue)
    defer { finalizeIfDone(record.target, thread, &process) }
    if record.finalizer.isNone { return }
    var item = DispatchItem(queue: record.target)
    item.workKind = noKind
    var handler = finalizers[record.finalizer]
    item.frame = process.activate(&handler, parent: .none)
    submit(item, by: thread, &process)
  }
}

/// The kind of items that the simulator itself hands over: none that a trace can name.
let noKind: Int32 = -1
