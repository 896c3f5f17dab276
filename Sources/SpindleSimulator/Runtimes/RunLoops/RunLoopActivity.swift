import SpindleModel

/// One run of a run loop, step by step.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c, CFRunLoopRunSpecific and
/// __CFRunLoopRun; `RunLoopStep` says which step is which.
extension RunLoopRuntime {
  /// How a run is asked for.
  struct RunRequest {
    /// The index of the mode.
    var mode: RunLoopMode.Index
    /// When it times out; in the past for one pass only.
    var deadline: Int64
    var returnsAfterSource = false
    var form = RunLoopFrame.Form.code
    /// Whether nobody called it: the main thread's own.
    var isOwn = false
  }

  /// Begins a run on its own thread, in a mode that is not empty.
  mutating func beginRun(
    _ request: RunRequest, of loop: RunLoop.Index, on thread: ThreadID,
    _ threads: inout ThreadRuntime,
    _ process: inout Process
  ) {
    demand(
      loops[loop].thread == thread && !request.mode.isNone,
      "thread \(thread.index) runs the loop of thread \(loops[loop].thread.index) in mode \(request.mode.raw)"
    )
    let snapshot = snapshots.add(RunLoopSnapshot())
    let frame = process.push(.runLoopRun, registers: RunLoopFrame.size, on: thread)
    let state = RunLoopFrame(frame, process.frames)
    (state.loop, state.mode, state.snapshot) = (loop, request.mode, snapshot)
    state.deadline = request.deadline
    state.begun = process.kernel.now
    (state.form, state.callee) = (request.form, .nothing)
    var flags: RunLoopFrame.Flags = [.servedMainQueue]
    if request.returnsAfterSource { flags.insert(.returnsAfterSource) }
    if request.isOwn { flags.insert(.isOwn) }
    if servesMainQueue(loop, request.mode, on: thread, process) { flags.insert(.servesMainQueue) }
    if loops[loop].isStopped { flags.insert(.outerWasStopped) }
    if loops[loop].ignoresWakeUps { flags.insert(.outerIgnoredWakeUps) }
    let isCommon = loops[loop].modes[request.mode].isCommon
    if thread == process.mainThread && process.kernel.machine.isDarwin && isCommon && !request.isOwn
    {
      threads.pushPool(thread, &process.kernel)
      flags.insert(.hasPool)
    }
    state.flags = flags
    state.outerRun = loops[loop].run
    loops[loop].run = frame
    loops[loop].mode = request.mode
    loops[loop].isStopped = false
    loops[loop].ignoresWakeUps = false
    loops[loop].modes[request.mode].runs += 1
    if !request.isOwn {
      process.kernel.record(
        .runLoopEntered, thread: thread, object: modeName(loop, request.mode).index,
        place: process.kernel.threads[thread].place)
    }
  }

