import SpindleModel

/// How a process ends.
extension Process {
  /// The process has as many threads as it may have.
  mutating func tooManyThreads(_ call: Call) -> CallResult {
    kernel.report(
      .threadLimit, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
      FindingText.threadLimit(threads: kernel.liveCount))
    return crash("thread creation failed: the process has its limit of threads (EAGAIN)", call)
  }

  /// Ends the process when it needs more memory than the system lets it have.
  @inline(__always)
  mutating func checkMemory(_ call: Call) -> CallResult {
    kernel.memory.isExceeded ? memoryIsExceeded(call) : .next
  }

  private mutating func memoryIsExceeded(_ call: Call) -> CallResult {
    if !kernel.machine.killsOverMemory {
      if !kernel.memory.isPastAddresses { return .next }
      return crash("Fatal error: a process has addresses for 1 EB, and more is in use", call)
    }
    outcome = Outcome(
      .killed,
      message:
        "the app uses \(ByteCount(kernel.memory.used)) and the machine has "
        + "\(ByteCount(kernel.memory.size))",
      place: program.places[call.counter])
    return .stopped
  }

  /// The run must end after this instruction, -1 for none: it holds more than it may, its policy broke a rule, or the
  /// quanta of its threads took too many steps.
  ///
  /// How the run has ended already stays.
  @inline(never)
  mutating func endEarly(_ thread: ThreadID, at instruction: Int32) {
    if outcome != nil { return }
    if let fault = kernel.policyFault {
      outcome = Outcome(.policyFault, message: fault.message)
    } else if kernel.policy.steadySteps <= 0 {
      outcome = Outcome(.stepLimit, place: instruction < 0 ? nil : program.places[Int(instruction)])
    } else {
      crash("Fatal error: \(kernel.storage.complaint)", thread, at: instruction)
    }
  }

  /// Whether the main thread is in `dispatchMain()`, as that of an async main on Linux is: it never runs its run loop.
  var servesMainQueueOnly: Bool {
    if mainThread.isNone { return false }
    var frame = kernel.threads[mainThread].frame
    while !frame.isNone {
      if frames.isNative(frame) && frames.activity(frame) == .dispatchMain { return true }
      frame = frames.parent(frame)
    }
    return false
  }

  /// Ends the process by itself.
  mutating func endProcess(_ thread: ThreadID, exitCode: Int64?) {
    (endsProcess, endingThread) = (true, thread)
    outcome = Outcome(.finished, exitCode: exitCode)
  }

  /// A call needs a thread, and the code that makes it has none.
  @inline(never)
  mutating func refuse(_ name: String, _ call: Call) -> CallResult {
    demand(call.thread.isNone, "'\(name)' is refused on thread \(call.thread.index)")
    refuseWithoutThread(name, at: Int32(truncatingIfNeeded: call.counter))
    return .stopped
  }

  /// Crashes at an instruction that needs a thread, and has none.
  mutating func refuseWithoutThread(_ name: String, at instruction: Int32) {
    let message =
      switch outside {
      case .top:
        "'\(name)' needs a thread, and the top of a trace has none: write it in 'main'"
      case .world:
        "'\(name)' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }"
      case .question:
        "'\(name)' needs a thread, and an operation is asked whether it is ready on none: keep the answer in a 'var'"
      }
    crash(message, .none, at: instruction)
  }

  /// Crashes the simulated process.
  mutating func crash(_ message: String, _ thread: ThreadID, at instruction: Int32? = nil) {
    let index = instruction ?? (!thread.isNone ? kernel.threads[thread].place : -1)
    let place = index >= 0 ? program.places[Int(index)] : nil
    outcome = Outcome(.crashed, message: message, place: place)
    crashSite = CrashSite(
      thread: thread, frame: !thread.isNone ? kernel.threads[thread].frame : .none,
      instruction: index)
  }

  /// Ends the run at an instruction, since the policy can't schedule the program: nothing in it has crashed.
  mutating func refuse(_ message: String, at instruction: Int32) {
    let place = instruction >= 0 ? program.places[Int(instruction)] : nil
    outcome = Outcome(.refused, message: message, place: place)
  }
}
