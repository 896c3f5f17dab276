import SpindleModel

/// What waits in run loops and never comes, or comes late.
extension Interpreter {
  /// Reports something that can never happen, once for each place.
  mutating func neverFires(_ why: String, _ call: Call) {
    tell(.neverFires, why, Int32(truncatingIfNeeded: call.counter), thread: call.thread)
  }

  /// Reports a finding about a place, once for each kind and place.
  mutating func tell(
    _ kind: Finding.Kind, _ explanation: String, _ place: Int32, thread: Int32
  ) {
    let key = Int64(place) << 8 | (kind == .neverFires ? 2 : 3)
    if place >= 0 && !runLoops.told.insert(key).inserted { return }
    process.kernel.report(kind, thread: thread, places: [place], explanation)
  }

  /// Whether a finding about a place would be reported.
  private func canTell(_ kind: Finding.Kind, _ place: Int32) -> Bool {
    process.kernel.canReport(kind)
      && (place < 0 || !runLoops.told.contains(Int64(place) << 8 | (kind == .neverFires ? 2 : 3)))
  }

  /// The loop of a thread that ends: what still waits in it is never done.
  ///
  /// A timer that has fired, or that the loop had a chance to fire, simply ends with its thread. A
  /// thread that waits for a perform of this one gets an exception.
  mutating func endRunLoop(of thread: Int32) {
    let loop = process.kernel.threads[thread].runLoop
    if loop < 0 { return }
    let who = process.kernel.name(of: thread)
    for index in runLoops.timers(of: loop) {
      let timer = runLoops.timers[Int(index)]
      if !isLost(timer, loop) { continue }
      tell(
        .neverFires, FindingText.endedWithTimer(who, timer: name(of: timer)),
        timer.place, thread: thread)
    }
    for index in runLoops.sources(of: loop) where runLoops.sources[Int(index)].isSignalled {
      let source = runLoops.sources[Int(index)]
      let name = process.kernel.names.text(NameID(Int(source.name)))
      tell(
        .neverFires, FindingText.endedWithSource(who, source: name), source.place, thread: thread)
    }
    for index in runLoops.ports(of: loop) {
      let port = runLoops.ports[Int(index)]
      guard port.isAnswer || !port.messages.isEmpty else { continue }
      tell(
        .neverFires,
        port.isAnswer
          ? FindingText.endedWithAnswer(who)
          : FindingText.endedWithMessage(
            who, port: process.kernel.names.text(NameID(Int(port.name)))),
        port.isAnswer ? port.place : port.messages.first?.place ?? -1, thread: thread)
    }
    for block in runLoops.loops[Int(loop)].blocks {
      tell(.neverFires, FindingText.endedWithBlock(who), block.place, thread: thread)
      process.frames.release(block.frame)
    }
    for perform in runLoops.loops[Int(loop)].performs.all {
      process.frames.release(perform.frame)
      if perform.waiter >= 0 {
        process.crash(Self.exitedTarget, perform.waiter)
      } else {
        tell(
          .neverFires, FindingText.endedWithPerform(who), perform.place, thread: thread)
      }
    }
    runLoops.free(loop, &process.kernel)
  }

  /// Whether a timer never fired and no run ever looked at it.
  private func isLost(_ timer: RunLoopTimer, _ loop: Int32) -> Bool {
    if !timer.isValid || timer.wasFired || timer.isFiring { return false }
    return !timer.modes.contains { mode in
      runLoops.loops[Int(loop)].modes[Int(mode)].wasRun(since: timer.ticket)
    }
  }

  /// What an explanation calls a timer.
  private func name(of timer: RunLoopTimer) -> String {
    FindingText.timerOf(timer.name < 0 ? nil : process.kernel.names.text(NameID(Int(timer.name))))
  }

  // MARK: The end of the run

  /// Reports what waits in run loops when nothing can happen any more.
  ///
  /// When the process ended by itself only what it had lost by then is told: what slept on.
  mutating func reportUndelivered() {
    guard process.outcome?.kind == .finished else { return }
    if process.endsProcess {
      for source in runLoops.sources.indices { report(sleptOn: source) }
      return
    }
    for timer in runLoops.timers { report(unfired: timer) }
    for source in runLoops.sources.indices { report(source: source) }
    for port in runLoops.ports.indices { report(unread: Int32(port)) }
    for loop in runLoops.loops.indices where runLoops.loops[loop].thread >= 0 {
      reportWaiting(in: Int32(loop))
    }
  }

  /// Whether a loop can be trusted not to run again in this run.
  ///
  /// A thread that waits without a limit, for a signal or in `dispatchMain()`, does not run its loop.
  private func isIdle(_ loop: Int32) -> Bool {
    let record = process.kernel.threads[runLoops.loops[Int(loop)].thread]
    if process.program.until == nil || record.state == .finished || record.state == .created {
      return true
    }
    return runLoops.loops[Int(loop)].sleeps || (record.state == .waiting && record.timer == 0)
  }

  /// What is said of a loop that runs in none of some modes, or no more.
  private func silence(_ loop: Int32, _ modes: [Int32]) -> String {
    let record = runLoops.loops[Int(loop)]
    let ran = modes.contains { name in
      if name == runLoops.commonName {
        return record.commonModes.contains { record.modes[Int($0)].wasRun(since: 0) }
      }
      return record.index(ofMode: name).map { record.modes[Int($0)].wasRun(since: 0) } ?? false
    }
    return FindingText.loopSilence(
      process.kernel.name(of: record.thread), modes: describe(modes: modes), hasRun: ran)
  }

