import SpindleModel

/// What is ready, what wakes a loop, and until when it sleeps.
extension RunLoopRuntime {
  /// What is ready in a mode; a wake-up is thereby taken.
  mutating func takeReady(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, mainQueueIsReady: Bool, now: Int64
  ) -> RunLoopReadyPort {
    var kind = loops[loop].nextKind
    for _ in RunLoopReadyPort.Kind.allCases {
      let next = kind.next
      let found = takeReady(kind, loop, mode, mainQueueIsReady: mainQueueIsReady, now: now)
      if case .none = found {
        kind = next
        continue
      }
      loops[loop].nextKind = next
      return found
    }
    return .none
  }

  /// What is ready of one kind.
  private mutating func takeReady(
    _ kind: RunLoopReadyPort.Kind, _ loop: RunLoop.Index, _ mode: RunLoopMode.Index,
    mainQueueIsReady: Bool, now: Int64
  ) -> RunLoopReadyPort {
    switch kind {
    case .wakeUp:
      if !loops[loop].isWakeUpPending { return .none }
      loops[loop].isWakeUpPending = false
      return .wakeUp
    case .timers: return loops.moments(loop, mode).earliest <= now ? .timers : .none
    case .mainQueue: return mainQueueIsReady ? .mainQueue : .none
    case .port: return loops.readyPort(loop, mode).map { .port($0) } ?? .none
    }
  }

  /// Whether a loop takes no wake-ups now: it is awake, and looks at everything anyway.
  func ignoresWakeUps(_ loop: RunLoop.Index) -> Bool {
    !loops[loop].run.isNone && loops[loop].ignoresWakeUps
  }

  /// `CFRunLoopWakeUp`: leaves a message, unless the loop ignores it.
  mutating func wakeUp(_ loop: RunLoop.Index, by thread: ThreadID, _ kernel: inout Kernel) {
    if ignoresWakeUps(loop) { return }
    assert(!loops[loop].thread.isNone, "loop \(loop.raw) was given back and is woken")
    loops[loop].isWakeUpPending = true
    wake(loop, by: thread, &kernel)
  }

  /// Ends the sleep of a loop's thread, if it sleeps.
  mutating func wake(_ loop: RunLoop.Index, by thread: ThreadID, _ kernel: inout Kernel) {
    if !loops[loop].sleeps { return }
    let sleeper = loops[loop].thread
    demand(
      kernel.threads[sleeper].state == .waiting && kernel.threads[sleeper].reason == .runLoop,
      "loop \(loop.raw) sleeps, and its thread \(sleeper.index) is \(kernel.threads[sleeper].state)"
    )
    loops[loop].sleeps = false
    settleSignals(of: loop, kernel.now)
    kernel.wake(sleeper, .granted, by: thread)
  }

  /// The moment has come until which a thread sleeps in its loop.
  mutating func sleepEnds(_ thread: ThreadID, _ kernel: inout Kernel) {
    let loop = knownLoop(of: thread, kernel)
    demand(
      !loop.isNone && loops[loop].sleeps,
      "the sleep of thread \(thread.index) ends, and it does not sleep in a loop")
    loops[loop].sleeps = false
    settleSignals(of: loop, kernel.now)
    kernel.wake(thread, .timedOut, by: .none)
  }

  /// What is in a loop has changed: if it sleeps, its alarm is set anew, or it wakes.
  mutating func notice(_ loop: RunLoop.Index, by thread: ThreadID = .none, _ kernel: inout Kernel) {
    guard loops[loop].sleeps else { return }
    let mode = loops[loop].mode
    demand(!mode.isNone, "loop \(loop.raw) sleeps in no mode")
    if loops.readyPort(loop, mode) != nil || loops.moments(loop, mode).earliest <= kernel.now {
      wake(loop, by: thread, &kernel)
      return
    }
    let sleeper = loops[loop].thread
    let deadline = kernel.threads[sleeper].waitValue
    let isDarwin = kernel.machine.isDarwin
    kernel.setAlarm(
      of: sleeper, at: loops.wakeTime(loop, mode, deadline: deadline, isDarwin: isDarwin))
  }

