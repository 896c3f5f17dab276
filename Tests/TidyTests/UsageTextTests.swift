import TestSupport
import Testing

/// What is said of a wrong call stands in one catalogue, sorted, and nowhere else.
@Suite struct UsageTextTests {
  static let catalogues = [
    "Sources/SpindleCommand/Options/UsageText.swift",
    "Sources/SpindleCommand/Options/UsageText+Schedules.swift",
  ]

  @Test(arguments: catalogues) func wordingsAreSorted(catalogue: String) throws {
    let names = try UsageTextTests.names(in: catalogue)
    #expect(!names.isEmpty)
    for (before, after) in zip(names, names.dropFirst())
    where before.lowercased() >= after.lowercased() {
      Issue.record("'\(after)' stands behind '\(before)'")
    }
  }

  @Test func everyWordingIsUsed() throws {
    var used: Set<String> = []
    for path in Repository.files(below: "Sources/SpindleCommand", suffix: ".swift") {
      for line in try Repository.lines(path) {
        for part in line.split(separator: "UsageText.").dropFirst() {
          used.insert(String(part.prefix { $0.isLetter || $0.isNumber }))
        }
      }
    }
    for name in try UsageTextTests.catalogues.flatMap(UsageTextTests.names)
    where !used.contains(name) {
      Issue.record("nobody says '\(name)'")
    }
  }

  @Test func whoRefusesACallTakesTheWordingFromTheCatalogue() throws {
    var count = 0
    for path in Repository.files(below: "Sources/SpindleCommand", suffix: ".swift") {
      for (number, line) in try Repository.lines(path).enumerated()
      where line.contains(".usage(") && !line.contains("case .usage(")
        && !line.contains(".usage(unknownCommand(")
      {
        count += 1
        #expect(
          line.contains(".usage(UsageText.") || line.hasSuffix(".usage("), "\(path):\(number + 1)")
        let next = try Repository.lines(path)[number + 1]
        #expect(!line.hasSuffix(".usage(") || next.contains("UsageText."), "\(path):\(number + 2)")
      }
    }
    #expect(count > 85)
  }

  private static func names(in catalogue: String) throws -> [String] {
    try Repository.lines(catalogue).compactMap { line in
      for word in ["  static func ", "  static let "] where line.hasPrefix(word) {
        return String(line.dropFirst(word.count).prefix { $0.isLetter || $0.isNumber })
      }
      return nil
    }
  }
}
