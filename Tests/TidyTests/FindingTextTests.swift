import TestSupport
import Testing

/// The wordings of findings form one catalogue, with a sorted file for each subject.
@Suite struct FindingTextTests {
  static let folder = "Sources/SpindleSimulator/Findings/"

  /// A wording and where it is declared.
  struct Wording: Sendable {
    let name: String
    let place: String
  }

  @Test func wordingsAreSorted() throws {
    var count = 0
    for path in Repository.files(below: FindingTextTests.folder, suffix: ".swift") {
      let wordings = try FindingTextTests.wordings(in: path)
      count += wordings.count
      for (before, after) in zip(wordings, wordings.dropFirst())
      where before.name.lowercased() > after.name.lowercased() {
        Issue.record("\(after.place): '\(after.name)' stands behind '\(before.name)'")
      }
    }
    #expect(count > 150)
  }

  @Test func everyWordingIsUsed() throws {
    var used: Set<String> = []
    for path in Repository.files(below: "Sources/SpindleSimulator", suffix: ".swift") {
      for line in try Repository.lines(path) where !line.hasPrefix("  static ") {
        let words = FindingTextTests.words(of: line)
        for (word, next) in zip(words, words.dropFirst()) where word == "FindingText" {
          used.insert(next)
        }
        // Within the catalogue one wording may be made of another.
        if path.hasPrefix(FindingTextTests.folder) {
          used.formUnion(words.filter { line.contains("\($0)(") })
        }
      }
    }
    for path in Repository.files(below: FindingTextTests.folder, suffix: ".swift") {
      for wording in try FindingTextTests.wordings(in: path) where !used.contains(wording.name) {
        Issue.record("\(wording.place): nobody says '\(wording.name)'")
      }
    }
  }

  /// The functions that are given a wording.
  static let tellers: Set<String> = [
    "report", "tell", "neverFires", "ignored", "reportMisuse", "CallOut",
  ]

  @Test func whoReportsTakesTheWordingFromTheCatalogue() throws {
    var count = 0
    for path in Repository.files(below: "Sources/SpindleSimulator", suffix: ".swift") {
      let lines = try Repository.lines(path)
      for (number, line) in lines.enumerated()
      where !line.contains("func ") && !FindingTextTests.called(in: line).isEmpty {
        count += 1
        if FindingTextTests.call(from: number, in: lines).contains("\"") {
          Issue.record("\(path):\(number + 1): a wording of its own")
        }
      }
    }
    #expect(count > 60)
  }

  /// The wordings that a file declares, in its order.
  private static func wordings(in path: String) throws -> [Wording] {
    try Repository.lines(path).enumerated().compactMap { number, line in
      let words = words(of: line)
      guard line.hasPrefix("  static "), words.count > 2, ["func", "let"].contains(words[1]) else {
        return nil
      }
      return Wording(name: words[2], place: "\(path):\(number + 1)")
    }
  }

  /// The functions of `tellers` that a line calls.
  private static func called(in line: Substring) -> [String] {
    let pieces = SourceTests.withoutTexts(line).split(
      separator: "(", omittingEmptySubsequences: false)
    return pieces.dropLast().compactMap { words(of: $0).last }.filter(tellers.contains)
  }

  /// The lines of a call: up to the one that closes what the first one opens.
  private static func call(from first: Int, in lines: [Substring]) -> String {
    var (text, depth) = ("", 0)
    for line in lines[first...] {
      text += line
      for character in SourceTests.withoutTexts(line) {
        if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      }
      if depth <= 0 { break }
    }
    return text
  }

  private static func words(of line: Substring) -> [String] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }
}
