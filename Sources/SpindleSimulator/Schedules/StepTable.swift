import SpindleModel

/// A number for each step of a run, 0 where none was set: a hash table that is emptied in no time, for one run after
/// another.
struct StepTable {
  private struct Slot: BitwiseCopyable {
    var key = StepKey(actor: -1, verb: .reads, object: -1)
    /// The run in which it was last used; a slot of another run is free.
    var run: Int32 = 0
    var value: Int32 = 0
  }

  private var slots = Array(repeating: Slot(), count: 64)
  private var run: Int32 = 1
  private var used = 0

  /// The number of a step.
  subscript(key: StepKey) -> Int32 {
    get {
      let slot = slots[place(of: key)]
      return slot.run == run ? slot.value : 0
    }
    set {
      let place = place(of: key)
      if slots[place].run != run { used += 1 }
      slots[place] = Slot(key: key, run: run, value: newValue)
      if used * 2 > slots.count { grow() }
    }
  }

  /// Every step has 0 again.
  mutating func removeAll() {
    used = 0
    run &+= 1
    // The numbers of the runs begin anew: nothing may seem to be of a run that is to come.
    if run == Int32.max {
      slots = Array(repeating: Slot(), count: slots.count)
      run = 1
    }
  }

  /// The slot of a key, or the one that it would have.
  private func place(of key: StepKey) -> Int {
    let mask = slots.count - 1
    let mixed = RandomStreams.mix(
      UInt64(UInt32(bitPattern: key.actor)) << 32 | UInt64(UInt32(bitPattern: key.object)))
    var place = Int(truncatingIfNeeded: mixed &+ UInt64(key.verb.place)) & mask
    while slots[place].run == run && slots[place].key != key { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 2)
    for slot in old where slot.run == run { slots[place(of: slot.key)] = slot }
  }
}
