import SpindleModel

/// The comments at the top of an imported trace: its origin, and what is not in it.
enum TraceNotes {
  /// Notes as a comment, each under its title, with an empty line behind it.
  static func text(_ notes: [(String, String)]) -> [String] {
    notes.flatMap { wrapped($0.0, $0.1) } + [""]
  }

  private static func wrapped(_ title: String, _ text: String) -> [String] {
    var lines: [String] = []
    var line = "// " + title + String(repeating: " ", count: max(1, 11 - title.count))
    let indent = line.count
    for word in text.split(separator: " ") {
      if line.count + word.count > 98 && line.count > indent {
        lines.append(trimmed(line))
        line = "//" + String(repeating: " ", count: indent - 2)
      }
      line += word + " "
    }
    return lines + [trimmed(line)]
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A length, to four digits.
  static func length(_ nanoseconds: Int64) -> String {
    var scale: Int64 = 1
    while nanoseconds.magnitude / UInt64(scale) >= 10_000 { scale *= 10 }
    return Nanoseconds((nanoseconds + scale / 2) / scale * scale).description
  }

  static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    let plural = noun.hasSuffix("ch") ? noun + "es" : noun + "s"
    return "\(number) \(number == 1 ? noun : plural)"
  }
}
