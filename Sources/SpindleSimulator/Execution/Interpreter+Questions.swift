import SpindleModel

/// Asking operations for a readiness of their own: code of the trace that runs on no thread and at no
/// cost, in the middle of what others do.
extension Interpreter {
  /// Asks the operation whose readiness a call looks at; whether the call can go on.
  mutating func askBefore(_ primitive: Primitive, _ call: Call) -> Bool {
    guard let operation = operations.asked(by: primitive, call, process) else { return true }
    ask(operation)
    return process.outcome == nil
  }

  /// Asks whoever is to be asked, until nobody is.
  mutating func askOperations() {
    while let operation = operations.nextQuestion(&dispatch, &process) {
      assert(
        operations.operations.contains(operation), "operation \(operation) is asked, and is gone")
      ask(operation)
      operations.goOnAsked(&dispatch, &process)
    }
  }

  /// Reports what the end of the run shows of operations, and asks what waits for its own readiness
  /// only.
  mutating func reportOperations() {
    var report = OperationReport()
    while let operation = operations.reportOperations(&report, &process) { ask(operation) }
  }

  /// Asks an operation; what its answer depends on may ask others, all of which is done first.
  private mutating func ask(_ operation: OperationRecord.Index) {
    if !operations.beginAsking(operation, &process) { return }
    let waiting = operations.takeQuestions()
    assert(operations.questions.isEmpty, "questions wait inside of a question")
    let frame = operations.readinessFrame(of: operation, &process)
    let isTrue = runWorld(frame: frame) == 1
    operations.answer(operation, isTrue)
    operations.putBack(waiting, process)
    operations.endAsking(operation)
  }
}
