/// A format of `NSLog` and `String(format:)`, taken apart.
struct TextFormat {
  /// A stretch of a format: a text as it is, or the place of a value.
  enum Part {
    case literal(String)
    /// `%d` and the like, with how many digits behind the point are wanted; nil where it does not say.
    case value(Character, digits: Int?)
  }

  var parts: [Part] = []

  /// How many values it has places for.
  var valueCount: Int {
    parts.count { part in
      if case .value = part { true } else { false }
    }
  }

  /// Takes a format apart; nil when it has a sign that is not known here.
  ///
  /// Source: IEEE Std 1003.1, `printf`; Foundation has `%@` beside its signs.
  init?(_ format: String) {
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      parts.append(.literal(String(rest[..<percent])))
      rest = rest[rest.index(after: percent)...]
      var digits: Int?
      if rest.first == "." {
        let count = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        digits = count.isEmpty ? 0 : Int(count) ?? 10
        rest = rest.dropFirst(1 + count.count)
      }
      // How long a number is says nothing where all have 64 bits.
      let lengths = rest.prefix { "hlqz".contains($0) }
      rest = rest.dropFirst(lengths.count)
      guard let sign = rest.popFirst() else { return nil }
      switch sign {
      case "%": parts.append(.literal("%"))
      case "d", "i", "u", "@", "s", "f":
        if digits ?? 0 > 9 || digits != nil && sign != "f" { return nil }
        parts.append(.value(sign, digits: digits))
      default: return nil
      }
    }
    parts.append(.literal(String(rest)))
  }
}
