import SpindleModel

/// What threads do for dispatch queues: workers, drained queues, and the main thread.
extension DispatchRuntime {
  /// A worker looks for work, or has ended an item.
  mutating func resumeWorker(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let worker = ItemFrame(frame)
    assert(
      process.kernel.threads[thread].role == .queueWorker, "thread \(thread.index) is no worker")
    if worker.hasItem(process), let ended = finishItem(worker, thread, &process) { return ended }
    switch nextStep(thread, &process.kernel) {
    case .run(let item): return run(item, worker, thread, &process)
    case .again: return .goOn
    case .parked: return .left
    case .pays: return .computing
    case .end:
      process.leave(frame, thread, result: noResult)
      return .goOn
    }
  }

  /// A serial queue is drained: its items one after another, as long as it is open.
  mutating func resumeLane(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let worker = ItemFrame(frame)
    if worker.hasItem(process), let ended = finishItem(worker, thread, &process) { return ended }
    let queue = worker.lane(process)
    assert(
      queues[queue].owner == thread,
      "thread \(thread.index) drains queue \(queue), which thread \(queues[queue].owner.index) has")
    let record = queues[queue]
    if record.isOpen && !record.items.isEmpty {
      let item = items[record.items.first]
      if item.kind != .sync || runsOnMain(queue) {
        return run(pop(queue), worker, thread, &process)
      }
    }
    release(lane: queue, by: thread, &process.kernel)
    finalizeChain(queue, thread, &process)
    process.leave(frame, thread, result: noResult)
    return .goOn
  }

  /// The main thread drains what the main queue had when it began to.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_main_queue_drain.
  mutating func resumeMainDrain(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let worker = ItemFrame(frame)
    if worker.hasItem(process) {
      process.mainStallWatch.endItem(at: process.kernel.now, since: process.mainBusySince)
      if let ended = finishItem(worker, thread, &process) { return ended }
    }
    let left = worker.itemsLeft(process)
    assert(thread == process.mainThread, "thread \(thread.index) drains the main queue")
    let item = left > 0 ? pop(DispatchRuntime.mainQueue) : .none
    if item.isNone {
      process.leave(frame, thread, result: noResult)
      return .goOn
    }
    worker.setItemsLeft(left - 1, process)
    let record = items[item]
    process.mainStallWatch.beginItem(
      CallOut(
        what: FindingText.mainQueue, name: record.name, kind: record.workKind, place: record.place,
        isItem: true),
      at: process.kernel.now)
    return run(item, worker, thread, &process)
  }

  /// `dispatchMain()`: drains the main queue whenever it has items, and sleeps meanwhile.
  ///
  /// The first thread has ended in it, and some worker has the queue: what is on the main thread here is not on the one
  /// that `Thread.isMainThread` means. Source: swift-corelibs-libdispatch:src/queue.c, dispatch_main
  /// (`pthread_exit`); with an asynchronous main run with Swift 6.3.1 on Linux.
  mutating func resumeDispatchMain(
    _ frame: FrameIndex, _ thread: ThreadID, _ threads: inout ThreadRuntime,
    _ process: inout Process
  ) -> FrameResult {
    process.firstThreadIsGone = process.kernel.machine.platform != .ideal
    let main = DispatchMainFrame(frame: frame)
    if main.state(process) == .hasDrained {
      process.noteReturn(thread)
      main.setState(.looks, process)
      threads.drainAll(thread, &process.kernel)
    }
    if queues[DispatchRuntime.mainQueue].count == 0 {
      process.mainAnswers()
      process.kernel.block(thread, .runLoop)
      return .left
    }
    if process.mainBusySince < 0 {
      process.mainBusySince = process.kernel.now
      process.mainStallWatch.begin()
    }
    main.setState(.hasDrained, process)
    serveMainQueue(thread, &process)
    return .goOn
  }

  /// Lets the main thread run what the main queue has now.
  mutating func serveMainQueue(_ thread: ThreadID, _ process: inout Process) {
    demand(thread == process.mainThread, "thread \(thread.index) is to drain the main queue")
    process.mainStallWatch.called(
      CallOut(what: FindingText.mainQueue, place: -1, drainsMainQueue: true), at: process.kernel.now
    )
    let frame = process.push(.mainDrain, registers: ItemFrame.size, on: thread)
    ItemFrame(frame).setItemsLeft(Int64(queues[DispatchRuntime.mainQueue].count), process)
  }

