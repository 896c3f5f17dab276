import SpindleModel

/// The app's life and the machine's sleep.
extension AppLife {
  mutating func app(_ primitive: AppPrimitive, _ call: Call, _ process: inout Process) -> CallResult
  {
    switch primitive {
    case .enterBackground: enterBackground(call, &process)
    case .enterForeground: enterForeground(call, &process)
    case .beginBackgroundTask: beginBackgroundTask(call, &process)
    case .endBackgroundTask: endBackgroundTask(call, &process)
    case .machineSleep: return sleepMachine(call, &process)
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
  private func hasBackgroundLimits(_ process: borrowing Process) -> Bool {
    process.kernel.machine.platform == .iOS
  }

  private mutating func enterBackground(_ call: Call, _ process: inout Process) {
    if isInBackground { return }
    isInBackground = true
    (leftScreen, leftAt) = (
      process.kernel.uptime, Int32(truncatingIfNeeded: call.counter)
    )
    note(.enteredBackground, call.thread, &process)
    limitBackgroundTime(&process)
  }

  private mutating func enterForeground(_ call: Call, _ process: inout Process) {
    if !isInBackground { return }
    (isInBackground, isExpiring, expiringTask) = (false, false, nil)
    process.kernel.cancel(chore: chore)
    note(.enteredForeground, call.thread, &process)
    if !process.kernel.hold.isSuspended { return }
    demand(openTasks == 0, "the app was suspended with \(openTasks) background tasks open")
    process.kernel.setSuspended(false)
    note(.resumed, call.thread, &process)
  }

  private mutating func beginBackgroundTask(_ call: Call, _ process: inout Process) {
    let handler = process.handler(0, call) ?? Handler()
    let task = tasks.add(BackgroundTaskRecord(handler: handler))
    openTasks += 1
    note(.taskBegan, call.thread, &process)
    limitBackgroundTime(&process)
    process.give(task.register, call)
  }

  /// Ends a task; without one, that whose expiration handler this is, or that which was begun last.
  ///
  /// One that has ended already is ignored.
  private mutating func endBackgroundTask(_ call: Call, _ process: inout Process) {
    let own = call.thread == process.mainThread ? expiringTask : nil
    let named = process.argument(0, call)
    guard
      let task = named == noValue
        ? own ?? newestTask : BackgroundTaskRecord.Index(register: named),
      end(task: task)
    else { return }
    process.discard(tasks[task].handler)
    tasks[task].handler = Handler()
    note(.taskEnded, call.thread, &process)
    if openTasks == 0 { limitBackgroundTime(&process) }
  }

  /// Notes when the time in the background is over, as the tasks are now.
  ///
  /// Housekeeping: an app without background tasks that has nothing to do any more need not wait for it.
  private mutating func limitBackgroundTime(_ process: inout Process) {
    if !hasBackgroundLimits(process) || !isInBackground || isExpiring { return }
    process.kernel.cancel(chore: chore)
    demand(
      leftScreen <= process.kernel.uptime,
      "the app left the screen at \(leftScreen), and the machine is up for \(process.kernel.uptime)"
    )
    let limit = leftScreen + process.kernel.machine.backgroundTime - process.kernel.uptime
    let left = openTasks > 0 ? limit : AppLife.grace
    chore = process.kernel.addChore(.backgroundLimit, 0, at: process.kernel.now + max(0, left))
  }

  private mutating func note(_ turn: AppTurn, _ thread: ThreadID, _ process: inout Process) {
    process.kernel.record(.appTurned, thread: thread, detail: turn.rawValue)
  }

  // MARK: When the time is over

  /// Whether the end of the app's time in the background is to come though nothing else is: while a background task
  /// is open, the system's clock counts against the app.
  ///
  /// Source: Apple, UIApplication, beginBackgroundTask(expirationHandler:): a task that is not ended before its time is
  /// over has the system kill the app.
  func awaitsExpiration(_ process: borrowing Process) -> Bool {
    isInBackground && (openTasks > 0 || isExpiring) && hasBackgroundLimits(process)
  }

  /// The time in the background is over: `isLast` says that the expiration handlers had theirs.
  mutating func backgroundTimeIsOver(
    isLast: Bool, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    if !isInBackground || isLast && !isExpiring { return }
    if isLast {
      killApp(
        "its expiration handlers did not return within \(Nanoseconds(AppLife.grace))", &process)
    } else if openTasks > 0 {
      expireTasks(&dispatch, &process)
    } else if let worker = threadAtWork(process) {
      killApp(
        "\(Nanoseconds(AppLife.grace)) after it had no background task any more "
          + "'\(process.kernel.name(of: worker))' was still at work",
        &process)
    } else if isTransferring(process) {
      killApp(
        "\(Nanoseconds(AppLife.grace)) after it had no background task any more input or output was still going on",
        &process)
    } else {
      process.kernel.setSuspended(true)
      note(.suspended, .none, &process)
    }
  }

  private mutating func killApp(_ reason: String, _ process: inout Process) {
    demand(isInBackground, "the app is killed for its time in the background, and is not there")
    let place = leftAt < 0 ? nil : process.program.places[Int(leftAt)]
    process.outcome = Outcome(
      .killed, message: "The app's time in the background is over: \(reason)", place: place)
  }

  /// A thread that does something, or waits for a moment or a device; nil when none does.
  ///
  /// Who waits for another thread is not counted: that one is, if it is at work.
  private func threadAtWork(_ process: borrowing Process) -> ThreadID? {
    for thread in process.kernel.threads.ids {
      let record = process.kernel.threads[thread]
      switch record.state {
      case .running, .ready: return thread
      case .waiting:
        if record.reason == .io || record.reason == .sleep || record.reason == .accelerator {
          return thread
        }
      case .created, .finished: break
      }
    }
    return nil
  }

  /// Whether input or output goes on that holds no thread.
  private func isTransferring(_ process: borrowing Process) -> Bool {
    process.kernel.plans.usedIndices.contains { plan in
      let record = process.kernel.plans[plan]
      return record.isWorld && record.kind == .submitItem
    }
  }

  /// Has the expiration handlers of all tasks called on the main queue, and after them judges.
  private mutating func expireTasks(_ dispatch: inout DispatchRuntime, _ process: inout Process) {
    demand(!isExpiring && openTasks > 0, "\(openTasks) background tasks expire, or do already")
    isExpiring = true
    note(.timeExpired, .none, &process)
    for task in tasks.indices where !tasks[task].isEnded {
      if tasks[task].handler.isSet { submitExpiration(task, &dispatch, &process) }
    }
    submitExpiration(.none, &dispatch, &process)
    chore = process.kernel.addChore(
      .backgroundLimit, 1, at: process.kernel.now + AppLife.grace)
  }

  private mutating func submitExpiration(
    _ task: BackgroundTaskRecord.Index, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    dispatch.submit(
      DispatchItem(.expiration, task.raw, queue: DispatchRuntime.mainQueue), by: .none,
      &process)
  }

  /// The main thread calls a task's expiration handler, or comes to the end of them all.
  ///
  /// `task` is none after the last. Whoever has not ended its tasks by then is killed.
  mutating func beginExpiration(
    _ task: BackgroundTaskRecord.Index, on thread: ThreadID, _ process: inout Process
  ) {
    demand(thread == process.mainThread, "thread \(thread.index) calls an expiration handler")
    if !isExpiring { return }
    expiringTask = nil
    if !task.isNone {
      if tasks[task].isEnded { return }
      expiringTask = task
      var handler = tasks[task].handler
      process.enter(&handler, on: thread)
      tasks[task].handler = handler
      return
    }
    isExpiring = false
    process.kernel.cancel(chore: chore)
    if openTasks > 0 {
      let limit = Nanoseconds(process.kernel.machine.backgroundTime)
      killApp("\(limit) after it left the screen a background task was not ended", &process)
    } else {
      limitBackgroundTime(&process)
    }
  }

  // MARK: The machine's sleep

  /// The machine sleeps; a thread that asks for it goes on when the machine wakes.
  private mutating func sleepMachine(_ call: Call, _ process: inout Process) -> CallResult {
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
    if call.thread.isNone { return .next }
    process.kernel.block(call.thread, .sleep, until: process.kernel.now)
    return .leftAndDone
  }

  /// The machine wakes: whoever has a core goes on with what is left of its work.
  mutating func machineWakes(_ runLoops: inout RunLoopRuntime, _ process: inout Process) {
    let length = process.kernel.wakeUp()
    demand(length >= 0, "the machine slept for \(length) ns")
    process.kernel.record(.machineWoke, thread: .none)
    if process.mainBusySince >= 0 { process.mainBusySince += length }
    runLoops.shiftRunLoops(by: length, &process)
  }

  // MARK: Invariants

  /// Stops with a message when the app's life contradicts itself.
  func checkApp() {
    var open: Int32 = 0
    for task in tasks.indices where !tasks[task].isEnded { open += 1 }
    demand(open == openTasks, "\(open) background tasks are open, \(openTasks) counted")
    demand(isInBackground || !isExpiring, "background tasks expire, and the app is on the screen")
    demand(!isInBackground || leftAt >= -1, "the app left the screen at instruction \(leftAt)")
    let expiring = expiringTask
    if let expiring {
      demand(
        expiring.raw >= 0 && Int(expiring.raw) < tasks.count,
        "background task \(expiring.raw) of \(tasks.count) expires")
    }
  }
}
