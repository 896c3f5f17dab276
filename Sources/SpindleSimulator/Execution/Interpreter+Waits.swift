import SpindleModel

/// What a thread waits for, as reports say it.
struct WaitDescription {
  /// What it waits for, as it is called; empty for what has no name.
  var object = ""
  /// The thread that has it; none when nobody in particular does.
  var holder = ThreadID.none
  /// All threads that have a part of it, where there may be many.
  var holders: [ThreadID] = []
  /// Where the holder took it; -1 where that says nothing.
  var takenAt: Int32 = -1
  /// To whom it lends its priority, or none.
  var heir = ThreadID.none
  /// One sentence on the thread; empty unless it was asked for.
  var sentence: FindingStatement = ""
}

/// All that depends on why a thread waits: here each reason stands once for what is said of it and
/// who inherits the priority, and once for what ends it when its time is over.
///
/// What the log says of a reason, and whether it can deadlock, is in its `WaitFacts`.
extension Interpreter {
  /// What a waiting thread waits for.
  ///
  /// The sentence costs more than the rest: it is made where it is asked for. It names who has what a
  /// group or a work item needs only where an edge of the wait-for graph says who that is. The thread is
  /// called what it is unless it is given a name.
  func describe(
    _ thread: ThreadID, inWords: Bool = false, called given: FindingStatement? = nil,
    as known: WaitGraph.Edge? = nil
  ) -> WaitDescription {
    let record = process.kernel.threads[thread]
    let object = record.waitObject
    assert(
      record.state == .waiting, "thread \(thread.index) does not wait, and it is said for what")
    let who: FindingStatement = inWords ? given ?? described(thread) : ""
    var wait = WaitDescription()
    switch record.reason {
    case .lock:
      describe(LockRecord.Index(object), thread, who, known, &wait)
    case .condition, .semaphore, .group: describe(unowned: thread, who, known, &wait)
    case .sync: describe(DispatchSyncRecord.Index(object), thread, who, known, &wait)
    case .workItem: describe(WorkItemRecord.Index(object), thread, who, known, &wait)
    case .once: describe(OnceRecord.Index(object), who, &wait)
    case .taskStatus: describe(statusOf: .init(object), who, &wait)
    case .apply:
      if inWords { wait.sentence = FindingText.waitsForIterations(who) }
    case .operation, .operations:
      (wait.object, wait.holders) = operations.waitedOperation(thread, dispatch, process)
      wait.holder = wait.holders.first ?? .none
      if inWords {
        wait.sentence = operations.sentence(
          operationEdge: edge(thread, wait), who, dispatch, process)
        wait.sentence += FindingText.wouldBe("reported", "reports", enders(of: known))
      }
    case .join:
      (wait.object, wait.holder) = (process.kernel.name(of: ThreadID(object)), ThreadID(object))
      if inWords {
        wait.sentence = FindingText.waitsForThread(
          who, thread: wait.object,
          isStarted: process.kernel.threads[ThreadID(object)].state != .created,
          sleepsIn: runLoops.sleep(of: edge(thread, wait), process))
        wait.sentence += FindingText.wouldBe("started", "starts", enders(of: known))
      }
    case .perform:
      (wait.object, wait.holder) = (process.kernel.name(of: ThreadID(object)), ThreadID(object))
      if inWords {
        wait.sentence = runLoops.sentence(performEdge: edge(thread, wait), who, process)
      }
    case .accelerator:
      let device = accelerators.accelerators[.init(object)]
      wait.object = process.kernel.text(device.name)
      if inWords { wait.sentence = FindingText.waitsForAccelerator(who, accelerator: wait.object) }
    case .io, .sleep, .runLoop, .idleWorker, .job, .addressSpace, .stackList, .held:
      if inWords { wait.sentence = FindingText.waits(who, record.reason) }
    }
    return wait
  }