  /// Whether a queue's items run on the main thread.
  @inline(__always)
  func runsOnMain(_ queue: DispatchQueueRecord.Index) -> Bool {
    bottom(of: queue) == DispatchRuntime.mainQueue
  }

  // MARK: Items

  /// Begins an item on a thread, which has it in hand until the frame is resumed.
  private mutating func run(
    _ index: DispatchItem.Index, _ worker: ItemFrame, _ thread: ThreadID, _ process: inout Process
  ) -> FrameResult {
    let item = items[index]
    if item.kind == .lane {
      _ = take(index)
      setOwner(of: item.lane, to: thread, &process.kernel)
      want(item.lane, queues[item.lane].mostUrgent, by: thread, &process.kernel)
      let lane = process.push(.lane, registers: ItemFrame.size, on: thread)
      ItemFrame(lane).setLane(item.lane, process)
      return .goOn
    }
    beginOrder(of: item, index, thread, &process)
    let outer = setQueue(of: thread, to: item.queue, process)
    worker.take(index, outerQueue: outer, process)
    if item.isBarrier && queues[item.queue].kind == .concurrent {
      assert(queues[item.queue].isBarred, "a barrier of queue \(item.queue) runs beside others")
      queues[item.queue].owner = thread
    }
    switch item.kind {
    case .sync:
      lend(item.sync, to: thread, worker, &process)
      return .goOn
    case .apply:
      pushApply(item.apply, thread, isCaller: false, &process)
      process.kernel.threads.at(thread).charge(process.kernel.costs.dequeue.rawValue)
      return process.kernel.threads[thread].overhead > 0 ? .computing : .goOn
    case .block, .lane, .operation, .workItem, .source, .expiration, .job: break
    }
    process.kernel.changeHeap(by: -process.kernel.costs.item.rawValue, thread)
    let dequeue = process.kernel.costs.dequeue.rawValue
    process.kernel.threads.at(thread).charge(dequeue)
    if process.kernel.costs.lineTransfer > .zero { touch(item.queue, by: thread, process.kernel) }
    let pays = process.kernel.threads[thread].overhead > 0
    if let body = begin(item, index, thread, &process) { return .begins(body, pays: pays) }
    return pays ? .computing : .goOn
  }

  /// Enters what an item is to do; gives back what is another runtime's.
  private mutating func begin(
    _ item: DispatchItem, _ index: DispatchItem.Index, _ thread: ThreadID,
    _ process: inout Process
  ) -> ItemBody? {
    switch item.kind {
    case .block:
      assert(item.frame.raw > 0, "an item of queue \(item.queue) has no code")
      noteStart(item, thread, &process)
      process.frames.setParent(item.frame, process.kernel.threads[thread].frame)
      process.kernel.threads.at(thread).enter(item.frame)
    case .workItem:
      if process.isDriven { return .workItem(index.raw) }
      beginWorkItem(item, thread, &process)
    case .operation: return .operation(item.object)
    case .source: return .source(item.object)
    case .expiration: return .expiration(item.object)
    case .job: return .job(item.object)
    case .lane, .sync, .apply: fatalError("\(item.kind) is begun elsewhere")
    }
    return nil
  }

  /// Notes that an item begins.
  mutating func noteStart(_ item: DispatchItem, _ thread: ThreadID, _ process: inout Process) {
    process.kernel.record(
      .itemStarted, thread: thread, object: item.name, other: item.number, subject: item.workKind,
      value: process.kernel.now - item.submitted)
  }

