/// A text of a trace that may come again, kept once: a name, a label, a literal.
///
/// A pointer, so that a tree is copied without counting references. It is valid as long as its table.
struct Word: BitwiseCopyable, @unchecked Sendable {
  fileprivate let entry: UnsafePointer<WordTable.Entry>

  /// The text.
  var text: String { entry.pointee.text }
  /// Its number: words are numbered in the order in which a table meets them.
  var index: Int { Int(entry.pointee.index) }
  /// Whether it is `_`.
  var isUnderscore: Bool { index == 0 }
}

extension Word: Hashable {
  /// Whether both are the same text; both must be of one table.
  static func == (left: Word, right: Word) -> Bool { left.entry == right.entry }

  /// Whether the text is `text`, in ASCII.
  ///
  /// Each call of a trace is compared with many names, which nearly all differ in their lengths: a constant is
  /// compared without a call of the standard library, which takes ten times as long.
  @inline(__always)
  static func == (word: Word, text: StaticString) -> Bool {
    Int(word.entry.pointee.count) == text.utf8CodeUnitCount && word.hasBytes(of: text)
  }

  /// Whether the text is not `text`.
  @inline(__always)
  static func != (word: Word, text: StaticString) -> Bool { !(word == text) }

  /// Whether the text is `text`, as a pattern.
  @inline(__always)
  static func ~= (text: StaticString, word: Word) -> Bool { word == text }

  /// Whether a text of the same length is the same; short ones are compared as the numbers that they are kept as.
  @inline(__always)
  private func hasBytes(of text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard count <= 16 else { return hasManyBytes(of: text) }
    var (first, second): (UInt64, UInt64) = (0, 0)
    for index in 0..<min(count, 8) { first |= UInt64(text.utf8Start[index]) &<< UInt64(8 * index) }
    guard entry.pointee.first == first else { return false }
    if count <= 8 { return true }
    for index in 8..<count { second |= UInt64(text.utf8Start[index]) &<< UInt64(8 * index - 64) }
    return entry.pointee.second == second
  }

  @inline(never)
  private func hasManyBytes(of text: StaticString) -> Bool {
    text.withUTF8Buffer { entry.pointee.text.utf8.elementsEqual($0) }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}

extension Word: CustomStringConvertible {
  var description: String { text }
}

extension Word? {
  /// Whether there is a word, whose text is `text`.
  @inline(__always)
  static func == (word: Word?, text: StaticString) -> Bool { word.map { $0 == text } ?? false }

  /// Whether there is no word, or one whose text is not `text`.
  @inline(__always)
  static func != (word: Word?, text: StaticString) -> Bool { !(word == text) }

  /// Whether there is a word, whose text is `text`, as a pattern.
  @inline(__always)
  static func ~= (text: StaticString, word: Word?) -> Bool { word == text }
}

/// The words of one trace.
///
/// A hash table with a hash function that is the same in every process, over texts of up to 16 bytes
/// as two numbers: most of the time of reading a large trace went into looking names up.
final class WordTable {
  fileprivate struct Entry {
    /// The first bytes of the text, eight in each, and its length.
    var first: UInt64
    var second: UInt64
    var count: Int32
    var index: Int32
    var text: String
  }

  private var slots: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
  private var mask: Int
  /// Where the next entries go.
  private var free: UnsafeMutablePointer<Entry>
  private var freeCount = 0
  /// All memory that entries are in; all of it is full but the last.
  private var chunks: [(start: UnsafeMutablePointer<Entry>, capacity: Int)] = []
  /// How many words there are.
  private(set) var count = 0

  /// Creates a table that knows `_`, as the word 0.
  init() {
    mask = 255
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: nil, count: mask + 1)
    chunks.append((.allocate(capacity: 64), 64))
    (free, freeCount) = (chunks[0].start, 64)
    _ = word("_")
  }

  deinit {
    for (index, chunk) in chunks.enumerated() {
      let isLast = index == chunks.count - 1
      chunk.start.deinitialize(count: chunk.capacity - (isLast ? freeCount : 0))
      chunk.start.deallocate()
    }
    slots.deallocate()
  }

