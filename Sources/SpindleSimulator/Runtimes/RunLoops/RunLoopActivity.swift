import SpindleModel

/// One run of a run loop, step by step.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c, CFRunLoopRunSpecific and
/// __CFRunLoopRun; `RunLoopStep` says which step is which.
extension RunLoopRuntime {
  /// How a run is asked for.
  struct RunRequest {
    /// The index of the mode.
    var mode: Int32
    /// When it times out; in the past for one pass only.
    var deadline: Int64
    var returnsAfterSource = false
    var form = RunLoopFrame.Form.code
    /// Whether nobody called it: the main thread's own.
    var isOwn = false
  }

  /// Begins a run on its own thread, in a mode that is not empty.
  mutating func beginRun(
    _ request: RunRequest, of loop: Int32, on thread: Int32, _ threads: inout ThreadRuntime,
    _ process: inout Process
  ) {
    let snapshot = makeSnapshot()
    let frame = process.push(.runLoopRun, registers: RunLoopFrame.size, on: thread)
    let run = RunLoopFrame(frame, process.frames)
    (run.loop, run.mode, run.snapshot) = (loop, request.mode, snapshot)
    run.deadline = request.deadline
    run.value = process.kernel.now
    (run.form, run.item) = (request.form, -1)
    var flags: RunLoopFrame.Flags = [.servedMainQueue]
    if request.returnsAfterSource { flags.insert(.returnsAfterSource) }
    if request.isOwn { flags.insert(.isOwn) }
    if servesMainQueue(loop, request.mode, thread, process) { flags.insert(.servesMainQueue) }
    if loops[Int(loop)].isStopped { flags.insert(.outerWasStopped) }
    if loops[Int(loop)].ignoresWakeUps { flags.insert(.outerIgnoredWakeUps) }
    let isCommon = loops[Int(loop)].modes[Int(request.mode)].isCommon
    if thread == process.mainThread && process.kernel.machine.isDarwin && isCommon && !request.isOwn
    {
      threads.pushPool(thread, &process.kernel)
      flags.insert(.hasPool)
    }
    run.flags = flags
    (run.outerRun, run.outerMode) = (
      loops[Int(loop)].run, loops[Int(loop)].mode
    )
    loops[Int(loop)].run = frame
    loops[Int(loop)].mode = request.mode
    loops[Int(loop)].isStopped = false
    loops[Int(loop)].ignoresWakeUps = false
    loops[Int(loop)].modes[Int(request.mode)].runs += 1
    if !request.isOwn {
      process.kernel.record(
        .runLoopEntered, thread: thread, object: modeName(loop, request.mode),
        place: process.kernel.threads[thread].place)
    }
  }