  /// What a thread waits for that waits for something without an owner; with the sentence where it is said who that is.
  private func describe(
    unowned thread: ThreadID, _ who: FindingStatement, _ known: WaitGraph.Edge?,
    _ wait: inout WaitDescription
  ) {
    let record = process.kernel.threads[thread]
    let object = record.waitObject
    if record.reason == .condition {
      wait.object = locks.name(LockRecord.Index(object), process.kernel)
      if who.isEmpty { return }
      wait.sentence = FindingText.waitsForCondition(
        who, condition: wait.object, enders(of: known))
    } else if record.reason == .semaphore {
      wait.object = process.kernel.text(semaphores.semaphores[SemaphoreRuntime.Index(object)].name)
      if who.isEmpty { return }
      wait.sentence = FindingText.waitsForSemaphore(
        who, semaphore: wait.object, taker: taker(of: .init(object)), enders(of: known))
    } else {
      let group = dispatch.groups.groups[.init(object)]
      (wait.object, wait.takenAt) = (process.kernel.text(group.name), group.enteredAt)
      if who.isEmpty { return }
      wait.sentence = dispatch.groupSentence(
        known ?? edge(thread, wait), who, enders(of: known), process)
    }
  }

  /// Who took a semaphore last that was free at first; nil where nobody did.
  private func taker(of semaphore: SemaphoreRuntime.Index) -> String? {
    let taker = semaphores.semaphores[semaphore].taker
    return taker.isNone ? nil : process.kernel.name(of: taker)
  }

  /// What a thread waits for that waits for the status lock of a task; with the sentence where it is said who that is.
  private func describe(
    statusOf task: TaskRecord.Index, _ who: FindingStatement, _ wait: inout WaitDescription
  ) {
    (wait.object, wait.holder, wait.takenAt) = concurrency.statusEdge(task, process)
    if who.isEmpty { return }
    let owner = wait.holder.isNone ? nil : process.kernel.name(of: wait.holder)
    wait.sentence = FindingText.waitsForStatus(who, task: wait.object, owner: owner)
  }

  /// What a thread waits for that waits for a lock; with the sentence on it where it is said who that is.
  ///
  /// Of readers, an edge of the wait-for graph says who they are.
  private func describe(
    _ index: LockRecord.Index, _ thread: ThreadID, _ who: FindingStatement,
    _ known: WaitGraph.Edge?,
    _ wait: inout WaitDescription
  ) {
    assert(
      process.kernel.threads[thread].reason == .lock,
      "thread \(thread.index) waits for lock \(index)")
    let lock = locks.locks[index]
    (wait.object, wait.takenAt) = (locks.name(index, process.kernel), lock.takenAt)
    wait.holder = lock.keptBy < 0 ? lock.owner : .none
    wait.heir = lock.turnstile.isNone ? .none : lock.owner
    if lock.readers > 0 {
      wait.holder = locks.writer(before: thread, at: index, process.kernel)
      if !wait.holder.isNone { wait.takenAt = process.kernel.threads[wait.holder].place }
    }
    if !who.isEmpty { wait.sentence = lockSentence(thread, who, index, wait, known) }
  }

  /// What a thread in `sync` waits for; with the sentence on it where it is said who that is.
  private func describe(
    _ sync: DispatchSyncRecord.Index, _ thread: ThreadID, _ who: FindingStatement,
    _ known: WaitGraph.Edge?,
    _ wait: inout WaitDescription
  ) {
    (wait.object, wait.holder, wait.takenAt) = dispatch.edge(sync, process)
    wait.heir = heir(ofQueue: dispatch.syncs[sync].level)
    if who.isEmpty { return }
    wait.sentence = dispatch.syncSentence(known ?? edge(thread, wait), who, process)
    let isInactive = dispatch.queues[dispatch.syncs[sync].level].isInactive
    wait.sentence += FindingText.wouldBe(
      isInactive ? "activated" : "resumed", isInactive ? "activates" : "resumes",
      enders(of: known))
  }

  /// The same of a thread that waits for a work item.
  private func describe(
    _ workItem: WorkItemRecord.Index, _ thread: ThreadID, _ who: FindingStatement,
    _ known: WaitGraph.Edge?,
    _ wait: inout WaitDescription
  ) {
    (wait.object, wait.holder, wait.takenAt) = dispatch.edge(workItem, process)
    if who.isEmpty { return }
    wait.sentence = dispatch.workItemSentence(known ?? edge(thread, wait), who, process)
    if !wait.holder.isNone || !(known?.holder ?? .none).isNone { return }
    let own = known?.enders?.first { $0.workItem == workItem.raw }
    wait.sentence +=
      own.map { FindingText.workItem(stands: clause(of: $0, waiter: .thread(thread))) }
      ?? FindingText.wouldBe("submitted", "submits", enders(of: known))
  }

