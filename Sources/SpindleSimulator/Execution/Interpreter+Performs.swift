import SpindleModel

/// The perform family of threads.
extension Interpreter {
  mutating func perform(_ primitive: Primitive, _ call: Call) -> Advance {
    switch primitive {
    case .threadPerform: return performOnThread(call)
    case .threadPerformAfterDelay: return performLater(call)
    case .threadCancelPerforms: return cancelPerforms(call)
    case .ioRunLoop: return startInput(call)
    default: fatalError("\(primitive) is not done here")
    }
  }

  /// `perform(on:waitUntilDone:modes:) { }`: a source of the target's loop, signalled and woken.
  ///
  /// On the calling thread itself with waiting it runs at once; without, when the loop turns. Without
  /// modes it is for the common ones. Source: Apple, NSObject, performSelector(on:…).
  private mutating func performOnThread(_ call: Call) -> Advance {
    let waits = argument(1, call) != 0
    let place = Int32(truncatingIfNeeded: call.counter)
    guard let target = resolve(argument(0, call)), kernel.threads[target].state != .finished else {
      if waits { return crash(Self.exitedTarget, call) }
      neverFires("the thread has ended, so it is never performed", call)
      frames.release(activity(3, call))
      return .next
    }
    if waits && call.thread < 0 {
      return crash("Fatal error: the world outside can't wait for a thread", call)
    }
    kernel.record(
      .performAsked, thread: call.thread, detail: waits ? 1 : 0, other: target, place: place)
    let frame = activity(3, call)
    if waits && target == call.thread {
      frames.setParent(frame, kernel.threads[call.thread].frame)
      kernel.threads[call.thread].frame = frame
      kernel.threads[call.thread].depth += 1
      return .entered
    }
    let common = kernel.names.intern("common").index
    let perform = RunLoopPerform(
      frame: frame, modes: modes(argument(2, call), standard: common),
      waiter: waits ? call.thread : -1, place: place, ticket: runLoops.ticket())
    let loop = runLoops.loop(of: target, &kernel)
    runLoops.enqueue(perform, loop, by: call.thread, &kernel)
    if !waits { return .next }
    kernel.block(
      call.thread, .perform, on: target, holder: target)
    return .leftAndDone
  }

  /// What Foundation's exception (NSDestinationInvalidException) says when the thread that was to perform something is gone.
  static let exitedTarget =
    "target thread exited while waiting for the perform"

  // MARK: What is never done

  /// Reports something that can never happen, once for each place.
  mutating func neverFires(_ why: String, _ call: Call) {
    tell(.neverFires, why, Int32(truncatingIfNeeded: call.counter), thread: call.thread)
  }

  /// Reports a finding about a place, once for each kind and place.
  mutating func tell(
    _ kind: Finding.Kind, _ explanation: String, _ place: Int32, thread: Int32
  ) {
    let key = Int64(place) << 8 | (kind == .neverFires ? 2 : 3)
    if place >= 0 && !runLoops.told.insert(key).inserted { return }
    kernel.report(kind, thread: thread, places: [place], explanation)
  }

  /// The loop of a thread that ends: what still waits in it is never done.
  ///
  /// A timer that has fired, or that the loop had a chance to fire, simply ends with its thread. A
  /// thread that waits for a perform of this one gets an exception.
  mutating func endRunLoop(of thread: Int32) {
    let loop = kernel.threads[thread].runLoop
    if loop < 0 { return }
    let who = "'\(kernel.name(of: thread))'"
    for index in runLoops.timers(of: loop) {
      let timer = runLoops.timers[Int(index)]
      if !isLost(timer, loop) { continue }
      tell(
        .neverFires, "\(who) ended and never ran its loop for \(name(of: timer)): it never fires",
        timer.place, thread: thread)
    }
    for index in runLoops.sources(of: loop) where runLoops.sources[Int(index)].isSignalled {
      let source = runLoops.sources[Int(index)]
      let name = kernel.names.text(NameID(Int(source.name)))
      tell(
        .neverFires, "\(who) ended before its loop came to source '\(name)', which was signalled",
        source.place, thread: thread)
    }
    for index in runLoops.ports(of: loop) {
      let port = runLoops.ports[Int(index)]
      guard port.isAnswer || !port.messages.isEmpty else { continue }
      let name = port.isAnswer ? "" : " at port '\(kernel.names.text(NameID(Int(port.name))))'"
      tell(
        .neverFires,
        port.isAnswer
          ? "\(who) ended before the answer was delivered in its run loop: nobody gets it"
          : "\(who) ended before it took the message\(name)",
        port.isAnswer ? port.place : port.messages.first?.place ?? -1, thread: thread)
    }
    for block in runLoops.loops[Int(loop)].blocks {
      tell(.neverFires, "\(who) ended before its loop ran the block", block.place, thread: thread)
      frames.release(block.frame)
    }
    for perform in runLoops.loops[Int(loop)].performs.all {
      frames.release(perform.frame)
      if perform.waiter >= 0 {
        crash(Self.exitedTarget, perform.waiter)
      } else {
        tell(
          .neverFires, "\(who) ended before it performed what it was asked to", perform.place,
          thread: thread)
      }
    }
    runLoops.free(loop, &kernel)
  }