  /// Whether there is a word whose text is `text`; linear in the number of words.
  func contains(_ text: String) -> Bool {
    let count = Int32(text.utf8.count)
    return (0...mask).contains { slot in
      guard let entry = slots[slot] else { return false }
      return entry.pointee.count == count && entry.pointee.text == text
    }
  }

  /// The word whose text is `text`.
  func word(_ text: String) -> Word {
    var copy = text
    return copy.withUTF8 { word(UnsafeRawBufferPointer($0)) }
  }

  /// The word whose text is the `count` bytes in `letters`, the first one lowest: at most eight.
  @inline(__always)
  func word(_ letters: UInt64, count: Int) -> Word {
    var slot = Int(truncatingIfNeeded: WordTable.mix(letters, 0, count)) & mask
    while let entry = slots[slot] {
      if entry.pointee.first == letters && entry.pointee.count == Int32(count) {
        return Word(entry: UnsafePointer(entry))
      }
      slot = (slot + 1) & mask
    }
    return withUnsafeBytes(of: letters.littleEndian) { bytes in
      add(UnsafeRawBufferPointer(rebasing: bytes[..<count]), letters, 0, at: slot)
    }
  }

  /// The word whose text is `bytes`.
  func word(_ bytes: UnsafeRawBufferPointer) -> Word {
    let count = bytes.count
    var (first, second): (UInt64, UInt64) = (0, 0)
    for index in 0..<min(count, 8) { first |= UInt64(bytes[index]) &<< UInt64(8 * index) }
    if count <= 8 { return word(first, count: count) }
    if count <= 16 {
      for index in 8..<count { second |= UInt64(bytes[index]) << UInt64(8 * index - 64) }
    } else {
      second = WordTable.hash(bytes)
    }
    var slot = Int(truncatingIfNeeded: WordTable.mix(first, second, count)) & mask
    while let entry = slots[slot] {
      if entry.pointee.first == first && entry.pointee.second == second
        && entry.pointee.count == Int32(truncatingIfNeeded: count)
        && (count <= 16 || WordTable.isEqual(entry.pointee.text, bytes))
      {
        return Word(entry: UnsafePointer(entry))
      }
      slot = (slot + 1) & mask
    }
    return add(bytes, first, second, at: slot)
  }

  private func add(
    _ bytes: UnsafeRawBufferPointer, _ first: UInt64, _ second: UInt64, at slot: Int
  ) -> Word {
    if freeCount == 0 {
      // Not too many at once: memory that is never used is still asked for.
      let capacity = min(count, 65_536)
      free = .allocate(capacity: capacity)
      freeCount = capacity
      chunks.append((free, capacity))
    }
    let entry = free
    free += 1
    freeCount -= 1
    entry.initialize(
      to: Entry(
        first: first, second: second, count: Int32(bytes.count), index: Int32(count),
        text: String(decoding: bytes, as: UTF8.self)))
    slots[slot] = entry
    count += 1
    if count * 2 > mask { grow() }
    return Word(entry: UnsafePointer(entry))
  }

  private func grow() {
    let (old, oldCount) = (slots, mask + 1)
    mask = oldCount * 4 - 1
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: nil, count: mask + 1)
    for index in 0..<oldCount {
      guard let entry = old[index] else { continue }
      let (first, second) = (entry.pointee.first, entry.pointee.second)
      var slot =
        Int(
          truncatingIfNeeded: WordTable.mix(first, second, Int(entry.pointee.count))) & mask
      while slots[slot] != nil { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
    old.deallocate()
  }

  @inline(__always)
  private static func mix(_ first: UInt64, _ second: UInt64, _ count: Int) -> UInt64 {
    let both = first ^ (second &* 0xC2B2_AE3D_27D4_EB4F) ^ UInt64(truncatingIfNeeded: count)
    return (both &* 0x9E37_79B9_7F4A_7C15) >> 32
  }

  /// Of a long text: FNV-1a.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return value
  }

  private static func isEqual(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    text.utf8.elementsEqual(bytes)
  }
}

extension Word {
  /// Whether it is the name that keeps what some class above does by another name.
  func isAbove(_ name: Word) -> Bool { text.hasSuffix("super \(name.text)") }
}
