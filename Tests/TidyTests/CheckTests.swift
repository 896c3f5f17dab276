import Foundation
import TestSupport
import Testing

/// What the simulator relies on is asserted where it relies on it.
@Suite struct CheckTests {
  /// The rooms that change simulated state: at least one check for every two functions.
  static let rooms = Layers.simulator.order.filter {
    $0 == "Kernel" || $0 == "Execution" || $0.hasPrefix("Runtimes/")
  }

  @Test(arguments: rooms) func oneCheckForTwoFunctions(room: String) throws {
    var (functions, checks) = (0, 0)
    for path in Repository.files(below: "Sources/SpindleSimulator/\(room)", suffix: ".swift") {
      for line in try Repository.lines(path) {
        if CheckTests.declaresFunction(line) { functions += 1 }
        checks += CheckTests.checks(in: line)
      }
    }
    #expect(functions > 0, "\(room) has no functions")
    let wanted = (functions + 1) / 2
    #expect(checks >= wanted, "\(room) has \(checks) checks in \(functions) functions")
  }

  /// A check has a condition that can be false and a text that names the offender.
  @Test(arguments: rooms) func aCheckSaysWhatIsWrong(room: String) throws {
    for path in Repository.files(below: "Sources/SpindleSimulator/\(room)", suffix: ".swift") {
      let lines = try Repository.lines(path)
      for (number, line) in lines.enumerated()
      where CheckTests.checks(in: line) > 0 && !line.contains("checkIndex(") {
        let isSaid = lines[number..<min(number + 8, lines.count)].contains { $0.contains("\"") }
        #expect(isSaid, "\(path):\(number + 1) stops the run without a word")
        #expect(
          !line.contains("(true,") && !line.contains("(false,"), "\(path):\(number + 1) is no check"
        )
      }
    }
  }

  private static let verbs = ["demand(", "assert(", "precondition(", "fatalError(", "checkIndex("]

  /// How many checks stand in a line.
  private static func checks(in line: Substring) -> Int {
    let code = SourceTests.withoutTexts(line)
    return verbs.reduce(0) { $0 + code.components(separatedBy: $1).count - 1 }
  }

  /// Whether a line declares a function, or what makes or ends a value.
  private static func declaresFunction(_ line: Substring) -> Bool {
    let words = SourceTests.withoutTexts(line).split { $0 == " " }
    guard
      let first = words.first(where: { word in
        !word.hasPrefix("@") && !CheckTests.modifiers.contains(String(word))
      })
    else { return false }
    return first == "func" || first == "deinit" || first.hasPrefix("init(")
      || first.hasPrefix("init?(") || first.hasPrefix("init<")
  }

  private static let modifiers: Set<String> = [
    "package", "public", "private", "fileprivate", "static", "mutating", "nonmutating",
  ]
}
