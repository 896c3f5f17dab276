import SpindleModel

/// Work items: run by a queue or by hand, cancelled, waited for, followed.
///
/// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_block_invoke_direct, dispatch_block_wait,
/// dispatch_block_notify.
extension DispatchRuntime {
  mutating func workItem(_ primitive: WorkItemPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    switch primitive {
    case .make: makeWorkItem(call, &process)
    case .perform:
      pushPerformance(process.workItem(0, call), call.thread, .byHand, &process)
      return .entered
    case .cancel: cancelWorkItem(process.workItem(0, call), call, &process)
    case .isCancelled:
      let workItem = process.workItem(0, call)
      process.kernel.acquires(.cancellation, workItem.raw, by: call.thread)
      process.give(workItems[workItem].isCancelled, call)
    case .wait: return waitForWorkItem(call, &process)
    case .notify:
      let given = NotifyArguments(.workItem(process.workItem(0, call)), call, process)
      return follow(
        given.followed, with: follower(given, call, &process), call, &process)
    case .notifyItem:
      let given = NotifyItemArguments(.workItem(process.workItem(0, call)), call, process)
      return follow(
        given.followed, with: followingItem(given, call, &process), call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: WorkItemPrimitive, _ process: borrowing Process) -> Int64 {
    switch primitive {
    case .notify, .notifyItem: process.kernel.costs.enqueue.rawValue
    case .make, .perform, .cancel, .isCancelled, .wait: 0
    }
  }

  private mutating func makeWorkItem(_ call: Call, _ process: inout Process) {
    guard let handler = process.handler(WorkItemMakeArguments.body, call) else { return }
    let given = WorkItemMakeArguments(call, process)
    var quality = given.quality
    if quality == nil && given.flags.contains(.assignCurrentContext) {
      quality = callerQuality(call, process)
    }
    let index = workItems.add(
      WorkItemRecord(
        handler: handler, name: given.name, workKind: given.workKind, quality: quality,
        flags: given.flags, madeAt: Int32(truncatingIfNeeded: call.counter)))
    process.noteMaking(.workItem, index.raw, workItems[index].name, call)
    process.give(index.register, call)
  }

  private mutating func cancelWorkItem(
    _ workItem: WorkItemRecord.Index, _ call: Call, _ process: inout Process
  ) {
    workItems[workItem].isCancelled = true
    process.kernel.releases(.cancellation, workItem.raw, by: call.thread)
    process.kernel.record(
      .itemCancelled, thread: call.thread, object: workItems[workItem].name,
      place: Int32(truncatingIfNeeded: call.counter))
  }

  // MARK: Handing over

  /// A work item as an item of a queue.
  mutating func item(
    of workItem: WorkItemRecord.Index, queue: DispatchQueueRecord.Index, _ call: Call,
    _ process: inout Process
  )
    -> DispatchItem
  {
    let record = workItems[workItem]
    workItems[workItem].uses += 1
    noteHandOver(of: workItem, to: queue)
    var item = DispatchItem(workItem: workItem, queue: queue)
    (item.name, item.workKind, item.quality) = (record.name, record.workKind, record.quality)
    item.isEnforced = record.flags.contains(.enforceQoS)
    if item.quality == nil && !record.flags.contains(.detached) && !record.flags.contains(.noQoS) {
      item.quality = callerQuality(call, process)
    }
    item.place = Int32(truncatingIfNeeded: call.counter)
    if !record.flags.contains(.barrier) { return item }
    item.isBarrier = queues[queue].kind == .concurrent
    if queues[queue].kind == .root { reportBarrier(queue, call, &process) }
    return item
  }

  mutating func submitWorkItem(_ call: Call, _ process: inout Process) {
    let given = QueueAsyncItemArguments(call, process)
    var item = item(of: given.workItem, queue: given.queue, call, &process)
    item.group = given.group
    if !item.group.isNone { groups.enter(item.group, call.thread, &process.kernel) }
    workItems[given.workItem].queue = given.queue
    submit(item, by: call.thread, &process)
  }

  mutating func submitWorkItemLater(_ call: Call, _ process: inout Process) {
    let given = QueueAsyncAfterItemArguments(call, process)
    workItems[given.workItem].queue = given.queue
    let item = item(of: given.workItem, queue: given.queue, call, &process)
    submit(item, at: given.deadline, by: call.thread, &process)
  }

  // MARK: Running

  /// A work item's turn has come: a cancelled one is skipped.
  mutating func beginWorkItem(_ item: DispatchItem, _ thread: ThreadID, _ process: inout Process) {
    let frame = process.kernel.threads[thread].frame
    if workItems[item.workItem].isCancelled {
      process.kernel.record(
        .itemSkipped, thread: thread, object: item.name, other: item.number, subject: item.workKind,
        value: process.kernel.now - item.submitted)
      return
    }
    if !mayRun(item.workItem, thread, item.place, &process) { return }
    ItemFrame(frame).setCalled(process)
    noteStart(item, thread, &process)
    enterWorkItem(item.workItem, thread, &process)
  }

  /// Counts a run of a work item; one that somebody waited for may not run again.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_block_async_invoke2, DBF_WAITED.
  private mutating func mayRun(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ place: Int32, _ process: inout Process
  ) -> Bool {
    workItems[workItem].runs += 1
    if !workItems[workItem].isWaitedFor || workItems[workItem].runs == 1 { return true }
    process.crash(Self.waitedTwiceRun, thread, at: place)
    return false
  }

  private static let waitedTwiceRun =
    "BUG IN CLIENT OF LIBDISPATCH: A block object may not be both run more than once and waited for"

  private mutating func enterWorkItem(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    var handler = workItems[workItem].handler
    assert(handler.isSet, "work item \(workItem) has no code")
    process.enter(&handler, on: thread)
    workItems[workItem].handler = handler
  }

  /// An item of a queue that was a work item has ended.
  mutating func endWorkItem(
    _ item: DispatchItem, ran: Bool, _ thread: ThreadID, _ process: inout Process
  ) {
    if ran {
      process.kernel.record(
        .itemEnded, thread: thread, object: item.name, other: item.number, subject: item.workKind,
        value: process.kernel.now - item.submitted)
    }
    completeWorkItem(item.workItem, thread, &process)
    workItems[item.workItem].wanted = .none
    endUse(of: item.workItem, &process)
  }

  /// A queue or a call has a work item no more: its block goes when nothing else has it.
  private mutating func endUse(of workItem: WorkItemRecord.Index, _ process: inout Process) {
    workItems[workItem].uses -= 1
    demand(workItems[workItem].uses >= 0, "work item \(workItem) is let go of once too often")
    let key = ObjectKey(handle: .workItem, object: workItem.register)
    if workItems[workItem].uses == 0 && process.objectHolds.isAbandoned(key) {
      dropCode(of: workItem, &process)
    }
  }

  /// A work item that nothing has will not run again; what follows one that never ran is told.
  ///
  /// Source: swift-corelibs-libdispatch:src/block.cpp, ~dispatch_block_private_data_s, which leaves the block's group.
  mutating func dropCode(of workItem: WorkItemRecord.Index, _ process: inout Process) {
    completeWorkItem(workItem, process.lives.thread, &process)
    process.nest(StackUse.workItem) { $0.discard(workItems[workItem].handler) }
    workItems[workItem].handler = Handler()
  }

  /// A work item has run or was skipped: the first time, those who wait for it go on.
  private mutating func completeWorkItem(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    if workItems[workItem].isDone { return }
    workItems[workItem].isDone = true
    process.kernel.releases(.workItem, workItem.raw, by: thread)
    if process.asksForEnds.contains(.workItems) {
      process.kernel.uses(
        .workItem, workItem.raw, .leaves, name: workItems[workItem].name, by: thread)
    }
    endOverride(of: workItem, &process.kernel)
    process.kernel.wakeAll(&workItems[workItem].waiters, by: thread)
    let followers = workItems[workItem].followers
    workItems[workItem].followers = IntrusiveQueue()
    submitFollowers(followers, of: .workItem, workItem.raw, thread, &process)
  }

  /// Lets a thread run a work item on top of what it does.
  mutating func pushPerformance(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ reason: Performance,
    _ process: inout Process
  ) {
    workItems[workItem].uses += 1
    let frame = process.push(.performItem, registers: PerformFrame.size, on: thread)
    PerformFrame(frame: frame).begin(workItem, reason, process)
  }

  /// `perform()` and `sync(execute:)`: runs the item where it is called.
  mutating func resumePerformedItem(
    _ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process
  )
    -> FrameResult
  {
    let performed = PerformFrame(frame: frame)
    let workItem = performed.workItem(process)
    if performed.isFresh(process) && !workItems[workItem].isCancelled {
      if !mayRun(workItem, thread, process.kernel.threads[thread].place, &process) {
        return .stopped
      }
      performed.setState(.runs, process)
      if case .byHand = performed.reason(process) { workItems[workItem].performer = thread }
      enterWorkItem(workItem, thread, &process)
      return .goOn
    }
    completeWorkItem(workItem, thread, &process)
    let reason = performed.reason(process)
    if case .byHand = reason {
      workItems[workItem].performer = .none
    } else {
      workItems[workItem].wanted = .none
    }
    process.leave(frame, thread, result: noResult)
    endUse(of: workItem, &process)
    end(reason, thread, &process)
    return .goOn
  }

  /// What was performed on a thread is over.
  mutating func end(_ reason: Performance, _ thread: ThreadID, _ process: inout Process) {
    switch reason {
    case .byHand: break
    case .inSync: endSync(thread, &process)
    case .lent: endLent(thread, &process)
    }
  }

  // MARK: Waiting and following

  private mutating func waitForWorkItem(_ call: Call, _ process: inout Process) -> CallResult {
    let (workItem, thread) = (process.workItem(0, call), call.thread)
    if process.kernel.threads[thread].wakeResult != .none {
      process.giveWaitResult(call)
      return .next
    }
    if process.kernel.threads[thread].phase == 1 {
      process.kernel.threads.at(thread).setPhase(2)
      if workItems[workItem].isWaitedFor {
        return process.crash(
          "BUG IN CLIENT OF LIBDISPATCH: A block object may not be waited for more than once", call)
      }
      if workItems[workItem].runs > 1 { return process.crash(Self.waitedTwiceRun, call) }
      workItems[workItem].isWaitedFor = true
      override(workItem, by: thread, &process.kernel)
    }
    if workItems[workItem].isDone {
      process.kernel.acquires(.workItem, workItem.raw, by: thread)
      process.kernel.threads.at(thread).setResult(.granted)
      process.giveWaitResult(call)
      return .next
    }
    let deadline = process.deadline(process.argument(1, call))
    if let deadline, deadline <= process.kernel.now {
      process.kernel.threads.at(thread).setResult(.timedOut)
      workItems[workItem].isWaitedFor = false
      endOverride(of: workItem, &process.kernel)
      process.giveWaitResult(call)
      return .next
    }
    process.kernel.append(thread, to: &workItems[workItem].waiters)
    process.kernel.block(
      thread, .workItem, on: workItem.raw, name: workItems[workItem].name, until: deadline)
    return .left
  }

  /// The limit of a thread that waits for a work item is reached.
  mutating func workItemTimedOut(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    demand(workItems[workItem].isWaitedFor, "nobody waits for work item \(workItem)")
    process.kernel.remove(thread, from: &workItems[workItem].waiters)
    workItems[workItem].isWaitedFor = false
    endOverride(of: workItem, &process.kernel)
    process.kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.workItem.rawValue,
      object: workItems[workItem].name, subject: workItem.raw)
    process.kernel.wake(thread, .timedOut, by: .none)
  }

  /// The block of a `notify` as an item of its queue.
  mutating func follower(_ given: NotifyArguments, _ call: Call, _ process: inout Process)
    -> DispatchItem
  {
    var item = block(given.block, call, &process)
    setQuality(&item, given.service, call, &process)
    return item
  }

  /// The work item of a `notify` as an item of its queue.
  mutating func followingItem(_ given: NotifyItemArguments, _ call: Call, _ process: inout Process)
    -> DispatchItem
  {
    item(of: given.workItem, queue: given.queue, call, &process)
  }

  /// What the item of a `notify` follows.
  enum Followed {
    case group(GroupRuntime.Index)
    case workItem(WorkItemRecord.Index)
  }

  /// `notify`: hands an item over now, or when what it follows has ended.
  mutating func follow(
    _ first: Followed, with item: DispatchItem, _ call: Call, _ process: inout Process
  ) -> CallResult {
    if isResurrected(item.queue, by: call.thread, &process) { return .stopped }
    switch first {
    case .group(let group):
      if groups.groups[group].count > 0 {
        groups.groups[group].followers.append(keep(item, call, &process), in: items)
        return .next
      }
      process.kernel.lends(.group, group.raw)
    case .workItem(let workItem):
      if workItems[workItem].runs > 1 {
        return process.crash(
          "BUG IN CLIENT OF LIBDISPATCH: A block object may not be both run more than once and "
            + "observed", call)
      }
      if !workItems[workItem].isDone {
        workItems[workItem].followers.append(keep(item, call, &process), in: items)
        return .next
      }
      process.kernel.lends(.workItem, workItem.raw)
    }
    submit(item, by: call.thread, &process)
    return .next
  }

  /// Keeps an item that is handed over later.
  private mutating func keep(_ item: DispatchItem, _ call: Call, _ process: inout Process)
    -> DispatchItem.Index
  {
    demand(!queues[item.queue].isGone, "an item waits for queue \(item.queue), which is gone")
    queues[item.queue].holds += 1
    let kept = items.add(item)
    process.kernel.handsOver(kept.raw, by: call.thread)
    return kept
  }

  /// `sync(execute:)` with a work item.
  mutating func performOnQueue(_ call: Call, _ process: inout Process) -> CallResult {
    let workItem = process.workItem(1, call)
    let advance = enterSync(
      call, isBarrier: workItems[workItem].flags.contains(.barrier), body: .workItem(workItem),
      &process)
    guard case .next = advance else { return advance }
    pushPerformance(workItem, call.thread, .inSync, &process)
    return .entered
  }
}
