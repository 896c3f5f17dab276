/// Executors: a thread for each task, a pool, and handing work to any of them.
@usableFromInline
package enum ExecutorPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, stackSize (size) → executor.
  case threadPerTaskMake
  /// name, width (integer or `noValue`: one for each core), kind (the raw value of a `PoolKind`), how long a
  /// worker of a cached pool stays without work (duration or `noValue`) → executor.
  case threadPoolMake
  /// name, limit (integer, 0 for an actor) → executor.
  case tasksMake
  /// executor, name, kind, group, closure.
  case async
}

/// How a pool has its workers and hands out its items.
package enum PoolKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// So many workers at most, which take items in order from one queue: `ThreadPool`.
  case fixed
  /// So many workers at most, each with a deque of its own: `WorkStealingPool`.
  case stealing
  /// A worker more whenever all are busy; each ends when it has had nothing to do for a time:
  /// `CachedThreadPool`.
  case cached

  /// The class's name in the trace language.
  package var name: String {
    switch self {
    case .fixed: "ThreadPool"
    case .stealing: "WorkStealingPool"
    case .cached: "CachedThreadPool"
    }
  }
}