  /// Whether a timer never fired and no run ever looked at it.
  private func isLost(_ timer: RunLoopTimer, _ loop: Int32) -> Bool {
    if !timer.isValid || timer.wasFired || timer.isFiring { return false }
    return !runLoops.loops[Int(loop)].modes.contains { mode in
      timer.modes.contains(mode.name) && mode.wasRun(since: timer.ticket)
    }
  }

  /// What an explanation calls a timer.
  private func name(of timer: RunLoopTimer) -> String {
    if timer.name < 0 { return "the delayed perform" }
    return "timer '\(kernel.names.text(NameID(Int(timer.name))))'"
  }

  // MARK: The end of the run

  /// Reports what waits in run loops when nothing can happen any more.
  mutating func reportUndelivered() {
    guard outcome?.kind == .finished, !endsProcess else { return }
    for timer in runLoops.timers { report(unfired: timer) }
    for source in runLoops.sources.indices { report(source: source) }
    for port in runLoops.ports where port.isValid {
      guard let message = port.messages.first else { continue }
      report(unread: port, message)
    }
    for loop in runLoops.loops.indices where runLoops.loops[loop].thread >= 0 {
      reportWaiting(in: Int32(loop))
    }
  }

  /// Whether a loop can be trusted not to run again in this run.
  private func isIdle(_ loop: Int32) -> Bool {
    let thread = runLoops.loops[Int(loop)].thread
    return program.until == nil || kernel.threads[thread].state == .finished
      || runLoops.loops[Int(loop)].sleeps
  }

  private mutating func report(unfired timer: RunLoopTimer) {
    if !timer.isValid || timer.wasFired || timer.isFiring { return }
    if !timer.wasAdded {
      tell(
        .neverFires, "\(name(of: timer)) was made and never added to a run loop: it never fires",
        timer.place, thread: -1)
    } else if timer.loop >= 0 && isIdle(timer.loop) && isLost(timer, timer.loop) {
      let thread = runLoops.loops[Int(timer.loop)].thread
      let modes = timer.modes.map { "'\(kernel.names.text(NameID(Int($0))))'" }
      tell(
        .neverFires,
        "'\(kernel.name(of: thread))' never runs its loop in mode \(modes.joined(separator: " or ")): "
          + "\(name(of: timer)) never fires", timer.place, thread: thread)
    }
  }

  private mutating func report(source number: Int) {
    let source = runLoops.sources[number]
    if !source.isSignalled || !source.isValid { return }
    let name = kernel.names.text(NameID(Int(source.name)))
    guard let loop = source.loops.first else {
      tell(
        .neverFires, "source '\(name)' was signalled and is in no run loop", source.place,
        thread: -1)
      return
    }
    let thread = runLoops.loops[Int(loop)].thread
    let who = "'\(kernel.name(of: thread))'"
    let mode = runLoops.loops[Int(loop)].mode
    if runLoops.loops[Int(loop)].sleeps
      && runLoops.loops[Int(loop)].modes[Int(mode)].sources.contains(Int32(number))
    {
      tell(
        .signalledNotWoken,
        "source '\(name)' was signalled while the loop of \(who) slept, and nobody woke the loop: "
          + "CFRunLoopWakeUp must follow the signal", source.place, thread: thread)
    } else if isIdle(loop) {
      tell(
        .neverFires, "\(who) does not run its loop in a mode of source '\(name)' any more",
        source.place, thread: thread)
    }
  }

  private mutating func report(unread port: RunLoopPort, _ message: RunLoopPort.Message) {
    let name = port.isAnswer ? "" : " '\(kernel.names.text(NameID(Int(port.name))))'"
    guard let loop = port.loops.first else {
      tell(
        .neverFires, "the message to port\(name) is never read: the port is in no run loop",
        message.place, thread: -1)
      return
    }
    if !isIdle(loop) { return }
    let thread = runLoops.loops[Int(loop)].thread
    tell(
      .neverFires,
      port.isAnswer
        ? "'\(kernel.name(of: thread))' does not run its loop: the answer is never delivered"
        : "'\(kernel.name(of: thread))' does not run its loop for port\(name): its message is never "
          + "read", message.place, thread: thread)
  }

  private mutating func reportWaiting(in loop: Int32) {
    if !isIdle(loop) { return }
    let thread = runLoops.loops[Int(loop)].thread
    let who = "'\(kernel.name(of: thread))'"
    let sleeps = runLoops.loops[Int(loop)].sleeps
    let mode = runLoops.loops[Int(loop)].mode
    for block in runLoops.loops[Int(loop)].blocks {
      if sleeps && runLoops.matches(block.modes, loop, mode) {
        tell(
          .signalledNotWoken,
          "a block was handed to the loop of \(who) while it slept, and nobody woke the loop: "
            + "CFRunLoopWakeUp must follow", block.place, thread: thread)
      } else {
        tell(
          .neverFires, "\(who) does not run its loop in a mode of the block any more", block.place,
          thread: thread)
      }
    }
    for perform in runLoops.loops[Int(loop)].performs.all where perform.waiter < 0 {
      tell(
        .neverFires, "\(who) does not run its loop in a mode of what it was asked to perform",
        perform.place, thread: thread)
    }
  }
}
