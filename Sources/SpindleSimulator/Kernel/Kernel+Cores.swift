import SpindleModel

/// Giving cores out, bursts of work, quanta and preemption.
extension Kernel {
  /// Gives an idle core to a ready thread; returns the core, or nil when nothing is to be done.
  ///
  /// Called at the end of an instant until it returns nil. First idle cores are given out, then
  /// threads are preempted for better ones.
  @inline(always)
  mutating func assignCore() -> CoreID? {
    if !mayAssignCore { return nil }
    if idleCount > 0, let core = fillIdleCore() { return core }
    return preemptionIsDue ? takeCore() : nil
  }

  /// Whether a core may have to be given out: somebody is ready, and a core idle or to be taken.
  ///
  /// While the machine or the app is held, nobody gets one.
  @inline(__always)
  var mayAssignCore: Bool { readyCount > 0 && (idleCount > 0 || preemptionIsDue) && !hold.isOn }

  /// Preempts threads until a core can be given out; nil when the policy names none.
  @inline(never)
  private mutating func takeCore() -> CoreID? {
    while readyCount > 0 && !storage.mustEnd {
      let running = RunningThreads(cores: UnsafePointer(cores.writable.base), count: cores.count)
      guard let victim = policy.victim(among: running, at: Instant(now)) else { break }
      if !policy.saysItPreempts || !runs(victim) {
        breaks(policy.saysItPreempts ? .victimRuns : .victimNeedsPreemption)
        return nil
      }
      preemptionsAtInstant += 1
      if preemptsEndlessly {
        breaks(.preemptionEnds, about: cores[victim].thread)
        return nil
      }
      preempt(core: victim, .priority)
      if let core = fillIdleCore() { return core }
    }
    if readyCount == 0 { return nil }
    preemptionIsDue = false
    scheduleTick()
    // What a policy with a line for each core has decided may let an idle one have a thread.
    return policy.bindsCores && idleCount > 0 ? fillIdleCore() : nil
  }

  /// Gives an idle core to the thread that the policy names; nil when it names none.
  @inline(always)
  private mutating func fillIdleCore() -> CoreID? {
    guard let rank = idleCores.first(from: 0) else { return nil }
    if let core = fill(coreAt: rank) { return core }
    return policy.bindsCores ? fillIdleCore(after: rank) : nil
  }

  /// Gives one of the idle cores behind a rank to a thread that the policy names for it.
  @inline(never)
  private mutating func fillIdleCore(after first: Int32) -> CoreID? {
    var last = first
    while let rank = idleCores.first(from: last &+ 1) {
      if let core = fill(coreAt: rank) { return core }
      last = rank
    }
    return nil
  }

  /// Gives the idle core of a rank, or another one that suits it better, to the thread that the policy
  /// names; nil when it names none.
  @inline(always)
  private mutating func fill(coreAt rank: Int32) -> CoreID? {
    let core = coreOrder.unchecked(rank).pointee
    guard let thread = policy.dequeue(for: core, at: Instant(now)) else { return nil }
    if thread.isNone || Int(thread.index) >= threads.count || !isWithPolicy(thread) {
      breaks(.dequeuedThreadIsReady, about: thread)
      return nil
    }
    let last = CoreID(threads.writable.unchecked(thread).pointee.lastCore)
    let isFree =
      !last.isNone && last != core && cores.writable.unchecked(last).pointee.thread.isNone
    var target = !policy.bindsCores && isFree ? preferred(last, over: core) : core
    if hasCaches && !policy.bindsCores && target != last { target = near(last, insteadOf: target) }
    dispatch(thread, on: target)
    return target
  }

  /// Where a thread goes that last ran on `last`: there, unless an idle core is faster.
  private func preferred(_ last: CoreID, over first: CoreID) -> CoreID {
    let isSlower =
      cores[last].speedNumerator * cores[first].speedDenominator
      < cores[first].speedNumerator * cores[last].speedDenominator
    return isSlower ? first : last
  }

  /// The longest idle time, in nanoseconds, behind which a core goes on as fast as one that has just become idle.
  ///
  /// After 60 us it does, and after 200 us it does not: measured on a virtual machine, whose host lets go of a core that
  /// sleeps.
  private static let shortIdle: Int64 = 100_000

