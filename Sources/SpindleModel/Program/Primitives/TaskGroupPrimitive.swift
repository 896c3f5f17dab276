/// Groups of child tasks.
@usableFromInline
package enum TaskGroupPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// boolean: whether it discards what its tasks give, `LifeKind` of that or 0 → group.
  case make
  /// group, name, kind, queue that is preferred, priority (symbol), executor, closure, `TaskAdding` → boolean:
  /// whether it was added.
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
  /// group, out of whose scope an error leads and whose tasks are cancelled. Suspends until all have ended.
  case abandon
  /// group all of whose tasks have ended: what nobody took is let go of.
  case dropResults
}

/// How a group takes a task, as a set of bits.
@usableFromInline
package struct TaskAdding: OptionSet, Hashable, Sendable, BitwiseCopyable {
  @usableFromInline
  package let rawValue: Int64

  @usableFromInline
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Not when the group is cancelled.
  package static let unlessCancelled = TaskAdding(rawValue: 1)
  /// It begins on the thread of who adds it.
  package static let immediate = TaskAdding(rawValue: 2)
  /// Its name is one that the program gave it.
  package static let named = TaskAdding(rawValue: 4)
}
