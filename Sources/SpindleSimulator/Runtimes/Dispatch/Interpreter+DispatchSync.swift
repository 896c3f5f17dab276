import SpindleModel

/// `sync`: the block runs on the caller's own thread, or on the main thread for its queue.
///
/// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_barrier_sync_f, _dispatch_sync_f_slow,
/// _dispatch_sync_recurse.
extension Interpreter {
  /// What stands between `queueSyncEnter` and `queueSyncLeave` is to run on the queue.
  mutating func enterSync(_ call: Call) -> CallResult {
    enterSync(call, isBarrier: process.argument(1, call) & Flags.barrier != 0)
  }

  /// Gets the queue of a call, its targets too, or waits for them.
  ///
  /// Where the queue's items run on the main thread, that runs `body` there.
  mutating func enterSync(
    _ call: Call, isBarrier: Bool, body: DispatchSyncRecord.Body = .block, object: Int32 = -1
  ) -> CallResult {
    let thread = call.thread
    if process.kernel.threads[thread].phase == 1 {
      process.kernel.threads[thread].phase = 2
      beginSync(call, isBarrier: isBarrier)
      dispatch.syncs[process.kernel.threads[thread].sync].body = body
      dispatch.syncs[process.kernel.threads[thread].sync].object = object
    }
    let index = process.kernel.threads[thread].sync
    if process.kernel.threads[thread].wakeResult == .granted {
      process.kernel.threads[thread].wakeResult = .none
      let level = dispatch.syncs[index].level
      dispatch.syncs[index].level = dispatch.queues[level].target
    }
    while true {
      let level = dispatch.syncs[index].level
      if level < 0 || dispatch.queues[level].kind == .root { break }
      switch acquire(level, index, thread) {
      case .done: dispatch.syncs[index].level = dispatch.queues[level].target
      case .blocked: return .left
      case .crash(let message): return process.crash(message, call)
      }
    }
    dispatch.syncs[index].outerQueue = process.kernel.threads[thread].queue
    process.kernel.threads[thread].queue = dispatch.syncs[index].queue
    noteSync(.queueSyncBegan, index, thread)
    return .next
  }

  private mutating func beginSync(_ call: Call, isBarrier: Bool) {
    let queue = process.object(0, call)
    if isBarrier && dispatch.queues[queue].kind == .root { reportBarrier(queue, call) }
    let record = DispatchSyncRecord(
      queue: queue, level: queue, isBarrier: isBarrier, thread: call.thread,
      outer: process.kernel.threads[call.thread].sync,
      place: Int32(truncatingIfNeeded: call.counter))
    process.kernel.threads[call.thread].sync = dispatch.keep(record)
  }

  private mutating func noteSync(_ event: LogEvent, _ index: Int32, _ thread: Int32) {
    let sync = dispatch.syncs.at(index)
    let queue = sync.pointee.queue
    let kind: SyncKind = sync.pointee.isBarrier ? .barrier : .plain
    process.kernel.record(
      event, thread: thread, detail: kind.rawValue,
      object: dispatch.label(queue, process.kernel), subject: queue, place: sync.pointee.place)
  }

  /// Gets one queue on the way to the global one, or waits in its list.
  private mutating func acquire(_ level: Int32, _ index: Int32, _ thread: Int32) -> RuntimeResult {
    let record = dispatch.queues.at(level)
    let isBarrier =
      dispatch.syncs[index].isBarrier && level == dispatch.syncs[index].queue
    if record.pointee.owner == thread || (thread == process.mainThread && runsOnMain(level)) {
      return ownQueue(level, index, thread)
    }
    if record.pointee.kind != .main && record.pointee.isOpen && record.pointee.first < 0
      && !runsOnMain(level)
    {
      if record.pointee.kind == .serial && record.pointee.owner < 0 && !record.pointee.isScheduled {
        dispatch.setOwner(of: level, to: thread, &process.kernel)
        return .done
      }
      if record.pointee.kind == .concurrent && !record.pointee.isBarred
        && record.pointee.running < (isBarrier ? 1 : DispatchRuntime.widthLimit)
      {
        if isBarrier {
          dispatch.queues[level].isBarred = true
          dispatch.queues[level].owner = thread
        } else {
          dispatch.queues[level].running += 1
        }
        return .done
      }
    }
    var item = DispatchItem(kind: .sync, queue: level, object: index)
    item.isBarrier = isBarrier && record.pointee.kind == .concurrent
    item.quality = DispatchQuality(name: process.kernel.threads[thread].quality)
    item.place = dispatch.syncs[index].place
    let owner = record.pointee.kind == .main ? process.mainThread : record.pointee.owner
    dispatch.want(level, item.quality, &process.kernel)
    process.kernel.block(
      thread, .sync, on: index, name: dispatch.label(level, process.kernel), number: level,
      holder: owner)
    process.kernel.wait(thread, at: record.pointee.turnstile)
    dispatch.submit(item, by: thread, &process.kernel)
    return .blocked
  }

  /// The queue belongs to the thread that asks for it: the one cycle that the real library sees.
  private mutating func ownQueue(_ level: Int32, _ index: Int32, _ thread: Int32) -> RuntimeResult {
    let name = dispatch.name(level, process.kernel)
    let sync = dispatch.syncs[index]
    let asked = dispatch.name(sync.queue, process.kernel)
    process.kernel.report(
      .syncOnOwnQueue, thread: thread, places: [sync.place, itemPlace(thread)],
      FindingText.syncOnOwnQueue(
        process.kernel.name(of: thread), runs: name, asked: sync.queue == level ? nil : asked))
    return .crash(
      "BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread")
  }

