package import SpindleModel

/// What went wrong in a run, without its numbers.
package enum ProblemText {
  /// How the run was cut off, its errors and warnings, and the expectations that are not met.
  ///
  /// Empty where nothing went wrong; that a run did not finish is an unmet expectation.
  package static func text(
    program: Program, metrics: RunMetrics, verdicts: [Verdict], cut: RunCut?, style: TextStyle
  ) -> String {
    var lines: [String] = []
    if let cut { lines += style.fitted("\(program.source.name): \(cut.words(at: metrics.end))") }
    let problems = metrics.findings.filter { $0.kind.severity > .note }
    for group in FindingGroups(problems).groups {
      lines += FindingLines.lines(group, program.source, style)
    }
    for verdict in verdicts where !verdict.holds {
      lines += verdict.told(of: program.source, style: style, tellsFindings: false)
    }
    if let crash = metrics.crash, verdicts.contains(where: { !$0.holds }) {
      lines += style.wrapped(metrics.outcome.message, indent: "  ")
      lines += CrashText.lines(crash, program.source, style).map { "  \($0)" }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}
