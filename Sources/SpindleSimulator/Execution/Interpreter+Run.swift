import SpindleModel

/// The main loop: instants, rounds, and the end.
extension Interpreter {
  /// Runs the program to its end.
  mutating func runToEnd(on machine: ResolvedMachine) -> RunRecord {
    stepsAtAdvance = process.stepsLeft
    start()
    if process.outcome != nil { return finish(on: machine) }
    let horizon = process.program.until?.nanoseconds ?? process.limits.horizon.nanoseconds
    while process.outcome == nil, let event = nextEvent(until: horizon) {
      process.kernel.beginClass(event.phase)
      switch event.rawKind {
      case DueKind.core.rawValue, DueKind.quantum.rawValue: burstEnds(on: CoreID(event.index))
      case DueKind.device.rawValue: process.kernel.wake(ThreadID(event.index), .granted, by: .none)
      case DueKind.arrival.rawValue: arrive(event.index)
      default: handleSeldom(event)
      }
    }
    if process.limits.checksInvariants { checkInvariants() }
    return finish(on: machine)
  }

  /// Time 0: the initialisers of the top level, the main thread, and what the world will do.
  private mutating func start() {
    demand(process.kernel.now == 0 && arrivals.count == 0, "a run begins twice")
    for name in process.program.threadNames { dispatch.pool.names.append(name.index) }
    let root = RandomStreams.mix(process.program.seed)
    if let initializer = process.program.initializer {
      process.outside = .top
      runWorld(initializer, key: RandomStreams.key(root, salt: 1, ordinal: 0), argument: nil)
      process.outside = .world
      judgeTopLocks()
      if process.outcome != nil { return }
    }
    startMain()
    for (index, arrival) in process.program.arrivals.enumerated() {
      arrivals.append(
        ArrivalState(
          interval: arrival.interval, shape: shape(of: arrival), body: arrival.body,
          submission: submission(of: arrival.body),
          isOnce: arrival.isOnce, left: arrival.isOnce ? 1 : arrival.count ?? Int64.max,
          key: RandomStreams.key(root, salt: 3, ordinal: Int64(index))))
      scheduleArrival(Int32(index))
    }
  }

  private mutating func startMain() {
    if process.program.main == nil { return }
    if process.mainThread.isNone { threads.makeMain(&process); dispatch.takeMainThread(&process) }
    process.kernel.start(process.mainThread, origin: .main, executorName: -1, by: .none)
  }

  // MARK: Instants

