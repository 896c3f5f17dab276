/// Wordings about values that are written in another way, in alphabetical order.
extension Messages {
  static func arrayOfOthers(_ elements: String) -> String {
    let isShort = elements.utf8.count <= 40 && !elements.utf8.contains(UInt8(ascii: "\n"))
    return
      "an array of what another one has is written \(isShort ? "Array(\(elements))" : "Array(…)")"
  }
  static let endlessStandard =
    "this creates another instance of its own type, and so on without end"
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
  static let printAsValue =
    "'print' takes any number of values, so in Swift it is not a closure: write { print($0) }"
  /// What a type that can't be extended is called where a member of its values is refused.
  static let processWithoutLength =
    "a trace starts no program; a 'Process' says how long one runs, Process(50ms), and io(50ms) waits as long"
  static func publisher(_ name: String) -> String {
    let field = name.dropFirst()
    return
      "a trace has no Combine, and no '\(name)'; react to changes of '\(field)' in its observer: "
      + "var \(field) = … { didSet { … } }"
  }
  static func refusedOwner(_ name: String) -> String {
    switch name {
    case "Sequence", "Collection", "MutableCollection", "RandomAccessCollection",
      "BidirectionalCollection", "RangeReplaceableCollection":
      "Array"
    case "Double", "CGFloat", "Float": "Decimal"
    case "TimeInterval", "DispatchTimeInterval": "Duration"
    case "Date", "DispatchTime": "Instant"
    default: name
    }
  }
  static func secondValue(_ name: String) -> String {
    "'\(name)' may have its value already, and a 'let' gets it once; declare it with 'var'"
  }
  static func tooManyArguments(_ name: String) -> String {
    "'\(name)' takes no argument here"
  }
  static func typeAsValue(_ name: String) -> String {
    let isPlain = ["Int", "Double", "String"].contains(name)
    return "'\(name)' is a type, and neither a value nor a function"
      + (isPlain ? "; write a closure that makes one: { \(name)($0) }" : "")
  }
  static func wholeEntry(_ name: String) -> String {
    "an entry of a dictionary is used by its parts: '\(name).key' and '\(name).value'"
  }
  /// How a type is written whose name alone is none.
  static let wholeTypes = [
    "Array": "[Int]", "AsyncStream": "AsyncStream<Int>", "BidirectionalCollection": "[Int]",
    "CheckedContinuation": "CheckedContinuation<Int, Error>", "Collection": "[Int]",
    "Dictionary": "[String: Int]", "MutableCollection": "[Int]", "Optional": "Int?",
    "RandomAccessCollection": "[Int]", "RangeReplaceableCollection": "[Int]",
    "Result": "Result<Int, Error>", "Sequence": "[Int]", "Set": "Set<Int>",
    "Task": "Task<Int, Error>", "TaskGroup": "TaskGroup<Int>", "Character": "String",
    "Mutex": "Mutex<Int>",
  ]
}
