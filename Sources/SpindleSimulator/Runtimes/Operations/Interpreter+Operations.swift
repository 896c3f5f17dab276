import SpindleModel

/// Operations: making them, and what they can be told and asked.
extension Interpreter {
  /// A call that is about an operation or an operation queue.
  mutating func operationOrQueue(_ primitive: Primitive, _ call: Call) -> Advance {
    switch primitive {
    case .operationMake, .operationAddBlock, .operationAddDependency, .operationRemoveDependency,
      .operationDependencies, .operationStart, .operationCancel, .operationWait, .operationCurrent,
      .operationOwnIsCancelled, .operationIsCancelled, .operationIsReady, .operationIsExecuting,
      .operationIsFinished, .operationIsAsynchronous, .operationSetExecuting, .operationSetFinished,
      .operationSetReadiness, .operationSetCompletion, .operationName, .operationSetName,
      .operationQueuePriority, .operationSetQueuePriority, .operationThreadPriority,
      .operationSetThreadPriority, .operationQualityOfService, .operationSetQualityOfService,
      .operationWillChange, .operationDidChange, .operationFinish:
      operation(primitive, call)
    case .operationQueueMake, .operationQueueMain, .operationQueueCurrent, .operationQueueAdd,
      .operationQueueAddAll, .operationQueueAddBlock, .operationQueueAddBarrier,
      .operationQueueAsync, .operationQueueCancelAll, .operationQueueWaitAll,
      .operationQueueOperations, .operationQueueCount, .operationQueueIsSuspended,
      .operationQueueSetSuspended, .operationQueueLimit, .operationQueueSetLimit,
      .operationQueueName, .operationQueueSetName, .operationQueueQualityOfService,
      .operationQueueSetQualityOfService, .operationQueueUnderlying, .operationQueueSetUnderlying:
      operationQueue(primitive, call)
    default: fatalError("\(primitive) is not done here")
    }
  }

  private mutating func operation(_ primitive: Primitive, _ call: Call) -> Advance {
    switch primitive {
    case .operationMake: return makeOperation(call)
    case .operationCurrent:
      let operation = innermostOperation(of: call.thread)
      if operation < 0 {
        return crash("Fatal error: no operation runs here", call)
      }
      operations.operations[operation].flags.insert(.named)
      give(Int64(operation), call)
      return .next
    case .operationOwnIsCancelled:
      let operation = innermostOperation(of: call.thread)
      give(
        operation >= 0
          ? operations.operations[operation].flags.contains(.cancelled)
          : kernel.threads[call.thread].flags.contains(.cancelled), call)
      return .next
    default: break
    }
    let operation = Int32(truncatingIfNeeded: argument(0, call))
    switch primitive {
    case .operationAddBlock: return addBlock(to: operation, call)
    case .operationAddDependency, .operationRemoveDependency:
      return changeDependency(primitive, of: operation, call)
    case .operationDependencies:
      return giveOperations(operations.dependencies(of: operation), call)
    case .operationStart: return startByHand(operation, call)
    case .operationCancel:
      cancel(operation, by: call.thread)
      return .next
    case .operationWait: return waitUntilFinished(operation, call)
    case .operationDidChange: return didChange(operation, call)
    case .operationWillChange: return .next
    case .operationFinish: return finishByItself(operation, call)
    default: return operationProperty(primitive, operation, call)
    }
  }

  // MARK: Making

  private mutating func makeOperation(_ call: Call) -> Advance {
    let isBlock = argument(0, call) != 0
    var record = OperationRecord(
      name: objectName(argument(1, call), isBlock ? "BlockOperation" : "Operation"),
      kind: Int32(truncatingIfNeeded: argument(2, call)))
    record.flags = isBlock ? [.block, .named] : .named
    record.priority = priority(argument(3, call))
    if argument(4, call) != noValue { record.threadPriority = argument(4, call) }
    if argument(5, call) != noValue {
      record.quality = Int32(truncatingIfNeeded: argument(5, call))
    }
    if argument(6, call) == 1 { record.flags.insert(.asynchronous) }
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    let made = operations.make(record)
    if argument(7, call) != noValue { operations.addBlock(activity(7, call), to: made) }
    if argument(8, call) != noValue { operations.operations[made].teardown = activity(8, call) }
    noteMaking(
      .operation, made, record.name, call,
      quality: argument(3, call) == noValue ? -1 : Int32(truncatingIfNeeded: argument(3, call)))
    give(Int64(made), call)
    return .next
  }

