import SpindleModel

/// The vocabulary: from a primitive to what does it.
extension Interpreter {
  /// One call of the vocabulary: who makes it, and where its arguments stand.
  struct Call {
    /// The thread; -1 for the world outside.
    let thread: Int32
    /// The frame.
    let frame: Int32
    /// The first argument's register, which gets the result.
    let base: Register
    /// The instruction.
    let counter: Int
    /// What the key of an activity made here depends on.
    let site: SiteID
  }

  /// Does what a member of the vocabulary does.
  mutating func perform(
    _ primitive: Primitive, _ base: Register, _ site: SiteID, _ frame: Int32, _ thread: Int32,
    _ counter: Int
  ) -> Advance {
    let call = Call(thread: thread, frame: frame, base: base, counter: counter, site: site)
    kernel.breakWork()
    if thread >= 0 {
      let record = kernel.threads.unchecked(thread)
      if record.pointee.phase == 0 {
        record.pointee.wakeResult = .none
        record.pointee.phase = 1
        let cost = kernel.hasCosts ? cost(of: primitive, call) : 0
        if cost > 0 {
          record.pointee.charge(cost)
          return .again
        }
      }
    }
    let advance = route(primitive, call)
    switch advance {
    case .next, .leftAndDone, .unwound, .entered:
      if thread >= 0 { kernel.threads[thread].phase = 0 }
    case .again, .left, .stopped: break
    }
    return advance
  }

  private mutating func route(_ primitive: Primitive, _ call: Call) -> Advance {
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
    waiters.isEmpty ? 0 : kernel.costs.wake.rawValue
  }

  /// What it costs to wake the thread of a run loop.
  func wakeCost(ofLoop handle: Int64) -> Int64 {
    guard let thread = resolve(handle), kernel.threads[thread].runLoop >= 0 else { return 0 }
    let sleeps = runLoops.loops[Int(kernel.threads[thread].runLoop)].sleeps
    return sleeps ? kernel.costs.wake.rawValue : 0
  }

  // MARK: Arguments and results

  /// The argument at `index`.
  @inline(__always)
  func argument(_ index: Int, _ call: Call) -> Int64 {
    frames.unchecked.registers(call.frame)[Int(call.base.index) &+ index]
  }

  /// Gives the call its result.
  @inline(__always)
  func give(_ result: Int64, _ call: Call) {
    frames.unchecked.registers(call.frame)[call.base] = result
  }

  /// Gives a truth as the result.
  func give(_ result: Bool, _ call: Call) { give(result ? 1 : 0, call) }

  /// Crashes with `message` at the call.
  mutating func crash(_ message: String, _ call: Call) -> Advance {
    crash(message, call.thread, at: Int32(truncatingIfNeeded: call.counter))
    return .stopped
  }

  /// What a step of a runtime means for the call.
  mutating func advance(_ step: Step, _ call: Call) -> Advance {
    switch step {
    case .done: .next
    case .blocked: .left
    case .crash(let message): crash(message, call)
    }
  }

  /// Whether an argument is a closure that was made for this call.
  ///
  /// Its register was last written by the instruction that makes the closure.
  @inline(__always)
  private func isLiteral(_ register: Register, _ call: Call) -> Bool {
    // A closure is the last argument of most calls, made just before them.
    if call.counter > 0, case .closure(let to, _, _) = code[call.counter &- 1], to == register {
      return true
    }
    return isLiteralFurtherUp(register, call)
  }

  @inline(never)
  private func isLiteralFurtherUp(_ register: Register, _ call: Call) -> Bool {
    var place = call.counter &- 1
    while place >= 0 && place &+ 32 > call.counter {
      switch code[place] {
      case .closure(let to, _, _): if to == register { return true }
      case .copy(let to, _), .constant(_, let to), .loadGlobal(let to, _):
        if to == register { return false }
      default: break
      }
      place &-= 1
    }
    return false
  }

  /// A closure as a new activity's outermost frame, with its own key.
  ///
  /// A closure literal of the call is taken over; any other closure is copied, since the trace may
  /// use it again.
  @inline(__always)
  mutating func activity(_ index: Int, _ call: Call) -> Int32 {
    let register = Register(Int(call.base.index) &+ index)
    var frame = Int32(truncatingIfNeeded: argument(index, call))
    if !isLiteral(register, call) { frame = copy(ofClosure: frame) }
    frames.setKey(
      frame, key(at: call.site, frames.key(call.frame), frames.registers(call.frame)))
    return frame
  }

  /// A closure with the same captured values.
  @inline(never)
  private mutating func copy(ofClosure closure: Int32) -> Int32 {
    let block = frames.block(closure)
    let frame = makeFrame(block, parent: -1, key: 0)
    frames.copy(Int(blocks[Int(block)].captureCount), from: closure, to: frame)
    return frame
  }
}
