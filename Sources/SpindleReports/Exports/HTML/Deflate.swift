/// Compresses bytes, in the format that every browser can read.
///
/// Repetitions of the last 32 KB are referenced instead of written, and frequent bytes take fewer bits. The
/// same bytes always give the same result. Sources: RFC 1951 (Deflate) and RFC 1952 (gzip).
struct Deflate {
  /// A literal byte, or how far back and how long a repetition is: the distance in the upper half.
  private typealias Symbol = UInt32

  private var output: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0

  /// How many symbols a block has: each has codes of its own.
  private static let blockSize = 1 << 16
  private static let windowSize = 1 << 15
  private static let longest = 258
  private static let shortest = 4
  /// How many earlier places are compared for a repetition.
  private static let effort = 24

  /// The bytes as a gzip file.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = Deflate()
    // No name and no time; "unknown" for the system.
    deflate.output = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    deflate.output.reserveCapacity(bytes.count / 3 + 64)
    deflate.compress(bytes)
    for value in [CRC32.sum(of: bytes), UInt32(truncatingIfNeeded: bytes.count)] {
      for shift in [UInt32(0), 8, 16, 24] {
        deflate.output.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    return deflate.output
  }

  // MARK: Repetitions

  private mutating func compress(_ bytes: [UInt8]) {
    var symbols: [Symbol] = []
    symbols.reserveCapacity(Deflate.blockSize)
    // By hash of four bytes the last place that has them, and by place the one before.
    var heads = [Int32](repeating: -1, count: Deflate.windowSize)
    var earlier = [Int32](repeating: -1, count: Deflate.windowSize)
    let mask = Deflate.windowSize - 1
    bytes.withUnsafeBufferPointer { input in
      func hash(_ place: Int) -> Int {
        let word =
          UInt32(input[place]) | UInt32(input[place + 1]) << 8 | UInt32(input[place + 2]) << 16
          | UInt32(input[place + 3]) << 24
        return Int((word &* 0x9E37_79B1) >> 17)
      }
      var place = 0
      while place < input.count {
        var (length, distance) = (0, 0)
        if place + Deflate.shortest <= input.count {
          let slot = hash(place)
          var candidate = Int(heads[slot])
          let most = min(Deflate.longest, input.count - place)
          var effort = Deflate.effort
          while candidate >= 0 && place - candidate < Deflate.windowSize && effort > 0 {
            if length == 0 || input[candidate + length] == input[place + length] {
              var same = 0
              while same < most && input[candidate + same] == input[place + same] { same += 1 }
              if same > length { (length, distance) = (same, place - candidate) }
              if length == most { break }
            }
            candidate = Int(earlier[candidate & mask])
            effort -= 1
          }
        }
        let isRepetition = length >= Deflate.shortest
        symbols.append(
          isRepetition ? UInt32(distance) << 16 | UInt32(length) : UInt32(input[place]))
        for _ in 0..<(isRepetition ? length : 1) {
          if place + Deflate.shortest <= input.count {
            let slot = hash(place)
            earlier[place & mask] = heads[slot]
            heads[slot] = Int32(place)
          }
          place += 1
        }
        if symbols.count == Deflate.blockSize && place < input.count {
          writeBlock(symbols, isLast: false)
          symbols.removeAll(keepingCapacity: true)
        }
      }
    }
    writeBlock(symbols, isLast: true)
    if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
  }

  // MARK: Blocks

  private mutating func writeBlock(_ symbols: [Symbol], isLast: Bool) {
    var literals = [Int](repeating: 0, count: 286)
    var distances = [Int](repeating: 0, count: 30)
    for symbol in symbols {
      if symbol < 256 {
        literals[Int(symbol)] += 1
      } else {
        literals[Deflate.lengthCode(Int(symbol & 0xFFFF)).code] += 1
        distances[Deflate.distanceCode(Int(symbol >> 16)).code] += 1
      }
    }
    literals[256] = 1
    let first = HuffmanCode(counts: literals, limit: 15)
    // A block without repetitions has one distance code that is never used.
    if !distances.contains(where: { $0 > 0 }) { distances[0] = 1 }
    let second = HuffmanCode(counts: distances, limit: 15)
    put(isLast ? 1 : 0, 1)
    put(2, 2)
    writeLengths(first, second)
    for symbol in symbols {
      guard symbol >= 256 else {
        put(Int(first.codes[Int(symbol)]), first.lengths[Int(symbol)])
        continue
      }
      let length = Deflate.lengthCode(Int(symbol & 0xFFFF))
      put(Int(first.codes[length.code]), first.lengths[length.code])
      put(length.extra, length.bits)
      let distance = Deflate.distanceCode(Int(symbol >> 16))
      put(Int(second.codes[distance.code]), second.lengths[distance.code])
      put(distance.extra, distance.bits)
    }
    put(Int(first.codes[256]), first.lengths[256])
  }

  /// In which order the lengths of the codes of lengths are written.
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func writeLengths(_ first: HuffmanCode, _ second: HuffmanCode) {
    func used(_ code: HuffmanCode, atLeast least: Int) -> [UInt8] {
      let count = max(least, (code.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
      return Array(code.lengths[..<count])
    }
    let (literals, distances) = (used(first, atLeast: 257), used(second, atLeast: 1))
    let runs = Deflate.runs(literals + distances)
    var counts = [Int](repeating: 0, count: 19)
    for run in runs { counts[run.code] += 1 }
    let code = HuffmanCode(counts: counts, limit: 7)
    let kept = max(4, (Deflate.lengthOrder.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    put(literals.count - 257, 5)
    put(distances.count - 1, 5)
    put(kept - 4, 4)
    for symbol in Deflate.lengthOrder[..<kept] { put(Int(code.lengths[symbol]), 3) }
    for run in runs {
      put(Int(code.codes[run.code]), code.lengths[run.code])
      put(run.extra, run.bits)
    }
  }

  private struct Run {
    var code: Int
    var extra = 0
    var bits: UInt8 = 0
  }

  /// Lengths of codes in a row: equal ones are counted.
  private static func runs(_ lengths: [UInt8]) -> [Run] {
    var (runs, index) = ([Run](), 0)
    while index < lengths.count {
      let length = lengths[index]
      var count = 1
      while index + count < lengths.count && lengths[index + count] == length { count += 1 }
      index += count
      if length > 0 {
        runs.append(Run(code: Int(length)))
        count -= 1
      }
      while count >= 3 {
        let taken = min(count, length > 0 ? 6 : 138)
        count -= taken
        if length > 0 {
          runs.append(Run(code: 16, extra: taken - 3, bits: 2))
        } else if taken > 10 {
          runs.append(Run(code: 18, extra: taken - 11, bits: 7))
        } else {
          runs.append(Run(code: 17, extra: taken - 3, bits: 3))
        }
      }
      for _ in 0..<count { runs.append(Run(code: Int(length))) }
    }
    return runs
  }

  /// The code of a repetition's length, and its extra bits.
  private static func lengthCode(_ length: Int) -> (code: Int, extra: Int, bits: UInt8) {
    if length == longest { return (285, 0, 0) }
    if length < 11 { return (254 + length, 0, 0) }
    let bits = Int.bitWidth - 3 - (length - 3).leadingZeroBitCount
    let group = (length - 3) >> bits
    return (257 + 4 * bits + group, (length - 3) & ((1 << bits) - 1), UInt8(bits))
  }

  /// The code of the distance of a repetition, and its extra bits.
  private static func distanceCode(_ distance: Int) -> (code: Int, extra: Int, bits: UInt8) {
    if distance < 5 { return (distance - 1, 0, 0) }
    let bits = Int.bitWidth - 2 - (distance - 1).leadingZeroBitCount
    let group = (distance - 1) >> bits
    return (2 * bits + group, (distance - 1) & ((1 << bits) - 1), UInt8(bits))
  }

  /// Appends `count` bits, the lowest first.
  @inline(__always)
  private mutating func put(_ value: Int, _ count: UInt8) {
    bits |= UInt64(value) << bitCount
    bitCount += UInt64(count)
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }
}

/// The check sum of gzip.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  /// The sum of the bytes.
  static func sum(of bytes: [UInt8]) -> UInt32 {
    let table = table
    var sum = UInt32.max
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    return ~sum
  }
}

/// Bytes as text of 64 letters.
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of the bytes, in ASCII.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    let letters = letters
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let word =
        UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      text.append(letters[Int(word >> 18)])
      text.append(letters[Int(word >> 12 & 63)])
      text.append(left > 1 ? letters[Int(word >> 6 & 63)] : 0x3D)
      text.append(left > 2 ? letters[Int(word & 63)] : 0x3D)
      index += 3
    }
    return text
  }
}
