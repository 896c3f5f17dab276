import SpindleModel

/// The main loop: instants, rounds, and the end.
extension Interpreter {
  /// Runs the program to its end.
  mutating func runToEnd() -> RunRecord {
    stepsAtAdvance = process.stepsLeft
    start()
    if process.outcome != nil { return finish() }
    let horizon = process.program.until?.nanoseconds ?? process.limits.horizon.nanoseconds
    while process.outcome == nil, let event = nextEvent(until: horizon) {
      process.kernel.beginClass(event.phase)
      switch event.rawKind {
      case DueKind.core.rawValue, DueKind.quantum.rawValue: burstEnds(on: event.index)
      case DueKind.device.rawValue: process.kernel.wake(event.index, .granted, by: -1)
      case DueKind.arrival.rawValue: arrive(event.index)
      default: handleSeldom(event)
      }
    }
    if process.limits.checksInvariants { checkInvariants() }
    return finish()
  }

  /// Time 0: the initialisers of the top level, the main thread, and what the world will do.
  private mutating func start() {
    demand(process.kernel.now == 0 && arrivals.count == 0, "a run begins twice")
    for name in process.program.threadNames { dispatch.pool.names.append(name.index) }
    let root = RandomStreams.mix(process.program.seed)
    if let initializer = process.program.initializer {
      runWorld(initializer, key: RandomStreams.key(root, salt: 1, ordinal: 0), argument: nil)
      if process.outcome != nil { return }
    }
    startMain()
    for (index, arrival) in process.program.arrivals.enumerated() {
      arrivals.append(
        ArrivalState(
          interval: arrival.interval, shape: shape(of: arrival.interval), body: arrival.body,
          submission: submission(of: arrival.body),
          isOnce: arrival.isOnce, left: arrival.isOnce ? 1 : arrival.count ?? Int64.max,
          key: RandomStreams.key(root, salt: 3, ordinal: Int64(index))))
      scheduleArrival(Int32(index))
    }
  }

  private mutating func startMain() {
    if process.program.main == nil { return }
    if process.mainThread < 0 { threads.makeMain(&process); dispatch.takeMainThread(&process) }
    process.kernel.start(process.mainThread, origin: .main, executorName: -1, by: -1)
  }

  // MARK: Instants

