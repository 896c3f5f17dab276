import SpindleModel

/// The vocabulary: from a primitive to what does it.
extension Interpreter {
  /// Does what a member of the vocabulary does.
  mutating func perform(
    _ primitive: Primitive, _ base: Register, _ site: SiteID, _ frame: Int32, _ thread: Int32,
    _ counter: Int
  ) -> CallResult {
    let call = Call(thread: thread, frame: frame, base: base, counter: counter, site: site)
    process.kernel.breakWork()
    if thread >= 0 {
      let record = process.kernel.threads.unchecked(thread)
      if record.pointee.phase == 0 {
        record.pointee.wakeResult = .none
        record.pointee.phase = 1
        let cost = process.kernel.hasCosts ? cost(of: primitive, call) : 0
        if cost > 0 {
          record.pointee.charge(cost)
          return .again
        }
      }
    }
    let advance = route(primitive, call)
    switch advance {
    case .next, .leftAndDone, .unwound, .entered:
      if thread >= 0 { process.kernel.threads[thread].phase = 0 }
    case .again, .left, .stopped: break
    }
    return advance
  }

  private mutating func route(_ primitive: Primitive, _ call: Call) -> CallResult {
    switch primitive {
    case .doing(let primitive): doing(primitive, call)
    case .object(let primitive): object(primitive, call)
    case .thread(let primitive): thread(primitive, call)
    case .lock(let primitive): lock(primitive, call)
    case .semaphore(let primitive): semaphore(primitive, call)
    case .group(let primitive): group(primitive, call)
    case .executor(let primitive): executor(primitive, call)
    case .queue(let primitive): queue(primitive, call)
    case .once(let primitive): once(primitive, call)
    case .workItem(let primitive): workItem(primitive, call)
    case .dispatchSource(let primitive): dispatchSource(primitive, call)
    case .app(let primitive): app(primitive, call)
    case .runLoop(let primitive): runLoop(primitive, call)
    case .timer(let primitive): timer(primitive, call)
    case .runLoopSource(let primitive): runLoopSource(primitive, call)
    case .port(let primitive): port(primitive, call)
    case .observer(let primitive): observer(primitive, call)
    case .operation(let primitive): operation(primitive, call)
    case .operationQueue(let primitive): operationQueue(primitive, call)
    }
  }

  /// What a call costs its thread before it has an effect.
  private func cost(of primitive: Primitive, _ call: Call) -> Int64 {
    switch primitive {
    case .doing(let primitive): cost(of: primitive)
    case .object(let primitive): cost(of: primitive)
    case .thread(let primitive): cost(of: primitive)
    case .lock(let primitive): cost(of: primitive, call)
    case .semaphore(let primitive): cost(of: primitive, call)
    case .group(let primitive): cost(of: primitive, call)
    case .executor(let primitive): cost(of: primitive, call)
    case .queue(let primitive): cost(of: primitive, call)
    case .once(let primitive): cost(of: primitive)
    case .workItem(let primitive): cost(of: primitive)
    case .dispatchSource(let primitive): cost(of: primitive)
    case .app(let primitive): cost(of: primitive)
    case .runLoop(let primitive): cost(of: primitive, call)
    case .timer(let primitive): cost(of: primitive)
    case .runLoopSource(let primitive): cost(of: primitive)
    case .port(let primitive): cost(of: primitive, call)
    case .observer(let primitive): cost(of: primitive)
    case .operation(let primitive): cost(of: primitive)
    case .operationQueue(let primitive): cost(of: primitive, call)
    }
  }

  /// What it costs to wake the first of those that wait.
  func wakeCost(_ waiters: WaitList) -> Int64 {
    waiters.isEmpty ? 0 : process.kernel.costs.wake.rawValue
  }

  /// What it costs to wake the thread of a run loop.
  func wakeCost(ofLoop handle: Int64) -> Int64 {
    guard let thread = process.resolve(handle), process.kernel.threads[thread].runLoop >= 0 else {
      return 0
    }
    let sleeps = runLoops.loops[Int(process.kernel.threads[thread].runLoop)].sleeps
    return sleeps ? process.kernel.costs.wake.rawValue : 0
  }

  // MARK: Arguments and results
}
