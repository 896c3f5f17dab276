import SpindleModel

/// Visible steps: the places where a schedule can hold a thread, and what is known when a step is done.
extension Interpreter {
  /// A thread comes to a call; whether it is held before it.
  @inline(never)
  mutating func isHeld(before primitive: Primitive, _ call: Call) -> Bool {
    guard let driver = process.kernel.recorder.driver,
      !call.thread.isNone || driver.isInArrival,
      let (shape, family) = step(of: primitive, call)
    else { return false }
    process.kernel.recorder.catchUp()
    guard let object = object(family, primitive, call, driver) else { return false }
    if isHeld(before: shape, object, call.thread, call.counter, driver) { return true }
    // A loop takes what waits for it in the order in which that came, whatever it is.
    if primitive.feedsRunLoop {
      dispatch.noteUses(
        of: DispatchRuntime.mainQueue, isBarrier: false, by: call.thread, process.kernel)
    }
    return false
  }

  /// A thread comes to an instruction; whether it is held before it.
  @inline(never)
  mutating func isHeld(
    before instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .readShared(_, let global), .readToChange(_, let global):
      isHeld(before: .reads, global, thread, counter)
    case .writeShared(let global, _): isHeld(before: .writes, global, thread, counter)
    case .fieldRead(_, let instance, let field), .fieldReadToChange(_, let instance, let field):
      isHeld(before: .reads, field, of: registers[instance], thread, counter)
    case .fieldWrite(let instance, let field, _):
      isHeld(before: .writes, field, of: registers[instance], thread, counter)
    case .arrayAppend(let array, _), .arraySet(let array, _, _), .arrayInsert(let array, _, _),
      .arrayRemove(_, let array, _), .entrySet(let array, _, _), .entryRemove(_, let array, _):
      isHeld(beforeChanging: registers[array], thread, counter)
    default: false
    }
  }

  /// A thread comes to an access to a variable of the top level.
  private mutating func isHeld(
    before verb: StepVerb, _ global: GlobalID, _ thread: ThreadID, _ counter: Int
  ) -> Bool {
    guard let driver = process.kernel.recorder.driver, !thread.isNone || driver.isInArrival else {
      return false
    }
    process.kernel.recorder.catchUp()
    let index = Int32(global.index)
    let object = driver.object(
      .global, index, called: process.program.globals[Int(index)].name)
    return isHeld(before: .access(verb), object, thread, counter, driver)
  }

  /// A thread comes to an access to a variable of an instance.
  private mutating func isHeld(
    before verb: StepVerb, _ field: Int32, of instance: Int64, _ thread: ThreadID, _ counter: Int
  ) -> Bool {
    guard let driver = process.kernel.recorder.driver, !thread.isNone || driver.isInArrival,
      process.instances.isThere(instance)
    else { return false }
    process.kernel.recorder.catchUp()
    let object = driver.field(field, of: instance) { name(of: field, instance) }
    return isHeld(before: .access(verb), object, thread, counter, driver)
  }

  /// A thread comes to a change of an array or dictionary, which is a write of the variable that has it.
  ///
  /// The instructions that change one in place come before the one that writes the variable, and what they do can be seen.
  private mutating func isHeld(beforeChanging array: Int64, _ thread: ThreadID, _ counter: Int)
    -> Bool
  {
    guard let variable = process.arrayVariables[array] else { return false }
    if variable.owner < 0 {
      return isHeld(before: .writes, GlobalID(Int(variable.number)), thread, counter)
    }
    return isHeld(before: .writes, variable.number, of: variable.owner, thread, counter)
  }

  /// A variable of the top level has got a value.
  @inline(never)
  mutating func noteArray(_ value: Int64, of global: GlobalID) {
    let variable = process.program.globals[Int(global.index)]
    if variable.isVariable && variable.format == .array && value != noValue {
      process.arrayVariables[value] = SharedVariable(owner: -1, number: Int32(global.index))
    }
  }

  /// A variable of an instance has got a value.
  @inline(never)
  mutating func noteArray(_ value: Int64, of field: Int32, _ instance: Int64) {
    let type = Int(process.instances.instance(instance).type)
    if process.program.classes[type].fields[Int(field)].format == .array && value != noValue {
      process.arrayVariables[value] = SharedVariable(owner: instance, number: field)
    }
  }

  mutating func isHeld(
    before shape: StepShape, _ object: Int32, _ thread: ThreadID, _ counter: Int,
    _ driver: ScheduleDriver
  ) -> Bool {
    let place = Int32(truncatingIfNeeded: counter)
    if thread.isNone {
      goOn(driver.noteArrival(shape, verbOn: object, place: place, at: process.kernel.now))
      return false
    }
    if process.limits.steps - process.stepsLeft - process.stepsHeld > driver.patience {
      goOn(driver.tire(at: process.kernel.now))
    }
    let actor = driver.actor(of: thread, called: process.kernel.name(of: thread))
    let key = StepKey(actor: actor, verb: shape.verb, object: object)
    // A call may be over by what others do, as one that waited in another call's place.
    goOn(driver.finishEarlier(than: key, thread, at: process.kernel.now))
    let decision = driver.decide(
      shape, key, thread: thread, place: place, at: process.kernel.now, mayHold: mayBeHeld(thread))
    guard case .isHeld(let time) = decision else { return false }
    process.kernel.threads.at(thread).setPlace(place)
    holdBack(thread, until: time, driver)
    return true
  }

  /// The running thread is held before the step to which it has come.
  mutating func holdBack(_ thread: ThreadID, until time: Int64?, _ driver: ScheduleDriver) {
    let name = driver.heldName { process.kernel.intern($0) }
    process.kernel.holdBack(thread, before: name.index, until: time)
  }

  /// An instruction was not run: the thread is held before it, or the run has ended.
  @inline(never)
  mutating func leave(_ frame: FrameIndex, _ thread: ThreadID, at counter: Int) -> Pause {
    if process.outcome != nil { return .stopped }
    demand(
      !thread.isNone && process.kernel.threads[thread].reason == .held,
      "instruction \(counter) was not run, and thread \(thread.index) is not held")
    let place = Int32(truncatingIfNeeded: counter)
    process.frames.unchecked.setCounter(frame, place)
    process.kernel.threads.unchecked(thread).setFrame(frame)
    return .left
  }

  /// A call has come to a result; a step that is done thereby lets others go on.
  @inline(never)
  mutating func endStep(_ result: CallResult, _ call: Call) {
    guard !call.thread.isNone, let driver = process.kernel.recorder.driver else { return }
    let isOver: Bool
    switch result {
    case .again, .left: isOver = false
    case .next, .paysAfter, .leftAndDone, .unwound, .exits, .entered, .raises, .stopped:
      isOver = true
    }
    if driver.isDue(call.thread, isOver: isOver) { endStep(call.thread) }
  }

  /// A thread has done the step that it has begun.
  @inline(never)
  mutating func endStep(_ thread: ThreadID) {
    guard !thread.isNone, let driver = process.kernel.recorder.driver else { return }
    process.kernel.recorder.catchUp()
    goOn(driver.finish(thread, at: process.kernel.now))
  }

  /// The time is over for which a thread was held.
  mutating func endDelay(_ thread: ThreadID) {
    process.kernel.recorder.driver?.delayIsOver(thread, at: process.kernel.now)
    process.letGoOn(thread)
  }

  /// Nothing else can happen: lets the thread go on that was held first, or that a strategy chooses; whether there is one.
  @inline(never)
  mutating func letHeldGoOn() -> Bool {
    guard let driver = process.kernel.recorder.driver, driver.hasHolds else { return false }
    process.kernel.beginClass(0)
    goOn(driver.giveUp(at: process.kernel.now))
    return true
  }

  /// Threads and events that were held go on.
  mutating func goOn(_ held: [ThreadID]) {
    for one in held {
      switch StepEvent(one) {
      case nil: process.letGoOn(one)
      case .arrival(let index):
        _ = process.kernel.schedule(.arrival, index: index, at: process.kernel.now)
      case .item(let item): plan(held: item, at: process.kernel.now)
      }
    }
  }

  /// A planned item that is held is enqueued at a moment.
  private mutating func plan(held item: Int32, at time: Int64) {
    let isWorld = process.kernel.recorder.driver?.isWorld(planned: item) == true
    _ = process.kernel.plan(.submitItem, item, at: time, isWorld: isWorld)
  }

  // MARK: Steps without a call

  /// A queue runs an operation, which is about to begin; whether its thread is held before that.
  @inline(never)
  mutating func isHeld(beforeOperation frame: FrameIndex, _ thread: ThreadID) -> Bool {
    guard process.frames.operationStep(frame) == .started,
      let driver = process.kernel.recorder.driver
    else { return false }
    let running = OperationFrame(frame, process.frames)
    let record = operations.operations[running.operation]
    if running.runner == .byHand || record.flags.contains(.part) || record.itemNumber < 0
      || record.state == .finished
    {
      return false
    }
    process.kernel.recorder.catchUp()
    var released: [ThreadID] = []
    let decision = driver.decide(
      operation: running.operation.raw, item: record.itemNumber, thread: thread,
      at: process.kernel.now
    ) { released = $0 }
    guard case .isHeld(let time) = decision else {
      goOn(released)
      return false
    }
    holdBack(thread, until: time, driver)
    return true
  }

  /// A work item's turn has come, which is skipped where it was cancelled; whether its thread is held before that.
  @inline(never)
  mutating func isHeld(beforeWorkItem item: DispatchItem, _ thread: ThreadID) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    process.kernel.recorder.catchUp()
    let object = object(.workItem, item.workItem.raw, item.workItem.register, driver)
    let key = StepKey(actor: driver.actor(ofItem: item.number), verb: .begins, object: object)
    goOn(driver.finishEarlier(than: key, thread, at: process.kernel.now))
    let decision = driver.decide(
      StepShape(verb: .begins, mode: .reads), key, thread: thread, place: -1,
      at: process.kernel.now)
    guard case .isHeld(let time) = decision else {
      endStep(thread)
      return false
    }
    holdBack(thread, until: time, driver)
    return true
  }

  /// The deadline of a planned item has come; whether that is held.
  @inline(never)
  mutating func isHeld(beforeEnqueueing item: Int32) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    process.kernel.recorder.catchUp()
    let record = dispatch.items[.init(item)]
    let isOrdered = !dispatch.isConcurrent(record.queue) || record.isBarrier
    let queue = object(.queue, record.queue.raw, record.queue.register, driver)
    var released: [ThreadID] = []
    let decision = driver.decide(
      planned: item, isOrdered ? .writes : .reads, queue: queue, at: process.kernel.now
    ) { released = $0 }
    guard case .isHeld(let time) = decision else {
      goOn(released)
      return false
    }
    if let time { plan(held: item, at: time) }
    return true
  }

  /// Something arrives from outside; whether that is held.
  @inline(never)
  mutating func isHeld(beforeArrival index: Int32) -> Bool {
    guard let driver = process.kernel.recorder.driver else { return false }
    process.kernel.recorder.catchUp()
    var released: [ThreadID] = []
    let decision = driver.decide(arrival: index, at: process.kernel.now) { released = $0 }
    guard case .isHeld(let time) = decision else {
      goOn(released)
      return false
    }
    if let time { _ = process.kernel.schedule(.arrival, index: index, at: time) }
    return true
  }

  /// What has arrived has happened.
  mutating func endArrival() { process.kernel.recorder.driver?.endArrival() }

  // MARK: Objects

  /// The number of the object of a step; nil for a call on none.
  private func object(
    _ family: StepFamily, _ primitive: Primitive, _ call: Call, _ driver: ScheduleDriver
  ) -> Int32? {
    let value = process.argument(primitive.placeOfExecutor, call)
    switch family {
    case .task where primitive.isOwnTask:
      if call.thread.isNone { return nil }
      let task = concurrency.task(of: call.thread, process)
      if task.isNone { return nil }
      return driver.object(.task, task.raw, called: concurrency.name(task, process))
    case .taskGroup:
      return object(.init(Process.index(value)), driver)
    case .actor:
      let actor = ExecutorID(register: value).actor
      if actor.isNone { return nil }
      return driver.object(.actor, actor.raw, called: actorName(actor))
    default: break
    }
    if value == noValue { return nil }
    let number = Process.index(value)
    if family == .executor {
      switch ExecutorHandle(value).class {
      case .dispatchQueue: return object(.queue, number, value, driver)
      case .operationQueue: return object(.operationQueue, number, value, driver)
      case .executor, .tasks: return object(.executor, number, value, driver)
      }
    }
    if family == .condition {
      // One object to the program: its lock and its waiters are two here.
      let name = process.kernel.text(locks.locks[LockRecord.Index(number)].name)
      return driver.object(.condition, number, called: name)
    }
    return object(family, number, value, driver)
  }

  func object(
    _ family: StepFamily, _ number: Int32, _ value: Int64, _ driver: ScheduleDriver
  ) -> Int32 {
    driver.object(family, number, called: name(of: value, family))
  }

  private func actorName(_ actor: ActorRecord.Index) -> String {
    ExecutorID(actor) == .mainActor
      ? "MainActor" : process.kernel.text(concurrency.actors[actor].name)
  }

  private func name(of value: Int64, _ family: StepFamily) -> String {
    switch family {
    case .lock, .condition: name(of: value, HandleClass.mutex)
    case .semaphore: name(of: value, HandleClass.semaphore)
    case .group: name(of: value, HandleClass.group)
    case .queue: dispatch.name(.init(Process.index(value)), process.kernel)
    case .executor: name(of: value, HandleClass.executor)
    case .operationQueue: operations.operationQueueName(.init(Process.index(value)), process)
    case .operation: name(of: value, HandleClass.operation)
    case .source: name(of: value, HandleClass.dispatchSource)
    case .once: name(of: value, HandleClass.onceToken)
    case .workItem: name(of: value, HandleClass.workItem)
    case .thread: name(of: value, HandleClass.thread)
    case .task: name(of: value, HandleClass.task)
    case .stream: name(of: value, HandleClass.asyncStream)
    case .pipe: name(of: value, HandleClass.pipe)
    case .runLoop: name(of: value, HandleClass.runLoop)
    case .runLoopSource: name(of: value, HandleClass.source)
    case .port: name(of: value, HandleClass.port)
    case .continuation: "continuation \(Process.index(value) + 1)"
    case .actor, .global, .field, .taskGroup: ""
    }
  }
}

extension StepShape {
  /// An access to a shared variable.
  fileprivate static func access(_ verb: StepVerb) -> StepShape {
    StepShape(verb: verb, mode: verb == .reads ? .reads : .writes)
  }
}

extension Primitive {
  /// Whether it is about the task that makes the call.
  fileprivate var isOwnTask: Bool {
    switch self {
    case .task(.ownIsCancelled), .task(.checkCancellation), .task(.sleep), .task(.sleepUntil),
      .task(.io), .task(.ioThrowing), .task(.pushHandler), .task(.popHandler):
      true
    default: false
    }
  }

  /// Which argument says where it runs, or what it is done to.
  fileprivate var placeOfExecutor: Int {
    switch self {
    case .task(.make), .taskGroup(.add): 5
    default: 0
    }
  }

  /// Whether it leaves something for a run loop.
  fileprivate var feedsRunLoop: Bool {
    switch self {
    case .runLoop(.perform), .runLoop(.performOnThread), .runLoopSource(.signal), .port(.send): true
    default: false
    }
  }
}