  /// Whether something of this instant waits for its end: nearly always a ready thread, which a policy that knows
  /// the future is told of though no core can be given out.
  @inline(__always)
  private var isDecisionDue: Bool {
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
      let core = process.kernel.cores.unchecked(event.index)
      return core.pointee.event == event.sequence && core.pointee.due == event.time
    case DueKind.device.rawValue, DueKind.threadTimer.rawValue:
      return process.kernel.threads.unchecked(event.index).pointee.timer == event.sequence
    case DueKind.arrival.rawValue: return true
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      return process.kernel.isOpen(plan: event.index, for: event.sequence)
    default:
      if process.kernel.moveEvent == event.sequence { return true }
      if process.kernel.tickEvent != event.sequence { return false }
      return process.kernel.isTickWanted()
    }
  }

  /// Takes the next event that is due and still wanted, class by class and instant by instant; nil
  /// when the run ends before.
  ///
  /// Mostly that is the first one there is, and between two instants there is nothing to do:
  /// `ShortcutSet.plainInstants`.
  @inline(__always)
  private mutating func nextEvent(until horizon: Int64) -> ScheduledEvent? {
    guard passesPlainInstants, let event = process.kernel.queue.peek(), event.time <= horizon,
      event.time == process.kernel.now || isInstantPlain, isWanted(event)
    else { return nextEventBehindDecisions(until: horizon) }
    return take(event)
  }

  /// Takes the first event, which is looked at and wanted, at its time.
  @inline(__always)
  private mutating func take(_ event: ScheduledEvent) -> ScheduledEvent? {
    process.kernel.queue.takeLeast()
    if event.time != process.kernel.now { advance(to: event.time) }
    process.stepsLeft &-= 1
    if process.stepsLeft < 0 && !goesOn() { _ = stepsRanOut(at: -1); return nil }
    return event
  }

  /// Whether this instant ends with its last event: nobody gets a core, and nothing else is to be done.
  @inline(__always)
  private var isInstantPlain: Bool {
    !isDecisionDue && process.kernel.chores.isEmpty && !process.kernel.storage.isExceeded
      && !process.kernel.recorder.isStopped
  }

  /// The next event by way of all that can be between two: unwanted ones, housekeeping, decisions.
  @inline(never)
  private mutating func nextEventBehindDecisions(until horizon: Int64) -> ScheduledEvent? {
    while true {
      while let event = process.kernel.queue.pop(dueAt: process.kernel.now) {
        process.stepsLeft &-= 1
        if process.stepsLeft < 0 && !goesOn() { _ = stepsRanOut(at: -1); return nil }
        if isWanted(event) { return event }
      }
      if !process.kernel.chores.isEmpty && !doChores() { return nil }
      if process.limits.checksInvariants { checkInvariants() }
      if isDecisionDue {
        decide()
        if process.outcome != nil { return nil }
      }
      // What happened without an instruction: handlers that were called, workers that were made.
      if process.kernel.storage.isExceeded {
        holdsTooMuch(-1, at: -1)
        return nil
      }
      let event = firstWanted()
      guard let next = nextTime(event) else {
        quiesce()
        return nil
      }
      if next > horizon || process.kernel.recorder.isStopped {
        reachHorizon(next > horizon ? horizon : process.kernel.now)
        return nil
      }
      if let event, process.kernel.chores.isEmpty { return take(event) }
      if next != process.kernel.now { advance(to: next) }
    }
  }

  /// Begins another instant.
  @inline(__always)
  private mutating func advance(to time: Int64) {
    process.kernel.advance(to: time)
    stepsAtAdvance = process.stepsLeft
  }

  /// Handles an event of a kind that is no part of a busy run.
  @inline(never)
  private mutating func handleSeldom(_ event: ScheduledEvent) {
    process.stepsLeft &-= Self.seldomSteps
    switch event.rawKind {
    case DueKind.threadTimer.rawValue: endWait(event.index)
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      let plan = process.kernel.takePlan(event.index)
      carryOut(plan.kind, plan.object, plan.value)
    default:
      demand(
        event.rawKind == DueKind.policyTick.rawValue,
        "nobody handles events of kind \(event.rawKind)")
      if process.kernel.moveEvent == event.sequence {
        process.kernel.moveThread()
      } else {
        process.kernel.policyTick()
      }
    }
  }

  /// How many steps it counts when something comes about that seldom does, as a timer's firing: about
  /// as many instructions as could run meanwhile.
  private static let seldomSteps: Int64 = 8

  /// Whether there are steps left behind a look whether the run is to end.
  @inline(never)
  mutating func goesOn() -> Bool {
    process.stepsLeft = moreSteps(process.stepsLeft)
    return process.stepsLeft >= 0
  }

  /// Ends the run since its steps are over, at an instruction or with -1 at none.
  ///
  /// Returns false: it does not go on.
  @inline(never)
  mutating func stepsRanOut(at place: Int32) -> Bool {
    lastPlace = place
    if process.outcome == nil {
      process.outcome = Outcome(
        .stepLimit, place: place < 0 ? nil : process.program.places[Int(place)])
    }
    return false
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

  /// Whether housekeeping can still set something going when nothing else is pending.
  private var isHousekeepingNeeded: Bool { dispatch.monitorCanHelp }

  /// Something that a runtime has planned is due.
  private mutating func carryOut(_ kind: PlanKind, _ object: Int32, _ value: Int64) {
    guard let owner = PlanOwner(rawValue: kind.owner) else { fatalError("\(kind) is nobody's") }
    switch owner {
    case .kernel:
      demand(kind == .machineWakes, "the kernel plans nothing like \(kind)")
      life.machineWakes(&runLoops, &process)
      resumeCores()
    case .dispatch: dispatch.carryOut(DispatchPlan(kind), object, &process)
    case .dispatchSources:
      switch SourcePlan(kind) {
      case .sourceEvent: sources.sourceIsDue(.init(object), &dispatch, &process)
      }
    case .application:
      switch AppPlan(kind) {
      case .backgroundLimit:
        life.backgroundTimeIsOver(isLast: object == 1, &dispatch, &process)
      }
    case .runLoops:
      switch RunLoopPlan(kind) {
      case .answer: runLoops.answerComes(object, &process)
      case .trackingEnd: runLoops.trackingMayEnd(&process)
      }
    case .concurrency: concurrency.carryOut(ConcurrencyPlan(kind), object, &dispatch, &process)
    case .threads:
      switch ThreadPlan(kind) {
      case .jobRelease: threads.jobIsReleased(object, &process)
      case .jobDeadline: dropJob(object)
      }
    case .accelerators:
      switch AcceleratorPlan(kind) {
      case .answer:
        accelerators.answer(
          .init(Int32(truncatingIfNeeded: value)), object, &process.kernel)
      }
    case .executors:
      switch ExecutorPlan(kind) {
      case .endIdleWorkers: executors.endIdleWorkers(.init(object), &process.kernel)
      }
    }
  }

  /// The machine wakes: whoever has a core goes on with what is left of its work.
  private mutating func resumeCores() {
    for core in 0..<Int32(process.kernel.cores.count) where process.kernel.cores[core].thread >= 0 {
      if process.outcome == nil { resume(on: core) }
    }
  }

  // MARK: The end

  /// Nothing can happen any more: who waits now waits for ever.
  private mutating func quiesce() {
    if process.kernel.hold.isOn {
      // A suspended app is not stuck: it waits for its user.
      process.outcome = Outcome(.finished)
      return
    }
    demand(
      process.kernel.readyCount == 0,
      "policy '\(process.kernel.policy.name)' leaves \(process.kernel.readyCount) ready threads while cores are idle"
    )
    process.isQuiescent = true
    let isStuck = concurrency.reportWaits(&process)
    let isDeadlock = reportDeadlocks(onlyCycles: false)
    process.outcome = Outcome(isDeadlock || isStuck ? .deadlock : .finished)
  }

  mutating func reachHorizon(_ horizon: Int64) {
    demand(process.outcome == nil, "a run that has ended comes to its horizon")
    process.kernel.advance(to: horizon)
    // Work that is cut off has been done until now.
    if process.kernel.idleCount < process.kernel.cores.count { process.makespan = horizon }
    if process.program.until == nil {
      process.outcome = Outcome(.timeLimit)
    } else {
      process.outcome = Outcome(reportDeadlocks(onlyCycles: true) ? .deadlock : .finished)
    }
  }

  /// Why the run came to this end.
  private func ending(_ outcome: Outcome) -> RunEnding {
    if outcome.kind != .finished { return .asTheOutcomeSays }
    if process.endsProcess { return outcome.exitCode == nil ? .mainEnded : .exit }
    return process.isQuiescent ? .nothingLeft : .until
  }

  private mutating func finish() -> RunRecord {
    let ended = process.outcome ?? Outcome(.finished)
    if ended.kind == .stepLimit && stepsAtAdvance - process.stepsLeft > process.limits.steps / 2 {
      process.kernel.report(
        .livelock, thread: -1, places: [lastPlace],
        FindingText.livelock(steps: Int(process.limits.steps), at: Instant(process.kernel.now)))
    }
    if process.mainBusySince >= 0 { process.mainAnswers() }
    // Where the process ends or is cut off first, who waits in a cycle would never have gone on.
    let isCutOff = ended.kind != .deadlock && !process.isQuiescent
    let graph = isCutOff || process.endsProcess ? waitGraph() : WaitGraph(edges: [])
    if isCutOff { _ = reportDeadlocks(graph, onlyCycles: true) }
    reportAtEnd()
    let alive = process.kernel.liveCount
    demand(alive >= 0, "\(alive) threads are alive at the end")
    endLine()
    killThreads(graph)
    process.kernel.record(
      .runEnded, thread: -1, detail: ended.kind.rawValue, value: ending(ended).rawValue)
    process.kernel.recorder.flush()

    var record = RunRecord(
      outcome: ended, end: Instant(process.kernel.now),
      makespan: Instant(min(process.makespan, process.kernel.now)))
    record.findings = process.kernel.findings
    record.findingCounts = process.kernel.allFindings
    record.entries = process.kernel.recorder.total
    record.steps = process.limits.steps - max(0, process.stepsLeft + process.stepsHeld)
    record.schedulingEvents = process.kernel.schedulingEvents
    record.liveThreads = alive
    record.inputTime = Nanoseconds(process.kernel.inputTime)
    record.realtime = realtimeReport()
    for core in 0..<Int32(process.kernel.cores.count) {
      record.cores.append(
        RunRecord.CoreUse(
          busy: Nanoseconds(process.kernel.cores[core].busy),
          overhead: Nanoseconds(process.kernel.cores[core].overhead)))
    }
    for operation in 0..<Int32(operations.operations.count) {
      record.operationStates.append(operations.lastState(of: .init(operation)))
    }
    for (index, global) in process.program.globals.enumerated() {
      let value = globals[index]
      record.globals.append(value)
      record.globalArrays.append(
        global.format == .array && value != noValue ? process.arrays[Int(value)] : [])
      record.objectNames.append(names(of: index))
    }
    return record
  }
}
