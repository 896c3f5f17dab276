/// Writes texts into XML.
enum XMLText {
  /// The text with what XML reserves written otherwise, and what XML forbids replaced.
  static func escaped(_ text: String) -> String {
    escaped(text) { scalar in
      switch scalar {
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: scalar
      }
    }
  }

  /// The text with what markup reserves written otherwise; `replaced` gives what is written for any other character but
  /// line breaks and tabs.
  static func escaped(
    _ text: String, replaced: (Unicode.Scalar) -> Unicode.Scalar
  ) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(replaced(scalar))
      }
    }
    return result
  }
}
