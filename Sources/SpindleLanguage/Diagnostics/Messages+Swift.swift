import SpindleModel

/// Wordings about statements and values that a trace has from Swift, in alphabetical order.
extension Messages {
  static func captureOfNothing(_ name: String) -> String {
    "'\(name)' is not an object: leave 'weak' out"
  }
  static let choiceForm = "'choice' takes the values to choose from: choice(1, 2, 3)"
  static func claimForm(_ name: String) -> String {
    "'\(name)' takes a condition and perhaps a text: \(name)(n > 0, \"why\")"
  }
  static func continueOfNoLoop(_ label: String) -> String {
    "'\(label)' is not a loop, so 'continue' can't continue it"
  }
  static func collectionMember(_ name: String, of type: String, isSet: Bool) -> String {
    let forms =
      isSet
      ? "a set has .contains(x), .insert(x), .remove(x), .count, .isEmpty, and 'for x in set'"
      : "a dictionary has d[key], d[key, default: x], .removeValue(forKey:), .keys, .values, .count,"
        + " .isEmpty, and 'for (key, value) in d'"
    return "unknown member '\(name)' of \(type); \(forms)"
  }
  static let defaultNotLast = "'default' must follow all cases"
  static let drawnForm =
    "'drawn' takes a table of values or a file: drawn(from: [5ms, 7ms]), drawn(from: \"times.txt\")"
  static let dictionaryForm =
    "a dictionary is begun with [Int: String]() or '[:]', and filled in a loop: d[key] = value"
  static func dictionaryOfGroups(_ elements: String) -> String {
    "groups are made in a loop: var groups: [Int: [String]] = [:]; "
      + "for x in \(elements) { groups[x.count, default: []].append(x) }"
  }
  static func duplicateKey(_ key: String) -> String {
    "the key '\(key)' is given twice: Swift's program crashes here"
  }
  static let earlyDefault =
    "the default here would come before what is given: give that a name in front of this"
  static let emptyDictionary = "an empty dictionary is '[:]'"
  static let entryClosure =
    "'forEach' of a dictionary gives a key and its value: write '{ key, value in … }'"
  static let entryNames = "a dictionary gives a key and its value: write 'for (key, value) in …'"
  static let enumeratedValue = "'enumerated()' is only allowed in 'for (i, x) in a.enumerated()'"
  static func formatCount(_ wanted: Int, given: Int) -> String {
    let places = wanted == 1 ? "one place" : "\(wanted) places"
    let values = given == 1 ? "one is" : "\(given) are"
    return "this format has \(places) for values, and \(values) given"
  }
  static let formatForm = "a format is a text without interpolation, followed by the values"
  static let formatSign =
    "the places of a format are %@, %d, %i, %u, %ld, %lu, %f, %.2f and %s; a '%' is written '%%'"
  static let formatSurplus = "the format has no place for this, so it is not written"
  static func hidesFunction(_ name: String, line: Int) -> String {
    "'\(name)' is here what line \(line) declares; give that another name, and '\(name)(…)' is the "
      + "trace's own"
  }
  static let insertedValue =
    "'insert' of a set gives two values: write 'insert(x).inserted' for whether 'x' is new"
  static func keyType(_ type: String) -> String {
    "\(type) can't be a key here: a number, a text, a truth, a length or a case of an 'enum' can"
  }
  static func laterFunction(_ name: String) -> String {
    "'\(name)' is declared further down, and uses what is declared there, or is one of too many that use each other: "
      + "move '\(name)' up, or make them functions of a class"
  }
  static let mappedOptional =
    "'map' would give an optional of an optional: write 'flatMap'"
  static func missingCases(_ values: [String]) -> String {
    let shown = values.prefix(8).joined(separator: ", ") + (values.count > 8 ? ", …" : "")
    return "this 'switch' leaves out \(shown); write a case for it, or 'default:'"
  }
  static func momentType(_ name: String) -> String {
    "unknown name '\(name)'; a moment counts from the start of the run: 'now', '.now() + 5s', 'Instant(5s)'"
  }
  static let nameInSeveral =
    "a case that binds a name has one pattern: write a case of its own for each"
  static func needsDefault(_ type: String) -> String {
    "a 'switch' over \(type) needs a 'default:'"
  }
  static func nilInArray(_ type: String) -> String {
    "\(type) is never nil: an array with 'nil' in it is a '[\(type)?]'"
  }
  static let noFollowingCase = "'fallthrough' in the last case leads nowhere"
  static func noNumber(_ found: String, _ wanted: String) -> String {
    if found == "String" { return "a text is made an Int and no \(wanted): 'Int(text)'" }
    return
      "\(found) is not made a number; divide it by its unit, as in 'time / 1ms', for a \(wanted)"
  }
  static func noOrder(_ type: String) -> String { "values of \(type) have no order" }
  static let noOverloads = ", with the same labels: give this a name of its own"
  static func numbersAsValue(_ name: String) -> String {
    "'\(name)' is called: write '{ \(name)(\(name == "abs" ? "$0" : "$0, $1")) }'"
  }
  static func oneLoopName(_ what: String) -> String {
    "\(what) gives one value at a time: write one name"
  }
  static func oneValue(_ name: String) -> String { "'\(name)' takes one value" }
  static func otherLock(_ name: String, found: String, isPlain: Bool) -> String {
    let others = isPlain ? ", by NSLock, NSRecursiveLock, OSAllocatedUnfairLock" : ""
    return "expected \(name), found \(found); a lock is replaced by one of its class\(others), "
      + "or by a protocol: " + ResourceProtocol.allCases.map(\.rawValue).joined(separator: ", ")
  }
  static let outsideSwitch = "'fallthrough' is only allowed in a case of a 'switch'"
  static let probability = "a probability is a decimal from 0.0 to 1.0"
  static func randomBelow(_ name: String, _ end: String) -> String {
    "a trace has no '\(name)'; use Int.random(in: 0 ..< \(end))"
  }
  static func randomForm(_ type: String) -> String {
    "a range says which values there are: \(type).random(in: a ... b)"
  }
  static let reduceForm = "'reduce' is written a.reduce(0) { $0 + $1 }"
  static let reduceIntoForm =
    "'reduce(into:)' is written a.reduce(into: [Int]()) { $0.append($1) }, and nothing in its closure leaves that by "
    + "'return'"
  static let optionalEntry =
    "a dictionary's values can't be optional: a key without a value has 'nil' already"
  static func optionalChange(_ text: String, _ sign: String) -> String {
    "'\(text)' may be nil; did you mean '\(text.dropLast()), default: 0] \(sign)= …'?"
  }
  static func resultMember(_ name: String) -> String {
    "unknown member '\(name)' of Result; it has 'get()', and a 'switch' over it '.success(let x)' and "
      + "'.failure(let e)'"
  }
  static func resultOfNoTask(_ name: String) -> String {
    "the type of this is not known here: write 'Result<Int, Error>.\(name)(…)'"
  }
  static let qualityForm =
    "a quality of service is written '.utility', or 'DispatchQoS(qosClass: .utility, relativePriority: 0)'"
  static let relativePriority =
    "a trace has no steps between qualities of service: 'relativePriority' is 0"
  static let runTimeArrayCount = "Can't construct Array with count < 0"
  static let runTimeDrawn = "Can't draw a value from an empty array"
  static let runTimeError = "Fatal error: Error raised at top level: "
  static let runTimeKeys = "Dictionary literal contains duplicate keys"
  static let runTimeRandom = "Can't get random value with an empty range"
  static let runTimeStride = "Stride size must not be zero"
  static let runTimeTry = "'try!' expression unexpectedly raised an error: "
  static let runTimeUnowned =
    "Attempted to read an unowned reference but the object was already deallocated"
  static let secondDefault = "'default' is given twice"
  static func severalValues(_ name: String) -> String { "'\(name)' takes two values or more" }
  static let strayBinding = "'let' in a condition is only allowed after 'if', 'guard' and 'while'"
  static let strayDefault = "'default:' is only allowed after the key of a dictionary"
  static let strideForm =
    "'stride' is written stride(from: a, to: b, by: c) or stride(from: a, through: b, by: c)"
  static let strideZero = "a step of zero goes nowhere"
  static func sleepForm(_ name: String, _ length: String) -> String {
    "a trace has no '\(name)'; say how long it sleeps: sleep(\(length))"
  }
  static func tupleParts(_ count: Int) -> String {
    "this 'switch' is over \(count) values: write a pattern for each, as in '(_, let x)'"
  }
  static func twoLoopNames(_ what: String) -> String {
    "\(what) gives a number and an element: write 'for (i, x) in …'"
  }
  static func unreadName(_ name: String) -> String { "'\(name)' is set, and never read" }
  static let untypedDictionary =
    "the types of an empty dictionary are not known here: write '[Int: String]()', or the type behind ':'"
  static let untypedSet = "the type of an empty set is not known here: write 'Set<Int>()'"
  static func unknownLabel(_ label: String) -> String {
    "no '\(label):' encloses this"
  }
  static func untypedParameter(_ name: String) -> String {
    "the type of '\(name)' is not known here: write '{ (\(name): Int) in … }'"
  }
}
