/// Where code runs, and where it goes on for a call.
extension Typed {
  /// The actor on which code runs.
  ///
  /// Source: SE-0306, SE-0316, SE-0338, SE-0461.
  enum Isolation {
    /// No actor: the pool, or for code that cannot suspend wherever it is called.
    case nonisolated
    case mainActor
    case globalActor(Nominal)
    /// The actor that a variable of this body, or of one around it, is.
    case actor(Local)
    /// The actor of the caller: `nonisolated(nonsending)`.
    case caller

    /// Whether it is no actor that is known.
    var isNonisolated: Bool {
      switch self {
      case .nonisolated, .caller: true
      case .mainActor, .globalActor, .actor: false
      }
    }

    /// Whether both are surely the same.
    func isSame(as other: Isolation) -> Bool {
      switch (self, other) {
      case (.nonisolated, .nonisolated), (.mainActor, .mainActor), (.caller, .caller): true
      case (.globalActor(let one), .globalActor(let two)): one === two
      case (.actor(let one), .actor(let two)): one === two
      default: false
      }
    }
  }

  /// How code goes on for something that is elsewhere.
  struct Hop {
    /// Where it goes on in front of that; nil where what is called goes there by itself.
    var target: HopTarget?
    /// Whether it goes back behind that.
    var comesBack = true
  }

  enum HopTarget {
    case isolation(Isolation)
    /// The actor in front of the point.
    case receiver
    /// The actor that is given for the parameter with this number.
    case argument(Int)
  }
}
