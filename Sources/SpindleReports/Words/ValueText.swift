import SpindleModel

/// Writes values as the trace language does.
enum ValueText {
  /// The value of a register or variable.
  static func text(_ value: Int64, _ format: ValueFormat, _ names: NameTable) -> String {
    if value == noValue { return "nil" }
    switch format {
    case .integer: return "\(value)"
    case .boolean: return value == 0 ? "false" : "true"
    case .duration: return Nanoseconds(value).description
    case .instant: return Instant(value).description
    case .size: return ByteCount(value).description
    case .decimal: return FixedDecimal(billionths: value).description
    case .string, .quoted: return quoted(name(value, names))
    case .symbol: return "." + name(value, names)
    case .thread, .object: return "object \(value)"
    case .array: return "array \(value)"
    }
  }

  /// The text of the name with the number `value`; empty without one.
  static func name(_ value: Int64, _ names: NameTable) -> String {
    value >= 0 && value < Int64(names.count) ? names.text(NameID(Int(value))) : ""
  }

  /// A constant of an expectation.
  static func text(_ value: ExpectationValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .boolean(let truth): truth ? "true" : "false"
    case .duration(let length): length.description
    case .size(let size): size.description
    case .decimal(let decimal): decimal.description
    case .string(let text): quoted(text)
    case .symbol(let name): ".\(name)"
    case .list(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .table(let rows):
      rows.isEmpty
        ? "[:]"
        : "[" + rows.map { "\(quoted($0.key)): \(text($0.value))" }.joined(separator: ", ") + "]"
    case .timeline(let rows): "[" + rows.map(text).joined(separator: ", ") + "]"
    case .none: "nil"
    }
  }

  /// One entry of a timeline: `500ms ... 1.3s: any("x", "y")`.
  static func text(_ row: ExpectationValue.TimelineRow) -> String {
    let time =
      row.earliest == row.latest
      ? row.earliest.description : "\(row.earliest) ... \(row.latest)"
    let labels = row.labels.map(quoted).joined(separator: ", ")
    return row.labels.count == 1 ? "\(time): \(labels)" : "\(time): any(\(labels))"
  }

  /// A text in quotes, with escapes as the trace language has them.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ", "\u{7F}": result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
