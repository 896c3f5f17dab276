import SpindleModel

/// The instance that a function of a class is called on; it stands in front of the arguments.
enum CallReceiver {
  /// The function is no method.
  case none
  case object(Operand)
  /// A copy of the struct that an expression is, made when all arguments are there, and put into its place.
  case changed(Operand, Expression)
  /// One that is made when all arguments are there, of a class, with a name.
  case new(ClassID, NameID)

  /// Whether it takes a register.
  var takesRoom: Bool {
    if case .none = self { return false }
    return true
  }
}
