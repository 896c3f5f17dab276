import SpindleModel

extension TimelineTally {
  mutating func created(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    let time = Instant(entry.time)
    let maker = index(entry.other)
    var fresh = OpenThread(
      slice: ThreadSlice(
        thread: .none, start: time, end: time, state: .ready, began: .started, ended: .started,
        core: .none), isAlive: false)
    threads.reach(slot, filledWith: fresh)
    fresh.isAlive = true
    stateCount += 1
    fresh.slice.order = stateCount
    fresh.slice.thread = ThreadIndex(threadCount)
    fresh.slice.agent = maker
    threadCount += 1
    threads[slot].pointee = fresh
    let label = labels.label(entry)
    consumer.threadBegan(
      ThreadFacts(
        thread: fresh.slice.thread, slot: entry.thread, time: time,
        origin: ThreadOrigin(rawValue: entry.detail) ?? .thread, maker: maker,
        stack: ByteCount(entry.value), place: entry.place, label: label,
        ordinal: ordinals.threadMade(label, names)))
    consumer.stateBegan(fresh.slice)
  }

  /// A thread is ready: one that waited is woken, and of the others that is known already.
  mutating func ready(_ entry: LogEntry) {
    guard let slot = slot(entry.thread), threads[slot].pointee.slice.state == .waiting else {
      return
    }
    let change: ThreadChange = threads[slot].pointee.timedOut ? .timedOut : .woken
    threads[slot].pointee.timedOut = false
    var next = self.next(slot, .ready, entry, change)
    next.agent = index(entry.other)
    beginState(slot, next)
  }

  mutating func runs(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    var next = self.next(slot, .running, entry, .gotCore)
    next.core = CoreID(Int(entry.core))
    next.dispatch = DispatchFlags(rawValue: entry.detail)
    next.refill = Nanoseconds(entry.value)
    next.quality = threads[slot].pointee.quality
    threads[slot].pointee.sleptBefore = slept(by: entry.time)
    beginState(slot, next)
    guard entry.core >= 0 else { return }
    victims.reach(Int(entry.core), filledWith: -1)
    // The thread that lost this core at this moment records its successor.
    let victim = victims[Int(entry.core)].pointee
    victims[Int(entry.core)].pointee = -1
    guard victim != entry.thread, let loser = self.slot(victim),
      threads[loser].pointee.slice.state == .ready,
      threads[loser].pointee.slice.start == next.start
    else { return }
    threads[loser].pointee.slice.agent = next.thread
  }

  /// A thread has another priority, with a quality of service.
  mutating func qualityChanged(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    threads[slot].pointee.quality = NameID(Int(entry.object))
  }

  /// A thread that could continue has lost its core.
  mutating func lostCore(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    let change: ThreadChange =
      switch PreemptionReason(rawValue: entry.detail) {
      case .quantum: .quantumEnded
      case .priority: .preempted
      case .yield, nil: .yielded
      }
    endRunning(slot, entry)
    var next = self.next(slot, .ready, entry, change)
    next.core = CoreID(Int(entry.core))
    next.place = entry.place
    beginState(slot, next)
    guard entry.core >= 0 else { return }
    victims.reach(Int(entry.core), filledWith: -1)
    victims[Int(entry.core)].pointee = entry.thread
  }

  mutating func blocked(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    endRunning(slot, entry)
    var next = self.next(slot, .waiting, entry, .blocked)
    let reason = WaitReason(rawValue: entry.detail)
    next.reason = reason
    next.name = NameID(Int(entry.object))
    next.agent = index(entry.other)
    next.place = entry.place
    if let reason, entry.subject >= 0 {
      let family = ObjectFamily(reason)
      if family != .other { next.lane = lane(family, entry.subject, entry) }
    }
    beginState(slot, next)
  }

  /// The wait that has just begun ends by itself.
  mutating func limited(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    threads[slot].pointee.slice.limit = Instant(entry.value)
  }

  /// A wait has timed out, which the thread finds next.
  mutating func timedOut(_ entry: LogEntry) {
    guard let slot = slot(entry.thread), threads[slot].pointee.slice.state == .waiting else {
      return
    }
    threads[slot].pointee.timedOut = true
  }

  mutating func ended(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    endSpans(slot, Instant(entry.time))
    endRunning(slot, entry)
    endState(slot, at: Instant(entry.time), entry.event == .threadEnded ? .ended : .killed)
    threads[slot].pointee.isAlive = false
  }

  /// Records the time on a core that ends with an entry.
  private mutating func endRunning(_ slot: Int, _ entry: LogEntry) {
    let thread = threads[slot]
    guard thread.pointee.slice.state == .running else { return }
    thread.pointee.slice.work = Nanoseconds(entry.value)
    thread.pointee.slice.slept = Nanoseconds(slept(by: entry.time) - thread.pointee.sleptBefore)
    thread.pointee.slice.place = entry.place
  }

  /// Ends a thread's state, and makes the next one.
  private mutating func next(
    _ slot: Int, _ state: ThreadState, _ entry: LogEntry, _ change: ThreadChange
  ) -> ThreadSlice {
    let time = Instant(entry.time)
    endState(slot, at: time, change)
    stateCount += 1
    return ThreadSlice(
      thread: threads[slot].pointee.slice.thread, start: time, end: time, state: state,
      began: change, ended: change, core: .none, order: stateCount)
  }

  private func beginState(_ slot: Int, _ slice: ThreadSlice) {
    threads[slot].pointee.slice = slice
    consumer.stateBegan(slice)
  }

  /// Ends a thread's state.
  func endState(_ slot: Int, at time: Instant, _ change: ThreadChange) {
    var slice = threads[slot].pointee.slice
    slice.end = time
    slice.ended = change
    if slice.state == .running && change == .runEnded {
      // The simulator has taken every thread off its core by then; a hand-made log may not.
      let slept = slept(by: time.nanoseconds) - threads[slot].pointee.sleptBefore
      slice.slept = Nanoseconds(slept)
    }
    consumer.stateEnded(slice)
  }
}
