import SpindleModel

/// What a pass of a run loop calls: observers, blocks, sources, timers, ports.
///
/// Source of the functions that are named: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
extension Interpreter {
  // MARK: Observers

  /// Collects the observers of an activity; they are called at `step`.
  ///
  /// Returns nil, so that it can end a step.
  mutating func observe(
    _ activity: RunLoopActivity, at step: RunLoopStep, _ frame: Int32
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let snapshot = Int(run.snapshot)
    runLoops.snapshots[snapshot].next = 0
    runLoops.snapshots[snapshot].items.removeAll(keepingCapacity: true)
    let (loop, mode) = (Int(run.loop), Int(run.mode))
    if !runLoops.loops[loop].modes[mode].observers.isEmpty {
      let place = Int(activity.rawValue)
      let observers = runLoops.loops[loop].modes[mode].observers[place].inOrder(runLoops.observers)
      for observer in observers {
        let record = runLoops.observers[Int(observer)]
        if record.isValid && !record.isFiring {
          runLoops.snapshots[snapshot].items.append(observer)
        }
      }
    }
    go(to: step, frame)
    return nil
  }

  /// Calls the next of the observers that were collected; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoObservers.
  mutating func callObservers(
    _ activity: RunLoopActivity, _ frame: Int32, _ thread: Int32, then step: RunLoopStep?
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      let observer = Int(run.item)
      run.item = -1
      process.endCallOut(thread)
      runLoops.observers[observer].isFiring = false
      if !runLoops.observers[observer].repeats { invalidate(observer: Int32(observer)) }
      discardHandler(ofObserver: observer)
    }
    while let observer = nextItem(frame) {
      if !runLoops.observers[Int(observer)].isValid { continue }
      runLoops.observers[Int(observer)].isFiring = true
      run.item = observer
      let name = process.kernel.intern(activity.name).index
      let place = runLoops.observers[Int(observer)].place
      process.kernel.record(.observerCalled, thread: thread, object: name, place: place)
      var handler = runLoops.observers[Int(observer)].handler
      let pause = process.callOut(
        &handler, thread, CallOut(what: FindingText.anObserver, place: place),
        argument: Int64(name))
      runLoops.observers[Int(observer)].handler = handler
      return pause
    }
    if let step { go(to: step, frame) }
    return nil
  }

  /// The next item of the list that a run goes through.
  private mutating func nextItem(_ frame: Int32) -> Int32? {
    let snapshot = Int(RunLoopFrame(frame, process.frames).snapshot)
    let next = runLoops.snapshots[snapshot].next
    if next >= runLoops.snapshots[snapshot].items.count { return nil }
    runLoops.snapshots[snapshot].next += 1
    return runLoops.snapshots[snapshot].items[next]
  }

  // MARK: Blocks

  /// Takes all blocks out of the loop; those of the mode are called at `step`.
  mutating func takeBlocks(_ frame: Int32, at step: RunLoopStep) {
    let run = RunLoopFrame(frame, process.frames)
    go(to: step, frame)
    if runLoops.loops[Int(run.loop)].blocks.isEmpty { return }
    let snapshot = Int(run.snapshot)
    runLoops.snapshots[snapshot].blocks = runLoops.loops[Int(run.loop)].blocks
    runLoops.loops[Int(run.loop)].blocks = []
    runLoops.snapshots[snapshot].next = 0
    run.item = -1
  }

  /// Calls the next block; nil when all have been called, and the others are back in the loop.
  ///
  /// Source: __CFRunLoopDoBlocks: what comes meanwhile waits for the next time, and a run inside a
  /// block does not see the others.
  mutating func callBlocks(
    _ frame: Int32, _ thread: Int32, then step: RunLoopStep? = nil
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let snapshot = Int(run.snapshot)
    if run.item >= 0 {
      run.item = -1
      process.endCallOut(thread)
    }
    while runLoops.snapshots[snapshot].next < runLoops.snapshots[snapshot].blocks.count {
      let block = runLoops.snapshots[snapshot].blocks[runLoops.snapshots[snapshot].next]
      runLoops.snapshots[snapshot].next += 1
      if !runLoops.matches(block.modes, run.loop, run.mode) {
        runLoops.snapshots[snapshot].kept.append(block)
        continue
      }
      run.item = 0
      run.flags.insert(.didSomething)
      process.kernel.storage.give(.performs, RunLoopSize.waiting(block.modes))
      process.kernel.record(.blockPerformed, thread: thread, place: block.place)
      return process.callOut(
        block.frame, thread, CallOut(what: FindingText.performedBlock, place: block.place))
    }
    if !runLoops.snapshots[snapshot].blocks.isEmpty {
      let kept = runLoops.snapshots[snapshot].kept
      runLoops.loops[Int(run.loop)].blocks.insert(contentsOf: kept, at: 0)
      runLoops.snapshots[snapshot].kept.removeAll()
      runLoops.snapshots[snapshot].blocks.removeAll(keepingCapacity: true)
    }
    if let step { go(to: step, frame) }
    return nil
  }

  // MARK: Sources

  /// Collects the signalled sources of the mode: by their order, and then by their signals.
  ///
  /// The thread's own source for performs has the order 0. Source: __CFRunLoopDoSources0.
  mutating func collectSources(_ frame: Int32) {
    let run = RunLoopFrame(frame, process.frames)
    let (loop, mode, snapshot) = (run.loop, run.mode, Int(run.snapshot))
    go(to: .sources, frame)
    runLoops.snapshots[snapshot].next = 0
    runLoops.snapshots[snapshot].items.removeAll(keepingCapacity: true)
    run.ticket = runLoops.ticket()
    var found = runLoops.loops[Int(loop)].modes[Int(mode)].signalled
    if let ticket = runLoops.firstPerform(loop, mode, before: run.ticket) {
      found.insert(ItemHeap.Entry(first: 0, second: ticket, item: -1))
    }
    guard let first = found.first else { return }
    // A run that ends with the first one comes to no other.
    runLoops.snapshots[snapshot].items =
      run.flags.contains(.returnsAfterSource) ? [first.item] : found.all.map(\.item)
  }

  /// Calls the next source; nil when all have been called, or one and that is enough.
  mutating func callSources(_ frame: Int32, _ thread: Int32) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      run.item = -1
      process.endCallOut(thread)
      run.flags.insert(.handledSource)
      if run.port == Self.performing {
        run.port = -1
        wakeWaiter(Int32(truncatingIfNeeded: run.value), by: thread)
        if let pause = callPerform(frame, thread) { return pause }
      }
      if run.flags.contains(.returnsAfterSource) {
        takeBlocks(frame, at: .blocksAfterSources)
        return nil
      }
    }
    while let source = nextItem(frame) {
      if source < 0 {
        if let pause = callPerform(frame, thread) { return pause }
        continue
      }
      if !runLoops.sources[Int(source)].isSignalled { continue }
      runLoops.unsignal(source)
      run.item = source
      reportLate(source, run.loop)
      let record = runLoops.sources[Int(source)]
      process.kernel.record(
        .sourcePerformed, thread: thread, object: record.name, place: record.place)
      var handler = record.handler
      let what = CallOut(what: FindingText.source, name: record.name, place: record.place)
      let pause = process.callOut(&handler, thread, what)
      runLoops.sources[Int(source)].handler = handler
      return pause
    }
    if run.flags.contains(.handledSource) {
      takeBlocks(frame, at: .blocksAfterSources)
    } else {
      go(to: .poll, frame)
    }
    return nil
  }

  /// In place of a port while performs are called.
  static let performing: Int64 = -8

  /// Calls the next perform of the mode; nil when none is left that was there when the pass looked.
  private mutating func callPerform(_ frame: Int32, _ thread: Int32) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    guard let perform = runLoops.takePerform(run.loop, run.mode, before: run.ticket) else {
      return nil
    }
    (run.item, run.port, run.value) = (0, Self.performing, Int64(perform.waiter))
    process.kernel.record(.performBegun, thread: thread, place: perform.place)
    return process.callOut(
      perform.frame, thread, CallOut(what: FindingText.whatWasAsked, place: perform.place))
  }

  private mutating func wakeWaiter(_ waiter: Int32, by thread: Int32) {
    if waiter >= 0 { process.kernel.wake(waiter, .granted, by: thread) }
  }

  // MARK: Timers

  /// Calls the next due timer; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoTimers.
  mutating func callTimers(_ frame: Int32, _ thread: Int32) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    if run.item >= 0 {
      let timer = run.item
      run.item = -1
      process.endCallOut(thread)
      runLoops.hasFired(timer, &process.kernel)
      discardHandler(ofTimer: timer)
    }
    while let timer = nextItem(frame) {
      if !runLoops.isStillDue(timer, run.loop, now: process.kernel.now) { continue }
      runLoops.beginFiring(timer)
      runLoops.timers[Int(timer)].wasFired = true
      let record = runLoops.timers[Int(timer)]
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
      runLoops.timers[Int(timer)].handler = handler
      return pause
    }
    runLoops.endTimerPass()
    takeBlocks(frame, at: .lastBlocks)
    return nil
  }

  // MARK: Ports

  /// Calls the handler of the port whose message was taken, if it is still there.
  mutating func beginMessage(_ frame: Int32, _ thread: Int32) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let port = Int(run.port)
    let isThere = runLoops.loops[Int(run.loop)].modes[Int(run.mode)].ports.contains(Int32(port))
    if !isThere || !runLoops.ports[port].isValid {
      takeBlocks(frame, at: .lastBlocks)
      return nil
    }
    run.item = Int32(port)
    go(to: .message, frame)
    let record = runLoops.ports[port]
    process.kernel.record(
      record.isAnswer ? .answerReceived : .messageReceived, thread: thread, object: record.name,
      place: record.place)
    var handler = record.handler
    let what = record.isAnswer ? FindingText.answerOfInput : FindingText.port
    let pause = process.callOut(
      &handler, thread, CallOut(what: what, name: record.name, place: record.place),
      argument: run.value)
    runLoops.ports[port].handler = handler
    return pause
  }

  /// The handler of a port has ended.
  mutating func endMessage(_ frame: Int32, _ thread: Int32) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let port = run.item
    run.item = -1
    process.endCallOut(thread)
    run.flags.insert(.handledSource)
    if runLoops.ports[Int(port)].isAnswer { invalidate(port: port) }
    takeBlocks(frame, at: .lastBlocks)
    return nil
  }
}
