import SpindleModel

/// Timers of run loops.
extension RunLoopRuntime {
  mutating func timer(_ primitive: TimerPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let timer = RunLoopTimer.Index(process.object(0, call))
    switch primitive {
    case .make: return makeTimer(call, &process)
    case .fire: return fire(timer, call, &process)
    case .invalidate:
      invalidate(timer: timer, &process.kernel)
      discardHandler(ofTimer: timer, &process)
    case .isValid: process.give(timers[timer].isValid, call)
    case .fireDate: process.give(timers[timer].fire, call)
    case .setFireDate:
      let date = process.argument(1, call)
      setFireDate(timer, date, by: call.thread, &process.kernel)
    case .interval: process.give(timers[timer].interval, call)
    case .tolerance:
      // On Linux the library reads none, whatever was set: CFRunLoopTimerGetTolerance.
      process.give(
        process.kernel.machine.platform == .linux ? 0 : timers[timer].tolerance, call)
    case .setTolerance:
      let asked = process.argument(1, call)
      timers[timer].tolerance = tolerance(asked, timers[timer].interval)
      settle(timer)
      let loop = timers[timer].loop
      if !loop.isNone { notice(loop, by: call.thread, &process.kernel) }
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: TimerPrimitive) -> Int64 {
    switch primitive {
    case .make, .fire, .invalidate, .isValid, .fireDate, .setFireDate, .interval, .tolerance,
      .setTolerance:
      0
    }
  }

  /// What a tolerance comes to: none of a repeating timer's is more than half its interval.
  ///
  /// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c,
  /// CFRunLoopTimerSetTolerance.
  private func tolerance(_ asked: Int64, _ interval: Int64) -> Int64 {
    max(0, interval > 0 ? min(asked, interval / 2) : asked)
  }

  /// All ways of making a timer.
  ///
  /// One that is made with an interval alone is first due after it, and so it is on Darwin whenever it
  /// is added; the Linux library makes it due at once unless it is a scheduled one
  /// (swift-corelibs-foundation:Sources/Foundation/Timer.swift). An interval of nothing becomes 0.1 ms
  /// on Darwin, by the documentation, and makes a timer that fires once on Linux.
  private mutating func makeTimer(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = MakeTimerArguments(call, process)
    if arguments.isScheduled, call.thread.isNone { return process.refuse("scheduledTimer", call) }
    var interval = arguments.interval
    if interval <= 0 { interval = process.kernel.machine.platform == .linux ? 0 : 100_000 }
    var record = RunLoopTimer()
    record.name = NameID(Int(process.objectName(arguments.name, "Timer")))
    record.place = place(of: call)
    record.interval = arguments.repeats ? interval : 0
    if let date = arguments.date {
      record.fire = date
    } else {
      let isLate = arguments.isScheduled || process.kernel.machine.platform != .linux
      record.fire = (Instant(process.kernel.now) + Nanoseconds(isLate ? interval : 0)).nanoseconds
    }
    if let asked = arguments.tolerance {
      record.tolerance = tolerance(asked, record.interval)
    }
    if let handler = process.handler(MakeTimerArguments.closure, call) { record.handler = handler }
    let timer = makeTimer(record, now: process.kernel.now)
    process.noteMaking(.timer, timer.raw, record.name.index, call, value: record.interval)
    if arguments.isScheduled {
      let loop = self.loop(of: call.thread, &process.kernel)
      add(.timer(timer), to: loop, WellKnownName.default.id, &process.kernel)
    }
    process.give(timer.register, call)
    return .next
  }

  /// `perform(afterDelay:)`: a timer of the thread's own loop that fires once.
  mutating func performLater(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = PerformAfterDelayArguments(call, process)
    let closure = PerformAfterDelayArguments.closure
    var record = RunLoopTimer()
    record.isPerform = true
    record.place = place(of: call)
    record.fire = (Instant(process.kernel.now) + Nanoseconds(arguments.delay)).nanoseconds
    let modes = modes(arguments.modes, standard: WellKnownName.default.id, &process)
    if modes.isEmpty {
      if let handler = process.handler(closure, call) { process.discard(handler) }
      ignored(FindingText.ignoredDelayedPerform, call, &process)
      return .next
    }
    if let handler = process.handler(closure, call) { record.handler = handler }
    let timer = makeTimer(record, now: process.kernel.now)
    let loop = self.loop(of: call.thread, &process.kernel)
    for mode in modes { add(.timer(timer), to: loop, mode, &process.kernel) }
    return .next
  }

  /// `cancelPreviousPerforms()`: takes back the delayed performs of the calling thread.
  mutating func cancelPerforms(_ call: Call, _ process: inout Process) -> CallResult {
    let loop = knownLoop(of: call.thread, process.kernel)
    if loop.isNone { return .next }
    for timer in delayedPerforms(of: loop) {
      if timers[timer].isFiring { continue }
      demand(timers[timer].isPerform, "timer \(timer.raw) is taken back as a delayed perform")
      invalidate(timer: timer, &process.kernel)
      discardHandler(ofTimer: timer, &process)
    }
    return .next
  }

  /// Gives the closure of a timer back that never fires again, and the number of one that nobody can
  /// name.
  mutating func discardHandler(ofTimer timer: RunLoopTimer.Index, _ process: inout Process) {
    if timers[timer].isValid || timers[timer].isFiring { return }
    assert(
      timers[timer].modes.isEmpty, "timer \(timer.raw) never fires again and is in a mode")
    process.discard(timers[timer].handler)
    timers[timer].handler = Handler()
    if timers[timer].isPerform {
      timers[timer].isPerform = false
      retire(timer: timer)
    }
  }

  /// Nothing has a timer any more that was never added.
  mutating func dropCode(of timer: RunLoopTimer.Index, _ process: inout Process) {
    assert(!isNeeded(timer: timer), "timer \(timer.raw) loses its code, and its loop has it")
    process.discard(timers[timer].handler)
    timers[timer].handler = Handler()
  }

  // MARK: Firing by hand

  /// `fire()`: calls the handler now, on the caller's thread; one that fires once is then over.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Timer.swift.
  private mutating func fire(
    _ timer: RunLoopTimer.Index, _ call: Call, _ process: inout Process
  ) -> CallResult {
    if !timers[timer].isValid { return .next }
    let frame = process.push(.timerFire, registers: TimerFireFrame.size, on: call.thread)
    TimerFireFrame.set(timer, frame, process.frames)
    return .entered
  }

  mutating func resumeFire(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let timer = TimerFireFrame.timer(frame, process.frames)
    let record = timers[timer]
    if process.frames.counter(frame) == TimerFireFrame.State.calls.rawValue {
      process.frames.setCounter(frame, TimerFireFrame.State.hasCalled.rawValue)
      timers[timer].wasFired = true
      process.kernel.record(
        .timerFired, thread: thread, detail: TimerCause.byHand.rawValue, object: record.name.index,
        place: record.place)
      var handler = record.handler
      let what = CallOut(what: FindingText.timer, name: record.name.index, place: record.place)
      let pause = process.callOut(&handler, thread, what, argument: timer.register)
      // The handler may not have been given back while a run calls it.
      timers[timer].handler = handler
      return pause
    }
    process.endCallOut(thread)
    if record.isValid && record.interval == 0 {
      assert(timers[timer].isValid, "timer \(timer.raw) is over twice")
      invalidate(timer: timer, &process.kernel)
      discardHandler(ofTimer: timer, &process)
    }
    process.leave(frame, thread, result: noResult)
    return .goOn
  }

  // MARK: A machine that sleeps

  /// The machine has slept: limits of runs and dates of timers count only the time that it is awake.
  mutating func shiftRunLoops(by length: Int64, _ process: inout Process) {
    demand(length >= 0, "the machine slept for \(length) ns")
    shiftTimers(by: length)
    for index in loops.indices {
      let loop = loops[index]
      var frame = loop.run
      while !frame.isNone {
        let run = RunLoopFrame(frame, process.frames)
        assert(run.loop == index, "frame \(frame) runs loop \(run.loop.raw), not \(index.raw)")
        if run.deadline != Int64.min && run.deadline < Int64.max - length { run.deadline += length }
        if loop.sleeps && frame == loop.run {
          process.kernel.threads.at(loop.thread).setWaitValue(run.deadline)
        }
        frame = run.outerRun
      }
    }
  }
}