  /// Goes on with a run whose frame is the innermost.
  mutating func resumeRun(
    _ frame: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime,
    _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> FrameResult {
    while process.outcome == nil {
      guard let step = RunLoopStep(rawValue: process.frames.counter(frame)) else {
        fatalError("a run loop is at no step")
      }
      let pause: FrameResult?
      switch step {
      case .begin: pause = observe(.entry, at: .entryObservers, frame, &process)
      case .entryObservers: pause = callObservers(.entry, frame, thread, then: .start, &process)
      case .start: pause = start(frame, &process)
      case .top:
        loops[Int(RunLoopFrame(frame, process.frames).loop)].ignoresWakeUps = false
        pause = observe(.beforeTimers, at: .beforeTimersObservers, frame, &process)
      case .beforeTimersObservers:
        pause = callObservers(.beforeTimers, frame, thread, then: nil, &process)
        if pause == nil {
          _ = observe(.beforeSources, at: .beforeSourcesObservers, frame, &process)
        }
      case .beforeSourcesObservers:
        pause = callObservers(.beforeSources, frame, thread, then: nil, &process)
        if pause == nil { takeBlocks(frame, at: .firstBlocks, &process) }
      case .firstBlocks:
        pause = callBlocks(frame, thread, &process)
        if pause == nil { collectSources(frame, &process) }
      case .sources: pause = callSources(frame, thread, &process)
      case .blocksAfterSources: pause = callBlocks(frame, thread, then: .poll, &process)
      case .poll: pause = decideToPoll(frame, thread, &dispatch, &process)
      case .beforeWaitingObservers:
        pause = callObservers(.beforeWaiting, frame, thread, then: .sleep, &process)
      case .sleep: pause = sleep(frame, thread, &dispatch, &threads, &process)
      case .wake: pause = wake(frame, thread, &dispatch, &process)
      case .afterWaitingObservers:
        pause = callObservers(.afterWaiting, frame, thread, then: .handle, &process)
      case .handle: pause = handlePort(frame, thread, &dispatch, &process)
      case .timers: pause = callTimers(frame, thread, &process)
      case .message: pause = endMessage(frame, thread, &process)
      case .mainQueue: pause = endMainQueue(frame, thread, &process)
      case .lastBlocks: pause = callBlocks(frame, thread, then: .test, &process)
      case .test: pause = test(frame, &process)
      case .exitObservers: pause = callObservers(.exit, frame, thread, then: .end, &process)
      case .end:
        endRun(frame, thread, &threads, &process)
        return .goOn
      }
      if let pause { return pause }
    }
    return .stopped
  }

  /// The next step.
  func go(to step: RunLoopStep, _ frame: Int32, _ process: borrowing Process) {
    process.frames.setCounter(frame, step.rawValue)
  }

  // MARK: Steps 1 and 2

  private mutating func start(_ frame: Int32, _ process: inout Process) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    if loops[Int(run.loop)].isStopped {
      loops[Int(run.loop)].isStopped = false
      run.result = .stopped
      return observe(.exit, at: .exitObservers, frame, &process)
    }
    if run.deadline <= run.value {
      run.deadline = Int64.min
    } else if run.deadline < Int64.max {
      // The limit is a length, which begins behind the observers of the entry.
      let (later, overflow) = run.deadline.addingReportingOverflow(process.kernel.now - run.value)
      run.deadline = overflow ? Int64.max : later
    }
    go(to: .top, frame, process)
    return nil
  }

  // MARK: Steps 9 to 11

  private mutating func decideToPoll(
    _ frame: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    var flags = run.flags
    if flags.contains(.handledSource) || run.deadline == Int64.min {
      flags.insert(.polls)
    } else {
      flags.remove(.polls)
    }
    if flags.contains(.servesMainQueue) && !flags.contains(.servedMainQueue)
      && mainQueueIsReady(dispatch)
    {
      run.flags = flags
      run.port = Self.mainQueuePort
      loops[Int(run.loop)].ignoresWakeUps = true
      go(to: .handle, frame, process)
      return payForPass(thread, &process)
    }
    flags.remove(.servedMainQueue)
    run.flags = flags
    if flags.contains(.polls) {
      go(to: .sleep, frame, process)
      return nil
    }
    return observe(.beforeWaiting, at: .beforeWaitingObservers, frame, &process)
  }

  private mutating func sleep(
    _ frame: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime,
    _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let (loop, mode) = (run.loop, run.mode)
    run.flags.remove(.hasSlept)
    if !run.flags.contains(.polls) {
      drainPool(of: frame, thread, &threads, &process)
      if thread == process.mainThread && canAnswer(run.loop, run.mode) { process.mainAnswers() }
    }
    take(frame, &dispatch, &process)
    if run.flags.contains(.polls) || run.port != Self.noPort {
      go(to: .wake, frame, process)
      return nil
    }
    let deadline = run.deadline
    run.flags.insert([.hasSlept, .didSomething])
    go(to: .wake, frame, process)
    loops[Int(loop)].sleeps = true
    let until = wakeTime(loop, mode, deadline: deadline, process.kernel)
    let name = canAnswer(loop, mode) ? -1 : modeName(loop, mode)
    process.kernel.block(thread, .runLoop, on: loop, name: name, until: until)
    process.kernel.threads[thread].waitValue = deadline
    return .left
  }