  /// Handles an event of a kind that is no part of a busy run.
  @inline(never)
  private mutating func handleSeldom(_ event: ScheduledEvent) {
    process.stepsLeft &-= Self.seldomSteps
    switch event.rawKind {
    case DueKind.threadTimer.rawValue: endWait(ThreadID(event.index))
    case DueKind.plan.rawValue, DueKind.worldPlan.rawValue:
      let plan = process.kernel.takePlan(.init(event.index))
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

  /// The step cost of a rare event, such as a timer's firing: about as many instructions as could run meanwhile.
  static let seldomSteps: Int64 = 8

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

  /// Something that a runtime has planned is due.
  mutating func carryOut(_ kind: PlanKind, _ object: Int32, _ value: Int64) {
    guard let owner = PlanOwner(rawValue: kind.owner) else { fatalError("\(kind) is nobody's") }
    switch owner {
    case .kernel:
      demand(kind == .machineWakes, "the kernel plans nothing like \(kind)")
      life.machineWakes(&runLoops, &process)
      resumeCores()
    case .dispatch:
      if process.isDriven, kind == .submitItem, isHeld(beforeEnqueueing: object) { return }
      dispatch.carryOut(DispatchPlan(kind), object, &process)
      if process.isDriven { process.kernel.recorder.driver?.endEvent() }
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
    case .concurrency:
      concurrency.carryOut(ConcurrencyPlan(kind), .init(object), &dispatch, &process)
    case .threads:
      switch ThreadPlan(kind) {
      case .jobRelease: threads.jobIsReleased(ThreadID(object), &process)
      case .jobDeadline: dropJob(ThreadID(object))
      }
    case .accelerators:
      switch AcceleratorPlan(kind) {
      case .answer:
        accelerators.answer(
          .init(Int32(truncatingIfNeeded: value)), ThreadID(object), &process.kernel)
      }
    case .executors:
      switch ExecutorPlan(kind) {
      case .endIdleWorkers: executors.endIdleWorkers(.init(object), &process.kernel)
      }
    }
  }

  /// The machine wakes: whoever has a core goes on with what is left of its work.
  private mutating func resumeCores() {
    for core in process.kernel.cores.ids
    where !process.kernel.cores[core].thread.isNone {
      if process.outcome == nil { resume(on: core) }
    }
  }

  // MARK: The end

  /// Nothing can happen any more: who waits now waits for ever.
  mutating func quiesce() {
    if process.kernel.hold.isOn {
      // A suspended app is not stuck: it waits for its user.
      process.outcome = Outcome(.finished)
      return
    }
    if process.kernel.readyCount > 0 {
      process.kernel.breaks(.readyThreadGetsIdleCore, about: process.kernel.someReadyThread)
      return process.endEarly(.none, at: -1)
    }
    process.isQuiescent = true
    let known = process.kernel.allFindings
    let isStuck = concurrency.reportWaits(endersOfContinuations(), &process)
    let isDeadlock = reportDeadlocks(onlyCycles: false)
    if isStuck && process.kernel.allFindings == known { reportMainTask() }
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
      let isStuck = concurrency.reportCycles(&process)
      let isDeadlock = reportDeadlocks(onlyCycles: true)
      process.outcome = Outcome(isDeadlock || isStuck ? .deadlock : .finished)
    }
  }

  /// Why the run came to this end.
  private func ending(_ outcome: Outcome) -> RunEnding {
    if outcome.kind != .finished { return .asTheOutcomeSays }
    if process.endsProcess { return outcome.exitCode == nil ? .mainEnded : .exit }
    return process.isQuiescent ? .nothingLeft : .until
  }

  /// Whether instructions were run again and again at the present instant: more steps were taken there than half of the
  /// limit, or than one instant has, and by far more than the program has instructions.
  private var repeats: Bool {
    let steps = stepsAtAdvance - process.stepsLeft
    return (standsStill || steps > process.limits.steps / 2)
      && steps > Self.stepsPerInstruction * Int64(process.program.places.count)
  }

  /// So many steps for each instruction are a loop: a turn of a thread counts sixteen of them.
  private static let stepsPerInstruction: Int64 = 100

  /// What is known of a crash, while the frames of its calls are there.
  private func crashReport() -> CrashReport {
    let thread = process.crashSite.thread
    return process.crashReport(thread: !thread.isNone ? described(thread).text : nil)
  }

  private mutating func finish(on machine: ResolvedMachine) -> RunRecord {
    // What a thread still did behind a wrong answer of the policy does not count.
    let fault = process.kernel.policyFault
    if let fault { process.outcome = Outcome(.policyFault, message: fault.message) }
    let ended = process.outcome ?? Outcome(.finished)
    let steps = process.limits.steps - max(0, process.stepsLeft + process.stepsHeld)
    if ended.kind == .stepLimit && repeats {
      process.kernel.report(
        .livelock, thread: .none, places: [lastPlace],
        FindingText.livelock(steps: Int(steps), at: Instant(process.kernel.now)))
    }
    let crash = ended.kind == .crashed ? crashReport() : nil
    if process.mainBusySince >= 0 {
      process.passHold()
      process.mainAnswers()
    }
    // Where the process ends or is cut off first, who waits in a cycle would never have gone on.
    let isCutOff = ended.kind != .deadlock && !process.isQuiescent
    let graph = isCutOff || process.endsProcess ? waitGraph() : WaitGraph(edges: [])
    if isCutOff {
      _ = concurrency.reportCycles(&process)
      let isDeadlock = reportDeadlocks(graph, onlyCycles: true)
      if process.endsProcess && !isDeadlock { reportExhaustion(graph) }
    }
    if process.endsProcess && process.isDriven { noteProcessEnd() }
    reportAtEnd()
    let alive = process.kernel.liveCount
    demand(alive >= 0, "\(alive) threads are alive at the end")
    endLine()
    killThreads(graph)
    process.kernel.record(
      .runEnded, thread: .none, detail: ended.kind.rawValue, value: ending(ended).rawValue)
    process.kernel.recorder.flush()

    var record = RunRecord(
      on: machine, outcome: ended, end: Instant(process.kernel.now),
      makespan: Instant(min(process.makespan, process.kernel.now)))
    (record.crash, record.policyFault) = (crash, fault)
    record.tracedWrites = process.tracedWrites ?? []
    record.findings = process.kernel.findings
    record.findingCounts = process.kernel.allFindings
    record.entries = process.kernel.recorder.total
    record.steps = steps
    record.schedulingEvents = process.kernel.schedulingEvents
    record.liveThreads = alive
    record.inputTime = Nanoseconds(process.kernel.inputTime)
    record.realtime = realtimeReport()
    record.policyReport = process.kernel.policy.report
    for core in process.kernel.cores.ids {
      record.cores.append(
        RunRecord.CoreUse(
          busy: Nanoseconds(process.kernel.cores[core].busy),
          overhead: Nanoseconds(process.kernel.cores[core].overhead)))
    }
    tellValues(&record)
    return record
  }
}