  /// The priority that a name stands for; nil for none.
  func priority(_ name: Int64) -> OperationPriority? {
    name == noValue ? nil : OperationPriority(kernel.names.text(NameID(Int(name))))
  }

  /// `addExecutionBlock`, which comes too late once the operation runs.
  private mutating func addBlock(to operation: Int32, _ call: Call) -> Advance {
    let record = operations.operations[operation]
    if record.state >= .executing {
      reportMisuse(
        record.startedAt, call,
        FindingText.blockTooLate(operationName(operation)))
      return crash(
        "Fatal error: blocks cannot be added after the operation has started executing or finished",
        call)
    }
    operations.addBlock(activity(1, call), to: operation)
    return .next
  }

  private mutating func changeDependency(
    _ primitive: Primitive, of operation: Int32, _ call: Call
  ) -> Advance {
    let dependency = Int32(truncatingIfNeeded: argument(1, call))
    if primitive == .operationAddDependency {
      if dependency == operation && kernel.machine.platform == .linux && call.thread >= 0 {
        return lockTwice(operation, call)
      }
      operations.addDependency(
        dependency, to: operation, at: Int32(truncatingIfNeeded: call.counter))
    } else {
      operations.removeDependency(dependency, from: operation)
    }
    let change: DependencyChange = primitive == .operationAddDependency ? .added : .removed
    kernel.record(
      .dependencyChanged, thread: call.thread, detail: change.rawValue,
      object: operations.operations[operation].name, other: dependency, subject: operation,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(operations.operations[dependency].name))
    noteReadiness(of: operation, by: call.thread)
    if outcome != nil { return .stopped }
    return primitive == .operationRemoveDependency ? tearDownIfFree(dependency, call) : .next
  }

  /// An operation is to depend on itself, on Linux: the call never returns.
  ///
  /// The library locks what is depended on, then what depends on it, and such a lock is not recursive.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addDependency; measured.
  /// Nothing of this kind is known of Apple's: there the operation waits for itself.
  private mutating func lockTwice(_ operation: Int32, _ call: Call) -> Advance {
    let name = kernel.intern(operationName(operation))
    let lock = locks.make(.mutex, name: name.index, condition: noValue, &kernel)
    locks.take(lock, call.thread, &kernel)
    return advance(locks.lock(lock, call.thread, deadline: nil, &kernel), call)
  }

  /// Gives operations as an array; they can be named from now on.
  mutating func giveOperations(_ found: [Int32], _ call: Call) -> Advance {
    var elements: [Int64] = []
    for operation in found {
      operations.operations[operation].flags.insert(.named)
      elements.append(Int64(operation))
    }
    give(keep(elements), call)
    return .next
  }

  // MARK: Properties

  private mutating func operationProperty(
    _ primitive: Primitive, _ operation: Int32, _ call: Call
  ) -> Advance {
    let record = operations.operations[operation]
    let value: Int64 = hasValue(primitive) ? argument(1, call) : 0
    switch primitive {
    case .operationIsCancelled: give(record.flags.contains(.cancelled), call)
    case .operationIsReady:
      askReadiness(of: operation)
      give(operations.operations[operation].isReady, call)
    case .operationIsExecuting: give(record.isExecuting, call)
    case .operationIsFinished: give(record.isFinished, call)
    case .operationIsAsynchronous: give(record.flags.contains(.asynchronous), call)
    case .operationName: give(Int64(record.name), call)
    case .operationSetName:
      operations.operations[operation].name = Int32(truncatingIfNeeded: value)
    case .operationQueuePriority:
      let name = (record.priority ?? .normal).name
      give(Int64(kernel.intern(name).index), call)
    case .operationThreadPriority:
      give(record.threadPriority < 0 ? FixedDecimal.scale / 2 : record.threadPriority, call)
    case .operationSetThreadPriority:
      operations.operations[operation].threadPriority = max(0, min(FixedDecimal.scale, value))
    case .operationQualityOfService:
      give(record.quality < 0 ? Int64(WellKnownName.default.id.index) : Int64(record.quality), call)
    case .operationSetQueuePriority, .operationSetQualityOfService:
      changeUrgency(primitive, operation, value)
    case .operationSetExecuting: say(.saysExecuting, value == 1, of: operation)
    case .operationSetFinished: say(.saysFinished, value == 1, of: operation)
    case .operationSetReadiness:
      discardClosure(record.readiness)
      operations.operations[operation].readiness = value == noValue ? -1 : activity(1, call)
      operations.operations[operation].readinessRuns = 0
      operations.operations[operation].flags.remove(.gateIsOpen)
      noteReadiness(of: operation, by: call.thread)
    case .operationSetCompletion:
      discardClosure(record.completion)
      operations.operations[operation].completion = value == noValue ? -1 : activity(1, call)
    default: fatalError("\(primitive) is not done here")
    }
    return .next
  }

