import Foundation
import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

/// What people type, and what comes of it: a table of small traces in `Traces/language/spellings`.
///
/// A row is a heading `## name`, a text, and what is expected of it: `| ` before each diagnostic, or `> `
/// before each line that it prints, in their order, and `! ` before an outcome that is not `finished`. The rows of
/// `scripts.txt` are Swift files.
@Suite struct SpellingTests {
  /// A row of the table.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var text: [String] = []
    var expected: [String] = []

    var testDescription: String { "\(file): \(name)" }
  }

  static let files = Repository.files(below: "Traces/language/spellings", suffix: ".txt")

  /// All rows, in the order of the files.
  static func rows(of file: String) throws -> [Row] {
    var rows: [Row] = []
    for line in try Repository.lines(file) {
      let mark = line.prefix(2)
      if line.hasPrefix("## ") {
        rows.append(Row(name: String(line.dropFirst(3)), file: file))
      } else if rows.isEmpty || line.isEmpty {
        // What stands before the first row says what the file is about.
      } else if mark == "| " || mark == "> " || mark == "! " {
        rows[rows.count - 1].expected.append(String(line))
      } else {
        rows[rows.count - 1].text.append(String(line))
      }
    }
    return rows
  }

  @Test(arguments: files)
  func comesToWhatIsSaid(file: String) throws {
    for row in try Self.rows(of: file) {
      let isScript = file.hasSuffix("/scripts.txt")
      let found = Self.result(
        of: row.text.joined(separator: "\n"), name: isScript ? "App.swift" : "test.trace")
      #expect(found == row.expected, "\(row.testDescription)")
    }
  }

  @Test func thereAreMany() throws {
    let rows = try Self.files.flatMap { try Self.rows(of: $0) }
    #expect(rows.count >= 300)
    #expect(Set(rows.map(\.name)).count == rows.count, "each row has a name of its own")
  }

  /// What a text comes to, line by line as in the table.
  static func result(of text: String, name: String = "test.trace") -> [String] {
    var limits = RunLimits()
    limits.steps = 100_000
    let run = TestRun(text, name: name, limits: limits)
    var lines = run.diagnostics.map { diagnostic in
      let position = diagnostic.source.position(of: diagnostic.range)
      return "| \(position): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    }
    lines += run.log.split(separator: "\n").compactMap { line in
      guard let start = line.range(of: " print \"") else { return nil }
      return "> " + line[start.upperBound...].dropLast()
    }
    guard let outcome = run.record?.outcome, outcome.kind != .finished else { return lines }
    let message = outcome.message.isEmpty ? "" : ": " + outcome.message
    return lines + ["! \(outcome.kind.name)\(message)"]
  }
}
