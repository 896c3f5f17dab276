import SpindleModel

/// Asking operations for a readiness of their own: code of the trace that runs on no thread and at no
/// cost, in the middle of what others do.
extension Interpreter {
  /// Asks the operations whose readiness a call looks at.
  mutating func askBefore(_ primitive: Primitive, _ call: Call) {
    for operation in operations.asked(by: primitive, call, process) {
      ask(operation)
      if process.outcome != nil { return }
    }
  }

  /// Asks whoever is to be asked, until nobody is.
  mutating func askOperations() {
    while let operation = operations.nextQuestion(&dispatch, &process) {
      ask(operation)
      operations.goOnAsked(&dispatch, &process)
    }
  }

  /// Asks what waits for its own readiness only when the run has ended.
  mutating func askAtEnd() {
    for operation in operations.askedAtEnd(process) { ask(operation, isAtEnd: true) }
  }

  private mutating func ask(_ operation: Int32, isAtEnd: Bool = false) {
    let frame = operations.readinessFrame(of: operation, &process)
    let isTrue = runWorld(frame: frame) == 1
    operations.answer(operation, isTrue, isAtEnd: isAtEnd)
  }
}
