import SpindleLanguage
import SpindleModel

/// What a compilation said, shown once however many variants said it.
struct DiagnosticReport {
  private var shown: Set<String> = []
  private let color: Bool
  /// The status that the diagnostics call for: errors in options are a matter of usage.
  private(set) var status = ExitStatus.held

  /// Creates a report that has shown nothing yet.
  init(color: Bool) {
    self.color = color
  }

  /// Takes in `diagnostics` and writes those that are new to `sink`.
  mutating func add(_ diagnostics: [Diagnostic], to sink: OutputSink) {
    for diagnostic in diagnostics where diagnostic.severity == .error {
      let isOption = diagnostic.source.name.hasPrefix("--")
      status = status == .traceErrors || !isOption ? .traceErrors : .usage
    }
    sink.write(renderedReport(diagnostics.filter { isNew($0) }, color: color))
  }

  /// Whether a diagnostic is met for the first time.
  private mutating func isNew(_ diagnostic: Diagnostic) -> Bool {
    let range = diagnostic.range
    let place = "\(diagnostic.source.name):\(range.lowerBound):\(range.upperBound)"
    return shown.insert("\(place): \(diagnostic.severity): \(diagnostic.message)").inserted
  }
}
