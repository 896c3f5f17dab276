import SpindleModel

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
