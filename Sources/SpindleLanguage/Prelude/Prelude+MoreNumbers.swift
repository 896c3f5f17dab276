extension Prelude {
  /// What whole numbers have beside their operators: conversions, their bits and bytes, and how they are written.
  static let words = """
    extension FixedWidthInteger {
      @builtin(narrow) init<T: BinaryInteger>(truncatingIfNeeded value: T)
      init?<T: BinaryInteger>(exactly value: T) {
        let whole = Int(value)
        if whole > Int(Self.max) || whole < Int(Self._least) { return nil }
        self = Self(truncatingIfNeeded: whole)
      }
      init?(exactly value: Double) {
        let whole = Int(value)
        if Double(whole) != value { return nil }
        if whole > Int(Self.max) || whole < Int(Self._least) { return nil }
        self = Self(truncatingIfNeeded: whole)
      }
      init<T: BinaryInteger>(clamping value: T) {
        let whole = Int(value)
        self =
          whole > Int(Self.max)
          ? Self.max : whole < Int(Self._least) ? Self._least : Self(truncatingIfNeeded: whole)
      }
      init?(_ text: String, radix: Int) {
        guard let whole = wholeNumber(text, radix) else { return nil }
        if whole > Int(Self.max) || whole < Int(Self._least) { return nil }
        self = Self(truncatingIfNeeded: whole)
      }
      var byteSwapped: Self {
        var made = 0
        for place in 0 ..< Self.bitWidth / 8 {
          made = made << 8 | Int(truncatingIfNeeded: self) >> (8 * place) & 255
        }
        return Self(truncatingIfNeeded: made)
      }
      @inlined var bigEndian: Self { self.byteSwapped }
      @inlined var littleEndian: Self { self }
      @inlined static func << <Other: BinaryInteger>(a: Self, b: Other) -> Self { a << Int(b) }
      @inlined static func >> <Other: BinaryInteger>(a: Self, b: Other) -> Self { a >> Int(b) }
      @inlined static func <<= (a: inout Self, b: Self) { a = a << Int(b) }
      @inlined static func >>= (a: inout Self, b: Self) { a = a >> Int(b) }
      @inlined static func &<< (a: Self, b: Self) -> Self {
        a << (Int(truncatingIfNeeded: b) & (Self.bitWidth - 1))
      }
      @inlined static func &>> (a: Self, b: Self) -> Self {
        a >> (Int(truncatingIfNeeded: b) & (Self.bitWidth - 1))
      }
    }
    func wholeNumber(_ text: String, _ radix: Int) -> Int? {
      let known = Array("0123456789abcdefghijklmnopqrstuvwxyz")
      let sign = text.hasPrefix("-") ? 0 - 1 : 1
      let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
      if digits.isEmpty { return nil }
      var made = 0
      for digit in digits.lowercased() {
        guard let value = known.firstIndex(of: digit), value < radix else { return nil }
        let (tens, isTooLarge) = made.multipliedReportingOverflow(by: radix)
        let (sum, overflow) = tens.addingReportingOverflow(sign * value)
        if isTooLarge || overflow { return nil }
        made = sum
      }
      return made
    }
    extension String {
      init<T: BinaryInteger>(_ value: T, radix: Int, uppercase: Bool = false) {
        precondition(radix >= 2 && radix <= 36, "Radix must be between 2 and 36")
        var rest = Int(value)
        var made = ""
        repeat {
          let digit = rest % radix
          let place = digit < 0 ? 0 - digit : digit
          made = "0123456789abcdefghijklmnopqrstuvwxyz"._part(place, place + 1) + made
          rest = rest / radix
        } while rest != 0
        if uppercase { made = made.uppercased() }
        self = Int(value) < 0 ? "-" + made : made
      }
    }
    """

  /// What a number with a fraction has beside its operators.
  static let fractionMembers = """
    init?(_ text: String) {
      guard let value = decimalNumber(text) else { return nil }
      self = value
    }
    @inlined var isNaN: Bool { false }
    @inlined var isInfinite: Bool { false }
    @inlined var isFinite: Bool { true }
    @inlined var isZero: Bool { self == 0.0 }
    @inlined var isNormal: Bool { self != 0.0 }
    @inlined var sign: FloatingPointSign { self < 0.0 ? .minus : .plus }
    func squareRoot() -> Double {
      precondition(self >= 0.0, "a square root of a negative number is no number here")
      if self == 0.0 { return 0.0 }
      var guess = self > 1.0 ? self : 1.0
      while true {
        let next = (guess + self / guess) / 2.0
        if next >= guess { return guess }
        guess = next
      }
    }
    @builtin(remainder) func truncatingRemainder(dividingBy other: Double) -> Double
    @inlined func isEqual(to other: Double) -> Bool { self == other }
    @inlined func isLess(than other: Double) -> Bool { self < other }
    @inlined func addingProduct(_ a: Double, _ b: Double) -> Double { self + a * b }
    @inlined mutating func round() { self = self.rounded() }
    @inlined mutating func round(_ rule: FloatingPointRoundingRule) { self = self.rounded(rule) }
    @inlined mutating func negate() { self = 0.0 - self }
    @inlined mutating func formSquareRoot() { self = self.squareRoot() }
    @inlined mutating func formTruncatingRemainder(dividingBy other: Double) {
      self = self.truncatingRemainder(dividingBy: other)
    }
    @inlined static func minimum(_ a: Double, _ b: Double) -> Double { b < a ? b : a }
    @inlined static func maximum(_ a: Double, _ b: Double) -> Double { b > a ? b : a }
    """

  /// Functions of numbers with a fraction.
  static let fractionFunctions = """
    enum FloatingPointSign { case plus, minus }
    func sqrt(_ x: Double) -> Double { x.squareRoot() }
    func round(_ x: Double) -> Double { x.rounded() }
    func trunc(_ x: Double) -> Double { x.rounded(.towardZero) }
    func fabs(_ x: Double) -> Double { x.magnitude }
    func fmod(_ x: Double, _ y: Double) -> Double { x.truncatingRemainder(dividingBy: y) }
    func decimalNumber(_ text: String) -> Double? {
      let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
      if parts.count > 2 { return nil }
      let isNegative = text.hasPrefix("-")
      let digits = isNegative || text.hasPrefix("+") ? parts[0].dropFirst() : parts[0]
      var made = 0.0
      var place = 1.0
      var count = 0
      var isBehindPoint = false
      for digit in digits {
        if digit == "." && !isBehindPoint {
          isBehindPoint = true
        } else {
          guard let value = wholeNumber(digit, 10) else { return nil }
          if isBehindPoint {
            place = place / 10.0
            made = made + place * Double(value)
          } else {
            made = made * 10.0 + Double(value)
          }
          count += 1
        }
      }
      if count == 0 { return nil }
      if parts.count == 2 {
        guard let exponent = Int(parts[1]) else { return nil }
        for _ in 0 ..< exponent.magnitude { made = exponent < 0 ? made / 10.0 : made * 10.0 }
      }
      return isNegative ? 0.0 - made : made
    }
    """
}
