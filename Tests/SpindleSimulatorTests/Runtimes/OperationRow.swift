import SpindleReports
import TestSupport
import Testing

/// A small program of operations, and what it prints.
struct OperationRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let body: String
  let output: String
  let location: SourceLocation

  /// Creates a row that claims something.
  init(
    _ claim: String, _ body: String, _ output: String,
    location: SourceLocation = #_sourceLocation
  ) {
    (testDescription, self.body, self.output, self.location) = (claim, body, output, location)
  }

  /// Runs the program, on a machine of two cores unless it has its own, and compares what it prints.
  func check(before declarations: String = "") {
    let machine =
      body.contains("machine {") ? "" : "machine { platform: .iOS; cores: 2; costs: .zero }\n"
    let run = TestRun("\(machine)\(declarations)\n\(body)\nexpect { output == \(output) }")
    #expect(run.messages == [], sourceLocation: location)
    let verdict = run.verdicts.first { !$0.holds }
    #expect(verdict == nil, "\(verdict?.seen ?? "")", sourceLocation: location)
  }
}
