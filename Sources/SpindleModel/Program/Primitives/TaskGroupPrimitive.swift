/// Groups of child tasks.
@usableFromInline
package enum TaskGroupPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// boolean: whether it discards what its tasks give → group.
  case make
  /// group, name, kind, queue that is preferred, priority (symbol), executor, closure, boolean: not when it
  /// is cancelled → boolean.
  case add
  /// group → what the next task to end gave, or nothing; throws what that threw. Suspends.
  case next
  /// group. Throws the first error. Suspends until all tasks have ended.
  case waitForAll
  /// group.
  case cancelAll
  /// group → boolean.
  case isCancelled
  /// group → boolean.
  case isEmpty
  /// group, whose scope ends. Suspends until all tasks have ended.
  case finish
  /// group, out of whose scope an error leads. Cancels all, and suspends until they have ended.
  case abandon
}
