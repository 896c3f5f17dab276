/// The text of a schedule: one change a line, or several with `;` between them; `//` begins a comment.
///
///     "reader" locks stageTwo before "setting[0]" locks stageTwo
///     "answer#2" signals done time 2 late 12ms
///
/// `#2` says which one of its name it is; a name that ends so itself has `\#` there.
extension Schedule {
  /// Why a text is no schedule.
  package struct SyntaxError: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
    /// One sentence without a full stop.
    package let message: String
  }

  /// Reads a schedule.
  package init(parsing text: String) throws(SyntaxError) {
    lines = try Self.placed(text).map(\.line)
  }

  /// The changes that a text says, each with the number of its line, from 1.
  package static func placed(
    _ text: String
  ) throws(SyntaxError) -> [(line: Line, number: Int)] {
    var lines: [(line: Line, number: Int)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var reader = LineReader(line, number: index + 1)
      while let line = try reader.line() { lines.append((line, index + 1)) }
    }
    return lines
  }

  /// The text, which `init(parsing:)` reads.
  package var text: String { lines.map { "\($0)\n" }.joined() }
}

extension Schedule.Line: CustomStringConvertible {
  package var description: String {
    switch self {
    case .order(let first, before: let second): "\(first) before \(second)"
    case .late(let step, by: let delay): "\(step) late \(Schedule.text(of: delay))"
    }
  }
}

extension Schedule.Step: CustomStringConvertible {
  package var description: String {
    let which = time == 1 ? "" : " time \(time)"
    return "\(Schedule.quoted(actor)) \(verb.rawValue) \(Schedule.plain(object))\(which)"
  }
}

extension Schedule {
  /// A length of time in the largest unit that leaves a whole number.
  fileprivate static func text(of delay: Nanoseconds) -> String {
    let units: [(Int64, String)] = [
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns"),
    ]
    let value = delay.rawValue
    let unit = units.first { value != 0 && value % $0.0 == 0 } ?? (1, "ns")
    return "\(value / unit.0)\(unit.1)"
  }

  /// A name in quotes, with its ordinal.
  package static func quoted(_ subject: Subject) -> String {
    var text = "\""
    let sign = Self.ordinalSign(subject.name)
    for (index, scalar) in subject.name.unicodeScalars.enumerated() {
      switch scalar {
      case "#" where index == sign: text += "\\#"
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + (subject.ordinal == 1 ? "" : "#\(subject.ordinal)") + "\""
  }

  /// Where a name has a sign that would be read as the one before its ordinal; nil for most.
  private static func ordinalSign(_ name: String) -> Int? {
    let scalars = Array(name.unicodeScalars)
    guard let sign = scalars.lastIndex(of: "#"), sign + 1 < scalars.count,
      scalars[(sign + 1)...].allSatisfy({ ("0"..."9").contains($0) })
    else { return nil }
    return sign
  }

  /// A name without quotes where it is a plain word.
  package static func plain(_ subject: Subject) -> String {
    let isPlain =
      subject.name.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false
    guard isPlain, subject.ordinal == 1, subject.name.unicodeScalars.allSatisfy(isPart) else {
      return quoted(subject)
    }
    return subject.name
  }

  /// Whether a character may stand in a name without quotes.
  fileprivate static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "." || scalar == "[" || scalar == "]"
      || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }
}

/// Reads one line of a schedule.
private struct LineReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private let number: Int

  init(_ line: Substring, number: Int) {
    scalars = Array(line.unicodeScalars)
    self.number = number
  }

  /// The next change of the line; nil at its end.
  mutating func line() throws(Schedule.SyntaxError) -> Schedule.Line? {
    skipSpace()
    while position < scalars.count, scalars[position] == ";" {
      position += 1
      skipSpace()
    }
    if isAtEnd { return nil }
    let beginning = position
    let first = try step()
    let line: Schedule.Line
    let start = position
    switch try word("'before' or 'late'") {
    case "before": line = .order(first, before: try step())
    case "late": line = .late(first, by: try duration())
    default: throw failure("'before' or 'late' is missing", at: start)
    }
    skipSpace()
    if !isAtEnd && scalars[position] != ";" { throw failure("the line should end here") }
    if case .order(let first, before: let second) = line, first.actor == second.actor {
      throw failure("the two steps are of one thread, whose code orders them", at: beginning)
    }
    return line
  }

