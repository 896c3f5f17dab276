/// Wordings about values that are written in another way, in alphabetical order.
extension Messages {
  static func endlessResult(_ name: String) -> String {
    "the result of '\(name)' depends on itself"
  }
  static let endlessStandard =
    "this creates another instance of its own type, and so on without end"
  static func lentVariable(_ name: String) -> String {
    "a closure that may run later, or on several threads, can't use '\(name)', which is 'inout'; give its value to a "
      + "'var' of its own"
  }
  static func meant(_ message: String, _ proposal: String) -> String {
    "\(message); did you mean '\(proposal)'?"
  }
  static func noValueForClosure(_ name: String) -> String {
    "a closure can't use '\(name)' before it has a value; give it one in front"
  }
  static func noValueYet(_ name: String) -> String {
    "'\(name)' may be without a value here; give it one on each way that leads here"
  }
  static func notAFunction(_ name: String) -> String {
    if name == "Result" {
      return
        "a 'Result' is '.success(…)' or '.failure(…)': write 'do', 'try' and 'catch' around them"
    }
    return name == "now"
      ? "'now' is not a function: write DispatchTime.now(), Date() or ContinuousClock.now"
      : "'\(name)' can't be called"
  }
  static func parameterValue(_ name: String, _ value: String, _ type: String, like form: String)
    -> String
  {
    "'\(name)' is of type \(type), as in \(form): '\(value)' does not fit"
  }
  /// What a type that can't be extended is called where a member of its values is refused.
  static let processWithoutLength =
    "a trace starts no program; a 'Process' says how long one runs, Process(50ms), and io(50ms) waits as long"
  static func secondValue(_ name: String) -> String {
    "'\(name)' may have its value already, and a 'let' gets it once; declare it with 'var'"
  }
  static func tooManyArguments(_ name: String) -> String {
    "'\(name)' takes no argument here"
  }
  static let untypedValue = "the type of this value is not known; write it behind the name and ':'"
}
