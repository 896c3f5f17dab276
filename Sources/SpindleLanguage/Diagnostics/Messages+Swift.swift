/// Wordings about statements and values that a trace has from Swift, in alphabetical order.
extension Messages {
  static func captureOfNothing(_ name: String) -> String {
    "'\(name)' is no object: leave 'weak' out"
  }
  static func continueOfNoLoop(_ label: String) -> String {
    "'\(label)' is no loop, so 'continue' can't go on with it"
  }
  static let defaultNotLast = "'default' stands behind all cases"
  static func missingCases(_ values: [String]) -> String {
    let shown = values.prefix(8).joined(separator: ", ") + (values.count > 8 ? ", …" : "")
    return "this 'switch' leaves out \(shown); write a case for it, or 'default:'"
  }
  static let nameInSeveral = "a case that binds a name has one pattern"
  static func needsDefault(_ type: String) -> String {
    "a 'switch' over \(type) needs a 'default:'"
  }
  static let noFollowingCase = "'fallthrough' in the last case leads nowhere"
  static func oneLoopName(_ what: String) -> String {
    "\(what) gives one value at a time: write one name"
  }
  static let outsideSwitch = "'fallthrough' stands in a case of a 'switch' only"
  static let runTimeStride = "Stride size must not be zero"
  static let runTimeTry = "'try!' expression unexpectedly raised an error: "
  static let secondDefault = "'default' is given twice"
  static let strayBinding = "'let' in a condition stands behind 'if', 'guard' and 'while' only"
  static let strideForm =
    "'stride' is written stride(from: a, to: b, by: c) or stride(from: a, through: b, by: c)"
  static let strideZero = "a step of zero goes nowhere"
  static func twoLoopNames(_ what: String) -> String {
    "\(what) gives a number and an element: write 'for (i, x) in …'"
  }
  static func unknownLabel(_ label: String) -> String {
    "there is no '\(label):' around this"
  }
  static func untypedParameter(_ name: String) -> String {
    "the type of '\(name)' is not known here: write '{ (\(name): Int) in … }'"
  }
}
