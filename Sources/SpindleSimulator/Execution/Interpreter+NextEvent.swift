import SpindleModel

/// Which event comes next, and what is between two instants.
extension Interpreter {
  /// Takes the next event that is due and still wanted, class by class and instant by instant; nil
  /// when the run ends before.
  ///
  /// Mostly that is the first one there is, and between two instants there is nothing but a decision:
  /// `ShortcutSet.plainInstants`.
  @inline(__always)
  mutating func nextEvent(until horizon: Int64) -> ScheduledEvent? {
    guard passesPlainInstants, var event = process.kernel.queue.peek() else {
      return nextEventStepByStep(until: horizon)
    }
    let isOver = event.time != process.kernel.now
    if isOver {
      if !process.kernel.chores.isEmpty { return nextEventStepByStep(until: horizon) }
      if isDecisionDue {
        decide()
        guard process.kernel.chores.isEmpty, let next = process.kernel.queue.peek() else {
          return nextEventStepByStep(until: horizon, isOver: true)
        }
        event = next
      }
    }
    if event.time > horizon || process.outcome != nil || process.kernel.storage.mustEnd
      || process.kernel.recorder.isStopped || !isWanted(event)
    {
      return nextEventStepByStep(until: horizon, isOver: isOver)
    }
    return take(event)
  }

  /// Takes the first event, which is looked at and wanted, at its time.
  @inline(__always)
  private mutating func take(_ event: ScheduledEvent) -> ScheduledEvent? {
    let first = process.kernel.queue.takeLeast()
    assert(first.time == event.time && first.low == event.low, "another event came before \(event)")
    if event.time != process.kernel.now { advance(to: event.time) }
    process.stepsLeft &-= 1
    if process.stepsLeft < 0 && !goesOn() { _ = stepsRanOut(at: -1); return nil }
    return event
  }

  /// The next event by way of all that can be between two: unwanted ones, housekeeping, decisions.
  ///
  /// The caller says whether the instant is over, its decisions included.
  @inline(never)
  private mutating func nextEventStepByStep(
    until horizon: Int64, isOver: Bool = false
  ) -> ScheduledEvent? {
    var isOver = isOver
    while process.outcome == nil {
      while !isOver, let event = process.kernel.queue.pop(dueAt: process.kernel.now) {
        process.stepsLeft &-= 1
        if process.stepsLeft < 0 && !goesOn() { _ = stepsRanOut(at: -1); return nil }
        if isWanted(event) { return event }
      }
      if !isOver && !endInstant() { return nil }
      isOver = false
      // What happened without an instruction: handlers that were called, workers that were made.
      if process.kernel.storage.mustEnd {
        endEarly(.none, at: -1)
        return nil
      }
      let event = firstWanted()
      guard let next = nextTime(event) else {
        if process.isDriven && letHeldGoOn() { continue }
        quiesce()
        return nil
      }
      if next > horizon || process.kernel.recorder.isStopped {
        process.kernel.recorder.driver?.reachHorizon()
        reachHorizon(next > horizon ? horizon : process.kernel.now)
        return nil
      }
      if let event, process.kernel.chores.isEmpty { return take(event) }
      if next != process.kernel.now { advance(to: next) }
    }
    return nil
  }

  /// Does what comes behind the last event of an instant; returns whether the run goes on.
  private mutating func endInstant() -> Bool {
    if !process.kernel.chores.isEmpty && !doChores() { return false }
    if process.limits.checksInvariants { checkInvariants() }
    if isDecisionDue { decide() }
    return process.outcome == nil
  }

  /// Begins another instant.
  @inline(__always)
  private mutating func advance(to time: Int64) {
    process.kernel.advance(to: time)
    stepsAtAdvance = process.stepsLeft
  }

  /// The first event that its owner still wants, which stays; those before it are dropped.
  @inline(__always)
  private mutating func firstWanted() -> ScheduledEvent? {
    while let event = process.kernel.queue.peek() {
      if isWanted(event) { return event }
      process.kernel.queue.takeLeast()
    }
    return nil
  }

  /// When the next thing is due, an event or housekeeping; nil when nothing is.
  @inline(__always)
  private func nextTime(_ event: ScheduledEvent?) -> Int64? {
    guard let chore = process.kernel.chores.last else { return event?.time }
    if let event { return min(event.time, chore.time) }
    return isHousekeepingNeeded ? chore.time : nil
  }

  /// Whether the owner of an event still waits for it.
  ///
  /// A policy's tick is housekeeping: when no thread waits for a core, it is not wanted any more.
  @inline(__always)
  private mutating func isWanted(_ event: ScheduledEvent) -> Bool {
    switch event.rawKind {
    case DueKind.core.rawValue, DueKind.quantum.rawValue:
      let core = process.kernel.cores.unchecked(CoreID(event.index))
      return core.pointee.event == event.sequence && core.pointee.due == event.time
    case DueKind.device.rawValue, DueKind.threadTimer.rawValue:
      return process.kernel.threads.unchecked(ThreadID(event.index)).pointee.timer == event.sequence
    case DueKind.arrival.rawValue: return true
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      return process.kernel.isOpen(plan: .init(event.index), for: event.sequence)
    default:
      if process.kernel.moveEvent == event.sequence { return true }
      if process.kernel.tickEvent != event.sequence { return false }
      return process.kernel.isTickWanted()
    }
  }

  /// Does the housekeeping that is due; returns whether the run goes on.
  @inline(never)
  private mutating func doChores() -> Bool {
    while process.outcome == nil, let chore = process.kernel.takeChore() {
      process.stepsLeft &-= Self.seldomSteps
      if process.stepsLeft < 0 && !goesOn() { return stepsRanOut(at: -1) }
      process.kernel.beginClass(2)
      carryOut(chore.kind, chore.object, 0)
    }
    return process.outcome == nil
  }

  /// Whether housekeeping can still set something going when nothing else is pending.
  private var isHousekeepingNeeded: Bool {
    dispatch.monitorCanHelp || life.awaitsExpiration(process)
  }

  // MARK: Decisions

  /// Whether something of this instant waits for its end: nearly always a ready thread, which a policy that knows
  /// the future is told of though no core can be given out.
  @inline(__always)
  var isDecisionDue: Bool {
    process.kernel.mayAssignCore || process.kernel.workerWaits.count > 0 || dispatch.mainBecameReady
      || !process.kernel.nextRound.isEmpty
      || process.kernel.policy.needsWorkAhead && process.kernel.policy.nextArrival != nil
  }

  /// Gives cores to threads and lets them go on, until nothing more happens at this instant.
  @inline(never)
  private mutating func decide() {
    process.kernel.beginClass(3)
    while process.outcome == nil {
      noteQueues()
      if process.kernel.policy.needsWorkAhead && !foretell() { break }
      guard let core = process.kernel.assignCore() else { break }
      resume(on: core)
    }
    process.kernel.beginRound()
  }

  /// Lets the pool and the main thread take notice of what has happened at this instant.
  @inline(__always)
  private mutating func noteQueues() {
    if process.kernel.workerWaits.count > 0 { dispatch.noteWaits(&process.kernel) }
    assert(process.kernel.workerWaits.count == 0, "the pool has not looked at all waits")
    if dispatch.mainBecameReady {
      dispatch.mainBecameReady = false
      runLoops.mainQueueBecameReady(&dispatch, &process)
    }
  }
}