  /// Where the item was handed over, or the `sync` called, that a thread runs innermost.
  func itemPlace(_ thread: Int32) -> Int32 {
    let sync = process.kernel.threads[thread].sync
    if sync >= 0 && dispatch.syncs[sync].outer >= 0 {
      return dispatch.syncs[dispatch.syncs[sync].outer].place
    }
    return presentItem(thread)?.place ?? -1
  }

  /// The item of a queue that a thread runs innermost; nil when it runs none.
  func presentItem(_ thread: Int32) -> DispatchItem? {
    var frame = process.kernel.threads[thread].frame
    while frame >= 0 {
      switch process.frames.activity(frame) {
      case .queueWorker, .lane, .mainDrain:
        if process.frames.counter(frame) == 1 {
          return dispatch.items[Int32(truncatingIfNeeded: process.frames.registers(frame)[0])]
        }
      default: break
      }
      frame = process.frames.parent(frame)
    }
    return nil
  }

  /// A thread as explanations call it: a worker with the item that it runs.
  func described(_ thread: Int32) -> String {
    let name = process.kernel.name(of: thread)
    guard process.kernel.threads[thread].role == .queueWorker, let item = presentItem(thread),
      item.name >= 0
    else { return FindingText.thread(name, runs: nil) }
    return FindingText.thread(name, runs: process.kernel.names.text(NameID(Int(item.name))))
  }

  // MARK: The end of the block

  mutating func leaveSync(_ call: Call) -> CallResult {
    let index = process.kernel.threads[call.thread].sync
    if dispatch.syncs[index].thread == call.thread {
      endSync(call.thread)
      return .next
    }
    giveFrameBack(index, call.thread, call)
    return .entered
  }

  /// Gives back the queue of a thread's innermost `sync`, and its targets.
  mutating func endSync(_ thread: Int32) {
    let index = process.kernel.threads[thread].sync
    let sync = dispatch.syncs[index]
    noteSync(.queueSyncEnded, index, thread)
    process.kernel.threads[thread].queue = sync.outerQueue
    process.kernel.threads[thread].sync = sync.outer
    dispatch.drop(sync: index)
    var queue = sync.queue
    while queue >= 0 && dispatch.queues[queue].kind != .root {
      let target = dispatch.queues[queue].target
      if dispatch.queues[queue].kind == .serial {
        dispatch.letGo(of: queue, &process.kernel)
      } else if sync.isBarrier && queue == sync.queue {
        dispatch.queues[queue].isBarred = false
        dispatch.queues[queue].owner = -1
      } else {
        dispatch.queues[queue].running -= 1
      }
      dispatch.pump(queue, by: thread, &process.kernel)
      finalizeIfDone(queue, thread)
      queue = target
    }
  }

  // MARK: On the main thread

  /// Lets the main thread run the block of a thread that waits in `sync`, on that thread's frame.
  mutating func lend(_ index: Int32, to thread: Int32, _ server: Int32) {
    let waiter = dispatch.syncs[index].thread
    process.kernel.threads[waiter].sync = dispatch.syncs[index].outer
    dispatch.syncs[index].serverFrame = server
    dispatch.syncs[index].outer = process.kernel.threads[thread].sync
    dispatch.syncs[index].outerQueue = process.kernel.threads[thread].queue
    process.kernel.threads[thread].sync = index
    process.kernel.threads[thread].queue = dispatch.syncs[index].queue
    noteSync(.queueSyncBegan, index, thread)
    let frame = process.kernel.threads[waiter].frame
    switch dispatch.syncs[index].body {
    case .block:
      process.frames.setCounter(frame, process.frames.counter(frame) + 1)
      process.kernel.threads[thread].frame = frame
    case .workItem: pushPerformance(dispatch.syncs[index].object, thread, .lent)
    case .apply: lendApply(index, thread)
    }
  }

  /// The main thread has run the block: the thread that waits goes on with its frame.
  private mutating func giveFrameBack(_ index: Int32, _ thread: Int32, _ call: Call) {
    process.frames.setCounter(call.frame, Int32(truncatingIfNeeded: call.counter))
    process.kernel.threads[dispatch.syncs[index].thread].frame = call.frame
    process.kernel.threads[thread].frame = dispatch.syncs[index].serverFrame
    endLent(thread)
  }

  /// The main thread has run what a thread waits for in `sync`: that one goes on behind the call.
  mutating func endLent(_ thread: Int32) {
    let index = process.kernel.threads[thread].sync
    let sync = dispatch.syncs[index]
    noteSync(.queueSyncEnded, index, thread)
    process.kernel.threads[thread].queue = sync.outerQueue
    process.kernel.threads[thread].sync = sync.outer
    let frame = process.kernel.threads[sync.thread].frame
    process.frames.setCounter(frame, process.frames.counter(frame) + 1)
    process.kernel.threads[sync.thread].phase = 0
    process.kernel.wake(sync.thread, .granted, by: thread)
    dispatch.drop(sync: index)
  }
}
