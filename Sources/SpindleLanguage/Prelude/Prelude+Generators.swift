extension Prelude {
  /// Generators of random numbers of a program's own, with the algorithms of Swift: one generator gives one order.
  ///
  /// Source: swift:stdlib/public/core/Random.swift, Integers.swift, Collection.swift, CollectionAlgorithms.swift.
  static let generators = """
    protocol RandomNumberGenerator { mutating func next() -> UInt64 }
    struct SystemRandomNumberGenerator: RandomNumberGenerator, Sendable {
      init() {}
      mutating func next() -> UInt64 { drawnValue(from: 0, through: UInt64.max) }
    }
    extension RandomNumberGenerator {
      mutating func next(upperBound bound: UInt64) -> UInt64 {
        precondition(bound != 0, "upperBound cannot be zero.")
        return UInt64(_number(below: Int(bound), width: 64))
      }
      mutating func _number(below bound: Int, width: Int) -> Int {
        let mask = width < 64 ? 1 << width - 1 : 0
        var rest = (Int.max % bound + 1) % bound
        rest = rest >= bound - rest ? rest - (bound - rest) : rest + rest
        if width < 64 { rest = (1 << width - bound) % bound }
        while true {
          let drawn = Int(next())
          var high = 0
          var low = 0
          if width < 64 {
            let product = (drawn & mask) &* bound
            high = product >> width & mask
            low = product & mask
          } else {
            let half = 4_294_967_295
            let (a, b, c, d) = (drawn >> 32, drawn & half, bound >> 32, bound & half)
            let (upper, other) = (a * d, b * c)
            let carry = ((b &* d) >> 32 & half) + upper & half + other & half
            high = a * c + upper >> 32 + other >> 32 + carry >> 32
            low = drawn &* bound
          }
          if low < 0 || low >= bound || low >= rest { return high }
        }
      }
    }
    extension FixedWidthInteger {
      static func random<G: RandomNumberGenerator>(
        in range: Range<Self>, using generator: inout G
      ) -> Self {
        let (least, end) = (Int(range.lowerBound), Int(range.upperBound))
        precondition(least != end, "Can't get random value with an empty range")
        return Self(
          truncatingIfNeeded: least + generator._number(below: end - least, width: Self.bitWidth))
      }
      static func random<G: RandomNumberGenerator>(
        in range: ClosedRange<Self>, using generator: inout G
      ) -> Self {
        let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
        if Self.bitWidth < 64 && most - least == 1 << Self.bitWidth - 1 {
          return Self(truncatingIfNeeded: generator.next())
        }
        return Self(
          truncatingIfNeeded: least
            + generator._number(below: most - least + 1, width: Self.bitWidth))
      }
    }
    extension Double {
      static func random<G: RandomNumberGenerator>(
        in range: Range<Double>, using generator: inout G
      ) -> Double {
        let part = Double(Int(generator.next()) >> 22 & 2_147_483_647) / 2_147_483_648.0
        return (range.upperBound - range.lowerBound) * part + range.lowerBound
      }
      static func random<G: RandomNumberGenerator>(
        in range: ClosedRange<Double>, using generator: inout G
      ) -> Double {
        let part = Double(Int(generator.next()) >> 22 & 2_147_483_647) / 2_147_483_648.0
        return (range.upperBound - range.lowerBound) * part + range.lowerBound
      }
    }
    extension Bool {
      static func random<G: RandomNumberGenerator>(using generator: inout G) -> Bool {
        generator.next() >> 17 & 1 == 0
      }
    }
    extension Array {
      mutating func shuffle<G: RandomNumberGenerator>(using generator: inout G) {
        var (amount, place) = (self.count, 0)
        while amount > 1 {
          let other = Int.random(in: 0 ..< amount, using: &generator)
          amount -= 1
          self.swapAt(place, place + other)
          place += 1
        }
      }
    }
    extension Sequence {
      func shuffled<G: RandomNumberGenerator>(using generator: inout G) -> [Element] {
        var made = Array(self)
        made.shuffle(using: &generator)
        return made
      }
    }
    extension Collection {
      func randomElement<G: RandomNumberGenerator>(using generator: inout G) -> Element? {
        let all = Array(self)
        return all.isEmpty ? nil : all[Int.random(in: 0 ..< all.count, using: &generator)]
      }
    }
    """
}
