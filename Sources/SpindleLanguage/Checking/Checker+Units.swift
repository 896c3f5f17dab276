import SpindleModel

/// Numbers without a unit, and which one they most likely want.
extension Checker {
  /// A bare number as the quantity that is meant: what stands before it in the text tells the unit.
  mutating func quantity(
    _ number: String, _ type: ValueType, at range: SourceRange, isWhole: Bool? = nil
  ) -> String {
    let before = textBefore(range)
    if case .duration = type.unwrapped, number == "0" { return "0s" }
    if case .instant = type.unwrapped, before.isSum { return number + "s" }
    if case .size = type.unwrapped, before.word == "memory",
      let bytes = BareNumber.bytes(number)
    {
      return bytes
    }
    let isWhole = isWhole ?? !number.utf8.contains(UInt8(ascii: "."))
    var unit = BareNumber.unit(of: type, for: before.word, isWhole: isWhole)
    if case .size = type.unwrapped { return number + unit }
    if case .duration = type.unwrapped, unit != "s", !BareNumber.short.contains(before.word) {
      // Who writes a part of something that only the trace knows thinks of Swift's seconds.
      let isPart = !isWhole && (before.word.isEmpty || before.isArgument)
      if isPart || secondsWords.areSeconds(at: range) { unit = "s" }
    }
    let isMoment = before.isArgument && BareNumber.moments.contains(before.word)
    if case .instant = type.unwrapped, isMoment { return ".now() + " + number + unit }
    return number + unit
  }

  /// What stands before a value: the callee, label or name that it is for.
  private func textBefore(
    _ range: SourceRange
  ) -> (word: String, isArgument: Bool, isSum: Bool) {
    var reader = BackwardReader(bytes: source.utf8, position: Int(range.lowerBound))
    switch reader.sign() {
    case UInt8(ascii: "("): return (reader.word(), true, false)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return ("", false, true)
    case UInt8(ascii: "="): return (reader.word(), false, false)
    case UInt8(ascii: ","): return (reader.callee(), true, false)
    case UInt8(ascii: ":"):
      let label = reader.word()
      let sign = reader.sign()
      return (label, sign == UInt8(ascii: "(") || sign == UInt8(ascii: ","), false)
    default: return ("", false, false)
    }
  }

  /// What to say of a bare number where a time or a size is expected; nil when it is none.
  mutating func missingUnit(_ operand: Operand, _ type: ValueType, _ range: SourceRange) -> String?
  {
    guard operand.isLiteral || operand.type == .integer || operand.type == .decimal else {
      return nil
    }
    let what: String
    switch type.unwrapped {
    case .duration, .instant: what = "a duration"
    case .size: what = "a size"
    default: return nil
    }
    let text = source.text(in: range)
    let isNumber = BareNumber.isWritten(text)
    let isWhole = isNumber ? !text.utf8.contains(UInt8(ascii: ".")) : operand.type != .decimal
    let proposal = quantity(isNumber ? text : "1", type, at: range, isWhole: isWhole)
    return Messages.needsUnit(what, isNumber ? proposal : BareNumber.product(proposal, text))
  }

  /// Refuses a sum of a time or a size with a bare number; nil when that is not what it is.
  mutating func refuseBareSum(
    _ operation: Expression.InfixOperator, _ first: Operand, _ second: Operand,
    _ left: SourceRange, _ right: SourceRange
  ) -> Operand? {
    guard operation == .add || operation == .subtract,
      ArithmeticRule.rule(operation, first.type, second.type) == nil
    else { return nil }
    if let message = missingUnit(second, first.type, right) { return refuse(message, right) }
    if let message = missingUnit(first, second.type, left) { return refuse(message, left) }
    return nil
  }

  /// What to say of a call of a C function that takes a number; nil for any other.
  func foreignCall(_ name: String, _ call: CallSite) -> String? {
    guard call.arguments.count == 1 else { return nil }
    let number = call.arguments[0].value
    if case .missing = number.kind { return nil }
    let text = BareNumber.withoutCasts(source.text(in: number.range))
    switch name {
    case "usleep", "nanosleep":
      let unit = name == "usleep" ? "us" : "ns"
      if case .duration = number.kind { return Messages.sleepForm(name, text) }
      if BareNumber.isWritten(text), !text.contains(".") {
        return Messages.sleepForm(name, text + unit)
      }
      return Messages.sleepForm(name, BareNumber.product("1\(unit)", text))
    case "arc4random_uniform": return Messages.randomBelow(name, text)
    default: return nil
    }
  }

  /// What to say of `Task.sleep(nanoseconds: UInt64(0.5 * Double(NSEC_PER_SEC)))`, which is a length of time; nil for any
  /// other call.
  func countedSleep(_ call: CallSite) -> String? {
    guard call.arguments.first?.label == "nanoseconds", var number = call.arguments.first?.value
    else { return nil }
    let isSeconds = source.text(in: number.range).contains("NSEC_PER_SEC")
    guard isSeconds || source.text(in: number.range).contains("NSEC_PER_MSEC") else { return nil }
    if case .call(let made) = number.kind, made.arguments.count == 1 {
      number = made.arguments[0].value
    }
    var factor = "1"
    if case .infix(.multiply, let sides) = number.kind {
      let isLeft = source.text(in: sides.left.range).contains("NSEC_PER")
      number = isLeft ? sides.right : sides.left
      if case .call(let made) = number.kind, made.arguments.count == 1 {
        number = made.arguments[0].value
      }
      factor = source.text(in: number.range)
    }
    let unit = isSeconds ? "s" : "ms"
    let isNumber = factor.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    return Messages.countedSleep(isNumber ? factor + unit : BareNumber.product("1" + unit, factor))
  }