  /// Gives a core to a thread.
  @inline(always)
  private mutating func dispatch(_ thread: ThreadID, on index: CoreID) {
    let (core, record) = (cores.writable.unchecked(index), threads.writable.unchecked(thread))
    demand(
      core.pointee.thread.isNone,
      "core \(index.index) has thread \(core.pointee.thread.index) already")
    assert(
      record.pointee.core < 0, "thread \(thread.index) has core \(record.pointee.core) already")
    assert(readyCount > 0 && idleCount > 0, "\(readyCount) are ready, \(idleCount) cores idle")
    var flags: DispatchFlags = []
    let waited = now &- record.pointee.since
    record.pointee.readyTotal &+= waited
    if waited > record.pointee.longestReady {
      record.pointee.longestReady = waited
      record.pointee.longestReadyEnd = now
    }
    if waited >= 10_000_000_000 { reportStarvation(thread, waited) }
    let isSame =
      core.pointee.lastThread == thread
      && core.pointee.lastGeneration == record.pointee.generation
    if !isSame {
      flags.insert(.contextSwitch)
      record.pointee.charge(costs.contextSwitch.rawValue)
    }
    // Who stood in a core's line and has not run yet has nothing there.
    let hasRun =
      record.pointee.lastCore >= 0
      && (costs.spread == .zero || record.pointee.flags.contains(.begun))
    if hasRun && CoreID(record.pointee.lastCore) != index {
      flags.insert(.migration)
      record.pointee.charge(costs.migration.rawValue)
    }
    let refill = hasCaches && hasRun ? fillCaches(of: index, for: thread, &flags) : 0
    if leavingIdleCosts && core.pointee.freeSince < now {
      record.pointee.charge(costs.idleExit.rawValue)
      if now - core.pointee.freeSince > Self.shortIdle {
        record.pointee.charge(costs.deepIdle.rawValue)
      }
    }
    record.pointee.state = .running
    record.pointee.core = Int16(truncatingIfNeeded: index.index)
    record.pointee.runSinceDispatch = 0
    core.pointee.thread = thread
    core.pointee.lastThread = thread
    core.pointee.lastGeneration = record.pointee.generation
    core.pointee.event = 0
    core.pointee.turn = 0
    core.pointee.came = now
    breakWork()
    beginQuantum(core, of: thread)
    readyCount &-= 1
    idleCount &-= 1
    idleCores.remove(core.pointee.rank)
    schedulingEvents &+= 1
    self.record(
      .threadRuns, thread: thread, detail: flags.rawValue,
      core: Int16(truncatingIfNeeded: index.index),
      value: refill)
  }

  /// Begins a burst of the work and costs that the thread on a core still has; it ends by an event.
  ///
  /// When the quantum ends before the work, that is a decision of the kernel: it comes last of its
  /// instant, so that threads that become ready then stand before the one whose quantum it was.
  ///
  /// Work with nothing between it and the work before is one with that: its end has the same place among
  /// the events of its instant, and is rounded to nanoseconds as one. Where that would be more than can be counted, on a
  /// core whose speed makes a short time of it, it begins anew.
  @inline(always)
  mutating func beginBurst(on index: CoreID, of thread: ThreadPointer) {
    let core = cores.writable.unchecked(index)
    let burst = thread.pointee.remaining
    assert(burst >= 0, "the burst on core \(index.index) takes \(burst)")
    assert(
      core.pointee.event == 0,
      "core \(index.index) works already, until event \(core.pointee.event)")
    let before = core.pointee.chainWork &+ core.pointee.burst
    if isUnbroken && before <= Int64.max - burst {
      core.pointee.chainWork = before
    } else {
      sequence &+= 1
      core.pointee.number = sequence
      core.pointee.chainStart = now
      core.pointee.chainWork = 0
    }
    breakWork()
    core.pointee.burstStart = now
    core.pointee.burst = burst
    let (end, overflow) = core.pointee.chainStart.addingReportingOverflow(
      core.pointee.time(for: core.pointee.chainWork &+ burst))
    let whole = overflow ? Int64.max : end
    core.pointee.burstEnd = whole
    if core.pointee.quantumEnd == Int64.max {
      expect(.core, on: index, at: whole)
    } else {
      expectWithin(core.pointee.quantumEnd, index, whole)
    }
  }

