import SpindleModel

/// What waits in run loops and never comes, or comes late.
extension RunLoopRuntime {
  /// Reports something that can never happen, once for each place.
  mutating func neverFires(_ why: FindingStatement, _ call: Call, _ process: inout Process) {
    tell(.neverFires, why, place(of: call), thread: call.thread, &process)
  }

  /// Reports a finding about a place, once for each kind and place.
  mutating func tell(
    _ kind: Finding.Kind, _ explanation: FindingStatement, _ place: Int32, thread: ThreadID,
    _ process: inout Process
  ) {
    let report = RunLoopReport(kind: kind, place: place)
    if place >= 0 && !reported.insert(report).inserted { return }
    process.kernel.report(kind, thread: thread, places: [place], explanation)
  }

  /// Whether a finding about a place would be reported.
  private func canTell(_ kind: Finding.Kind, _ place: Int32) -> Bool {
    place < 0 || !reported.contains(RunLoopReport(kind: kind, place: place))
  }

  /// The loop of a thread that ends: what still waits in it is never done.
  ///
  /// A timer that has fired, or that the loop had a chance to fire, simply ends with its thread. A
  /// thread that waits for a perform of this one gets an exception.
  mutating func endRunLoop(of thread: ThreadID, _ process: inout Process) {
    let loop = knownLoop(of: thread, process.kernel)
    if loop.isNone { return }
    let who = process.kernel.name(of: thread)
    report(lostStopOf: loop, &process)
    for index in timers(of: loop) {
      let timer = timers[index]
      if !isLost(timer, loop) { continue }
      tell(
        .neverFires, FindingText.endedWithTimer(who, timer: name(of: timer, process)),
        timer.place, thread: thread, &process)
    }
    for index in sources(of: loop) where sources[index].isSignalled {
      let source = sources[index]
      let name = process.kernel.text(source.name)
      tell(
        .neverFires, FindingText.endedWithSource(who, source: name), source.place, thread: thread,
        &process)
    }
    for index in ports(of: loop) {
      let port = ports[index]
      guard port.isAnswer || !port.messages.isEmpty else { continue }
      tell(
        .neverFires,
        port.isAnswer
          ? FindingText.endedWithAnswer(who)
          : FindingText.endedWithMessage(
            who, port: process.kernel.text(port.name)),
        port.isAnswer ? port.place : port.messages.first?.place ?? -1, thread: thread, &process)
    }
    for block in loops[loop].blocks {
      tell(.neverFires, FindingText.endedWithBlock(who), block.place, thread: thread, &process)
      process.drop(block.frame)
    }
    for perform in loops[loop].performs.all {
      process.drop(perform.frame)
      if !perform.waiter.isNone {
        process.crash(Self.exitedTarget, perform.waiter)
      } else {
        tell(
          .neverFires, FindingText.endedWithPerform(who), perform.place, thread: thread, &process)
      }
    }
    free(loop, &process.kernel)
  }

  /// Whether a timer never fired and no run ever looked at it.
  private func isLost(_ timer: RunLoopTimer, _ loop: RunLoop.Index) -> Bool {
    if !timer.isValid || timer.wasFired || timer.isFiring { return false }
    assert(timer.loop == loop, "a timer of loop \(timer.loop.raw) is lost in loop \(loop.raw)")
    return !timer.modes.contains { mode in
      loops[loop].modes[mode].wasRun(since: timer.ticket)
    }
  }

  /// What an explanation calls a timer.
  private func name(of timer: RunLoopTimer, _ process: borrowing Process) -> FindingStatement {
    FindingText.timerOf(timer.name == .none ? nil : process.kernel.text(timer.name))
  }

  // MARK: The end of the run

  /// Reports what waits in run loops when nothing can happen any more.
  ///
  /// When the process ended by itself only what it had lost by then is told: what slept on.
  mutating func reportUndelivered(_ process: inout Process) {
    for loop in loops.indices where !loops[loop].thread.isNone {
      report(lostStopOf: loop, &process)
    }
    guard process.outcome?.kind == .finished else { return }
    if process.endsProcess {
      for source in sources.indices { report(sleptOn: source, &process) }
      reportMainLoop(&process)
      return
    }
    for timer in timers.indices { report(unfired: timers[timer], &process) }
    for source in sources.indices { report(source: source, &process) }
    for port in ports.indices { report(unread: port, &process) }
    for loop in loops.indices where !loops[loop].thread.isNone {
      reportWaiting(in: loop, &process)
    }
  }

