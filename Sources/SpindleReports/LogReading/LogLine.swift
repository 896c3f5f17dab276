import SpindleModel

/// A name as a line of a log has it: the number of the text, and which one of that text it is.
struct LogName: Hashable {
  var text: NameID
  var ordinal: Int32 = 1
}

/// The part between two commas of a line: words with `_` for each name and `N` for each quantity.
struct LogClause {
  var form = ""
  var names: [LogName] = []
  var quantities: [Int64] = []
}

/// One line between the top and the end of a log.
struct LogLine {
  var time: Int64 = 0
  /// The core that the thread has; -1 for none.
  var core: Int16 = -1
  /// The actor; nil for the outside world.
  var subject: LogName?
  /// The first clause.
  var step = LogClause()
  /// The other clauses.
  var attributes: [LogClause] = []
  /// What follows ` = `; nil without it.
  var value: ArraySlice<UInt8>?

  /// The first attribute of a form.
  func attribute(_ form: String) -> LogClause? { attributes.first { $0.form == form } }

  /// Whether there is an attribute of a form.
  func has(_ form: String) -> Bool { attributes.contains { $0.form == form } }

  /// The quantity of the first attribute of a form; 0 without one.
  func quantity(_ form: String) -> Int64 { attribute(form)?.quantities.first ?? 0 }

  /// The name of the first attribute of a form; nil without one.
  func name(_ form: String) -> LogName? { attribute(form)?.names.first }
}

/// Reads one line by the grammar of the log.
struct LogLineParser {
  private let bytes: ArraySlice<UInt8>
  private let names: NameTable
  private var place: Int

  private init(_ bytes: ArraySlice<UInt8>, _ names: NameTable) {
    (self.bytes, self.names, place) = (bytes, names, bytes.startIndex)
  }

  /// Reads one line, whose names are added to `names`; throws its mistake.
  static func line(
    _ bytes: ArraySlice<UInt8>, _ names: NameTable
  ) throws(LogFault) -> LogLine {
    var parser = LogLineParser(bytes, names)
    return try parser.line()
  }

  /// Reads a text in quotes, which must be all there is; nil for anything else.
  static func quoted(_ bytes: ArraySlice<UInt8>, _ names: NameTable) -> LogName? {
    guard bytes.first == 0x22 else { return nil }
    var parser = LogLineParser(bytes, names)
    do throws(LogFault) {
      let name = try parser.quotedName()
      return parser.place == bytes.endIndex ? name : nil
    } catch {
      return nil
    }
  }

  private mutating func line() throws(LogFault) -> LogLine {
    var line = LogLine()
    skipSpaces()
    guard let time = LogQuantity.value(word()) else { throw LogFault("it begins with no time") }
    line.time = time
    // The core's column is four wide, and two spaces follow.
    guard place + 7 < bytes.endIndex else { throw LogFault("nothing follows the time") }
    let column = bytes[place..<place + 4].drop { $0 == 0x20 }
    if !column.isEmpty {
      guard let core = Int16(String(decoding: column, as: UTF8.self)), core >= 0 else {
        throw LogFault("the core is not a number")
      }
      line.core = core
    }
    place += 6
    line.subject = try subject()
    skipSpaces()
    line.step = try clause()
    while place < bytes.endIndex {
      if bytes[place] == 0x2C {
        place += 2
        line.attributes.append(try clause())
      } else {
        // Behind ` =` and a space.
        line.value = bytes[min(place + 2, bytes.endIndex)...]
        place = bytes.endIndex
      }
    }
    return line
  }