  /// The item in hand has ended: what it held is given back, and its group left.
  ///
  /// Of a source the rest is for its runtime to do, which the result says.
  private mutating func finishItem(
    _ worker: ItemFrame, _ thread: ThreadID, _ process: inout Process
  )
    -> FrameResult?
  {
    let (index, outerQueue) = worker.present(process)
    _ = setQueue(of: thread, to: outerQueue, process)
    process.kernel.threads.at(thread).setResult(.none)
    let item = take(index)
    endOrder(of: item, thread, &process.kernel)
    if item.kind == .block {
      process.kernel.record(
        .itemEnded, thread: thread, object: item.name, other: item.number, subject: item.workKind,
        value: process.kernel.now - item.submitted)
      assert(item.object < 0 || item.workKind == noKind, "an item of work completes no operation")
      if item.object >= 0 { process.release(Int64(item.object), .object(.operation)) }
    } else if item.kind == .workItem {
      endWorkItem(item, ran: worker.isCalled(process), thread, &process)
    }
    if !item.group.isNone { leaveGroup(item.group, thread, &process) }
    if process.outcome != nil { return .stopped }
    finished(item.queue, isBarrier: item.isBarrier, by: thread, &process.kernel)
    finalizeChain(item.queue, thread, &process)
    if process.outcome != nil { return .stopped }
    worker.setState(.takesNext, process)
    if item.kind == .job { return .endedJob(item.object) }
    return item.kind == .source
      ? .endedSource(item.object, called: worker.isCalled(process)) : nil
  }

  // MARK: Groups

  /// Leaves a group; when nothing is left in it, what is to follow is handed over, and then those
  /// who wait go on.
  ///
  /// Source: swift-corelibs-libdispatch:src/semaphore.c, _dispatch_group_wake.
  mutating func leaveGroup(
    _ group: GroupRuntime.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    if case .crash(let message) = groups.leave(group, thread, &process.kernel) {
      let place = thread.isNone ? -1 : process.kernel.threads[thread].place
      let record = groups.groups[group]
      let name = process.kernel.text(record.name)
      let earlier = [record.leaves.0, record.leaves.1, record.leaves.2].filter { $0.place >= 0 }
      process.kernel.report(
        .unbalancedLeave, thread: thread,
        places: [place] + earlier.map(\.place) + [record.enteredAt],
        FindingText.unbalancedLeave(
          name, by: who(leaves(on: thread, at: place, process), process),
          earlier: earlier.map { who($0, process) }))
      process.crash(message, thread)
      process.crashSite.object = ObjectKey(handle: .group, object: group.register)
      return
    }
    let place = thread.isNone ? -1 : process.kernel.threads[thread].place
    groups.groups.at(group).pointee.noteLeave(leaves(on: thread, at: place, process))
    if groups.groups[group].count > 0 { return }
    let followers = groups.groups[group].followers
    groups.groups[group].followers = IntrusiveQueue()
    submitFollowers(followers, of: .group, group.raw, thread, &process)
    groups.wakeWaiters(group, thread, &process.kernel)
  }

  /// Who leaves a group on a thread.
  private func leaves(on thread: ThreadID, at place: Int32, _ process: borrowing Process)
    -> GroupLeave
  {
    var leave = GroupLeave(place: place, thread: thread)
    guard !thread.isNone, let item = presentItem(thread, process) else { return leave }
    (leave.item, leave.kind) = (item.name, workKind(of: item))
    return leave
  }

  /// The same in words.
  private func who(_ leave: GroupLeave, _ process: borrowing Process) -> String {
    let item = process.itemName(leave.item, kind: leave.kind)
    return item
      ?? (leave.thread.isNone ? "the world outside" : process.kernel.name(of: leave.thread))
  }

  /// Hands over items that were to follow something, in their order.
  mutating func submitFollowers(
    _ followers: IntrusiveQueue<DispatchItem>, of kind: SyncObject.Kind, _ number: Int32,
    _ thread: ThreadID, _ process: inout Process
  ) {
    var followers = followers
    while !followers.isEmpty {
      let index = followers.removeFirst(in: items)
      process.kernel.lends(kind, number)
      process.kernel.handsOverKept(index.raw)
      let item = take(index)
      letHold(item.queue)
      submit(item, by: thread, &process)
    }
  }

  // MARK: Handing over

  /// Hands an item over to its queue, and notes it.
  mutating func submit(_ item: DispatchItem, by thread: ThreadID, _ process: inout Process) {
    var fresh = item
    fresh.submitted = process.kernel.now
    if item.kind == .block || item.kind == .workItem {
      fresh.number = process.kernel.nextItem()
      let flags: Submission.Flags = item.isBarrier ? [.toQueue, .barrier] : .toQueue
      process.kernel.record(
        .itemSubmitted, thread: thread, detail: flags.rawValue, object: item.name,
        other: label(item.queue, process.kernel), subject: item.workKind,
        place: item.place,
        value: Submission.value(item: fresh.number, object: item.queue.raw))
    }
    submit(fresh, by: thread, &process.kernel)
  }
}