  /// Schedules the end of a burst that would be at `whole`, and not later than that of a quantum.
  ///
  /// The end of a quantum was settled when the turn began, and has its place from then.
  @inline(never)
  private mutating func expectWithin(_ quantumEnd: Int64, _ index: CoreID, _ whole: Int64) {
    let core = cores.writable.unchecked(index)
    if core.pointee.turn == 0 {
      (core.pointee.turn, core.pointee.placed) = (core.pointee.number, core.pointee.dispatched)
    }
    let expires = whole > quantumEnd || now >= quantumEnd
    expect(expires ? .quantum : .core, on: index, at: min(whole, max(now, quantumEnd)))
  }

  /// Schedules the only event of a core that is wanted from now on.
  @inline(__always)
  mutating func expect(_ kind: DueKind, on index: CoreID, at time: Int64) {
    let core = cores.writable.unchecked(index)
    let number = kind == .quantum ? core.pointee.turn : core.pointee.number
    assert(kind == .quantum || kind == .core, "a core waits for an event of kind '\(kind)'")
    assert(number > 0, "the work on core \(index.index) has no place among the events")
    core.pointee.event = number
    core.pointee.due = schedule(kind, index: index.index, at: time, as: number)
  }

  /// The present thread has done something that others can notice: the work that it begins next does
  /// not go on with the work before.
  @inline(__always)
  mutating func breakWork() {
    isUnbroken = false
    isStraight = false
  }

  /// The present thread has done something behind which its work is counted anew, though it came straight
  /// from the work before.
  mutating func endChain() { isUnbroken = false }

  /// The event of a core is due.
  ///
  /// Returns true when the thread goes on, false when it lost the core.
  @inline(__always)
  mutating func burstEnded(on core: CoreID, of thread: ThreadPointer) -> Bool {
    settle(core, thread)
    if thread.pointee.remaining == 0 {
      isUnbroken = true
      isStraight = true
      return true
    }
    if cores.writable.unchecked(core).pointee.unwatchedLength > 0 {
      watchLastQuantum(on: core, of: thread)
    } else if readyCount > 0 || !renewQuantum(on: core, of: thread) {
      preempt(core: core, .quantum)
    }
    return false
  }

  /// Accounts for what has been done of the present burst.
  @inline(__always)
  func settle(_ index: CoreID, _ present: ThreadPointer) {
    let core = cores.writable.unchecked(index)
    let thread = UnsafeMutablePointer(mutating: present)
    if core.pointee.event == 0 { return }
    core.pointee.event = 0
    let elapsed = now &- core.pointee.burstStart
    let burst = core.pointee.burst
    let done =
      now >= core.pointee.burstEnd
      ? burst
      : core.pointee.work(in: now &- core.pointee.chainStart) &- core.pointee.chainWork
    var (work, time) = (done, elapsed)
    if thread.pointee.overhead > 0 {
      let overhead = min(done, thread.pointee.overhead)
      let overheadTime = min(elapsed, core.pointee.time(for: overhead))
      thread.pointee.overhead &-= overhead
      core.pointee.overhead &+= overheadTime
      (work, time) = (done &- overhead, elapsed &- overheadTime)
    }
    assert(
      work >= 0 && time >= 0 && work <= thread.pointee.work,
      "core \(index.index) has done \(work) in \(time)ns, and \(thread.pointee.work) was to be done"
    )
    thread.pointee.work &-= work
    thread.pointee.runSinceDispatch &+= time
    thread.pointee.cpu &+= time
    core.pointee.busy &+= time
  }

  @inline(never)
  func settleEarly(_ core: CoreID) {
    settle(core, threads.unchecked(cores.writable.unchecked(core).pointee.thread))
  }

