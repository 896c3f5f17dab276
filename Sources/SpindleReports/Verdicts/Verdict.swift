package import SpindleModel

/// Whether one expectation of a trace held in a run, and what was seen.
public struct Verdict: Hashable, Sendable {
  /// The expectation as the trace writes it, with every stretch of white space as one space.
  public var text: String
  /// Its position in the trace.
  package var place: SourceRange
  /// Whether it held.
  public var holds: Bool
  /// What was seen instead, in one or more lines; empty when it held.
  public var seen: String
  /// What was found that it does not expect, a line for each.
  package internal(set) var findings: [String] = []
  /// What a ratchet came to; nil for any other expectation, and where it has no value.
  package var ratchet: Ratchet?
  /// Why the times in it were what they were; empty unless that was asked for.
  package var causes: [Cause] = []
  /// Who wrote the values in it, a line for each; empty unless that was asked for.
  package var writers: [String] = []
  /// A picture of the time that the first cause is about, in lines; empty unless that was asked for.
  package var picture: [String] = []
  /// In which way it fails; nil when it holds.
  package var way: FailureWay?

  /// Creates a verdict.
  package init(text: String, place: SourceRange, holds: Bool, seen: String) {
    (self.text, self.place, self.holds, self.seen) = (text, place, holds, seen)
  }
}

extension Verdict {
  /// The same without what is expected and what was seen instead; one that the trace implies stays.
  package var hidden: Verdict {
    if isImplied { return self }
    return Verdict(text: "", place: place, holds: holds, seen: "")
  }

  /// Whether the trace does not state it: one without an outcome expects `.finished`.
  package var isImplied: Bool { place.count == 0 }

  /// The position of an unmet expectation, and the observed value, in lines that fit the style's width where
  /// the words allow it.
  ///
  /// One that the trace implies has no position. The prefix names the run. The observed value is left out
  /// where it is printed elsewhere.
  package func told(
    of source: SourceText, style: TextStyle, prefix: String = "", tellsFindings: Bool = true
  ) -> [String] {
    let position = isImplied ? "" : ":\(source.position(of: place))"
    let reason = isImplied ? " (expected of a trace that does not speak of its outcome)" : ""
    let expected = text.isEmpty ? "" : ": \(text)"
    let head =
      "\(prefix)\(source.name)\(position): \(style.paint("not met", .red))\(expected)\(reason)"
    var lines = style.fitted(head)
    for line in seen.split(separator: "\n") { lines += style.fitted("  \(line)") }
    for line in writers { lines += style.fitted("  \(line)") }
    for line in tellsFindings ? findings : [] { lines += style.fitted("  \(line)") }
    for cause in causes { lines += style.fitted("  \(cause.text)") }
    return lines + picture.map { $0.isEmpty ? "" : "    \($0)" }
  }
}
