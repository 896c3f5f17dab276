import SpindleModel

/// Giving cores out, stretches of work, quanta and preemption.
extension Kernel {
  /// Gives an idle core to a ready thread; returns the core, or nil when nothing is to be done.
  ///
  /// Called at the end of an instant until it returns nil. First idle cores are given out, then
  /// threads that must give way are taken off theirs.
  mutating func assignCore() -> Int32? {
    if hold.isOn { return nil }
    while true {
      if readyCount > 0 && idleCount > 0, let core = fillIdleCore() { return core }
      if readyCount == 0 || !preemptionIsDue { return nil }
      let running = RunningThreads(cores: UnsafePointer(cores.base), count: cores.count)
      guard let victim = policy.victim(among: running, at: Instant(now)) else {
        preemptionIsDue = false
        scheduleTick()
        return nil
      }
      demand(
        victim.index >= 0 && Int(victim.index) < cores.count && cores[victim.index].thread >= 0,
        "policy '\(policy.name)' preempts core \(victim.index), which runs nothing")
      preemptionsAtInstant += 1
      demand(
        preemptionsAtInstant <= 4 * (threads.count + cores.count),
        "policy '\(policy.name)' preempts without end at \(Instant(now))")
      preempt(core: victim.index, .priority)
    }
  }

  /// Gives an idle core to the thread that the policy names; nil when it names none.
  private mutating func fillIdleCore() -> Int32? {
    for position in 0..<Int32(cores.count) {
      let core = coreOrder[position]
      if cores[core].thread >= 0 { continue }
      guard let chosen = policy.dequeue(for: CoreID(Int(core)), at: Instant(now)) else {
        if policy.bindsCores { continue }
        return nil
      }
      let thread = chosen.index
      demand(
        thread >= 0 && Int(thread) < threads.count && threads[thread].state == .ready,
        "policy '\(policy.name)' gave out thread \(thread), which is not ready")
      let last = threads[thread].lastCore
      let isFree = last >= 0 && cores[Int32(last)].thread < 0
      let target = !policy.bindsCores && isFree ? preferred(Int32(last), over: core) : core
      dispatch(thread, on: target)
      return target
    }
    return nil
  }

  /// Where a thread goes that last ran on `last`: there, unless an idle core is faster.
  private func preferred(_ last: Int32, over first: Int32) -> Int32 {
    let isSlower =
      cores[last].speedNumerator * cores[first].speedDenominator
      < cores[first].speedNumerator * cores[last].speedDenominator
    return isSlower ? first : last
  }

  /// Gives a core to a thread.
  private mutating func dispatch(_ thread: Int32, on core: Int32) {
    var flags: DispatchFlags = []
    let waited = now - threads[thread].since
    threads[thread].readyTotal += waited
    if waited > threads[thread].longestReady {
      threads[thread].longestReady = waited
      threads[thread].longestReadyEnd = now
    }
    if waited >= 10_000_000_000 { reportStarvation(thread, waited) }
    let previous = cores[core].lastThread
    if previous != thread {
      flags.insert(.contextSwitch)
      threads[thread].overhead += costs.contextSwitch.rawValue
    }
    if threads[thread].lastCore >= 0 && threads[thread].lastCore != Int16(core) {
      flags.insert(.migration)
      threads[thread].overhead += costs.migration.rawValue
    }
    threads[thread].state = .running
    threads[thread].core = Int16(core)
    threads[thread].stint = 0
    cores[core].thread = thread
    cores[core].lastThread = thread
    cores[core].dispatched = now
    cores[core].event = 0
    let quantum = policy.quantum(for: ThreadID(Int(thread)))
    if let quantum {
      demand(quantum > .zero, "policy '\(policy.name)' gave thread \(thread) an empty quantum")
      cores[core].quantumEnd = (Instant(now) + quantum).nanoseconds
    } else {
      cores[core].quantumEnd = Int64.max
    }
    readyCount -= 1
    idleCount -= 1
    schedulingEvents &+= 1
    record(.threadRuns, thread: thread, detail: flags.rawValue, core: Int16(core))
  }

