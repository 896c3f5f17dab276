import SpindleModel

/// Walks what dispatch queues and their pool know, and names the offender.
extension DispatchRuntime {
  /// Stops with a message when queues, what is in them, or the pool contradict themselves.
  func checkQueues(_ process: borrowing Process) {
    for queue in queues.indices {
      checkQueue(queue)
      checkItems(of: queue)
    }
    checkObjects()
    checkThreads(process)
    checkHeld(process)
    checkPool(process)
  }

  private func checkQueue(_ queue: DispatchQueueRecord.Index) {
    let record = queues[queue]
    demand(record.running >= 0, "queue \(queue) has \(record.running) items at work")
    demand(record.suspensions >= 0, "queue \(queue) is suspended \(record.suspensions) times")
    demand(!record.isBarred || record.running == 0, "queue \(queue) has a barrier beside others")
    demand(
      Int(record.finalizer.raw) < finalizers.count,
      "queue \(queue) has finalizer \(record.finalizer) of \(finalizers.count)")
    if record.isOwn {
      demand(!record.target.isNone, "queue \(queue) runs nowhere")
      let target = queues[record.target]
      demand(
        !target.isOwn || target.height > record.height,
        "queue \(record.target) has a chain of \(target.height) queues, and \(queue), whose target it "
          + "is, of \(record.height)")
    } else {
      demand(
        record.target.isNone && record.height == 0 && record.isOpen && !record.isReleased,
        "queue \(queue), which is the system's, was changed")
    }
    demand(
      record.kind == .serial || !record.isScheduled, "queue \(queue) is drained and is not serial")
    demand(
      record.kind == .concurrent || (record.running == 0 && !record.isBarred),
      "queue \(queue) runs items side by side")
    if record.isGone {
      demand(
        record.isReleased && record.items.isEmpty && record.owner.isNone && record.holds == 0,
        "queue \(queue) is gone and still wanted")
    }
    if record.kind == .serial && !record.items.isEmpty && record.isOpen {
      demand(
        !record.owner.isNone || record.isScheduled,
        "nobody will drain queue \(queue), which has items"
      )
    }
  }

  private func checkItems(of queue: DispatchQueueRecord.Index) {
    let record = queues[queue]
    let count = record.items.indices(in: items).count
    demand(
      count == Int(record.count), "queue \(queue) has \(count) items, \(record.count) counted")
    demand(
      count > 0 || record.mostUrgent == nil, "queue \(queue) is empty and wants to be drained")
  }

  /// Groups, work items and what runs once: what is over keeps nobody waiting.
  private func checkObjects() {
    for group in groups.groups.indices {
      let record = groups.groups[group]
      demand(record.count >= 0, "group \(group) has \(record.count) entries")
      demand(
        record.count > 0 || (record.waiters.isEmpty && record.followers.isEmpty),
        "group \(group) is empty, and something waits for it")
    }
    for workItem in workItems.indices {
      let record = workItems[workItem]
      demand(record.runs >= 0, "work item \(workItem) has run \(record.runs) times")
      demand(
        !record.isDone || (record.waiters.isEmpty && record.followers.isEmpty),
        "work item \(workItem) is done, and something waits for it")
      demand(
        record.waiters.isEmpty || record.isWaitedFor,
        "a thread waits for work item \(workItem), which does not know it")
    }
    for token in onces.indices {
      let record = onces[token]
      demand(
        !record.isDone || (record.owner.isNone && record.waiters.isEmpty),
        "once \(token) is done, and somebody runs it or waits")
    }
    for index in applies.usedIndices {
      let record = applies[index]
      demand(
        record.done <= record.next && record.next <= record.count,
        "of \(record.count) iterations \(record.next) have begun and \(record.done) are done")
      demand(
        record.references >= 0, "\(record.references) threads take part in iterations \(index)")
    }
  }