  /// Reports that a stop of a loop that did not run was lost: where its next run goes on all the same, or it never ran.
  ///
  /// Each run begins with a flag of its own that is not set. Source: swift-corelibs-foundation:
  /// Sources/CoreFoundation/CFRunLoop.c, __CFRunLoopPushPerRunData.
  private mutating func report(lostStopOf loop: RunLoop.Index, _ process: inout Process) {
    let record = loops[loop]
    if record.lostStop < 0 { return }
    let hasRun = record.modes.contains { $0.wasRun(since: 0) }
    if record.run.isNone && hasRun { return }
    loops[loop].lostStop = -1
    tell(
      .ignoredByRunLoop,
      FindingText.ignoredByRunLoop(
        FindingText.ignoredStop(ofLoopOf: process.kernel.name(of: record.thread), hasRun: hasRun)),
      record.lostStop, thread: record.thread, &process)
  }

  /// Reports what waits in the loop of the main thread when the process ends, where that loop never runs.
  ///
  /// On Linux an async main serves the main queue in `dispatchMain()`, and no run loop. Source:
  /// swift:stdlib/public/Concurrency, the main executor of dispatch; run with Swift 6.3.1, where a timer stays silent.
  private mutating func reportMainLoop(_ process: inout Process) {
    let loop = knownLoop(of: process.mainThread, process.kernel)
    if loop.isNone || loops[loop].modes.contains(where: { $0.wasRun(since: 0) }) { return }
    let servesQueue = process.servesMainQueueOnly
    for timer in timers(of: loop) where servesQueue || timers[timer].fire <= process.kernel.now {
      report(unfired: timers[timer], &process)
    }
    if servesQueue { reportWaiting(in: loop, &process) }
  }

  /// Whether a loop can be trusted not to run again in this run.
  ///
  /// A thread that waits without a limit, for a signal or in `dispatchMain()`, does not run its loop.
  private mutating func isIdle(_ loop: RunLoop.Index, _ process: borrowing Process) -> Bool {
    let record = process.kernel.threads[loops[loop].thread]
    if process.program.until == nil || record.state == .finished || record.state == .created {
      return true
    }
    return loops[loop].sleeps || (record.state == .waiting && record.timer == 0)
  }

  /// What is said of a loop that runs in none of some modes, or no more.
  private func silence(
    _ loop: RunLoop.Index, _ modes: [NameID], _ process: borrowing Process
  ) -> FindingStatement {
    let record = loops[loop]
    let ran = modes.contains { name in
      if name == commonName {
        return record.commonModes.contains { record.modes[$0].wasRun(since: 0) }
      }
      return record.index(ofMode: name).map { record.modes[$0].wasRun(since: 0) } ?? false
    }
    return FindingText.loopSilence(
      process.kernel.name(of: record.thread), modes: describe(modes: modes, process), hasRun: ran)
  }

  private mutating func report(unfired timer: RunLoopTimer, _ process: inout Process) {
    if !timer.isValid || timer.wasFired || timer.isFiring { return }
    if !canTell(.neverFires, timer.place) { return }
    if !timer.wasAdded {
      tell(
        .neverFires, FindingText.timerWithoutLoop(name(of: timer, process)), timer.place,
        thread: .none, &process)
    } else if !timer.loop.isNone && isIdle(timer.loop, process) && isLost(timer, timer.loop) {
      let modes = timer.modes.map { modeName(timer.loop, $0) }
      tell(
        .neverFires,
        FindingText.timerInSilence(
          silence(timer.loop, modes, process), timer: name(of: timer, process)),
        timer.place, thread: loops[timer.loop].thread, &process)
    }
  }

  // MARK: Sources

