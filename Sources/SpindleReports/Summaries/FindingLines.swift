package import SpindleModel

/// A finding in lines, with its places.
package enum FindingLines {
  /// The finding's first place, its severity and name, then its explanation and its other places.
  package static func lines(
    _ finding: Finding, _ source: SourceText, _ style: TextStyle
  ) -> [String] {
    let severity = finding.kind.severity
    let ink: TextStyle.Ink =
      switch severity {
      case .error: .red
      case .warning: .yellow
      case .note: .dim
      }
    let place = finding.places.first.map { "\(position($0, source)): " } ?? ""
    let title = "\(severity.name): \(finding.kind.rawValue)"
    var lines = style.fitted("\(place)\(style.paint(title, ink)) at \(finding.time)")
    lines += style.wrapped(finding.explanation, indent: "  ")
    let others = finding.places.dropFirst().map(source.position)
    if !others.isEmpty {
      lines += style.wrapped("see also \(others.joined(separator: ", "))", indent: "  ")
    }
    return lines
  }

  /// The first of findings that are alike, and how many more there are.
  package static func lines(
    _ group: FindingGroups.Group, _ source: SourceText, _ style: TextStyle
  ) -> [String] {
    let lines = lines(group.first, source, style)
    return lines + (group.more.map { style.wrapped($0, indent: "  ") } ?? [])
  }

  /// How a run ended, at `end`, with message and place: `crashed: boom (a.trace:3:5)`.
  package static func outcome(
    _ outcome: Outcome, at end: Instant, _ source: SourceText
  ) -> String {
    var text = outcome.kind.name
    if let code = outcome.exitCode { text += ", exit code \(code)" }
    if !outcome.message.isEmpty { text += ": \(outcome.message)" }
    if let place = outcome.place { text += " (\(position(place, source)))" }
    if outcome.kind == .timeLimit {
      text +=
        ": \(wholeHours(end)) of virtual time is over, and something may repeat forever; set the end of the run, "
      text += "`trace \"…\" { until: 3h }` or --until 3h, or end it with exit()"
    }
    return text
  }

  /// A moment in hours where it is a number of them: `1h`.
  private static func wholeHours(_ moment: Instant) -> String {
    let (hours, rest) = moment.nanoseconds.quotientAndRemainder(
      dividingBy: 3_600 * 1_000_000_000)
    return hours > 0 && rest == 0 ? "\(hours)h" : "\(moment)"
  }

  private static func position(_ place: SourceRange, _ source: SourceText) -> String {
    source.place(of: place)
  }
}
