import SpindleModel

/// What goes wrong in the simulated program, and who catches it.
extension Interpreter {
  /// The steps up to the next look are over: those up to the one after, unless the run is to end now.
  ///
  /// Returns how many steps are left: less than 0 if the limit is reached or the run has ended. The search for busy waits
  /// calls it more often.
  @inline(never)
  mutating func moreSteps(_ left: Int64) -> Int64 {
    if process.stepsHeld == 0 || process.outcome != nil { return left }
    if busyWaits.isWatching {
      // Between two instructions that are looked at something came about: it takes its steps.
      let taken = min(process.stepsHeld, -left)
      process.stepsHeld -= taken
      stepsAtAdvance += taken
      return left + taken
    }
    if stepsToLook <= 0 {
      // Nobody gets to so many but who raises the limit of steps and waits for hours.
      if process.kernel.sequence >= ScheduledEvent.lastLook { return left }
      if process.kernel.recorder.look() {
        reachHorizon(process.kernel.now)
        return left
      }
      if isStill(left) {
        standsStill = true
        return left
      }
      stepsToLook = process.stepsBetweenLooks
    }
    let more = min(process.stepsHeld, min(stepsToLook, busyWaits.patience) - left)
    stepsToLook -= more + left
    process.stepsHeld -= more
    stepsAtAdvance += more
    return left + more
  }

  /// Whether virtual time has stood still for too many steps, where each turn of a thread or a task counts as
  /// many as could run meanwhile: so a cycle of those that wake each other is over as soon as one that computes.
  private mutating func isStill(_ left: Int64) -> Bool {
    let (now, turns) = (process.kernel.now, process.kernel.schedulingEvents + process.taskTurns)
    demand(turns >= turnsAtLook.count, "\(turns) turns, and \(turnsAtLook.count) before")
    if turnsAtLook.time == now {
      stepsAtAdvance += (turns - turnsAtLook.count) * Self.stepsPerTurn
    }
    turnsAtLook = (now, turns)
    return stepsAtAdvance - left > process.limits.stepsAtOneInstant
  }

  private static let stepsPerTurn: Int64 = 16

  /// The limit of steps is reached, or the run has ended at a look.
  @inline(never)
  mutating func stepsAreOver(_ counter: Int) -> Pause {
    if process.outcome == nil {
      process.outcome = Outcome(.stepLimit, place: process.program.places[counter])
    }
    lastPlace = Int32(truncatingIfNeeded: counter)
    return .stopped
  }

  /// Arithmetic of the program overflowed, or came to the number that stands for no value.
  @inline(never)
  mutating func overflowed(_ thread: ThreadID, _ counter: Int) -> Pause {
    let end = FixedDecimal(billionths: Int64.max)
    let reason = isDecimal(counter) ? ": a decimal of the simulator ends at \(end)" : ""
    return stop("Arithmetic operation resulted in an overflow\(reason)", thread, counter)
  }

  /// Something was divided by zero, which crashes here also where Swift has infinity.
  @inline(never)
  mutating func dividedByZero(_ thread: ThreadID, _ counter: Int) -> Pause {
    demand(counter >= 0, "something is divided by zero, and no instruction did it")
    let reason = isDecimal(counter) ? ": the simulator's decimals have no infinity" : ""
    return stop("Division by zero\(reason)", thread, counter)
  }

  /// Whether what an instruction computes is a decimal.
  private func isDecimal(_ counter: Int) -> Bool {
    process.program.decimals.contains(process.program.places[counter])
  }

  /// The instructions of a frame stop running, maybe since they crashed.
  @inline(__always)
  mutating func leaveCode(of frame: FrameIndex, stepsLeft steps: Int64) {
    process.stepsLeft = steps
    if process.crashSite.needsFrame {
      (process.crashSite.frame, process.crashSite.needsFrame) = (frame, false)
    }
  }

  /// The program does what traps in Swift: it crashes with that message.
  @inline(never)
  mutating func stop(_ message: String, _ thread: ThreadID, _ counter: Int) -> Pause {
    demand(!message.isEmpty, "a thread crashes and nothing is said of it")
    process.crash("Fatal error: \(message)", thread, at: Int32(truncatingIfNeeded: counter))
    process.crashSite.needsFrame = true
    return .stopped
  }

  /// The run must end behind an instruction: it holds more than it may, or its policy broke a rule.
  @inline(never)
  @discardableResult
  mutating func endEarly(_ thread: ThreadID, at instruction: Int32) -> Pause {
    process.endEarly(thread, at: instruction)
    return .stopped
  }

  /// Finds the handler of a thrown error, and gives back the frames on the way to it.
  ///
  /// `origin` is the instruction that threw it first. Returns the frame that goes on, which is that of a `deinit` where
  /// instances died on the way; nil when nobody catches it: a crash.
  @inline(never)
  mutating func unwind(
    _ thrower: FrameIndex, _ counter: Int, _ message: Int64, _ thread: ThreadID, from origin: Int
  ) -> FrameIndex? {
    var (frame, place) = (thrower, Int32(truncatingIfNeeded: counter))
    while true {
      if process.frames.isNative(frame) {
        if process.frames.activity(frame) == .streamElement {
          // What the closure of a stream throws, whoever asked for its element gets.
          concurrency.endElement(thread, &process)
          let asker = process.frames.parent(frame)
          process.frames.release(frame)
          process.kernel.threads.at(thread).dropFrame()
          (frame, place) = (asker, process.frames.counter(asker))
          continue
        }
        let origin = Int32(truncatingIfNeeded: origin)
        guard process.frames.activity(frame) == .task,
          concurrency.fail(frame, message, at: origin, process)
        else { break }
        process.kernel.threads.at(thread).setFrame(frame)
        return nil
      }
      assert(!frame.isNone, "an error is thrown in frame \(frame)")
      for handler in process.blocks[Int(process.frames.block(frame))].handlers
      where handler.start <= place && place < handler.end {
        process.frames.registers(frame)[handler.error] = message
        if let register = handler.origin {
          process.frames.registers(frame)[register] = Int64(origin)
        }
        process.frames.setCounter(frame, handler.target)
        // What died on the way is gone before anything is done about the error.
        return process.lives.hasDying ? enterDeinit(caller: frame, thread, -1) : frame
      }
      let parent = process.frames.parent(frame)
      if parent.isNone { break }
      process.releaseOwned(frame)
      process.frames.release(frame)
      if !thread.isNone { process.kernel.threads.at(thread).dropFrame() }
      frame = parent
      place = process.frames.counter(frame)
    }
    let text = process.kernel.text(message)
    process.crash("uncaught error: \(text)", thread, at: Int32(truncatingIfNeeded: origin))
    return nil
  }

  /// The instruction that threw first what one throws at a place.
  @inline(never)
  func thrower(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ place: Int
  ) -> Int {
    guard case .rethrow(_, let origin) = instruction else { return place }
    return self.instruction(registers[origin], orElse: place)
  }

  /// The instruction whose number a register has; `place` where it has none.
  func instruction(_ number: Int64, orElse place: Int) -> Int {
    Int(exactly: number).flatMap { process.code.indices.contains($0) ? $0 : nil } ?? place
  }
}
