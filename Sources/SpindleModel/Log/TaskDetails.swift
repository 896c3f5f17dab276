/// What a task waits for; the `detail` of a `taskSuspended`.
public enum TaskWait: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// Its turn on an actor or in the pool.
  case executor
  /// The end of another task.
  case task
  /// The next result of a group.
  case group
  /// The end of all tasks of a group.
  case groupEnd
  /// A moment.
  case sleep
  /// Input or output.
  case io
  /// That others have had their turn.
  case yield
  /// Somebody's `resume`.
  case continuation
  /// An element of a stream.
  case stream

  /// What a log says of it.
  package var words: StaticString {
    switch self {
    case .executor: "for its turn"
    case .task: "for task"
    case .group: "for the next of its group"
    case .groupEnd: "for its group"
    case .sleep: "in sleep"
    case .io: "for io"
    case .yield: "to let others run"
    case .continuation: "for its continuation"
    case .stream: "for an element"
    }
  }
}

/// How urgent a task is, the least urgent first; `value` of a `taskRaised`.
@usableFromInline
package enum TaskPriority: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable,
  Comparable
{
  case background, low, medium, high

  /// What a trace calls it.
  @usableFromInline package var name: String {
    switch self {
    case .background: "background"
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }

  /// The priority that a trace calls so; Swift has two names for some.
  package init?(name: String) {
    switch name {
    case "high", "userInitiated", "userInteractive": self = .high
    case "medium", "default": self = .medium
    case "low", "utility": self = .low
    case "background": self = .background
    default: return nil
    }
  }

  @usableFromInline package static func < (left: TaskPriority, right: TaskPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