  /// Whether what arrives for the common modes is taken by a run in a mode: touches and drawing are.
  private func canAnswer(_ loop: Int32, _ mode: Int32) -> Bool {
    loops[Int(loop)].modes[Int(mode)].isCommon
  }

  private mutating func wake(
    _ frame: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let (slept, polls) = (run.flags.contains(.hasSlept), run.flags.contains(.polls))
    if slept {
      take(frame, &dispatch, &process)
      recordAwakening(run, thread, &process)
    }
    loops[Int(run.loop)].ignoresWakeUps = true
    if thread == process.mainThread && process.mainBusySince < 0 {
      process.mainBusySince = slept ? process.kernel.threads[thread].since : process.kernel.now
      process.mainWatch.begin()
      process.kernel.mainWait = nil
    }
    if polls {
      go(to: .handle, frame, process)
    } else {
      _ = observe(.afterWaiting, at: .afterWaitingObservers, frame, &process)
    }
    return slept || run.port != Self.noPort ? payForPass(thread, &process) : nil
  }

  /// Notes what a run was woken by; the main thread's own says nothing.
  private func awakening(_ port: Int64) -> RunLoopAwakening {
    switch port {
    case Self.noPort: .limit
    case Self.wakeUpPort: .wakeUp
    case Self.timerPort: .timer
    case Self.mainQueuePort: .mainQueue
    default: .message
    }
  }

  /// Notes what a run was woken by that the program asked for.
  private mutating func recordAwakening(
    _ run: RunLoopFrame, _ thread: Int32, _ process: inout Process
  ) {
    if run.flags.contains(.isOwn) { return }
    process.kernel.record(
      .runLoopAwoke, thread: thread, detail: awakening(run.port).rawValue,
      object: modeName(run.loop, run.mode), place: process.kernel.threads[thread].place)
  }

  /// What a pass costs in which something happens.
  private mutating func payForPass(_ thread: Int32, _ process: inout Process) -> FrameResult? {
    let cost = process.kernel.costs.runLoopPass.rawValue
    if cost == 0 { return nil }
    process.kernel.threads[thread].charge(cost)
    return .computing
  }

  /// Takes what is ready: with a port its first message.
  private mutating func take(
    _ frame: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let run = RunLoopFrame(frame, process.frames)
    let isReady = run.flags.contains(.servesMainQueue) && mainQueueIsReady(dispatch)
    switch takeReady(
      run.loop, run.mode, mainQueueIsReady: isReady, now: process.kernel.now)
    {
    case .none: run.port = Self.noPort
    case .wakeUp: run.port = Self.wakeUpPort
    case .timers: run.port = Self.timerPort
    case .mainQueue: run.port = Self.mainQueuePort
    case .port(let port):
      run.port = Int64(port)
      run.value = takeMessage(port) ?? noValue
    }
  }

  private static let noPort: Int64 = -1
  private static let wakeUpPort: Int64 = -2
  private static let timerPort: Int64 = -3
  private static let mainQueuePort: Int64 = -4

  // MARK: Step 12

  private mutating func handlePort(
    _ frame: Int32, _ thread: Int32, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    switch run.port {
    case Self.noPort, Self.wakeUpPort:
      takeBlocks(frame, at: .lastBlocks, &process)
      return nil
    case Self.timerPort:
      let due = dueTimers(run.loop, run.mode, now: process.kernel.now)
      snapshots[Int(run.snapshot)].items = due
      snapshots[Int(run.snapshot)].next = 0
      beginTimerPass()
      go(to: .timers, frame, process)
      return nil
    case Self.mainQueuePort:
      go(to: .mainQueue, frame, process)
      return beginMainQueue(thread, &dispatch, &process)
    default: return beginMessage(frame, thread, &process)
    }
  }

