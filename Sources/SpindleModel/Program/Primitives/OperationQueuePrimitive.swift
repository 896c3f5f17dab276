/// Operation queues.
@usableFromInline
package enum OperationQueuePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, maxConcurrentOperationCount (integer or `noValue`), qualityOfService (symbol),
  /// underlyingQueue (dispatch queue or `noValue`) → operation queue.
  case make
  /// → operation queue: the main one; or the one whose operation this thread runs, or `noValue`.
  case main, current
  /// operation queue, operation.
  case add
  /// operation queue, array of operations, boolean: whether to wait until they are finished.
  case addAll
  /// operation queue, name, kind, closure, teardown (closure or `noValue`).
  case addBlock
  /// operation queue, name, kind, closure: a barrier.
  case addBarrier
  /// operation queue, name, kind, group, closure.
  case async
  /// operation queue: cancels all its operations; waits until it is empty.
  case cancelAll, waitAll
  /// operation queue → array of operations.
  case operations
  /// operation queue → integer; the limit is -1 for as many as there is room for.
  case count, limit
  /// operation queue → boolean, string, symbol, dispatch queue or `noValue`.
  case isSuspended, name, qualityOfService
  case underlying
  /// operation queue and a value as above.
  case setLimit, setSuspended, setName
  case setQualityOfService, setUnderlying
}
