import SpindleModel

/// Dispatch queues: making them, handing work over, holding them back.
extension DispatchRuntime {
  mutating func queue(_ primitive: QueuePrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    if primitive.asksQueue && isResurrected(process.queue(0, call), by: call.thread, &process) {
      return .stopped
    }
    switch primitive {
    case .make: return makeQueue(call, &process)
    case .main: process.give(DispatchRuntime.mainQueue.handle, call)
    case .global:
      let quality = DispatchQuality(name: Int32(truncatingIfNeeded: process.argument(0, call)))
      process.give(DispatchRuntime.root(pool.rules.present(quality ?? .default)).handle, call)
    case .label: process.give(Int64(label(process.queue(0, call), process.kernel)), call)
    case .quality:
      let quality = queues[process.queue(0, call)].quality
      process.give(Int64(quality?.name ?? WellKnownName.unspecified.id.index), call)
    case .async: return submitBlock(call, &process)
    case .asyncItem: submitWorkItem(call, &process)
    case .asyncAfter: return submitLater(call, &process)
    case .asyncAfterItem: submitWorkItemLater(call, &process)
    case .io: return submitAfterIO(call, &process)
    case .setTarget: return setTarget(call, &process)
    case .setSpecific: setSpecific(QueueSetSpecificArguments(call, process), &process)
    case .getSpecific: getSpecific(call, &process)
    case .getOwnSpecific:
      let place = SpecificKey(queue: process.queue(0, call), key: process.object(1, call))
      process.give(specifics[place] ?? noValue, call)
    case .setFinalizer:
      guard let handler = process.handler(1, call) else { return .next }
      queues[process.queue(0, call)].finalizer = finalizers.add(handler)
    case .precondition: return checkQueue(call, isExpected: true, &process)
    case .preconditionNot: return checkQueue(call, isExpected: false, &process)
    case .syncEnter: return enterSync(call, &process)
    case .syncLeave: return leaveSync(call, &process)
    case .syncItem: return performOnQueue(call, &process)
    case .suspend: suspendQueue(call, &process)
    case .resume: return resumeQueue(call, &process)
    case .activate: activateQueue(call, &process)
    case .concurrentPerform: return concurrentPerform(call, &process)
    case .dispatchMain: return beginDispatchMain(call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: QueuePrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    switch primitive {
    case .async, .asyncItem: submitCost(process.queue(0, call), process.kernel)
    case .asyncAfter, .asyncAfterItem: process.kernel.costs.enqueue.rawValue
    case .syncEnter, .syncLeave, .syncItem: process.kernel.costs.sync.rawValue
    case .io: process.kernel.costs.systemCall.rawValue
    case .concurrentPerform: concurrentPerformCost(call, process)
    case .make, .main, .global, .label, .quality, .suspend, .resume, .activate, .setTarget,
      .setSpecific, .getSpecific, .getOwnSpecific, .setFinalizer, .dispatchMain, .precondition,
      .preconditionNot:
      0
    }
  }

  private mutating func makeQueue(_ call: Call, _ process: inout Process) -> CallResult {
    let given = QueueMakeArguments(call, process)
    let (target, attributes) = (given.target, given.attributes)
    let quality = given.quality.map(pool.rules.present)
    if !target.isNone && isResurrected(target, by: call.thread, &process) { return .stopped }
    if !target.isNone && depth(of: target) >= DispatchRuntime.depthLimit {
      return tooDeep(call, &process)
    }
    let name = process.objectName(given.name, "DispatchQueue")
    let index = makeQueue(
      name: name, isConcurrent: attributes.contains(.concurrent),
      quality: quality, target: target, isInactive: attributes.contains(.initiallyInactive),
      madeAt: Int32(truncatingIfNeeded: call.counter), &process.kernel)
    queues[index].frequency = given.frequency
    if given.frequency.contains(.workItem) { drainsPools = true }
    process.noteMaking(
      .queue, index.raw, name, call, quality: quality?.name ?? -1, value: attributes.rawValue)
    if !target.isNone { noteTarget(target, of: index.raw, name, call, &process) }
    process.kernel.changeMemory(by: process.kernel.costs.queue.rawValue)
    process.give(index.handle, call)
    return .next
  }

  // MARK: Handing work over

  private mutating func submitBlock(_ call: Call, _ process: inout Process) -> CallResult {
    let given = QueueAsyncArguments(call, process)
    var item = block(given.block, call, &process)
    setQuality(&item, given.service, call, &process)
    return submit(item, group: given.group, call, &process)
  }

  /// The closure of a call as an item of a queue.
  mutating func block(_ given: BlockArguments, _ call: Call, _ process: inout Process)
    -> DispatchItem
  {
    var item = DispatchItem(queue: given.queue)
    item.name = given.name
    item.workKind = given.workKind
    item.place = Int32(truncatingIfNeeded: call.counter)
    item.frame = process.activity(given.closure, call)
    return item
  }

  /// Hands an item over that belongs to a group; -1 for none.
  mutating func submit(
    _ item: DispatchItem, group: GroupRuntime.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    var item = item
    item.group = group
    if !group.isNone { groups.enter(group, call.thread, &process.kernel) }
    submit(item, by: call.thread, &process)
    return process.checkMemory(call)
  }

  /// Gives an item its class of service and its flags; a barrier means nothing on a global queue.
  ///
  /// Without a class of its own an item has its submitter's, at most `.userInitiated`. Source:
  /// libdispatch:src/inline_internal.h, _dispatch_qos_propagate; dispatch/block.h.
  mutating func setQuality(
    _ item: inout DispatchItem, _ given: ServiceArguments, _ call: Call, _ process: inout Process
  ) {
    item.isEnforced = given.flags.contains(.enforceQoS)
    item.quality = given.quality
    if item.quality == nil && !given.flags.contains(.detached) && !given.flags.contains(.noQoS) {
      item.quality = callerQuality(call, process)
    }
    if !given.flags.contains(.barrier) { return }
    switch queues[item.queue].kind {
    case .concurrent: item.isBarrier = true
    case .root: reportBarrier(item.queue, call, &process)
    case .serial, .main: break
    }
  }

  /// The class that an item gets from who hands it over, at most `.userInitiated`.
  mutating func callerQuality(_ call: Call, _ process: borrowing Process) -> DispatchQuality? {
    if call.thread.isNone { return nil }
    let own = DispatchQuality(name: process.kernel.threads[call.thread].quality) ?? .default
    return min(own, .userInitiated)
  }

  mutating func reportBarrier(
    _ queue: DispatchQueueRecord.Index, _ call: Call, _ process: inout Process
  ) {
    let place = Int32(truncatingIfNeeded: call.counter)
    if process.kernel.hasTold(.barrierOnGlobalQueue, at: place) { return }
    process.kernel.report(
      .barrierOnGlobalQueue, thread: call.thread, places: [place],
      FindingText.barrierOnGlobalQueue(name(queue, process.kernel)))
  }

  private mutating func submitLater(_ call: Call, _ process: inout Process) -> CallResult {
    let given = QueueAsyncAfterArguments(call, process)
    var item = block(given.block, call, &process)
    setQuality(&item, given.service, call, &process)
    submit(item, at: given.deadline, by: call.thread, &process)
    return .next
  }

  /// Hands an item over when its deadline comes; a past one means now, the distant future never.
  ///
  /// Source: swift-corelibs-libdispatch:src/source.c, _dispatch_after.
  mutating func submit(
    _ item: DispatchItem, at deadline: Int64, by thread: ThreadID, _ process: inout Process
  ) {
    if deadline == Int64.max { return }
    if deadline <= process.kernel.now {
      submit(item, by: thread, &process)
      return
    }
    plan(item, at: deadline, isWorld: false, by: thread, &process)
  }

  /// Keeps an item until a moment, and notes that it will be handed over then.
  private mutating func plan(
    _ item: DispatchItem, at time: Int64, isWorld: Bool, by thread: ThreadID,
    _ process: inout Process
  ) {
    demand(time >= process.kernel.now, "an item of queue \(item.queue) was due at \(time)")
    let kept = items.add(item)
    process.kernel.handsOver(kept.raw, by: thread)
    queues[item.queue].holds += 1
    process.kernel.record(
      .itemPlanned, thread: thread, object: item.name,
      other: label(item.queue, process.kernel),
      place: item.place, value: time)
    if let driver = process.kernel.recorder.driver {
      process.kernel.recorder.catchUp()
      driver.plan(kept.raw, name: item.name, kind: item.workKind, isWorld: isWorld, by: thread)
    }
    _ = process.kernel.plan(.submitItem, kept.raw, at: time, isWorld: isWorld)
  }

  /// Input or output that holds no thread; when it has ended, the block is handed over.
  private mutating func submitAfterIO(_ call: Call, _ process: inout Process) -> CallResult {
    let given = QueueIOArguments(call, process)
    if let fault = Arithmetic.fault(ofDuration: given.duration) {
      return process.crash("Fatal error: io \(fault)", call)
    }
    let item = block(given.block, call, &process)
    process.kernel.countInput(given.duration)
    plan(
      item, at: process.kernel.now + given.duration, isWorld: true, by: call.thread, &process)
    return .next
  }

  // MARK: Targets and values

  /// `setTarget(queue:)`: allowed until the queue is activated, which one that is not made inactive
  /// is at once; a cycle of targets is refused as well.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_set_target_queue.
  private mutating func setTarget(_ call: Call, _ process: inout Process) -> CallResult {
    let (queue, target) = (process.queue(0, call), process.queue(1, call))
    if queues[queue].kind == .main || queues[queue].kind == .root { return .next }
    if isResurrected(target, by: call.thread, &process) { return .stopped }
    if !queues[queue].isInactive {
      return process.crash(
        "BUG IN CLIENT OF LIBDISPATCH: Cannot change the target of this object after it has been "
          + "activated", call)
    }
    var next = target
    while !next.isNone {
      if next == queue {
        return process.crash("BUG IN CLIENT OF LIBDISPATCH: Cycle in target queue hierarchy", call)
      }
      next = queues[next].target
    }
    if !mayTarget(target, from: queue) { return tooDeep(call, &process) }
    setTarget(of: queue, to: target)
    noteTarget(target, of: queue.raw, label(queue, process.kernel), call, &process)
    return .next
  }

  /// Notes which queue runs what another one or a source has.
  mutating func noteTarget(
    _ target: DispatchQueueRecord.Index, of object: Int32, _ name: Int32, _ call: Call,
    isSource: Bool = false,
    _ process: inout Process
  ) {
    let kind: DispatchObject = isSource ? .source : .queue
    process.kernel.record(
      .targetSet, thread: call.thread, detail: kind.rawValue, object: name, other: target.raw,
      subject: object, place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(label(target, process.kernel)))
  }

  private mutating func tooDeep(_ call: Call, _ process: inout Process) -> CallResult {
    process.crash(
      "a chain of more than \(DispatchRuntime.depthLimit) queues, each the target of the next", call
    )
  }

  private mutating func setSpecific(_ given: QueueSetSpecificArguments, _ process: inout Process) {
    let known = specifics.count
    specifics[given.place] = given.value
    process.kernel.storage.change(.keptValues, by: specifics.count - known, bytesEach: 128)
  }

  /// The value of the queue that the code runs on, or of the nearest target that has one.
  private mutating func getSpecific(_ call: Call, _ process: inout Process) {
    let key = process.object(0, call)
    var queue = call.thread.isNone ? .none : currentQueue(call.thread, process)
    while !queue.isNone {
      if let value = specifics[SpecificKey(queue: queue, key: key)] {
        process.give(value, call)
        return
      }
      queue = queues[queue].target
    }
    process.give(noValue, call)
  }

  /// `dispatchPrecondition(condition:)`.
  private mutating func checkQueue(_ call: Call, isExpected: Bool, _ process: inout Process)
    -> CallResult
  {
    let wanted = process.queue(0, call)
    if !call.thread.isNone && isRunning(on: wanted, call.thread, process) == isExpected {
      return .next
    }
    let name = self.name(wanted, process.kernel)
    return process.crash(
      isExpected
        ? "BUG IN CLIENT OF LIBDISPATCH: Block was expected to execute on queue [\(name)]"
        : "BUG IN CLIENT OF LIBDISPATCH: Block was not expected to execute on queue [\(name)]", call
    )
  }

  /// Whether a thread runs on a queue, in whatever item or `sync`, or on one whose target it is.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, dispatch_assert_queue.
  mutating func isRunning(
    on wanted: DispatchQueueRecord.Index, _ thread: ThreadID, _ process: borrowing Process
  ) -> Bool {
    if thread == process.mainThread && wanted == DispatchRuntime.mainQueue { return true }
    let own = threads.of(thread, process.kernel)
    if reaches(wanted, from: own.queue) { return true }
    var sync = own.sync
    while !sync.isNone {
      if reaches(wanted, from: syncs[sync].queue) { return true }
      if reaches(wanted, from: syncs[sync].outerQueue) { return true }
      sync = syncs[sync].outer
    }
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      if let worker = ItemFrame(frame, ifOf: process), worker.hasItem(process),
        reaches(wanted, from: worker.present(process).outerQueue)
      {
        return true
      }
      frame = process.frames.parent(frame)
    }
    return false
  }

  /// Whether a queue is another one or, at any distance, its target.
  private func reaches(_ wanted: DispatchQueueRecord.Index, from queue: DispatchQueueRecord.Index)
    -> Bool
  {
    var queue = queue
    while !queue.isNone && queue != wanted { queue = queues[queue].target }
    return queue == wanted
  }
}

/// A value that a queue keeps by a key.
struct SpecificKey: Hashable {
  let queue: DispatchQueueRecord.Index
  let key: Int32
}

extension QueuePrimitive {
  /// Whether it asks something of the queue that is its first argument, which is still there then.
  fileprivate var asksQueue: Bool {
    switch self {
    case .async, .asyncItem, .asyncAfter, .asyncAfterItem, .io, .syncEnter, .syncItem, .label,
      .quality,
      .setTarget, .setSpecific, .getOwnSpecific, .setFinalizer, .suspend, .resume, .activate,
      .precondition,
      .preconditionNot:
      true
    case .make, .main, .global, .getSpecific, .syncLeave, .concurrentPerform, .dispatchMain: false
    }
  }
}
