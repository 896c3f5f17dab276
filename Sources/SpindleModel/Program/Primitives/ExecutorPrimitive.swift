/// Executors: a thread for each task, a pool, and handing work to any of them.
@usableFromInline
package enum ExecutorPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, stackSize (size) → executor.
  case threadPerTaskMake
  /// name, width (integer) → executor.
  case threadPoolMake
  /// name, limit (integer, 0 for an actor) → executor.
  case tasksMake
  /// executor, name, kind, group, closure.
  case async
}