  private mutating func report(unfired timer: RunLoopTimer) {
    if !timer.isValid || timer.wasFired || timer.isFiring { return }
    if !canTell(.neverFires, timer.place) { return }
    if !timer.wasAdded {
      tell(
        .neverFires, FindingText.timerWithoutLoop(name(of: timer)), timer.place, thread: -1)
    } else if timer.loop >= 0 && isIdle(timer.loop) && isLost(timer, timer.loop) {
      let modes = timer.modes.map { modeName(timer.loop, $0) }
      tell(
        .neverFires,
        FindingText.timerInSilence(silence(timer.loop, modes), timer: name(of: timer)),
        timer.place, thread: runLoops.loops[Int(timer.loop)].thread)
    }
  }

  // MARK: Sources

  private mutating func report(source number: Int) {
    let source = runLoops.sources[number]
    if !source.isSignalled || !source.isValid || report(sleptOn: number) { return }
    let name = process.kernel.names.text(NameID(Int(source.name)))
    if !canTell(.neverFires, source.place) { return }
    guard let loop = source.places.first(where: { _ in true })?.loop else {
      tell(.neverFires, FindingText.sourceWithoutLoop(name), source.place, thread: -1)
      return
    }
    if !isIdle(loop) { return }
    let modes = runLoops.modes(among: source.places, in: loop).map { modeName(loop, $0) }
    tell(
      .neverFires, FindingText.sourceInSilence(silence(loop, modes), source: name),
      source.place, thread: runLoops.loops[Int(loop)].thread)
  }

  /// Reports a source that was signalled while its loop slept, and that still does.
  @discardableResult private mutating func report(sleptOn number: Int) -> Bool {
    let source = runLoops.sources[number]
    if !source.isSignalled || !source.isValid { return false }
    let sleeping = source.places.first { place in
      runLoops.loops[Int(place.loop)].sleeps && sleepsOn(source, place.loop)
    }?.loop
    guard let sleeping else { return false }
    tell(
      .signalledNotWoken,
      FindingText.signalledNotWoken(
        process.kernel.names.text(NameID(Int(source.name))),
        loopOf: process.kernel.name(of: runLoops.loops[Int(sleeping)].thread)),
      source.place, thread: runLoops.loops[Int(sleeping)].thread)
    return true
  }

  /// Whether the mode that a loop runs in has a source.
  private func sleepsOn(_ source: RunLoopSource, _ loop: Int32) -> Bool {
    source.places.contains(RunLoopPlace(loop: loop, mode: runLoops.loops[Int(loop)].mode))
  }

  /// A source is performed: reports that it comes late, since only something else woke the loop.
  mutating func reportLate(_ number: Int32, _ loop: Int32) {
    let source = runLoops.sources[Int(number)]
    if source.sleptOnSince < 0 { return }
    runLoops.sources[Int(number)].sleptOnSince = -1
    tell(
      .signalledNotWoken,
      FindingText.signalledLate(
        process.kernel.names.text(NameID(Int(source.name))),
        loopOf: process.kernel.name(of: runLoops.loops[Int(loop)].thread),
        late: Nanoseconds(process.kernel.now - source.sleptOnSince)),
      source.place, thread: runLoops.loops[Int(loop)].thread)
  }

  // MARK: Messages, blocks and performs

  private mutating func report(unread number: Int32) {
    let port = runLoops.ports[Int(number)]
    guard port.isValid, let message = port.messages.first else { return }
    let name = port.isAnswer ? nil : process.kernel.names.text(NameID(Int(port.name)))
    if !canTell(.neverFires, message.place) { return }
    guard let loop = port.places.first(where: { _ in true })?.loop else {
      tell(
        .neverFires, FindingText.messageWithoutLoop(port: name), message.place, thread: -1)
      return
    }
    if !isIdle(loop) { return }
    let modes = runLoops.modes(among: port.places, in: loop).map { modeName(loop, $0) }
    tell(
      .neverFires,
      name.map { FindingText.messageInSilence(silence(loop, modes), port: $0) }
        ?? FindingText.answerInSilence(silence(loop, modes)),
      message.place, thread: runLoops.loops[Int(loop)].thread)
  }

  private mutating func reportWaiting(in loop: Int32) {
    if !isIdle(loop) { return }
    let thread = runLoops.loops[Int(loop)].thread
    let sleeps = runLoops.loops[Int(loop)].sleeps
    let mode = runLoops.loops[Int(loop)].mode
    for block in runLoops.loops[Int(loop)].blocks {
      if sleeps && runLoops.matches(block.modes, loop, mode) {
        tell(
          .signalledNotWoken, FindingText.blockNotWoken(loopOf: process.kernel.name(of: thread)),
          block.place, thread: thread)
      } else {
        tell(
          .neverFires, FindingText.blockInSilence(silence(loop, block.modes)), block.place,
          thread: thread)
      }
    }
    for perform in runLoops.loops[Int(loop)].performs.all where perform.waiter < 0 {
      tell(
        .neverFires, FindingText.performInSilence(silence(loop, perform.modes)),
        perform.place, thread: thread)
    }
  }
}
