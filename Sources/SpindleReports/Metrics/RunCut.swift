import SpindleModel

/// What cut a run off while something was still under way.
///
/// A limit of steps or host time is an outcome of its own, and a horizon that the trace itself states cuts
/// off nothing.
package enum RunCut: String, Hashable, Sendable {
  /// The command line states its end.
  case until
  /// The user pressed ^C.
  case interrupt

  /// How such a run ended, for people.
  func words(at end: Instant) -> String {
    switch self {
    case .until: "cut off at \(end)"
    case .interrupt: "cut off at \(end) by ^C"
    }
  }
}
