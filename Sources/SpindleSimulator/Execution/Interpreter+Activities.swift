import SpindleModel

/// The simulator's own frames: to whom they belong.
extension Interpreter {
  /// Resumes a frame of the simulator's own, which is the innermost of a running thread.
  @inline(never)
  mutating func resume(_ frame: FrameIndex, _ thread: ThreadID) -> FrameResult {
    guard let activity = process.frames.activity(frame) else {
      fatalError("frame \(frame) is no activity")
    }
    process.kernel.breakWork()
    while true {
      switch resume(frame, thread, activity) {
      case .begins(let body, let pays):
        begin(body, thread)
        if process.thrown != noValue, case .stopped = throwPending(thread) { return .stopped }
        if process.isDriven, process.kernel.threads[thread].reason == .held,
          process.kernel.threads[thread].state == .waiting
        {
          return .left
        }
        return pays ? .computing : .goOn
      case .endedSource(let source, let called):
        sources.endSourceEvent(.init(source), called: called, thread, &dispatch, &process)
        if process.outcome != nil { return .stopped }
        if process.kernel.threads[thread].overhead > 0 { return .computing }
      case .endedJob(let job): concurrency.endJob(.init(job), thread, &dispatch, &process)
      case .raises: return throwPending(thread)
      case let result:
        if operations.questions.isEmpty { return result }
        askOperations()
        return process.outcome == nil ? result : .stopped
      }
    }
  }

  /// Begins what an item of a queue is.
  private mutating func begin(_ body: ItemBody, _ thread: ThreadID) {
    switch body {
    case .operation(let operation):
      operations.runOperation(.init(operation), on: thread, locks, &process)
    case .source(let source): begin(source: .init(source), on: thread)
    case .expiration(let task): life.beginExpiration(.init(task), on: thread, &process)
    case .job(let job): concurrency.beginJob(.init(job), on: thread, &dispatch, &process)
    case .workItem(let item): beginWorkItem(.init(item), on: thread)
    }
  }

  /// Begins a work item of which a schedule may have its thread held.
  private mutating func beginWorkItem(_ index: DispatchItem.Index, on thread: ThreadID) {
    let item = dispatch.items[index]
    let worker = ItemFrame(process.kernel.threads[thread].frame)
    let isHeld = isHeld(beforeWorkItem: item, thread)
    worker.setHeld(isHeld, process)
    if !isHeld { dispatch.beginWorkItem(item, thread, &process) }
  }

  /// Begins the item of a source of which a schedule may have its thread held.
  private mutating func begin(source: DispatchSourceRecord.Index, on thread: ThreadID) {
    if process.isDriven {
      let worker = ItemFrame(process.kernel.threads[thread].frame)
      let isHeld = isHeld(beforeEventOf: source, thread)
      worker.setHeld(isHeld, process)
      if isHeld { return }
    }
    sources.beginSourceEvent(source, thread, &process)
  }

  /// What a task waited for has failed: the handler of its code is looked for where it waited.
  private mutating func throwPending(_ thread: ThreadID) -> FrameResult {
    let frame = process.kernel.threads[thread].frame
    let message = process.thrown
    process.thrown = noValue
    let counter = Int(process.frames.counter(frame))
    if let caught = unwind(frame, counter, message, thread, from: counter) {
      process.kernel.threads.at(thread).setFrame(caught)
    }
    return process.outcome == nil ? .goOn : .stopped
  }

  private mutating func resume(_ frame: FrameIndex, _ thread: ThreadID, _ activity: Activity)
    -> FrameResult
  {
    if process.isDriven, let worker = ItemFrame(frame, ifOf: process), worker.isHeld(process) {
      let item = worker.present(process).item
      let record = dispatch.items[item]
      return .begins(
        record.kind == .source ? .source(record.object) : .workItem(item.raw), pays: false)
    }
    if process.isDriven && isHeld(beforeEndOf: frame, thread, activity) { return .left }
    switch activity {
    case .operation:
      if process.isDriven && isHeld(beforeOperation: frame, thread) { return .left }
      return operations.resumeOperation(frame, thread, &dispatch, &locks, &process)
    case .queueWorker:
      if dispatch.drainsPools { return resumeWithPools(frame, thread, activity) }
      return dispatch.resumeWorker(frame, thread, &process)
    case .manager: return dispatch.resumeManager(thread, &process.kernel)
    case .lane:
      if dispatch.drainsPools { return resumeWithPools(frame, thread, activity) }
      return dispatch.resumeLane(frame, thread, &process)
    case .mainDrain: return dispatch.resumeMainDrain(frame, thread, &process)
    case .dispatchMain: return dispatch.resumeDispatchMain(frame, thread, &threads, &process)
    case .apply: return dispatch.resumeApply(frame, thread, &process)
    case .performItem: return dispatch.resumePerformedItem(frame, thread, &process)
    case .runLoopRun: return runLoops.resumeRun(frame, thread, &dispatch, &threads, &process)
    case .runLoopRepeat: return runLoops.resumeRepetition(frame, thread, &threads, &process)
    case .timerFire: return runLoops.resumeFire(frame, thread, &process)
    case .task: return concurrency.resumeTaskFrame(frame, thread, &dispatch, &process)
    case .actorDrain: return concurrency.resumeDrain(frame, thread, &process)
    case .taskHandlers: return concurrency.resumeSteps(frame, thread, &dispatch, &process)
    case .streamElement: return concurrency.resumeElement(frame, thread, &process)
    }
  }

  /// Goes on with items of queues of which some have an autorelease pool for each.
  ///
  /// Source: swift-corelibs-libdispatch:src/inline_internal.h, _dispatch_continuation_with_group_invoke and
  /// _dispatch_autorelease_pool_push; it is around what was handed over, and not around `sync`.
  private mutating func resumeWithPools(
    _ frame: FrameIndex, _ thread: ThreadID, _ activity: Activity
  ) -> FrameResult {
    let worker = ItemFrame(frame)
    if worker.hasItem(process), worker.hasPool(process) {
      threads.popPool(thread, &process.kernel)
    }
    let result =
      activity == .lane
      ? dispatch.resumeLane(frame, thread, &process)
      : dispatch.resumeWorker(frame, thread, &process)
    // The frame may be gone; it is there while it, or what it has begun, is the thread's innermost.
    let innermost = process.kernel.threads[thread].frame
    let isThere =
      innermost == frame || !innermost.isNone && process.frames.parent(innermost) == frame
    if isThere, process.outcome == nil, worker.hasItem(process),
      dispatch.hasOwnPool(worker.present(process).item)
    {
      worker.setPool(process)
      threads.pushPool(thread, &process.kernel)
    }
    return result
  }

  /// Lets go of what a frame of the simulator's own holds, since its thread exits.
  mutating func abandon(_ frame: FrameIndex, _ thread: ThreadID) {
    guard let activity = process.frames.activity(frame) else { return }
    switch activity {
    case .runLoopRun: runLoops.abandonRun(frame, thread, &process)
    case .operation: operations.abandonOperation(frame, &process)
    case .queueWorker, .manager, .lane, .mainDrain, .dispatchMain, .apply, .performItem,
      .runLoopRepeat,
      .timerFire, .task, .actorDrain, .taskHandlers, .streamElement:
      // Nothing is held by it alone.
      break
    }
  }
}
