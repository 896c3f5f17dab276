/// Reads what gzip files hold: the other direction of what a report writes, written from RFC 1951 alone.
public struct Inflate {
  private let input: [UInt8]
  private var place = 0
  private var bits = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// What is wrong with a file.
  public struct Failure: Error {
    /// What.
    public let message: String
  }

  /// The bytes of a gzip file without a name; throws when it is none, or its check sum is wrong.
  public static func gunzip(_ file: [UInt8]) throws -> [UInt8] {
    guard file.count >= 18, file[0] == 0x1F, file[1] == 0x8B, file[2] == 8, file[3] == 0 else {
      throw Failure(message: "no gzip file")
    }
    var inflate = Inflate(input: Array(file[10..<(file.count - 8)]))
    try inflate.run()
    func word(_ place: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(file[place + $1]) << UInt32(8 * $1) }
    }
    var sum = UInt32.max
    for byte in inflate.output {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    guard ~sum == word(file.count - 8), Int(word(file.count - 4)) == inflate.output.count else {
      throw Failure(message: "the check sum is wrong")
    }
    return inflate.output
  }

  private init(input: [UInt8]) { self.input = input }

  private mutating func take(_ count: Int) throws -> Int {
    while bitCount < count {
      guard place < input.count else { throw Failure(message: "cut off") }
      bits |= Int(input[place]) << bitCount
      place += 1
      bitCount += 8
    }
    let value = bits & ((1 << count) - 1)
    bits >>= count
    bitCount -= count
    return value
  }

  /// A prefix code: how many codes each length has, and the symbols in the order of their codes.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: ArraySlice<Int>) {
      for length in 1...15 {
        for (symbol, own) in lengths.enumerated() where own == length {
          counts[length] += 1
          symbols.append(symbol)
        }
      }
    }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try take(1)
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Failure(message: "no such code")
  }

  private mutating func run() throws {
    var isLast = false
    while !isLast {
      isLast = try take(1) == 1
      guard try take(2) == 2 else { throw Failure(message: "a block without codes of its own") }
      let (literals, distances) = (try take(5) + 257, try take(5) + 1)
      var lengths = [Int](repeating: 0, count: 19)
      let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
      for symbol in order.prefix(try take(4) + 4) { lengths[symbol] = try take(3) }
      let code = Code(lengths[...])
      var all: [Int] = []
      while all.count < literals + distances {
        let next = try symbol(code)
        switch next {
        case 16: all += Array(repeating: all.last ?? 0, count: try take(2) + 3)
        case 17: all += Array(repeating: 0, count: try take(3) + 3)
        case 18: all += Array(repeating: 0, count: try take(7) + 11)
        default: all.append(next)
        }
      }
      try block(Code(all[..<literals]), Code(all[literals...]))
    }
  }

  private mutating func block(_ literals: Code, _ distances: Code) throws {
    let bases = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
      163, 195, 227, 258,
    ]
    while true {
      let next = try symbol(literals)
      if next < 256 {
        output.append(UInt8(next))
        continue
      }
      if next == 256 { return }
      let group = next - 257
      let length = bases[group] + (try take(group < 8 || group == 28 ? 0 : group / 4 - 1))
      let far = try symbol(distances)
      let extra = far < 4 ? 0 : far / 2 - 1
      let distance = (far < 4 ? far + 1 : (2 + far % 2) << extra + 1) + (try take(extra))
      guard distance <= output.count else { throw Failure(message: "before the beginning") }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }
}
