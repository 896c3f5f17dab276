import SpindleModel

/// Where code runs, as far as its text tells.
enum Home: Equatable {
  /// On no actor: the pool, or wherever its caller is.
  case pool
  case mainActor
  /// On the actor that a symbol of this block, or of one around it, is.
  case symbol(Int32)
  /// On the actor that a register of this block has.
  case object(Register)
  /// On the global actor that a class of the trace is.
  case global(Int)
  /// Wherever its caller is, by the executor that a register has.
  case caller(Register)
}

/// How a call goes on where its function belongs, and comes back.
struct CallHop {
  /// Where this code goes on in front of the call.
  enum Target {
    case home(Home)
    /// The actor that is given for the parameter with this number.
    case parameter(Int)
  }

  var before: Target?
  /// Whether this code goes back behind the call.
  var comesBack = false
  /// Whether what is called may throw.
  var mayThrow = false
  /// What the call needs besides what its window was filled with.
  var needed: [OwnedRegister] = []

  /// A call that runs where this code does.
  static let none = CallHop()
}
