/// Wordings about statements and values that a trace has from Swift, in alphabetical order.
extension Messages {
  static func captureOfNothing(_ name: String) -> String {
    "'\(name)' is no object: leave 'weak' out"
  }
  static let choiceForm = "'choice' takes the values to choose from: choice(1, 2, 3)"
  static func claimForm(_ name: String) -> String {
    "'\(name)' takes a condition and perhaps a text: \(name)(n > 0, \"why\")"
  }
  static func continueOfNoLoop(_ label: String) -> String {
    "'\(label)' is no loop, so 'continue' can't go on with it"
  }
  static let defaultNotLast = "'default' stands behind all cases"
  static let drawnForm = "'drawn' takes a table of values: drawn(from: [5ms, 7ms])"
  static let enumeratedValue = "'enumerated()' stands in 'for (i, x) in a.enumerated()' only"
  static func missingCases(_ values: [String]) -> String {
    let shown = values.prefix(8).joined(separator: ", ") + (values.count > 8 ? ", …" : "")
    return "this 'switch' leaves out \(shown); write a case for it, or 'default:'"
  }
  static let nameInSeveral = "a case that binds a name has one pattern"
  static func needsDefault(_ type: String) -> String {
    "a 'switch' over \(type) needs a 'default:'"
  }
  static let noFollowingCase = "'fallthrough' in the last case leads nowhere"
  static func noNumber(_ found: String, _ wanted: String) -> String {
    "\(found) is not made a number; divide it by its unit, as in 'time / 1ms', for a \(wanted)"
  }
  static func noOrder(_ type: String) -> String { "values of \(type) have no order" }
  static func oneLoopName(_ what: String) -> String {
    "\(what) gives one value at a time: write one name"
  }
  static func oneValue(_ name: String) -> String { "'\(name)' takes one value" }
  static let outsideSwitch = "'fallthrough' stands in a case of a 'switch' only"
  static let probability = "a probability is a decimal from 0.0 to 1.0"
  static func randomForm(_ type: String) -> String {
    "a range says which values there are: \(type).random(in: a ... b)"
  }
  static let reduceForm = "'reduce' is written a.reduce(0) { $0 + $1 }"
  static let recursiveLocal =
    "a local function that takes values from outside can't call itself: give them to it as parameters"
  static let runTimeRandom = "Can't get random value with an empty range"
  static let runTimeStride = "Stride size must not be zero"
  static let runTimeTry = "'try!' expression unexpectedly raised an error: "
  static let secondDefault = "'default' is given twice"
  static func severalValues(_ name: String) -> String { "'\(name)' takes two values or more" }
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
