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
  /// Numbers that JSON can't write, which are not finite, are null.
  package var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .boolean(let truth): text += truth ? "true" : "false"
    case .integer(let number): text += "\(number)"
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .string(let string): JSONValue.write(string, to: &text)
    case .array(let elements):
      JSONValue.write(elements, brackets: ("[", "]"), to: &text, indent: indent) { element, text in
        element.write(to: &text, indent: indent + "  ")
      }
    case .object(let members):
      JSONValue.write(members, brackets: ("{", "}"), to: &text, indent: indent) { member, text in
        JSONValue.write(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indent: indent + "  ")
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], brackets: (String, String), to text: inout String, indent: String,
    each: (Element, inout String) -> Void
  ) {
    text += brackets.0
    for (index, element) in elements.enumerated() {
      text += index == 0 ? "\n" : ",\n"
      text += indent + "  "
      each(element, &text)
    }
    if !elements.isEmpty { text += "\n" + indent }
    text += brackets.1
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
    if isPlain {
      text += string
      text += "\""
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<"\u{20}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
