import SpindleModel

/// What is still to be done when the readiness of an operation's own has been asked.
///
/// It is a closure of the trace, and only the execution runs code: so whoever has to ask notes it, and
/// goes on when the answer is there.
enum ReadinessQuestion {
  /// The operation's observers and its queue are told when it is another one.
  case note(Int32, by: Int32)
  /// They are told in any case.
  case tell(Int32, by: Int32)
  /// An operation has finished: the rest of its dependents is told, and then all others.
  case finish(Int32, dependents: [Int32], by: Int32)
}

/// Operations with a readiness of their own.
extension OperationRuntime {
  /// The operations whose own readiness a call looks at, which are asked before it is made.
  func asked(by primitive: Primitive, _ call: Call, _ process: borrowing Process) -> [Int32] {
    if !hasOwnReadiness { return [] }
    switch primitive {
    case .operation(.start):
      let operation = process.object(0, call)
      let record = operations[operation]
      let isRefused = record.flags.contains(.asynchronous) || record.state != .initialized
      return isRefused || !isAsked(operation) ? [] : [operation]
    case .operation(.isReady):
      return [process.object(0, call)].filter { isAsked($0) }
    case .operationQueue(.add):
      return [process.object(1, call)].filter { isAsked($0) }
    case .operationQueue(.addAll):
      if call.thread >= 0 && process.kernel.threads[call.thread].phase != 1 { return [] }
      return process.arrays[Int(process.argument(1, call))].map { Int32(truncatingIfNeeded: $0) }
        .filter { isAsked($0) }
    default: return []
    }
  }

  /// The next operation that is to be asked; nil when none is.
  mutating func nextQuestion(_ dispatch: inout DispatchRuntime, _ process: inout Process) -> Int32?
  {
    while let question = questions.first {
      if process.outcome != nil {
        questions.removeAll()
        return nil
      }
      switch question {
      case .note(let operation, _), .tell(let operation, _):
        if isAsked(operation) { return operation }
        goOnAsked(&dispatch, &process)
      case .finish: goOnAsked(&dispatch, &process)
      }
    }
    return nil
  }

  /// Goes on where an operation had to be asked.
  mutating func goOnAsked(_ dispatch: inout DispatchRuntime, _ process: inout Process) {
    if process.outcome != nil { return }
    switch questions.removeFirst() {
    case .note(let operation, let thread):
      noteAnswer(of: operation, by: thread, &dispatch, &process)
    case .tell(let operation, let thread):
      tellAnswer(of: operation, by: thread, &dispatch, &process)
    case .finish(let operation, let dependents, let thread):
      goOnFinishing(operation, dependents[...], by: thread, &dispatch, &process)
    }
  }

  /// The frame that asks an operation.
  mutating func readinessFrame(of operation: Int32, _ process: inout Process) -> Int32 {
    let record = operations[operation]
    demand(record.readiness >= 0, "operation \(operation) has no readiness of its own")
    var handler = Handler(
      closure: record.readiness, key: process.frames.key(record.readiness),
      runs: record.readinessRuns)
    let frame = process.activate(&handler, parent: -1, argument: Int64(operation))
    operations[operation].readinessRuns = handler.runs
    return frame
  }

  /// An operation has been asked.
  mutating func answer(_ operation: Int32, _ isTrue: Bool, isAtEnd: Bool = false) {
    if isAtEnd {
      if isTrue { wouldBeReady.append(operation) }
    } else {
      say(.gateIsOpen, isTrue, of: operation)
    }
  }

  /// Tells the observers of an operation, and its queue, when its readiness is another one.
  mutating func noteReadiness(
    of operation: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if isAsked(operation) {
      questions.append(.note(operation, by: thread))
    } else {
      noteAnswer(of: operation, by: thread, &dispatch, &process)
    }
  }

  /// Tells an operation's readiness to its observers and its queue, whether it changed or not.
  mutating func tellReadiness(
    of operation: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if isAsked(operation) {
      questions.append(.tell(operation, by: thread))
    } else {
      tellAnswer(of: operation, by: thread, &dispatch, &process)
    }
  }

  mutating func noteAnswer(
    of operation: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    list(operation)
    let record = operations[operation]
    if record.isReady != record.flags.contains(.knownReady) {
      say(.knownReady, record.isReady, of: operation)
      announce("isReady", record.isReady, of: operation, by: thread, &process)
    }
    if record.isReady && record.queue >= 0 {
      schedule(record.queue, by: thread, &dispatch, &process)
    }
  }

  private mutating func tellAnswer(
    of operation: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let isReady = operations[operation].isReady
    say(.knownReady, isReady, of: operation)
    announce("isReady", isReady, of: operation, by: thread, &process)
    list(operation)
    let queue = operations[operation].queue
    if isReady && queue >= 0 { schedule(queue, by: thread, &dispatch, &process) }
  }
}
