import SpindleModel

/// `sync`: the block runs on the caller's own thread, or on the main thread for its queue.
///
/// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_barrier_sync_f, _dispatch_sync_f_slow,
/// _dispatch_sync_recurse.
extension DispatchRuntime {
  /// What stands between `queueSyncEnter` and `queueSyncLeave` is to run on the queue.
  mutating func enterSync(_ call: Call, _ process: inout Process) -> CallResult {
    let flags = DispatchWorkItemFlags(rawValue: process.argument(1, call))
    return enterSync(call, isBarrier: flags.contains(.barrier), &process)
  }

  /// Gets the queue of a call, its targets too, or waits for them.
  ///
  /// Where the queue's items run on the main thread, that runs `body` there.
  mutating func enterSync(
    _ call: Call, isBarrier: Bool, body: DispatchSyncRecord.Body = .block,
    _ process: inout Process
  ) -> CallResult {
    let thread = call.thread
    if process.kernel.threads[thread].phase == 1 {
      process.kernel.threads.at(thread).setPhase(2)
      beginSync(call, isBarrier: isBarrier, body: body, &process)
    }
    let index = sync(of: thread, process)
    assert(syncs[index].thread == thread, "thread \(thread.index) is in sync \(index), not its own")
    if process.kernel.threads[thread].wakeResult == .granted {
      process.kernel.threads.at(thread).setResult(.none)
      let level = syncs[index].level
      syncs[index].level = queues[level].target
    }
    while true {
      let level = syncs[index].level
      if level.isNone || queues[level].kind == .root { break }
      switch acquire(level, index, thread, &process) {
      case .done: syncs[index].level = queues[level].target
      case .blocked: return .left
      case .crash(let message): return process.crash(message, call)
      }
    }
    syncs[index].outerQueue = setQueue(of: thread, to: syncs[index].queue, process)
    noteSync(.queueSyncBegan, index, thread, &process)
    return .next
  }

  private mutating func beginSync(
    _ call: Call, isBarrier: Bool, body: DispatchSyncRecord.Body, _ process: inout Process
  ) {
    let queue = process.queue(0, call)
    if isBarrier && queues[queue].kind == .root { reportBarrier(queue, call, &process) }
    if case .workItem(let workItem) = body { noteHandOver(of: workItem, to: queue) }
    if process.kernel.watchesOrder {
      noteUses(of: queue, isBarrier: isBarrier, by: call.thread, process.kernel)
    }
    let record = DispatchSyncRecord(
      queue: queue, level: queue, isBarrier: isBarrier, thread: call.thread, body: body,
      outer: sync(of: call.thread, process),
      place: Int32(truncatingIfNeeded: call.counter))
    let kept = syncs.add(record)
    threads.change(call.thread, process.kernel) { $0.sync = kept }
  }

  @inline(__always)
  private mutating func noteSync(
    _ event: LogEvent, _ index: DispatchSyncRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) {
    let sync = syncs.at(index)
    let queue = sync.pointee.queue
    let kind: SyncKind = sync.pointee.isBarrier ? .barrier : .plain
    process.kernel.record(
      event, thread: thread, detail: kind.rawValue,
      object: label(queue, process.kernel), subject: queue.raw, place: sync.pointee.place)
    if event == .queueSyncBegan {
      beginOrder(of: sync.pointee, thread, &process.kernel)
    } else {
      endOrder(of: sync.pointee, thread, &process.kernel)
    }
  }

  /// Gets one queue on the way to the global one, or waits in its list.
  private mutating func acquire(
    _ level: DispatchQueueRecord.Index, _ index: DispatchSyncRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) -> RuntimeResult {
    let record = queues.at(level)
    let isBarrier =
      syncs[index].isBarrier && level == syncs[index].queue
    if record.pointee.owner == thread || (thread == process.mainThread && runsOnMain(level)) {
      return ownQueue(level, index, thread, &process)
    }
    if record.pointee.kind != .main && record.pointee.isOpen && record.pointee.items.isEmpty
      && !runsOnMain(level)
    {
      if record.pointee.kind == .serial && record.pointee.owner.isNone
        && !record.pointee.isScheduled
      {
        setOwner(of: level, to: thread, &process.kernel)
        return .done
      }
      if record.pointee.kind == .concurrent && !record.pointee.isBarred
        && record.pointee.running < (isBarrier ? 1 : DispatchRuntime.widthLimit)
      {
        if isBarrier {
          queues[level].isBarred = true
          queues[level].owner = thread
        } else {
          queues[level].running += 1
        }
        return .done
      }
    }
    var item = DispatchItem(sync: index, queue: level)
    item.isBarrier = isBarrier && record.pointee.kind == .concurrent
    item.quality = DispatchQuality(name: process.kernel.threads[thread].quality)
    item.place = syncs[index].place
    let owner = record.pointee.kind == .main ? process.mainThread : record.pointee.owner
    want(level, item.quality, by: thread, &process.kernel)
    process.kernel.block(
      thread, .sync, on: index.raw, name: label(level, process.kernel), number: level.raw,
      holder: owner)
    if thread == process.mainThread {
      process.kernel.noteLine(line(at: level, process), of: thread)
    }
    process.kernel.wait(thread, at: record.pointee.turnstile)
    submit(item, by: thread, &process.kernel)
    return .blocked
  }

