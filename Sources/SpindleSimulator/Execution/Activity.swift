import SpindleModel

/// What the simulator itself does on a thread, between blocks of the program.
///
/// Each is a frame whose counter says how far it has come and whose registers hold what it needs, so
/// that run loops nest, a queue is drained and an operation runs inside a worker by pushing frames.
enum Activity: UInt8, CaseIterable {
  /// Starts an operation, runs its blocks, reports its end and tears it down; see `OperationStep`.
  case operation
  /// A worker of the pool: takes items of global queues until it ends.
  case queueWorker
  /// Drains a serial queue.
  case lane
  /// Drains what the main queue had when it was looked at.
  case mainDrain
  /// `dispatchMain()`: serves the main queue for ever.
  case dispatchMain
  /// Takes part in a `concurrentPerform`.
  case apply
  /// Runs a work item where `perform()` or `sync(execute:)` was called.
  case performItem
  /// One run of a run loop.
  case runLoopRun
  /// Runs a run loop again and again: `run()`, `run(until:)`, `CFRunLoopRun()`, main's own.
  case runLoopRepeat
  /// Fires a timer by hand.
  case timerFire
}

/// What became of a frame of the simulator's own when it was resumed.
enum Resumption {
  /// The thread's innermost frame is another one now, or the frame is in another state: goes on.
  case goOn
  /// It charged a cost: the thread needs its core first.
  case computing
  /// The thread has left its core; the frame is resumed when it comes back.
  case left
  /// The run has ended.
  case stopped
}

extension Interpreter {
  /// Resumes a frame of the simulator's own, which is the innermost of a running thread.
  @inline(never)
  mutating func resume(_ frame: Int32, _ thread: Int32) -> Resumption {
    guard let activity = frames.activity(frame) else { fatalError("frame \(frame) is no activity") }
    kernel.breakWork()
    switch activity {
    case .operation: return resumeOperation(frame, thread)
    case .queueWorker: return resumeWorker(frame, thread)
    case .lane: return resumeLane(frame, thread)
    case .mainDrain: return resumeMainDrain(frame, thread)
    case .dispatchMain: return resumeDispatchMain(frame, thread)
    case .apply: return resumeApply(frame, thread)
    case .performItem: return resumePerformedItem(frame, thread)
    case .runLoopRun: return resumeRun(frame, thread)
    case .runLoopRepeat: return resumeRepetition(frame, thread)
    case .timerFire: return resumeFire(frame, thread)
    }
  }

  /// Lets go of what a frame of the simulator's own holds, since its thread exits.
  mutating func abandon(_ frame: Int32, _ thread: Int32) {
    guard let activity = frames.activity(frame) else { return }
    switch activity {
    case .runLoopRun: abandonRun(frame, thread)
    case .operation: abandonOperation(frame)
    default: break
    }
  }

  /// Pushes a frame of the simulator's own on top of what a thread does.
  @discardableResult
  mutating func push(_ activity: Activity, registers: Int32, on thread: Int32) -> Int32 {
    let frame = frames.allocate(
      activity, registers: registers, parent: kernel.threads[thread].frame)
    kernel.threads[thread].frame = frame
    kernel.threads[thread].depth += 1
    return frame
  }

  /// Takes the innermost frame, one of the simulator's own, off; its caller goes on with `result`.
  ///
  /// A caller that is code of the program gets it as the result of the call of the vocabulary that
  /// pushed the frame.
  mutating func leave(_ frame: Int32, _ thread: Int32, result: Int64) {
    let parent = frames.parent(frame)
    frames.release(frame)
    kernel.threads[thread].frame = parent
    kernel.threads[thread].depth -= 1
    if parent < 0 { return }
    if frames.isNative(parent) {
      worldResult = result
      return
    }
    let counter = frames.counter(parent)
    if case .perform(_, let base, _) = code[Int(counter)], result != noResult {
      frames.registers(parent)[base] = result
    }
    frames.setCounter(parent, counter + 1)
  }

  /// Pushes what a handler does on top of what a thread does.
  ///
  /// Arguments that the closure does not take are dropped.
  mutating func enter(_ handler: inout Handler, on thread: Int32, argument: Int64 = noValue) {
    let frame = activate(&handler, parent: kernel.threads[thread].frame, argument: argument)
    kernel.threads[thread].frame = frame
    kernel.threads[thread].depth += 1
  }

  /// A frame for the next run of a handler.
  mutating func activate(
    _ handler: inout Handler, parent: Int32, argument: Int64 = noValue
  ) -> Int32 {
    let block = frames.block(handler.closure)
    let key = RandomStreams.key(handler.key, salt: 0, ordinal: handler.runs)
    handler.runs &+= 1
    let frame = makeFrame(block, parent: parent, key: key)
    let captured = Int(blocks[Int(block)].captureCount)
    frames.copy(captured, from: handler.closure, to: frame)
    if blocks[Int(block)].parameterCount > 0 { frames.registers(frame)[captured] = argument }
    return frame
  }

  /// The closure of a call as something that can be run any number of times; nil when none is given.
  mutating func handler(_ index: Int, _ call: Call) -> Handler? {
    if argument(index, call) == noValue { return nil }
    let frame = activity(index, call)
    return Handler(closure: frame, key: frames.key(frame))
  }

  /// Gives the closure of a handler back.
  mutating func discard(_ handler: Handler) {
    if handler.closure >= 0 { frames.release(handler.closure) }
  }
}

/// Leaves the register of a call of the vocabulary as it is.
let noResult = Int64.min + 1
