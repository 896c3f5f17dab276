package import SpindleLanguage
package import SpindleModel

/// What a trace's own comments say is wrong with it.
///
/// Such a comment stands on its own line below the offending text, its caret under the text's
/// first character: `// ^ error: message`. Several may follow one line. Where the text begins in
/// the first three columns, which the comment's own marks cover, the caret stands right behind
/// them. A caret with tildes, `^~~~`, must be as long as the text. What is wrong with the end of
/// the file is noted below its last line, in any column.
package struct DiagnosticNotes {
  /// One such comment.
  private struct Note {
    let comment: Int
    let subject: Int
    let column: Int
    let length: Int
    let severity: String
    let message: String
  }

  /// Where what is reported and what is noted differ.
  package struct Difference {
    /// The line, counted from 1.
    package let line: Int
    /// What is said of it.
    package let text: String
  }

  private let source: SourceText
  private var notes: [Note] = []
  /// The subject of a comment below each line, by line number: the line itself, or for blank
  /// lines and for the comments themselves the last line before.
  private var subjects: [Int] = [0]

  /// Finds the comments of a trace; linear in its length.
  package init(_ source: SourceText) {
    self.source = source
    subjects.reserveCapacity(source.lineStarts.count + 1)
    var subject = 1
    for number in 1...source.lineStarts.count {
      let start = Int(source.lineStarts[number - 1])
      let end =
        number < source.lineStarts.count ? Int(source.lineStarts[number]) : source.utf8.count
      let line = source.utf8[start..<end]
      if let note = DiagnosticNotes.note(in: line, comment: number, subject: subject) {
        notes.append(note)
      } else if line.contains(where: { $0 > UInt8(ascii: " ") }) {
        subject = number
      }
      subjects.append(subject)
    }
  }

  /// Whether the trace must be refused.
  package var expectsErrors: Bool { notes.contains { $0.severity == "error" } }

  /// Whether the trace says nothing about diagnostics.
  package var isEmpty: Bool { notes.isEmpty }

  /// Says where `diagnostics` and the comments differ, in the order of the text; empty when each
  /// has exactly one partner.
  package func differences(from diagnostics: [Diagnostic]) -> [Difference] {
    var open = notes
    var differences: [Difference] = []
    for diagnostic in diagnostics {
      if let index = open.firstIndex(where: { matches($0, diagnostic) }) {
        open.remove(at: index)
      } else {
        let line = source.lineNumber(at: diagnostic.range.lowerBound)
        differences.append(
          Difference(line: line, text: "reported, but not noted:\n" + diagnostic.rendered()))
      }
    }
    for note in open {
      let place = "\(source.name):\(note.comment):\(note.column)"
      let text = "noted, but not reported:\n\(place): \(note.severity): \(note.message)"
      differences.append(Difference(line: note.comment, text: text))
    }
    return differences.sorted { $0.line < $1.line }
  }

  private func matches(_ note: Note, _ diagnostic: Diagnostic) -> Bool {
    guard note.severity == diagnostic.severity.rawValue, note.message == diagnostic.message else {
      return false
    }
    let line = source.lineNumber(at: diagnostic.range.lowerBound)
    guard subjects[line] == note.subject else { return false }
    if subjects[line] != line { return true }
    let column = source.column(at: diagnostic.range.lowerBound)
    if note.length > 1 && note.length != length(of: diagnostic) { return false }
    return column == note.column || (column <= 3 && note.column <= 4)
  }

  /// How many characters of its first line a diagnostic is about.
  private func length(of diagnostic: Diagnostic) -> Int {
    source.text(in: diagnostic.range).prefix { !$0.isNewline }.count
  }

  /// Reads `// ^ error: message`, with white space around and tildes behind the caret.
  private static func note(in line: ArraySlice<UInt8>, comment: Int, subject: Int) -> Note? {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = line.drop(while: isBlank)
    guard rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) else { return nil }
    rest = rest.dropFirst(2).drop(while: isBlank)
    guard rest.first == UInt8(ascii: "^") else { return nil }
    let column = rest.startIndex - line.startIndex + 1
    let underline = rest.prefix { $0 == UInt8(ascii: "^") || $0 == UInt8(ascii: "~") }
    let words = rest.dropFirst(underline.count).drop { $0 <= UInt8(ascii: " ") }
    guard let last = words.lastIndex(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    let text = String(decoding: words[...last], as: UTF8.self)
    for severity in ["error", "warning", "note"] where text.hasPrefix(severity + ": ") {
      return Note(
        comment: comment, subject: subject, column: column, length: underline.count,
        severity: severity, message: String(text.dropFirst(severity.count + 2)))
    }
    return nil
  }
}
