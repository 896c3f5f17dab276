import SpindleModel

/// Wordings about statements and values that a trace has from Swift, in alphabetical order.
extension Messages {
  static func captureOfNothing(_ name: String) -> String {
    "'\(name)' is not an object: leave 'weak' out"
  }
  static let choiceForm = "'choice' takes the values to choose from: choice(1, 2, 3)"
  static let drawnForm =
    "'drawn' takes a table of values or a file: drawn(from: [5ms, 7ms]), drawn(from: \"times.txt\")"
  static func formatCount(_ wanted: Int, given: Int) -> String {
    let places = wanted == 1 ? "one place" : "\(wanted) places"
    let values = given == 1 ? "one is" : "\(given) are"
    return "this format has \(places) for values, and \(values) given"
  }
  static let formatForm = "a format is a text without interpolation, followed by the values"
  static let formatSign =
    "the places of a format are %@, %s, %d, %i, %u, %x, %X, %o and %f, with a width and digits as in %5d, %-4d, %03d, %.2f "
    + "and %ld; a '%' is written '%%'"
  static let formatSurplus = "the format has no place for this, so it is not written"
  static let noOverloads = ", with the same labels: give this a name of its own"
  static func otherLock(_ name: String, found: String, isPlain: Bool) -> String {
    let others = isPlain ? ", by NSLock, NSRecursiveLock, OSAllocatedUnfairLock" : ""
    return "expected \(name), found \(found); a lock is replaced by one of its class\(others), "
      + "or by a protocol: " + ResourceProtocol.allCases.map(\.rawValue).joined(separator: ", ")
  }
  static let probability = "a probability is a decimal from 0.0 to 1.0"
  static func randomBelow(_ name: String, _ end: String) -> String {
    "a trace has no '\(name)'; use Int.random(in: 0 ..< \(end))"
  }
  static let relativePriority =
    "a trace has no steps between qualities of service: 'relativePriority' is 0"
  static func callerIsolation(_ name: String) -> String {
    "a function runs on the actor of '#isolation' here, and '\(name)' is no value: take the actor as a parameter without a default"
  }
  static let runTimeArrayCount = "Can't construct Array with count < 0"
  static func runTimeEarlyRead(_ name: String) -> String {
    "'\(name)' is read before the statements at the top have given it a value"
  }
  static let runTimeError = "Fatal error: Error raised at top level: "
  static let runTimeRandom = "Can't get random value with an empty range"
  static func sleepForm(_ name: String, _ length: String) -> String {
    "a trace has no '\(name)'; say how long it sleeps: sleep(\(length))"
  }
  static func unreadName(_ name: String) -> String { "'\(name)' is set, and never read" }
  static let untypedDictionary =
    "the types of an empty dictionary are not known here: write '[Int: String]()', or the type behind ':'"
  static func unknownLabel(_ label: String) -> String {
    "no '\(label):' encloses this"
  }
}
