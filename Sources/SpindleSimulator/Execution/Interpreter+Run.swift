import SpindleModel

/// The main loop: instants, rounds, and the end.
extension Interpreter {
  /// Runs the program to its end.
  mutating func runToEnd() -> RunRecord {
    stepsAtAdvance = stepsLeft
    start()
    if outcome != nil { return finish() }
    let horizon = program.until?.nanoseconds ?? limits.horizon.nanoseconds
    while handleRound() {
      if limits.checksInvariants { checkInvariants() }
      if isDecisionDue {
        decide()
        if outcome != nil { break }
      }
      // What happened without an instruction: handlers that were called, workers that were made.
      if kernel.storage.isExceeded {
        holdsTooMuch(-1, at: -1)
        break
      }
      guard let next = nextTime() else {
        quiesce()
        break
      }
      if next > horizon {
        reachHorizon(horizon)
        break
      }
      if next != kernel.now {
        kernel.advance(to: next)
        stepsAtAdvance = stepsLeft
      }
    }
    if limits.checksInvariants { checkInvariants() }
    return finish()
  }

  /// Time 0: the initialisers of the top level, the main thread, and what the world will do.
  private mutating func start() {
    for name in program.threadNames { dispatch.pool.names.append(name.index) }
    let root = RandomStreams.mix(program.seed)
    if let initializer = program.initializer {
      runWorld(initializer, key: RandomStreams.key(root, salt: 1, ordinal: 0), argument: nil)
      if outcome != nil { return }
    }
    startMain()
    for (index, arrival) in program.arrivals.enumerated() {
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
    if program.main == nil { return }
    if mainThread < 0 { makeMain() }
    kernel.start(mainThread, origin: .main, executorName: -1, by: -1)
  }

  /// Makes the main thread, which the top level may name before it is started.
  mutating func makeMain() {
    guard let main = program.main else {
      fatalError("a program that names its main thread has one")
    }
    let root = RandomStreams.mix(program.seed)
    let key = RandomStreams.key(root, salt: 2, ordinal: 0)
    var record = ThreadRecord()
    record.name = WellKnownName.main.id.index
    record.role = .main
    record.flags = .named
    record.stackSize = kernel.machine.mainStack.rawValue
    if kernel.machine.isDarwin {
      record.quality = WellKnownName.userInteractive.id.index
      record.basePriority = ThreadRuntime.basePriority(quality: record.quality, isMain: true)
    }
    record.frame = makeFrame(main.index, parent: -1, key: key)
    record.depth = 1
    mainThread = kernel.createThread { $0.pointee = record }
    dispatch.queues[DispatchRuntime.mainQueue].owner = mainThread
  }

  // MARK: Instants

  /// Whether something of this instant waits for its end: nearly always a ready thread.
  @inline(__always)
  private var isDecisionDue: Bool {
    kernel.mayAssignCore || kernel.workerWaits.count > 0 || dispatch.mainBecameReady
      || !kernel.nextRound.isEmpty
  }

  /// Gives cores to threads and lets them go on, until nothing more happens at this instant.
  @inline(never)
  private mutating func decide() {
    kernel.presentPhase = 3
    while outcome == nil {
      noteQueues()
      guard let core = kernel.assignCore() else { break }
      resume(on: core)
    }
    kernel.presentPhase = 0
    if !kernel.nextRound.isEmpty {
      for event in kernel.nextRound { kernel.queue.push(event) }
      kernel.nextRound.removeAll(keepingCapacity: true)
    }
  }

  /// When the next thing is due that its owner still wants; nil when nothing is.
  @inline(__always)
  private mutating func nextTime() -> Int64? {
    var next: Int64?
    while let event = kernel.queue.peek() {
      if isWanted(event) {
        next = event.time
        break
      }
      _ = kernel.queue.pop()
    }
    guard let chore = kernel.chores.last else { return next }
    if let next { return min(next, chore.time) }
    return isHousekeepingNeeded ? chore.time : nil
  }

  /// Whether the owner of an event still waits for it.
  ///
  /// A policy's tick is housekeeping: when no thread waits for a core, it is not wanted any more.
  @inline(__always)
  private mutating func isWanted(_ event: ScheduledEvent) -> Bool {
    switch event.rawKind {
    case DueKind.core.rawValue, DueKind.quantum.rawValue:
      let core = kernel.cores.unchecked(event.index)
      return core.pointee.event == event.sequence && core.pointee.due == event.time
    case DueKind.device.rawValue, DueKind.threadTimer.rawValue:
      return kernel.threads.unchecked(event.index).pointee.timer == event.sequence
    case DueKind.arrival.rawValue: return true
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      return kernel.plans[event.index].event == event.sequence
    default:
      if kernel.tickEvent != event.sequence { return false }
      if kernel.readyCount == 0 { kernel.tickEvent = 0 }
      return kernel.readyCount > 0
    }
  }

  /// Handles everything that is due now and still wanted, class by class.
  ///
  /// Returns whether the run goes on.
  @inline(always)
  private mutating func handleRound() -> Bool {
    while let event = kernel.queue.pop(dueAt: kernel.now) {
      stepsLeft &-= 1
      if stepsLeft < 0 { return stepsRanOut(at: -1) }
      if !isWanted(event) { continue }
      kernel.presentPhase = event.phase
      switch event.rawKind {
      case DueKind.core.rawValue, DueKind.quantum.rawValue: stretchIsOver(on: event.index)
      case DueKind.device.rawValue: kernel.wake(event.index, .granted, by: -1)
      case DueKind.arrival.rawValue: arrive(event.index)
      default: handleSeldom(event)
      }
      if outcome != nil { return false }
    }
    return kernel.chores.isEmpty || doChores()
  }

  /// Handles an event of a kind that is no part of a busy run.
  @inline(never)
  private mutating func handleSeldom(_ event: ScheduledEvent) {
    stepsLeft &-= Self.seldomSteps
    switch event.rawKind {
    case DueKind.threadTimer.rawValue: timerIsDue(event.index)
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      let plan = kernel.takePlan(event.index)
      carryOut(plan.kind, plan.object, plan.value)
    default: kernel.policyTick()
    }
  }

  /// How many steps it counts when something comes about that seldom does, as a timer's firing: about
  /// as many instructions as could run meanwhile.
  private static let seldomSteps: Int64 = 8

  /// Ends the run since its steps are over, at an instruction or with -1 at none.
  ///
  /// Returns false: it does not go on.
  @inline(never)
  mutating func stepsRanOut(at place: Int32) -> Bool {
    lastPlace = place
    outcome = Outcome(.stepLimit, place: place < 0 ? nil : program.places[Int(place)])
    return false
  }

  /// Does the housekeeping that is due; returns whether the run goes on.
  @inline(never)
  private mutating func doChores() -> Bool {
    while outcome == nil, let chore = kernel.takeChore() {
      stepsLeft &-= Self.seldomSteps
      if stepsLeft < 0 { return stepsRanOut(at: -1) }
      kernel.presentPhase = 2
      carryOut(chore.kind, chore.object, 0)
    }
    return outcome == nil
  }

  /// Lets the pool and the main thread take notice of what has happened at this instant.
  @inline(__always)
  private mutating func noteQueues() {
    if kernel.workerWaits.count > 0 { dispatch.noteWaits(&kernel) }
    if dispatch.mainBecameReady {
      dispatch.mainBecameReady = false
      mainQueueBecameReady()
    }
  }

  /// Whether housekeeping can still set something going when nothing else is pending.
  private var isHousekeepingNeeded: Bool { dispatch.monitorCanHelp }

  /// Something that a runtime has planned is due.
  private mutating func carryOut(_ kind: PlanKind, _ object: Int32, _ value: Int64) {
    switch kind {
    case .makeWorker: dispatch.delayIsOver(&kernel)
    case .endIdleWorkers: dispatch.endIdleWorkers(&kernel)
    case .monitorPools: dispatch.monitorPools(&kernel)
    case .submitItem:
      let item = dispatch.take(object)
      dispatch.queues[item.queue].holds -= 1
      submit(item, by: -1)
    case .sourceEvent: sourceIsDue(object)
    case .machineWakes: machineWakes()
    case .backgroundLimit: backgroundTimeIsOver(isLast: object == 1)
    case .answer: answerComes(object)
    case .trackingEnd: trackingMayEnd()
    }
  }

  /// A thread's sleep ends, or the limit of its wait is reached.
  private mutating func timerIsDue(_ thread: Int32) {
    let object = kernel.threads[thread].waitObject
    switch kernel.threads[thread].reason {
    case .sleep, .io: kernel.wake(thread, .granted, by: -1)
    case .lock: locks.timeOut(object, thread, &kernel)
    case .condition: locks.signalTimeOut(object, thread, &kernel)
    case .semaphore: semaphores.timeOut(object, thread, &kernel)
    case .group: groups.timeOut(object, thread, &kernel)
    case .join: threads.timeOut(object, thread, &kernel)
    case .workItem: workItemTimedOut(object, thread)
    case .runLoop: runLoops.sleepEnds(thread, &kernel)
    case .idleWorker, .operation, .operations, .sync, .apply, .once, .perform:
      fatalError("a wait of this kind has no limit")
    }
  }

  // MARK: The end

  /// Nothing can happen any more: who waits now waits for ever.
  private mutating func quiesce() {
    if kernel.hold.isOn {
      // A suspended app is not stuck: it waits for its user.
      outcome = Outcome(.finished)
      return
    }
    demand(
      kernel.readyCount == 0,
      "policy '\(kernel.policy.name)' leaves \(kernel.readyCount) ready threads while cores are idle"
    )
    isQuiescent = true
    outcome = Outcome(reportDeadlocks(onlyCircles: false) ? .deadlock : .finished)
  }

  private mutating func reachHorizon(_ horizon: Int64) {
    kernel.advance(to: horizon)
    // Work that is cut off has been done until now.
    if kernel.idleCount < kernel.cores.count { makespan = horizon }
    if program.until == nil {
      outcome = Outcome(.timeLimit)
    } else {
      outcome = Outcome(reportDeadlocks(onlyCircles: true) ? .deadlock : .finished)
    }
  }

  /// Why the run came to this end.
  private func ending(_ outcome: Outcome) -> RunEnding {
    if outcome.kind != .finished { return .asTheOutcomeSays }
    if endsProcess { return outcome.exitCode == nil ? .mainEnded : .exit }
    return isQuiescent ? .nothingLeft : .until
  }

  private mutating func finish() -> RunRecord {
    let ended = outcome ?? Outcome(.finished)
    if ended.kind == .stepLimit && stepsAtAdvance - stepsLeft > limits.steps / 2 {
      kernel.report(
        .livelock, thread: -1, places: [lastPlace],
        FindingText.livelock(steps: Int(limits.steps), at: Instant(kernel.now)))
    }
    if mainBusySince >= 0 { mainAnswers() }
    reportAtEnd()
    let alive = kernel.liveCount
    killThreads()
    kernel.record(
      .runEnded, thread: -1, detail: ended.kind.rawValue, value: ending(ended).rawValue)
    kernel.recorder.flush()

    var record = RunRecord(
      outcome: ended, end: Instant(kernel.now), makespan: Instant(min(makespan, kernel.now)))
    record.findings = kernel.findings
    record.entries = kernel.recorder.total
    record.steps = limits.steps - max(0, stepsLeft)
    record.schedulingEvents = kernel.schedulingEvents
    record.liveThreads = alive
    for core in 0..<Int32(kernel.cores.count) {
      record.cores.append(
        RunRecord.CoreUse(
          busy: Nanoseconds(kernel.cores[core].busy),
          overhead: Nanoseconds(kernel.cores[core].overhead)))
    }
    for operation in 0..<Int32(operations.operations.count) {
      record.operationStates.append(operations.operations[operation].state)
    }
    for (index, global) in program.globals.enumerated() {
      let value = globals[index]
      record.globals.append(value)
      record.globalArrays.append(
        global.format == .array && value != noValue ? arrays[Int(value)] : [])
      record.objectNames.append(names(of: index))
    }
    return record
  }
}