  /// A name in its own column, which has no quotes where it can't be misread; nil for the world.
  private mutating func subject() throws(LogFault) -> LogName? {
    guard place < bytes.endIndex, bytes[place] != 0x20 else { throw LogFault("no thread is named") }
    if bytes[place] == 0x22 { return try quotedName() }
    let word = word()
    let parts = word.split(separator: 0x23, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty else { throw LogFault("no thread is named") }
    if parts.count == 1 && first.elementsEqual("world".utf8) { return nil }
    var name = LogName(text: intern(first))
    if parts.count == 2 { name.ordinal = try LogLineParser.ordinal(parts[1]) }
    return name
  }

  private func intern(_ text: ArraySlice<UInt8>) -> NameID {
    text.withUnsafeBufferPointer { names.intern($0) }
  }

  private static func ordinal(_ digits: ArraySlice<UInt8>) throws(LogFault) -> Int32 {
    guard let number = Int32(String(decoding: digits, as: UTF8.self)), number > 1 else {
      throw LogFault("'#' needs a number from 2 on")
    }
    return number
  }

  /// Words, names and quantities up to a comma, ` = ` or the end.
  private mutating func clause() throws(LogFault) -> LogClause {
    var clause = LogClause()
    while place < bytes.endIndex && bytes[place] != 0x2C {
      if bytes[place] == 0x20 {
        place += 1
        if place < bytes.endIndex && bytes[place] == 0x3D { break }
        continue
      }
      if !clause.form.isEmpty { clause.form += " " }
      if bytes[place] == 0x22 {
        clause.names.append(try quotedName())
        clause.form += "_"
        continue
      }
      let word = word(endingAtComma: true)
      // The placeholders for names and quantities of a form are not words of a log.
      if word.elementsEqual("_".utf8) || word.elementsEqual("N".utf8) {
        throw LogFault("a name in quotes or a quantity is missing")
      }
      if let first = word.first, first == 0x2D || (0x30...0x39).contains(first),
        let quantity = LogQuantity.value(word)
      {
        clause.quantities.append(quantity)
        clause.form += "N"
      } else {
        clause.form += String(decoding: word, as: UTF8.self)
      }
    }
    if clause.form.isEmpty { throw LogFault("nothing between two commas") }
    return clause
  }

  /// A text in quotes with escapes, and which one of it.
  private mutating func quotedName() throws(LogFault) -> LogName {
    place += 1
    var text: [UInt8] = []
    while place < bytes.endIndex && bytes[place] != 0x22 {
      if bytes[place] == 0x5C {
        try appendEscape(to: &text)
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    guard place < bytes.endIndex else { throw LogFault("a quote is not closed") }
    place += 1
    var name = LogName(text: intern(text[...]))
    if place < bytes.endIndex && bytes[place] == 0x23 {
      place += 1
      let start = place
      while place < bytes.endIndex && (0x30...0x39).contains(bytes[place]) { place += 1 }
      name.ordinal = try LogLineParser.ordinal(bytes[start..<place])
    }
    return name
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(LogFault) {
    guard place + 1 < bytes.endIndex else { throw LogFault("a quote is not closed") }
    let letter = bytes[place + 1]
    place += 2
    switch letter {
    case 0x6E: text.append(0x0A)
    case 0x74: text.append(0x09)
    case 0x72: text.append(0x0D)
    case 0x22, 0x5C: text.append(letter)
    case 0x75:
      guard let end = bytes[place...].firstIndex(of: 0x7D), place < end,
        let code = UInt32(String(decoding: bytes[(place + 1)..<end], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw LogFault("invalid escape") }
      text += Array(String(Character(scalar)).utf8)
      place = end + 1
    default: throw LogFault("invalid escape")
    }
  }

  private mutating func skipSpaces() {
    while place < bytes.endIndex && bytes[place] == 0x20 { place += 1 }
  }

  private mutating func word(endingAtComma: Bool = false) -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.endIndex && bytes[place] != 0x20 && !(endingAtComma && bytes[place] == 0x2C)
    {
      place += 1
    }
    return bytes[start..<place]
  }
}

/// A mistake in a line.
struct LogFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Reads whole numbers, times in nanoseconds and sizes in bytes, as a log writes them.
enum LogQuantity {
  private static let units: [(name: StaticString, scale: Int64)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("B", 1), ("KB", 1_024),
    ("MB", 1_048_576), ("GB", 1_073_741_824), ("", 1),
  ]

  /// The value; nil for text that is not a value, does not fit, or has more digits than its unit has room
  /// for.
  static func value(_ text: ArraySlice<UInt8>) -> Int64? {
    let isNegative = text.first == 0x2D
    let digits = text.dropFirst(isNegative ? 1 : 0)
    let whole = digits.prefix { (0x30...0x39).contains($0) }
    var rest = digits[whole.endIndex...]
    guard !whole.isEmpty else { return nil }
    var fraction = rest.prefix(0)
    if rest.first == 0x2E {
      fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      if fraction.isEmpty { return nil }
      rest = rest[fraction.endIndex...]
    }
    let unit = units.first { unit in
      rest.elementsEqual(unit.name.withUTF8Buffer { Array($0) })
    }
    guard let unit else { return nil }
    var value: Int128 = 0
    for digit in whole {
      value = value * 10 + Int128(digit - 0x30)
      if value > Int128(Int64.max) + 1 { return nil }
    }
    value *= Int128(unit.scale)
    var scale = unit.scale
    for digit in fraction {
      if scale % 10 != 0 { return nil }
      scale /= 10
      value += Int128(digit - 0x30) * Int128(scale)
    }
    return Int64(exactly: isNegative ? -value : value)
  }
}
