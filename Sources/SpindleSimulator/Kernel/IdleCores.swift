/// Which cores are idle, by rank: a bit for each, so that finding one needs no search.
struct IdleCores: ~Copyable {
  private var words: Table<UInt64>

  /// All of `count` cores are idle.
  init(count: Int, _ storage: Storage) {
    words = Table(.threads, storage)
    for first in stride(from: 0, to: count, by: 64) {
      words.append(count - first >= 64 ? UInt64.max : 1 << UInt64(count - first) - 1)
    }
  }

  /// The core of this rank is idle now.
  @inline(__always)
  func insert(_ rank: Int32) {
    assert(!contains(rank), "the core of rank \(rank) is idle already")
    words.unchecked(rank >> 6).pointee |= 1 << UInt64(rank & 63)
  }

  /// The core of this rank is busy now.
  @inline(__always)
  func remove(_ rank: Int32) {
    assert(contains(rank), "the core of rank \(rank) is busy already")
    words.unchecked(rank >> 6).pointee &= ~(1 << UInt64(rank & 63))
  }

  /// Whether the core of this rank is idle.
  func contains(_ rank: Int32) -> Bool { words[rank >> 6] >> UInt64(rank & 63) & 1 == 1 }

  /// The lowest idle rank from `rank` on; nil when there is none.
  @inline(__always)
  func first(from rank: Int32) -> Int32? {
    var word = rank >> 6
    if Int(word) >= words.count { return nil }
    var bits = words.unchecked(word).pointee & (UInt64.max << UInt64(rank & 63))
    while bits == 0 {
      word &+= 1
      if Int(word) == words.count { return nil }
      bits = words.unchecked(word).pointee
    }
    return word &<< 6 &+ Int32(truncatingIfNeeded: bits.trailingZeroBitCount)
  }
}
