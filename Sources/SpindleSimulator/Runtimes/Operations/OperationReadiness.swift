import SpindleModel

/// What is still to be done when operations have been asked for a readiness of their own.
///
/// It is a closure of the trace, and only the execution runs code: so whoever has to ask notes it, with
/// all that it would do then, and goes on when the answer is there.
enum ReadinessQuestion {
  /// The operation's observers and its queue are told when its readiness is another one.
  case note(OperationRecord.Index, by: ThreadID)
  /// They are told in any case.
  case tell(OperationRecord.Index, by: ThreadID)
  /// An operation has finished: the dependents are told, the first of which is to be asked, and then
  /// all others.
  case finish(FinishedOperation, dependents: ArraySlice<OperationRecord.Index>)
  /// Operations are added to a queue, the first of which is to be asked.
  case add(ArraySlice<OperationRecord.Index>, queue: OperationQueueRecord.Index, Call)
  /// All of a queue are cancelled: those behind this one are next.
  case cancelBehind(OperationRecord.Index, by: ThreadID)

  /// The operation that is asked before anything goes on; nil for none.
  var operation: OperationRecord.Index? {
    switch self {
    case .note(let operation, _), .tell(let operation, _): operation
    case .finish(_, let dependents): dependents.first
    case .add(let operations, _, _): operations.first
    case .cancelBehind: nil
    }
  }
}

/// Operations with a readiness of their own.
extension OperationRuntime {
  /// The operation whose own readiness a call looks at, which is asked before it is made; nil for none.
  func asked(by primitive: Primitive, _ call: Call, _ process: borrowing Process)
    -> OperationRecord.Index?
  {
    guard hasOwnReadiness, case .operation(let primitive) = primitive else { return nil }
    let operation: OperationRecord.Index
    switch primitive {
    case .start:
      operation = process.operation(0, call)
      let record = operations[operation]
      // What `start` refuses, or does anyway, it does without asking.
      if record.flags.contains(.asynchronous) || record.state != .initialized { return nil }
    case .isReady: operation = process.operation(0, call)
    case .make, .addBlock, .addDependency, .removeDependency, .dependencies, .cancel, .wait,
      .current, .ownIsCancelled, .isCancelled, .isExecuting, .isFinished, .isAsynchronous,
      .asksEnd, .setExecuting, .setFinished, .setReadiness, .setCompletion, .name, .queuePriority,
      .threadPriority, .qualityOfService, .setName, .setQueuePriority, .setQualityOfService,
      .setThreadPriority, .willChange, .didChange, .finish:
      return nil
    }
    return isAsked(operation) ? operation : nil
  }

  /// Whether an operation has a readiness of its own that still counts.
  func isAsked(_ operation: OperationRecord.Index) -> Bool {
    !operations[operation].readiness.isNone && operations[operation].state <= .enqueued
  }

  /// The next operation that is to be asked; nil when none is.
  mutating func nextQuestion(_ dispatch: inout DispatchRuntime, _ process: inout Process)
    -> OperationRecord.Index?
  {
    while let question = questions.first {
      if process.outcome != nil {
        questions.removeAll()
        return nil
      }
      if let operation = question.operation, isAsked(operation) { return operation }
      goOnAsked(&dispatch, &process)
    }
    return nil
  }

  /// Goes on where an operation had to be asked; what comes of it comes before all that waits.
  mutating func goOnAsked(_ dispatch: inout DispatchRuntime, _ process: inout Process) {
    if process.outcome != nil { return }
    demand(!questions.isEmpty, "an operation was asked, and nobody wanted to know")
    let question = questions.removeFirst()
    let waiting = takeQuestions()
    switch question {
    case .note(let operation, let thread):
      noteAnswer(of: operation, by: thread, &dispatch, &process)
    case .tell(let operation, let thread):
      tellAnswer(of: operation, by: thread, &dispatch, &process)
    case .finish(let finished, let dependents):
      noteAnswer(of: dependents[dependents.startIndex], by: finished.thread, &dispatch, &process)
      goOnFinishing(finished, dependents.dropFirst(), &dispatch, &process)
    case .add(let added, let queue, let call):
      enter(added[added.startIndex], queue, call, &process)
      goOnAdding(added.dropFirst(), to: queue, call, &dispatch, &process)
    case .cancelBehind(let operation, let thread):
      cancelAll(from: operations[operation].members.next, by: thread, &dispatch, &process)
    }
    questions += waiting
  }

  /// Takes all questions away, for what is asked meanwhile to be answered first.
  mutating func takeQuestions() -> [ReadinessQuestion] {
    let waiting = questions
    questions.removeAll()
    return waiting
  }