  private mutating func report(source number: RunLoopSource.Index, _ process: inout Process) {
    let source = sources[number]
    if !source.isSignalled || !source.isValid || report(sleptOn: number, &process) { return }
    let name = process.kernel.text(source.name)
    if !canTell(.neverFires, source.place) { return }
    guard let loop = source.places.first(where: { _ in true })?.loop else {
      tell(.neverFires, FindingText.sourceWithoutLoop(name), source.place, thread: .none, &process)
      return
    }
    if !isIdle(loop, process) { return }
    let modes = self.modes(among: source.places, in: loop).map { modeName(loop, $0) }
    tell(
      .neverFires, FindingText.sourceInSilence(silence(loop, modes, process), source: name),
      source.place, thread: loops[loop].thread, &process)
  }

  /// Reports a source that was signalled while its loop slept, and that still does.
  @discardableResult private mutating func report(
    sleptOn number: RunLoopSource.Index, _ process: inout Process
  )
    -> Bool
  {
    let source = sources[number]
    if !source.isSignalled || !source.isValid { return false }
    let sleeping = source.places.first { place in
      loops[place.loop].sleeps && sleepsOn(source, place.loop)
    }?.loop
    guard let sleeping else { return false }
    tell(
      .signalledNotWoken,
      FindingText.signalledNotWoken(
        process.kernel.text(source.name),
        loopOf: process.kernel.name(of: loops[sleeping].thread)),
      source.place, thread: loops[sleeping].thread, &process)
    return true
  }

  /// Whether the mode that a loop runs in has a source.
  private func sleepsOn(_ source: RunLoopSource, _ loop: RunLoop.Index) -> Bool {
    source.places.contains(RunLoopPlace(loop: loop, mode: loops[loop].mode))
  }

  /// A source is performed: reports that it comes late, since only something else woke the loop.
  mutating func reportLate(
    _ number: RunLoopSource.Index, _ loop: RunLoop.Index, _ process: inout Process
  ) {
    let source = sources[number]
    if source.sleptOnSince < 0 { return }
    demand(
      source.sleptOnSince <= process.kernel.now, "source \(number.raw) is slept on since later")
    sources[number].sleptOnSince = -1
    tell(
      .signalledNotWoken,
      FindingText.signalledLate(
        process.kernel.text(source.name),
        loopOf: process.kernel.name(of: loops[loop].thread),
        late: Nanoseconds(process.kernel.now - source.sleptOnSince)),
      source.place, thread: loops[loop].thread, &process)
  }

  // MARK: Messages, blocks and performs

  private mutating func report(unread number: RunLoopPort.Index, _ process: inout Process) {
    let port = ports[number]
    guard port.isValid, let message = port.messages.first else { return }
    let name = port.isAnswer ? nil : process.kernel.text(port.name)
    if !canTell(.neverFires, message.place) { return }
    guard let loop = port.places.first(where: { _ in true })?.loop else {
      tell(
        .neverFires, FindingText.messageWithoutLoop(port: name), message.place, thread: .none,
        &process
      )
      return
    }
    if !isIdle(loop, process) { return }
    let modes = self.modes(among: port.places, in: loop).map { modeName(loop, $0) }
    tell(
      .neverFires,
      name.map { FindingText.messageInSilence(silence(loop, modes, process), port: $0) }
        ?? FindingText.answerInSilence(silence(loop, modes, process)),
      message.place, thread: loops[loop].thread, &process)
  }

  private mutating func reportWaiting(in loop: RunLoop.Index, _ process: inout Process) {
    if !isIdle(loop, process) { return }
    let thread = loops[loop].thread
    let sleeps = loops[loop].sleeps
    let mode = loops[loop].mode
    demand(!sleeps || !mode.isNone, "loop \(loop.raw) sleeps in no mode")
    for block in loops[loop].blocks {
      if sleeps && matches(block.modes, loop, mode) {
        tell(
          .signalledNotWoken, FindingText.blockNotWoken(loopOf: process.kernel.name(of: thread)),
          block.place, thread: thread, &process)
      } else {
        tell(
          .neverFires, FindingText.blockInSilence(silence(loop, block.modes, process)), block.place,
          thread: thread, &process)
      }
    }
    for perform in loops[loop].performs.all where perform.waiter.isNone {
      tell(
        .neverFires, FindingText.performInSilence(silence(loop, perform.modes, process)),
        perform.place, thread: thread, &process)
    }
  }
}
