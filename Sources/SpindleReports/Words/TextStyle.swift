/// How wide a text may be, and whether it may use colour.
package struct TextStyle: Hashable, Sendable {
  /// The number of columns.
  package var width: Int
  /// Whether terminal colours are used.
  package var usesColor: Bool

  /// Creates a style; narrower than 40 columns counts as 40.
  package init(width: Int = 80, usesColor: Bool = false) {
    (self.width, self.usesColor) = (max(40, width), usesColor)
  }

  /// A colour or weight, by its number in the escape sequence.
  package enum Ink: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case magenta = 35
    case cyan = 36
  }

  /// The text in the ink, or as it is without colour.
  package func paint(_ text: String, _ ink: Ink) -> String {
    usesColor ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The text in lines of at most `width` columns, broken between words, each behind `indent`, or from
  /// the second of a paragraph on behind `hanging`; breaks in the text stay.
  ///
  /// A word that is longer than a line stays whole, as a path must, unless words are broken too.
  package func wrapped(
    _ text: String, indent: String, hanging: String? = nil, breaksWords: Bool = false
  ) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var (line, isEmpty) = (indent, true)
      var columns = indent.count
      func next() {
        lines.append(line)
        (line, isEmpty) = (hanging ?? indent, true)
        columns = line.count
      }
      // Several blanks within stay, as those of a text that is quoted must.
      let words = paragraph.drop { $0 == " " }.split(
        separator: " ", omittingEmptySubsequences: false)
      for word in words where !(isEmpty && word.isEmpty) {
        var rest = word
        if !isEmpty && columns + 1 + TextStyle.columns(of: rest) > width { next() }
        while breaksWords && rest.count > width - columns {
          line += rest.prefix(width - columns)
          rest = rest.dropFirst(width - columns)
          next()
        }
        line += isEmpty ? "\(rest)" : " \(rest)"
        columns += TextStyle.columns(of: rest) + (isEmpty ? 0 : 1)
        isEmpty = false
      }
      lines.append(line)
    }
    return lines
  }

  /// One line as it is where it fits, else in several, from the second on two columns further in.
  package func fitted(_ line: String) -> [String] {
    guard TextStyle.columns(of: line[...]) > width else { return [line] }
    let indent = String(line.prefix { $0 == " " })
    return wrapped(line, indent: indent, hanging: indent + "  ")
  }

  /// The text in bold, where there is colour.
  package func bold(_ text: String) -> String { paint(text, .bold) }

  /// A paragraph in lines that fit.
  package func paragraph(_ text: String) -> [String] { wrapped(text, indent: "") }

  /// A paragraph of a list in lines that fit, a little further in.
  package func item(_ text: String) -> [String] { wrapped(text, indent: "  ", hanging: "    ") }

  /// How many columns a text takes; the escape sequences of `paint` take none.
  private static func columns(of text: Substring) -> Int {
    guard text.contains("\u{1B}") else { return text.count }
    var (columns, isEscape) = (0, false)
    for character in text {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { columns += 1 }
      if character == "m" { isEscape = false }
    }
    return columns
  }
}
