/// What is open now, by number: items that have not ended, locks that are held.
///
/// A table with open addressing: numbers come in order and mostly leave so, which makes the number itself a
/// good place to look first. Its memory is that of the most that was open at one time. Nothing depends on the
/// order of its places.
struct OpenTable<Record> {
  private var keys: ContiguousArray<Int64>
  private var records: ContiguousArray<Record?>
  /// How many are open.
  private(set) var count = 0

  private static var unused: Int64 { -1 }

  init() {
    keys = ContiguousArray(repeating: Self.unused, count: 64)
    records = ContiguousArray(repeating: nil, count: 64)
  }

  /// The open record with this number, which is not negative.
  subscript(key: Int64) -> Record? {
    get { place(of: key).flatMap { records[$0] } }
    set {
      guard let newValue else {
        if let place = place(of: key) { remove(at: place) }
        return
      }
      if let place = place(of: key) {
        records[place] = newValue
      } else {
        insert(key, newValue)
      }
    }
  }

  /// The numbers of all that is open, the least first; as long as sorting takes.
  var sortedKeys: [Int64] { keys.filter { $0 != Self.unused }.sorted() }

  private func place(of key: Int64) -> Int? {
    var place = home(of: key)
    while keys[place] != Self.unused {
      if keys[place] == key { return place }
      place = (place + 1) & (keys.count - 1)
    }
    return nil
  }

  private func home(of key: Int64) -> Int {
    // Numbers that differ in higher bits only, as those of readers do, have homes of their own too.
    Int(truncatingIfNeeded: key ^ key >> 4 ^ key >> 32) & (keys.count - 1)
  }

  private mutating func insert(_ key: Int64, _ record: Record) {
    if (count + 1) * 2 > keys.count { grow() }
    var place = home(of: key)
    while keys[place] != Self.unused { place = (place + 1) & (keys.count - 1) }
    keys[place] = key
    records[place] = record
    count += 1
  }

  private mutating func grow() {
    let (oldKeys, oldRecords) = (keys, records)
    keys = ContiguousArray(repeating: Self.unused, count: oldKeys.count * 2)
    records = ContiguousArray(repeating: nil, count: oldKeys.count * 2)
    count = 0
    for (place, key) in oldKeys.enumerated() {
      if key != Self.unused, let record = oldRecords[place] { insert(key, record) }
    }
  }

  /// Removes the record at `place`, and moves up those behind it that would no longer be found.
  private mutating func remove(at hole: Int) {
    var hole = hole
    let mask = keys.count - 1
    var next = (hole + 1) & mask
    while keys[next] != Self.unused {
      // It stays when its home lies behind the hole, up to its place.
      let distance = (next - home(of: keys[next])) & mask
      if distance >= (next - hole) & mask {
        (keys[hole], records[hole]) = (keys[next], records[next])
        hole = next
      }
      next = (next + 1) & mask
    }
    (keys[hole], records[hole]) = (Self.unused, nil)
    count -= 1
  }
}