  /// Takes the core from a thread that could go on.
  mutating func preempt(core: CoreID, _ reason: PreemptionReason) {
    let thread = cores[core].thread
    demand(
      !thread.isNone, "core \(core.index) is idle, and its thread is preempted for its \(reason)")
    let end = cores[core].quantumEnd
    let runSinceDispatch = leaveCore(thread)
    record(
      .threadPreempted, thread: thread, detail: reason.rawValue, core: Int16(core.index),
      place: threads[thread].place, value: runSinceDispatch)
    if reason == .quantum || end <= now {
      makeReady(thread, .quantumExpired, by: .none)
    } else {
      let left = end == Int64.max ? nil : Nanoseconds(end - now)
      makeReady(thread, .preempted(left: left), by: .none)
    }
  }

  /// Takes a thread off its core; returns its own work since it got it.
  @inline(__always)
  mutating func leaveCore(_ thread: ThreadID) -> Int64 {
    let record = threads.writable.unchecked(thread)
    let index = CoreID(record.pointee.core)
    assert(!index.isNone, "a thread without a core can't leave it")
    let core = cores.writable.unchecked(index)
    // When the burst has come to its end, that has been done.
    if core.pointee.event != 0 { settleEarly(index) }
    if core.pointee.unwatchedLength > 0 { passQuanta(on: index) }
    if hasCaches { noteLeaving(thread) }
    let ran = now &- core.pointee.dispatched
    if policy.usesThreadAttributes {
      policy.ran(thread, for: Nanoseconds(ran), at: Instant(now))
      if policy.movesRunningThreads { expectMove() }
    }
    assert(
      core.pointee.thread == thread && ran >= 0,
      "thread \(thread.index) leaves core \(index.index) of thread \(core.pointee.thread.index) after \(ran)ns"
    )
    core.pointee.thread = .none
    core.pointee.freeSince = now
    idleCores.insert(core.pointee.rank)
    record.pointee.lastCore = record.pointee.core
    record.pointee.core = -1
    idleCount &+= 1
    schedulingEvents &+= 1
    let ranWork = record.pointee.runSinceDispatch
    if !core.pointee.line.isEmpty { callFirstInLine(of: index) }
    return ranWork
  }

  // MARK: Moving to an idle core

  /// A core may stay idle that a running thread should have: that is looked at when all ready threads have
  /// got their cores.
  @inline(never)
  mutating func expectMove() {
    if moveEvent != 0 || !policy.hasThreadToMove { return }
    sequence &+= 1
    moveEvent = sequence
    nextRound.append(
      ScheduledEvent(time: now, kind: .policyTick, index: 0, sequence: moveEvent))
  }

  /// Takes the core from a thread that should have another one, which is idle.
  mutating func moveThread() {
    demand(moveEvent != 0, "a thread is moved, which policy '\(policy.name)' did not want")
    moveEvent = 0
    if idleCount == 0 || hold.isOn { return }
    guard let core = policy.coreToVacate() else { return }
    if !runs(core) { return breaks(.vacatedCoreRuns) }
    preemptionsAtInstant += 1
    if preemptsEndlessly { return breaks(.movesEnd, about: cores[core].thread) }
    preempt(core: core, .priority)
  }

  // MARK: The policy's clock

  /// Asks the policy when it wants to be called again.
  private mutating func scheduleTick() {
    if tickEvent != 0 { return }
    if let tick = policy.nextTick(after: Instant(now)) {
      if !policy.saysItPreempts { return breaks(.tickNeedsPreemption) }
      if tick.nanoseconds <= now { return breaks(.tickIsLater) }
      tickEvent = schedule(.policyTick, index: 0, at: tick.nanoseconds)
    }
  }

  /// The policy's tick is due.
  mutating func policyTick() {
    demand(tickEvent != 0, "a tick of policy '\(policy.name)' comes that it did not want")
    tickEvent = 0
    let running = RunningThreads(cores: UnsafePointer(cores.writable.base), count: cores.count)
    policy.tick(running: running, at: Instant(now))
    preemptionIsDue = true
  }

  /// Notes that a thread was ready for very long without a core.
  mutating func reportStarvation(_ thread: ThreadID, _ waited: Int64) {
    if hasTold(.starvation) { return }
    report(
      .starvation, thread: thread, places: [threads[thread].place, threads[thread].madeAt],
      FindingText.starvation(name(of: thread), waited: Nanoseconds(waited)))
  }
}