  /// Begins a stretch of the work and costs that the thread on `core` still has; it ends by an event.
  ///
  /// When the quantum ends before the work, that is a decision of the kernel: it comes last of its
  /// instant, so that threads that get ready then stand before the one whose quantum it was.
  mutating func beginStretch(on core: Int32) {
    let thread = cores[core].thread
    let stretch = threads[thread].overhead &+ threads[thread].work
    let (end, overflow) = now.addingReportingOverflow(cores[core].time(for: stretch))
    cores[core].stretchStart = now
    cores[core].stretch = stretch
    let whole = overflow ? Int64.max : end
    let expires = whole > cores[core].quantumEnd || now >= cores[core].quantumEnd
    cores[core].event = schedule(
      expires ? .quantum : .core, index: core, at: min(whole, max(now, cores[core].quantumEnd)))
  }

  /// The event of a core is due.
  ///
  /// Returns true when the thread goes on, false when it lost the core.
  mutating func stretchEnded(on core: Int32) -> Bool {
    let thread = cores[core].thread
    settle(core)
    if threads[thread].overhead &+ threads[thread].work == 0 { return true }
    preempt(core: core, .quantum)
    return false
  }

  /// Accounts for what has been done of the present stretch.
  mutating func settle(_ core: Int32) {
    if cores[core].event == 0 { return }
    let thread = cores[core].thread
    let elapsed = now - cores[core].stretchStart
    let whole = cores[core].time(for: cores[core].stretch)
    let done = elapsed >= whole ? cores[core].stretch : cores[core].work(in: elapsed)
    let overhead = min(done, threads[thread].overhead)
    let overheadTime = min(elapsed, cores[core].time(for: overhead))
    threads[thread].overhead -= overhead
    threads[thread].work -= done - overhead
    threads[thread].stint += elapsed - overheadTime
    threads[thread].cpu += elapsed - overheadTime
    cores[core].busy += elapsed - overheadTime
    cores[core].overhead += overheadTime
    cores[core].event = 0
  }

  /// Takes the core from a thread that could go on.
  mutating func preempt(core: Int32, _ reason: PreemptionReason) {
    let thread = cores[core].thread
    let end = cores[core].quantumEnd
    let stint = leaveCore(thread)
    record(
      .threadPreempted, thread: thread, detail: reason.rawValue, core: Int16(core),
      place: threads[thread].place, value: stint)
    if reason == .quantum || end <= now {
      makeReady(thread, .quantumExpired, by: -1)
    } else {
      let left = end == Int64.max ? nil : Nanoseconds(end - now)
      makeReady(thread, .preempted(left: left), by: -1)
    }
  }

  /// Takes a thread off its core; returns its own work since it got it.
  mutating func leaveCore(_ thread: Int32) -> Int64 {
    let core = Int32(threads[thread].core)
    assert(core >= 0, "a thread without a core can't leave it")
    settle(core)
    let ran = now - cores[core].dispatched
    policy.ran(ThreadID(Int(thread)), for: Nanoseconds(ran), at: Instant(now))
    cores[core].thread = -1
    threads[thread].lastCore = Int16(core)
    threads[thread].core = -1
    idleCount += 1
    schedulingEvents &+= 1
    return threads[thread].stint
  }

  // MARK: The policy's clock

  /// Asks the policy when it wants to be called again.
  private mutating func scheduleTick() {
    if tickEvent != 0 { return }
    if let tick = policy.nextTick(after: Instant(now)) {
      demand(tick.nanoseconds > now, "policy '\(policy.name)' wants a tick in the past")
      tickEvent = schedule(.policyTick, index: 0, at: tick.nanoseconds)
    }
  }

  /// The policy's tick is due.
  mutating func policyTick() {
    tickEvent = 0
    let running = RunningThreads(cores: UnsafePointer(cores.base), count: cores.count)
    policy.tick(running: running, at: Instant(now))
    preemptionIsDue = true
  }

  /// Notes that a thread was ready for very long without a core.
  mutating func reportStarvation(_ thread: Int32, _ waited: Int64) {
    if hasTold(.starvation) { return }
    report(
      .starvation, thread: thread, places: [threads[thread].place, threads[thread].madeAt],
      "'\(name(of: thread))' was ready for \(Nanoseconds(waited)) and got no core")
  }
}
