import SpindleModel

/// One call of the vocabulary: who makes it, and where its arguments stand.
struct Call {
  /// The thread; none for the world outside.
  let thread: ThreadID
  /// The frame.
  let frame: FrameIndex
  /// The first argument's register, which gets the result.
  let base: Register
  /// The instruction.
  let counter: Int
  /// What the key of an activity made here depends on.
  let site: SiteID
}

/// What became of one call of the vocabulary.
enum CallResult {
  /// It is done.
  case next
  /// The thread needs its core before the call goes on.
  case again
  /// The call is done, and the thread needs its core for what it turned out to cost.
  case paysAfter
  /// The thread has left its core; the call is made again when it comes back.
  case left
  /// The thread has left its core; the call is done.
  case leftAndDone
  /// The thread has ended.
  case unwound
  /// The thread is to end at once.
  case exits
  /// The thread goes on with another frame; when that ends, the call is done.
  case entered
  /// The call throws; see `Process.thrown`.
  case raises
  /// The run has ended.
  case stopped
}

/// Arguments and results of calls.
extension Process {
  /// The argument at `index`.
  @inline(__always)
  func argument(_ index: Int, _ call: Call) -> Int64 {
    assert(index < FrameArena.window, "no call has an argument \(index)")
    return frames.unchecked.registers(call.frame)[Int(call.base.index) &+ index]
  }

  /// The argument at `index`; nil where none is given.
  @inline(__always)
  func given(_ index: Int, _ call: Call) -> Int64? {
    let argument = argument(index, call)
    return argument == noValue ? nil : argument
  }

  /// The index of the object that an argument is; -1 when none is given.
  @inline(__always)
  func objectIfGiven(_ index: Int, _ call: Call) -> Int32 {
    argument(index, call) == noValue ? -1 : object(index, call)
  }

  /// Gives the call its result.
  @inline(__always)
  func give(_ result: Int64, _ call: Call) {
    frames.unchecked.registers(call.frame)[call.base] = result
  }

  /// Gives a truth as the result.
  func give(_ result: Bool, _ call: Call) { give(result ? 1 : 0, call) }

  /// Crashes with `message` at the call.
  mutating func crash(_ message: String, _ call: Call) -> CallResult {
    crash(message, call.thread, at: Int32(truncatingIfNeeded: call.counter))
    (crashSite.frame, crashSite.object) = (call.frame, receiver(of: call))
    return .stopped
  }

  /// What a step of a runtime means for the call.
  mutating func advance(_ step: RuntimeResult, _ call: Call) -> CallResult {
    switch step {
    case .done: .next
    case .blocked: .left
    case .crash(let message): crash(message, call)
    }
  }

  /// The index of the object that an argument is.
  @inline(__always)
  func object(_ index: Int, _ call: Call) -> Int32 {
    Int32(truncatingIfNeeded: argument(index, call))
  }

  /// Gives `.success` or `.timedOut`, by how the wait ended.
  func giveWaitResult(_ call: Call) {
    let timedOut = kernel.threads[call.thread].wakeResult == .timedOut
    give(Int64((timedOut ? WellKnownName.timedOut : .success).id.index), call)
  }

  /// The deadline that a register holds; nil for none and for the distant future.
  func deadline(_ value: Int64) -> Int64? {
    value == noValue || value == Int64.max ? nil : value
  }

  /// What it costs to wake the first of those that wait.
  func wakeCost(_ waiters: WaitList) -> Int64 {
    waiters.isEmpty ? 0 : kernel.costs.wake.rawValue
  }
}
