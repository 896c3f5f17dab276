package import SpindleModel

/// What a kind of finding means: its page in `spindle explain`.
package struct FindingPage: Sendable {
  /// What has happened.
  package let means: String
  /// What to do about it.
  package let remedy: String
  /// A small trace that has such a finding.
  package let trace: String

  /// The page of a kind.
  package static func page(_ kind: Finding.Kind) -> FindingPage? {
    lockPages[kind] ?? threadPages[kind] ?? dispatchPages[kind] ?? runLoopPages[kind]
      ?? operationPages[kind] ?? taskPages[kind] ?? actorPages[kind]
  }

  /// The page in lines: the kind and how much it matters, what it means, what to do, and its trace.
  package func lines(_ kind: Finding.Kind, style: TextStyle) -> [String] {
    [style.bold("\(kind.rawValue) (\(kind.severity.name))")] + style.paragraph(means) + [""]
      + style.paragraph("What to do: \(remedy)") + ["", "A trace that has it:", ""]
      + trace.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
  }
}
