import SpindleModel

/// Calls.
extension Typed {
  /// A call.
  final class Call {
    let callee: Callee
    /// The arguments for the type parameters of the function and of its type, and for `Self`.
    var substitution: Substitution
    let receiver: Expression?
    let arguments: [Argument]
    /// The call without the closures behind it.
    let place: SourceRange
    var isAsync = false
    var isThrowing = false
    /// Whether an `await` is around it, and whether a `try` is.
    var isAwaited = false
    var isTried = false
    /// How the code goes on for it; nil where it stays where it is.
    var hop: Hop?
    /// Whether a `super` in front of it names the function that is called, or `type(of:)` is the `Self` of a protocol,
    /// which is the type that the method was made for.
    var isDirect = false
    /// The type of the instance that an inherited initialiser makes, or a method that gives `Self`; nil where that is its
    /// own.
    var made: SwiftType?
    /// The value that says of which type a static member or an initialiser is called; nil where the code says so.
    var metatype: Expression?
    /// The text in front of the point, for the names of kinds of work.
    let owner: SourceRange?
    let nameRange: SourceRange

    init(
      callee: Callee, substitution: Substitution, receiver: Expression?, arguments: [Argument],
      place: SourceRange, owner: SourceRange? = nil, nameRange: SourceRange
    ) {
      (self.callee, self.substitution, self.receiver) = (callee, substitution, receiver)
      (self.arguments, self.place) = (arguments, place)
      (self.owner, self.nameRange) = (owner, nameRange)
    }

    /// The same call with other parts.
    func copy(
      callee: Callee? = nil, substitution: Substitution? = nil, receiver: Expression? = nil,
      arguments: [Argument]? = nil
    ) -> Call {
      let made = Call(
        callee: callee ?? self.callee, substitution: substitution ?? self.substitution,
        receiver: receiver ?? self.receiver, arguments: arguments ?? self.arguments,
        place: place, owner: owner, nameRange: nameRange)
      (made.isAsync, made.isThrowing) = (isAsync, isThrowing)
      (made.isAwaited, made.isTried, made.hop) = (isAwaited, isTried, hop)
      (made.isDirect, made.made, made.metatype) = (isDirect, self.made, metatype)
      return made
    }
  }

  enum Callee {
    case function(FunctionSymbol)
    case local(LocalFunction)
    case closure(Expression)
  }

  enum Argument {
    case value(Expression)
    /// Any number of values for one parameter.
    case variadic([Expression])
    /// The default that the function declares.
    case standard(Expression)
    /// The default of a row of the vocabulary.
    case absent

    /// Whether the call does not write it.
    var isStandard: Bool {
      switch self {
      case .standard, .absent: true
      case .value, .variadic: false
      }
    }
  }
}
