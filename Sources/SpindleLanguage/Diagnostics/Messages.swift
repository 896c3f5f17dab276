import SpindleModel

/// Every wording about the meaning of a trace.
///
/// One phrase each, without a full stop, in terms of the trace.
enum Messages {
  static let allowedList =
    "the allowed values of a parameter are a list, such as [1, 4, 16], or a range, such as 1 ... 8"
  static let allowedRange =
    "a range of allowed values is one of whole numbers, at most 10,000, from the less to the greater"
  static let arrayLiteral = "an array is compared with a list of its elements, such as [1, 2]"
  static func arrivalInBody(_ name: String) -> String {
    "'\(name)' is only allowed at the top of a trace"
  }
  static let assignedExpectation = "an expectation compares; did you mean '=='?"
  static let barrierOnGlobalQueue =
    "a global queue has no barriers: this is submitted like any other work"
  static let bestAlone =
    "'best(…)' is an expectation of its own, with a tolerance behind it at most: best(makespan) ± 2%"
  static func callAtTop(_ name: String) -> String {
    "'\(name)' can't be called at the top of a trace; move it into 'main'"
  }
  static func calledMeasure(_ name: String) -> String {
    "'\(name)' is written without '()'"
  }
  static func callForClosure(_ name: String, _ text: String) -> String {
    let isShort = text.utf8.count <= 40 && !text.utf8.contains(UInt8(ascii: "\n"))
    return "'\(name)' needs a closure" + suggestion(isShort ? "{ \(text) }" : nil)
  }
  static func changesInTheRun(_ name: String) -> String {
    "'\(name)' changes while the program runs; its last value is 'value(\(name))'"
  }
  static func closureParameters(_ count: Int) -> String {
    count == 0
      ? "this closure takes no parameters"
      : "this closure takes at most \(count == 1 ? "1 parameter" : "\(count) parameters")"
  }
  static let cluster =
    "cores are a number or a list of clusters, such as [.performance(2), .efficiency(4)]"
  static let commonModes =
    "a run loop runs in one mode, and '.common' is a set of modes: this returns at once"
  static let computedKey = "a key of 'threadDictionary' is a literal"
  static let computedSpecificKey = "the key of a value that is kept is a literal"
  static let conditionOfRun =
    "an 'if' of 'expect' asks parameters and 'platform', not the run; join conditions with '||'"
  static func constantCondition(_ truth: Bool) -> String { "this condition is always \(truth)" }
  static let constantMeasure = "this is the same in every run; a measure asks something of the run"
  static let cooperativeWidth = "the pool of tasks has 1 to 1,024 threads"
  static let costsNeedEnding = "the name of a file of costs ends in .costs"
  static let decimalTooLarge = "this number does not fit in a decimal"
  /// How a distribution with two parameters is written; nil for the others.
  static func drawForm(_ name: String) -> String? {
    switch name {
    case "uniform": "'uniform' needs two values: uniform(least, most)"
    case "normal": "'normal' needs two values: normal(mean, deviation)"
    case "pareto": "'pareto' needs two values: pareto(least, shape)"
    default: nil
    }
  }
  static func emptyInterval(_ name: String) -> String {
    "'\(name)' with an interval of zero and no 'count:' would stop the time"
  }
  static let emptyMeasure = "a measure is missing here: 'makespan', 'latency(\"a*\").p95'"
  static let emptyRange = "the range ends before it starts"
  static let findingsLiteral = "'findings' is compared with a list of kinds, such as [.deadlock]"
  static func functionAsValue(_ name: String) -> String {
    "'\(name)' is a function; call it with '()'"
  }
  static func functionNeedsThreadAtTop(_ name: String, _ need: String) -> String {
    "'\(name)' calls '\(need)', which needs a thread, and the top of a trace has none: write it in 'main'"
  }
  static let guardFallsThrough = "the body of 'guard' must not reach its end"
  static let horizonTooFar = "a run ends at most 100,000h after it began"
  static let identityInExpectation = "'===' compares objects, and an expectation has none"
  /// How what is said of code at the top ends.
  static func isMoment(_ what: String, _ text: String, _ earliest: Instant) -> String {
    "\(what) a moment: \(text) after the run began, which has passed, since this runs from \(earliest) on; "
      + "did you mean '.now() + \(text)', or 'Instant(\(text))'?"
  }
  static func leavesDefer(_ word: String) -> String { "'\(word)' can't lead out of a 'defer'" }
  static let mainFunction = "the main thread's code is not a function: write 'main { … }'"
  static let mainMode = "main is 'main { }' or 'main(.tool) { }'"
  static func measureMember(
    _ name: String, of measure: String, _ comparisons: [String]
  ) -> String {
    let forms = comparisons.map { "'\(measure)\($0.hasPrefix(".") ? "" : " ")\($0)'" }
      .joined(separator: " or ")
    return "'\(measure)' has no member '\(name)'; write \(forms)"
  }
  static func memberOfObjects(_ name: String, of owner: String) -> String {
    "'\(name)' is a member of each \(owner), not of the type"
  }
  static func mismatch(expected: String, found: String) -> String {
    "expected \(expected), found \(found)"
  }
  static func misplacedArgument(_ label: String, of name: String) -> String {
    "argument '\(label):' of '\(name)' is given twice or out of order"
  }
  static func missingArgument(_ label: String, of name: String) -> String {
    "'\(name)' needs the argument '\(label):'"
  }
  static func missingClosure(_ name: String) -> String { "'\(name)' needs a closure" }
  static func missingLabel(_ label: String, of name: String) -> String {
    "this argument of '\(name)' needs its label '\(label):'"
  }
  static func missingReturn(_ type: String) -> String {
    "the end is reached without a 'return' of \(type)"
  }
  static func missingReturnValue(_ type: String) -> String { "'return' needs a value: \(type)" }
  static func missingValue(_ type: String, of name: String) -> String {
    "'\(name)' needs a value: \(type)"
  }
  static let monitorPhase = "the pool's monitor looks once a second: a phase is less than 1s"
  static func needlessLabel(of name: String) -> String {
    "this argument of '\(name)' is written without a label"
  }
  static func needsAsynchronous(_ name: String) -> String {
    "'\(name)' is for an operation that reports for itself: make it with isAsynchronous: true"
  }
  static func needsOperation(_ text: String) -> String {
    "'\(text)' is a member of an operation: use it in the closure of one"
  }
  static func needsThread(_ name: String) -> String {
    "'\(name)' needs a thread, and the world outside has none; hand it to one: DispatchQueue.main.async { … }"
  }
  static func needsThreadAtTop(_ name: String) -> String {
    "'\(name)' needs a thread, and the top of a trace has none: write it in 'main'"
  }
  static func needsUnit(_ what: String, _ proposal: String?) -> String {
    "\(what) needs a unit" + suggestion(proposal)
  }
  static func negative(_ type: ValueType) -> String {
    switch type {
    case .duration: negative("a duration")
    case .size: negative("a size")
    default: negative("this number")
    }
  }
  static func negative(_ what: String) -> String { "\(what) can't be negative" }
  static func neverActivated(_ name: String) -> String {
    "the queue '\(name)' is never activated, and runs nothing until then"
  }
  static func neverNil(_ name: String, _ type: String, without sign: String = "the '?'") -> String {
    "'\(name)' is never nil, since its type is \(type): leave \(sign) out"
  }
  static let neverResumed = "this source is never resumed: nothing keeps it"
  static func neverResumed(_ name: String) -> String {
    "the source '\(name)' is never resumed, and delivers nothing until then"
  }
  static let neverStarted = "this thread is never started: nothing keeps it"
  static func neverStarted(_ name: String) -> String { "the thread '\(name)' is never started" }
  static let neverSubmitted = "this work item is never run: nothing keeps it"
  static func neverSubmitted(_ name: String) -> String {
    "the work item '\(name)' is never given to a queue, nor performed"
  }
  static func neverUnlocked(_ name: String) -> String {
    "'\(name)' is locked and never unlocked"
  }
  static func noBest(_ text: String) -> String {
    "'best' needs a number with a preferred direction, such as makespan; '\(text)' has none"
  }
  static func noClosure(_ name: String) -> String { "'\(name)' takes no closure here" }
  static let noCostFiles = "a file of costs can't be read here"
  static func noExecutor(_ name: String, nearest: String?) -> String {
    "the trace has no 'let \(name)' whose value is an executor or a lock" + suggestion(nearest)
  }
  static let noFiles = "a file can't be read here"
  static let noMain = "a trace needs a 'main { }'"
  static func noOperator(_ sign: String, _ type: String) -> String {
    "'\(sign)' can't be applied to \(type)"
  }
  static func noOperator(_ sign: String, _ left: String, _ right: String) -> String {
    "'\(sign)' can't be applied to \(left) and \(right)"
  }
  static func noParameter(_ name: String, nearest: String?) -> String {
    "the trace has no parameter '\(name)'" + suggestion(nearest)
  }
  static func noProtocol(_ type: String) -> String { "a \(type) has no resource protocol" }
  static func noState(_ text: String) -> String {
    "state(of:) needs an operation at the top of the trace; '\(text)' is not one"
  }
  static func notAllowed(_ name: String, _ list: String) -> String {
    "'\(name)' is one of \(list)"
  }
  static let notAnExpectation = "an expectation is a comparison, 'order(…)' or an 'if'"
  static let notAssignable = "this can't be assigned to"
  static func notATopValue(_ text: String) -> String {
    "'\(text)' is not a value at the top of the trace that is available here"
  }
  static func notAVariable(_ name: String) -> String {
    "'\(name)' can't be changed: it is not a 'var'"
  }
  static let notConstant = "this must be known before the run: literals and parameters only"
  static func noTime(_ word: String, file: String, line: Int, needsUnit: Bool) -> String {
    "'\(word)' in line \(line) of \(file) "
      + (needsUnit ? "needs a unit: drawn(from: \"…\", unit: 1ms)" : "is not a duration")
  }
  static func noTimes(file: String) -> String { "no duration in \(file)" }
  static func notInRange(_ name: String, from first: String, to last: String) -> String {
    "'\(name)' is a whole number from \(first) to \(last)"
  }
  static func notMeasurable(_ name: String) -> String {
    "'\(name)' is nothing that a run can be asked for"
  }
  static let onlyBlockOperations = "only a BlockOperation takes more than one block"
  static let orderOfOne = "'order' needs at least two names"
  static func otherOpaque(_ type: String, than first: String) -> String {
    "a function whose result is 'some' gives one type: this is \(type), and another 'return' gives \(first)"
  }
  static let outputLiteral = "'output' is compared with a list of lines, such as [\"done\"]"
  static func outsideLoop(_ word: String) -> String { "'\(word)' is only allowed in a loop" }
  static func parameterType(_ name: String) -> String {
    "the parameter '\(name)' must be a number, a truth, a time, a size or a string; of a list of names "
      + "take the text: param qos = \"utility\", and then qos == \"utility\" ? .utility : .background"
  }
  static let paretoShape = "the shape of 'pareto' must be more than zero"
  static func pastTheEnd(_ until: String) -> String {
    "this never happens: the run ends at \(until)"
  }
  static let poolWidth = "a pool needs at least one thread"
  static func positive(_ what: String) -> String { "'\(what)' must be more than zero" }
  static let priority = "a thread's priority is a decimal from 0.0 to 1.0"
  /// A range where one value is wanted, with its text where it is written there.
  static func rangeAsValue(_ wanted: String, found: String, _ range: String?) -> String {
    mismatch(expected: wanted, found: found)
      + "; a random value of it is .random(in: \(range ?? "range"))"
  }
  static func readBeforeItsLine(_ name: String, by function: String, line: Int) -> String {
    "\(function) reads '\(name)', which has no value before its own line, \(line): Swift reads zero there, or crashes; "
      + "put that line in front of this one"
  }
  static func readOnly(_ name: String) -> String { "'\(name)' can only be read" }
  static func readWithinItsLine(_ name: String, by function: String) -> String {
    "\(function) reads '\(name)', which has no value before this line is done: Swift reads zero there, or crashes"
  }
  static let realtimeComputation = "a real-time thread computes from 50us to 50ms at a time"
  static let realtimeConstraint = "the constraint can't be shorter than the computation"
  static func redeclared(_ name: String, line: Int, isFunction: Bool = false) -> String {
    "'\(name)' is already declared in line \(line)" + (isFunction ? Messages.noOverloads : "")
  }
  static func repeatedArgument(_ label: String) -> String {
    "argument '\(label):' is given twice"
  }
  static let script =
    "put the statements of a program into 'main(.tool) { … }', where 'await' is allowed, and those of an app into 'main { … }'; "
    + "the top is for declarations"
  static func setOnly(_ name: String) -> String { "'\(name)' can only be set" }
  static let speedTooLarge = "this speed is too large or too fine"
  static let stackSize = "a stack is a multiple of 4KB, and at least 16KB"
  static let strayAtTop =
    "only declarations, 'at', 'every' and 'arrivals' are allowed at the top; move this into 'main'"
  static let strayPercent = "a percentage is a tolerance after '±', or is compared with a share"
  static let strayRange = "a range is not a value: keep its numbers, Array(1 ... 3), or its ends"
  static let strayTolerance = "'±' is only allowed after '==' or '!=' in 'expect'"
  static let threadNames = "threadNames takes the names of the pool's threads, such as \"1403\""
  static let timelineLiteral =
    "'timeline' is compared with times and marks, such as [0s: \"begin\", 2s: \"end\"]"
  static let timesUnit = "a unit is a duration as it is written, such as 1ms"
  static let toleranceOperator = "a tolerance goes with '==' or '!=' of quantities"
  static func tooLarge(_ label: String, most: String) -> String {
    "'\(label)' must be at most \(most)"
  }
  static let tooManyCores = "a machine has at most 1024 cores"
  static func tooManyTimes(_ most: Int, file: String) -> String {
    "there are more than \(most) durations in \(file)"
  }
  static func tooSmall(_ label: String, least: String) -> String {
    "'\(label)' must be at least \(least)"
  }
  static func twice(_ name: String, line: Int) -> String {
    "'\(name)' is given twice, first in line \(line) already"
  }
  static let twoProtocols =
    "'resourceProtocol' and 'priorityInheritance' say the same of a machine; give one of them"
  static let unexpectedReturnValue = "a value is returned where none is expected"
  static let uniformOrder = "the least value of 'uniform' is more than the most"
  static func unknownArgument(
    _ label: String, of name: String, nearest: String?, _ known: [String] = []
  ) -> String {
    "unknown argument '\(label)' of '\(name)'" + suggestion(nearest, known.map { "'\($0)'" })
  }
  static func unknownChoice(
    _ what: String, _ name: String, nearest: String?, _ known: [String]
  ) -> String {
    "unknown \(what) '\(name)'" + suggestion(nearest.map { ".\($0)" }, known.map { ".\($0)" })
  }
  static func unknownKey(_ key: String, nearest: String?) -> String {
    "no operation has a key '\(key)'" + suggestion(nearest)
  }
  static func unknownKind(_ pattern: String, nearest: String?) -> String {
    "no work of this trace is named like '\(pattern)'" + suggestion(nearest)
  }
  static func unknownMeasure(_ name: String, _ known: [String]) -> String {
    "unknown measure '\(name)'; there are \(known.joined(separator: ", "))"
  }
  static func unknownMember(
    _ name: String, of owner: String, nearest: String?, _ known: [String] = []
  ) -> String {
    "unknown member '\(name)' of \(owner)" + suggestion(nearest, known.map { ".\($0)" })
  }
  static func unknownName(_ name: String, nearest: String?) -> String {
    if nearest == nil, name.hasSuffix("Error"), name.first?.isUppercase == true {
      return "unknown name '\(name)'; declare it, as in 'enum \(name) { case offline }', or throw "
        + "a text"
    }
    return "unknown name '\(name)'" + suggestion(nearest)
  }
  static func unknownSetting(_ name: String, of owner: String, nearest: String?) -> String {
    "unknown setting '\(name)' of '\(owner)'" + suggestion(nearest)
  }
  static func unknownType(_ name: String, nearest: String?) -> String {
    "unknown type '\(name)'" + suggestion(nearest)
  }
  static let unreachable = "this is never reached"
  static let unreachableCatch = "this 'catch' is never reached: nothing in its 'do' throws"
  static let untypedArray = "the type of this empty array is unknown; write it, as in [Int]()"
  static func untypedMember(_ name: String, of types: [String]) -> String {
    let owners = types.prefix(3).map { "\($0).\(name)" }
    return "it is not known what '.\(name)' belongs to here"
      + (owners.isEmpty ? "" : "; write its type in front: '\(owners.joined(separator: "' or '"))'")
  }
  static let untypedNil = "the type of this 'nil' is unknown; write it, as in 'let x: Int? = nil'"
  static func unusedName(_ name: String) -> String { "'\(name)' is never used" }
  static func unusedParameter(_ name: String) -> String {
    "the parameter '\(name)' is never used"
  }
  static func unusedResult(_ name: String) -> String {
    "the result of '\(name)' is not used; write '_ = …' to drop it"
  }
  static let unusedValue = "this value is not used"
  static func usedTooEarly(_ name: String) -> String {
    "'\(name)' is used before its own line"
  }
  static let valuesLiteral = "'values' is compared with keys and values, such as [\"n\": 3]"
  static func weakValue(_ type: String) -> String {
    "'weak' goes with an object, not with \(type)"
  }
  static let wholeComparison = "this is compared as a whole, with '==' or '!='"

  /// What may be meant, else what there is.
  private static func suggestion(_ nearest: String?, _ known: [String] = []) -> String {
    if let nearest { return "; did you mean '\(nearest)'?" }
    switch known.count {
    case 0: return ""
    case 1: return "; there is only \(known[0])"
    default: return "; there are " + known.joined(separator: ", ")
    }
  }
}
