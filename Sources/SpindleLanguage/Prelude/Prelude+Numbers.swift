extension Prelude {
  /// Whole numbers and numbers with a fraction.
  static let numbers: String = {
    let protocols = """
      protocol AdditiveArithmetic: Equatable {
        static var zero: Self { get }
        static func + (a: Self, b: Self) -> Self
        static func - (a: Self, b: Self) -> Self
      }
      extension AdditiveArithmetic {
        @inlined static func += (a: inout Self, b: Self) { a = a + b }
        @inlined static func -= (a: inout Self, b: Self) { a = a - b }
      }
      protocol Numeric: AdditiveArithmetic, ExpressibleByIntegerLiteral {
        static func * (a: Self, b: Self) -> Self
        init?<Other: BinaryInteger>(exactly value: Other)
      }
      protocol SignedNumeric: Numeric {}
      protocol Strideable: Comparable {
        associatedtype Stride: SignedNumeric, Comparable
        func distance(to other: Self) -> Stride
        func advanced(by distance: Stride) -> Self
      }
      extension Strideable {
        @inlined static func < (a: Self, b: Self) -> Bool { a.distance(to: b) > 0 }
      }
      protocol BinaryInteger: Numeric, Strideable, Hashable {
        init()
        init<Other: BinaryInteger>(_ value: Other)
        init<Other: BinaryFloatingPoint>(_ value: Other)
        init?<Other: BinaryFloatingPoint>(exactly value: Other)
        init<Other: BinaryInteger>(clamping value: Other)
        init<Other: BinaryInteger>(truncatingIfNeeded value: Other)
        static func / (a: Self, b: Self) -> Self
        static func % (a: Self, b: Self) -> Self
        static func & (a: Self, b: Self) -> Self
        static func | (a: Self, b: Self) -> Self
        static func ^ (a: Self, b: Self) -> Self
      }
      protocol FixedWidthInteger: BinaryInteger {
        static var max: Self { get }
        static func &+ (a: Self, b: Self) -> Self
        static func &- (a: Self, b: Self) -> Self
        static func &* (a: Self, b: Self) -> Self
        static func << (a: Self, b: Int) -> Self
        static func >> (a: Self, b: Int) -> Self
        static var bitWidth: Int { get }
        static var _least: Self { get }
        init?(_ text: String)
      }
      extension FixedWidthInteger {
        @inlined var bitWidth: Int { Self.bitWidth }
        func addingReportingOverflow(
          _ other: Self
        ) -> (partialValue: Self, overflow: Bool) {
          let made = self &+ other
          return (partialValue: made, overflow: other < Self.zero ? made > self : made < self)
        }
        func subtractingReportingOverflow(
          _ other: Self
        ) -> (partialValue: Self, overflow: Bool) {
          let made = self &- other
          return (partialValue: made, overflow: other < Self.zero ? made < self : made > self)
        }
        func multipliedReportingOverflow(
          by other: Self
        ) -> (partialValue: Self, overflow: Bool) {
          let made = self &* other
          return (partialValue: made, overflow: other != Self.zero && made / other != self)
        }
        var nonzeroBitCount: Int {
          var count = 0
          for place in 0 ..< Self.bitWidth where (self >> place) & 1 == 1 { count += 1 }
          return count
        }
        var trailingZeroBitCount: Int {
          for place in 0 ..< Self.bitWidth where (self >> place) & 1 == 1 { return place }
          return Self.bitWidth
        }
        var leadingZeroBitCount: Int {
          for place in 0 ..< Self.bitWidth
          where (self >> (Self.bitWidth - 1 - place)) & 1 == 1 { return place }
          return Self.bitWidth
        }
      }
      protocol SignedInteger: BinaryInteger {}
      protocol UnsignedInteger: BinaryInteger {}
      protocol FloatingPoint: SignedNumeric, Comparable, Hashable {
        init(_ value: Int)
        static func / (a: Self, b: Self) -> Self
      }
      protocol BinaryFloatingPoint: FloatingPoint, ExpressibleByFloatLiteral {
        init<Other: BinaryInteger>(_ value: Other)
        init<Other: BinaryFloatingPoint>(_ value: Other)
      }
      @inlined func abs<T: Comparable & AdditiveArithmetic>(_ x: T) -> T {
        x < T.zero ? T.zero - x : x
      }
      @inlined func min<T: Comparable>(_ a: T, _ b: T) -> T { b < a ? b : a }
      @inlined func max<T: Comparable>(_ a: T, _ b: T) -> T { b >= a ? b : a }
      func min<T: Comparable>(_ a: T, _ b: T, _ c: T) -> T { min(min(a, b), c) }
      func max<T: Comparable>(_ a: T, _ b: T, _ c: T) -> T { max(max(a, b), c) }
      """
    return
      ([protocols, words, double, fractionFunctions]
      + integers.map { integer($0.name, $0.least, $0.most) })
      .joined(separator: "\n")
  }()

  /// The whole numbers with the least and the largest value of each.
  ///
  /// The largest value of a number without a sign of 64 bits is that of one with a sign here: a value takes 64 bits of
  /// which the first is its sign.
  static let integers: [(name: String, least: Int64, most: Int64)] = [
    ("Int", .min, .max), ("Int64", .min, .max), ("UInt", 0, .max), ("UInt64", 0, .max),
    ("Int32", -2_147_483_648, 2_147_483_647), ("UInt32", 0, 4_294_967_295),
    ("Int16", -32_768, 32_767), ("UInt16", 0, 65_535), ("Int8", -128, 127), ("UInt8", 0, 255),
  ]

  /// The least and the largest value of a type of whole numbers; nil for any other type.
  static func bounds(of type: Nominal?) -> (least: Int64, most: Int64)? {
    guard let type, type.builtin == .integer || type.builtin == .fixedInteger else { return nil }
    return integers.first { $0.name == type.name }.map { ($0.least, $0.most) }
  }

  /// How many bits a type of whole numbers has; nil for any other type.
  static func width(of type: Nominal?) -> Int64? {
    bounds(of: type).map { bounds in
      bounds.most == .max ? 64 : Int64(64 - (bounds.most - bounds.least).leadingZeroBitCount)
    }
  }

  private static func integer(_ name: String, _ least: Int64, _ most: Int64) -> String {
    // What a number with other bounds has is checked against them; 64 bits overflow by themselves.
    let isWhole = least == .min
    let check = isWhole ? "" : "Checked"
    let conversions = integers.filter { $0.name != name }.map { other in
      "@builtin(convert) init(_ value: \(other.name))"
    }
    let width = isWhole || most == .max ? 64 : 64 - (most - least).leadingZeroBitCount
    let left = width == 64 ? "shiftLeft" : "shiftLeftWithin"
    let shifts = Set(["Int", name]).sorted().map { by in
      """
      @builtin(\(left)) static func << (a: \(name), b: \(by)) -> \(name)
      @builtin(shiftRight) static func >> (a: \(name), b: \(by)) -> \(name)
      """
    }.joined(separator: "\n")
    // A number without a sign has no negative one.
    let invert =
      least == 0
      ? "@inlined static prefix func ~ (a: \(name)) -> \(name) { \(name).max - a }"
      : "@builtin(invert) static prefix func ~ (a: \(name)) -> \(name)"
    let sign = least == 0 ? "UnsignedInteger" : "SignedInteger, SignedNumeric"
    // A text is read as a number of 64 bits, and what is beyond the bounds is no number of the type.
    let parse = """
      init?(_ text: String) {
        guard let whole = Int(text)\(isWhole ? "" : ", whole >= \(least), whole <= \(most)") else {
          return nil
        }
        self = \(name)(whole)
      }
      """
    return """
      @builtin(\(name == "Int" ? "Int" : "fixedInteger"))
      struct \(name): FixedWidthInteger, \(sign), Sendable, Codable, LosslessStringConvertible {
        \(least == .min ? "" : "static let min: \(name) = \(least)")
        static let _least: \(name) = \(max(least, -.max))
        static let max: \(name) = \(most)
        static let zero: \(name) = 0
        static let bitWidth = \(width)
        @builtin(add\(check)) static func + (a: \(name), b: \(name)) -> \(name)
        @builtin(subtract\(check)) static func - (a: \(name), b: \(name)) -> \(name)
        @builtin(multiply\(check)) static func * (a: \(name), b: \(name)) -> \(name)
        @builtin(divide) static func / (a: \(name), b: \(name)) -> \(name)
        @builtin(remainder) static func % (a: \(name), b: \(name)) -> \(name)
        @builtin(wrappingAdd) static func &+ (a: \(name), b: \(name)) -> \(name)
        @builtin(wrappingSubtract) static func &- (a: \(name), b: \(name)) -> \(name)
        @builtin(wrappingMultiply) static func &* (a: \(name), b: \(name)) -> \(name)
        \(shifts)
        @builtin(bitAnd) static func & (a: \(name), b: \(name)) -> \(name)
        @builtin(bitOr) static func | (a: \(name), b: \(name)) -> \(name)
        @builtin(bitXor) static func ^ (a: \(name), b: \(name)) -> \(name)
        \(invert)
        @builtin(negate) static prefix func - (a: \(name)) -> \(name)
        @inlined static prefix func + (a: \(name)) -> \(name) { a }
        @builtin(equal) static func == (a: \(name), b: \(name)) -> Bool
        @builtin(notEqual) static func != (a: \(name), b: \(name)) -> Bool
        @builtin(less) static func < (a: \(name), b: \(name)) -> Bool
        @builtin(greater) static func > (a: \(name), b: \(name)) -> Bool
        @builtin(lessOrEqual) static func <= (a: \(name), b: \(name)) -> Bool
        @builtin(greaterOrEqual) static func >= (a: \(name), b: \(name)) -> Bool
        @inlined static func += (a: inout \(name), b: \(name)) { a = a + b }
        @inlined static func -= (a: inout \(name), b: \(name)) { a = a - b }
        @inlined static func *= (a: inout \(name), b: \(name)) { a = a * b }
        @inlined static func /= (a: inout \(name), b: \(name)) { a = a / b }
        @inlined static func %= (a: inout \(name), b: \(name)) { a = a % b }
        @inlined static func &+= (a: inout \(name), b: \(name)) { a = a &+ b }
        @inlined static func &-= (a: inout \(name), b: \(name)) { a = a &- b }
        @inlined static func &*= (a: inout \(name), b: \(name)) { a = a &* b }
        @inlined static func <<= (a: inout \(name), b: Int) { a = a << b }
        @inlined static func >>= (a: inout \(name), b: Int) { a = a >> b }
        @inlined static func &= (a: inout \(name), b: \(name)) { a = a & b }
        @inlined static func |= (a: inout \(name), b: \(name)) { a = a | b }
        @inlined static func ^= (a: inout \(name), b: \(name)) { a = a ^ b }
        @builtin(truncate) init(_ value: Double)
        @builtin(zero) init()
        \(name == "Int" ? "@builtin(parse) init?(_ text: String)" : parse)
        \(conversions.joined(separator: "\n"))
        @builtin(convert) init<T: BinaryInteger>(_ value: T)
        @builtin(narrow) init(bitPattern value: \(least == 0 ? String(name.dropFirst()) : "U" + name))
        @inlined func isMultiple(of other: \(name)) -> Bool {
          other == 0 ? self == 0 : self % other == 0
        }
        typealias IntegerLiteralType = \(name)
        @builtin(identity) init(integerLiteral value: \(name))
        typealias Stride = Int
        @inlined func advanced(by distance: Int) -> \(name) {
          \(name == "Int" ? "self + distance" : "\(name)(Int(self) + distance)")
        }
        @inlined func distance(to other: \(name)) -> Int {
          \(name == "Int" ? "other - self" : "Int(other) - Int(self)")
        }
        @inlined func signum() -> \(name) { self > 0 ? 1 : self == 0 ? 0 : 0 - 1 }
        @inlined var magnitude: \(name) { self < 0 ? 0 - self : self }
        func quotientAndRemainder(
          dividingBy other: \(name)
        ) -> (quotient: \(name), remainder: \(name)) { (self / other, self % other) }
        @builtin(describe) var description: String { get }
      }
      """
  }

  private static let double = """
    @builtin(Double)
    struct Double: BinaryFloatingPoint, Strideable, Sendable, Codable,
      LosslessStringConvertible
    {
      typealias IntegerLiteralType = Int
      typealias FloatLiteralType = Double
      @builtin(fraction) init(integerLiteral value: Int)
      @builtin(identity) init(floatLiteral value: Double)
      typealias Stride = Double
      @inlined func advanced(by distance: Double) -> Double { self + distance }
      @inlined func distance(to other: Double) -> Double { other - self }
      static let zero = 0.0
      static let pi = 3.141592654
      @builtin(add) static func + (a: Double, b: Double) -> Double
      @builtin(subtract) static func - (a: Double, b: Double) -> Double
      @builtin(scale) static func * (a: Double, b: Double) -> Double
      @builtin(ratio) static func / (a: Double, b: Double) -> Double
      @builtin(negate) static prefix func - (a: Double) -> Double
      @inlined static prefix func + (a: Double) -> Double { a }
      @builtin(equal) static func == (a: Double, b: Double) -> Bool
      @builtin(notEqual) static func != (a: Double, b: Double) -> Bool
      @builtin(less) static func < (a: Double, b: Double) -> Bool
      @builtin(greater) static func > (a: Double, b: Double) -> Bool
      @builtin(lessOrEqual) static func <= (a: Double, b: Double) -> Bool
      @builtin(greaterOrEqual) static func >= (a: Double, b: Double) -> Bool
      @inlined static func += (a: inout Double, b: Double) { a = a + b }
      @inlined static func -= (a: inout Double, b: Double) { a = a - b }
      @inlined static func *= (a: inout Double, b: Double) { a = a * b }
      @inlined static func /= (a: inout Double, b: Double) { a = a / b }
      @builtin(fraction) init(_ value: Int)
      @builtin(fraction) init<T: BinaryInteger>(_ value: T)
      @builtin(identity) init(_ value: Double)
      @builtin(identity) init<T: BinaryFloatingPoint>(_ value: T)
      init?<T: BinaryInteger>(exactly value: T) { self = Double(value) }
      @builtin(zero) init()
      @builtin(roundHalf) func rounded() -> Double
      @inlined func rounded(_ rule: FloatingPointRoundingRule) -> Double {
        let whole = Double(Int(self))
        switch rule {
        case .toNearestOrAwayFromZero: return self.rounded()
        case .towardZero: return whole
        case .up: return whole < self ? whole + 1.0 : whole
        case .down: return whole > self ? whole - 1.0 : whole
        case .awayFromZero:
          if whole < self { return whole + 1.0 }
          return whole > self ? whole - 1.0 : whole
        case .toNearestOrEven:
          let near = self.rounded()
          let isHalf = (self - whole).magnitude == 0.5
          return isHalf && Int(near) % 2 != 0 ? whole : near
        }
      }
      @inlined var magnitude: Double { self < 0.0 ? 0.0 - self : self }
      @builtin(describe) var description: String { get }
      \(fractionMembers)
    }
    enum FloatingPointRoundingRule {
      case toNearestOrAwayFromZero, toNearestOrEven, up, down, towardZero, awayFromZero
    }
    func ceil(_ x: Double) -> Double { x.rounded(.up) }
    func floor(_ x: Double) -> Double { x.rounded(.down) }
    func pow(_ base: Double, _ exponent: Double) -> Double {
      precondition(exponent >= 0.0 && exponent == exponent.rounded(), "whole exponents only")
      var made = 1.0
      for _ in 0 ..< Int(exponent) { made = made * base }
      return made
    }
    typealias Float = Double
    typealias CGFloat = Double
    typealias TimeInterval = Double
    typealias CFTimeInterval = Double
    """
}
