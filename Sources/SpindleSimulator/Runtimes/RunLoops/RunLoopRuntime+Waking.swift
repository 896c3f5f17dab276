import SpindleModel

/// What is ready, what wakes a loop, and until when it sleeps.
extension RunLoopRuntime {
  /// Which port a pass takes.
  ///
  /// When several are ready at one moment a pass takes the first of them in this order: the
  /// wake-up port, the timers, the main dispatch queue, and of the other ports the one whose oldest
  /// message came first. It begins behind the kind that it took last, so that none of them starves.
  /// The real order is that of the kernel's port set, which nobody promises.
  enum ReadyPort {
    case none, wakeUp, timers, mainQueue
    case port(Int32)
  }

  /// How many kinds of ports there are.
  private static let kinds = 4

  /// What is ready in a mode; a wake-up is thereby taken.
  mutating func takeReady(
    _ loop: Int32, _ mode: Int32, mainQueueIsReady: Bool, now: Int64
  ) -> ReadyPort {
    let first = loops[Int(loop)].nextKind
    for turn in 0..<Self.kinds {
      let kind = (first + turn) % Self.kinds
      let found = takeReady(kind, loop, mode, mainQueueIsReady: mainQueueIsReady, now: now)
      if case .none = found { continue }
      loops[Int(loop)].nextKind = (kind + 1) % Self.kinds
      return found
    }
    return .none
  }

  /// What is ready of one kind, by its place in the order of `ReadyPort`.
  private mutating func takeReady(
    _ kind: Int, _ loop: Int32, _ mode: Int32, mainQueueIsReady: Bool, now: Int64
  ) -> ReadyPort {
    switch kind {
    case 0:
      if !loops[Int(loop)].isWakeUpPending { return .none }
      loops[Int(loop)].isWakeUpPending = false
      return .wakeUp
    case 1: return moments(loop, mode).earliest <= now ? .timers : .none
    case 2: return mainQueueIsReady ? .mainQueue : .none
    default: return readyPort(loop, mode).map { .port($0) } ?? .none
    }
  }

  /// The port in a mode whose first message came first; nil when none has one.
  private func readyPort(_ loop: Int32, _ mode: Int32) -> Int32? {
    loops[Int(loop)].modes[Int(mode)].readyPorts.first?.item
  }

  /// The earliest moment at which a timer of a mode may fire, and the latest at which one must.
  ///
  /// Timers that are firing do not count. Source: __CFArmNextTimerInMode.
  func moments(_ loop: Int32, _ mode: Int32) -> (earliest: Int64, latest: Int64) {
    loops[Int(loop)].modes[Int(mode)].timers.moments
  }

  /// Until when a loop that has nothing to do sleeps.
  ///
  /// On Darwin the system may use a timer's tolerance, and here does so to the full, unless
  /// something else wakes the loop in that time; the Linux library has no such timers.
  func wakeTime(
    _ loop: Int32, _ mode: Int32, deadline: Int64, _ kernel: borrowing Kernel
  ) -> Int64? {
    let moments = moments(loop, mode)
    let timer = kernel.machine.isDarwin ? moments.latest : moments.earliest
    let time = min(timer, deadline)
    return time == Int64.max ? nil : time
  }

  /// Whether a loop takes no wake-ups now: it is awake, and looks at everything anyway.
  func ignoresWakeUps(_ loop: Int32) -> Bool {
    loops[Int(loop)].run >= 0 && loops[Int(loop)].ignoresWakeUps
  }

  /// `CFRunLoopWakeUp`: leaves a message, unless the loop ignores it.
  mutating func wakeUp(_ loop: Int32, by thread: Int32, _ kernel: inout Kernel) {
    if ignoresWakeUps(loop) { return }
    loops[Int(loop)].isWakeUpPending = true
    wake(loop, by: thread, &kernel)
  }

  /// Ends the sleep of a loop's thread, if it sleeps.
  mutating func wake(_ loop: Int32, by thread: Int32, _ kernel: inout Kernel) {
    if !loops[Int(loop)].sleeps { return }
    loops[Int(loop)].sleeps = false
    settleSignals(of: loop, kernel.now)
    kernel.wake(loops[Int(loop)].thread, .granted, by: thread)
  }

  /// The moment has come until which a thread sleeps in its loop.
  mutating func sleepEnds(_ thread: Int32, _ kernel: inout Kernel) {
    let loop = kernel.threads[thread].runLoop
    loops[Int(loop)].sleeps = false
    settleSignals(of: loop, kernel.now)
    kernel.wake(thread, .timedOut, by: -1)
  }

  /// What is in a loop has changed: if it sleeps, its alarm is set anew, or it wakes.
  mutating func notice(_ loop: Int32, by thread: Int32 = -1, _ kernel: inout Kernel) {
    guard loops[Int(loop)].sleeps else { return }
    let mode = loops[Int(loop)].mode
    if readyPort(loop, mode) != nil || moments(loop, mode).earliest <= kernel.now {
      wake(loop, by: thread, &kernel)
      return
    }
    let sleeper = loops[Int(loop)].thread
    let deadline = kernel.threads[sleeper].waitValue
    if let time = wakeTime(loop, mode, deadline: deadline, kernel) {
      kernel.threads[sleeper].timer = kernel.schedule(.threadTimer, index: sleeper, at: time)
    } else {
      kernel.threads[sleeper].timer = 0
    }
  }

