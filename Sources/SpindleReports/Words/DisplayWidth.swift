/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// The columns of a text: two for wide characters, none for combining marks.
  static func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The columns of a character: those of its widest part.
  private static func columns(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { max($0, columns($1)) }
  }

  /// Source: Unicode Standard Annex 11, East Asian Width: blocks whose characters are wide.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// The text cut or filled up with spaces to `width` columns; a cut is shown as `…`.
  static func fitted(_ text: String, to width: Int) -> String {
    let whole = columns(text)
    if whole <= width { return text + String(repeating: " ", count: width - whole) }
    var (result, used) = ("", 0)
    for character in text {
      let size = columns(character)
      if used + size > width - 1 { break }
      result.append(character)
      used += size
    }
    return result + "…" + String(repeating: " ", count: max(0, width - 1 - used))
  }
}
