package import SpindleModel

/// One thing wrong with a trace, and where it is.
public struct Diagnostic: Hashable, Sendable {
  /// How bad it is: only an error keeps a trace from running.
  public enum Severity: String, Hashable, Sendable { case error, warning, note }

  /// How bad it is.
  public let severity: Severity
  /// A phrase without a full stop, in terms of the trace and not of the parser.
  public let message: String
  /// The UTF-8 offsets of the offending text.
  package let range: SourceRange
  /// The text that it is in: the trace, or an option of the command line.
  package let source: SourceText
  /// Whether it is about something at the top that would be right in `main`.
  package let belongsInMain: Bool

  /// Creates a diagnostic.
  package init(
    severity: Severity, message: String, range: SourceRange, source: SourceText,
    belongsInMain: Bool = false
  ) {
    (self.severity, self.message, self.range, self.source) = (severity, message, range, source)
    self.belongsInMain = belongsInMain
  }
}