  // MARK: Signals

  /// A source is signalled: notes since when its loop sleeps on it.
  mutating func signal(_ source: Int32, place: Int32, now: Int64) {
    sources[Int(source)].place = place
    if sources[Int(source)].isSignalled { return }
    sources[Int(source)].isSignalled = true
    sources[Int(source)].ticket = ticket()
    sources[Int(source)].sleptOnSince = isSleptOn(source) ? now : -1
    for place in sources[Int(source)].places { note(signalOf: source, place) }
  }

  /// A source is performed, or never will be.
  mutating func unsignal(_ source: Int32) {
    sources[Int(source)].isSignalled = false
    for place in sources[Int(source)].places {
      loops[Int(place.loop)].modes[Int(place.mode)].signalled.remove(source)
    }
  }

  /// Lists a signalled source in a mode that has it.
  mutating func note(signalOf source: Int32, _ place: RunLoopPlace) {
    let record = sources[Int(source)]
    loops[Int(place.loop)].modes[Int(place.mode)].signalled.insert(
      ItemHeap.Entry(first: record.order, second: record.ticket, item: source))
    if record.sleptOnSince < 0 { return }
    loops[Int(place.loop)].signals.remove(source)
    loops[Int(place.loop)].signals.insert(
      ItemHeap.Entry(first: -record.sleptOnSince, second: Int64(source), item: source))
  }

  /// Whether a loop sleeps in a mode that has a source.
  private func isSleptOn(_ source: Int32) -> Bool {
    sources[Int(source)].places.contains { place in
      loops[Int(place.loop)].sleeps && !loops[Int(place.loop)].isWakeUpPending
        && loops[Int(place.loop)].mode == place.mode
    }
  }

  /// A loop wakes for something else: a signal of the same millisecond is not late.
  private mutating func settleSignals(of loop: Int32, _ now: Int64) {
    let mode = Int(loops[Int(loop)].mode)
    for source in loops[Int(loop)].signals.items(upTo: 999_999 - now) {
      if loops[Int(loop)].modes[mode].sources.contains(source) {
        sources[Int(source)].sleptOnSince = -1
      }
      if sources[Int(source)].sleptOnSince < 0 { loops[Int(loop)].signals.remove(source) }
    }
  }

  /// Somebody woke a loop by hand: it sleeps on no source any more.
  mutating func forgetSleep(of loop: Int32) {
    for entry in loops[Int(loop)].signals.all {
      let source = Int(entry.item)
      if sources[source].places.contains(where: { $0.loop == loop }) {
        sources[source].sleptOnSince = -1
      }
    }
    loops[Int(loop)].signals = ItemHeap()
  }

  // MARK: Ports

  /// Puts a message into a port, and wakes the loops that sleep for it.
  mutating func send(
    _ value: Int64, to port: Int32, by thread: Int32, place: Int32, _ kernel: inout Kernel
  ) {
    let message = RunLoopPort.Message(value: value, place: place, ticket: ticket())
    ports[Int(port)].messages.append(message)
    storage.take(.messages, RunLoopSize.message)
    if ports[Int(port)].messages.count == 1 {
      for place in ports[Int(port)].places { note(messagesOf: port, place) }
    }
    for place in ports[Int(port)].places {
      let (loop, mode) = (Int(place.loop), Int(loops[Int(place.loop)].mode))
      if loops[loop].sleeps && loops[loop].modes[mode].ports.contains(port) {
        wake(place.loop, by: thread, &kernel)
      }
    }
  }

  /// Takes the first message out of a port; its value.
  mutating func takeMessage(_ port: Int32) -> Int64? {
    let message = ports[Int(port)].messages.removeFirst()
    if message != nil { storage.give(.messages, RunLoopSize.message) }
    for place in ports[Int(port)].places {
      loops[Int(place.loop)].modes[Int(place.mode)].readyPorts.remove(port)
      note(messagesOf: port, place)
    }
    return message?.value
  }

  /// Lists a port that has a message in a mode that has it.
  mutating func note(messagesOf port: Int32, _ place: RunLoopPlace) {
    guard let message = ports[Int(port)].messages.first else { return }
    loops[Int(place.loop)].modes[Int(place.mode)].readyPorts.insert(
      ItemHeap.Entry(first: message.ticket, second: 0, item: port))
  }

  /// Forgets the messages of a port.
  mutating func dropMessages(of port: Int32) {
    storage.give(.messages, ports[Int(port)].messages.count * RunLoopSize.message)
    ports[Int(port)].messages = RunLoopBacklog()
  }

  /// Whether a message to a port would wake a thread.
  func wouldWake(port: Int32) -> Bool {
    ports[Int(port)].places.contains { place in
      loops[Int(place.loop)].sleeps && loops[Int(place.loop)].mode == place.mode
    }
  }
}
