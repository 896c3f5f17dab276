import Foundation
import TestSupport
import Testing

/// Commands and options that pages mention exist.
@Suite struct CommandMentionTests {
  static let pages =
    Repository.files(below: "Sources", suffix: ".md") + ["README.md", "Traces/README.md"]

  @Test func mentionedCommandsAndOptionsExist() throws {
    var helps: [String: String] = [:]
    var count = 0
    for page in CommandMentionTests.pages {
      for mention in CommandMentionTests.mentions(in: try Repository.text(page)) {
        count += 1
        let help = try helps[mention.command] ?? BuiltTool.run(["help", mention.command]).output
        helps[mention.command] = help
        #expect(!help.isEmpty, "\(page): there is no command '\(mention.command)'")
        for option in mention.options {
          #expect(
            help.contains("\n  \(option) "), "\(page): '\(mention.command)' has no '\(option)'")
        }
      }
    }
    #expect(count > 80)
  }

  @Test func mentionsAreFound() {
    let text = "`spindle test --all T` and `spindle`\n```\n`spindle x`\n```\n`spindle init [F]`"
    let found = CommandMentionTests.mentions(in: text)
    #expect(found.map(\.command) == ["test", "init"])
    #expect(found.map(\.options) == [["--all"], []])
  }

  /// The step for CI in the README is the one of the workflow that `spindle init` writes.
  @Test func stepInTheReadmeIsThatOfTheWorkflow() throws {
    let workflow = try Repository.lines("Sources/SpindleCommand/Commands/InitCommand.swift")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try Repository.text("README.md").components(separatedBy: "```yaml\n").dropFirst()
    #expect(blocks.count == 1)
    for line in blocks.flatMap({ $0.components(separatedBy: "```")[0].split(separator: "\n") }) {
      #expect(workflow.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
  }

  /// The calls of the tool between single backticks, outside of blocks.
  private static func mentions(in text: String) -> [(command: String, options: [String])] {
    let outside = text.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element)
    return outside.flatMap { part in
      part.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
        .compactMap { span in
          let words = span.element.split(whereSeparator: \.isWhitespace).map(String.init)
          guard words.count > 1, words[0] == "spindle", words[1].allSatisfy(\.isLetter),
            words[1].first?.isLowercase == true
          else { return nil }
          let options = words.dropFirst(2).filter { $0.hasPrefix("--") }
          return (words[1], options.map { String($0.prefix { $0.isLetter || $0 == "-" }) })
        }
    }
  }
}
