import SpindleModel

/// What a pass of a run loop calls: observers, blocks, sources, timers, ports.
///
/// Source of the functions that are named: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
extension RunLoopRuntime {
  // MARK: Observers

  /// Collects the observers of an activity; they are called at `step`.
  ///
  /// Returns nil, so that it can end a step.
  mutating func observe(
    _ activity: RunLoopActivity, at step: RunLoopStep, _ frame: Int32, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let snapshot = Int(run.snapshot)
    snapshots[snapshot].next = 0
    snapshots[snapshot].items.removeAll(keepingCapacity: true)
    let (loop, mode) = (Int(run.loop), Int(run.mode))
    if !loops[loop].modes[mode].observers.isEmpty {
      let place = Int(activity.rawValue)
      let observers = loops[loop].modes[mode].observers[place].inOrder(self.observers)
      for observer in observers {
        let record = self.observers[Int(observer)]
        if record.isValid && !record.isFiring {
          snapshots[snapshot].items.append(observer)
        }
      }
    }
    go(to: step, frame, process)
    return nil
  }

  /// Calls the next of the observers that were collected; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoObservers.
  mutating func callObservers(
    _ activity: RunLoopActivity, _ frame: Int32, _ thread: Int32, then step: RunLoopStep?,
    _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      let observer = Int(run.item)
      run.item = -1
      process.endCallOut(thread)
      observers[observer].isFiring = false
      if !observers[observer].repeats { invalidate(observer: Int32(observer), &process) }
      discardHandler(ofObserver: observer, &process)
    }
    while let observer = nextItem(frame, &process) {
      if !observers[Int(observer)].isValid { continue }
      observers[Int(observer)].isFiring = true
      run.item = observer
      let name = process.kernel.intern(activity.name).index
      let place = observers[Int(observer)].place
      process.kernel.record(.observerCalled, thread: thread, object: name, place: place)
      var handler = observers[Int(observer)].handler
      let pause = process.callOut(
        &handler, thread, CallOut(what: FindingText.anObserver, place: place),
        argument: Int64(name))
      observers[Int(observer)].handler = handler
      return pause
    }
    if let step { go(to: step, frame, process) }
    return nil
  }

  /// The next item of the list that a run goes through.
  private mutating func nextItem(_ frame: Int32, _ process: inout Process) -> Int32? {
    let snapshot = Int(RunLoopFrame(frame, process.frames).snapshot)
    let next = snapshots[snapshot].next
    if next >= snapshots[snapshot].items.count { return nil }
    snapshots[snapshot].next += 1
    return snapshots[snapshot].items[next]
  }

  // MARK: Blocks

  /// Takes all blocks out of the loop; those of the mode are called at `step`.
  mutating func takeBlocks(_ frame: Int32, at step: RunLoopStep, _ process: inout Process) {
    let run = RunLoopFrame(frame, process.frames)
    go(to: step, frame, process)
    if loops[Int(run.loop)].blocks.isEmpty { return }
    let snapshot = Int(run.snapshot)
    snapshots[snapshot].blocks = loops[Int(run.loop)].blocks
    loops[Int(run.loop)].blocks = []
    snapshots[snapshot].next = 0
    run.item = -1
  }

  /// Calls the next block; nil when all have been called, and the others are back in the loop.
  ///
  /// Source: __CFRunLoopDoBlocks: what comes meanwhile waits for the next time, and a run inside a
  /// block does not see the others.
  mutating func callBlocks(
    _ frame: Int32, _ thread: Int32, then step: RunLoopStep? = nil, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let snapshot = Int(run.snapshot)
    if run.item >= 0 {
      run.item = -1
      process.endCallOut(thread)
    }
    while snapshots[snapshot].next < snapshots[snapshot].blocks.count {
      let block = snapshots[snapshot].blocks[snapshots[snapshot].next]
      snapshots[snapshot].next += 1
      if !matches(block.modes, run.loop, run.mode) {
        snapshots[snapshot].kept.append(block)
        continue
      }
      run.item = 0
      run.flags.insert(.didSomething)
      process.kernel.storage.give(.performs, RunLoopSize.waiting(block.modes))
      process.kernel.record(.blockPerformed, thread: thread, place: block.place)
      return process.callOut(
        block.frame, thread, CallOut(what: FindingText.performedBlock, place: block.place))
    }
    if !snapshots[snapshot].blocks.isEmpty {
      let kept = snapshots[snapshot].kept
      loops[Int(run.loop)].blocks.insert(contentsOf: kept, at: 0)
      snapshots[snapshot].kept.removeAll()
      snapshots[snapshot].blocks.removeAll(keepingCapacity: true)
    }
    if let step { go(to: step, frame, process) }
    return nil
  }

  // MARK: Sources

  /// Collects the signalled sources of the mode: by their order, and then by their signals.
  ///
  /// The thread's own source for performs has the order 0. Source: __CFRunLoopDoSources0.
  mutating func collectSources(_ frame: Int32, _ process: inout Process) {
    let run = RunLoopFrame(frame, process.frames)
    let (loop, mode, snapshot) = (run.loop, run.mode, Int(run.snapshot))
    go(to: .sources, frame, process)
    snapshots[snapshot].next = 0
    snapshots[snapshot].items.removeAll(keepingCapacity: true)
    run.ticket = self.ticket()
    var found = loops[Int(loop)].modes[Int(mode)].signalled
    if let ticket = firstPerform(loop, mode, before: run.ticket) {
      found.insert(ItemHeap.Entry(first: 0, second: ticket, item: -1))
    }
    guard let first = found.first else { return }
    // A run that ends with the first one comes to no other.
    snapshots[snapshot].items =
      run.flags.contains(.returnsAfterSource) ? [first.item] : found.all.map(\.item)
  }

  /// Calls the next source; nil when all have been called, or one and that is enough.
  mutating func callSources(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      run.item = -1
      process.endCallOut(thread)
      run.flags.insert(.handledSource)
      if run.port == Self.performing {
        run.port = -1
        wakeWaiter(Int32(truncatingIfNeeded: run.value), by: thread, &process)
        if let pause = callPerform(frame, thread, &process) { return pause }
      }
      if run.flags.contains(.returnsAfterSource) {
        takeBlocks(frame, at: .blocksAfterSources, &process)
        return nil
      }
    }
    while let source = nextItem(frame, &process) {
      if source < 0 {
        if let pause = callPerform(frame, thread, &process) { return pause }
        continue
      }
      if !sources[Int(source)].isSignalled { continue }
      unsignal(source)
      run.item = source
      reportLate(source, run.loop, &process)
      let record = sources[Int(source)]
      process.kernel.record(
        .sourcePerformed, thread: thread, object: record.name, place: record.place)
      var handler = record.handler
      let what = CallOut(what: FindingText.source, name: record.name, place: record.place)
      let pause = process.callOut(&handler, thread, what)
      sources[Int(source)].handler = handler
      return pause
    }
    if run.flags.contains(.handledSource) {
      takeBlocks(frame, at: .blocksAfterSources, &process)
    } else {
      go(to: .poll, frame, process)
    }
    return nil
  }

  /// In place of a port while performs are called.
  static let performing: Int64 = -8

  /// Calls the next perform of the mode; nil when none is left that was there when the pass looked.
  private mutating func callPerform(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    let run = RunLoopFrame(frame, process.frames)
    guard let perform = takePerform(run.loop, run.mode, before: run.ticket) else {
      return nil
    }
    (run.item, run.port, run.value) = (0, Self.performing, Int64(perform.waiter))
    process.kernel.record(.performBegun, thread: thread, place: perform.place)
    return process.callOut(
      perform.frame, thread, CallOut(what: FindingText.whatWasAsked, place: perform.place))
  }

  private mutating func wakeWaiter(_ waiter: Int32, by thread: Int32, _ process: inout Process) {
    if waiter >= 0 { process.kernel.wake(waiter, .granted, by: thread) }
  }

  // MARK: Timers

  /// Calls the next due timer; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoTimers.
  mutating func callTimers(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      let timer = run.item
      run.item = -1
      process.endCallOut(thread)
      hasFired(timer, &process.kernel)
      discardHandler(ofTimer: timer, &process)
    }
    while let timer = nextItem(frame, &process) {
      if !isStillDue(timer, run.loop, now: process.kernel.now) { continue }
      beginFiring(timer)
      timers[Int(timer)].wasFired = true
      let record = timers[Int(timer)]
      run.item = timer
      run.flags.insert(.didSomething)
      process.kernel.record(
        .timerFired, thread: thread, object: record.name, place: record.place,
        value: process.kernel.now - record.fire)
      var handler = record.handler
      let what = record.isPerform ? FindingText.delayedPerform : FindingText.timer
      let pause = process.callOut(
        &handler, thread, CallOut(what: what, name: record.name, place: record.place),
        argument: Int64(timer))
      timers[Int(timer)].handler = handler
      return pause
    }
    endTimerPass()
    takeBlocks(frame, at: .lastBlocks, &process)
    return nil
  }

  // MARK: Ports

  /// Calls the handler of the port whose message was taken, if it is still there.
  mutating func beginMessage(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    let run = RunLoopFrame(frame, process.frames)
    let port = Int(run.port)
    let isThere = loops[Int(run.loop)].modes[Int(run.mode)].ports.contains(Int32(port))
    if !isThere || !ports[port].isValid {
      takeBlocks(frame, at: .lastBlocks, &process)
      return nil
    }
    run.item = Int32(port)
    go(to: .message, frame, process)
    let record = ports[port]
    process.kernel.record(
      record.isAnswer ? .answerReceived : .messageReceived, thread: thread, object: record.name,
      place: record.place)
    var handler = record.handler
    let what = record.isAnswer ? FindingText.answerOfInput : FindingText.port
    let pause = process.callOut(
      &handler, thread, CallOut(what: what, name: record.name, place: record.place),
      argument: run.value)
    ports[port].handler = handler
    return pause
  }

  /// The handler of a port has ended.
  mutating func endMessage(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    let run = RunLoopFrame(frame, process.frames)
    let port = run.item
    run.item = -1
    process.endCallOut(thread)
    run.flags.insert(.handledSource)
    if ports[Int(port)].isAnswer { invalidate(port: port, &process) }
    takeBlocks(frame, at: .lastBlocks, &process)
    return nil
  }
}
