import SpindleModel

/// The app's life and the machine's sleep.
extension Interpreter {
  mutating func app(_ primitive: AppPrimitive, _ call: Call) -> CallResult {
    switch primitive {
    case .enterBackground: enterBackground(call)
    case .enterForeground: enterForeground(call)
    case .beginBackgroundTask: beginBackgroundTask(call)
    case .endBackgroundTask: endBackgroundTask(call)
    case .machineSleep: return sleepMachine(call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: AppPrimitive) -> Int64 {
    switch primitive {
    case .enterBackground, .enterForeground, .beginBackgroundTask, .endBackgroundTask,
      .machineSleep:
      0
    }
  }

  // MARK: The screen and the background

  /// Whether the system limits what an app does in the background.
  private var hasBackgroundLimits: Bool { process.kernel.machine.platform == .iOS }

  private mutating func enterBackground(_ call: Call) {
    if life.isInBackground { return }
    life.isInBackground = true
    (life.leftScreen, life.leftAt) = (
      process.kernel.uptime, Int32(truncatingIfNeeded: call.counter)
    )
    note(.enteredBackground, call.thread)
    limitBackgroundTime()
  }

  private mutating func enterForeground(_ call: Call) {
    if !life.isInBackground { return }
    (life.isInBackground, life.isExpiring, life.expiringTask) = (false, false, nil)
    process.kernel.cancel(chore: life.chore)
    note(.enteredForeground, call.thread)
    if !process.kernel.hold.isSuspended { return }
    process.kernel.hold.isSuspended = false
    note(.resumed, call.thread)
  }

  private mutating func beginBackgroundTask(_ call: Call) {
    let handler = process.handler(0, call) ?? Handler()
    let task = life.tasks.append(BackgroundTaskRecord(handler: handler))
    life.openTasks += 1
    note(.taskBegan, call.thread)
    limitBackgroundTime()
    process.give(Int64(task), call)
  }

  /// Ends a task; without one, that whose expiration handler this is, or that which was begun last.
  ///
  /// One that has ended already is ignored.
  private mutating func endBackgroundTask(_ call: Call) {
    let own = call.thread == process.mainThread ? life.expiringTask : nil
    guard
      let task = process.argument(0, call) == noValue
        ? own ?? life.newestTask : process.object(0, call),
      life.end(task: task)
    else { return }
    process.discard(life.tasks[task].handler)
    life.tasks[task].handler = Handler()
    note(.taskEnded, call.thread)
    if life.openTasks == 0 { limitBackgroundTime() }
  }

  /// Notes when the time in the background is over, as the tasks are now.
  ///
  /// Housekeeping: an app that has nothing to do any more need not wait for it.
  private mutating func limitBackgroundTime() {
    if !hasBackgroundLimits || !life.isInBackground || life.isExpiring { return }
    process.kernel.cancel(chore: life.chore)
    let limit = life.leftScreen + AppLife.taskLimit - process.kernel.uptime
    let left = life.openTasks > 0 ? limit : AppLife.grace
    life.chore = process.kernel.addChore(.backgroundLimit, 0, at: process.kernel.now + max(0, left))
  }

  private mutating func note(_ turn: AppTurn, _ thread: Int32) {
    process.kernel.record(.appTurned, thread: thread, detail: turn.rawValue)
  }

  // MARK: When the time is over

  /// The time in the background is over: `isLast` says that the expiration handlers had theirs.
  mutating func backgroundTimeIsOver(isLast: Bool) {
    if !life.isInBackground || isLast && !life.isExpiring { return }
    if isLast {
      killApp("its expiration handlers did not return within 5 s")
    } else if life.openTasks > 0 {
      expireTasks()
    } else if let worker = threadAtWork() {
      killApp(
        "5 s after it had no background task any more '\(process.kernel.name(of: worker))' was still at work"
      )
    } else if isTransferring {
      killApp("5 s after it had no background task any more input or output was still going on")
    } else {
      process.kernel.hold.isSuspended = true
      note(.suspended, -1)
    }
  }

  private mutating func killApp(_ reason: String) {
    let place = life.leftAt < 0 ? nil : process.program.places[Int(life.leftAt)]
    process.outcome = Outcome(
      .killed, message: "The app's time in the background is over: \(reason)", place: place)
  }

  /// A thread that does something, or waits for a moment or a device; nil when none does.
  ///
  /// Who waits for another thread is not counted: that one is, if it is at work.
  private func threadAtWork() -> Int32? {
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      switch record.state {
      case .running, .ready: return thread
      case .waiting: if record.reason == .io || record.reason == .sleep { return thread }
      case .created, .finished: break
      }
    }
    return nil
  }

  /// Whether input or output goes on that holds no thread.
  private var isTransferring: Bool {
    for plan in 0..<Int32(process.kernel.plans.count) {
      let record = process.kernel.plans[plan]
      if record.event != 0 && record.isWorld && record.kind == .submitItem { return true }
    }
    return false
  }

  /// Has the expiration handlers of all tasks called on the main queue, and after them judges.
  private mutating func expireTasks() {
    life.isExpiring = true
    note(.timeExpired, -1)
    for task in 0..<Int32(life.tasks.count) where !life.tasks[task].isEnded {
      if life.tasks[task].handler.isSet { submitExpiration(task) }
    }
    submitExpiration(-1)
    life.chore = process.kernel.addChore(
      .backgroundLimit, 1, at: process.kernel.now + AppLife.grace)
  }

  private mutating func submitExpiration(_ task: Int32) {
    submit(
      DispatchItem(kind: .expiration, queue: DispatchRuntime.mainQueue, object: task), by: -1)
  }

  /// The main thread calls a task's expiration handler, or comes to the end of them all.
  ///
  /// Whoever has not ended its tasks by then is killed.
  mutating func beginExpiration(_ task: Int32, _ thread: Int32) {
    if !life.isExpiring { return }
    life.expiringTask = nil
    if task >= 0 {
      if life.tasks[task].isEnded { return }
      life.expiringTask = task
      var handler = life.tasks[task].handler
      process.enter(&handler, on: thread)
      life.tasks[task].handler = handler
      return
    }
    life.isExpiring = false
    process.kernel.cancel(chore: life.chore)
    if life.openTasks > 0 {
      killApp("10 min after it left the screen a background task was not ended")
    } else {
      limitBackgroundTime()
    }
  }

  // MARK: The machine's sleep

  /// The machine sleeps; a thread that asks for it goes on when the machine wakes.
  private mutating func sleepMachine(_ call: Call) -> CallResult {
    let duration = process.argument(0, call)
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: a machine's sleep \(fault)", call)
    }
    if duration == 0 { return .next }
    process.kernel.record(
      .machineSlept, thread: call.thread, place: Int32(truncatingIfNeeded: call.counter),
      value: duration)
    // Everything that is due is moved.
    process.stepsLeft &-= Int64(process.kernel.queue.count)
    process.kernel.fallAsleep(for: duration)
    if call.thread < 0 { return .next }
    process.kernel.block(call.thread, .sleep, until: process.kernel.now)
    return .leftAndDone
  }

  /// The machine wakes: whoever has a core goes on with what is left of its work.
  mutating func machineWakes() {
    let length = process.kernel.wakeUp()
    process.kernel.record(.machineWoke, thread: -1)
    if process.mainBusySince >= 0 { process.mainBusySince += length }
    shiftRunLoops(by: length)
    for core in 0..<Int32(process.kernel.cores.count) where process.kernel.cores[core].thread >= 0 {
      if process.outcome == nil { resume(on: core) }
    }
  }
}
