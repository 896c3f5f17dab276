import SpindleLanguage
import SpindleModel
import SpindleSystem

/// What a compilation said, shown once however many variants said it.
struct DiagnosticReport {
  private var shown: Set<String> = []
  private let color: Bool
  private let optionNames: [String: String]
  /// How many diagnostics of one compilation are shown.
  private static let limit = 100
  /// The status that the diagnostics call for: errors in options are a matter of usage.
  private(set) var status = ExitStatus.held

  /// Creates a report that has shown nothing yet.
  ///
  /// `optionNames` has the options that the compiler knows by another name than the command's.
  init(color: Bool, optionNames: [String: String] = [:]) {
    (self.color, self.optionNames) = (color, optionNames)
  }

  /// Takes in `diagnostics` and writes those that are new to `sink`.
  mutating func add(_ diagnostics: [Diagnostic], to sink: OutputSink) {
    for diagnostic in diagnostics where diagnostic.severity == .error {
      let isOption = diagnostic.source.name.hasPrefix("--")
      status = status == .traceErrors || !isOption ? .traceErrors : .usage
    }
    let new = diagnostics.filter { isNew($0) }
    let shown = new.prefix(DiagnosticReport.limit).map(renamed)
    sink.write(renderedReport(shown, color: color))
    if new.count > shown.count {
      sink.write("and \(new.count - shown.count) more in \(new[shown.count].source.name)\n")
    }
  }

  /// A diagnostic of an option under the name that the command has for it.
  private func renamed(_ diagnostic: Diagnostic) -> Diagnostic {
    guard let name = optionNames[diagnostic.source.name] else { return diagnostic }
    return Diagnostic(
      severity: diagnostic.severity, message: diagnostic.message, range: diagnostic.range,
      source: SourceText(name: name, utf8: diagnostic.source.utf8))
  }

  /// Whether a diagnostic is met for the first time.
  private mutating func isNew(_ diagnostic: Diagnostic) -> Bool {
    let range = diagnostic.range
    let place = "\(diagnostic.source.name):\(range.lowerBound):\(range.upperBound)"
    return shown.insert("\(place): \(diagnostic.severity): \(diagnostic.message)").inserted
  }
}
