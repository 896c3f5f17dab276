import SpindleModel

/// What a thread waits for, as reports say it.
struct WaitDescription {
  /// What it waits for, as it is called; empty for what has no name.
  var object = ""
  /// The thread that has it; -1 when nobody in particular does.
  var holder: Int32 = -1
  /// All threads that have a part of it, where there may be many.
  var holders: [Int32] = []
  /// Where the holder took it; -1 where that says nothing.
  var takenAt: Int32 = -1
  /// To whom it lends its priority; -1 for nobody.
  var heir: Int32 = -1
  /// One sentence on the thread; empty unless it was asked for.
  var sentence = ""
}

/// All that depends on why a thread waits: here each reason stands once for what is said of it and
/// who inherits the priority, and once for what ends it when its time is over.
///
/// What the log says of a reason, and whether it can deadlock, is in its `WaitFacts`.
extension Interpreter {
  /// What a waiting thread waits for.
  ///
  /// The sentence costs more than the rest: it is made where it is asked for. It names who has what a
  /// group or a work item needs only where an edge of the wait-for graph says who that is.
  func describe(
    _ thread: Int32, inWords: Bool = false, as known: WaitGraph.Edge? = nil
  ) -> WaitDescription {
    let record = process.kernel.threads[thread]
    let object = record.waitObject
    let who = inWords ? dispatch.described(thread, process) : ""
    var wait = WaitDescription()
    switch record.reason {
    case .lock:
      let index = LockRecord.Index(object)
      let lock = locks.locks[index]
      (wait.object, wait.takenAt) = (locks.name(index, process.kernel), lock.takenAt)
      wait.holder = lock.keptBy < 0 ? lock.owner : -1
      wait.heir = lock.turnstile < 0 ? -1 : lock.owner
      if inWords { wait.sentence = lockSentence(who, lock, wait) }
    case .condition:
      wait.object = locks.name(LockRecord.Index(object), process.kernel)
      if inWords { wait.sentence = FindingText.waitsForCondition(who, condition: wait.object) }
    case .semaphore:
      wait.object = process.kernel.text(semaphores.semaphores[SemaphoreRuntime.Index(object)].name)
      if inWords { wait.sentence = FindingText.waitsForSemaphore(who, semaphore: wait.object) }
    case .group:
      let group = dispatch.groups.groups[object]
      (wait.object, wait.takenAt) = (process.kernel.text(group.name), group.enteredAt)
      if inWords {
        wait.sentence = dispatch.groupSentence(known ?? edge(thread, wait), who, process)
      }
    case .sync, .workItem, .apply, .once:
      (wait.object, wait.holder, wait.takenAt) = dispatch.queueEdge(record.reason, object, process)
      wait.heir = heir(record.reason, object)
      if inWords {
        wait.sentence = dispatch.queueSentence(known ?? edge(thread, wait), who, process)
      }
    case .operation, .operations:
      (wait.object, wait.holders) = operations.waitedOperation(thread, dispatch, process)
      wait.holder = wait.holders.first ?? -1
      if inWords {
        wait.sentence = operations.sentence(
          operationEdge: edge(thread, wait), who, dispatch, process)
      }
    case .join:
      (wait.object, wait.holder) = (process.kernel.name(of: object), object)
      if inWords {
        wait.sentence = FindingText.waitsForThread(
          who, thread: wait.object, sleepsIn: runLoops.sleep(of: edge(thread, wait), process))
      }
    case .perform:
      (wait.object, wait.holder) = (process.kernel.name(of: object), object)
      if inWords {
        wait.sentence = runLoops.sentence(performEdge: edge(thread, wait), who, process)
      }
    case .io, .sleep, .runLoop, .idleWorker:
      if inWords { wait.sentence = FindingText.waits(who) }
    }
    return wait
  }

  /// The edge of the wait-for graph that a thread is.
  func edge(_ thread: Int32, _ wait: WaitDescription) -> WaitGraph.Edge {
    let record = process.kernel.threads[thread]
    return WaitGraph.Edge(
      thread: thread, reason: record.reason, object: wait.object, holder: wait.holder,
      place: record.place, takenAt: wait.takenAt,
      others: wait.holders.dropFirst().map { WaitGraph.Holder(thread: $0) })
  }

  private func lockSentence(_ who: String, _ lock: LockRecord, _ wait: WaitDescription) -> String {
    if lock.keptBy >= 0 {
      return FindingText.waitsForKeptLock(
        who, lock: wait.object, keeper: process.kernel.text(lock.keptBy))
    }
    if wait.holder < 0 { return FindingText.waitsForReaders(who, lock: wait.object) }
    return FindingText.waitsForLock(
      who, lock: wait.object, owner: process.kernel.name(of: wait.holder),
      hasEnded: process.kernel.threads[wait.holder].state == .finished)
  }

  /// A thread's sleep ends, or the limit of its wait is reached.
  mutating func endWait(_ thread: Int32) {
    let object = process.kernel.threads[thread].waitObject
    switch process.kernel.threads[thread].reason {
    case .sleep, .io: process.kernel.wake(thread, .granted, by: -1)
    case .lock: locks.timeOut(LockRecord.Index(object), thread, &process.kernel)
    case .condition: locks.signalTimeOut(LockRecord.Index(object), thread, &process.kernel)
    case .semaphore: semaphores.timeOut(SemaphoreRuntime.Index(object), thread, &process.kernel)
    case .group: dispatch.groups.timeOut(object, thread, &process.kernel)
    case .join: threads.timeOut(object, thread, &process.kernel)
    case .workItem: dispatch.workItemTimedOut(object, thread, &process)
    case .runLoop: runLoops.sleepEnds(thread, &process.kernel)
    case .idleWorker, .operation, .operations, .sync, .apply, .once, .perform:
      fatalError("a wait of this kind has no limit")
    }
  }
}
