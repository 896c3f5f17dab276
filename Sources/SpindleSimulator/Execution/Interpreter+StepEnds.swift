import SpindleModel

/// Steps that no call makes: a wait that goes on, the handler of a source that begins, and ends of what threads run, as far as
/// others can notice them.
extension Interpreter {
  /// A thread that was woken from a wait for a signal is to take its lock again; whether it is held before that.
  @inline(never)
  mutating func isHeld(beforeGoingOn primitive: Primitive, _ call: Call) -> Bool {
    guard primitive == .lock(.wait) || primitive == .lock(.waitUntil),
      process.kernel.threads[call.thread].phase == ConditionPhase.waits.rawValue,
      let driver = process.kernel.recorder.driver
    else { return false }
    process.kernel.recorder.catchUp()
    let value = process.argument(0, call)
    let lock = object(.lock, Process.index(value), value, driver)
    // Whether it was signalled is asked when it goes on.
    let result = process.kernel.threads[call.thread].wakeResult
    let isHeld = isHeld(
      before: StepShape(verb: .locks, mode: .writes), lock, call.thread, call.counter, driver)
    if isHeld { process.kernel.threads.at(call.thread).setResult(result) }
    return isHeld
  }

  /// The handler of a source is about to begin, and takes what waits; whether its thread is held before that.
  @inline(never)
  mutating func isHeld(
    beforeEventOf source: DispatchSourceRecord.Index, _ thread: ThreadID
  ) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    process.kernel.recorder.catchUp()
    let object = driver.object(
      .source, source.raw, called: process.kernel.text(sources.sources[source].name))
    return isHeld(beforeEnd: StepShape(verb: .takes, mode: .writes), object, thread, driver)
  }

  /// What a thread runs for a frame of the simulator's own has come to its end; whether it is held before that.
  @inline(never)
  mutating func isHeld(
    beforeEndOf frame: FrameIndex, _ thread: ThreadID, _ activity: Activity
  ) -> Bool {
    switch activity {
    case .queueWorker, .lane, .mainDrain: isHeld(beforeEndOfItem: ItemFrame(frame), thread)
    case .operation: isHeld(beforeEndOfOperation: frame, thread)
    case .task: isHeld(beforeEndOfTask: frame, thread)
    case .manager, .dispatchMain, .apply, .performItem, .runLoopRun, .runLoopRepeat, .timerFire,
      .actorDrain, .taskHandlers, .streamElement:
      false
    }
  }

  /// An item leaves its group, or those who wait for it go on.
  private mutating func isHeld(beforeEndOfItem worker: ItemFrame, _ thread: ThreadID) -> Bool {
    guard worker.hasItem(process), let driver = process.kernel.recorder.driver else { return false }
    let item = dispatch.items[worker.present(process).item]
    guard item.kind == .block || item.kind == .workItem else { return false }
    process.kernel.recorder.catchUp()
    if !item.group.isNone {
      let group = object(.group, item.group.raw, item.group.register, driver)
      return isHeld(beforeEnd: StepShape(verb: .leaves, mode: .ends), group, thread, driver)
    }
    guard item.kind == .workItem, process.asksForEnds.contains(.workItems) else { return false }
    let object = object(.workItem, item.workItem.raw, item.workItem.register, driver)
    return isHeld(beforeEnd: StepShape(verb: .finishes, mode: .leaves), object, thread, driver)
  }

  /// An operation reports its end, which others depend on.
  private mutating func isHeld(beforeEndOfOperation frame: FrameIndex, _ thread: ThreadID) -> Bool {
    guard process.frames.operationStep(frame) == .blocks,
      let driver = process.kernel.recorder.driver
    else { return false }
    let operation = OperationFrame(frame, process.frames).operation
    let record = operations.operations[operation]
    guard !record.flags.contains(.part), record.partsLeft == 0,
      operations.firstBlock(of: operation).isNone
    else { return false }
    process.kernel.recorder.catchUp()
    let object = object(.operation, operation.raw, operation.register, driver)
    return isHeld(beforeEnd: StepShape(verb: .finishes, mode: .writes), object, thread, driver)
  }

  /// A task gives its result to its group, or can be cancelled no more.
  private mutating func isHeld(beforeEndOfTask frame: FrameIndex, _ thread: ThreadID) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    let task = TaskRecord.Index(register: process.frames.registers(frame)[0])
    let record = concurrency.tasks[task]
    if record.isMain || record.group.isNone && !process.asksForEnds.contains(.tasks) {
      return false
    }
    // What it gives is kept while its thread is held.
    let wasHeld = process.frames.counter(frame) != 0
    if wasHeld { process.worldResult = record.result }
    process.kernel.recorder.catchUp()
    let isHeld: Bool
    if record.group.isNone {
      let object = driver.object(.task, task.raw, called: concurrency.name(task, process))
      isHeld = self.isHeld(
        beforeEnd: StepShape(verb: .finishes, mode: .writes), object, thread, driver)
    } else {
      // Which of two that give nothing is first can't be told.
      let givesNothing = process.worldResult == noValue || process.worldResult == noResult
      let mode: StepMode = givesNothing && record.error == noValue ? .reads : .feeds
      isHeld = self.isHeld(
        beforeEnd: StepShape(verb: .finishes, mode: mode), object(record.group, driver), thread,
        driver)
    }
    if isHeld && !wasHeld {
      concurrency.tasks[task].result = process.worldResult
      process.frames.setCounter(frame, 1)
    }
    return isHeld
  }

  /// The number of a task group, which is called after the task that made it.
  func object(_ group: TaskGroupRecord.Index, _ driver: ScheduleDriver) -> Int32 {
    driver.object(
      .taskGroup, group.raw,
      called: "group of \(concurrency.name(concurrency.groups[group].parent, process))")
  }

  /// The code of a thread has ended; whether the thread is held before its end, which others may ask for.
  @inline(never)
  mutating func isHeld(beforeEndOf thread: ThreadID) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    let record = process.kernel.threads[thread]
    process.kernel.recorder.catchUp()
    if record.itemKind >= 0 && record.itemGroup >= 0 {
      let group = GroupRuntime.Index(record.itemGroup)
      return isHeld(
        beforeEnd: StepShape(verb: .leaves, mode: .ends),
        object(.group, group.raw, group.register, driver), thread, driver)
    }
    guard record.role == .plain, process.asksForEnds.contains(.threads) else { return false }
    let object = driver.object(
      .thread, thread.index, called: process.kernel.name(of: thread))
    return isHeld(beforeEnd: StepShape(verb: .finishes, mode: .writes), object, thread, driver)
  }

  /// A thread comes to the end of something, which is done as soon as it may.
  private mutating func isHeld(
    beforeEnd shape: StepShape, _ object: Int32, _ thread: ThreadID, _ driver: ScheduleDriver
  ) -> Bool {
    let actor = driver.actor(of: thread, called: process.kernel.name(of: thread))
    let key = StepKey(actor: actor, verb: shape.verb, object: object)
    goOn(driver.finishEarlier(than: key, thread, at: process.kernel.now))
    var released: [ThreadID] = []
    let decision = driver.decide(end: shape, key, thread: thread, at: process.kernel.now) {
      released = $0
    }
    guard case .isHeld(let time) = decision else {
      goOn(released)
      return false
    }
    holdBack(thread, until: time, driver)
    return true
  }

  /// Whether another thread may run instead of this one: not where it has a lock whose ceiling keeps it on the only core.
  func mayBeHeld(_ thread: ThreadID) -> Bool {
    if process.kernel.cores.count > 1 { return true }
    var lock = locks.lastOwned(by: thread, process.kernel)
    while !lock.isNone {
      if locks.isNeverWaitedFor(lock, process.kernel) { return false }
      lock = locks.locks[lock].nextOwned
    }
    return true
  }

  /// The process ends: what others would still have done may be done on another machine.
  @inline(never)
  mutating func noteProcessEnd() {
    process.kernel.recorder.catchUp()
    let main = process.mainThread
    let isAlone = process.kernel.threads.ids.allSatisfy { thread in
      let record = process.kernel.threads[thread]
      if thread == main || record.state == .finished { return true }
      return record.role.servesQueues && !(record.flags.contains(.begun) && hasItem(thread))
    }
    let isEmpty = dispatch.items.usedCount == (hasItem(main) ? 1 : 0)
    process.kernel.recorder.driver?.processEnds(
      by: main, isAlone: isAlone && isEmpty && concurrency.alive == 0)
  }

  /// Whether a thread has an item of a queue in hand.
  private func hasItem(_ thread: ThreadID) -> Bool {
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      if let worker = ItemFrame(frame, ifOf: process), worker.hasItem(process) { return true }
      frame = process.frames.parent(frame)
    }
    return false
  }
}
