import SpindleModel

/// The vocabulary: from a primitive to what does it.
extension Interpreter {
  /// Does what a member of the vocabulary does.
  mutating func perform(
    _ primitive: Primitive, _ base: Register, _ site: SiteID, _ frame: FrameIndex,
    _ thread: ThreadID,
    _ counter: Int
  ) -> CallResult {
    let call = Call(thread: thread, frame: frame, base: base, counter: counter, site: site)
    process.kernel.breakWork()
    if !thread.isNone {
      let record = process.kernel.threads.unchecked(thread)
      if record.pointee.phase == 0 {
        if process.isDriven && isHeld(before: primitive, call) { return .left }
        record.beginCall()
        let cost = process.kernel.hasCosts ? cost(of: primitive, call) : 0
        if cost > 0 {
          record.charge(cost)
          return .again
        }
      } else if process.isDriven && isHeld(beforeGoingOn: primitive, call) {
        return .left
      }
    } else if let need = primitive.threadNeed {
      return passes(primitive, call) ?? process.refuse(need, call)
    } else if process.isDriven {
      _ = isHeld(before: primitive, call)
    }
    let canGoOn = !operations.hasOwnReadiness || askBefore(primitive, call)
    let advance = canGoOn ? route(primitive, call) : .stopped
    // Most calls are over at once, and have nothing to ask.
    guard case .next = advance, !thread.isNone, operations.questions.isEmpty, !process.isDriven
    else {
      return end(advance, of: call)
    }
    let record = process.kernel.threads.unchecked(thread)
    record.setPhase(0)
    return process.kernel.hasLateCosts && record.pointee.paysLater ? .paysAfter : .next
  }

  /// What a call comes to that is not just over.
  @inline(never)
  private mutating func end(_ result: CallResult, of call: Call) -> CallResult {
    let thread = call.thread
    var advance = result
    if !operations.questions.isEmpty {
      askOperations()
      if process.outcome != nil { advance = .stopped }
    }
    if case .exits = advance {
      exitThread(call.thread)
      advance = process.outcome == nil ? .unwound : .stopped
    }
    if process.isDriven { endStep(advance, call) }
    switch advance {
    case .next, .leftAndDone, .unwound, .entered:
      if !thread.isNone { process.kernel.threads.at(thread).setPhase(0) }
      if concurrency.tasks.count > 0, case .leftAndDone = advance { noteBlocking(call) }
    case .left: if concurrency.tasks.count > 0 { noteBlocking(call) }
    case .again, .paysAfter, .stopped, .exits: break
    case .raises: if !thread.isNone { process.kernel.threads.at(thread).setPhase(0) }
    }
    if process.kernel.hasLateCosts, !thread.isNone, case .next = advance,
      process.kernel.threads.unchecked(thread).pointee.paysLater
    {
      return .paysAfter
    }
    return advance
  }

  /// The thread of a task has left its core in a call, and is not to be had by other tasks.
  @inline(never)
  private mutating func noteBlocking(_ call: Call) {
    if call.thread.isNone || concurrency.task(of: call.thread, process).isNone { return }
    if process.kernel.threads[call.thread].state != .waiting { return }
    concurrency.noteBlocking(call, describe(call.thread).object, dispatch, &process)
  }

