import SpindleModel

/// Who cut a run off while something went on.
///
/// A limit of steps or host time is an outcome of its own, and a horizon that the trace itself states cuts
/// off nothing.
package enum RunCut: String, Hashable, Sendable {
  /// The command line says when it ends.
  case until
  /// Somebody at the terminal pressed ^C.
  case interrupt

  /// How such a run ended, for people.
  func words(at end: Instant) -> String {
    switch self {
    case .until: "cut off at \(end)"
    case .interrupt: "cut off at \(end) by ^C"
    }
  }
}
