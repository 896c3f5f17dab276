import SpindleModel

/// Priorities of tasks and operations and qualities of service as numbers: what they are compared by.
extension Lowering {
  /// The raw value of a priority of tasks.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, TaskPriority.
  mutating func rawValue(ofPriority made: Operand, _ range: SourceRange) -> Operand {
    let numbers = KnownNumbers.taskPriorities.map { (Int64(intern($0.0).index), $0.1) }
    return rawValue(of: made, among: numbers, .integer, range)
  }

  /// The raw value of a quality of service, on every platform that of Apple's.
  ///
  /// What a trace means is settled before its platform is known. Swift on Linux counts from 0 instead.
  ///
  /// Source: Foundation/NSObjCRuntime.h, NSQualityOfService; sys/qos.h, qos_class_t.
  mutating func rawValue(ofQuality made: Operand, _ range: SourceRange) -> Operand {
    let numbers = KnownNumbers.qualities
    let pairs = numbers.map { (Int64(intern($0.0).index), $0.1) }
    return rawValue(of: made, among: pairs, .integer, range)
  }

  /// The raw value of an operation's priority in its queue.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, Operation.QueuePriority.
  mutating func rawValue(ofQueuePriority made: Operand, _ range: SourceRange) -> Operand {
    let numbers = KnownNumbers.queuePriorities
    let pairs = numbers.map { (Int64(intern($0.0).index), $0.1) }
    return rawValue(of: made, among: pairs, .integer, range)
  }
}
