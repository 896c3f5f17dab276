/// Operations.
@usableFromInline
package enum OperationPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// class (1 for a block operation, else 0), name, kind, queuePriority (symbol), threadPriority
  /// (decimal), qualityOfService (symbol), isAsynchronous (boolean), closure or `noValue`, teardown
  /// (closure or `noValue`) → operation.
  case make
  /// operation, closure: one more block.
  case addBlock
  /// operation, another operation: what it depends on, or does not depend on any more.
  case addDependency, removeDependency
  /// operation → array of operations.
  case dependencies
  /// operation: runs it on the caller; cancels it; waits until it is finished.
  case start, cancel, wait
  /// → operation: the innermost one that this thread runs; crashes when there is none.
  case current
  /// → boolean: whether the operation that this thread runs was cancelled, else the thread itself.
  case ownIsCancelled
  /// operation → boolean.
  case isCancelled, isReady, isExecuting, isFinished
  case isAsynchronous
  /// operation → boolean: whether the queue that runs it asks for its end when `start` has returned.
  case asksEnd
  /// operation, boolean: what an asynchronous one says of itself; nobody is told.
  case setExecuting, setFinished
  /// operation, closure that gives a boolean: a readiness of its own.
  case setReadiness
  /// operation, closure or `noValue`: what runs when it has finished.
  case setCompletion
  /// operation → string, symbol, decimal, symbol.
  case name, queuePriority, threadPriority, qualityOfService
  /// operation, string.
  case setName
  /// operation, symbol.
  case setQueuePriority, setQualityOfService
  /// operation, decimal from 0.0 to 1.0.
  case setThreadPriority
  /// operation, key (string): no effect, as in the real library; tells observers, dependents and the
  /// queue what a value is now.
  case willChange, didChange
  /// operation: an asynchronous one reports that it has finished.
  case finish
}