  // MARK: Signals

  /// A source is signalled: notes since when its loop sleeps on it.
  mutating func signal(_ source: RunLoopSource.Index, place: Int32, now: Int64) {
    demand(sources[source].isValid, "source \(source.raw) is signalled and not valid")
    sources[source].place = place
    if sources[source].isSignalled { return }
    sources[source].isSignalled = true
    sources[source].ticket = ticket()
    sources[source].sleptOnSince = isSleptOn(source) ? now : -1
    for place in sources[source].places { note(signalOf: source, place) }
  }

  /// A source is performed, or never will be.
  mutating func unsignal(_ source: RunLoopSource.Index) {
    sources[source].isSignalled = false
    assert(
      sources[source].ticket > 0 || !sources[source].isValid,
      "source \(source.raw) is performed and was never signalled")
    for place in sources[source].places {
      loops[place.loop].modes[place.mode].signalled.remove(source)
    }
  }

  /// Lists a signalled source in a mode that has it.
  mutating func note(signalOf source: RunLoopSource.Index, _ place: RunLoopPlace) {
    assert(sources[source].isSignalled, "source \(source.raw) is listed, not signalled")
    let record = sources[source]
    loops[place.loop].modes[place.mode].signalled.insert(
      RunLoopHeap.Entry(first: record.order, second: record.ticket, item: source))
    if record.sleptOnSince < 0 { return }
    loops[place.loop].signals.remove(source)
    loops[place.loop].signals.insert(
      RunLoopHeap.Entry(first: -record.sleptOnSince, second: source.register, item: source))
  }

  /// Whether a loop sleeps in a mode that has a source.
  private mutating func isSleptOn(_ source: RunLoopSource.Index) -> Bool {
    sources[source].places.contains { place in
      loops[place.loop].sleeps && !loops[place.loop].isWakeUpPending
        && loops[place.loop].mode == place.mode
    }
  }

  /// A loop wakes for something else: a signal of the same millisecond is not late.
  private mutating func settleSignals(of loop: RunLoop.Index, _ now: Int64) {
    if loops[loop].signals.isEmpty { return }
    let mode = loops[loop].mode
    demand(!mode.isNone, "loop \(loop.raw) wakes and ran in no mode")
    var found: [RunLoopSource.Index] = []
    loops[loop].signals.forEach(upTo: 999_999 - now) { found.append($0) }
    for source in found {
      if loops[loop].modes[mode].sources.contains(source) {
        sources[source].sleptOnSince = -1
      }
      if sources[source].sleptOnSince < 0 { loops[loop].signals.remove(source) }
    }
  }

  /// Somebody woke a loop by hand: it sleeps on no source any more.
  mutating func forgetSleep(of loop: RunLoop.Index) {
    for entry in loops[loop].signals.all {
      let source = entry.item
      if sources[source].places.contains(where: { $0.loop == loop }) {
        sources[source].sleptOnSince = -1
      }
    }
    loops[loop].signals = RunLoopHeap()
  }

  // MARK: Ports

  /// Puts a message into a port, and wakes the loops that sleep for it.
  mutating func send(
    _ value: Int64, to port: RunLoopPort.Index, by thread: ThreadID, place: Int32,
    _ kernel: inout Kernel
  ) {
    let message = RunLoopPort.Message(value: value, place: place, ticket: ticket())
    ports[port].messages.append(message)
    storage.take(.messages, RunLoopSize.message)
    if ports[port].messages.count == 1 {
      for place in ports[port].places { note(messagesOf: port, place) }
    }
    for place in ports[port].places {
      let (loop, mode) = (place.loop, loops[place.loop].mode)
      if loops[loop].sleeps && loops[loop].modes[mode].ports.contains(port) {
        wake(place.loop, by: thread, &kernel)
      }
    }
  }

