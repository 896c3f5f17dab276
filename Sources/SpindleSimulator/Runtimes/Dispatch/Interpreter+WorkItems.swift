import SpindleModel

/// Work items: run by a queue or by hand, cancelled, waited for, followed.
///
/// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_block_invoke_direct, dispatch_block_wait,
/// dispatch_block_notify.
extension Interpreter {
  mutating func workItem(_ primitive: WorkItemPrimitive, _ call: Call) -> Advance {
    switch primitive {
    case .make: makeWorkItem(call)
    case .perform:
      pushPerformance(object(0, call), call.thread, .byHand)
      return .entered
    case .cancel:
      workItems[object(0, call)].isCancelled = true
      kernel.record(
        .itemCancelled, thread: call.thread, object: workItems[object(0, call)].name,
        place: Int32(truncatingIfNeeded: call.counter))
    case .isCancelled: give(workItems[object(0, call)].isCancelled, call)
    case .wait: return waitForWorkItem(call)
    case .notify: return follow(follower(call), isGroup: false, call)
    case .notifyItem: return follow(followingItem(call), isGroup: false, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: WorkItemPrimitive) -> Int64 {
    switch primitive {
    case .notify, .notifyItem: kernel.costs.enqueue.rawValue
    case .make, .perform, .cancel, .isCancelled, .wait: 0
    }
  }

  private mutating func makeWorkItem(_ call: Call) {
    guard let handler = handler(4, call) else { return }
    var quality = DispatchQuality(name: object(2, call))
    if quality == nil && argument(3, call) & Flags.assignCurrentContext != 0 {
      quality = callerQuality(call)
    }
    let index = workItems.append(
      WorkItemRecord(
        handler: handler, name: argument(0, call) == noValue ? -1 : object(0, call),
        workKind: object(1, call), quality: quality,
        flags: argument(3, call), madeAt: Int32(truncatingIfNeeded: call.counter)))
    noteMaking(.workItem, index, workItems[index].name, call)
    give(Int64(index), call)
  }

  // MARK: Handing over

  /// A work item as an item of a queue.
  mutating func item(of workItem: Int32, queue: Int32, _ call: Call) -> DispatchItem {
    let record = workItems[workItem]
    var item = DispatchItem(kind: .workItem, queue: queue, object: workItem)
    (item.name, item.workKind, item.quality) = (record.name, record.workKind, record.quality)
    item.isEnforced = record.flags & Flags.enforceQoS != 0
    if item.quality == nil && record.flags & (Flags.detached | Flags.noQoS) == 0 {
      item.quality = callerQuality(call)
    }
    item.place = Int32(truncatingIfNeeded: call.counter)
    if record.flags & Flags.barrier == 0 { return item }
    item.isBarrier = dispatch.queues[queue].kind == .concurrent
    if dispatch.queues[queue].kind == .root { reportBarrier(queue, call) }
    return item
  }

  mutating func submitWorkItem(
    _ workItem: Int32, to queue: Int32, group: Int, _ call: Call
  ) {
    var item = item(of: workItem, queue: queue, call)
    if argument(group, call) != noValue {
      item.group = object(group, call)
      groups.enter(item.group, call.thread, &kernel)
    }
    workItems[workItem].queue = queue
    submit(item, by: call.thread)
  }

  mutating func submitWorkItemLater(_ call: Call) -> Advance {
    workItems[object(2, call)].queue = object(0, call)
    let item = item(of: object(2, call), queue: object(0, call), call)
    submit(item, at: argument(1, call), by: call.thread)
    return .next
  }

  // MARK: Running

  /// A work item's turn has come: a cancelled one is skipped.
  mutating func beginWorkItem(_ item: DispatchItem, _ thread: Int32) {
    let frame = kernel.threads[thread].frame
    if workItems[item.object].isCancelled {
      kernel.record(
        .itemSkipped, thread: thread, object: item.name, other: item.number, subject: item.workKind,
        value: kernel.now - item.submitted)
      return
    }
    if !mayRun(item.object, thread, item.place) { return }
    frames.registers(frame)[3] = 1
    noteStart(item, thread)
    enterWorkItem(item.object, thread)
  }

  /// Counts a run of a work item; one that somebody waited for may not run again.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_block_async_invoke2, DBF_WAITED.
  private mutating func mayRun(_ workItem: Int32, _ thread: Int32, _ place: Int32) -> Bool {
    workItems[workItem].runs += 1
    if !workItems[workItem].isWaitedFor || workItems[workItem].runs == 1 { return true }
    crash(Self.waitedTwiceRun, thread, at: place)
    return false
  }

  private static let waitedTwiceRun =
    "BUG IN CLIENT OF LIBDISPATCH: A block object may not be both run more than once and waited for"

  private mutating func enterWorkItem(_ workItem: Int32, _ thread: Int32) {
    var handler = workItems[workItem].handler
    enter(&handler, on: thread)
    workItems[workItem].handler = handler
  }

  /// An item of a queue that was a work item has ended.
  mutating func endWorkItem(_ item: DispatchItem, ran: Bool, _ thread: Int32) {
    if ran {
      kernel.record(
        .itemEnded, thread: thread, object: item.name, other: item.number, subject: item.workKind,
        value: kernel.now - item.submitted)
    }
    completeWorkItem(item.object, thread)
  }

  /// A work item has run or was skipped: the first time, those who wait for it go on.
  private mutating func completeWorkItem(_ workItem: Int32, _ thread: Int32) {
    if workItems[workItem].isDone { return }
    workItems[workItem].isDone = true
    kernel.wakeAll(&workItems[workItem].waiters, by: thread)
    let followers = workItems[workItem].followers
    workItems[workItem].followers = -1
    workItems[workItem].lastFollower = -1
    submitFollowers(followers, thread)
  }

  /// Who wants a work item, or iterations, to be run here and now.
  enum Performance: Int64 {
    /// `perform()`, or a call on a global queue.
    case byHand
    /// In `sync`, on the caller's thread.
    case inSync
    /// In `sync` of another thread, on the main thread.
    case lent
  }

  /// Lets a thread run a work item on top of what it does.
  mutating func pushPerformance(_ workItem: Int32, _ thread: Int32, _ reason: Performance) {
    let frame = push(.performItem, registers: 2, on: thread)
    frames.registers(frame)[0] = Int64(workItem)
    frames.registers(frame)[1] = reason.rawValue
  }

  /// `perform()` and `sync(execute:)`: runs the item where it is called.
  mutating func resumePerformedItem(_ frame: Int32, _ thread: Int32) -> Resumption {
    let workItem = Int32(truncatingIfNeeded: frames.registers(frame)[0])
    if frames.counter(frame) == 0 && !workItems[workItem].isCancelled {
      if !mayRun(workItem, thread, kernel.threads[thread].place) { return .stopped }
      frames.setCounter(frame, 1)
      enterWorkItem(workItem, thread)
      return .goOn
    }
    completeWorkItem(workItem, thread)
    let reason = Performance(rawValue: frames.registers(frame)[1])
    leave(frame, thread, result: noResult)
    switch reason {
    case .inSync: endSync(thread)
    case .lent: endLent(thread)
    default: break
    }
    return .goOn
  }

  // MARK: Waiting and following

  private mutating func waitForWorkItem(_ call: Call) -> Advance {
    let (workItem, thread) = (object(0, call), call.thread)
    if kernel.threads[thread].wakeResult != .none {
      giveWaitResult(call)
      return .next
    }
    if kernel.threads[thread].phase == 1 {
      kernel.threads[thread].phase = 2
      if workItems[workItem].isWaitedFor {
        return crash(
          "BUG IN CLIENT OF LIBDISPATCH: A block object may not be waited for more than once", call)
      }
      if workItems[workItem].runs > 1 { return crash(Self.waitedTwiceRun, call) }
      workItems[workItem].isWaitedFor = true
    }
    if workItems[workItem].isDone {
      kernel.threads[thread].wakeResult = .granted
      giveWaitResult(call)
      return .next
    }
    let deadline = deadline(argument(1, call))
    if let deadline, deadline <= kernel.now {
      kernel.threads[thread].wakeResult = .timedOut
      workItems[workItem].isWaitedFor = false
      giveWaitResult(call)
      return .next
    }
    kernel.append(thread, to: &workItems[workItem].waiters)
    kernel.block(
      thread, .workItem, on: workItem, name: workItems[workItem].name, until: deadline)
    let queue = workItems[workItem].queue
    if queue >= 0 {
      dispatch.want(queue, DispatchQuality(name: kernel.threads[thread].quality), &kernel)
      kernel.wait(thread, at: dispatch.queues[queue].turnstile)
    }
    return .left
  }

  /// The limit of a thread that waits for a work item is reached.
  mutating func workItemTimedOut(_ workItem: Int32, _ thread: Int32) {
    kernel.remove(thread, from: &workItems[workItem].waiters)
    workItems[workItem].isWaitedFor = false
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.workItem.rawValue,
      object: workItems[workItem].name, subject: workItem)
    kernel.wake(thread, .timedOut, by: -1)
  }

  /// The block of a `notify` as an item of its queue.
  mutating func follower(_ call: Call) -> DispatchItem {
    var item = block(call, queue: 1, name: 2, closure: 6)
    setQuality(&item, quality: 4, flags: 5, call)
    return item
  }

  /// The work item of a `notify` as an item of its queue.
  mutating func followingItem(_ call: Call) -> DispatchItem {
    item(of: object(2, call), queue: object(1, call), call)
  }

  /// `notify`: hands an item over now, or when what it follows has ended.
  mutating func follow(_ item: DispatchItem, isGroup: Bool, _ call: Call) -> Advance {
    let first = object(0, call)
    if isGroup ? groups.groups[first].count == 0 : workItems[first].isDone {
      submit(item, by: call.thread)
      return .next
    }
    if !isGroup && workItems[first].runs > 1 {
      return crash(
        "BUG IN CLIENT OF LIBDISPATCH: A block object may not be both run more than once and "
          + "observed", call)
    }
    let kept = dispatch.keep(item)
    dispatch.queues[item.queue].holds += 1
    let last = isGroup ? groups.groups[first].lastFollower : workItems[first].lastFollower
    if isGroup {
      groups.groups[first].lastFollower = kept
      if last < 0 { groups.groups[first].followers = kept }
    } else {
      workItems[first].lastFollower = kept
      if last < 0 { workItems[first].followers = kept }
    }
    if last >= 0 { dispatch.items[last].next = kept }
    return .next
  }
}