  /// Whether a call is `seconds(5)` and the like.
  func isWrittenLength(_ name: String, _ call: CallSite) -> Bool {
    ["seconds", "milliseconds", "microseconds", "nanoseconds"].contains(name)
      && call.arguments.count == 1 && call.closures.isEmpty
  }

  /// What to propose for a type of Swift that a trace calls otherwise; nil when there is none.
  static func ownType(for name: String) -> String? {
    switch name {
    case "Double", "Float", "CGFloat", "Float32", "Float64": "Decimal"
    case "TimeInterval", "DispatchTimeInterval": "Duration"
    case "Date", "DispatchTime": "Instant"
    case "UInt", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64": "Int"
    case "Character", "Substring", "StaticString": "String"
    default: nil
    }
  }
}

/// Reads a text from its end, token by token.
private struct BackwardReader {
  let bytes: [UInt8]
  var position: Int

  /// The byte before the position that is no space, 0 at the beginning; goes before it.
  mutating func sign() -> UInt8 {
    skipSpaces()
    guard position > 0 else { return 0 }
    position -= 1
    return bytes[position]
  }

  /// The word before the position, empty when there is none; goes before it.
  mutating func word() -> String {
    skipSpaces()
    let end = position
    while position > 0, bytes[position - 1].isWordPart { position -= 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  /// The word before the parenthesis that is open at the position, on the same line; empty for none.
  mutating func callee() -> String {
    var depth = 0
    while position > 0, bytes[position - 1] != UInt8(ascii: "\n") {
      position -= 1
      switch bytes[position] {
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth += 1
      case UInt8(ascii: "("), UInt8(ascii: "["):
        if depth == 0 { return word() }
        depth -= 1
      default: break
      }
    }
    return ""
  }

  private mutating func skipSpaces() {
    while position > 0, bytes[position - 1] == UInt8(ascii: " ") { position -= 1 }
  }
}

/// Which unit a number without one most likely has.
enum BareNumber {
  /// The callees, labels and names of Apple's interfaces whose times are counted in seconds, and moments; and
  /// how long a worker without work stays.
  ///
  /// All other times are a trace's own, and short.
  static let seconds: Set<String> = [
    "sleep", "forTimeInterval", "timeInterval", "withTimeInterval", "interval", "repeating",
    "leeway",
    "afterDelay", "tolerance", "timeout", "before", "until", "deadline", "wallDeadline",
    "fireAt", "fire",
    "fireDate", "timeIntervalSinceNow",
    "addingTimeInterval", "TimeInterval", "DispatchTimeInterval", "CFRunLoopRunInMode", "at",
    "keepAlive", "for", "wallTimeout",
    // What functions of an app call a TimeInterval.
    "after", "delay", "duration", "seconds",
  ]

  /// The labels of what a machine does by the way, which takes microseconds.
  private static let microseconds: Set<String> = ["contextSwitch", "launch", "threadStart"]

  /// How many of a quantity there are: `1ms * n`, `1ms * (n + 1)`.
  static func product(_ quantity: String, _ text: String) -> String {
    "\(quantity) * " + grouped(text)
  }

  /// Whether a text is a number: digits, with a point or not.
  static func isWritten(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
  }

  /// A text in parentheses, unless it is one number or name.
  private static func grouped(_ text: String) -> String {
    text.utf8.allSatisfy { $0.isWordPart || $0 == UInt8(ascii: ".") } ? text : "(\(text))"
  }

  /// The text of a number without the types that C wants its parts to have.
  static func withoutCasts(_ text: String) -> String {
    let casts = ["useconds_t(", "UInt32(", "UInt64("]
    guard let cast = casts.first(where: { text.contains($0) }),
      let start = text.firstRange(of: cast)
    else { return text }
    var depth = 1
    var end = start.upperBound
    while end < text.endIndex {
      if text[end] == "(" { depth += 1 } else if text[end] == ")" { depth -= 1 }
      if depth == 0 { break }
      end = text.index(after: end)
    }
    guard end < text.endIndex else { return text }
    let inner = String(text[start.upperBound..<end])
    let (before, behind) = (text[..<start.lowerBound], text[text.index(after: end)...])
    let isWhole = before.isEmpty && behind.isEmpty
    return withoutCasts("\(before)\(isWhole ? inner : grouped(inner))\(behind)")
  }

  /// A number of bytes as a size, where it is too large to be one of megabytes.
  static func bytes(_ number: String) -> String? {
    guard let count = Int64(number.filter { $0 != "_" }), count > 100_000 else { return nil }
    return ByteCount(count).description
  }

  /// The labels that take a moment.
  static let moments: Set<String> = [
    "timeout", "before", "until", "deadline", "wallDeadline", "wallTimeout",
  ]

  /// The callees and labels of a trace's own, whose times are short.
  static let short: Set<String> = [
    "work", "io", "uniform", "exponential", "normal", "pareto", "choice", "drawn", "jitter",
    "period", "offset", "separation", "computation", "constraint", "launch", "Process",
  ]

  /// The unit of a number of this type behind `word`, the nearest callee, label or name.
  static func unit(of type: ValueType, for word: String, isWhole: Bool = true) -> String {
    if case .size = type.unwrapped { return word == "memory" ? "MB" : isWhole ? "B" : "KB" }
    if microseconds.contains(word) { return "us" }
    return seconds.contains(word) ? "s" : "ms"
  }
}
