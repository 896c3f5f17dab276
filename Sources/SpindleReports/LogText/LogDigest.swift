package import SpindleModel

/// One number that equal runs share: a digest of the whole log, and of the end.
///
/// Every field of every entry but `place` counts, so that a comment added to a trace changes nothing.
/// A name counts by its text, not by its number, which depends on what else has a name. A field counts
/// as 64 bits: a number of 32 bits without a sign, or the key of a name, which is the digest of its
/// text; -1 stays what it is. The words of an entry are five: the time; the value; thread and object;
/// other and subject; event, detail and core. Of two fields the second is rotated by 32 bits, and both
/// are combined by exclusive or; the event is bits 0 to 7, the detail 8 to 15, the core 16 to 31. Each
/// word is multiplied by an odd constant of its own and all but the first are rotated; their exclusive
/// or, with its upper half folded onto its lower, is absorbed. To absorb `x` is
/// `state = (rotate(state, 5) ^ x) * multiplier`, and a text is its length and then its UTF-8 in words
/// of eight bytes, lowest first, filled up with zeros. After the entries come the outcome's number,
/// message and exit code (-1 for none), end, makespan and number of entries. At last the state is mixed
/// by the final steps of SplitMix64. `NameFields` says which fields are names.
///
/// A class, since the simulator is handed it and the caller reads it.
package final class LogDigest: LogConsumer {
  private var digest = Digest()
  private var names = NameTable([])
  /// The keys of the names, by their number and 1; the first is that of none.
  private var keys: ContiguousArray<UInt64> = []

  /// How many entries there were.
  package private(set) var entryCount: Int64 = 0

  /// Creates a consumer for one run.
  package init() {}

  /// The digest as 16 hexadecimal digits; final when the run has ended.
  package var text: String { LogDigest.hexadecimal(digest.value) }

  package func begin(_ run: RunDescription) {
    digest = Digest()
    entryCount = 0
    names = run.names
    keys = [UInt64(UInt32.max)]
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    while keys.count <= names.count {
      var key = Digest()
      key.absorb(names.utf8(NameID(keys.count - 1)))
      keys.append(key.value)
    }
    keys.withUnsafeBufferPointer { digest.absorb(entries, NameKeys(keys: $0)) }
    entryCount += Int64(entries.count)
  }

  package func end(_ record: RunRecord) {
    digest.absorb(UInt64(record.outcome.kind.rawValue))
    digest.absorb(Array(record.outcome.message.utf8)[...])
    digest.absorb(UInt64(bitPattern: record.outcome.exitCode ?? -1))
    digest.absorb(UInt64(bitPattern: record.end.nanoseconds))
    digest.absorb(UInt64(bitPattern: record.makespan.nanoseconds))
    digest.absorb(UInt64(entryCount))
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// What the names of a run count as.
private struct NameKeys {
  /// By the name's number and 1.
  let keys: UnsafeBufferPointer<UInt64>

  /// The key of the name with this number; a number that no name has counts as itself.
  @inline(__always)
  subscript(name: Int32) -> UInt64 {
    let index = Int(UInt32(bitPattern: name &+ 1))
    return index < keys.count ? keys[index] : UInt64(UInt32(bitPattern: name))
  }
}

/// The state of a digest.
private struct Digest {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var state: UInt64 = 0x5350_494E_444C_4531

  /// The state after the final mixing.
  var value: UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func absorb(_ word: UInt64) {
    state = (Digest.rotate(state, 5) ^ word) &* Digest.multiplier
  }

  mutating func absorb(_ entries: UnsafeBufferPointer<LogEntry>, _ names: NameKeys) {
    var local = self
    for entry in entries { local.absorb(Digest.word(of: entry, names)) }
    self = local
  }

  mutating func absorb(_ text: ArraySlice<UInt8>) {
    absorb(UInt64(text.count))
    var word: UInt64 = 0
    var shift: UInt64 = 0
    for byte in text {
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 64 {
        absorb(word)
        (word, shift) = (0, 0)
      }
    }
    if shift > 0 { absorb(word) }
  }

  @inline(__always)
  private static func word(of entry: LogEntry, _ names: NameKeys) -> UInt64 {
    let fields = NameFields(of: entry)
    let other = fields.contains(.other) ? names[entry.other] : number(entry.other)
    let subject = fields.contains(.subject) ? names[entry.subject] : number(entry.subject)
    let value =
      fields.contains(.value)
      ? names[Int32(clamping: entry.value)] : UInt64(bitPattern: entry.value)
    let actors = number(entry.thread) ^ rotate(names[entry.object], 32)
    let others = other ^ rotate(subject, 32)
    let what =
      UInt64(entry.event.rawValue) | UInt64(entry.detail) << 8
      | UInt64(UInt16(bitPattern: entry.core)) << 16
    let mixed =
      UInt64(bitPattern: entry.time) &* 0xA24B_AED4_963E_E407
      ^ rotate(value &* 0x9FB2_1C65_1E98_DF25, 13)
      ^ rotate(actors &* 0xD6E8_FEB8_6659_FD93, 29)
      ^ rotate(others &* 0xC2B2_AE3D_27D4_EB4F, 43)
      ^ rotate(what &* 0x1656_67B1_9E37_79F9, 53)
    return mixed ^ (mixed >> 32)
  }

  @inline(__always)
  private static func number(_ field: Int32) -> UInt64 { UInt64(UInt32(bitPattern: field)) }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
