/// A list on the command line: `fifo, roundRobin(quantum: 10ms)`.
enum ListText {
  /// The values of a list, without the spaces around them.
  ///
  /// Commas outside parentheses, brackets, braces and quotes separate. An empty value is kept, so
  /// that a caller can refuse it.
  static func values(_ text: String) -> [String] {
    var values: [String] = []
    var current: [UInt8] = []
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if isQuoted {
        isQuoted = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: ",") where depth <= 0:
          values.append(trimmed(String(decoding: current, as: UTF8.self)[...]))
          current = []
          continue
        default: break
        }
      }
      current.append(byte)
    }
    values.append(trimmed(String(decoding: current, as: UTF8.self)[...]))
    return values
  }

  /// `text` without spaces and tabs at either end.
  static func trimmed(_ text: Substring) -> String {
    var rest = text
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
