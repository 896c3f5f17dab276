/// A value of JSON; objects keep the order of their members.
package indirect enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// The text, with two spaces for each level, without a line break at the end.
  ///
  /// Numbers that JSON can't write, which are not finite, are null. Linear in the length of the text.
  package var text: String {
    // Bytes: a string that grows is checked at each piece, which takes twice as long.
    var bytes: [UInt8] = []
    write(to: &bytes, level: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8], level: Int) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let truth): bytes += (truth ? "true" : "false").utf8
    case .integer(let number): bytes += number.description.utf8
    case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
    case .string(let string): JSONValue.write(string, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        JSONValue.beginElement(index, level + 1, to: &bytes)
        element.write(to: &bytes, level: level + 1)
      }
      if !elements.isEmpty { JSONValue.breakLine(level, to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        JSONValue.beginElement(index, level + 1, to: &bytes)
        JSONValue.write(member.key, to: &bytes)
        bytes += ": ".utf8
        member.value.write(to: &bytes, level: level + 1)
      }
      if !members.isEmpty { JSONValue.breakLine(level, to: &bytes) }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func beginElement(_ index: Int, _ level: Int, to bytes: inout [UInt8]) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(level, to: &bytes)
  }

  private static func breakLine(_ level: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<level { bytes += "  ".utf8 }
  }

  private static func write(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += string.utf8
    // Bytes of letters that are not ASCII are all above these.
    if bytes[start...].contains(where: isEscaped) {
      let plain = bytes[start...]
      bytes.removeSubrange(start...)
      for byte in plain { append(byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): bytes += "\\\"".utf8
    case UInt8(ascii: "\\"): bytes += "\\\\".utf8
    case UInt8(ascii: "\n"): bytes += "\\n".utf8
    case UInt8(ascii: "\r"): bytes += "\\r".utf8
    case UInt8(ascii: "\t"): bytes += "\\t".utf8
    case _ where isEscaped(byte):
      let digits = String(byte, radix: 16)
      bytes += "\\u".utf8
      bytes += String(repeating: "0", count: 4 - digits.utf8.count).utf8
      bytes += digits.utf8
    default: bytes.append(byte)
    }
  }
}