  /// Goes on with a run whose frame is the innermost.
  mutating func resumeRun(
    _ frame: FrameIndex, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> FrameResult {
    let run = RunLoopRun(frame: frame, thread: thread)
    while process.outcome == nil {
      let pause: FrameResult?
      switch run.step(process) {
      case .begin: pause = observe(.entry, at: .entryObservers, run, &process)
      case .entryObservers: pause = callObservers(.entry, run, then: .start, &process)
      case .start: pause = start(run, &process)
      case .top:
        loops[run.state(process).loop].ignoresWakeUps = false
        pause = observe(.beforeTimers, at: .beforeTimersObservers, run, &process)
      case .beforeTimersObservers:
        pause = callObservers(.beforeTimers, run, then: nil, &process)
        if pause == nil {
          _ = observe(.beforeSources, at: .beforeSourcesObservers, run, &process)
        }
      case .beforeSourcesObservers:
        pause = callObservers(.beforeSources, run, then: nil, &process)
        if pause == nil { takeBlocks(run, at: .firstBlocks, &process) }
      case .firstBlocks:
        pause = callBlocks(run, &process)
        if pause == nil { collectSources(run, &process) }
      case .sources: pause = callSources(run, &process)
      case .blocksAfterSources: pause = callBlocks(run, then: .poll, &process)
      case .poll: pause = decideToPoll(run, &dispatch, &process)
      case .beforeWaitingObservers:
        pause = callObservers(.beforeWaiting, run, then: .sleep, &process)
      case .sleep: pause = sleep(run, &dispatch, &threads, &process)
      case .wake: pause = wake(run, &dispatch, &process)
      case .afterWaitingObservers:
        pause = callObservers(.afterWaiting, run, then: .handle, &process)
      case .handle: pause = handlePort(run, &dispatch, &process)
      case .timers: pause = callTimers(run, &process)
      case .message: pause = endMessage(run, &process)
      case .mainQueue: pause = endMainQueue(run, &process)
      case .lastBlocks: pause = callBlocks(run, then: .test, &process)
      case .test: pause = test(run, &process)
      case .exitObservers: pause = callObservers(.exit, run, then: .end, &process)
      case .end:
        endRun(run, &threads, &process)
        return .goOn
      }
      if let pause { return pause }
      // What a handler alone held dies before the loop goes on.
      if process.lives.hasDying { return .goOn }
    }
    return .stopped
  }

  /// The next step.
  func go(to step: RunLoopStep, _ run: RunLoopRun, _ process: borrowing Process) {
    process.frames.setCounter(run.frame, step.rawValue)
  }

  // MARK: Steps 1 and 2

  private mutating func start(_ run: RunLoopRun, _ process: inout Process) -> FrameResult? {
    let state = run.state(process)
    if loops[state.loop].isStopped {
      loops[state.loop].isStopped = false
      state.result = .stopped
      return observe(.exit, at: .exitObservers, run, &process)
    }
    if state.deadline <= state.begun {
      state.deadline = Int64.min
    } else if state.deadline < Int64.max {
      // The limit is a length, which begins behind the observers of the entry.
      let (later, overflow) = state.deadline.addingReportingOverflow(
        process.kernel.now - state.begun)
      state.deadline = overflow ? Int64.max : later
    }
    go(to: .top, run, process)
    return nil
  }

  // MARK: Steps 9 to 11

  private mutating func decideToPoll(
    _ run: RunLoopRun, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    var flags = state.flags
    assert(
      loops[state.loop].run == run.frame, "run \(run.frame) decides, and is not the innermost")
    if flags.contains(.handledSource) || state.deadline == Int64.min {
      flags.insert(.polls)
    } else {
      flags.remove(.polls)
    }
    if flags.contains(.servesMainQueue) && !flags.contains(.servedMainQueue)
      && mainQueueIsReady(dispatch)
    {
      state.flags = flags
      state.port = .mainQueue
      loops[state.loop].ignoresWakeUps = true
      go(to: .handle, run, process)
      return payForPass(run.thread, &process)
    }
    flags.remove(.servedMainQueue)
    state.flags = flags
    if flags.contains(.polls) {
      go(to: .sleep, run, process)
      return nil
    }
    return observe(.beforeWaiting, at: .beforeWaitingObservers, run, &process)
  }

  private mutating func sleep(
    _ run: RunLoopRun, _ dispatch: inout DispatchRuntime,
    _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    let (loop, mode, thread) = (state.loop, state.mode, run.thread)
    state.flags.remove(.hasSlept)
    if !state.flags.contains(.polls) {
      drainPool(of: run, &threads, &process)
    }
    take(run, &dispatch, &process)
    if state.flags.contains(.polls) || state.isReady {
      go(to: .wake, run, process)
      return nil
    }
    // As the reports see it: with more to do the loop does not sleep, and the stall goes on.
    if thread == process.mainThread && loops.isCommon(loop, mode) { process.mainAnswers() }
    let deadline = state.deadline
    state.flags.insert([.hasSlept, .didSomething])
    go(to: .wake, run, process)
    demand(
      !loops[loop].sleeps && loops[loop].run == run.frame,
      "run \(run.frame) sleeps in loop \(loop.raw), and \(loops[loop].run) is the innermost")
    loops[loop].sleeps = true
    let isDarwin = process.kernel.machine.isDarwin
    let until = loops.wakeTime(loop, mode, deadline: deadline, isDarwin: isDarwin)
    let name = loops.isCommon(loop, mode) ? NameID.none : loops.modeName(loop, mode)
    process.kernel.block(thread, .runLoop, on: loop.raw, name: name.index, until: until)
    process.kernel.threads.at(thread).setWaitValue(deadline)
    return .left
  }

  private mutating func wake(
    _ run: RunLoopRun, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    let thread = run.thread
    demand(!loops[state.loop].sleeps, "loop \(state.loop.raw) goes on and sleeps")
    let (slept, polls) = (state.flags.contains(.hasSlept), state.flags.contains(.polls))
    if slept {
      take(run, &dispatch, &process)
      recordAwakening(run, &process)
    }
    loops[state.loop].ignoresWakeUps = true
    if thread == process.mainThread && process.mainBusySince < 0 {
      process.mainBusySince = slept ? process.kernel.threads[thread].since : process.kernel.now
      process.mainStallWatch.begin()
      process.kernel.forgetMainWaits()
    }
    if polls {
      go(to: .handle, run, process)
    } else {
      _ = observe(.afterWaiting, at: .afterWaitingObservers, run, &process)
    }
    return slept || state.isReady ? payForPass(thread, &process) : nil
  }

  /// Notes what a run was woken by; the main thread's own says nothing.
  private func awakening(_ port: RunLoopReadyPort) -> RunLoopAwakening {
    switch port {
    case .none: .limit
    case .wakeUp: .wakeUp
    case .timers: .timer
    case .mainQueue: .mainQueue
    case .port: .message
    }
  }

  /// Notes what a run was woken by that the program asked for.
  private mutating func recordAwakening(
    _ run: RunLoopRun, _ process: inout Process
  ) {
    let state = run.state(process)
    if state.flags.contains(.isOwn) { return }
    process.kernel.record(
      .runLoopAwoke, thread: run.thread, detail: awakening(state.port).rawValue,
      object: loops.modeName(state.loop, state.mode).index,
      place: process.kernel.threads[run.thread].place)
  }

  /// What a pass costs in which something happens.
  private mutating func payForPass(_ thread: ThreadID, _ process: inout Process) -> FrameResult? {
    let cost = process.kernel.costs.runLoopPass.rawValue
    if cost == 0 { return nil }
    process.kernel.threads.at(thread).charge(cost)
    return .computing
  }

  /// Takes what is ready: with a port its first message.
  private mutating func take(
    _ run: RunLoopRun, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let state = run.state(process)
    let isReady = state.flags.contains(.servesMainQueue) && mainQueueIsReady(dispatch)
    let taken = takeReady(
      state.loop, state.mode, mainQueueIsReady: isReady, now: process.kernel.now)
    assert(!loops[state.loop].sleeps, "loop \(state.loop.raw) takes what is ready and sleeps")
    state.port = taken
    if case .port(let port) = taken { state.message = takeMessage(port) ?? noValue }
  }

  // MARK: Step 12

  private mutating func handlePort(
    _ run: RunLoopRun, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let state = run.state(process)
    switch state.port {
    case .none, .wakeUp:
      takeBlocks(run, at: .lastBlocks, &process)
      return nil
    case .timers:
      collectTimers(state.loop, state.mode, state.snapshot, now: process.kernel.now)
      beginTimerPass()
      go(to: .timers, run, process)
      return nil
    case .mainQueue:
      go(to: .mainQueue, run, process)
      return beginMainQueue(run.thread, &dispatch, &process)
    case .port(let port): return beginMessage(of: port, run, &process)
    }
  }

  private mutating func endMainQueue(_ run: RunLoopRun, _ process: inout Process)
    -> FrameResult?
  {
    endMainQueue(run.thread, &process)
    let state = run.state(process)
    state.flags.insert([.handledSource, .servedMainQueue])
    takeBlocks(run, at: .lastBlocks, &process)
    return nil
  }

  // MARK: Steps 13 and 14

  private mutating func test(_ run: RunLoopRun, _ process: inout Process) -> FrameResult? {
    let state = run.state(process)
    let loop = state.loop
    let flags = state.flags
    assert(
      snapshots[state.snapshot].blocks.isEmpty, "run \(run.frame) has blocks left behind a pass")
    if flags.contains(.handledSource) { state.flags.insert(.didSomething) }
    state.flags.remove(.handledSource)
    if flags.contains(.handledSource) && flags.contains(.returnsAfterSource) {
      state.result = .handledSource
    } else if state.deadline <= process.kernel.now {
      // The library's timer for the limit comes a moment after it, so that at the very moment a
      // timer of the loop still fires, and then the limit counts as reached.
      state.result = .timedOut
    } else if loops[loop].isStopped {
      loops[loop].isStopped = false
      state.result = .stopped
    } else if flags.contains(.changesMode) {
      state.result = .stopped
    } else if isEmpty(state.loop, state.mode, &process) {
      state.result = .finished
    } else {
      go(to: .top, run, process)
      return nil
    }
    return observe(.exit, at: .exitObservers, run, &process)
  }

  /// Whether nothing is in a mode that a run of its thread could wait for.
  mutating func isEmpty(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, _ process: inout Process
  ) -> Bool {
    let serves = servesMainQueue(loop, mode, on: loops[loop].thread, process)
    return loops.isEmpty(loop, mode, servesMainQueue: serves, common: commonName)
  }

  private mutating func endRun(
    _ run: RunLoopRun, _ threads: inout ThreadRuntime, _ process: inout Process
  ) {
    let state = run.state(process)
    let (frame, thread) = (run.frame, run.thread)
    let (loop, mode, result, form) = (state.loop, state.mode, state.result, state.form)
    assert(state.callee.isNothing, "run \(frame) ends and calls something")
    drainPool(of: run, &threads, &process)
    let didNothing = state.flags.intersection([.didSomething, .isOwn]).isEmpty
    let (name, place) = (modeName(loop, mode), process.kernel.threads[thread].place)
    noteRun(loop, name, by: thread, at: place, didNothing ? .polled : .busy, &process)
    if state.flags.contains(.hasPool) { threads.closeLoopPool(thread, &process.kernel) }
    if !state.flags.contains(.isOwn) {
      process.kernel.record(
        .runLoopLeft, thread: thread, detail: result.ending.rawValue,
        object: name.index, place: process.kernel.threads[thread].place)
    }
    close(run, &process)
    switch form {
    case .symbol: process.leave(frame, thread, result: symbol(result.name, process))
    case .truth: process.leave(frame, thread, result: 1)
    case .code: process.leave(frame, thread, result: result.rawValue)
    case .limit: process.leave(frame, thread, result: limitDate(loop, mode, &process))
    }
  }

  /// Takes a run off its loop: the run around it is the innermost again.
  mutating func close(_ run: RunLoopRun, _ process: inout Process) {
    let state = run.state(process)
    let (loop, outer) = (state.loop, state.outerRun)
    demand(
      loops[loop].run == run.frame && loops[loop].mode == state.mode,
      "run \(run.frame) of loop \(loop.raw) ends, and \(loops[loop].run) is the innermost")
    demand(
      loops[loop].modes[state.mode].runs > 0,
      "a run ends in mode \(state.mode.raw) of loop \(loop.raw), where none began")
    loops[loop].run = outer
    loops[loop].lostStop = -1
    loops[loop].mode = outer.isNone ? .none : RunLoopFrame(outer, process.frames).mode
    loops[loop].isStopped = state.flags.contains(.outerWasStopped)
    loops[loop].ignoresWakeUps = state.flags.contains(.outerIgnoredWakeUps)
    loops[loop].modes[state.mode].runs -= 1
    loops[loop].modes[state.mode].lastRun = ticket()
    snapshots.free(state.snapshot, leaving: RunLoopSnapshot())
  }
}
