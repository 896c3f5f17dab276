import SpindleModel

extension Diagnostic {
  /// The message with its place, its source line, and a caret under the offending text.
  ///
  /// Columns count characters, not bytes. A range that runs past its line is underlined to the
  /// end of that line. Tabs before the caret are kept, so that it lines up in any terminal; of a
  /// line that is very long, the part around the caret is shown.
  package func rendered(color: Bool = false) -> String {
    var cursor = ColumnCursor()
    return rendered(color: color, cursor: &cursor)
  }

  fileprivate func rendered(color: Bool, cursor: inout ColumnCursor) -> String {
    let offset = max(0, min(Int(range.lowerBound), source.utf8.count))
    let number = source.lineNumber(at: Int32(offset))
    let column = cursor.column(of: offset, inLine: number, of: source)
    let excerpt = Excerpt(source, line: number, offset: offset, length: range.count)
    let place = source.fileLine(at: Int32(offset))
    let digits = String(place.line)
    let gutter = String(repeating: " ", count: digits.utf8.count)
    let paint = Paint(isOn: color, severity: severity)
    return """
      \(paint.bold("\(place.file):\(digits):\(column):")) \(paint.severity("\(severity.rawValue):")) \
      \(paint.bold(message))
      \(digits) | \(excerpt.text)
      \(gutter) | \(excerpt.indent)\(paint.severity(excerpt.underline))
      """
  }
}

/// All of the diagnostics as text, each as `Diagnostic.rendered` gives it, one below the other.
///
/// Sorted by text, in the order in which each text comes first, and by place within it. Ends with a
/// line break unless empty. Linear in the lengths of the texts and the number of diagnostics.
public func renderedReport(_ diagnostics: [Diagnostic], color: Bool = false) -> String {
  var names: [String: Int] = [:]
  for diagnostic in diagnostics where names[diagnostic.source.name] == nil {
    names[diagnostic.source.name] = names.count
  }
  let order = diagnostics.indices.sorted { left, right in
    let (one, other) = (diagnostics[left], diagnostics[right])
    let (first, second) = (names[one.source.name] ?? 0, names[other.source.name] ?? 0)
    return (first, one.range.lowerBound, left) < (second, other.range.lowerBound, right)
  }
  var text = ""
  var cursor = ColumnCursor()
  for index in order {
    text += diagnostics[index].rendered(color: color, cursor: &cursor)
    text += "\n"
  }
  return text
}

/// Counts columns from where it last was, so that many on one long line take one pass over it.
private struct ColumnCursor {
  private var name: String?
  private var line = 0
  private var offset = 0
  private var column = 1

  /// The column of `target`, counted from 1 in characters.
  mutating func column(of target: Int, inLine number: Int, of source: SourceText) -> Int {
    if name != source.name || line != number || offset > target {
      (name, line) = (source.name, number)
      (offset, column) = (Int(source.lineStarts[number - 1]), 1)
      // The mark that some editors put in front of a text is no character of it.
      if offset == 0 && target >= 3 && source.hasByteOrderMark { offset = 3 }
    }
    column += String(decoding: source.utf8[offset..<max(offset, target)], as: UTF8.self).count
    offset = max(offset, target)
    return column
  }
}

extension SourceText {
  fileprivate var hasByteOrderMark: Bool { utf8.starts(with: [0xEF, 0xBB, 0xBF]) }
}

/// The part of a line that is shown, with what goes below it.
private struct Excerpt {
  var text: String
  var indent: String
  var underline: String

  /// So many bytes of a line are shown whole.
  private static let longest = 200
  /// Of a longer line, so many before the caret and behind it.
  private static let (before, behind) = (100, 80)

  init(_ source: SourceText, line number: Int, offset: Int, length: Int) {
    let bytes = source.utf8
    let start = number == 1 && source.hasByteOrderMark ? 3 : Int(source.lineStarts[number - 1])
    var end = number < source.lineStarts.count ? Int(source.lineStarts[number]) - 1 : bytes.count
    if end > start && bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let caret = max(start, min(offset, end))
    var (first, last) = (start, end)
    if end - start > Excerpt.longest {
      first = max(start, caret - Excerpt.before)
      last = min(end, caret + Excerpt.behind)
      while first > start && bytes[first] & 0xC0 == 0x80 { first -= 1 }
      while last < end && bytes[last] & 0xC0 == 0x80 { last += 1 }
    }
    let marked = max(caret, min(caret + length, last))
    let before = Excerpt.printable(bytes[first..<caret])
    let under = Excerpt.printable(bytes[caret..<marked])
    let behind = Excerpt.printable(bytes[marked..<last])
    let (head, tail) = (first > start ? "…" : "", last < end ? "…" : "")
    text = head + before + under + behind + tail
    indent = (head + before).map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.width) }
      .joined()
    let width = under.reduce(0) { $0 + $1.width }
    underline = "^" + String(repeating: "~", count: max(0, width - 1))
  }

  /// The text of some bytes, with a stand-in for what would upset a terminal.
  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t"
    }
    guard !isPlain else { return text }
    var printable = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
      printable.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return printable
  }
}

extension Character {
  /// How many columns of a terminal it takes: two for those that are wide or fullwidth by Unicode Standard
  /// Annex 11, and for pictures; one for all others.
  fileprivate var width: Int {
    guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    let isWide = Character.wide.contains { $0.contains(first.value) }
    return isWide || first.properties.isEmojiPresentation ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

/// Colours for a terminal, or none.
private struct Paint {
  var isOn: Bool
  var severity: Diagnostic.Severity

  func bold(_ text: String) -> String {
    isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }

  func severity(_ text: String) -> String {
    let code =
      switch severity {
      case .error: "31"
      case .warning: "35"
      case .note: "36"
      }
    return isOn ? "\u{1B}[1;\(code)m\(text)\u{1B}[0m" : text
  }
}