  /// The queue belongs to the thread that asks for it: the one cycle that the real library sees.
  private mutating func ownQueue(
    _ level: DispatchQueueRecord.Index, _ index: DispatchSyncRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) -> RuntimeResult {
    let name = self.name(level, process.kernel)
    let sync = syncs[index]
    let asked = self.name(sync.queue, process.kernel)
    process.kernel.report(
      .syncOnOwnQueue, thread: thread, places: [sync.place, itemPlace(thread, process)],
      FindingText.syncOnOwnQueue(
        process.kernel.name(of: thread), runs: name, asked: sync.queue == level ? nil : asked))
    return .crash(
      "BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread")
  }

  /// Where the item was handed over, or the `sync` called, that a thread runs innermost.
  func itemPlace(_ thread: ThreadID, _ process: borrowing Process) -> Int32 {
    let sync = sync(of: thread, process)
    if !sync.isNone && !syncs[sync].outer.isNone {
      return syncs[syncs[sync].outer].place
    }
    return presentItem(thread, process)?.place ?? -1
  }

  /// The item of a queue that a thread runs innermost; nil when it runs none, also where the run has ended since it
  /// may not begin.
  func presentItem(_ thread: ThreadID, _ process: borrowing Process) -> DispatchItem? {
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      if let worker = ItemFrame(frame, ifOf: process), worker.hasItem(process) {
        let item = worker.present(process).item
        return items.contains(item) ? items[item] : nil
      }
      frame = process.frames.parent(frame)
    }
    return nil
  }

  /// What a work item is called: its name, else what made it and its line.
  func name(_ workItem: WorkItemRecord.Index, _ process: borrowing Process) -> String {
    let record = workItems[workItem]
    return process.itemName(record.name, kind: record.workKind) ?? ""
  }

  /// A thread as explanations call it: a worker with the item that it runs.
  func described(_ thread: ThreadID, _ process: borrowing Process) -> FindingStatement {
    let name = process.kernel.name(of: thread)
    guard process.kernel.threads[thread].role == .queueWorker,
      let item = presentItem(thread, process),
      let runs = process.itemName(item.name, kind: workKind(of: item))
    else { return FindingText.thread(name, runs: nil) }
    return FindingText.thread(name, runs: runs)
  }

  /// The kind of an item of work; `noKind` for what is none.
  func workKind(of item: DispatchItem) -> Int32 {
    switch item.kind {
    case .block: item.workKind
    case .workItem: workItems[item.workItem].workKind
    case .lane, .operation, .apply, .sync, .source, .expiration, .job: noKind
    }
  }

  // MARK: The end of the block

  mutating func leaveSync(_ call: Call, _ process: inout Process) -> CallResult {
    let index = sync(of: call.thread, process)
    if syncs[index].thread == call.thread {
      endSync(call.thread, &process)
      return .next
    }
    giveFrameBack(index, call.thread, call, &process)
    return .entered
  }

  /// Gives back the queue of a thread's innermost `sync`, and its targets.
  mutating func endSync(_ thread: ThreadID, _ process: inout Process) {
    let index = sync(of: thread, process)
    let sync = syncs[index]
    assert(
      sync.thread == thread, "thread \(thread.index) ends the sync of thread \(sync.thread.index)")
    noteSync(.queueSyncEnded, index, thread, &process)
    leave(sync, thread, process)
    syncs.remove(index)
    leaveQueues(of: sync, before: .none, thread, &process)
  }

  /// Gives back the queues that a `sync` has, from its own on, up to a target.
  @inline(__always)
  private mutating func leaveQueues(
    of sync: DispatchSyncRecord, before end: DispatchQueueRecord.Index, _ thread: ThreadID,
    _ process: inout Process
  ) {
    var queue = sync.queue
    while queue != end && !queue.isNone && queues[queue].kind != .root {
      let target = queues[queue].target
      if queues[queue].kind == .serial {
        letGo(of: queue, &process.kernel)
      } else {
        leaveConcurrent(queue, isBarrier: sync.isBarrier && queue == sync.queue)
      }
      pump(queue, by: thread, &process.kernel)
      finalizeIfDone(queue, thread, &process)
      queue = target
    }
  }

  // MARK: On the main thread

  /// Lets the main thread run the block of a thread that waits in `sync`, on that thread's frame.
  mutating func lend(
    _ index: DispatchSyncRecord.Index, to thread: ThreadID, _ server: ItemFrame,
    _ process: inout Process
  ) {
    demand(
      thread == process.mainThread, "thread \(thread.index) runs the block of another one's sync")
    assert(syncs[index].serverFrame.isNone, "sync \(index) runs already")
    let waiter = syncs[index].thread
    let outer = threads.of(thread, process.kernel)
    let own = syncs[index].outer
    threads.change(waiter, process.kernel) { $0.sync = own }
    syncs[index].serverFrame = server.frame
    (syncs[index].outer, syncs[index].outerQueue) = (outer.sync, outer.queue)
    let inside = DispatchThread(queue: syncs[index].queue, sync: index)
    threads.change(thread, process.kernel) { $0 = inside }
    noteSync(.queueSyncBegan, index, thread, &process)
    if process.kernel.watchesOrder {
      process.kernel.recorder.tellOrder {
        $0.lend(from: waiter, to: thread, queue: DispatchRuntime.mainQueue.raw)
      }
    }
    let frame = process.kernel.threads[waiter].frame
    switch syncs[index].body {
    case .block:
      process.frames.setCounter(frame, process.frames.counter(frame) + 1)
      process.kernel.threads.at(thread).setFrame(frame)
    case .workItem(let workItem): pushPerformance(workItem, thread, .lent, &process)
    case .apply: lendApply(index, thread, &process)
    }
  }

  /// The main thread has run the block: the thread that waits goes on with its frame.
  private mutating func giveFrameBack(
    _ index: DispatchSyncRecord.Index, _ thread: ThreadID, _ call: Call, _ process: inout Process
  ) {
    demand(syncs[index].serverFrame.raw > 0, "sync \(index) was lent by nobody")
    process.frames.setCounter(call.frame, Int32(truncatingIfNeeded: call.counter))
    process.kernel.threads.at(syncs[index].thread).setFrame(call.frame)
    process.kernel.threads.at(thread).setFrame(syncs[index].serverFrame)
    endLent(thread, &process)
  }

  /// The main thread has run what a thread waits for in `sync`: that one goes on behind the call.
  ///
  /// It may have got queues before it came to one whose target became the main queue: these are free again.
  /// Source: swift-corelibs-libdispatch:src/queue.c, __DISPATCH_WAIT_FOR_QUEUE__ and _dispatch_sync_f_slow, which
  /// unlocks all "except for the thread bound queue".
  mutating func endLent(_ thread: ThreadID, _ process: inout Process) {
    let index = sync(of: thread, process)
    let sync = syncs[index]
    assert(sync.thread != thread, "thread \(thread.index) has lent itself sync \(index)")
    noteSync(.queueSyncEnded, index, thread, &process)
    leave(sync, thread, process)
    let frame = process.kernel.threads[sync.thread].frame
    process.frames.setCounter(frame, process.frames.counter(frame) + 1)
    process.kernel.threads.at(sync.thread).setPhase(0)
    process.kernel.wake(sync.thread, .granted, by: thread)
    syncs.remove(index)
    // What it had before it came to a queue that was given the main queue as its target meanwhile.
    leaveQueues(of: sync, before: sync.level, thread, &process)
  }

  /// The main queue's thread is there.
  mutating func takeMainThread(_ process: inout Process) {
    demand(!process.mainThread.isNone, "the main queue has no thread")
    queues[DispatchRuntime.mainQueue].owner = process.mainThread
    if !process.kernel.watchesLockOrder || !process.kernel.recorder.lockOrder.usesMain { return }
    // Whatever it does, nobody else runs what is on the main queue.
    process.kernel.have(
      .init(
        object: .init(kind: .queue, number: DispatchRuntime.mainQueue.raw),
        name: label(DispatchRuntime.mainQueue, process.kernel), place: -1),
      by: process.mainThread)
  }
}
