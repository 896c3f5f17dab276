import SpindleModel

/// Priorities of tasks as numbers: what they are compared by.
extension Lowering {
  /// The raw value of a priority of tasks.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, TaskPriority.
  mutating func rawValue(ofPriority made: Operand, _ range: SourceRange) -> Operand {
    let numbers = TaskPriority.allCases.map { (Int64(intern($0.name).index), $0.rawNumber) }
    return rawValue(of: made, among: numbers, .integer, range)
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