  /// Takes the first message out of a port; its value.
  mutating func takeMessage(_ port: RunLoopPort.Index) -> Int64? {
    let message = ports[port].messages.removeFirst()
    demand(message != nil, "port \(port.raw) is ready without a message")
    if message != nil { storage.give(.messages, RunLoopSize.message) }
    for place in ports[port].places {
      loops[place.loop].modes[place.mode].readyPorts.remove(port)
      note(messagesOf: port, place)
    }
    return message?.value
  }

  /// Lists a port that has a message in a mode that has it.
  mutating func note(messagesOf port: RunLoopPort.Index, _ place: RunLoopPlace) {
    guard let message = ports[port].messages.first else { return }
    assert(ports[port].isValid, "port \(port.raw) has a message and is not valid")
    loops[place.loop].modes[place.mode].readyPorts.insert(
      RunLoopHeap.Entry(first: message.ticket, second: 0, item: port))
  }

  /// Forgets the messages of a port.
  mutating func dropMessages(of port: RunLoopPort.Index) {
    demand(!ports[port].isValid, "the messages of port \(port.raw), which is valid, are dropped")
    storage.give(.messages, ports[port].messages.count * RunLoopSize.message)
    ports[port].messages = RunLoopBacklog()
  }

  /// Whether a message to a port would wake a thread.
  mutating func wouldWake(port: RunLoopPort.Index) -> Bool {
    ports[port].places.contains { place in
      loops[place.loop].sleeps && loops[place.loop].mode == place.mode
    }
  }
}

/// What is asked of loops in every pass: of their table, since a method of the whole runtime would be
/// handed a copy of it.
extension RunLoopRecords where Record == RunLoop {
  /// The port in a mode whose first message came first; nil when none has one.
  func readyPort(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index) -> RunLoopPort.Index? {
    self[loop].modes[mode].readyPorts.first?.item
  }

  /// The earliest moment at which a timer of a mode may fire, and the latest at which one must.
  ///
  /// Timers that are firing do not count. Source: __CFArmNextTimerInMode.
  func moments(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index)
    -> (earliest: Int64, latest: Int64)
  {
    self[loop].modes[mode].timers.moments
  }

  /// Until when a loop that has nothing to do sleeps.
  ///
  /// On Darwin the system may use a timer's tolerance, and here does so to the full, unless
  /// something else wakes the loop in that time; the Linux library has no such timers.
  func wakeTime(
    _ loop: RunLoop.Index, _ mode: RunLoopMode.Index, deadline: Int64, isDarwin: Bool
  ) -> Int64? {
    let moments = moments(loop, mode)
    assert(
      moments.earliest <= moments.latest,
      "a timer may fire at \(moments.earliest) and must at \(moments.latest)")
    let time = min(isDarwin ? moments.latest : moments.earliest, deadline)
    return time == Int64.max ? nil : time
  }

  /// The name of a mode.
  func modeName(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index) -> NameID {
    self[loop].modes[mode].name
  }

  /// Whether what arrives for the common modes is taken by a run in a mode: touches and drawing are.
  func isCommon(_ loop: RunLoop.Index, _ mode: RunLoopMode.Index) -> Bool {
    self[loop].modes[mode].isCommon
  }

  /// Whether something for these modes, all of which have been met, is for the mode at `index`.
  func matches(
    _ modes: [NameID], _ loop: RunLoop.Index, _ index: RunLoopMode.Index, common: NameID
  ) -> Bool {
    let (name, isCommon) = (modeName(loop, index), isCommon(loop, index))
    for wanted in modes where wanted == name || (isCommon && wanted == common) { return true }
    return false
  }

  /// Whether nothing is in a mode that could make a run in it worth while.
  ///
  /// Observers do not count. `servesMainQueue` says whether a run in it would serve that queue, and
  /// `common` is the name of the common modes. Source: __CFRunLoopModeIsEmpty.
  func isEmpty(
    _ loop: RunLoop.Index, _ index: RunLoopMode.Index, servesMainQueue: Bool, common: NameID
  ) -> Bool {
    if servesMainQueue || self[loop].modes[index].hasItems { return false }
    for block in self[loop].blocks where matches(block.modes, loop, index, common: common) {
      return false
    }
    return true
  }
}
