/// Tasks of Swift concurrency.
///
/// `executor` is where code runs: -1 the pool, 0 the main actor, any other number the actor with it.
@usableFromInline
package enum TaskPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, kind, queue that is preferred, priority (symbol), `TaskMaking`, executor, closure, `LifeKind` of what that
  /// gives or 0 → task.
  case make
  /// task → what its closure gave; throws what that threw. Suspends until it has ended.
  case value
  /// task → the task. Suspends until it has ended, and throws nothing.
  case result
  /// task that has ended → what its closure gave; throws what that threw.
  case get
  /// task that has ended → boolean: whether it threw nothing.
  case isSuccess
  /// task that has ended → what it threw.
  case failure
  /// task.
  case cancel
  /// task → boolean.
  case isCancelled
  /// task, priority.
  case escalate
  /// → boolean: whether the task that runs here is cancelled.
  case ownIsCancelled
  /// Throws `CancellationError` when the task that runs here is cancelled.
  case checkCancellation
  /// Suspends, behind what is ready.
  case yield
  /// duration. Suspends; throws `CancellationError` when it is cancelled.
  case sleep
  /// instant. Suspends as `sleep` does.
  case sleepUntil
  /// duration. Suspends for input or output; ends at once when the task is cancelled.
  case io
  /// The same, which throws `CancellationError` then.
  case ioThrowing
  /// → symbol.
  case currentPriority
  /// → symbol.
  case basePriority
  /// → the task's name, or nothing.
  case ownName
  /// → the task that runs here, or nothing.
  case current
  /// executor. Goes on there; suspends where that is not at hand.
  case hop
  /// → executor: where the code runs that calls it.
  case ownExecutor
  /// executor, the name of its actor's type, or nothing for the main actor. Crashes where the code that calls
  /// it does not run there.
  case checkIsolation
  /// instance: an actor → executor.
  case makeActor
  /// executor, queue: the actor's code runs there from now on.
  case useQueue
  /// queue, or nothing → queue, or nothing: what the task prefers from now on, and what it did.
  case prefer
  /// task: an `async let` whose scope ends. Cancels it and suspends until it has ended.
  case endLet
  /// closure: what cancelling the task calls from now on.
  case pushHandler
  /// closure of two priorities: what raising the task calls from now on.
  case pushEscalation
  /// Takes the last such closure away.
  case popHandler
  /// key, value → what the task-local with this key is bound to, the value where it is not.
  case local
  /// key, value: binds a task-local.
  case bindLocal
  /// Ends the last such binding.
  case unbindLocal
}

/// How a task begins; its place is its number.
@usableFromInline
package enum TaskStart: Int64, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// `Task { }`.
  case plain
  /// `Task.detached { }`.
  case detached
  /// `Task.immediate { }`.
  case immediate
  /// `async let`.
  case asyncLet
}

/// How a task is made: how it begins, and whether the program names it.
@usableFromInline
package struct TaskMaking: Hashable, Sendable, BitwiseCopyable {
  /// How it begins.
  package var start: TaskStart
  /// Whether its name is one that the program gave it, which its code can read; else it is only what the simulator calls it.
  package var isNamed: Bool

  package init(_ start: TaskStart, isNamed: Bool) {
    (self.start, self.isNamed) = (start, isNamed)
  }

  /// Reads one out of a register; nil where that has none.
  package init?(rawValue: Int64) {
    guard rawValue >= 0, let start = TaskStart(rawValue: rawValue >> 1) else { return nil }
    self.init(start, isNamed: rawValue & Self.named != 0)
  }

  /// The bit of its raw value that says that the program names it.
  package static let named: Int64 = 1

  package var rawValue: Int64 { start.rawValue << 1 | (isNamed ? Self.named : 0) }
}
