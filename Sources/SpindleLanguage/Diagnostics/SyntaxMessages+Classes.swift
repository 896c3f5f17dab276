/// Wordings about the form of classes, in alphabetical order.
extension SyntaxMessage {
  static func expectedClassMember(_ found: String) -> String {
    "expected a member of the class ('let', 'var', 'func', 'init'), not \(found)"
  }
  static let failableInit = "an 'init' of a trace always makes an instance; leave the sign out"
  static let lazyField = "a field gets its value when the instance is made; leave 'lazy' out"
  static let nestedType = "a class stands at the top of a trace: move it there"
  static let propertyObserver =
    "a property of a trace is stored, or computed by '{ value }'; write a method that sets it"
  static let secondDeinit = "a class has one 'deinit'"
}