  /// The same of a thread that waits until something has run once.
  private func describe(
    _ token: OnceRecord.Index, _ who: FindingStatement, _ wait: inout WaitDescription
  ) {
    (wait.object, wait.holder, wait.takenAt) = dispatch.edge(token, process)
    wait.heir = dispatch.onces[token].turnstile.isNone ? .none : wait.holder
    if who.isEmpty { return }
    let runner = process.kernel.name(of: wait.holder)
    wait.sentence = FindingText.waitsForOnce(who, once: wait.object, runner: runner)
  }

  /// The edge of the wait-for graph that a thread is.
  func edge(_ thread: ThreadID, _ wait: WaitDescription) -> WaitGraph.Edge {
    let record = process.kernel.threads[thread]
    return WaitGraph.Edge(
      thread: thread, reason: record.reason, object: wait.object, holder: wait.holder,
      place: record.place, takenAt: wait.takenAt,
      others: wait.holders.dropFirst().map { WaitGraph.Holder(thread: $0) })
  }

  private func lockSentence(
    _ thread: ThreadID, _ who: FindingStatement, _ index: LockRecord.Index, _ wait: WaitDescription,
    _ known: WaitGraph.Edge?
  ) -> FindingStatement {
    let (lock, called) = (locks.locks[index], called(index))
    if lock.keptBy >= 0 {
      return FindingText.waitsForKeptLock(
        who, lock: called, keeper: process.kernel.text(lock.keptBy))
    }
    if lock.readers > 0 {
      if !wait.holder.isNone {
        return FindingText.waitsBehindWriter(
          who, lock: called, writer: process.kernel.name(of: wait.holder))
      }
      guard let known, !known.holder.isNone else {
        return FindingText.waitsForReaders(who, lock: called)
      }
      return FindingText.waitsForReaders(
        who, lock: called, reader: process.kernel.name(of: known.holder),
        others: known.others.count)
    }
    if wait.holder.isNone {
      let wanted = process.kernel.threads[thread].waitValue
      return FindingText.waitsForFreeLock(
        who, lock: called,
        conditions: lock.lockClass == .conditionLock
          ? (wanted: Int(wanted), present: Int(lock.condition)) : nil)
        + FindingText.wouldBe("unlocked", "unlocks", enders(of: known))
    }
    if let edge = known, let task = leaver(before: edge) {
      let name = concurrency.name(task, process)
      return FindingText.waitsForLock(who, lock: called, leftBy: name)
    }
    let owner = process.kernel.threads[wait.holder]
    return FindingText.waitsForLock(
      who, lock: called, owner: process.kernel.name(of: wait.holder),
      hasEnded: owner.state == .finished,
      isIdle: owner.state == .waiting && owner.reason == .idleWorker)
  }

  /// A thread's sleep ends, or the limit of its wait is reached.
  mutating func endWait(_ thread: ThreadID) {
    if process.kernel.threads[thread].flags.contains(.inLine) {
      return process.kernel.lineIsBalanced(thread)
    }
    let object = process.kernel.threads[thread].waitObject
    if process.kernel.costs.timer > .zero {
      process.kernel.threads.at(thread).charge(process.kernel.costs.timer.rawValue)
    }
    switch process.kernel.threads[thread].reason {
    case .sleep, .io: process.kernel.wake(thread, .granted, by: .none)
    case .held: endDelay(thread)
    case .lock: locks.timeOut(LockRecord.Index(object), thread, &process.kernel)
    case .condition: locks.signalTimeOut(LockRecord.Index(object), thread, &process.kernel)
    case .semaphore: semaphores.timeOut(SemaphoreRuntime.Index(object), thread, &process.kernel)
    case .group: dispatch.groups.timeOut(.init(object), thread, &process.kernel)
    case .join: threads.timeOut(ThreadID(object), thread, &process.kernel)
    case .workItem: dispatch.workItemTimedOut(.init(object), thread, &process)
    case .runLoop: runLoops.sleepEnds(thread, &process.kernel)
    case .idleWorker, .operation, .operations, .sync, .apply, .once, .perform, .job, .accelerator,
      .addressSpace, .stackList, .taskStatus:
      fatalError("a wait of this kind has no limit")
    }
  }
}