  /// Puts questions back that were taken away.
  mutating func putBack(_ waiting: [ReadinessQuestion], _ process: borrowing Process) {
    demand(
      questions.isEmpty || process.outcome != nil,
      "an operation was asked, and \(questions.count) questions are open that this raised")
    questions = waiting
  }

  /// How often an operation may be asked while it is being asked, and how many may be asked one inside
  /// another.
  ///
  /// Assumptions that bound a recursion, as the size of a stack does: code that runs on a thread has
  /// frames there, and what is asked has none. The first is what no closure needs that comes to an end,
  /// the second what the host's own stack has room for.
  static let (deepestOwn, deepest) = (100, 500)

  /// An operation is going to be asked; false where that ends the run.
  ///
  /// Foundation's `isReady` is a property: one whose getter reads or announces it again calls itself,
  /// until the thread has no stack left.
  mutating func beginAsking(_ operation: OperationRecord.Index, _ process: inout Process) -> Bool {
    asking.append(operation)
    if asking.count <= Self.deepestOwn { return true }
    let own = asking.count { $0 == operation }
    if own <= Self.deepestOwn && asking.count <= Self.deepest { return true }
    if process.outcome == nil { crash(asking: operation, isOwn: own > Self.deepestOwn, &process) }
    asking.removeLast()
    return false
  }

  private mutating func crash(
    asking operation: OperationRecord.Index, isOwn: Bool, _ process: inout Process
  ) {
    let record = operations[operation]
    let closure = process.blocks[Int(process.frames.block(record.readiness))].entry
    let name = operationName(operation, process)
    // Who is asked between two times that it is, in order.
    let between = asking.dropLast().reversed().prefix { $0 != operation }.reversed()
    process.kernel.report(
      .operationMisuse, thread: .none, places: [closure, record.madeAt],
      isOwn
        ? FindingText.readinessAsksItself(name, by: between.map { operationName($0, process) })
        : FindingText.readinessTooDeep(name, depth: asking.count))
    process.crash(
      "stack overflow: '\(name)' is asked whether it is ready while "
        + (isOwn ? "it is being asked" : "\(asking.count - 1) others are"), .none, at: closure)
  }

  /// An operation has been asked.
  mutating func endAsking(_ operation: OperationRecord.Index) {
    demand(asking.last == operation, "operation \(operation) was not the last that was asked")
    asking.removeLast()
  }

  /// The frame that asks an operation.
  mutating func readinessFrame(of operation: OperationRecord.Index, _ process: inout Process)
    -> FrameIndex
  {
    let record = operations[operation]
    demand(!record.readiness.isNone, "operation \(operation) has no readiness of its own")
    var handler = Handler(
      closure: record.readiness, key: process.frames.key(record.readiness),
      runs: record.readinessRuns)
    let frame = process.activate(&handler, parent: .none, argument: operation.register)
    operations[operation].readinessRuns = handler.runs
    return frame
  }

  /// An operation has been asked.
  mutating func answer(_ operation: OperationRecord.Index, _ isTrue: Bool) {
    say(.gateIsOpen, isTrue, of: operation)
  }

  /// Tells the observers of an operation, and its queue, when its readiness is another one.
  mutating func noteReadiness(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    assert(questions.isEmpty, "the readiness of \(operation) is told before an older question")
    if isAsked(operation) {
      questions.append(.note(operation, by: thread))
    } else {
      noteAnswer(of: operation, by: thread, &dispatch, &process)
    }
  }

  /// Tells an operation's readiness to its observers and its queue, whether it changed or not.
  mutating func tellReadiness(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    assert(questions.isEmpty, "the readiness of \(operation) is told before an older question")
    if isAsked(operation) {
      questions.append(.tell(operation, by: thread))
    } else {
      tellAnswer(of: operation, by: thread, &dispatch, &process)
    }
  }

  mutating func noteAnswer(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    list(operation)
    let record = operations[operation]
    demand(
      !record.flags.contains(.part),
      "part \(operation) of operation \(record.whole) becomes ready, which nobody waits for")
    if record.isReady != record.flags.contains(.knownReady) {
      say(.knownReady, record.isReady, of: operation)
      announce(.isReady, record.isReady, of: operation, by: thread, &process)
    }
    if record.isReady && !record.queue.isNone {
      schedule(record.queue, by: thread, &dispatch, &process)
    }
  }

  private mutating func tellAnswer(
    of operation: OperationRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let isReady = operations[operation].isReady
    say(.knownReady, isReady, of: operation)
    announce(.isReady, isReady, of: operation, by: thread, &process)
    list(operation)
    let queue = operations[operation].queue
    if isReady && !queue.isNone { schedule(queue, by: thread, &dispatch, &process) }
  }
}
