import SpindleModel

/// Run loops: running them, stopping and waking them, and what they are asked for.
extension Interpreter {
  mutating func runLoop(_ primitive: RunLoopPrimitive, _ call: Call) -> CallResult {
    switch primitive {
    case .main:
      if process.mainThread < 0 { makeMain() }
      process.give(process.handle(process.mainThread), call)
    case .ofThread: process.give(process.argument(0, call), call)
    case .run: return repeatRuns(.run, process.argument(0, call), Int64.max, call)
    case .runUntil:
      return repeatRuns(.runUntil, process.argument(0, call), process.argument(1, call), call)
    case .runCF: return repeatRuns(.runCF, process.handle(call.thread), Int64.max, call)
    case .runMode: return runMode(call)
    case .runInMode: return runInMode(call)
    case .limitDate: return askLimitDate(call)
    case .currentMode:
      let loop = loop(process.argument(0, call))
      let mode = loop.map { runLoops.loops[Int($0)].mode } ?? -1
      process.give(noValue, call)
      if let loop, mode >= 0 { process.give(Int64(modeName(loop, mode)), call) }
    case .stop: stop(call)
    case .wakeUp: wakeUp(call)
    case .addCommonMode:
      guard let loop = loop(process.argument(0, call)) else { return .next }
      makeCommon(Int32(truncatingIfNeeded: process.argument(1, call)), loop, call)
    case .add: return addItem(call)
    case .remove: return removeItem(call)
    case .perform: return performBlock(call)
    case .observe: return observe(call)
    case .track: return track(call)
    case .performOnThread: return performOnThread(call)
    case .performAfterDelay: return performLater(call)
    case .cancelPerforms: return cancelPerforms(call)
    case .io: return startInput(call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: RunLoopPrimitive, _ call: Call) -> Int64 {
    let costs = process.kernel.costs
    switch primitive {
    case .run, .runUntil, .runMode, .runCF, .runInMode, .limitDate:
      return costs.runLoopRun.rawValue
    case .stop, .wakeUp: return wakeCost(ofLoop: process.argument(0, call))
    case .performOnThread:
      return costs.enqueue.rawValue + wakeCost(ofLoop: process.argument(0, call))
    case .io: return costs.systemCall.rawValue
    case .main, .ofThread, .currentMode, .addCommonMode, .add, .remove, .perform, .observe, .track,
      .performAfterDelay, .cancelPerforms:
      return 0
    }
  }

  /// The loop that a handle names: that of its thread; nil when the thread has ended.
  mutating func loop(_ handle: Int64) -> Int32? {
    guard let thread = process.resolve(handle), process.kernel.threads[thread].state != .finished
    else {
      return nil
    }
    return runLoops.loop(of: thread, &process.kernel)
  }

  /// The loop that a handle names, if the calling thread may run it.
  ///
  /// Another thread's is not run, and the call returns at once.
  /// Source: swift-corelibs-foundation:Sources/Foundation/RunLoop.swift.
  private mutating func ownLoop(_ handle: Int64, _ call: Call) -> Int32? {
    if process.resolve(handle) == call.thread {
      return runLoops.loop(of: call.thread, &process.kernel)
    }
    let owner = process.resolve(handle).map { process.kernel.name(of: $0) }
    ignored(FindingText.ignoredRun(ofLoopOf: owner, by: process.kernel.name(of: call.thread)), call)
    return nil
  }

  /// Reports a call that the real library takes without a word, and does nothing.
  mutating func ignored(_ why: String, _ call: Call) {
    let place = Int32(truncatingIfNeeded: call.counter)
    if !runLoops.told.insert(Int64(place) << 8 | 1).inserted { return }
    process.kernel.report(
      .ignoredByRunLoop, thread: call.thread, places: [place],
      FindingText.ignoredByRunLoop(why))
  }

  // MARK: Running

  /// The index of a mode in which a run can begin; nil when it would find nothing.
  private mutating func runnable(_ loop: Int32, _ name: Int64, _ call: Call) -> Int32? {
    let mode = Int32(truncatingIfNeeded: name)
    if runLoops.isCommonModes(mode, process.kernel.names) {
      ignored(FindingText.ignoredCommonModes, call)
      return nil
    }
    guard let index = runLoops.knownMode(mode, of: loop, process.kernel), !isEmpty(loop, index)
    else {
      let place = Int32(truncatingIfNeeded: call.counter)
      process.kernel.record(
        .runLoopLeft, thread: call.thread, detail: RunLoopEnding.nothingInMode.rawValue,
        object: mode, place: place)
      noteRun(loop, mode, call.thread, place, .empty)
      return nil
    }
    return index
  }

  private mutating func runMode(_ call: Call) -> CallResult {
    guard let loop = ownLoop(process.argument(0, call), call),
      let mode = runnable(loop, process.argument(1, call), call)
    else {
      process.give(false, call)
      return .next
    }
    let request = RunRequest(
      mode: mode, deadline: process.argument(2, call), returnsAfterSource: true, form: .truth)
    beginRun(request, of: loop, on: call.thread)
    return .entered
  }

  private mutating func runInMode(_ call: Call) -> CallResult {
    let loop = runLoops.loop(of: call.thread, &process.kernel)
    guard let mode = runnable(loop, process.argument(0, call), call) else {
      process.give(symbol(RunLoopResult.finished.name), call)
      return .next
    }
    let (deadline, overflow) = process.kernel.now.addingReportingOverflow(process.argument(1, call))
    let request = RunRequest(
      mode: mode, deadline: overflow ? Int64.max : deadline,
      returnsAfterSource: process.argument(2, call) != 0, form: .symbol)
    beginRun(request, of: loop, on: call.thread)
    return .entered
  }

  /// `limitDate(forMode:)`: one pass without a sleep, and then the date of the next timer.
  private mutating func askLimitDate(_ call: Call) -> CallResult {
    let name = Int32(truncatingIfNeeded: process.argument(1, call))
    guard let loop = ownLoop(process.argument(0, call), call),
      let mode = runLoops.knownMode(name, of: loop, process.kernel), !isEmpty(loop, mode)
    else {
      process.give(noValue, call)
      return .next
    }
    let request = RunRequest(
      mode: mode, deadline: Int64.min, returnsAfterSource: true, form: .limit)
    beginRun(request, of: loop, on: call.thread)
    return .entered
  }

  private mutating func stop(_ call: Call) {
    guard let loop = loop(process.argument(0, call)), runLoops.loops[Int(loop)].run >= 0 else {
      return
    }
    runLoops.loops[Int(loop)].isStopped = true
    process.kernel.record(
      .runLoopStopped, thread: call.thread, other: runLoops.loops[Int(loop)].thread,
      place: Int32(truncatingIfNeeded: call.counter))
    runLoops.forgetSleep(of: loop)
    runLoops.wakeUp(loop, by: call.thread, &process.kernel)
  }

  private mutating func wakeUp(_ call: Call) {
    guard let loop = loop(process.argument(0, call)) else { return }
    let owner = runLoops.loops[Int(loop)].thread
    let stranger = stranger(owner)
    let ignored = runLoops.ignoresWakeUps(loop)
    process.kernel.record(
      .runLoopWoken, thread: call.thread,
      detail: stranger.mention.union(ignored ? .ignoresWakeUp : []).rawValue, other: owner,
      place: Int32(truncatingIfNeeded: call.counter), value: stranger.name)
    runLoops.forgetSleep(of: loop)
    runLoops.wakeUp(loop, by: call.thread, &process.kernel)
  }

  /// `CFRunLoopAddCommonMode`.
  private mutating func makeCommon(_ mode: Int32, _ loop: Int32, _ call: Call) {
    let owner = runLoops.loops[Int(loop)].thread
    let stranger = stranger(owner)
    process.kernel.record(
      .commonModeAdded, thread: call.thread, detail: stranger.mention.rawValue, object: mode,
      other: owner, place: Int32(truncatingIfNeeded: call.counter), value: stranger.name)
    runLoops.makeCommon(mode, of: loop, &process.kernel)
  }

  // MARK: Runs that are repeated

  /// What repeats a run; the raw values are in a register of its frame.
  enum Repetition: Int64 {
    /// `run()`: as long as there is anything in the mode.
    case run
    /// `run(until:)`: until its date too.
    case runUntil
    /// `CFRunLoopRun()`: until it is stopped too.
    case runCF
    /// The main thread's own: for ever.
    case main
  }

  private mutating func repeatRuns(
    _ repetition: Repetition, _ handle: Int64, _ deadline: Int64, _ call: Call
  ) -> CallResult {
    guard let loop = ownLoop(handle, call) else { return .next }
    let name = Int64(WellKnownName.default.id.index)
    if runnable(loop, name, call) == nil { return .next }
    pushRepetition(repetition, loop, deadline, on: call.thread)
    return .entered
  }

  private mutating func pushRepetition(
    _ repetition: Repetition, _ loop: Int32, _ deadline: Int64, on thread: Int32
  ) {
    let frame = process.push(.runLoopRepeat, registers: 3, on: thread)
    let registers = process.frames.registers(frame)
    (registers[0], registers[1], registers[2]) = (repetition.rawValue, deadline, Int64(loop))
  }

  /// The main thread of an app serves its loop from now on.
  mutating func enterMainLoop(_ thread: Int32) {
    process.mainBusySince = process.kernel.now
    process.mainWatch.begin()
    process.mainWatch.ownCode = nil
    let loop = runLoops.loop(of: thread, &process.kernel)
    pushRepetition(.main, loop, Int64.max, on: thread)
  }

  /// Goes on with repeated runs: begins another one, or returns.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/RunLoop.swift; CFRunLoop.c, CFRunLoopRun.
  mutating func resumeRepetition(_ frame: Int32, _ thread: Int32) -> FrameResult {
    let registers = process.frames.registers(frame)
    let (deadline, loop) = (registers[1], Int32(truncatingIfNeeded: registers[2]))
    let repetition = Repetition(rawValue: registers[0]) ?? .run
    let result =
      process.frames.counter(frame) == 0 ? nil : RunLoopResult(rawValue: process.worldResult)
    process.frames.setCounter(frame, 1)
    var request = RunRequest(mode: 0, deadline: deadline)
    switch repetition {
    case .run, .runUntil:
      if result != nil && (isEmpty(loop, 0) || deadline <= process.kernel.now) { break }
      request.returnsAfterSource = true
      beginRun(request, of: loop, on: thread)
      return .goOn
    case .runCF:
      if result == .stopped || result == .finished { break }
      beginRun(request, of: loop, on: thread)
      return .goOn
    case .main:
      let isTracking = runLoops.trackingUntil > process.kernel.now
      if isTracking { request.mode = runLoops.mode(trackingMode, of: loop, process.kernel) }
      request.isOwn = true
      beginRun(request, of: loop, on: thread)
      return .goOn
    }
    process.leave(frame, thread, result: noResult)
    return .goOn
  }

  /// Lets go of a run whose thread exits: what it had taken out of the loop waits in it again.
  mutating func abandonRun(_ frame: Int32, _ thread: Int32) {
    let run = RunLoopFrame(frame, process.frames)
    if process.frames.counter(frame) == RunLoopStep.timers.rawValue { runLoops.endTimerPass() }
    if process.frames.counter(frame) == RunLoopStep.sources.rawValue && run.item >= 0
      && run.port == Self.performing && run.value >= 0
    {
      process.crash(Self.exitedTarget, Int32(truncatingIfNeeded: run.value))
    }
    let snapshot = runLoops.snapshots[Int(run.snapshot)]
    if !snapshot.blocks.isEmpty {
      let left = snapshot.kept + snapshot.blocks[snapshot.next...]
      runLoops.loops[Int(run.loop)].blocks.insert(contentsOf: left, at: 0)
    }
    if thread == process.mainThread { process.mainWatch.removeAll() }
    close(frame)
  }

  // MARK: Tracking

  /// The mode of the main loop while a finger is down, or a mouse button.
  private var trackingMode: Int32 {
    process.kernel.intern(process.kernel.machine.platform == .macOS ? "eventTracking" : "tracking")
      .index
  }

  /// `track(for:)`: the main thread's own loop turns in the tracking mode for that long.
  private mutating func track(_ call: Call) -> CallResult {
    let duration = process.argument(1, call)
    guard process.resolve(process.argument(0, call)) == process.mainThread,
      !process.program.mainIsTool
    else {
      ignored(FindingText.ignoredTracking, call)
      return .next
    }
    if duration <= 0 { return .next }
    let (end, overflow) = process.kernel.now.addingReportingOverflow(duration)
    if overflow || end <= runLoops.trackingUntil { return .next }
    let wasTracking = runLoops.trackingUntil > process.kernel.now
    runLoops.trackingUntil = end
    _ = process.kernel.plan(.trackingEnd, 0, at: end, isWorld: true)
    if wasTracking { return .next }
    process.kernel.record(
      .trackingBegan, thread: -1, place: Int32(truncatingIfNeeded: call.counter), value: duration)
    changeMode()
    return .next
  }

  /// The finger may be up now.
  mutating func trackingMayEnd() {
    if runLoops.trackingUntil != process.kernel.now { return }
    runLoops.trackingUntil = -1
    process.kernel.record(.trackingEnded, thread: -1)
    changeMode()
  }

  /// Ends the present run of the main thread's own loop, so that the next one is in another mode.
  ///
  /// A run that the program itself began goes on.
  private mutating func changeMode() {
    let loop = process.kernel.threads[process.mainThread].runLoop
    if loop < 0 { return }
    var frame = runLoops.loops[Int(loop)].run
    let innermost = frame
    while frame >= 0 {
      let run = RunLoopFrame(frame, process.frames)
      if run.flags.contains(.isOwn) { break }
      frame = run.outerRun
    }
    if frame < 0 { return }
    RunLoopFrame(frame, process.frames).flags.insert(.changesMode)
    if frame == innermost { runLoops.wake(loop, by: -1, &process.kernel) }
  }
}
