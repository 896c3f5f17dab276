/// What is known at objects: a hash table that is emptied in no time, for one run after another.
///
/// Only looked up, never walked.
struct SyncTable {
  private var keys: [UInt64] = []
  private var clocks: [VectorClock?] = []
  /// The run in which each slot was last used; one of another run is free.
  private var runs: [Int32] = []
  private var run: Int32 = 1
  /// How many slots are used, those included of which nothing is known any more.
  private var used = 0

  /// What is known at an object; nil for nothing.
  subscript(object: SyncObject) -> VectorClock? {
    get {
      if used == 0 { return nil }
      let slot = slot(of: Self.key(object))
      return runs[slot] == run ? clocks[slot] : nil
    }
    set {
      if keys.isEmpty {
        if newValue == nil { return }
        grow()
      }
      let key = Self.key(object)
      var slot = slot(of: key)
      if runs[slot] != run {
        if newValue == nil { return }
        if (used + 1) * 2 > keys.count {
          grow()
          slot = self.slot(of: key)
        }
        used += 1
        (keys[slot], runs[slot]) = (key, run)
      }
      clocks[slot] = newValue
    }
  }

  /// More is known at an object.
  mutating func join(_ clock: VectorClock, at object: SyncObject) {
    if used > 0 {
      let slot = slot(of: Self.key(object))
      if runs[slot] == run && clocks[slot] != nil {
        clocks[slot]?.join(clock)
        return
      }
    }
    self[object] = clock
  }

  /// What was known at an object, of which nothing is known from now on.
  mutating func take(_ object: SyncObject) -> VectorClock? {
    if used == 0 { return nil }
    let slot = slot(of: Self.key(object))
    return runs[slot] == run ? clocks[slot].take() : nil
  }

  /// Nothing is known any more.
  mutating func removeAll() {
    used = 0
    run &+= 1
    if run == Int32.max { self = SyncTable() }
  }

  private static func key(_ object: SyncObject) -> UInt64 {
    UInt64(object.kind.rawValue) << 32 | UInt64(UInt32(bitPattern: object.number))
  }

  /// The slot of a key, or the one that it would have.
  private func slot(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: RandomStreams.mix(key)) & mask
    while runs[slot] == run && keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  /// Makes room: leaves out what is not known any more, and takes twice the slots where that is not enough.
  private mutating func grow() {
    let old = (keys, clocks, runs)
    let live = old.0.indices.count { old.2[$0] == run && old.1[$0] != nil }
    let count = max(16, live * 4 > old.0.count ? old.0.count * 2 : old.0.count)
    keys = Array(repeating: 0, count: count)
    clocks = Array(repeating: nil, count: count)
    runs = Array(repeating: 0, count: count)
    for place in old.0.indices where old.2[place] == run && old.1[place] != nil {
      let slot = slot(of: old.0[place])
      (keys[slot], clocks[slot], runs[slot]) = (old.0[place], old.1[place], run)
    }
    used = live
  }
}
