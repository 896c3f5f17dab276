/// Walks what dispatch queues and their pool know, and names the offender.
extension DispatchRuntime {
  /// Stops with a message when queues or pool contradict themselves.
  func checkQueues(_ process: borrowing Process) {
    for queue in 0..<Int32(queues.count) { checkQueue(queue) }
    var (workers, constrained) = (Int32(0), Int32(0))
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      guard record.role == .queueWorker, record.state != .finished else { continue }
      workers += 1
      let isSettled = record.flags.contains(.settled)
      let isCounted = isSettled && !DispatchRuntime.isOvercommit(record.executor)
      if isCounted && pool.rules.kind == .kernelWorkqueue { constrained += 1 }
    }
    demand(
      workers == pool.alive, "\(workers) workers live, \(pool.alive) counted")
    demand(
      constrained == pool.constrained,
      "\(constrained) workers are constrained, \(pool.constrained) counted")
    for bucket in 0..<Int32(pool.buckets.count) {
      let record = pool.buckets[bucket]
      demand(record.scheduled >= 0, "class \(bucket) has \(record.scheduled) workers")
    }
  }

  private func checkQueue(_ queue: Int32) {
    let record = queues[queue]
    var (count, index, last) = (Int32(0), record.first, Int32(-1))
    while index >= 0 {
      count += 1
      (last, index) = (index, items[index].next)
    }
    demand(count == record.count, "queue \(queue) has \(count) items, \(record.count) counted")
    demand(last == record.last, "the list of queue \(queue) has a wrong end")
    demand(record.running >= 0, "queue \(queue) has \(record.running) items at work")
    demand(record.suspensions >= 0, "queue \(queue) is suspended \(record.suspensions) times")
    demand(!record.isBarred || record.running == 0, "queue \(queue) has a barrier beside others")
    if record.kind == .serial && record.first >= 0 && record.isOpen {
      demand(
        record.owner >= 0 || record.isScheduled, "nobody will drain queue \(queue), which has items"
      )
    }
  }
}
