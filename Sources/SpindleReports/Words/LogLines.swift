import SpindleModel

/// A growing text in UTF-8, written piece by piece without making strings.
///
/// It owns plain memory: a line written into an array took four times as long, since each byte asked
/// for sole ownership. Each piece makes room for itself once, so no line is too long.
struct LogLines: ~Copyable {
  /// The number of bytes from which on the text should be taken, by default.
  static let chunkSize = 65_536
  /// How much more than `chunk` is there from the start, so that few lines make it grow.
  private static let reserveSize = 2_048

  /// How many bytes there are.
  private(set) var count = 0
  private var storage: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int

  /// Creates an empty text that is taken from `chunk` bytes on.
  init(chunk: Int = LogLines.chunkSize) {
    capacity = chunk + LogLines.reserveSize
    storage = .allocate(capacity: capacity)
  }

  /// Creates an empty text with room for `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit {
    storage.deallocate()
  }

  /// Returns the text and forgets it.
  mutating func take() -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: storage, count: count))
    count = 0
    return bytes
  }

  /// Appends a line break.
  mutating func endLine() {
    reserve(1)
    put(0x0A)
  }

  /// Appends a short text that the program knows: in line, since its length is known there, and copying
  /// a few bytes by a call took a tenth of what a line takes.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    reserve(size)
    (storage + count).update(from: text.utf8Start, count: size)
    count &+= size
  }

  /// Appends bytes as they are.
  @inline(__always)
  mutating func write(bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    (storage + count).update(from: start, count: bytes.count)
    count &+= bytes.count
  }

  /// Bytes that were appended; valid until more are.
  @inline(__always)
  func bytes(from start: Int, count size: Int) -> UnsafeBufferPointer<UInt8> {
    precondition(start >= 0 && size >= 0 && start + size <= count, "bytes that are not there")
    return UnsafeBufferPointer(start: storage + start, count: size)
  }

  /// Writes over bytes that were appended.
  mutating func replace(from start: Int, with bytes: UnsafeBufferPointer<UInt8>) {
    precondition(start >= 0 && start + bytes.count <= count, "bytes that are not there")
    guard let first = bytes.baseAddress else { return }
    (storage + start).update(from: first, count: bytes.count)
  }

  /// Appends any text.
  mutating func write(text: String) {
    var text = text
    text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return }
      reserve(utf8.count)
      (storage + count).update(from: start, count: utf8.count)
      count &+= utf8.count
    }
  }

  /// Appends a number at the right edge of `width` columns.
  mutating func write(_ number: Int64, width: Int = 0) {
    let size = number.magnitude
    let columns = LogLines.digitCount(size) + (number < 0 ? 1 : 0)
    reserve(Swift.max(width, columns))
    putSpaces(width &- columns)
    if number < 0 { put(0x2D) }
    writeDigits(size)
  }

  /// Appends a length of time, spelled as `Nanoseconds` is, at the right edge of `width` columns.
  mutating func write(_ time: Nanoseconds, width: Int = 0) {
    let size = time.rawValue.magnitude
    switch size {
    case 0: write(time.rawValue, fraction: 0, of: 0, unit: 0, width)
    case ..<1_000: write(time.rawValue, fraction: 0, of: 0, unit: 0x6E, width)
    case ..<1_000_000:
      let (whole, rest) = size.quotientAndRemainder(dividingBy: 1_000)
      write(Int64(whole), negative: time.rawValue < 0, fraction: rest, of: 3, unit: 0x75, width)
    case ..<1_000_000_000:
      let (whole, rest) = size.quotientAndRemainder(dividingBy: 1_000_000)
      write(Int64(whole), negative: time.rawValue < 0, fraction: rest, of: 6, unit: 0x6D, width)
    default:
      let (whole, rest) = size.quotientAndRemainder(dividingBy: 1_000_000_000)
      write(Int64(whole), negative: time.rawValue < 0, fraction: rest, of: 9, unit: 0, width)
    }
  }

  /// Appends a name; control characters are escaped, so that a line stays a line.
  ///
  /// Returns how many columns it took, one for each code point.
  @discardableResult
  mutating func write(name: ArraySlice<UInt8>, quoted: Bool) -> Int {
    // An escaped byte takes six at most: `\u{1b}`.
    reserve(6 * name.count + 2)
    if quoted { put(0x22) }
    var width = quoted ? 2 : 0
    name.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        if byte >= 0x20 && byte != 0x7F && (!quoted || (byte != 0x22 && byte != 0x5C)) {
          put(byte)
          width &+= byte & 0xC0 != 0x80 ? 1 : 0
        } else {
          width &+= escape(byte)
        }
      }
    }
    if quoted { put(0x22) }
    return width
  }

  /// Appends 16 bytes, given in two words, lowest byte first.
  mutating func write(_ words: (UInt64, UInt64)) {
    reserve(16)
    let place = UnsafeMutableRawPointer(storage + count)
    place.storeBytes(of: words.0.littleEndian, as: UInt64.self)
    (place + 8).storeBytes(of: words.1.littleEndian, as: UInt64.self)
    count &+= 16
  }

  /// Appends spaces; none when the number is not positive.
  mutating func pad(_ number: Int) {
    reserve(Swift.max(0, number))
    putSpaces(number)
  }

  /// The last 16 bytes as two words, lowest byte first.
  var last16: (UInt64, UInt64) {
    precondition(count >= 16, "less than 16 bytes have been written")
    let place = UnsafeRawPointer(storage + (count - 16))
    return (
      UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)),
      UInt64(littleEndian: (place + 8).loadUnaligned(as: UInt64.self))
    )
  }

  /// Makes room for `size` more bytes.
  @inline(__always)
  private mutating func reserve(_ size: Int) {
    if count &+ size > capacity { grow(size) }
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    capacity = 2 * (count + size)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: storage, count: count)
    storage.deallocate()
    storage = larger
  }

  /// Appends a byte for which there is room.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    storage[count] = byte
    count &+= 1
  }

  /// Appends spaces for which there is room.
  @inline(__always)
  private mutating func putSpaces(_ number: Int) {
    guard number > 0 else { return }
    let place = storage + count
    for index in 0..<number { place[index] = 0x20 }
    count &+= number
  }

  /// Appends the escape of a byte, for which there is room; returns the number of columns.
  private mutating func escape(_ byte: UInt8) -> Int {
    put(0x5C)
    switch byte {
    case 0x0A: put(0x6E)
    case 0x09: put(0x74)
    case 0x0D: put(0x72)
    case 0x22, 0x5C: put(byte)
    default:
      let before = count
      write("u{")
      if byte >= 0x10 { put(0x30 + (byte >> 4)) }
      let low = byte & 0x0F
      put(low < 10 ? 0x30 + low : 0x57 + low)
      write("}")
      return 1 + count - before
    }
    return 2
  }

  private mutating func write(
    _ whole: Int64, negative: Bool = false, fraction: UInt64, of digits: Int, unit: UInt8,
    _ width: Int
  ) {
    var (rest, left) = (fraction, fraction == 0 ? 0 : digits)
    while left > 0 {
      let quotient = rest / 10
      if quotient &* 10 != rest { break }
      rest = quotient
      left &-= 1
    }
    let sign = negative || whole < 0
    var columns = LogLines.digitCount(whole.magnitude) &+ (unit == 0 ? 1 : 2)
    columns &+= (left > 0 ? left &+ 1 : 0) &+ (sign ? 1 : 0)
    reserve(Swift.max(width, columns))
    putSpaces(width &- columns)
    if sign { put(0x2D) }
    writeDigits(whole.magnitude)
    if left > 0 {
      put(0x2E)
      writeDigits(rest, count: left)
    }
    if unit != 0 { put(unit) }
    put(0x73)
  }

  /// Appends a number that is not negative, with leading zeros up to `digits` digits.
  mutating func write(_ number: Int64, digits: Int) {
    let size = number.magnitude
    let columns = Swift.max(digits, LogLines.digitCount(size))
    reserve(columns)
    writeDigits(size, count: columns)
  }

  /// Appends microseconds with three digits behind the point, which are exact.
  mutating func write(microseconds time: Int64) {
    let (whole, rest) = time.quotientAndRemainder(dividingBy: 1_000)
    write(whole)
    write(".")
    write(rest, digits: 3)
  }

  private mutating func writeDigits(_ number: UInt64) {
    writeDigits(number, count: LogLines.digitCount(number))
  }

  /// All numbers of two digits, one after the other.
  private static let pairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Writes a number with leading zeros, for which there is room: two digits at a time.
  private mutating func writeDigits(_ number: UInt64, count digits: Int) {
    let (place, pairs) = (storage + count, LogLines.pairs.utf8Start)
    var (rest, left) = (number, digits)
    while left > 1 {
      left &-= 2
      let quotient = rest / 100
      let pair = Int(truncatingIfNeeded: rest &- quotient &* 100) &* 2
      place[left] = pairs[pair]
      place[left &+ 1] = pairs[pair &+ 1]
      rest = quotient
    }
    if left > 0 { place[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10) }
    count &+= digits
  }

  private static func digitCount(_ number: UInt64) -> Int {
    if number < 10_000 {
      return number < 100 ? (number < 10 ? 1 : 2) : (number < 1_000 ? 3 : 4)
    }
    var (limit, digits): (UInt64, Int) = (100_000, 5)
    if number >= 100_000_000 { (limit, digits) = (1_000_000_000, 9) }
    while digits < 20 && number >= limit {
      digits &+= 1
      limit = limit &* 10
    }
    return digits
  }
}
