import SpindleModel

/// What the main thread has been busy with since it last could answer.
struct MainWatch {
  /// Handlers that run, the outermost first.
  private var open: [Running] = []
  /// The handler that took longest of those that have ended.
  private var longest: (callOut: CallOut, time: Int64)?

  private struct Running {
    let callOut: CallOut
    var since: Int64
  }

  /// A stretch of work begins.
  mutating func begin() { longest = nil }

  /// A handler is called.
  mutating func called(_ callOut: CallOut, at time: Int64) {
    open.append(Running(callOut: callOut, since: time))
  }

  /// The innermost handler has ended.
  mutating func returned(at time: Int64, since busy: Int64) {
    guard let ended = open.popLast() else { return }
    note(ended, until: time, since: busy)
  }

  private mutating func note(_ running: Running, until time: Int64, since busy: Int64) {
    let taken = time - max(running.since, busy)
    if busy >= 0 && taken > (longest?.time ?? 0) { longest = (running.callOut, taken) }
  }

  /// What took most of a stretch that ends now; nil when no handler had a part in it.
  mutating func culprit(at time: Int64, since busy: Int64) -> (callOut: CallOut, time: Int64)? {
    if let running = open.last { note(running, until: time, since: busy) }
    return longest
  }

  /// The thread exits: no handler goes on.
  mutating func removeAll() { open.removeAll() }
}

/// A call of a handler by the simulator.
struct CallOut {
  /// What is called, as an explanation says it.
  var what: StaticString
  /// The number of the object's name; -1 when it has none.
  var name: Int32 = -1
  /// Where the object or the handler was made; -1 when that is not known.
  var place: Int32
}

extension Interpreter {
  /// Calls a handler that may be called again, on a thread whose innermost frame is the caller's.
  mutating func callOut(
    _ handler: inout Handler, _ thread: Int32, _ callOut: CallOut, argument: Int64 = noValue
  ) -> Resumption {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    if handler.isSet { enter(&handler, on: thread, argument: argument) }
    return .goOn
  }

  /// Calls a closure that is called once.
  mutating func callOut(_ frame: Int32, _ thread: Int32, _ callOut: CallOut) -> Resumption {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    frames.setParent(frame, kernel.threads[thread].frame)
    kernel.threads[thread].frame = frame
    kernel.threads[thread].depth += 1
    return .goOn
  }

  /// A handler that `callOut` called has ended.
  mutating func endCallOut(_ thread: Int32) {
    if thread == mainThread { mainWatch.returned(at: kernel.now, since: mainBusySince) }
  }

  private mutating func watch(_ callOut: CallOut, _ thread: Int32) {
    if thread == mainThread { mainWatch.called(callOut, at: kernel.now) }
  }

  /// Whether a thread's stack has room for two frames more; crashes the process when not.
  private mutating func hasStack(_ thread: Int32, for callOut: CallOut) -> Bool {
    if Int64(kernel.threads[thread].depth + 2) * 256 <= kernel.threads[thread].stackSize {
      return true
    }
    let place = callOut.place >= 0 ? callOut.place : kernel.threads[thread].place
    crash("Fatal error: \(Self.overflowMessage)", thread, at: place)
    return false
  }

  /// What an explanation says of a handler.
  func description(of callOut: CallOut) -> String {
    if callOut.name < 0 { return "\(callOut.what)" }
    return "the handler of \(callOut.what) '\(kernel.names.text(NameID(Int(callOut.name))))'"
  }
}
