/// How names of files stand in messages.
package enum FileName {
  /// The text with what a terminal would obey, or what would break the line, as Swift writes it.
  ///
  /// A backslash stays as it is, so that a text that was shown once is the same when shown again.
  package static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.map { isControl($0) ? escape($0) : String($0) }.joined()
  }

  /// The same of bytes, those that are no UTF-8 in hexadecimal digits.
  package static func shown(bytes: [UInt8]) -> String {
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      let lengths = 1...min(4, rest.count)
      let scalar = lengths.lazy.compactMap {
        String(validating: rest.prefix($0), as: UTF8.self)
      }.first
      text += scalar ?? "\\x" + digits(UInt32(first))
      rest = rest.dropFirst(scalar?.utf8.count ?? 1)
    }
    return shown(text)
  }

  /// Whether it moves the cursor, colours, turns the direction of writing, or ends the line.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(digits(scalar.value))}"
    }
  }

  private static func digits(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }
}
