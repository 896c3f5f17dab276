extension Prelude {
  /// The Unicode scalars and the bytes that texts are made of.
  static let unicode = """
    enum UTF8 {}
    enum UTF16 {}
    struct Unicode {
      typealias Scalar = UnicodeScalar
      typealias UTF8 = UTF8
    }
    struct UnicodeScalar: Hashable, Comparable, Sendable, CustomStringConvertible {
      let value: UInt32
      init(_ value: UInt8) { self.value = UInt32(value) }
      init?(_ value: UInt32) {
        if scalarText(Int(value)) == nil { return nil }
        self.value = value
      }
      init?<T: BinaryInteger>(_ value: T) {
        if scalarText(Int(value)) == nil { return nil }
        self.value = UInt32(value)
      }
      init(_unchecked value: Int) { self.value = UInt32(value) }
      static func < (a: UnicodeScalar, b: UnicodeScalar) -> Bool { a.value < b.value }
      @inlined var isASCII: Bool { value < 128 }
      var description: String { scalarText(Int(value)) ?? "" }
    }
    @builtin(textScalar) func scalarText(_ value: Int) -> String?
    extension String {
      @builtin(textByte) func _byte(_ place: Int) -> Int?
      var utf8: [UInt8] {
        var made: [UInt8] = []
        while let byte = self._byte(made.count) { made.append(UInt8(byte)) }
        return made
      }
      var unicodeScalars: [UnicodeScalar] { scalars(self.utf8) }
      var utf16: [UInt16] {
        var made: [UInt16] = []
        for scalar in self.unicodeScalars {
          let value = Int(scalar.value)
          if value < 65_536 {
            made.append(UInt16(value))
          } else {
            made.append(UInt16(55_296 + (value - 65_536) >> 10))
            made.append(UInt16(56_320 + (value - 65_536) & 1_023))
          }
        }
        return made
      }
      init<S: Sequence>(decoding bytes: S, as encoding: UTF8.Type) where S.Element == UInt8 {
        var made = ""
        for scalar in scalars(Array(bytes)) { made = made + scalar.description }
        self = made
      }
      init(_ scalar: UnicodeScalar) { self = scalar.description }
      var asciiValue: UInt8? {
        guard let byte = self._byte(0), byte < 128, self._byte(1) == nil || self == "\\r\\n" else {
          return nil
        }
        return self == "\\r\\n" ? 10 : UInt8(byte)
      }
      @inlined var isASCII: Bool { self.asciiValue != nil }
      var hexDigitValue: Int? {
        self.count == 1 ? Int(self, radix: 16) : nil
      }
    }
    func scalars(_ bytes: [UInt8]) -> [UnicodeScalar] {
      var made: [UnicodeScalar] = []
      var place = 0
      while place < bytes.count {
        let first = Int(bytes[place])
        let isLead = first >= 194 && first < 245
        let length = first < 128 ? 1 : !isLead ? 0 : first < 224 ? 2 : first < 240 ? 3 : 4
        var value = length < 2 ? first : first & (127 >> length)
        var next = place + 1
        while next < place + length, next < bytes.count, bytes[next] & 192 == 128 {
          let more = value << 6 | Int(bytes[next] & 63)
          if next == place + 1 {
            if length == 3, more < 32 || more >= 864 && more < 896 { break }
            if length == 4, more < 16 || more > 271 { break }
          }
          value = more
          next += 1
        }
        let isWhole = length > 0 && next == place + length
        made.append(UnicodeScalar(_unchecked: isWhole ? value : 65_533))
        place = next
      }
      return made
    }
    """
}
