import Foundation
import SpindleReports
import TestSupport
import Testing

/// The README says what is so: its `spindle` lines are run, and their output is compared.
@Suite struct ReadmeTests {
  /// A command in the README with the output that it shows.
  struct Example: CustomTestStringConvertible, Sendable {
    let command: String
    let output: String
    var testDescription: String { command }
  }

  /// The README, and the pages with commands in them.
  static let pages = [
    "README.md", "Sources/SpindleCommand/SpindleCommand.docc/Comparing.md",
    "Sources/SpindleCommand/SpindleCommand.docc/Designs.md",
    "Sources/SpindleCommand/SpindleCommand.docc/Sweeps.md", tutorial,
    "Sources/SpindleCommand/SpindleCommand.docc/ReadingASummary.md",
    "Sources/SpindleCommand/SpindleCommand.docc/YourOwnCode.md",
    "Sources/SpindleModel/SpindleModel.docc/RegressionTests.md",
    "Sources/SpindleSimulator/SpindleSimulator.docc/Tasks.md",
  ]

  private static let tutorial = "Sources/SpindleCommand/SpindleCommand.docc/Tutorial.md"

  static let examples: [Example] = {
    let text = ReadmeTests.pages.map { (try? Repository.text($0)) ?? "" }.joined(separator: "\n")
    var examples: [Example] = []
    for block in text.components(separatedBy: "```console\n").dropFirst() {
      let body = block.components(separatedBy: "```").first ?? ""
      for part in ("\n" + body).components(separatedBy: "\n$ ").dropFirst() {
        var lines = part.components(separatedBy: "\n")
        var command = lines.removeFirst()
        while command.hasSuffix("\\"), !lines.isEmpty {
          command = command.dropLast() + lines.removeFirst().trimmingCharacters(in: .whitespaces)
        }
        guard command.hasPrefix("spindle ") else { continue }
        let output = lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
        examples.append(Example(command: command, output: output))
      }
    }
    return examples
  }()

  @Test func thereAreExamples() {
    #expect(ReadmeTests.examples.count >= 3)
  }

  @Test("the README's commands print what it says", arguments: examples)
  func commandPrints(example: Example) throws {
    let result = try BuiltTool.run(ReadmeTests.arguments(of: example.command))
    let seen = result.output.trimmingCharacters(in: .newlines)
    #expect(seen == example.output, "\(result.error)")
    #expect(!seen.contains("\u{1B}"), "no colour where no terminal is")
    // A mistake is shown with its line, as wide as that is, and a verified trace in one line.
    if ["spindle check", "spindle verify"].contains(where: example.command.hasPrefix) { return }
    #expect(seen.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// The first page is to be read in two minutes.
  @Test func readmeIsShort() throws {
    #expect(try Repository.text("README.md").utf8.count <= 9 << 10)
  }

  @Test func swiftCommandsStandAtTheTop() throws {
    let top = try Repository.lines("README.md").prefix(30)
    #expect(top.contains("swift run spindle simulate Traces/machines/images.trace"))
    #expect(top.contains("swift test"))
  }

  @Test func traceInTheReadmeIsTheOneThatRuns() throws {
    let text = try Repository.text("README.md")
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(!blocks.isEmpty)
    for block in blocks where block.contains("main {") {
      let run = TestRun(block, name: "README.md")
      #expect(run.messages.isEmpty, "\(run.messages)")
      let unmet = run.verdicts.filter { !$0.holds }
      let seen = unmet.map(\.seen)
      #expect(seen.isEmpty, "\(seen)")
    }
  }

  /// Its commands run files: what it shows of them is what they are.
  @Test func tracesInTheTutorialAreThoseThatRun() throws {
    let text = try Repository.text(ReadmeTests.tutorial)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let files = Repository.files(below: "Traces/tutorial", suffix: ".trace")
    #expect(Set(blocks) == Set(try files.map { try Repository.text($0) }))
    #expect(blocks.count == files.count)
  }

  @Test func libraryExampleInTheReadmeIsTested() throws {
    let text = try Repository.text("README.md")
    let section = try #require(text.components(separatedBy: "## Use as a library").last)
    let parts = section.components(separatedBy: "```")
    let example = try #require(parts.dropFirst().first).dropFirst("swift".count)
    let tested = try Repository.lines("Tests/LibraryTests/LibraryTests.swift")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let lines = example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.count >= 5)
    let start = try #require(tested.firstIndex { $0 == lines.first })
    #expect(tested[start...].filter { !$0.isEmpty }.starts(with: lines))
  }

  /// The words of a command line behind the tool's name; quotes join.
  private static func arguments(of command: String) -> [String] {
    var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
    for character in command {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character == " " {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return Array(words.dropFirst())
  }
}
