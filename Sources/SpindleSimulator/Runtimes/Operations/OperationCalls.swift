import SpindleModel

/// Operations: making them, and what they can be told and asked.
extension OperationRuntime {
  mutating func operation(
    _ primitive: OperationPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ locks: inout LockRuntime, _ process: inout Process
  ) -> CallResult {
    let operation = process.operation(0, call)
    switch primitive {
    case .make: return makeOperation(call, &process)
    case .current: return giveCurrentOperation(call, &process)
    case .ownIsCancelled: giveOwnIsCancelled(call, &process)
    case .addBlock: return addBlock(to: operation, call, &process)
    case .addDependency: return addDependency(to: operation, call, &dispatch, &locks, &process)
    case .removeDependency: return removeDependency(from: operation, call, &dispatch, &process)
    case .dependencies: return giveOperations(dependencies(of: operation), call, &process)
    case .start: return startByHand(operation, call, &process)
    case .cancel: cancel(operation, by: call.thread, &dispatch, &process)
    case .wait: return waitUntilFinished(operation, call, &process)
    case .willChange: break
    case .didChange: return didChange(operation, call, &dispatch, &process)
    case .finish: return finishByItself(operation, call, &dispatch, &process)
    case .isCancelled:
      process.kernel.acquires(.operationState, operation.raw, by: call.thread)
      process.give(operations[operation].flags.contains(.cancelled), call)
    case .isReady: process.give(operations[operation].isReady, call)
    case .isExecuting:
      process.kernel.acquires(.operationState, operation.raw, by: call.thread)
      process.give(operations[operation].isExecuting, call)
    case .isFinished:
      acquireEnd(of: operation, call.thread, &process.kernel)
      process.give(operations[operation].isFinished, call)
    case .isAsynchronous:
      process.give(operations[operation].flags.contains(.asynchronous), call)
    case .asksEnd: process.give(asksEnd(of: operation, call, process), call)
    case .name: process.give(Int64(operations[operation].name), call)
    case .queuePriority:
      let name = (operations[operation].priority ?? .normal).name
      process.give(Int64(process.kernel.intern(name).index), call)
    case .threadPriority:
      let priority = operations[operation].threadPriority
      process.give(priority < 0 ? FixedDecimal.scale / 2 : priority, call)
    case .qualityOfService:
      let quality = operations[operation].quality
      process.give(Int64(quality < 0 ? WellKnownName.default.id.index : quality), call)
    case .setName: setName(of: operation, call, process)
    case .setQueuePriority: setPriority(of: operation, call, &process)
    case .setThreadPriority:
      operations[operation].threadPriority = max(
        0, min(FixedDecimal.scale, process.argument(1, call)))
    case .setQualityOfService:
      // In a queue it changes nothing: it was looked at when the operation was added.
      operations[operation].quality = process.object(1, call)
    case .setExecuting, .setFinished:
      process.kernel.releases(.operationState, operation.raw, by: call.thread)
      let flag: OperationFlags = primitive == .setExecuting ? .saysExecuting : .saysFinished
      say(flag, process.argument(1, call) == 1, of: operation)
    case .setReadiness: setReadiness(of: operation, call, &dispatch, &process)
    case .setCompletion: setCompletion(of: operation, call, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: OperationPrimitive) -> Int64 {
    switch primitive {
    case .make, .addBlock, .addDependency, .removeDependency, .dependencies, .start, .cancel, .wait,
      .current, .ownIsCancelled, .isCancelled, .isReady, .isExecuting, .isFinished, .isAsynchronous,
      .asksEnd, .setExecuting, .setFinished, .setReadiness, .setCompletion, .name, .queuePriority,
      .threadPriority, .qualityOfService, .setName, .setQueuePriority, .setQualityOfService,
      .setThreadPriority, .willChange, .didChange, .finish:
      0
    }
  }

  // MARK: Making

  private mutating func makeOperation(_ call: Call, _ process: inout Process) -> CallResult {
    let given = OperationMakeArguments(call, process)
    var record = OperationRecord(
      name: process.objectName(given.name, given.isBlock ? "BlockOperation" : "Operation"),
      kind: given.workKind)
    record.flags = given.isBlock ? [.block, .named] : .named
    record.priority = given.priority.flatMap { priority($0, process) }
    if let priority = given.threadPriority {
      record.threadPriority = max(0, min(FixedDecimal.scale, priority))
    }
    if let quality = given.quality { record.quality = quality }
    if given.isAsynchronous { record.flags.insert(.asynchronous) }
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    demand(
      record.flags.intersection([.block, .asynchronous]) != [.block, .asynchronous],
      "a block operation is made that reports for itself")
    let made = make(record)
    process.kernel.reuses(.operationState, made.raw)
    if given.hasClosure {
      addBlock(process.activity(OperationMakeArguments.closure, call), to: made)
    }
    if given.hasTeardown {
      operations[made].teardown = process.activity(OperationMakeArguments.teardown, call)
    }
    // The priority's name, in the place of a quality.
    process.noteMaking(
      .operation, made.raw, record.name, call,
      quality: given.priority.map { Int32(truncatingIfNeeded: $0) } ?? -1)
    process.give(made.register, call)
    return .next
  }

  /// Each operation has a name, and each queue: 'nil' leaves it as it is.
  private mutating func setName(
    of operation: OperationRecord.Index, _ call: Call, _ process: borrowing Process
  ) {
    if process.argument(1, call) == noValue { return }
    operations[operation].name = process.object(1, call)
  }

  /// The priority that a name stands for; nil for none.
  private mutating func priority(_ name: Int64, _ process: borrowing Process) -> OperationPriority?
  {
    OperationPriority(process.kernel.text(name))
  }

  /// `addExecutionBlock`, which comes too late once the operation runs.
  private mutating func addBlock(
    to operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    let record = operations[operation]
    if record.state >= .executing {
      reportMisuse(
        record.startedAt, call,
        FindingText.blockTooLate(operationName(operation, process)), &process)
      return process.crash(
        "Fatal error: blocks cannot be added after the operation has started executing or finished",
        call)
    }
    addBlock(process.activity(1, call), to: operation)
    return .next
  }

  private mutating func addDependency(
    to operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ locks: inout LockRuntime, _ process: inout Process
  ) -> CallResult {
    let dependency = process.operation(1, call)
    if dependency == operation && process.kernel.machine.platform == .linux && !call.thread.isNone {
      return lockTwice(operation, call, &locks, &process)
    }
    addDependency(
      dependency, to: operation, at: Int32(truncatingIfNeeded: call.counter))
    noteDependency(dependency, of: operation, isAdded: true, call, &dispatch, &process)
    return process.outcome == nil ? .next : .stopped
  }

  private mutating func removeDependency(
    from operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let dependency = process.operation(1, call)
    process.kernel.releases(.operationState, operation.raw, by: call.thread)
    removeDependency(dependency, from: operation)
    noteDependency(dependency, of: operation, isAdded: false, call, &dispatch, &process)
    dropIfGone(dependency, &process)
    return process.outcome == nil ? tearDownIfFree(dependency, call, &process) : .stopped
  }

  private mutating func noteDependency(
    _ dependency: OperationRecord.Index, of operation: OperationRecord.Index, isAdded: Bool,
    _ call: Call,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    process.kernel.record(
      .dependencyChanged, thread: call.thread,
      detail: (isAdded ? DependencyChange.added : .removed).rawValue,
      object: operations[operation].name, other: dependency.raw, subject: operation.raw,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(operations[dependency].name))
    noteReadiness(of: operation, by: call.thread, &dispatch, &process)
  }

  /// An operation is to depend on itself, on Linux: the call never returns.
  ///
  /// The library locks what is depended on, then what depends on it, and such a lock is not recursive.
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addDependency; measured.
  /// Nothing of this kind is known of Apple's: there the operation waits for itself.
  private mutating func lockTwice(
    _ operation: OperationRecord.Index, _ call: Call, _ locks: inout LockRuntime,
    _ process: inout Process
  ) -> CallResult {
    demand(!call.thread.isNone, "operation \(operation) is locked twice by the world outside")
    let name = process.kernel.intern(operationName(operation, process))
    let lock = locks.make(
      LockMakeArguments(own: .mutex), name: name.index, &process.kernel)
    locks.take(lock, call.thread, &process.kernel)
    return process.advance(locks.lock(lock, call.thread, deadline: nil, &process.kernel), call)
  }

  /// Gives operations as an array; they can be named from now on.
  mutating func giveOperations(
    _ found: [OperationRecord.Index], _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    var elements: [Int64] = []
    for operation in found {
      demand(operations.contains(operation), "operation \(operation) is given up, and is named")
      operations[operation].flags.insert(.named)
      elements.append(operation.register)
    }
    process.give(process.keep(elements), call)
    return .next
  }

  // MARK: Properties

  /// Sets the priority; an operation that waits goes behind those of its new one.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, changePriority and
  /// _addOperations.
  private mutating func setPriority(
    of operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  ) {
    let name = process.given(1, call)
    guard let given = name.flatMap({ priority($0, process) }) else { return }
    operations[operation].priority = given
    let record = operations[operation]
    if record.queue.isNone || record.rank == given { return }
    demand(
      record.rank != .barrier && !record.flags.contains(.barrier),
      "operation \(operation), a barrier, is given a priority")
    operations[operation].rank = given
    place(operation)
  }

  private mutating func setReadiness(
    of operation: OperationRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    discardClosure(operations[operation].readiness, &process)
    process.kernel.releases(.operationState, operation.raw, by: call.thread)
    assert(
      !asking.contains(operation),
      "operation \(operation) is asked for the readiness that it gets anew")
    let isGiven = process.argument(1, call) != noValue
    operations[operation].readiness = isGiven ? process.activity(1, call) : .none
    operations[operation].readinessRuns = 0
    hasOwnReadiness = true
    operations[operation].flags.remove(.gateIsOpen)
    noteReadiness(of: operation, by: call.thread, &dispatch, &process)
  }

  private mutating func setCompletion(
    of operation: OperationRecord.Index, _ call: Call, _ process: inout Process
  ) {
    discardClosure(operations[operation].completion, &process)
    let isGiven = process.argument(1, call) != noValue
    operations[operation].completion = isGiven ? process.activity(1, call) : .none
  }

  mutating func say(_ flag: OperationFlags, _ isTrue: Bool, of operation: OperationRecord.Index) {
    assert(
      flag.isDisjoint(with: [.block, .asynchronous, .barrier, .part]),
      "operation \(operation) becomes another kind of operation, \(flag.rawValue)")
    if isTrue {
      operations[operation].flags.insert(flag)
    } else {
      operations[operation].flags.remove(flag)
    }
  }

  mutating func discardClosure(_ closure: FrameIndex, _ process: inout Process) {
    if !closure.isNone { process.drop(closure) }
  }

  // MARK: Announcing

  /// Notes that observers of an operation were told about a value.
  mutating func announce(
    _ key: ObservedKey, _ value: Bool, of operation: OperationRecord.Index, by thread: ThreadID,
    _ process: inout Process
  ) {
    if !process.kernel.recorder.isOn { return }
    let number = Int(key.rawValue)
    if observedNames[number] < 0 {
      observedNames[number] = process.kernel.intern("\(key)").index
    }
    record(announced: observedNames[number], value, of: operation, by: thread, &process)
  }

  /// Notes the same of a key that the trace names.
  mutating func announce(
    key: String, _ value: Bool, of operation: OperationRecord.Index, by thread: ThreadID,
    _ process: inout Process
  ) {
    if !process.kernel.recorder.isOn { return }
    record(
      announced: process.kernel.intern(key).index, value, of: operation, by: thread, &process)
  }

  private func record(
    announced name: Int32, _ value: Bool, of operation: OperationRecord.Index, by thread: ThreadID,
    _ process: inout Process
  ) {
    process.kernel.record(
      .valueAnnounced, thread: thread, object: operations[operation].name, other: name,
      value: value ? 1 : 0)
  }

  // MARK: Which one runs

  private mutating func giveCurrentOperation(_ call: Call, _ process: inout Process) -> CallResult {
    let operation = innermostOperation(of: call.thread, process)
    if operation.isNone { return process.crash("Fatal error: no operation runs here", call) }
    operations[operation].flags.insert(.named)
    process.give(operation.register, call)
    return .next
  }

  private func giveOwnIsCancelled(_ call: Call, _ process: inout Process) {
    let operation = innermostOperation(of: call.thread, process)
    if operation.isNone {
      process.kernel.acquires(.threadCancellation, call.thread.index, by: call.thread)
    } else {
      process.kernel.acquires(.operationState, operation.raw, by: call.thread)
    }
    process.give(
      !operation.isNone
        ? operations[operation].flags.contains(.cancelled)
        : process.kernel.threads[call.thread].flags.contains(.cancelled), call)
  }

  /// The innermost operation that a thread runs.
  func innermostOperation(of thread: ThreadID, _ process: borrowing Process)
    -> OperationRecord.Index
  {
    let frame = innermostOperationFrame(of: thread, process)
    assert(
      frame.isNone || operations.contains(OperationFrame(frame, process.frames).operation),
      "thread \(thread.index) runs an operation that is gone")
    return frame.isNone ? .none : OperationFrame(frame, process.frames).operation
  }

  /// The frame of the innermost operation that a thread runs; -1 for none.
  func innermostOperationFrame(of thread: ThreadID, _ process: borrowing Process) -> FrameIndex {
    var frame = thread.isNone ? .none : process.kernel.threads[thread].frame
    while !frame.isNone && process.frames.activity(frame) != .operation {
      frame = process.frames.parent(frame)
    }
    return frame
  }

  /// What an operation is called.
  func operationName(_ operation: OperationRecord.Index, _ process: borrowing Process) -> String {
    let name = operations[operation].name
    return name < 0 ? "operation \(operation)" : process.kernel.text(name)
  }

  /// What an operation queue is called.
  func operationQueueName(_ queue: OperationQueueRecord.Index, _ process: borrowing Process)
    -> String
  {
    if queues[queue].isMain { return "NSOperationQueue Main Queue" }
    return process.kernel.text(queues[queue].name)
  }
}
