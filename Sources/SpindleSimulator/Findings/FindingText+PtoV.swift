import SpindleModel

/// The wordings from P to V.
extension FindingText {
  static let performedBlock: StaticString = "a performed block"
  static func performInSilence(_ silence: String) -> String {
    "\(silence): what it was asked to perform is never done"
  }
  static func poolExhaustion(
    workers: Int, waits: [String], items: Int, queue: String
  ) -> String {
    let more = workers > waits.count ? ", and \(workers - waits.count) more like them" : ""
    return "all \(workers) workers that the pool may have wait: "
      + "\(waits.joined(separator: ", "))\(more); \(items) more item\(items == 1 ? "" : "s"), "
      + "first of '\(queue)', would need a worker to begin"
  }
  static func poolStarved(waiting: Int, _ priority: String, _ blocked: [String]) -> String {
    let tasks = waiting == 1 ? "1 task" : "\(waiting) tasks"
    let verb = waiting == 1 ? "waits" : "wait"
    // Tasks without names of their own that wait for the same are told once.
    var waits: [String] = []
    for (index, wait) in blocked.enumerated() where blocked.firstIndex(of: wait) == index {
      let count = blocked.count { $0 == wait }
      waits.append(count == 1 ? wait : "\(wait) (\(count) of them)")
    }
    return
      "\(tasks) of priority \(priority), ready to run, \(verb) for a thread of the pool, and all of its threads "
      + "wait: \(waits.joined(separator: ", "))"
  }
  static let port: StaticString = "port"
  static func priorityInversion(
    _ thread: String, waited: Nanoseconds, lock: String, owner: String, lost: Nanoseconds
  ) -> String {
    "'\(thread)' waited \(waited) for '\(lock)', "
      + "whose owner '\(owner)' is less urgent and got no core for \(lost)"
  }
  static func priorityInversionOnActor(
    _ task: String, _ priority: String, waited: Nanoseconds, actor: String, holder: String,
    _ low: String
  ) -> String {
    "'\(task)', of priority \(priority), stood in line for \(actor) for \(waited), behind "
      + "'\(holder)', whose own is \(low)"
  }
  static func purposeAccelerator(_ accelerator: String) -> String {
    "for accelerator '\(accelerator)'"
  }
  static let purposeAddressSpace = "for the address space"
  static func purposeCondition(_ condition: String) -> String {
    "for a signal of condition '\(condition)'"
  }
  static func purposeEnd(of thread: String) -> String { "for the end of '\(thread)'" }
  static func purposeGroup(_ group: String) -> String { "for group '\(group)'" }
  static let purposeInput = "for an input or output"
  static let purposeIterations = "for the other iterations of a concurrentPerform"
  static func purposeLock(_ lock: String) -> String { "for lock '\(lock)'" }
  static func purposeOnce(_ once: String) -> String { "for the block of '\(once)'" }
  static func purposeOperation(_ operation: String) -> String { "for operation '\(operation)'" }
  static func purposeOperations(of queue: String, count: Int, first: String?) -> String {
    let begin = first.map { count == 1 ? " '\($0)'" : ", first '\($0)'" } ?? ""
    return count == 1
      ? "for operation\(begin) of '\(queue)'" : "for the \(count) operations of '\(queue)'\(begin)"
  }
  static func purposePerform(by thread: String) -> String {
    "until '\(thread)' had performed what it asked for"
  }
  static func purposeSemaphore(_ semaphore: String) -> String {
    "for a signal of semaphore '\(semaphore)'"
  }
  static let purposeStackList = "for the list of stacks"
  static func purposeSync(_ queue: String, line: String) -> String {
    "in sync for queue '\(queue)'\(line)"
  }
  static let purposeUnknown = "for something"
  static func purposeWorkItem(_ item: String) -> String {
    item.isEmpty ? "for a work item" : "for work item '\(item)'"
  }
  static func readinessAsksItself(_ operation: String, by others: [String]) -> String {
    let way = others.isEmpty ? "" : " by way of " + others.map { "'\($0)'" }.joined(separator: ", ")
    return
      "what '\(operation)' is asked with reads or announces isReady, which asks it again\(way), "
      + "until the stack is used up"
  }
  static func readinessNotAnnounced(_ operation: String, queue: String) -> String {
    "operation '\(operation)' would be ready, but '\(queue)' was not told: "
      + "didChangeValue(forKey: \"isReady\") is missing"
  }
  static func readinessTooDeep(_ operation: String, depth: Int) -> String {
    "'\(operation)' is asked whether it is ready while \(depth - 1) others are, each by the one before"
  }
  static func realtimeComputation(_ computation: Nanoseconds) -> String {
    "a computation of \(computation) is not from 50us to 50ms (KERN_INVALID_ARGUMENT)"
  }
  static func realtimeConstraint(_ constraint: Nanoseconds, computation: Nanoseconds) -> String {
    "a constraint of \(constraint) is shorter than the computation of \(computation) "
      + "(KERN_INVALID_ARGUMENT)"
  }
  static func realtimeRefused(_ thread: String, reason: String) -> String {
    "'\(thread)' does not become a real-time thread: \(reason)"
  }
  static let realtimeWorker =
    "a worker of the dispatch queues can't become one (KERN_POLICY_STATIC)"
  static func semaphoreInversion(
    _ thread: String, waited: Nanoseconds, semaphore: String, signaller: String, lost: Nanoseconds
  ) -> String {
    "'\(thread)' waited \(waited) for a signal of '\(semaphore)' by '\(signaller)', which is less "
      + "urgent and stood without a core for \(lost) of it: a semaphore has no owner that could be "
      + "made more urgent"
  }
  static func signalledAsleep(_ source: String, loopOf thread: String) -> String {
    "source '\(source)' was signalled while the loop of '\(thread)' slept, and nobody woke the loop"
  }
  static func signalledLate(
    _ source: String, loopOf thread: String, late: Nanoseconds
  ) -> String {
    signalledAsleep(source, loopOf: thread)
      + " for it: it is performed \(late) late; CFRunLoopWakeUp must follow the signal"
  }
  static func signalledNotWoken(_ source: String, loopOf thread: String) -> String {
    signalledAsleep(source, loopOf: thread) + ": CFRunLoopWakeUp must follow the signal"
  }
  static func silentTimer(_ timer: String) -> String {
    "timer source '\(timer)' goes with its last reference before it has fired, and falls silent: "
      + "keep it in a property, or at the top"
  }
  static let source: StaticString = "source"
  static func sourceInSilence(_ silence: String, source: String) -> String {
    "\(silence): source '\(source)' is never performed"
  }
  static func sourceWithoutLoop(_ source: String) -> String {
    "source '\(source)' was signalled and is in no run loop"
  }
  static func spinningOnEmptyLoop(_ thread: String, mode: String) -> String {
    "'\(thread)' ran its loop 100 times without once waiting: nothing is in mode '\(mode)', so each "
      + "run returns at once; a port or a timer would keep it asleep"
  }
  static func spinningOnPastLimit(_ thread: String, mode: String) -> String {
    "'\(thread)' ran its loop 100 times without once waiting: each run in mode '\(mode)' has no "
      + "time, so it returns at once; a limit in the future would let it sleep"
  }
  static let stackIsLarge = "it is over 1GB, so it is cut to that"
  static let stackIsSmall = "it is under 16KB, so it is ignored"
  static let stackIsUneven = "it is not a multiple of 4KB, so it is ignored"
  static func stackSizeOfExecutor(_ executor: String, asked: ByteCount, reason: String) -> String {
    "stacks of \(asked) were asked for '\(executor)': \(reason)"
  }
  static func stackSizeOfThread(_ thread: String, asked: ByteCount, reason: String) -> String {
    "a stack of \(asked) was asked for '\(thread)': \(reason)"
  }
  static func stackSizeTooLate(_ thread: String) -> String {
    "the stack size of '\(thread)' was set after it was started, so it is ignored"
  }
  static let standingAlone = "which is in no queue and was not started"
  static func standingAndSoOn(_ clause: String) -> String { "and so on, down to one \(clause)" }
  static func standingBehind(_ operation: String) -> String { "which waits for '\(operation)'" }
  static func standingBehindPlace(of operation: String, in queue: String) -> String {
    "which waits for a place in '\(queue)' that '\(operation)' has"
  }
  static let standingForMain = "which only the main thread can run"
  static func standingInClosed(_ queue: String) -> String {
    "which is in '\(queue)', and that may start none"
  }
  static func standingInSuspended(_ queue: String) -> String {
    "which is in '\(queue)', and that is suspended"
  }
  static func standingOnThread(_ thread: String) -> String { "which '\(thread)' runs" }
  static func standingUnready(in queue: String) -> String {
    "which is in '\(queue)' and is not ready"
  }
  static func standingUnreported(isFirst: Bool) -> String {
    isFirst ? "which never reported that it is" : "which never reported its end"
  }
  static func standingUnstarted(in queue: String) -> String {
    "which is in '\(queue)' and does not start"
  }
  static func standingUntaken(in queue: String, behind barrier: String) -> String {
    "which can't begin before barrier '\(barrier)' of '\(queue)' has ended"
  }
  static func standingUntaken(inQueue queue: String, of runner: String) -> String {
    "which waits in queue '\(queue)', which \(runner) has"
  }
  static let standingUntaken = "which no thread has taken yet"
  static func startedBeforeReady(_ operation: String, open dependency: String?) -> String {
    "'\(operation)' was started by hand before it was ready"
      + (dependency.map { ": '\($0)' has not finished" } ?? "")
  }
  static func startedInQueue(_ operation: String, queue: String) -> String {
    "'\(operation)' was started by hand when it was in '\(queue)', which starts it"
  }
  static func startedWhileRunning(_ operation: String) -> String {
    "'\(operation)' was started when it was running already"
  }
  static func startedWhileStarting(_ operation: String) -> String {
    "'\(operation)' was started by hand when it was being started already"
  }
  static func starvation(_ thread: String, waited: Nanoseconds) -> String {
    "'\(thread)' was ready for \(waited) and got no core"
  }
  static func syncOnOwnQueue(_ thread: String, runs queue: String, asked: String?) -> String {
    "'\(thread)' runs on queue '\(queue)' and calls sync on "
      + (asked.map { "'\($0)', whose target it is" } ?? "it") + ": it would wait for itself"
  }
  static func taskOutlivesScope(_ task: String, state: String) -> String {
    "the async main has returned, which ends the process, and '\(task)' \(state)"
  }
  static func thread(_ name: String, runs item: String?) -> String {
    item.map { "'\(name)' in '\($0)'" } ?? "'\(name)'"
  }
  static func threadExplosion(threads: Int, cores: Int) -> String {
    "\(threads) threads are alive on \(cores) cores; each holds a stack, and no more of them can run "
      + "than there are cores"
  }
  static func threadLimit(threads: Int) -> String {
    "the process has \(threads) threads, as many as the system lets it have"
  }
  static let timer: StaticString = "timer"
  static func timerInSilence(_ silence: String, timer: String) -> String {
    "\(silence): \(timer) never fires"
  }
  static func timerOf(_ name: String?) -> String {
    name.map { "timer '\($0)'" } ?? "the delayed perform"
  }
  static func timerWithoutLoop(_ timer: String) -> String {
    "\(timer) was made and never added to a run loop: it never fires"
  }
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
  static func unbalancedGroup(_ group: String, entered count: Int) -> String {
    "group '\(group)' was entered \(times(count)) more often than left"
  }
  static func unbalancedLeave(_ group: String) -> String {
    "group '\(group)' is left once more than it was entered"
  }
  static func unboundedTasks(count: Int) -> String {
    "\(count) tasks are alive at once, and nothing limits how many there will be"
  }
  static func underlyingQueueChanged(_ queue: String, holding operation: String) -> String {
    "'\(queue)' was given another dispatch queue while '\(operation)' was in it"
  }
  static func unknownBurst(policy: String, _ thread: String, _ reason: String) -> String {
    "policy '\(policy)' must know how long '\(thread)' will compute, and \(reason)"
  }
  static func unlockOfFree(_ thread: String, lock: String) -> String {
    "'\(thread)' unlocked '\(lock)', which is free"
  }
  static func unlockOfOther(
    _ thread: String, lock: String, owner: String, isFreed: Bool, onLinux: Bool
  ) -> String {
    let freed = onLinux ? "on Linux it is free now" : "it is free now"
    return "'\(thread)' tried to unlock '\(lock)', which belongs to '\(owner)': "
      + (isFreed ? freed : "it stays locked")
  }
  static func unlockOfReaders(_ thread: String, lock: String) -> String {
    "'\(thread)' unlocked '\(lock)', which readers have and it has not: one of them has it no more"
  }
}
