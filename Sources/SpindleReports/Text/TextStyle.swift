/// How wide a text may be, and whether it may use colour.
public struct TextStyle: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// Whether terminal colours are used.
  public var usesColor: Bool

  /// Creates a style; narrower than 40 columns counts as 40.
  public init(width: Int = 80, usesColor: Bool = false) {
    (self.width, self.usesColor) = (max(40, width), usesColor)
  }

  /// A colour or weight, by its number in the escape sequence.
  enum Ink: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// The text in the ink, or as it is without colour.
  func paint(_ text: String, _ ink: Ink) -> String {
    usesColor ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The text in lines of at most `width` columns, broken between words, each behind `indent`; breaks
  /// in the text stay.
  func wrapped(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty && indent.count + line.count + 1 + word.count > width {
          lines.append(indent + line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      lines.append(indent + line)
    }
    return lines
  }
}
