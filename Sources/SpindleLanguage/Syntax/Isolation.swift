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
