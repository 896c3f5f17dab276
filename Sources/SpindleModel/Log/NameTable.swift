/// The texts of a run, each with a number; equal texts have equal numbers.
///
/// Only grows, so a number stays valid. A class, since the simulator adds names while consumers of
/// the log look them up; both do so on one thread, in turn. Looking up by text uses a hash function
/// of its own with a fixed start, so that nothing depends on the process.
public final class NameTable {
  // Unchecked, since no function calls out while it changes them, and looking up a name is hot.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var ends: [Int] = []
  /// The hash of each, so that texts are compared that are most likely equal, and hashed once.
  @exclusivity(unchecked) private var hashes: [UInt32] = []
  @exclusivity(unchecked) private var slots: [Int32] = Array(repeating: -1, count: 64)

  /// Creates a table that holds `names`, numbered from 0.
  @usableFromInline package init(_ names: [String]) {
    for name in names {
      var copy = name
      copy.withUTF8 { _ = append($0, hash($0)) }
    }
  }

  /// Creates a table that holds what another one holds now.
  package init(copying other: NameTable) {
    (bytes, ends, hashes, slots) = (other.bytes, other.ends, other.hashes, other.slots)
  }

  /// How many texts there are.
  @usableFromInline package var count: Int { ends.count }

  /// The text with this number; traps when there is none.
  public func text(_ name: NameID) -> String {
    String(decoding: utf8(name), as: UTF8.self)
  }

  /// The UTF-8 of the text with this number; traps when there is none.
  @usableFromInline package func utf8(_ name: NameID) -> ArraySlice<UInt8> {
    let index = Int(name.index)
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The number of `text`, which is added when it is new; linear in its length.
  @usableFromInline package func intern(_ text: String) -> NameID {
    var copy = text
    return copy.withUTF8 { intern($0) }
  }

  /// The number of the text with these bytes, which is added when it is new; linear in its length.
  @usableFromInline package func intern(_ utf8: UnsafeBufferPointer<UInt8>) -> NameID {
    let hashed = hash(utf8)
    if let found = find(utf8, hashed) { return found }
    return append(utf8, hashed)
  }

  /// The number of the text with these bytes, nil when no such text is known.
  @usableFromInline package func find(_ utf8: UnsafeBufferPointer<UInt8>) -> NameID? {
    find(utf8, hash(utf8))
  }

  private func find(_ utf8: UnsafeBufferPointer<UInt8>, _ hashed: UInt32) -> NameID? {
    var slot = firstSlot(hashed)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if hashes[index] == hashed && isText(index, utf8) { return NameID(index) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Whether a text has these bytes.
  private func isText(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    if ends[index] - start != utf8.count { return false }
    return bytes.withUnsafeBufferPointer { known in
      for place in 0..<utf8.count where known[start + place] != utf8[place] { return false }
      return true
    }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>, _ hashed: UInt32) -> NameID {
    bytes.append(contentsOf: utf8)
    ends.append(bytes.count)
    hashes.append(hashed)
    if ends.count * 2 > slots.count {
      slots = Array(repeating: -1, count: slots.count * 2)
      for index in ends.indices { insert(index) }
    } else {
      insert(ends.count - 1)
    }
    return NameID(ends.count - 1)
  }

  /// Enters a text into the hash table; the first of two equal texts is found.
  private func insert(_ index: Int) {
    var slot = firstSlot(hashes[index])
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(index)
  }

  /// Where a text stands in the hash table, unless others stand there.
  private func firstSlot(_ hashed: UInt32) -> Int { Int(hashed) & (slots.count - 1) }

  /// FNV-1a with a final mix, the lower half; the same on every machine.
  private func hash(_ utf8: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return UInt32(truncatingIfNeeded: value ^ (value >> 29))
  }
}
