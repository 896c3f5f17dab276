import SpindleModel

/// Priorities of tasks as numbers: what they are compared by.
extension Lowering {
  /// The raw value of a priority of tasks.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, TaskPriority.
  mutating func rawValue(ofPriority made: Operand, _ range: SourceRange) -> Operand {
    let numbers = TaskPriority.allCases.map { (name: Int64(intern($0.name).index), $0.rawNumber) }
    if let constant = made.constant, let known = numbers.first(where: { $0.name == constant }) {
      return .constant(known.1, .integer)
    }
    let from = register(of: made, range)
    let (result, test, end) = (frame.allocate(), frame.allocate(), frame.label())
    for (name, number) in numbers {
      emit(.constant(number, to: result), range)
      emit(.constant(name, to: test), range)
      emit(.equal(test, from, test), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .integer)
  }
}

extension TaskPriority {
  /// What Swift calls its raw value.
  fileprivate var rawNumber: Int64 {
    switch self {
    case .background: 9
    case .low: 17
    case .medium: 21
    case .high: 25
    }
  }
}
