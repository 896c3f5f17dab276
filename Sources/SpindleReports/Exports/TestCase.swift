package import SpindleModel

/// One test for a report: a trace, and what went wrong with it.
package struct TestCase: Hashable, Sendable {
  /// The trace's path.
  package var name: String
  /// What went wrong; empty when it passed.
  package var failures: [TestFailure]
  /// Other messages about the trace: warnings, and findings of a run that failed.
  package var notices: [TestNotice]
  /// How long the host took, in nanoseconds.
  package var duration: Int64
  /// Whether it was not run, since nothing has changed since it passed.
  package var isSkipped: Bool

  /// Creates a case.
  package init(
    name: String, failures: [TestFailure], notices: [TestNotice] = [], duration: Int64 = 0,
    isSkipped: Bool = false
  ) {
    (self.name, self.failures, self.notices) = (name, failures, notices)
    (self.duration, self.isSkipped) = (duration, isSkipped)
  }
}

/// A line and a column, counted from 1.
package struct TestPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int

  /// Creates a place.
  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// Where a range of a text begins.
  package init(_ range: SourceRange, in source: SourceText) {
    line = source.fileLine(at: range.lowerBound).line
    column = source.column(at: range.lowerBound)
  }
}

/// One thing that went wrong with a trace.
package struct TestFailure: Hashable, Sendable {
  /// Which sort; the raw value is its name in exports.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something that the trace expects did not hold.
    case expectation
    /// The run differs from the log that was recorded.
    case difference
    /// Something is worse than the best that was recorded of it.
    case ratchet
    /// The trace has errors, or not those that its comments expect.
    case diagnostic
    /// A file can't be read or written.
    case file

    /// What it means, in a phrase.
    package var meaning: String {
      switch self {
      case .expectation: "something that the trace expects did not hold"
      case .difference: "the run differs from the recorded log"
      case .ratchet: "something is worse than the best that was recorded of it"
      case .diagnostic: "the trace has errors, or not those that its comments say"
      case .file: "a file can't be read or written"
      }
    }
  }

  /// Which sort.
  package var kind: Kind
  /// Where in the trace, as far as that is known.
  package var place: TestPlace?
  /// What went wrong, in one or more lines.
  package var text: String

  /// Creates a failure.
  package init(_ kind: Kind, _ text: String, at place: TestPlace? = nil) {
    (self.kind, self.text, self.place) = (kind, text, place)
  }

  /// The first line.
  package var message: String { text.split(separator: "\n").first.map(String.init) ?? "" }
}

/// A message about a trace that is not a failure by itself.
package struct TestNotice: Hashable, Sendable {
  /// How much it matters: as the words of diagnostics and findings have it.
  package var severity: String
  /// What it is called: the name of a finding, or `diagnostic`.
  package var rule: String
  /// Where in the trace.
  package var place: TestPlace?
  /// The text of the message.
  package var text: String
  /// The data of a finding; nil of a diagnostic.
  package var statement: FindingStatement?

  /// Creates a notice.
  package init(
    severity: String, rule: String, place: TestPlace?, text: String,
    statement: FindingStatement? = nil
  ) {
    (self.severity, self.rule, self.place, self.text) = (severity, rule, place, text)
    self.statement = statement
  }
}
