import SpindleModel

/// The perform family of threads.
extension RunLoopRuntime {
  /// `perform(on:waitUntilDone:modes:) { }`: a source of the target's loop, signalled and woken.
  ///
  /// On the calling thread itself with waiting it runs at once; without, when the loop turns. Without
  /// modes it is for the common ones; for an empty list of them nothing is performed, and nobody
  /// waits. Source: Apple, NSObject, performSelector(on:…).
  mutating func performOnThread(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = PerformOnThreadArguments(call, process)
    let waits = arguments.waits
    let place = place(of: call)
    guard let target = process.resolve(arguments.thread),
      process.kernel.threads[target].state != .finished
    else {
      if waits { return process.crash(Self.exitedTarget, call) }
      neverFires(FindingText.endedBeforePerform, call, &process)
      process.drop(process.activity(PerformOnThreadArguments.closure, call))
      return .next
    }
    if waits && call.thread.isNone {
      return process.crash("Fatal error: the world outside can't wait for a thread", call)
    }
    let frame = process.activity(PerformOnThreadArguments.closure, call)
    if arguments.modes != noValue && process.arrays[Int(arguments.modes)].isEmpty {
      process.drop(frame)
      ignored(FindingText.ignoredPerform, call, &process)
      return .next
    }
    let stranger = process.stranger(target)
    process.kernel.record(
      .performAsked, thread: call.thread,
      detail: stranger.mention.union(waits ? .asksAndWaits : []).rawValue, other: target.index,
      place: place, value: stranger.name)
    if waits && target == call.thread {
      process.frames.setParent(frame, process.kernel.threads[call.thread].frame)
      process.kernel.threads.at(call.thread).enter(frame)
      return .entered
    }
    let common = process.kernel.intern("common")
    let perform = RunLoopPerform(
      frame: frame, modes: modes(arguments.modes, standard: common, &process),
      waiter: waits ? call.thread : .none, place: place, ticket: ticket())
    let loop = self.loop(of: target, &process.kernel)
    enqueue(perform, loop, by: call.thread, &process.kernel)
    if !waits { return .next }
    let isStarted = !stranger.mention.contains(.notStarted)
    process.kernel.block(
      call.thread, .perform, on: target.index, name: isStarted ? -1 : Int32(stranger.name),
      holder: isStarted ? target : .none)
    return .leftAndDone
  }

  /// What Foundation's exception (NSDestinationInvalidException) says when the thread that was to perform something is gone.
  static let exitedTarget =
    "target thread exited while waiting for the perform"

  // MARK: Waiting for ever

  /// One sentence on a thread that waits for a perform.
  func sentence(
    performEdge edge: WaitGraph.Edge, _ who: FindingStatement, _ process: borrowing Process
  )
    -> FindingStatement
  {
    let loop = knownLoop(of: edge.holder, process.kernel)
    assert(edge.reason == .perform, "thread \(edge.thread.index) waits for no perform")
    let perform =
      loop.isNone
      ? nil
      : loops[loop].performs.all.first { perform in perform.waiter == edge.thread }
    return FindingText.waitsForPerform(
      who, by: edge.object, in: perform.map { describe(modes: $0.modes, process) },
      isStarted: process.kernel.threads[edge.holder].state != .created,
      sleepsIn: sleep(of: edge, process))
  }

  /// The mode in whose run a thread sleeps while another waits for it; nil when it does not.
  func sleep(of edge: WaitGraph.Edge, _ process: borrowing Process)
    -> FindingStatement?
  {
    if edge.holder.isNone { return nil }
    let index = knownLoop(of: edge.holder, process.kernel)
    if index.isNone { return nil }
    let loop = loops[index]
    if !loop.sleeps { return nil }
    demand(!loop.mode.isNone, "thread \(edge.holder.index) sleeps in no mode of its loop")
    return describe(modes: [loop.modes[loop.mode].name], process)
  }

  /// What an explanation calls modes.
  func describe(modes: [NameID], _ process: borrowing Process) -> FindingStatement {
    FindingText.modes(modes.map { process.kernel.text($0) })
  }
}
