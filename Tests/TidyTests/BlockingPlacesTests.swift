import TestSupport
import Testing

/// How many places must know of a call that blocks: the compiler names each, since none has a default.
@Suite struct BlockingPlacesTests {
  /// Where a reason to wait stands in a switch: what is known of it, what a hang says of it, who may have it
  /// together, what is said of who waits, what ends the wait, and whether that orders anything.
  private static let reasonPlaces = [
    "Sources/SpindleModel/Log/WaitFacts.swift",
    "Sources/SpindleSimulator/Execution/Interpreter+Deadlocks.swift",
    "Sources/SpindleSimulator/Execution/Interpreter+Waits.swift",
    "Sources/SpindleSimulator/Execution/Interpreter+Waits.swift",
    "Sources/SpindleSimulator/Process/MainStallWatch.swift",
    "Sources/SpindleSimulator/Races/HappensBefore+Waits.swift",
  ]

  /// Where a primitive of a family stands in one: what it does, and what it costs.
  private static let primitivePlaces = [
    "Sources/SpindleSimulator/Runtimes/Locks/LockCalls.swift",
    "Sources/SpindleSimulator/Runtimes/Locks/LockCalls.swift",
  ]

  /// Where it is said whether a schedule can hold a thread in front of it: most are no steps.
  private static let stepPlaces = [
    "Sources/SpindleSimulator/Execution/Interpreter+StepShapes.swift"
  ]

  @Test func aReasonToWaitIsKnownInSixPlaces() throws {
    // The log names the pool of an idle worker, which no other reason has.
    let special = "Sources/SpindleReports/LogText/LogWriter+Events.swift"
    let found = try places(naming: ".idleWorker", in: "Sources").filter { $0 != special }
    #expect(found == Self.reasonPlaces)
  }

  @Test func aPrimitiveIsKnownInThreePlaces() throws {
    #expect(
      try places(naming: ".lockWhenBefore", in: "Sources/SpindleSimulator")
        == Self.stepPlaces + Self.primitivePlaces)
  }

  @Test func noneOfThemHasADefault() throws {
    for path in Set(Self.reasonPlaces + Self.primitivePlaces) {
      for (number, line) in try Repository.lines(path).enumerated() {
        #expect(!line.contains(/^ *default:/), "\(path):\(number + 1) swallows what is new")
      }
    }
  }

  /// The files with a `case` of a switch that names something, once for each.
  private func places(naming name: String, in folder: String) throws -> [String] {
    var found: [String] = []
    for path in Repository.files(below: folder, suffix: ".swift").sorted() {
      var isCase = false
      for line in try Repository.lines(path) {
        let code = SourceTests.withoutTexts(line).drop { $0 == " " }
        if code.hasPrefix("case ") { isCase = true }
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "." }
        if isCase && words.contains(Substring(name)) { found.append(path) }
        if code.contains(":") { isCase = false }
      }
    }
    return found
  }
}
