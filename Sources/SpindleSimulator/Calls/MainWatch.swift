import SpindleModel

/// What the main thread has been busy with since it last could answer.
struct MainWatch {
  /// Handlers that run, the outermost first.
  private var open: [Running] = []
  /// The handler that took longest of those that have ended.
  private var longest: (callOut: CallOut, time: Int64)?
  /// What runs where no handler does: at first its body; nil while its own loop turns.
  var ownCode: StaticString? = FindingText.bodyOfMain

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
    assert(time >= ended.since, "a handler ended at \(time) that began at \(ended.since)")
    note(ended, until: time, since: busy)
  }

  private mutating func note(_ running: Running, until time: Int64, since busy: Int64) {
    let taken = time - max(running.since, busy)
    if busy >= 0 && taken > (longest?.time ?? 0) { longest = (running.callOut, taken) }
  }

  /// The thread's own code has ended, and its loop turns from now on.
  mutating func endOwnCode(at time: Int64, since busy: Int64) {
    if busy >= 0, let ownCode {
      let handled = longest?.time ?? 0
      let own = CallOut(what: ownCode, place: -1)
      if time - busy - handled > handled { longest = (own, time - busy - handled) }
    }
    ownCode = nil
  }

  /// What took most of a stretch that ends now; nil when nothing is known to have had a part in it.
  mutating func culprit(at time: Int64, since busy: Int64) -> (callOut: CallOut, time: Int64)? {
    if let running = open.last { note(running, until: time, since: busy) }
    let handled = longest?.time ?? 0
    if let ownCode, handled < time - busy - handled {
      return (CallOut(what: ownCode, place: -1), time - busy - handled)
    }
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

extension Process {
  /// Calls a handler that may be called again, on a thread whose innermost frame is the caller's.
  mutating func callOut(
    _ handler: inout Handler, _ thread: Int32, _ callOut: CallOut, argument: Int64 = noValue
  ) -> FrameResult {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    if handler.isSet { enter(&handler, on: thread, argument: argument) }
    return .goOn
  }

  /// Calls a closure that is called once.
  mutating func callOut(_ frame: Int32, _ thread: Int32, _ callOut: CallOut) -> FrameResult {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    frames.setParent(frame, kernel.threads[thread].frame)
    kernel.threads.at(thread).enter(frame)
    return .goOn
  }

  /// A handler that `callOut` called has ended.
  mutating func endCallOut(_ thread: Int32) {
    kernel.recordDetail(.handlerEnded, thread: thread)
    noteReturn(thread)
  }

  /// Something that the main thread called has ended.
  mutating func noteReturn(_ thread: Int32) {
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

  // MARK: Hangs

  /// The main thread can answer again: reports a hang when it could not for long.
  mutating func mainAnswers() {
    if mainBusySince < 0 { return }
    let busy = kernel.now - mainBusySince
    let culprit = mainWatch.culprit(at: kernel.now, since: mainBusySince)
    let wait = longestMainWait()
    mainBusySince = -1
    kernel.forgetMainWait()
    let frame = kernel.threads[mainThread].frame
    if frame >= 0 && frames.isNative(frame) && frames.activity(frame) == .dispatchMain {
      mainWatch.ownCode = FindingText.mainQueue
    }
    let isApp = kernel.machine.isDarwin && !program.mainIsTool
    if busy < 250_000_000 || !isApp { return }
    var parts: [String] = []
    if let culprit {
      let handler = description(of: culprit.callOut)
      parts.append(FindingText.hangInHandler(handler, took: Nanoseconds(culprit.time)))
    }
    if let wait, wait.length * 2 >= busy { parts.append(description(of: wait)) }
    kernel.report(
      .mainThreadHang, thread: mainThread,
      places: [culprit?.callOut.place ?? -1, wait?.place ?? kernel.threads[mainThread].place],
      FindingText.mainThreadHang(busy: Nanoseconds(busy), parts: parts))
  }

  /// The longest wait of the main thread since it last could answer; it may go on.
  private func longestMainWait() -> MainWait? {
    let record = kernel.threads.at(mainThread)
    let (state, reason) = (record.pointee.state, record.pointee.reason)
    let ended = kernel.mainWait
    if state != .waiting || reason == .runLoop && record.pointee.waitObject < 0 { return ended }
    let present = MainWait(record, name: kernel.mainWaitName, until: kernel.now)
    var all = present
    if let ended, all.merge(ended) { return all }
    return (ended?.length ?? 0) > present.length ? ended : present
  }

  /// What an explanation says of a wait of the main thread.
  private func description(of wait: MainWait) -> String {
    let length = Nanoseconds(wait.length)
    let purpose: String
    switch wait.reason {
    case .sleep: return FindingText.hangAsleep(length)
    case .runLoop: return FindingText.hangInLoop(length)
    case .lock: purpose = FindingText.purposeLock(kernel.text(wait.name))
    case .condition: purpose = FindingText.purposeCondition(kernel.text(wait.name))
    case .semaphore: purpose = FindingText.purposeSemaphore(kernel.text(wait.name))
    case .accelerator: purpose = FindingText.purposeAccelerator(kernel.text(wait.name))
    case .group: purpose = FindingText.purposeGroup(kernel.text(wait.name))
    case .join: purpose = FindingText.purposeEnd(of: kernel.name(of: wait.object))
    case .perform: purpose = FindingText.purposePerform(by: kernel.name(of: wait.object))
    case .io: purpose = FindingText.purposeInput
    case .sync: purpose = FindingText.purposeSync
    case .workItem: purpose = FindingText.purposeWorkItem
    case .apply: purpose = FindingText.purposeIterations
    case .once: purpose = FindingText.purposeOnce
    case .operation, .operations: purpose = FindingText.purposeOperations
    case .addressSpace: purpose = FindingText.purposeAddressSpace
    case .stackList: purpose = FindingText.purposeStackList
    case .idleWorker, .job: purpose = FindingText.purposeUnknown
    }
    return FindingText.hangInWait(length, purpose: purpose)
  }

  /// What an explanation says of a handler.
  func description(of callOut: CallOut) -> String {
    if callOut.name < 0 { return "\(callOut.what)" }
    return FindingText.handler(
      of: callOut.what, name: kernel.text(callOut.name))
  }
}
