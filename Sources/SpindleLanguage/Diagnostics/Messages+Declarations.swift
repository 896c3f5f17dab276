/// Wordings about declarations and the code that uses them, in alphabetical order.
extension Messages {
  static let asyncVariable = "'async' is for 'let': write 'async let'"
  static func classProtocol(_ name: String, _ requirement: String) -> String {
    "'\(name)' can't conform to '\(requirement)', which is for classes and actors"
  }
  static func conformance(_ type: String, _ requirement: String) -> String {
    "'\(type)' does not conform to '\(requirement)'"
  }
  static func escaping(_ name: String) -> String {
    "'\(name)' would outlive the call here: declare it as '@escaping'"
  }
  static let failingDelegate =
    "what is called here may fail, and this 'init' may not: declare it as 'init?'"
  static func fallsIntoNames(_ name: String) -> String {
    "'fallthrough' leads to a 'case' that binds '\(name)', which has no value then"
  }
  static let fallsOut = "'fallthrough' continues with the next 'case', and none follows"
  static let fallsOutside = "'fallthrough' belongs in a 'case' of a 'switch'"
  static func finalClass(_ name: String) -> String {
    "'\(name)' is final: no class inherits from it"
  }
  static func finalMember(_ name: String, _ owner: String) -> String {
    "'\(name)' of '\(owner)' is final, and can't be overridden"
  }
  static func isolatedValue(_ type: String) -> String {
    "an 'isolated' parameter is an actor, and \(type) is not"
  }
  static func missingSuper(_ parent: String) -> String {
    "this 'init' does not call 'super.init(…)', and '\(parent)' has no 'init' that can be left out"
  }
  static func literalOutOfRange(_ text: String, _ type: String) -> String {
    "'\(text)' does not fit in \(type)"
  }
  static func noInitializer(_ name: String, _ field: String) -> String {
    "'\(name)' has no 'init', and '\(field)' has no value: give it one, or declare an 'init'"
  }
  static func notMutating(_ function: String) -> String {
    "'self' can't be changed here: declare '\(function)' as 'mutating'"
  }
  static func notDelegated(_ owner: String) -> String {
    "this 'init' ends on some way without '\(owner)'"
  }
  static let lentSelf =
    "a closure that outlives a 'mutating' call can't use its 'self': copy what it needs to a 'let'"
  static let lateDefault = "'default' comes last: no 'case' behind it is looked at"
  static func openParameter(_ name: String) -> String {
    "nothing here says what '\(name)' is: give the value a type, or pass the type as an argument"
  }
  static let overlappingReferences =
    "two 'inout' arguments of one call can't be the same variable: Swift allows one access at a time"
  static func patternLabel(_ found: String, _ expected: String?) -> String {
    expected.map { "this value is called '\($0)', not '\(found)'" }
      ?? "this value has no label, and '\(found)' is one"
  }
  static func plainSequence(_ type: String) -> String {
    "\(type) is no asynchronous sequence: leave 'await' out"
  }
  static let rawBesideValues = "a case with values has no raw value: leave the raw type out"
  static func rawOfOtherType(_ type: String) -> String {
    "the raw values of this 'enum' are literals of type \(type)"
  }
  static func rawTwice(_ name: String, _ other: String) -> String {
    "'\(name)' has the same raw value as '\(other)'"
  }
  static func rawWithoutType(_ name: String) -> String {
    "a case has a raw value only where the 'enum' has a raw type: 'enum \(name): Int'"
  }
  static func storedAbove(_ name: String) -> String {
    "a class above has '\(name)' already: a stored property can't replace it"
  }
  static func storedInEnum(_ name: String) -> String {
    "an 'enum' stores no properties: compute '\(name)', make it 'static', or give the cases values"
  }
  static let strayReference =
    "'&' passes a variable to an 'inout' parameter, and this parameter is not 'inout'"
  static let taskLocalInstance = "a '@TaskLocal' variable is 'static', or declared at the top"
  static func unwrittenArguments(_ name: String, _ arguments: String) -> String {
    "'\(name)' needs its type arguments here: '\(name)<\(arguments)>'"
  }
  static func unevenPatterns(_ name: String) -> String {
    "each pattern of a 'case' binds the same names, and '\(name)' is not in all of them"
  }
  static func unpreparedSelf(_ missing: String) -> String {
    "'self' can't be used here: \(missing)"
  }
  static func erasedType(_ type: String) -> String {
    "a value of \(type) is not known here yet: take what has it as a type parameter, not as 'any'"
  }
  static func fewParameters(_ count: Int) -> String {
    "this closure is given \(count) values and uses fewer: name them, or write '_' for one"
  }
  static func unusedParameters(_ count: Int) -> String {
    count == 1
      ? "this closure is given a value: name it, or write '_ in'"
      : "this closure is given \(count) values: name them, or write '\(Array(repeating: "_", count: count).joined(separator: ", ")) in'"
  }
  static func weakPresent(_ type: String) -> String {
    "a 'weak' variable may become nil: its type is '\(type)?'"
  }
  static func withoutValue(_ name: String) -> String { "'\(name)' has no value" }
  static let wrapperElsewhere =
    "a property wrapper is only known here for a stored 'var' of a type, one for each and without observers"
  static func wrapperWithoutValue(_ name: String) -> String {
    "the property wrapper '\(name)' has no 'wrappedValue'"
  }
}
