import SpindleModel

/// All that has been said of a trace so far, and the text that it is said of.
struct Diagnosis {
  private(set) var found: [Diagnostic] = []
  /// The text that the present walk is over: the trace, or an option of the command line.
  var source: SourceText
  /// How many names were looked up for a proposal; looking through all of them takes long.
  private var proposals = 0

  /// Begins with a text of which nothing has been said.
  init(of source: SourceText) { self.source = source }

  /// Reports a mistake.
  mutating func error(_ message: String, _ range: SourceRange, belongsInMain: Bool = false) {
    found.append(
      Diagnostic(
        severity: .error, message: message, range: range, source: source,
        belongsInMain: belongsInMain))
  }

  /// Reports what is legal but surely wrong.
  mutating func warn(_ message: String, _ range: SourceRange) {
    found.append(Diagnostic(severity: .warning, message: message, range: range, source: source))
  }

  /// Reports what was found in a part of the present text that was read by itself.
  mutating func add(_ others: [Diagnostic]) {
    for other in others {
      found.append(
        Diagnostic(
          severity: other.severity, message: other.message, range: other.range, source: source))
    }
  }

  /// How much has been said: a mark to return to.
  var count: Int { found.count }

  /// Takes back what was said since `mark`.
  mutating func retract(to mark: Int) {
    demand(mark <= found.count, "nothing is taken back twice")
    found.removeLast(found.count - mark)
  }

  /// Whether a mistake has been reported.
  var hasErrors: Bool { found.contains { $0.severity == .error } }

  /// The number of the line in which a place begins.
  func line(_ place: SourceRange) -> Int { source.lineNumber(at: place.lowerBound) }

  /// The nearest of the names that `known` gives; nil after many, since each search goes through all
  /// of them, and so does putting them together.
  mutating func proposal(_ name: String, among known: () -> [String]) -> String? {
    proposals += 1
    return proposals > 64 ? nil : nearest(name, in: known())
  }
}
