/// A name as a log has it: the text, and which one of that text it is.
struct LogName: Hashable, CustomStringConvertible {
  var text: String
  var ordinal = 1

  var description: String { ordinal == 1 ? "'\(text)'" : "'\(text)'#\(ordinal)" }
}

/// A part of a step between two commas: words with a sign for each name (`_`) and quantity (`N`).
struct LogClause: Equatable {
  var form = ""
  var names: [LogName] = []
  var quantities: [Int64] = []
}

/// One line of a log between its top and its end.
struct LogLine {
  var time: Int64
  var core: Int?
  /// Nil for the world outside.
  var subject: LogName?
  var step: LogClause
  var attributes: [LogClause] = []
  /// What stands behind ` = `.
  var value: String?
  /// The line as it is, for messages.
  var text: String

  /// The attributes of a form.
  func attributes(_ form: String) -> [LogClause] { attributes.filter { $0.form == form } }

  /// The quantity of the first attribute of a form; nil when there is none.
  func quantity(_ form: String) -> Int64? { attributes(form).first?.quantities.first }

  /// The first name of the first attribute of a form; nil when there is none.
  func name(_ form: String) -> LogName? { attributes(form).first?.names.first }

  /// Whether there is an attribute of a form.
  func has(_ form: String) -> Bool { attributes.contains { $0.form == form } }
}

/// A line is not what the grammar says.
struct LogSyntaxError: Error, CustomStringConvertible {
  var description: String
}

/// Reads lines by the grammar in LogFormat.md: one function for each of its rules.
struct LogLineReader {
  private let bytes: [UInt8]
  private var place = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Reads one line.
  static func read(_ text: String) throws(LogSyntaxError) -> LogLine {
    var reader = LogLineReader(text)
    return try reader.line(text)
  }

  private mutating func line(_ text: String) throws(LogSyntaxError) -> LogLine {
    skipSpaces()
    guard let time = LogLineReader.quantity(word()) else { throw error("no time") }
    guard place + 6 < bytes.count else { throw error("no step") }
    let columns = String(decoding: bytes[place..<place + 4], as: UTF8.self).filter { $0 != " " }
    let core = Int(columns)
    if core == nil && !columns.isEmpty { throw error("'\(columns)' is no core") }
    place += 4
    guard bytes[place] == 0x20, bytes[place + 1] == 0x20, bytes[place + 2] != 0x20 else {
      throw error("no subject behind the core")
    }
    place += 2
    let subject = try subjectName()
    guard place + 1 < bytes.count, bytes[place] == 0x20, bytes[place + 1] == 0x20 else {
      throw error("no two spaces behind the subject")
    }
    skipSpaces()
    var line = LogLine(time: time, core: core, subject: subject, step: try clause(), text: text)
    while place < bytes.count {
      if bytes[place] == 0x2C {
        place += 2
        line.attributes.append(try clause())
      } else {
        place += 2
        line.value = String(decoding: bytes[place...], as: UTF8.self)
        place = bytes.count
      }
    }
    return line
  }

  /// A name without quotes ends at a space; `world` is nobody.
  private mutating func subjectName() throws(LogSyntaxError) -> LogName? {
    if bytes[place] == 0x22 { return try quotedName() }
    let parts = word().split(separator: "#", omittingEmptySubsequences: false)
    if parts.count == 1 { return parts[0] == "world" ? nil : LogName(text: String(parts[0])) }
    guard parts.count == 2, let ordinal = Int(parts[1]), ordinal > 1 else {
      throw error("no name")
    }
    return LogName(text: String(parts[0]), ordinal: ordinal)
  }

  /// Words, names and quantities up to a comma, ` = ` or the end.
  private mutating func clause() throws(LogSyntaxError) -> LogClause {
    var clause = LogClause()
    var forms: [String] = []
    while place < bytes.count && bytes[place] != 0x2C {
      if bytes[place] == 0x20 {
        place += 1
        if place < bytes.count && bytes[place] == 0x3D { break }
        continue
      }
      if bytes[place] == 0x22 {
        clause.names.append(try quotedName())
        forms.append("_")
        continue
      }
      let word = word(endingAtComma: true)
      if let first = word.utf8.first, first == 0x2D || (first >= 0x30 && first <= 0x39) {
        guard let quantity = LogLineReader.quantity(word) else {
          throw error("'\(word)' is no quantity")
        }
        clause.quantities.append(quantity)
        forms.append("N")
      } else {
        forms.append(word)
      }
    }
    if forms.isEmpty { throw error("an empty clause") }
    clause.form = forms.joined(separator: " ")
    return clause
  }

  /// A text in quotes with escapes, and which one of it.
  private mutating func quotedName() throws(LogSyntaxError) -> LogName {
    place += 1
    var text: [UInt8] = []
    while place < bytes.count && bytes[place] != 0x22 {
      if bytes[place] == 0x5C {
        text += try escape()
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    if place == bytes.count { throw error("no closing quote") }
    place += 1
    var name = LogName(text: String(decoding: text, as: UTF8.self))
    if place < bytes.count && bytes[place] == 0x23 {
      place += 1
      let start = place
      while place < bytes.count && bytes[place] >= 0x30 && bytes[place] <= 0x39 { place += 1 }
      let digits = String(decoding: bytes[start..<place], as: UTF8.self)
      guard let ordinal = Int(digits), ordinal > 1 else { throw error("no number behind #") }
      name.ordinal = ordinal
    }
    return name
  }

  private mutating func escape() throws(LogSyntaxError) -> [UInt8] {
    place += 2
    guard place <= bytes.count else { throw error("no escape") }
    switch bytes[place - 1] {
    case 0x6E: return [0x0A]
    case 0x74: return [0x09]
    case 0x72: return [0x0D]
    case 0x22, 0x5C: return [bytes[place - 1]]
    case 0x75:
      let start = place + 1
      while place < bytes.count && bytes[place] != 0x7D { place += 1 }
      guard start <= place else { throw error("no escape") }
      let digits = String(decoding: bytes[start..<place], as: UTF8.self)
      guard place < bytes.count, let code = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw error("no escape") }
      place += 1
      return Array(String(Character(scalar)).utf8)
    default: throw error("no escape")
    }
  }

  // MARK: Words

  private mutating func skipSpaces() {
    while place < bytes.count && bytes[place] == 0x20 { place += 1 }
  }

  private mutating func word(endingAtComma: Bool = false) -> String {
    let start = place
    while place < bytes.count && bytes[place] != 0x20 && !(endingAtComma && bytes[place] == 0x2C) {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func error(_ message: String) -> LogSyntaxError {
    LogSyntaxError(description: "\(message) at column \(place + 1)")
  }

  /// A whole number, a time in nanoseconds or a size in bytes, by its unit.
  static func quantity(_ text: String) -> Int64? {
    let units: [(String, Int64)] = [
      ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("KB", 1_024),
      ("MB", 1_048_576), ("GB", 1_073_741_824), ("B", 1),
    ]
    var (number, scale) = (Substring(text), Int64(1))
    if let unit = units.first(where: { text.hasSuffix($0.0) }) {
      (number, scale) = (text.dropLast(unit.0.count), unit.1)
    }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = Int64(parts[0]) else { return nil }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: scale)
    if overflow { return nil }
    if parts.count == 1 { return scaled }
    guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    var (fraction, rest) = (Int64(0), scale)
    for digit in parts[1].utf8 {
      if rest % 10 != 0 { return nil }
      rest /= 10
      fraction += Int64(digit - 0x30) * rest
    }
    return number.hasPrefix("-") ? scaled - fraction : scaled + fraction
  }
}
