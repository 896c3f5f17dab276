import SpindleModel

/// What code does that runs on no thread: the top of a trace, the world outside, and what says whether an operation is
/// ready.
extension Interpreter {
  /// A lock that the top of a trace has taken, where, and how often.
  struct TopLock {
    var lock: Int64
    var place: Int32
    var depth = 1
  }

  /// Work on no thread.
  @inline(never)
  mutating func refuseWork(_ counter: Int) -> Pause {
    process.refuseWithoutThread("work", at: Int32(truncatingIfNeeded: counter))
    return .stopped
  }

  /// What becomes of a call that needs a thread where it can go on without one; nil where it can't.
  mutating func passes(_ primitive: Primitive, _ call: Call) -> CallResult? {
    switch process.outside {
    case .top:
      if primitive == .lock(.lock) { return lockAtTop(call) }
      return primitive == .lock(.unlock) ? unlockAtTop(call) : nil
    case .world: return nil
    case .question:
      if primitive == .lock(.lock) { return lookBehindLock(call) }
      if primitive == .queue(.syncEnter) { return lookBehindQueue(call) }
      return primitive == .lock(.unlock) || primitive == .queue(.syncLeave) ? .next : nil
    }
  }

  // MARK: The top

  /// There is nobody yet whom a lock would keep out: it is noted that it is taken.
  private mutating func lockAtTop(_ call: Call) -> CallResult {
    demand(process.mainThread.isNone || process.kernel.now == 0, "the top runs behind the start")
    let lock = process.argument(0, call)
    guard let taken = topLocks.firstIndex(where: { $0.lock == lock }) else {
      topLocks.append(TopLock(lock: lock, place: Int32(truncatingIfNeeded: call.counter)))
      return .next
    }
    guard locks.locks[LockRecord.Index(register: lock)].lockClass == .recursive else {
      return process.crash(
        "the top of a trace has '\(name(ofLock: lock))' already, and would wait here for itself",
        call)
    }
    topLocks[taken].depth += 1
    return .next
  }

  private mutating func unlockAtTop(_ call: Call) -> CallResult {
    let lock = process.argument(0, call)
    guard let taken = topLocks.firstIndex(where: { $0.lock == lock }) else { return .next }
    demand(topLocks[taken].depth > 0, "the top has lock \(lock) and has not taken it")
    topLocks[taken].depth -= 1
    if topLocks[taken].depth == 0 { topLocks.remove(at: taken) }
    return .next
  }

  /// Ends the run where the top has a lock behind its last line: no thread could ever let go of that.
  mutating func judgeTopLocks() {
    demand(process.outside == .world, "the top is not over, and its locks are judged")
    guard process.outcome == nil, let taken = topLocks.first else { return }
    process.crash(
      "the top of a trace takes '\(name(ofLock: taken.lock))' and never lets go of it: take it in 'main'",
      .none,
      at: taken.place)
  }

  private func name(ofLock register: Int64) -> String {
    locks.name(LockRecord.Index(register: register), process.kernel)
  }

  // MARK: Readiness

  /// Who asks whether an operation is ready looks at what a lock guards without waiting for it.
  private mutating func lookBehindLock(_ call: Call) -> CallResult {
    assert(call.thread.isNone, "thread \(call.thread.index) looks behind a lock")
    let lock = process.argument(0, call)
    let record = locks.locks[LockRecord.Index(register: lock)]
    guard !process.asker.isNone, record.owner == process.asker, record.lockClass != .recursive
    else {
      return .next
    }
    return waitsForItself(name(ofLock: lock), call)
  }

  /// The same of what a queue guards.
  private mutating func lookBehindQueue(_ call: Call) -> CallResult {
    assert(call.thread.isNone, "thread \(call.thread.index) looks behind a queue")
    let queue = process.queue(0, call)
    let isMain = dispatch.queues[queue].kind == .main && process.asker == process.mainThread
    guard !process.asker.isNone, isMain || dispatch.queues[queue].owner == process.asker else {
      return .next
    }
    return waitsForItself(dispatch.name(queue, process.kernel), call)
  }

  /// The thread in whose code an operation is asked has what the answer depends on.
  private mutating func waitsForItself(_ name: String, _ call: Call) -> CallResult {
    process.crash(
      "'\(process.kernel.name(of: process.asker))' has '\(name)' while it says that 'isReady' changes, and would wait "
        + "here for itself: say it behind that", call)
  }
}