  /// Whether a primitive on an operation has a second argument.
  private func hasValue(_ primitive: Primitive) -> Bool {
    switch primitive {
    case .operationSetName, .operationSetQueuePriority, .operationSetThreadPriority,
      .operationSetQualityOfService, .operationSetExecuting, .operationSetFinished,
      .operationSetReadiness, .operationSetCompletion:
      true
    default: false
    }
  }

  /// Sets priority or quality; an operation that waits goes behind those of its new priority.
  ///
  /// A quality that is set in a queue changes nothing there: it was looked at when the operation was
  /// added. Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, changePriority and
  /// _addOperations.
  private mutating func changeUrgency(_ primitive: Primitive, _ operation: Int32, _ value: Int64) {
    guard primitive == .operationSetQueuePriority, let given = priority(value) else {
      operations.operations[operation].quality = Int32(truncatingIfNeeded: value)
      return
    }
    operations.operations[operation].priority = given
    let record = operations.operations[operation]
    if record.queue < 0 || record.rank == given { return }
    operations.operations[operation].rank = given
    operations.place(operation)
  }

  mutating func say(_ flag: OperationFlags, _ isTrue: Bool, of operation: Int32) {
    if isTrue {
      operations.operations[operation].flags.insert(flag)
    } else {
      operations.operations[operation].flags.remove(flag)
    }
  }

  mutating func discardClosure(_ closure: Int32) {
    if closure >= 0 { frames.release(closure) }
  }

  // MARK: Readiness

  /// Asks an operation's own readiness, on no thread and at no cost.
  mutating func askReadiness(of operation: Int32) {
    let record = operations.operations[operation]
    if record.readiness < 0 || record.state > .enqueued { return }
    var handler = Handler(
      closure: record.readiness, key: frames.key(record.readiness), runs: record.readinessRuns)
    let frame = activate(&handler, parent: -1, argument: Int64(operation))
    let isTrue = runWorld(frame: frame) == 1
    operations.operations[operation].readinessRuns = handler.runs
    say(.gateIsOpen, isTrue, of: operation)
  }

  /// Tells the observers of an operation, and its queue, when its readiness is another one.
  mutating func noteReadiness(of operation: Int32, by thread: Int32) {
    askReadiness(of: operation)
    if outcome != nil { return }
    operations.list(operation)
    let record = operations.operations[operation]
    if record.isReady != record.flags.contains(.knownReady) {
      say(.knownReady, record.isReady, of: operation)
      announce("isReady", record.isReady, of: operation, by: thread)
    }
    if record.isReady && record.queue >= 0 { schedule(record.queue, by: thread) }
  }

  /// Notes that observers of an operation were told about a value.
  mutating func announce(_ key: String, _ value: Bool, of operation: Int32, by thread: Int32) {
    if !kernel.recorder.isOn { return }
    kernel.record(
      .valueAnnounced, thread: thread, object: operations.operations[operation].name,
      other: kernel.intern(key).index, value: value ? 1 : 0)
  }

  // MARK: Which one runs

  /// The innermost operation that a thread runs; -1 for none.
  func innermostOperation(of thread: Int32) -> Int32 {
    let frame = innermostOperationFrame(of: thread)
    return frame < 0 ? -1 : Int32(truncatingIfNeeded: frames.registers(frame)[0])
  }

  /// The frame of the innermost operation that a thread runs; -1 for none.
  func innermostOperationFrame(of thread: Int32) -> Int32 {
    var frame = thread < 0 ? -1 : kernel.threads[thread].frame
    while frame >= 0 && frames.activity(frame) != .operation { frame = frames.parent(frame) }
    return frame
  }

  /// What an operation is called.
  func operationName(_ operation: Int32) -> String {
    let name = operations.operations[operation].name
    return name < 0 ? "operation \(operation)" : kernel.names.text(NameID(Int(name)))
  }

  /// What an operation queue is called.
  func operationQueueName(_ queue: Int32) -> String {
    if operations.queues[queue].isMain { return "NSOperationQueue Main Queue" }
    return kernel.names.text(NameID(Int(operations.queues[queue].name)))
  }
}
