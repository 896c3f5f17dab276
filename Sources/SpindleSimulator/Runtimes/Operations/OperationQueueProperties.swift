import SpindleModel

/// Properties of operation queues.
extension OperationRuntime {
  func giveUnderlying(
    of queue: OperationQueueRecord.Index, _ call: Call, _ process: borrowing Process
  ) {
    let record = queues[queue]
    if record.isMain {
      process.give(DispatchRuntime.mainQueue.handle, call)
    } else {
      process.give(
        record.underlying.isNone ? noValue : record.underlying.handle, call)
    }
  }

  // The main queue keeps its limit, its name and its quality, and can't be suspended.

  mutating func setSuspended(
    _ isSuspended: Bool, _ queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  )
    -> CallResult
  {
    if queues[queue].isMain { return .next }
    queues[queue].isSuspended = isSuspended
    queues[queue].suspendedAt = Int32(truncatingIfNeeded: call.counter)
    changeOrder(of: queue, call.thread, &process.kernel)
    return startWhatMay(queue, call, &dispatch, &process)
  }

  mutating func setLimit(
    _ limit: Int64, of queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if queues[queue].isMain { return .next }
    if limit < -1 {
      return refuse(limit: limit, of: queue, named: queues[queue].name, call, &process)
    }
    queues[queue].limit = limit
    assert(
      queues[queue].executing >= 0, "queue \(queue) runs \(queues[queue].executing) operations")
    queues[queue].limitedAt = Int32(truncatingIfNeeded: call.counter)
    changeOrder(of: queue, call.thread, &process.kernel)
    process.kernel.record(
      .limitChanged, thread: call.thread, object: operationQueueNameID(queue, process),
      subject: queue.raw,
      place: Int32(truncatingIfNeeded: call.counter), value: limit)
    return startWhatMay(queue, call, &dispatch, &process)
  }

  mutating func setName(
    _ name: Int32, of queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if queues[queue].isMain { return .next }
    queues[queue].name = name
    return startWhatMay(queue, call, &dispatch, &process)
  }

  mutating func setQuality(
    _ quality: Int32, of queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if queues[queue].isMain { return .next }
    queues[queue].quality = quality
    return startWhatMay(queue, call, &dispatch, &process)
  }

  mutating func setUnderlying(
    _ handle: Int64, of queue: OperationQueueRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if queues[queue].isMain { return .next }
    // Barriers are not counted.
    if let first = members(of: queue).first {
      reportMisuse(
        operations[first].addedAt, call,
        FindingText.underlyingQueueChanged(
          operationQueueName(queue, process), holding: operationName(first, process)), &process)
      return process.crash(
        "Fatal error: operation queue must be empty in order to change underlying dispatch queue",
        call)
    }
    queues[queue].underlying = handle == noValue ? .none : .init(register: handle)
    demand(
      queues[queue].count == 0,
      "queue \(queue) goes elsewhere with \(queues[queue].count) operations")
    return startWhatMay(queue, call, &dispatch, &process)
  }

  /// Starts what a changed queue lets start now.
  mutating func startWhatMay(
    _ queue: OperationQueueRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    schedule(queue, by: call.thread, &dispatch, &process)
    return process.outcome == nil ? .next : .stopped
  }

  /// The number of a queue's name.
  func operationQueueNameID(_ queue: OperationQueueRecord.Index, _ process: borrowing Process)
    -> Int32
  {
    if !queues[queue].isMain { return queues[queue].name }
    return process.kernel.intern(operationQueueName(queue, process)).index
  }
}