  private var isAtEnd: Bool {
    position == scalars.count
      || scalars[position] == "/" && position + 1 < scalars.count && scalars[position + 1] == "/"
  }

  private func failure(_ message: String, at place: Int? = nil) -> Schedule.SyntaxError {
    Schedule.SyntaxError(line: number, column: (place ?? position) + 1, message: message)
  }

  private mutating func skipSpace() {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
  }

  private mutating func step() throws(Schedule.SyntaxError) -> Schedule.Step {
    let actor = try subject("a thread's or an item's name")
    skipSpace()
    let start = position
    let verb = try word("what is done, as 'locks'")
    guard let known = StepVerb(rawValue: verb) else {
      let verbs = StepVerb.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("'\(verb)' is no step; there are \(verbs)", at: start)
    }
    let object = try subject("the name of what is used")
    if takeWord("time") {
      return Schedule.Step(actor, known, object, time: try count("which time"))
    }
    return Schedule.Step(actor, known, object)
  }

  private mutating func subject(
    _ what: StaticString
  ) throws(Schedule.SyntaxError) -> Schedule.Subject {
    skipSpace()
    if position < scalars.count, scalars[position] == "\"" { return try quoted() }
    return Schedule.Subject(try word(what))
  }

  private mutating func quoted() throws(Schedule.SyntaxError) -> Schedule.Subject {
    let start = position
    position += 1
    var name = ""
    // Where the sign before an ordinal stands among the name's characters.
    var (length, sign): (Int, Int?) = (0, nil)
    while position < scalars.count, scalars[position] != "\"" {
      var scalar = scalars[position]
      if scalar == "#" { sign = length }
      length += 1
      if scalar == "\\", position + 1 < scalars.count {
        position += 1
        switch scalars[position] {
        case "n": scalar = "\n"
        case "r": scalar = "\r"
        case "t": scalar = "\t"
        default: scalar = scalars[position]
        }
      }
      name.unicodeScalars.append(scalar)
      position += 1
    }
    if position == scalars.count { throw failure("the quote does not end", at: start) }
    position += 1
    if name.isEmpty { throw failure("a name is not empty", at: start) }
    if let sign, sign > 0 {
      let scalars = Array(name.unicodeScalars)
      let digits = String(String.UnicodeScalarView(scalars[(sign + 1)...]))
      if let ordinal = Int(digits), ordinal >= 1, digits == "\(ordinal)" {
        let plain = String(String.UnicodeScalarView(scalars[..<sign]))
        return Schedule.Subject(plain, ordinal: ordinal)
      }
    }
    return Schedule.Subject(name)
  }

  private mutating func word(_ what: StaticString) throws(Schedule.SyntaxError) -> String {
    skipSpace()
    let start = position
    while position < scalars.count, Schedule.isPart(scalars[position]) { position += 1 }
    if position == start { throw failure("\(what) is missing") }
    return String(String.UnicodeScalarView(scalars[start..<position]))
  }

  /// Passes over a word where it is the next one; whether it is.
  private mutating func takeWord(_ word: String) -> Bool {
    skipSpace()
    let letters = Array(word.unicodeScalars)
    let end = position + letters.count
    guard end <= scalars.count, Array(scalars[position..<end]) == letters,
      end == scalars.count || !Schedule.isPart(scalars[end])
    else { return false }
    position = end
    return true
  }

  private mutating func count(_ what: StaticString) throws(Schedule.SyntaxError) -> Int {
    skipSpace()
    let start = position
    let text = try word(what)
    guard let count = Int(text), count >= 1 else {
      throw failure("\(what) is a number from 1 on", at: start)
    }
    return count
  }

  private mutating func duration() throws(Schedule.SyntaxError) -> Nanoseconds {
    skipSpace()
    let start = position
    let text = try word("how late")
    let units: [(String, Int64)] = [
      ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ]
    guard let (unit, length) = units.first(where: { text.hasSuffix($0.0) }),
      let value = Int64(text.dropLast(unit.count)), value > 0
    else { throw failure("how late is a length of time, as 12ms", at: start) }
    let (product, overflow) = value.multipliedReportingOverflow(by: length)
    if overflow || product > Nanoseconds.longest.rawValue {
      throw failure("no run is so long", at: start)
    }
    return Nanoseconds(product)
  }
}
