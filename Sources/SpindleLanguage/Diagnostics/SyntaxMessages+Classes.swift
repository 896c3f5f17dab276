/// Wordings about the form of classes, in alphabetical order.
extension SyntaxMessage {
  static func expectedCase(_ found: String) -> String {
    "an 'enum' of a trace has cases, functions and what it computes, not \(found)"
  }
  static let storedOfEnum =
    "a case holds nothing: compute this by '{ value }', or keep it in a 'var' beside the value"
  static func expectedClassMember(_ found: String) -> String {
    "expected a member of the class ('let', 'var', 'func', 'init'), not \(found)"
  }
  static let failableInit = "an 'init' of a trace always makes an instance; leave the sign out"
  static let lazyField = "only a 'var' of a class is made when it is first read; leave 'lazy' out"
  static func lazyTask(_ name: String) -> String {
    "write the type of '\(name)', whose task is made when it is first read: 'lazy var \(name): Task<Int, Never>'"
  }
  static func lazyType(_ name: String) -> String {
    "write the type of '\(name)', whose value is made when it is first read: 'lazy var \(name): Int'"
  }
  static let observersAlone = "beside 'willSet' and 'didSet' a property has nothing in its braces"
  static let observersOfClass =
    "'willSet' and 'didSet' go with a 'var' of a class or at the top; write a function that sets this one"
  static func observedType(_ name: String) -> String {
    "write the type of '\(name)', which its observers are given: 'var \(name): Int'"
  }
  static let propertyObserver =
    "a property of a trace is stored, or computed by '{ value }' or '{ get { value } set { … } }'; write a method that "
    + "sets it"
  static let secondDeinit = "a class has one 'deinit'"
  static func structFieldType(_ name: String) -> String {
    "write the type of '\(name)', which is given when a value is made: 'let \(name): Int'"
  }
}
