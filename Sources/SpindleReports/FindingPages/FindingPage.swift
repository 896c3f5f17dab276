package import SpindleModel

/// What a kind of finding means: its page in `spindle explain`.
///
/// The text and the traces are those of `Traces/findings`, linked in the folder `Texts` here.
package struct FindingPage: Sendable {
  /// What has happened.
  package let means: String
  /// What to do about it.
  package let remedy: String
  /// A small trace that has such a finding.
  package let trace: String

  /// The page of a kind.
  package static func page(_ kind: Finding.Kind) -> FindingPage? {
    guard let text = texts[kind.rawValue], let trace = traces[kind] else { return nil }
    let lines = String(decoding: trace, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return FindingPage(
      means: text.means, remedy: text.remedy,
      trace: lines.dropLast(lines.last == "" ? 1 : 0).joined(separator: "\n"))
  }

  /// The page in lines: the kind and how much it matters, what it means, what to do, and its trace.
  package func lines(_ kind: Finding.Kind, style: TextStyle) -> [String] {
    [style.bold("\(kind.rawValue) (\(kind.severity.name))")] + style.paragraph(means) + [""]
      + style.paragraph("What to do: \(remedy)") + ["", "A trace that has it:", ""]
      + trace.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
  }

  /// What each kind means and what to do, by its name, from the sections of a page.
  ///
  /// A section begins with its name behind two signs, and has two paragraphs.
  private static let texts: [String: (means: String, remedy: String)] = {
    let page = String(decoding: PackageResources.Pages_txt, as: UTF8.self)
    var texts: [String: (means: String, remedy: String)] = [:]
    for section in page.split(separator: "\n## ").dropFirst() {
      let parts = section.split(separator: "\n\n").map {
        $0.split(separator: "\n").joined(separator: " ")
      }
      let remedy = "What to do: "
      guard parts.count == 3, parts[2].hasPrefix(remedy) else {
        fatalError("the page on the finding '\(parts.first ?? "")' needs a meaning and a remedy")
      }
      texts[parts[0]] = (parts[1], String(parts[2].dropFirst(remedy.count)))
    }
    return texts
  }()
}
