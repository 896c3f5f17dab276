/// Growing bytes in the wire format of protocol buffers, written without making messages first.
///
/// A message that is begun leaves one byte for its length; one that turns out longer than 127 bytes is
/// moved up when it ends. It owns plain memory, as `LogLines` does and for its reason.
///
/// Source: protobuf.dev/programming-guides/encoding.
struct ProtobufBytes: ~Copyable {
  /// From how many bytes on they should be taken.
  private static let chunkSize = 65_536

  /// How many bytes there are.
  private(set) var count = 0
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// Creates an empty buffer.
  init() {
    capacity = ProtobufBytes.chunkSize + 4_096
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Whether it is time to take the bytes.
  var isFull: Bool { count >= ProtobufBytes.chunkSize }

  /// Returns the bytes and forgets them.
  mutating func take() -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: storage, count: count))
    count = 0
    return bytes
  }

  // MARK: Fields

  /// A field that is a number.
  @inline(__always)
  mutating func field(_ number: UInt32, _ value: UInt64) {
    reserve(15)
    put(UInt64(number) << 3)
    put(value)
  }

  /// A field that is a signed number: its two's complement, as `int32` and `int64` are written.
  @inline(__always)
  mutating func field(_ number: UInt32, signed value: Int64) {
    field(number, UInt64(bitPattern: value))
  }

  /// A field of eight bytes, the least first.
  @inline(__always)
  mutating func field(_ number: UInt32, fixed value: UInt64) {
    reserve(13)
    put(UInt64(number) << 3 | 1)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      storage[count] = UInt8(truncatingIfNeeded: value >> shift)
      count &+= 1
    }
  }

  /// A field that is a text.
  mutating func field(_ number: UInt32, _ text: String) {
    var text = text
    text.withUTF8 { field(number, $0) }
  }

  /// A field that is a text in UTF-8.
  mutating func field(_ number: UInt32, _ utf8: UnsafeBufferPointer<UInt8>) {
    reserve(15 + utf8.count)
    put(UInt64(number) << 3 | 2)
    put(UInt64(utf8.count))
    guard let start = utf8.baseAddress else { return }
    (storage + count).update(from: start, count: utf8.count)
    count &+= utf8.count
  }

  /// Begins a field that is a message; what it gives back ends it.
  @inline(__always)
  mutating func begin(_ number: UInt32) -> Int {
    reserve(6)
    put(UInt64(number) << 3 | 2)
    count &+= 1
    return count
  }

  /// Ends the message that began at `start`.
  @inline(__always)
  mutating func end(_ start: Int) {
    let size = count &- start
    assert(start > 0 && size >= 0, "a message that began at \(start) ends at \(count)")
    if size < 128 {
      storage[start &- 1] = UInt8(truncatingIfNeeded: size)
    } else {
      endLong(start, size)
    }
  }

  @inline(never)
  private mutating func endLong(_ start: Int, _ size: Int) {
    // Seven bits a byte.
    let extra = (UInt64(size).bitWidth - size.leadingZeroBitCount + 6) / 7 - 1
    reserve(extra)
    (storage + start + extra).update(from: storage + start, count: size)
    let end = count + extra
    count = start - 1
    put(UInt64(size))
    count = end
  }

  // MARK: Bytes

  /// Seven bits at a time, the least first; there is room.
  @inline(__always)
  private mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      storage[count] = UInt8(truncatingIfNeeded: rest) | 128
      count &+= 1
      rest >>= 7
    }
    storage[count] = UInt8(truncatingIfNeeded: rest)
    count &+= 1
  }

  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if count &+ room > capacity { grow(room) }
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let larger = max(capacity * 2, count + room)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: storage, count: count)
    storage.deallocate()
    (storage, capacity) = (moved, larger)
  }
}