  private mutating func endMainQueue(_ frame: Int32, _ thread: Int32, _ process: inout Process)
    -> FrameResult?
  {
    endMainQueue(thread, &process)
    let run = RunLoopFrame(frame, process.frames)
    run.flags.insert([.handledSource, .servedMainQueue])
    takeBlocks(frame, at: .lastBlocks, &process)
    return nil
  }

  // MARK: Steps 13 and 14

  private mutating func test(_ frame: Int32, _ process: inout Process) -> FrameResult? {
    let run = RunLoopFrame(frame, process.frames)
    let loop = Int(run.loop)
    let flags = run.flags
    if flags.contains(.handledSource) { run.flags.insert(.didSomething) }
    run.flags.remove(.handledSource)
    if flags.contains(.handledSource) && flags.contains(.returnsAfterSource) {
      run.result = .handledSource
    } else if run.deadline <= process.kernel.now {
      // The library's timer for the limit comes a moment after it, so that at the very moment a
      // timer of the loop still fires, and then the limit counts as reached.
      run.result = .timedOut
    } else if loops[loop].isStopped {
      loops[loop].isStopped = false
      run.result = .stopped
    } else if flags.contains(.changesMode) {
      run.result = .stopped
    } else if isEmpty(run.loop, run.mode, &process) {
      run.result = .finished
    } else {
      go(to: .top, frame, process)
      return nil
    }
    return observe(.exit, at: .exitObservers, frame, &process)
  }

  /// Whether nothing is in a mode that a run of its thread could wait for.
  mutating func isEmpty(_ loop: Int32, _ mode: Int32, _ process: inout Process) -> Bool {
    let serves = servesMainQueue(loop, mode, loops[Int(loop)].thread, process)
    return isEmpty(loop, mode, servesMainQueue: serves)
  }

  private mutating func endRun(
    _ frame: Int32, _ thread: Int32, _ threads: inout ThreadRuntime, _ process: inout Process
  ) {
    let run = RunLoopFrame(frame, process.frames)
    let (loop, mode, result, form) = (run.loop, run.mode, run.result, run.form)
    drainPool(of: frame, thread, &threads, &process)
    let didNothing = run.flags.intersection([.didSomething, .isOwn]).isEmpty
    let (name, place) = (modeName(loop, mode), process.kernel.threads[thread].place)
    noteRun(loop, name, thread, place, didNothing ? .polled : .busy, &process)
    if run.flags.contains(.hasPool) { threads.closeLoopPool(thread, &process.kernel) }
    if !run.flags.contains(.isOwn) {
      process.kernel.record(
        .runLoopLeft, thread: thread, detail: result.ending.rawValue,
        object: modeName(loop, mode), place: process.kernel.threads[thread].place)
    }
    close(frame, &process)
    switch form {
    case .symbol: process.leave(frame, thread, result: symbol(result.name, process))
    case .truth: process.leave(frame, thread, result: 1)
    case .code: process.leave(frame, thread, result: result.rawValue)
    case .limit: process.leave(frame, thread, result: limitDate(loop, mode, &process))
    }
  }

  /// Takes a run off its loop: the run around it is the innermost again.
  mutating func close(_ frame: Int32, _ process: inout Process) {
    let run = RunLoopFrame(frame, process.frames)
    let loop = Int(run.loop)
    loops[loop].run = run.outerRun
    loops[loop].mode = run.outerMode
    loops[loop].isStopped = run.flags.contains(.outerWasStopped)
    loops[loop].ignoresWakeUps = run.flags.contains(.outerIgnoredWakeUps)
    loops[loop].modes[Int(run.mode)].runs -= 1
    loops[loop].modes[Int(run.mode)].lastRun = ticket()
    free(snapshot: run.snapshot)
  }
}
