import SpindleModel

/// How the compiler is asked to compile a set of Swift files.
struct FileOptions {
  /// Whether what says nothing of its isolation belongs to the main actor.
  ///
  /// Source: SE-0466, "Control default actor isolation inference".
  var isMainActor = false
  /// Whether an `async` function without isolation runs where its caller does.
  ///
  /// Source: SE-0461, "Run nonisolated async functions on the caller's actor by default".
  var staysWithCaller = false

  /// What can be written behind `include`.
  static let expected =
    "an included file has 'defaultIsolation: .mainActor' or '.nonisolated', and "
    + "'nonisolatedNonsendingByDefault: true' or 'false'"

  /// Takes over what is written; whether that is an option with one of its values.
  mutating func set(_ name: String, _ value: String) -> Bool {
    switch (name, value) {
    case ("defaultIsolation", ".mainActor"): isMainActor = true
    case ("defaultIsolation", ".nonisolated"): isMainActor = false
    case ("nonisolatedNonsendingByDefault", "true"): staysWithCaller = true
    case ("nonisolatedNonsendingByDefault", "false"): staysWithCaller = false
    default: return false
    }
    return true
  }
}