  private mutating func route(_ primitive: Primitive, _ call: Call) -> CallResult {
    switch primitive {
    case .doing(let primitive): doing(primitive, call)
    case .object(let primitive): object(primitive, call)
    case .thread(let primitive): threads.thread(primitive, call, &process)
    case .lock(let primitive): locks.lock(primitive, call, &process)
    case .semaphore(let primitive): locks.semaphore(primitive, call, &semaphores, &process)
    case .group(let primitive): dispatch.group(primitive, call, &process)
    case .executor(let primitive):
      executors.executor(
        primitive, call, &operations, &concurrency, &dispatch, &process)
    case .queue(let primitive): dispatch.queue(primitive, call, &process)
    case .once(let primitive): dispatch.once(primitive, call, &process)
    case .workItem(let primitive): dispatch.workItem(primitive, call, &process)
    case .dispatchSource(let primitive):
      sources.dispatchSource(primitive, call, &dispatch, &process)
    case .app(let primitive): life.app(primitive, call, &process)
    case .accelerator(let primitive): accelerators.accelerator(primitive, call, &process)
    case .runLoop(let primitive): runLoops.runLoop(primitive, call, &dispatch, &threads, &process)
    case .timer(let primitive): runLoops.timer(primitive, call, &process)
    case .runLoopSource(let primitive): runLoops.runLoopSource(primitive, call, &process)
    case .port(let primitive): runLoops.port(primitive, call, &process)
    case .observer(let primitive): runLoops.observer(primitive, call, &process)
    case .operation(let primitive):
      operations.operation(primitive, call, &dispatch, &locks, &process)
    case .operationQueue(let primitive):
      operations.operationQueue(primitive, call, &dispatch, &process)
    case .task, .taskGroup, .continuation, .asyncStream: concurrent(primitive, call)
    }
  }

  /// A call of Swift concurrency, in which a task may leave its thread.
  private mutating func concurrent(_ primitive: Primitive, _ call: Call) -> CallResult {
    concurrency.left = -1
    if concurrency.waitsForStatus(before: primitive, call, &process) { return .left }
    let result: CallResult
    switch primitive {
    case .task(let primitive): result = concurrency.task(primitive, call, &dispatch, &process)
    case .taskGroup(let primitive):
      result = concurrency.taskGroup(primitive, call, &dispatch, &process)
    case .continuation(let primitive):
      result = concurrency.continuation(primitive, call, &dispatch, &process)
    case .asyncStream(let primitive):
      result = concurrency.asyncStream(primitive, call, &dispatch, &process)
    default: fatalError("\(primitive) is no call of Swift concurrency")
    }
    if concurrency.left >= 0 {
      locks.noteLeaving(call.thread, by: concurrency.left, process.kernel)
    }
    return result
  }

  /// What a call costs its thread before it has an effect.
  private mutating func cost(of primitive: Primitive, _ call: Call) -> Int64 {
    switch primitive {
    case .doing(let primitive): cost(of: primitive)
    case .object(let primitive): cost(of: primitive)
    case .thread(let primitive): threads.cost(of: primitive, process)
    case .lock(let primitive): locks.cost(of: primitive, call, process)
    case .semaphore(let primitive): locks.cost(of: primitive, call, semaphores, process)
    case .group(let primitive): dispatch.cost(of: primitive, call, process)
    case .executor(let primitive):
      executors.cost(of: primitive, call, &operations, &dispatch, process)
    case .queue(let primitive): dispatch.cost(of: primitive, call, process)
    case .once(let primitive): dispatch.cost(of: primitive, process)
    case .workItem(let primitive): dispatch.cost(of: primitive, process)
    case .dispatchSource(let primitive): sources.cost(of: primitive)
    case .app(let primitive): life.cost(of: primitive)
    case .accelerator(let primitive): accelerators.cost(of: primitive, process)
    case .runLoop(let primitive): runLoops.cost(of: primitive, call, process)
    case .timer(let primitive): runLoops.cost(of: primitive)
    case .runLoopSource(let primitive): runLoops.cost(of: primitive)
    case .port(let primitive): runLoops.cost(of: primitive, call, process)
    case .observer(let primitive): runLoops.cost(of: primitive)
    case .operation(let primitive): operations.cost(of: primitive)
    case .operationQueue(let primitive): operations.cost(of: primitive, call, &dispatch, process)
    case .task(let primitive): concurrency.cost(of: primitive, call, process)
    case .taskGroup(let primitive): concurrency.cost(of: primitive, call, process)
    case .continuation(let primitive): concurrency.cost(of: primitive, call, process)
    case .asyncStream(let primitive): concurrency.cost(of: primitive, call, process)
    }
  }

  // MARK: Arguments and results
}
