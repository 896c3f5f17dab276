import Foundation
import TestSupport
import Testing

/// What the simulator relies on is asserted where it relies on it.
@Suite struct CheckTests {
  /// The rooms that change simulated state.
  static let rooms = Layers.simulator.order.filter {
    $0 == "Kernel" || $0 == "Execution" || $0.hasPrefix("Runtimes/")
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
}
