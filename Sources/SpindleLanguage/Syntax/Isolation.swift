/// Where code runs, as it is written in front of it.
enum Isolation: BitwiseCopyable, Sendable {
  case unspecified
  /// `@MainActor`.
  case mainActor
  /// `nonisolated`, `@concurrent`: the pool.
  case nonisolated
  /// `nonisolated(nonsending)`: wherever its caller is.
  case nonsending
  /// `@Store`, where that is a global actor of the trace.
  case global(Name)
  /// The actor that it is a member of.
  case own

  /// Whether nothing is said.
  var isUnspecified: Bool {
    if case .unspecified = self { return true }
    return false
  }
}

/// What the type of a closure says besides what it is given and what it gives: `@Sendable () async -> Void`.
struct ClosureTraits: BitwiseCopyable, Sendable {
  /// Whether it may suspend.
  var isAsync = false
  /// Whether it may be handed to code on another actor: `@Sendable`, or as a parameter `sending`.
  var isSendable = false
  var isolation = Isolation.unspecified

  /// Whether nothing is said.
  var isPlain: Bool { !isAsync && !isSendable && isolation.isUnspecified }
}