  /// What is kept of threads: each `sync` is of one thread, which is in it or waits for the main one.
  private func checkThreads(_ process: borrowing Process) {
    var inSync = 0
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].state != .finished {
      var sync = self.sync(of: thread, process)
      while !sync.isNone {
        let record = syncs[sync]
        demand(
          record.thread == thread || record.serverFrame.raw > 0,
          "thread \(thread.index) is in sync \(sync) of thread \(record.thread.index)")
        (sync, inSync) = (record.outer, inSync + 1)
        demand(
          inSync <= syncs.usedCount, "thread \(thread.index) is in a sync that is inside of itself")
      }
    }
    demand(
      inSync == syncs.usedCount || process.outcome != nil,
      "threads are in \(inSync) syncs, and \(syncs.usedCount) are kept")
  }

  /// Each item that is kept stands in one list, is planned, or is in one thread's hand; and what
  /// keeps queues alive is counted.
  private func checkHeld(_ process: borrowing Process) {
    var held = Array(repeating: Int32(0), count: queues.count)
    var count = 0
    for queue in queues.indices {
      let record = queues[queue]
      count += Int(record.count)
      if record.isOwn && !record.isGone { held[Int(record.target.raw)] += 1 }
    }
    var later: [DispatchItem.Index] = []
    for group in groups.groups.indices {
      later += groups.groups[group].followers.indices(in: items)
    }
    for workItem in workItems.indices { later += workItems[workItem].followers.indices(in: items) }
    for index in process.kernel.plans.usedIndices {
      let plan = process.kernel.plans[index]
      if plan.kind != .submitItem { continue }
      later.append(.init(plan.object))
    }
    if let driver = process.kernel.recorder.driver {
      later += driver.heldItems.map { DispatchItem.Index($0) }
    }
    for item in later { held[Int(items[item].queue.raw)] += 1 }
    count += later.count
    for queue in queues.indices {
      let (holds, holders) = (queues[queue].holds, held[Int(queue.raw)])
      demand(holds >= holders, "\(holders) hold queue \(queue), \(holds) counted")
    }
    count += itemsInHand(process)
    demand(
      count == items.usedCount || process.outcome != nil,
      "\(count) items wait, are planned or run, and \(items.usedCount) are kept")
  }

  /// How many items threads have in hand; the frames of a `sync` that is lent are met twice.
  private func itemsInHand(_ process: borrowing Process) -> Int {
    var inHand: Set<DispatchItem.Index> = []
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].state != .finished {
      note(from: process.kernel.threads[thread].frame, &inHand, process)
      var sync = self.sync(of: thread, process)
      while !sync.isNone {
        note(from: syncs[sync].serverFrame, &inHand, process)
        sync = syncs[sync].outer
      }
    }
    return inHand.count
  }

  /// Notes the items that a frame and its callers have in hand.
  private func note(
    from first: FrameIndex, _ inHand: inout Set<DispatchItem.Index>, _ process: borrowing Process
  ) {
    var frame = first
    while !frame.isNone {
      if let worker = ItemFrame(frame, ifOf: process), worker.hasItem(process) {
        inHand.insert(worker.present(process).item)
      }
      frame = process.frames.parent(frame)
    }
  }

  private func checkPool(_ process: borrowing Process) {
    var (workers, constrained) = (Int32(0), Int32(0))
    for thread in process.kernel.threads.ids {
      let record = process.kernel.threads[thread]
      guard record.role == .queueWorker, record.state != .finished else { continue }
      workers += 1
      let isSettled = record.flags.contains(.settled)
      let isCounted = isSettled && !DispatchRuntime.isOvercommit(.init(record.executor))
      if isCounted && pool.rules.kind == .kernelWorkqueue { constrained += 1 }
    }
    demand(
      workers == pool.alive, "\(workers) workers live, \(pool.alive) counted")
    demand(
      constrained == pool.constrained,
      "\(constrained) workers are constrained, \(pool.constrained) counted")
    let idle = parked(in: pool.idle, process)
    demand(idle == pool.idleCount, "\(idle) workers are parked, \(pool.idleCount) counted")
    for root in pool.roots.indices {
      let record = pool.roots[root]
      demand(record.pending >= 0, "queue \(root) asks for \(record.pending) workers")
      demand(
        record.idle.isEmpty || pool.rules.kind == .libdispatch, "queue \(root) has workers parked")
      demand(parked(in: record.idle, process) <= pool.alive, "queue \(root) has parked too many")
    }
    for bucket in 0..<Int32(pool.buckets.count) {
      let record = pool.buckets[bucket]
      demand(record.scheduled >= 0, "class \(bucket) has \(record.scheduled) workers")
    }
    demand(
      pool.creator.isNone || pool.alive > 0,
      "worker \(pool.creator.index) looks for work and is none")
  }

  /// How many workers are parked in a list.
  private func parked(in list: WaitList, _ process: borrowing Process) -> Int32 {
    var (worker, count) = (list.firstThread, Int32(0))
    while !worker.isNone {
      let record = process.kernel.threads[worker]
      demand(
        record.reason == .idleWorker,
        "worker \(worker.index) is parked and waits for \(record.reason)")
      (worker, count) = (record.next, count + 1)
    }
    return count
  }
}
