import SpindleModel

/// Run loops: running them, stopping and waking them, and what they are asked for.
extension RunLoopRuntime {
  mutating func runLoop(
    _ primitive: RunLoopPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> CallResult {
    switch primitive {
    case .main:
      if process.mainThread.isNone {
        threads.makeMain(&process)
        dispatch.takeMainThread(&process)
      }
      process.give(process.handle(process.mainThread), call)
    case .ofThread: process.give(process.argument(0, call), call)
    case .run:
      let loop = process.argument(0, call)
      return repeatRuns(.run, loop, Int64.max, call, &process)
    case .runUntil:
      let (loop, deadline) = (process.argument(0, call), process.argument(1, call))
      return repeatRuns(.runUntil, loop, deadline, call, &process)
    case .runCF: return repeatRuns(.runCF, process.handle(call.thread), Int64.max, call, &process)
    case .runMode: return runMode(call, &threads, &process)
    case .runInMode: return runInMode(call, &threads, &process)
    case .limitDate: return askLimitDate(call, &threads, &process)
    case .currentMode:
      let loop = loop(process.argument(0, call), &process)
      let mode = loop.map { loops[$0].mode } ?? .none
      process.give(noValue, call)
      if let loop, !mode.isNone { process.give(Int64(modeName(loop, mode).index), call) }
    case .stop: stop(call, &process)
    case .wakeUp: wakeUp(call, &process)
    case .addCommonMode:
      let (handle, mode) = (process.argument(0, call), process.modeName(at: 1, call))
      guard let loop = loop(handle, &process) else { return .next }
      makeCommon(mode, loop, call, &process)
    case .add: return addItem(call, &process)
    case .remove: return removeItem(call, &process)
    case .perform: return performBlock(call, &process)
    case .observe: return observe(call, &process)
    case .track: return track(call, &process)
    case .performOnThread: return performOnThread(call, &process)
    case .performAfterDelay: return performLater(call, &process)
    case .cancelPerforms: return cancelPerforms(call, &process)
    case .io: return startInput(call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: RunLoopPrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    let costs = process.kernel.costs
    switch primitive {
    case .run, .runUntil, .runMode, .runCF, .runInMode, .limitDate:
      return costs.runLoopRun.rawValue
    case .stop, .wakeUp: return wakeCost(ofLoop: process.argument(0, call), process)
    case .performOnThread:
      return costs.enqueue.rawValue + wakeCost(ofLoop: process.argument(0, call), process)
    case .io: return costs.systemCall.rawValue
    case .main, .ofThread, .currentMode, .addCommonMode, .add, .remove, .perform, .observe, .track,
      .performAfterDelay, .cancelPerforms:
      return 0
    }
  }

  /// The loop that a handle names: that of its thread; nil when the thread has ended.
  mutating func loop(_ handle: Int64, _ process: inout Process) -> RunLoop.Index? {
    guard let thread = process.resolve(handle), process.kernel.threads[thread].state != .finished
    else {
      return nil
    }
    return loop(of: thread, &process.kernel)
  }

  /// The loop that a handle names, if the calling thread may run it.
  ///
  /// Another thread's is not run, and the call returns at once.
  /// Source: swift-corelibs-foundation:Sources/Foundation/RunLoop.swift.
  private mutating func ownLoop(_ handle: Int64, _ call: Call, _ process: inout Process)
    -> RunLoop.Index?
  {
    if process.resolve(handle) == call.thread {
      return loop(of: call.thread, &process.kernel)
    }
    let owner = process.resolve(handle).map { process.kernel.name(of: $0) }
    ignored(
      FindingText.ignoredRun(ofLoopOf: owner, by: process.kernel.name(of: call.thread)), call,
      &process)
    return nil
  }

  /// Reports a call that the real library takes without a word, and does nothing.
  mutating func ignored(_ why: FindingStatement, _ call: Call, _ process: inout Process) {
    let place = place(of: call)
    let report = RunLoopReport(kind: .ignoredByRunLoop, place: place)
    if !reported.insert(report).inserted { return }
    process.kernel.report(
      .ignoredByRunLoop, thread: call.thread, places: [place],
      FindingText.ignoredByRunLoop(why))
  }

  // MARK: Running

  /// The index of a mode in which a run can begin; nil when it would find nothing.
  private mutating func runnable(
    _ loop: RunLoop.Index, _ mode: NameID, _ call: Call, _ process: inout Process
  ) -> RunLoopMode.Index? {
    if isCommonModes(mode, process.kernel.names) {
      ignored(FindingText.ignoredCommonModes, call, &process)
      return nil
    }
    guard let index = knownMode(mode, of: loop, process.kernel), !isEmpty(loop, index, &process)
    else {
      let place = place(of: call)
      process.kernel.record(
        .runLoopLeft, thread: call.thread, detail: RunLoopEnding.nothingInMode.rawValue,
        object: mode.index, place: place)
      noteRun(loop, mode, by: call.thread, at: place, .empty, &process)
      return nil
    }
    assert(loops[loop].thread == call.thread, "thread \(call.thread.index) runs another one's loop")
    return index
  }

  private mutating func runMode(
    _ call: Call, _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> CallResult {
    let arguments = RunModeArguments(call, process)
    guard let loop = ownLoop(arguments.loop, call, &process),
      let mode = runnable(loop, arguments.mode, call, &process)
    else {
      process.give(false, call)
      return .next
    }
    let request = RunRequest(
      mode: mode, deadline: arguments.deadline, returnsAfterSource: true, form: .truth)
    beginRun(request, of: loop, on: call.thread, &threads, &process)
    return .entered
  }

  private mutating func runInMode(
    _ call: Call, _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> CallResult {
    let arguments = RunInModeArguments(call, process)
    let loop = self.loop(of: call.thread, &process.kernel)
    guard let mode = runnable(loop, arguments.mode, call, &process) else {
      process.give(symbol(RunLoopResult.finished.name, process), call)
      return .next
    }
    let (deadline, overflow) = process.kernel.now.addingReportingOverflow(arguments.duration)
    let request = RunRequest(
      mode: mode, deadline: overflow ? Int64.max : deadline,
      returnsAfterSource: arguments.returnsAfterSource, form: .symbol)
    beginRun(request, of: loop, on: call.thread, &threads, &process)
    return .entered
  }

  /// `limitDate(forMode:)`: one pass without a sleep, and then the date of the next timer.
  private mutating func askLimitDate(
    _ call: Call, _ threads: inout ThreadRuntime, _ process: inout Process
  ) -> CallResult {
    let (handle, name) = (process.argument(0, call), process.modeName(at: 1, call))
    guard let loop = ownLoop(handle, call, &process),
      let mode = knownMode(name, of: loop, process.kernel), !isEmpty(loop, mode, &process)
    else {
      process.give(noValue, call)
      return .next
    }
    let request = RunRequest(
      mode: mode, deadline: Int64.min, returnsAfterSource: true, form: .limit)
    beginRun(request, of: loop, on: call.thread, &threads, &process)
    return .entered
  }

  private mutating func stop(_ call: Call, _ process: inout Process) {
    guard let loop = loop(process.argument(0, call), &process) else { return }
    if loops[loop].run.isNone {
      loops[loop].lostStop = place(of: call)
      return
    }
    demand(!loops[loop].mode.isNone, "loop \(loop.raw) runs in no mode and is stopped")
    loops[loop].isStopped = true
    process.kernel.record(
      .runLoopStopped, thread: call.thread, other: loops[loop].thread.index,
      place: place(of: call))
    forgetSleep(of: loop)
    wakeUp(loop, by: call.thread, &process.kernel)
  }

  private mutating func wakeUp(_ call: Call, _ process: inout Process) {
    guard let loop = loop(process.argument(0, call), &process) else { return }
    let owner = loops[loop].thread
    let stranger = process.stranger(owner)
    let ignored = ignoresWakeUps(loop)
    process.kernel.record(
      .runLoopWoken, thread: call.thread,
      detail: stranger.mention.union(ignored ? .ignoresWakeUp : []).rawValue, other: owner.index,
      place: place(of: call), value: stranger.name)
    forgetSleep(of: loop)
    wakeUp(loop, by: call.thread, &process.kernel)
  }

  /// `CFRunLoopAddCommonMode`.
  private mutating func makeCommon(
    _ mode: NameID, _ loop: RunLoop.Index, _ call: Call, _ process: inout Process
  ) {
    let owner = loops[loop].thread
    let stranger = process.stranger(owner)
    process.kernel.record(
      .commonModeAdded, thread: call.thread, detail: stranger.mention.rawValue, object: mode.index,
      other: owner.index, place: place(of: call), value: stranger.name)
    makeCommon(mode, of: loop, &process.kernel)
  }

  // MARK: Runs that are repeated

  private mutating func repeatRuns(
    _ repetition: RunLoopRepetition.Kind, _ handle: Int64, _ deadline: Int64, _ call: Call,
    _ process: inout Process
  ) -> CallResult {
    guard let loop = ownLoop(handle, call, &process) else { return .next }
    if runnable(loop, WellKnownName.default.id, call, &process) == nil { return .next }
    pushRepetition(repetition, loop, deadline, on: call.thread, &process)
    return .entered
  }

  private mutating func pushRepetition(
    _ repetition: RunLoopRepetition.Kind, _ loop: RunLoop.Index, _ deadline: Int64,
    on thread: ThreadID,
    _ process: inout Process
  ) {
    demand(
      loops[loop].thread == thread, "thread \(thread.index) runs loop \(loop.raw), not its own")
    let frame = process.push(
      .runLoopRepeat, registers: RunLoopRepetition.size, on: thread)
    RunLoopRepetition(frame, process.frames).set(repetition, until: deadline, of: loop)
  }

  /// The main thread of an app serves its loop from now on.
  mutating func enterMainLoop(_ thread: ThreadID, _ process: inout Process) {
    demand(thread == process.mainThread, "thread \(thread.index) enters the main loop")
    process.mainStallWatch.endOwnCode(at: process.kernel.now, since: process.mainBusySince)
    let loop = self.loop(of: thread, &process.kernel)
    pushRepetition(.main, loop, Int64.max, on: thread, &process)
  }

  /// Goes on with repeated runs: begins another one, or returns.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/RunLoop.swift; CFRunLoop.c, CFRunLoopRun.
  mutating func resumeRepetition(
    _ frame: FrameIndex, _ thread: ThreadID, _ threads: inout ThreadRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let state = RunLoopRepetition(frame, process.frames)
    let (deadline, loop) = (state.deadline, state.loop)
    let hasRun = process.frames.counter(frame) == RunLoopRepetition.State.hasRun.rawValue
    let result = hasRun ? RunLoopResult(rawValue: process.worldResult) : nil
    assert(!hasRun || result != nil, "run \(frame) of loop \(loop.raw) ended with no result")
    process.frames.setCounter(frame, RunLoopRepetition.State.hasRun.rawValue)
    var request = RunRequest(mode: RunLoop.defaultMode, deadline: deadline)
    switch state.repetition {
    case .run, .runUntil:
      if result != nil
        && (isEmpty(loop, RunLoop.defaultMode, &process) || deadline <= process.kernel.now)
      {
        break
      }
      request.returnsAfterSource = true
      beginRun(request, of: loop, on: thread, &threads, &process)
      return .goOn
    case .runCF:
      if result == .stopped || result == .finished { break }
      beginRun(request, of: loop, on: thread, &threads, &process)
      return .goOn
    case .main:
      let isTracking = trackingUntil > process.kernel.now
      if isTracking { request.mode = mode(trackingMode(process), of: loop, process.kernel) }
      request.isOwn = true
      beginRun(request, of: loop, on: thread, &threads, &process)
      return .goOn
    }
    process.leave(frame, thread, result: noResult)
    return .goOn
  }

  /// Lets go of a run whose thread exits: what it had taken out of the loop waits in it again.
  mutating func abandonRun(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process) {
    let abandoned = RunLoopRun(frame: frame, thread: thread)
    let run = abandoned.state(process)
    demand(
      loops[run.loop].thread == thread,
      "thread \(thread.index) exits in a run of loop \(run.loop.raw)")
    if abandoned.step(process) == .timers { endTimerPass() }
    if case .perform(let waiter) = run.callee, !waiter.isNone {
      process.crash(Self.exitedTarget, waiter)
    }
    let snapshot = snapshots[run.snapshot]
    if !snapshot.blocks.isEmpty {
      let left = snapshot.kept + snapshot.blocks[snapshot.next...]
      loops[run.loop].blocks.insert(contentsOf: left, at: 0)
    }
    if thread == process.mainThread { process.mainStallWatch.removeAll() }
    close(abandoned, &process)
  }

  // MARK: Tracking

  /// The mode of the main loop while a finger is down, or a mouse button.
  private func trackingMode(_ process: borrowing Process) -> NameID {
    process.kernel.intern(process.kernel.machine.platform == .macOS ? "eventTracking" : "tracking")
  }

  /// `track(for:)`: the main thread's own loop turns in the tracking mode for that long.
  private mutating func track(_ call: Call, _ process: inout Process) -> CallResult {
    let (handle, duration) = (process.argument(0, call), process.argument(1, call))
    guard process.resolve(handle) == process.mainThread,
      !process.program.mainIsTool
    else {
      ignored(FindingText.ignoredTracking, call, &process)
      return .next
    }
    if duration <= 0 { return .next }
    let (end, overflow) = process.kernel.now.addingReportingOverflow(duration)
    if overflow || end <= trackingUntil { return .next }
    assert(end > process.kernel.now, "a finger that is down until \(end) is up already")
    let wasTracking = trackingUntil > process.kernel.now
    trackingUntil = end
    _ = process.kernel.plan(.trackingEnd, 0, at: end, isWorld: true)
    if wasTracking { return .next }
    process.kernel.record(
      .trackingBegan, thread: .none, place: place(of: call), value: duration)
    changeMode(&process)
    return .next
  }

  /// The finger may be up now, or later than was said, where the machine slept meanwhile.
  mutating func trackingMayEnd(_ process: inout Process) {
    assert(
      !process.mainThread.isNone, "a finger is down, and thread \(process.mainThread.index) is main"
    )
    if trackingUntil < 0 || trackingUntil > process.kernel.now { return }
    trackingUntil = -1
    process.kernel.record(.trackingEnded, thread: .none)
    changeMode(&process)
  }

  /// Ends the present run of the main thread's own loop, so that the next one is in another mode.
  ///
  /// A run that the program itself began goes on.
  private mutating func changeMode(_ process: inout Process) {
    let loop = knownLoop(of: process.mainThread, process.kernel)
    if loop.isNone { return }
    var frame = loops[loop].run
    let innermost = frame
    while !frame.isNone {
      assert(process.frames.activity(frame) == .runLoopRun, "frame \(frame) runs no loop")
      let run = RunLoopFrame(frame, process.frames)
      if run.flags.contains(.isOwn) { break }
      frame = run.outerRun
    }
    if frame.isNone { return }
    RunLoopFrame(frame, process.frames).flags.insert(.changesMode)
    if frame == innermost { wake(loop, by: .none, &process.kernel) }
  }

  /// What it costs to wake the thread of a run loop.
  mutating func wakeCost(ofLoop handle: Int64, _ process: borrowing Process) -> Int64 {
    guard let thread = process.resolve(handle) else { return 0 }
    let loop = knownLoop(of: thread, process.kernel)
    assert(
      loop.isNone || loops[loop].thread == thread,
      "thread \(thread.index) has the loop of another one")
    return !loop.isNone && loops[loop].sleeps ? process.kernel.costs.wake.rawValue : 0
  }
}
