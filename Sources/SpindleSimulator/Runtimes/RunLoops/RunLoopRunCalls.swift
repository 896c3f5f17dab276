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
    _ activity: RunLoopActivity, at step: RunLoopStep, _ run: RunLoopRun, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    let snapshot = state.snapshot
    snapshots[snapshot].next = 0
    assert(state.callee.isNothing, "run \(run.frame) calls something between steps")
    snapshots[snapshot].observers.empty()
    let (loop, mode) = (state.loop, state.mode)
    if !loops[loop].modes[mode].observers.isEmpty {
      let observers = loops[loop].modes[mode].observers[activity.place].inOrder(self.observers)
      for observer in observers {
        let record = self.observers[observer]
        if record.isValid && !record.isFiring {
          snapshots[snapshot].observers.append(observer)
        }
      }
    }
    go(to: step, run, process)
    return nil
  }

  /// Calls the next of the observers that were collected; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoObservers.
  mutating func callObservers(
    _ activity: RunLoopActivity, _ run: RunLoopRun, then step: RunLoopStep?,
    _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    if case .observer(let observer) = state.callee {
      assert(observers[observer].isFiring, "observer \(observer.raw) was called and did not begin")
      state.callee = .nothing
      process.endCallOut(run.thread)
      observers[observer].isFiring = false
      if !observers[observer].repeats { invalidate(observer: observer, &process) }
      discardHandler(ofObserver: observer, &process)
    }
    while let observer = snapshots[state.snapshot].takeObserver() {
      if !observers[observer].isValid { continue }
      assert(observers[observer].handler.isSet, "observer \(observer.raw) has no handler")
      observers[observer].isFiring = true
      state.callee = .observer(observer)
      let name = process.kernel.intern(activity.name)
      let place = observers[observer].place
      process.kernel.record(.observerCalled, thread: run.thread, object: name.index, place: place)
      var handler = observers[observer].handler
      let pause = process.callOut(
        &handler, run.thread, CallOut(what: FindingText.anObserver, place: place),
        argument: Int64(name.index))
      observers[observer].handler = handler
      return pause
    }
    if let step { go(to: step, run, process) }
    return nil
  }

  // MARK: Blocks

  /// Takes all blocks out of the loop; those of the mode are called at `step`.
  mutating func takeBlocks(_ run: RunLoopRun, at step: RunLoopStep, _ process: inout Process) {
    assert(
      snapshots[run.state(process).snapshot].blocks.isEmpty, "run \(run.frame) has blocks left")
    let state = run.state(process)
    go(to: step, run, process)
    if loops[state.loop].blocks.isEmpty { return }
    let snapshot = state.snapshot
    snapshots[snapshot].blocks = loops[state.loop].blocks
    loops[state.loop].blocks = []
    snapshots[snapshot].next = 0
    state.callee = .nothing
  }

  /// Calls the next block; nil when all have been called, and the others are back in the loop.
  ///
  /// Source: __CFRunLoopDoBlocks: what comes meanwhile waits for the next time, and a run inside a
  /// block does not see the others.
  mutating func callBlocks(
    _ run: RunLoopRun, then step: RunLoopStep? = nil, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    let snapshot = state.snapshot
    if case .block = state.callee {
      state.callee = .nothing
      process.endCallOut(run.thread)
    }
    while let block = snapshots[snapshot].takeBlock() {
      if !matches(block.modes, state.loop, state.mode) {
        snapshots[snapshot].kept.append(block)
        continue
      }
      state.callee = .block
      state.flags.insert(.didSomething)
      process.kernel.storage.give(.performs, RunLoopSize.waiting(block.modes))
      process.kernel.record(.blockPerformed, thread: run.thread, place: block.place)
      return process.callOut(
        block.frame, run.thread, CallOut(what: FindingText.performedBlock, place: block.place))
    }
    if !snapshots[snapshot].blocks.isEmpty {
      let kept = snapshots[snapshot].kept
      assert(
        snapshots[snapshot].next == snapshots[snapshot].blocks.count,
        "run \(run.frame) is through with its blocks after \(snapshots[snapshot].next)")
      loops[state.loop].blocks.insert(contentsOf: kept, at: 0)
      snapshots[snapshot].kept.removeAll()
      snapshots[snapshot].blocks.removeAll(keepingCapacity: true)
    }
    if let step { go(to: step, run, process) }
    return nil
  }

  // MARK: Sources

  /// Collects the signalled sources of the mode: by their order, and then by their signals.
  ///
  /// The thread's own source for performs has the order 0. Source: __CFRunLoopDoSources0.
  mutating func collectSources(_ run: RunLoopRun, _ process: inout Process) {
    assert(run.state(process).callee.isNothing, "run \(run.frame) calls something between steps")
    let state = run.state(process)
    let (loop, mode, snapshot) = (state.loop, state.mode, state.snapshot)
    go(to: .sources, run, process)
    snapshots[snapshot].next = 0
    snapshots[snapshot].signals.empty()
    state.ticket = self.ticket()
    if loops[loop].modes[mode].signalled.isEmpty && !loops[loop].modes[mode].takesPerforms {
      return
    }
    var found = loops[loop].modes[mode].signalled
    if let ticket = firstPerform(loop, mode, before: state.ticket) {
      found.insert(RunLoopHeap.Entry(first: 0, second: ticket, item: Self.performs))
    }
    guard let first = found.first else { return }
    // A run that ends with the first one comes to no other.
    let sources = state.flags.contains(.returnsAfterSource) ? [first] : found.all
    snapshots[snapshot].signals = sources.map { source in
      source.item == Self.performs ? .performs : .source(source.item)
    }
  }

  /// Calls the next source; nil when all have been called, or one and that is enough.
  mutating func callSources(_ run: RunLoopRun, _ process: inout Process)
    -> FrameResult?
  {
    let state = run.state(process)
    let ended = state.callee
    if !ended.isNothing {
      state.callee = .nothing
      process.endCallOut(run.thread)
      state.flags.insert(.handledSource)
      if case .perform(let waiter) = ended {
        if !waiter.isNone { process.kernel.wake(waiter, .granted, by: run.thread) }
        if let pause = callPerform(run, &process) { return pause }
      }
      if state.flags.contains(.returnsAfterSource) {
        takeBlocks(run, at: .blocksAfterSources, &process)
        return nil
      }
    }
    while let signal = snapshots[state.snapshot].takeSignal() {
      guard case .source(let source) = signal else {
        if let pause = callPerform(run, &process) { return pause }
        continue
      }
      if !sources[source].isSignalled { continue }
      unsignal(source)
      state.callee = .source(source)
      assert(sources[source].isValid, "source \(source.raw) is performed and not valid")
      reportLate(source, state.loop, &process)
      let record = sources[source]
      process.kernel.record(
        .sourcePerformed, thread: run.thread, object: record.name.index, place: record.place)
      var handler = record.handler
      let what = CallOut(what: FindingText.source, name: record.name.index, place: record.place)
      let pause = process.callOut(&handler, run.thread, what)
      sources[source].handler = handler
      return pause
    }
    if state.flags.contains(.handledSource) {
      takeBlocks(run, at: .blocksAfterSources, &process)
    } else {
      go(to: .poll, run, process)
    }
    return nil
  }

  /// Stands among the sources for the thread's own, through which it is asked to perform things.
  private static let performs = RunLoopSource.Index.none

  /// Calls the next perform of the mode; nil when none is left that was there when the pass looked.
  private mutating func callPerform(_ run: RunLoopRun, _ process: inout Process)
    -> FrameResult?
  {
    let state = run.state(process)
    guard let perform = takePerform(state.loop, state.mode, before: state.ticket) else {
      return nil
    }
    assert(
      matches(perform.modes, state.loop, state.mode),
      "something is performed in mode \(state.mode.raw), for which it was not asked")
    state.callee = .perform(waiter: perform.waiter)
    process.kernel.record(.performBegun, thread: run.thread, place: perform.place)
    return process.callOut(
      perform.frame, run.thread, CallOut(what: FindingText.whatWasAsked, place: perform.place))
  }

  // MARK: Timers

  /// Calls the next due timer; nil when all have been called.
  ///
  /// Source: __CFRunLoopDoTimers.
  mutating func callTimers(_ run: RunLoopRun, _ process: inout Process)
    -> FrameResult?
  {
    let state = run.state(process)
    if case .timer(let timer) = state.callee {
      state.callee = .nothing
      process.endCallOut(run.thread)
      hasFired(timer, &process.kernel)
      discardHandler(ofTimer: timer, &process)
    }
    while let timer = snapshots[state.snapshot].takeTimer() {
      if !isStillDue(timer, state.loop, now: process.kernel.now) { continue }
      assert(
        timers[timer].modes.contains(state.mode) || timers[timer].wasFired,
        "timer \(timer.raw) fires in mode \(state.mode.raw), in which it never was")
      beginFiring(timer)
      timers[timer].wasFired = true
      let (name, place) = (timers[timer].name.index, timers[timer].place)
      state.callee = .timer(timer)
      state.flags.insert(.didSomething)
      process.kernel.record(
        .timerFired, thread: run.thread, object: name, place: place,
        value: process.kernel.now - timers[timer].fire)
      var handler = timers[timer].handler
      let what = timers[timer].isPerform ? FindingText.delayedPerform : FindingText.timer
      let pause = process.callOut(
        &handler, run.thread, CallOut(what: what, name: name, place: place),
        argument: timer.register)
      timers[timer].handler = handler
      return pause
    }
    endTimerPass()
    takeBlocks(run, at: .lastBlocks, &process)
    return nil
  }

  // MARK: Ports

  /// Calls the handler of the port whose message was taken, if it is still there.
  mutating func beginMessage(
    of port: RunLoopPort.Index, _ run: RunLoopRun, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    let isThere = loops[state.loop].modes[state.mode].ports.contains(port)
    assert(state.callee.isNothing, "run \(run.frame) calls something and takes a message")
    if !isThere || !ports[port].isValid {
      takeBlocks(run, at: .lastBlocks, &process)
      return nil
    }
    state.callee = .port(port)
    go(to: .message, run, process)
    let record = ports[port]
    process.kernel.record(
      record.isAnswer ? .answerReceived : .messageReceived, thread: run.thread,
      object: record.name.index,
      place: record.place)
    var handler = record.handler
    let what = record.isAnswer ? FindingText.answerOfInput : FindingText.port
    let pause = process.callOut(
      &handler, run.thread, CallOut(what: what, name: record.name.index, place: record.place),
      argument: state.message)
    ports[port].handler = handler
    return pause
  }

  /// The handler of a port has ended.
  mutating func endMessage(_ run: RunLoopRun, _ process: inout Process)
    -> FrameResult?
  {
    let state = run.state(process)
    guard case .port(let port) = state.callee else {
      fatalError("a message of no port was handled, but \(state.callee)")
    }
    state.callee = .nothing
    process.endCallOut(run.thread)
    state.flags.insert(.handledSource)
    if ports[port].isAnswer { invalidate(port: port, &process) }
    takeBlocks(run, at: .lastBlocks, &process)
    return nil
  }
}
