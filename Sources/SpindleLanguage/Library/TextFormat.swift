/// A format of `NSLog` and `String(format:)`, taken apart.
struct TextFormat {
  /// A stretch of a format: a text as it is, or the place of a value.
  enum Part {
    case literal(String)
    case value(Place)
  }

  /// `%d` and the like.
  struct Place {
    var sign: Character = "%"
    /// How many digits are wanted behind the point, or of a whole number at least; nil where the format does not say.
    var digits: Int?
    /// How many characters are wanted at least.
    var width = 0
    /// Whether the padding follows the value, and whether zeros pad it.
    var isLeft = false
    var hasZeros = false
    /// What a number that is not negative begins with.
    var positive = ""
    /// Whether a number has 64 bits in a format that shows bits.
    var isLong = false
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
      guard let place = Self.place(&rest) else { return nil }
      parts.append(place.sign == "%" ? .literal("%") : .value(place))
    }
    parts.append(.literal(String(rest)))
  }

  /// The place at the beginning of a text, behind its `%`.
  private static func place(_ rest: inout Substring) -> Place? {
    var place = Place()
    while let flag = rest.first, "-0+ ".contains(flag) {
      rest = rest.dropFirst()
      switch flag {
      case "-": place.isLeft = true
      case "0": place.hasZeros = true
      default: place.positive = place.positive == "+" ? "+" : String(flag)
      }
    }
    func number() -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return digits.isEmpty ? 0 : digits.count < 4 ? Int(digits) : nil
    }
    guard let width = number() else { return nil }
    place.width = width
    if rest.first == "." {
      rest = rest.dropFirst()
      guard let digits = number() else { return nil }
      place.digits = digits
    }
    let lengths = rest.prefix { "hlqz".contains($0) }
    place.isLong = lengths.contains { "lqz".contains($0) }
    rest = rest.dropFirst(lengths.count)
    guard let sign = rest.popFirst() else { return nil }
    place.sign = sign
    switch sign {
    case "%", "d", "i", "u", "x", "X", "o": return place
    case "f": return place.digits ?? 0 > 9 ? nil : place
    case "@", "s": return place.digits == nil ? place : nil
    default: return nil
    }
  }
}
