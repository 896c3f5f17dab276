import SpindleModel

/// Operations: making them, and what they can be told and asked.
extension Interpreter {
  mutating func operation(_ primitive: OperationPrimitive, _ call: Call) -> CallResult {
    let operation = Int32(truncatingIfNeeded: process.argument(0, call))
    switch primitive {
    case .make: return makeOperation(call)
    case .current: return giveCurrentOperation(call)
    case .ownIsCancelled: giveOwnIsCancelled(call)
    case .addBlock: return addBlock(to: operation, call)
    case .addDependency: return addDependency(to: operation, call)
    case .removeDependency: return removeDependency(from: operation, call)
    case .dependencies: return giveOperations(operations.dependencies(of: operation), call)
    case .start: return startByHand(operation, call)
    case .cancel: cancel(operation, by: call.thread)
    case .wait: return waitUntilFinished(operation, call)
    case .willChange: break
    case .didChange: return didChange(operation, call)
    case .finish: return finishByItself(operation, call)
    case .isCancelled:
      process.give(operations.operations[operation].flags.contains(.cancelled), call)
    case .isReady:
      askReadiness(of: operation)
      process.give(operations.operations[operation].isReady, call)
    case .isExecuting: process.give(operations.operations[operation].isExecuting, call)
    case .isFinished: process.give(operations.operations[operation].isFinished, call)
    case .isAsynchronous:
      process.give(operations.operations[operation].flags.contains(.asynchronous), call)
    case .name: process.give(Int64(operations.operations[operation].name), call)
    case .queuePriority:
      let name = (operations.operations[operation].priority ?? .normal).name
      process.give(Int64(process.kernel.intern(name).index), call)
    case .threadPriority:
      let priority = operations.operations[operation].threadPriority
      process.give(priority < 0 ? FixedDecimal.scale / 2 : priority, call)
    case .qualityOfService:
      let quality = operations.operations[operation].quality
      process.give(Int64(quality < 0 ? WellKnownName.default.id.index : quality), call)
    case .setName: operations.operations[operation].name = process.object(1, call)
    case .setQueuePriority: setPriority(of: operation, call)
    case .setThreadPriority:
      operations.operations[operation].threadPriority = max(
        0, min(FixedDecimal.scale, process.argument(1, call)))
    case .setQualityOfService:
      // In a queue it changes nothing: it was looked at when the operation was added.
      operations.operations[operation].quality = process.object(1, call)
    case .setExecuting: say(.saysExecuting, process.argument(1, call) == 1, of: operation)
    case .setFinished: say(.saysFinished, process.argument(1, call) == 1, of: operation)
    case .setReadiness: setReadiness(of: operation, call)
    case .setCompletion: setCompletion(of: operation, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: OperationPrimitive) -> Int64 {
    switch primitive {
    case .make, .addBlock, .addDependency, .removeDependency, .dependencies, .start, .cancel, .wait,
      .current, .ownIsCancelled, .isCancelled, .isReady, .isExecuting, .isFinished, .isAsynchronous,
      .setExecuting, .setFinished, .setReadiness, .setCompletion, .name, .queuePriority,
      .threadPriority, .qualityOfService, .setName, .setQueuePriority, .setQualityOfService,
      .setThreadPriority, .willChange, .didChange, .finish:
      0
    }
  }

  // MARK: Making

  private mutating func makeOperation(_ call: Call) -> CallResult {
    let isBlock = process.argument(0, call) != 0
    var record = OperationRecord(
      name: process.objectName(process.argument(1, call), isBlock ? "BlockOperation" : "Operation"),
      kind: Int32(truncatingIfNeeded: process.argument(2, call)))
    record.flags = isBlock ? [.block, .named] : .named
    record.priority = priority(process.argument(3, call))
    if process.argument(4, call) != noValue { record.threadPriority = process.argument(4, call) }
    if process.argument(5, call) != noValue {
      record.quality = Int32(truncatingIfNeeded: process.argument(5, call))
    }
    if process.argument(6, call) == 1 { record.flags.insert(.asynchronous) }
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    let made = operations.make(record)
    if process.argument(7, call) != noValue {
      operations.addBlock(process.activity(7, call), to: made)
    }
    if process.argument(8, call) != noValue {
      operations.operations[made].teardown = process.activity(8, call)
    }
    process.noteMaking(
      .operation, made, record.name, call,
      quality: process.argument(3, call) == noValue
        ? -1 : Int32(truncatingIfNeeded: process.argument(3, call)))
    process.give(Int64(made), call)
    return .next
  }

  /// The priority that a name stands for; nil for none.
  func priority(_ name: Int64) -> OperationPriority? {
    name == noValue ? nil : OperationPriority(process.kernel.names.text(NameID(Int(name))))
  }

  /// `addExecutionBlock`, which comes too late once the operation runs.
  private mutating func addBlock(to operation: Int32, _ call: Call) -> CallResult {
    let record = operations.operations[operation]
    if record.state >= .executing {
      reportMisuse(
        record.startedAt, call,
        FindingText.blockTooLate(operationName(operation)))
      return process.crash(
        "Fatal error: blocks cannot be added after the operation has started executing or finished",
        call)
    }
    operations.addBlock(process.activity(1, call), to: operation)
    return .next
  }

  private mutating func addDependency(to operation: Int32, _ call: Call) -> CallResult {
    let dependency = process.object(1, call)
    if dependency == operation && process.kernel.machine.platform == .linux && call.thread >= 0 {
      return lockTwice(operation, call)
    }
    operations.addDependency(
      dependency, to: operation, at: Int32(truncatingIfNeeded: call.counter))
    noteDependency(dependency, of: operation, isAdded: true, call)
    return process.outcome == nil ? .next : .stopped
  }

  private mutating func removeDependency(from operation: Int32, _ call: Call) -> CallResult {
    let dependency = process.object(1, call)
    operations.removeDependency(dependency, from: operation)
    noteDependency(dependency, of: operation, isAdded: false, call)
    return process.outcome == nil ? tearDownIfFree(dependency, call) : .stopped
  }

  private mutating func noteDependency(
    _ dependency: Int32, of operation: Int32, isAdded: Bool, _ call: Call
  ) {
    process.kernel.record(
      .dependencyChanged, thread: call.thread,
      detail: (isAdded ? DependencyChange.added : .removed).rawValue,
      object: operations.operations[operation].name, other: dependency, subject: operation,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(operations.operations[dependency].name))
    noteReadiness(of: operation, by: call.thread)
  }

  /// An operation is to depend on itself, on Linux: the call never returns.
  ///
  /// The library locks what is depended on, then what depends on it, and such a lock is not recursive.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addDependency; measured.
  /// Nothing of this kind is known of Apple's: there the operation waits for itself.
  private mutating func lockTwice(_ operation: Int32, _ call: Call) -> CallResult {
    let name = process.kernel.intern(operationName(operation))
    let lock = locks.make(.mutex, name: name.index, condition: noValue, &process.kernel)
    locks.take(lock, call.thread, &process.kernel)
    return process.advance(locks.lock(lock, call.thread, deadline: nil, &process.kernel), call)
  }

  /// Gives operations as an array; they can be named from now on.
  mutating func giveOperations(_ found: [Int32], _ call: Call) -> CallResult {
    var elements: [Int64] = []
    for operation in found {
      operations.operations[operation].flags.insert(.named)
      elements.append(Int64(operation))
    }
    process.give(keep(elements), call)
    return .next
  }

  // MARK: Properties

  /// Sets the priority; an operation that waits goes behind those of its new one.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, changePriority and
  /// _addOperations.
  private mutating func setPriority(of operation: Int32, _ call: Call) {
    guard let given = priority(process.argument(1, call)) else { return }
    operations.operations[operation].priority = given
    let record = operations.operations[operation]
    if record.queue < 0 || record.rank == given { return }
    operations.operations[operation].rank = given
    operations.place(operation)
  }

  private mutating func setReadiness(of operation: Int32, _ call: Call) {
    discardClosure(operations.operations[operation].readiness)
    let isGiven = process.argument(1, call) != noValue
    operations.operations[operation].readiness = isGiven ? process.activity(1, call) : -1
    operations.operations[operation].readinessRuns = 0
    operations.operations[operation].flags.remove(.gateIsOpen)
    noteReadiness(of: operation, by: call.thread)
  }

  private mutating func setCompletion(of operation: Int32, _ call: Call) {
    discardClosure(operations.operations[operation].completion)
    let isGiven = process.argument(1, call) != noValue
    operations.operations[operation].completion = isGiven ? process.activity(1, call) : -1
  }

  mutating func say(_ flag: OperationFlags, _ isTrue: Bool, of operation: Int32) {
    if isTrue {
      operations.operations[operation].flags.insert(flag)
    } else {
      operations.operations[operation].flags.remove(flag)
    }
  }

  mutating func discardClosure(_ closure: Int32) {
    if closure >= 0 { process.frames.release(closure) }
  }

  // MARK: Readiness

  /// Asks an operation's own readiness, on no thread and at no cost.
  mutating func askReadiness(of operation: Int32) {
    let record = operations.operations[operation]
    if record.readiness < 0 || record.state > .enqueued { return }
    var handler = Handler(
      closure: record.readiness, key: process.frames.key(record.readiness),
      runs: record.readinessRuns)
    let frame = process.activate(&handler, parent: -1, argument: Int64(operation))
    let isTrue = runWorld(frame: frame) == 1
    operations.operations[operation].readinessRuns = handler.runs
    say(.gateIsOpen, isTrue, of: operation)
  }

  /// Tells the observers of an operation, and its queue, when its readiness is another one.
  mutating func noteReadiness(of operation: Int32, by thread: Int32) {
    askReadiness(of: operation)
    if process.outcome != nil { return }
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
    if !process.kernel.recorder.isOn { return }
    process.kernel.record(
      .valueAnnounced, thread: thread, object: operations.operations[operation].name,
      other: process.kernel.intern(key).index, value: value ? 1 : 0)
  }

  // MARK: Which one runs

  private mutating func giveCurrentOperation(_ call: Call) -> CallResult {
    let operation = innermostOperation(of: call.thread)
    if operation < 0 { return process.crash("Fatal error: no operation runs here", call) }
    operations.operations[operation].flags.insert(.named)
    process.give(Int64(operation), call)
    return .next
  }

  private func giveOwnIsCancelled(_ call: Call) {
    let operation = innermostOperation(of: call.thread)
    process.give(
      operation >= 0
        ? operations.operations[operation].flags.contains(.cancelled)
        : process.kernel.threads[call.thread].flags.contains(.cancelled), call)
  }

  /// The innermost operation that a thread runs; -1 for none.
  func innermostOperation(of thread: Int32) -> Int32 {
    let frame = innermostOperationFrame(of: thread)
    return frame < 0 ? -1 : Int32(truncatingIfNeeded: process.frames.registers(frame)[0])
  }

  /// The frame of the innermost operation that a thread runs; -1 for none.
  func innermostOperationFrame(of thread: Int32) -> Int32 {
    var frame = thread < 0 ? -1 : process.kernel.threads[thread].frame
    while frame >= 0 && process.frames.activity(frame) != .operation {
      frame = process.frames.parent(frame)
    }
    return frame
  }

  /// What an operation is called.
  func operationName(_ operation: Int32) -> String {
    let name = operations.operations[operation].name
    return name < 0 ? "operation \(operation)" : process.kernel.names.text(NameID(Int(name)))
  }

  /// What an operation queue is called.
  func operationQueueName(_ queue: Int32) -> String {
    if operations.queues[queue].isMain { return "NSOperationQueue Main Queue" }
    return process.kernel.names.text(NameID(Int(operations.queues[queue].name)))
  }
}
