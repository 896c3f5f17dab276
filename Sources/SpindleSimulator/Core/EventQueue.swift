import SpindleHost

/// What is due, least key first.
///
/// A hierarchical wheel in front of a short sorted list. The wheel has eight levels of 256 slots,
/// eight bits of the time a level: an event goes to the level of the highest bit in which its time
/// differs from the wheel's base, into the slot of that digit. Slots keep their events unsorted, in
/// blocks from a pool. Events are popped from the front of the *bottom*, which is sorted; when it is
/// empty, the next slot is taken: a small one is sorted into the bottom, a large one is spread over
/// the level below. So most events are moved twice in their life, whatever their number. A new event
/// that belongs into the bottom moves those on the shorter side of its place.
///
/// The order is exactly that of `ScheduledEvent.precedes`. Amortised O(1): a bottom that has grown
/// long, since many new events fell before its limit, gives its later half back to the wheel.
/// Source: Varghese, Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987; Tang, Goh, Thng,
/// "Ladder Queue", ACM TOMACS 2005.
struct EventQueue: ~Copyable {
  /// How many events are due, those that their owners no longer want included.
  private(set) var count = 0

  private static let levels = 8
  private static let slotsPerLevel = 256
  private static let blockCapacity = 15
  private static let sortLimit = 256
  private static let splitLimit = 512

  /// Fifteen events and the block that follows; 256 bytes.
  private struct Slot: BitwiseCopyable {
    var block: Int32 = -1
    /// How many events the first block holds.
    var used: Int32 = 15
    var count: Int32 = 0
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var occupied: UnsafeMutablePointer<UInt64>
  private var usedLevels: UInt32 = 0
  private var blocks: UnsafeMutablePointer<ScheduledEvent>
  private var blockCount = 0
  private var blockRoom = 256
  private var freeBlock: Int32 = -1
  private var base: Int64 = 0
  /// The bottom holds everything that is due before this.
  private var limit: Int64 = 0
  private var bottom: UnsafeMutablePointer<ScheduledEvent>
  /// The bottom's first event, and the place behind its last.
  private var head = 0
  private var tail = 0
  private var bottomRoom = 1024
  private var tally: UnsafeMutablePointer<UInt32>
  /// The time of the last event that was popped.
  private var present: Int64 = 0

  /// Creates an empty queue.
  init() {
    let total = Self.levels * Self.slotsPerLevel
    slots = .allocate(capacity: total)
    slots.initialize(repeating: Slot(), count: total)
    occupied = .allocate(capacity: total / 64)
    occupied.initialize(repeating: 0, count: total / 64)
    blocks = LargeBuffer.allocate(ScheduledEvent.self, capacity: blockRoom * 16)
    bottom = .allocate(capacity: bottomRoom)
    tally = .allocate(capacity: Self.sortLimit * 4)
  }

  deinit {
    slots.deallocate()
    occupied.deallocate()
    LargeBuffer.deallocate(blocks, capacity: blockRoom * 16)
    bottom.deallocate()
    tally.deallocate()
  }

  /// Adds an event; its time is not before that of the last one popped.
  @inline(__always)
  mutating func push(_ event: ScheduledEvent) {
    count &+= 1
    if event.time < limit && head < tail && tail < bottomRoom && tail &- head < Self.splitLimit
      && bottom[tail &- 1].precedes(event)
    {
      bottom[tail] = event
      tail &+= 1
    } else {
      putInPlace(event)
    }
  }

  /// Puts an event that does not come last in the bottom where it belongs.
  @inline(never)
  private mutating func putInPlace(_ event: ScheduledEvent) {
    if event.time >= limit { place(event) } else { insert(event) }
  }

  /// Takes the least event; nil when there is none.
  @inline(__always)
  mutating func pop() -> ScheduledEvent? {
    guard let event = peek() else { return nil }
    removeFirst(event)
    return event
  }

  /// Takes the least event when it is due at this time; nil when none is.
  @inline(__always)
  mutating func pop(dueAt time: Int64) -> ScheduledEvent? {
    guard let event = peek(), event.time == time else { return nil }
    removeFirst(event)
    return event
  }

  /// The least event, which stays; nil when there is none.
  @inline(__always)
  mutating func peek() -> ScheduledEvent? {
    if head == tail {
      if count == 0 { return nil }
      refill()
    }
    return bottom[head]
  }

  /// Takes the least event, which is this one, off the bottom.
  @inline(__always)
  private mutating func removeFirst(_ event: ScheduledEvent) {
    head &+= 1
    count &-= 1
    present = event.time
  }

  /// Puts an event into the sorted bottom.
  @inline(__always)
  private mutating func insert(_ event: ScheduledEvent) {
    if head == tail || tail == bottomRoom || tail &- head >= Self.splitLimit {
      insertMakingRoom(event)
    } else {
      insertInOrder(event)
    }
  }

  /// Puts an event into a bottom that is empty, long, or full to its end.
  @inline(never)
  private mutating func insertMakingRoom(_ event: ScheduledEvent) {
    if tail - head >= Self.splitLimit && split() && event.time >= limit {
      place(event)
      return
    }
    if head == tail { (head, tail) = (0, 0) }
    if tail == bottomRoom { makeRoom() }
    insertInOrder(event)
  }

  /// Puts an event into its place in the bottom, behind which there is room.
  @inline(__always)
  private mutating func insertInOrder(_ event: ScheduledEvent) {
    if head > 0 && event.precedes(bottom[(head &+ tail) >> 1]) {
      head &-= 1
      var index = head
      while bottom[index &+ 1].precedes(event) {
        bottom[index] = bottom[index &+ 1]
        index &+= 1
      }
      bottom[index] = event
    } else {
      var index = tail
      tail &+= 1
      while index > head && event.precedes(bottom[index &- 1]) {
        bottom[index] = bottom[index &- 1]
        index &-= 1
      }
      bottom[index] = event
    }
  }

  /// Gives the later half of the bottom back to the wheel; false when all of it is due at once.
  @inline(never)
  private mutating func split() -> Bool {
    let time = bottom[(head + tail) / 2].time
    if time <= present { return false }
    var kept = (head + tail) / 2
    while kept > head && bottom[kept &- 1].time >= time { kept &-= 1 }
    limit = time
    for index in kept..<tail { place(bottom[index]) }
    tail = kept
    return true
  }

  /// Puts an event into its slot of the wheel.
  @inline(__always)
  private mutating func place(_ event: ScheduledEvent) {
    let difference = UInt64(bitPattern: event.time ^ base) | 1
    let level = (63 &- difference.leadingZeroBitCount) >> 3
    let digit = Int(truncatingIfNeeded: event.time >> Int64(level &* 8)) & 255
    let slot = slots + (level &* 256 &+ digit)
    if slot.pointee.used == 15 {
      let block = takeBlock()
      // The last sixteenth of a block holds the index of the block that follows.
      blocks[Int(block) &* 16 &+ 15].time = Int64(slot.pointee.block)
      slot.pointee.block = block
      slot.pointee.used = 0
      occupied[level &* 4 &+ digit >> 6] |= 1 << UInt64(digit & 63)
      usedLevels |= 1 << UInt32(level)
    }
    blocks[Int(slot.pointee.block) &* 16 &+ Int(slot.pointee.used)] = event
    slot.pointee.used &+= 1
    slot.pointee.count &+= 1
  }

  @inline(__always)
  private mutating func takeBlock() -> Int32 {
    if freeBlock >= 0 {
      let block = freeBlock
      freeBlock = Int32(truncatingIfNeeded: blocks[Int(block) &* 16 &+ 15].time)
      return block
    }
    if blockCount == blockRoom { growBlocks() }
    blockCount &+= 1
    return Int32(truncatingIfNeeded: blockCount &- 1)
  }

  /// Fills the bottom from the next slot that is used.
  @inline(never)
  private mutating func refill() {
    while true {
      let level = usedLevels.trailingZeroBitCount
      var word = 0
      while occupied[level &* 4 &+ word] == 0 { word &+= 1 }
      let digit = word &* 64 &+ occupied[level &* 4 &+ word].trailingZeroBitCount
      let slot = slots[level &* 256 &+ digit]
      slots[level &* 256 &+ digit] = Slot()
      clearBit(level: level, digit: digit)
      let shift = Int64(level &* 8)
      base = (((base >> shift) >> 8) << 8 | Int64(digit)) << shift
      if slot.count <= Self.sortLimit || level == 0 {
        limit = base &+ (1 << shift)
        sortIntoBottom(slot, shift: shift)
        return
      }
      spread(slot)
    }
  }

  private mutating func clearBit(level: Int, digit: Int) {
    occupied[level &* 4 &+ digit >> 6] &= ~(1 << UInt64(digit & 63))
    var any: UInt64 = 0
    for word in 0..<4 { any |= occupied[level &* 4 &+ word] }
    if any == 0 { usedLevels &= ~(1 << UInt32(level)) }
  }

  /// Spreads a large slot over the level below.
  private mutating func spread(_ slot: Slot) {
    var (block, used) = (slot.block, Int(slot.used))
    while block >= 0 {
      for index in 0..<used { place(blocks[Int(block) &* 16 &+ index]) }
      block = release(block)
      used = Self.blockCapacity
    }
  }

  /// Gives a block back; returns the one that follows it.
  @inline(__always)
  private mutating func release(_ block: Int32) -> Int32 {
    let next = Int32(truncatingIfNeeded: blocks[Int(block) &* 16 &+ 15].time)
    blocks[Int(block) &* 16 &+ 15].time = Int64(freeBlock)
    freeBlock = block
    return next
  }

  private mutating func sortIntoBottom(_ slot: Slot, shift: Int64) {
    let total = Int(slot.count)
    if total > bottomRoom { growBottom(to: max(total, bottomRoom * 2)) }
    if total > 12 && total <= Self.sortLimit && shift > 0 {
      distribute(slot, total: total, shift: shift)
    } else {
      copy(slot)
      if total > 64 {
        var events = UnsafeMutableBufferPointer(start: bottom, count: total)
        events.sort { $0.precedes($1) }
      }
    }
    (head, tail) = (0, total)
    insertionPass(total)
  }

  private mutating func copy(_ slot: Slot) {
    var (block, used, filled) = (slot.block, Int(slot.used), 0)
    while block >= 0 {
      for index in 0..<used { bottom[filled &+ index] = blocks[Int(block) &* 16 &+ index] }
      filled &+= used
      block = release(block)
      used = Self.blockCapacity
    }
  }

  /// Puts the events of a slot nearly in order, by counting them on their next bits.
  private mutating func distribute(_ slot: Slot, total: Int, shift: Int64) {
    let bits = min(Int64(Int.bitWidth &- (total &- 1).leadingZeroBitCount), shift)
    let down = shift &- bits
    let mask = (Int64(1) << bits) &- 1
    tally.update(repeating: 0, count: Int(mask) &+ 1)
    var (block, used) = (slot.block, Int(slot.used))
    while block >= 0 {
      for index in 0..<used {
        let bin = (blocks[Int(block) &* 16 &+ index].time >> down) & mask
        tally[Int(bin)] &+= 1
      }
      block = Int32(truncatingIfNeeded: blocks[Int(block) &* 16 &+ 15].time)
      used = Self.blockCapacity
    }
    var start: UInt32 = 0
    for bin in 0...Int(mask) {
      let here = tally[bin]
      tally[bin] = start
      start &+= here
    }
    (block, used) = (slot.block, Int(slot.used))
    while block >= 0 {
      for index in 0..<used {
        let event = blocks[Int(block) &* 16 &+ index]
        let bin = Int((event.time >> down) & mask)
        bottom[Int(tally[bin])] = event
        tally[bin] &+= 1
      }
      block = release(block)
      used = Self.blockCapacity
    }
  }

  /// Finishes the order of the bottom; linear when it is nearly in order.
  private func insertionPass(_ total: Int) {
    var next = 1
    while next < total {
      if bottom[next].precedes(bottom[next &- 1]) {
        let event = bottom[next]
        var index = next
        while index > 0 && event.precedes(bottom[index &- 1]) {
          bottom[index] = bottom[index &- 1]
          index &-= 1
        }
        bottom[index] = event
      }
      next &+= 1
    }
  }

  /// Makes room behind the bottom's last event.
  @inline(never)
  private mutating func makeRoom() {
    if head < bottomRoom / 2 { growBottom(to: bottomRoom * 2) }
    bottom.update(from: bottom + head, count: tail - head)
    (head, tail) = (0, tail - head)
  }

  @inline(never)
  private mutating func growBottom(to room: Int) {
    let larger = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: room)
    larger.moveInitialize(from: bottom, count: tail)
    bottom.deallocate()
    (bottom, bottomRoom) = (larger, room)
  }

  @inline(never)
  private mutating func growBlocks() {
    let larger = LargeBuffer.allocate(ScheduledEvent.self, capacity: blockRoom * 32)
    larger.moveInitialize(from: blocks, count: blockRoom * 16)
    LargeBuffer.deallocate(blocks, capacity: blockRoom * 16)
    (blocks, blockRoom) = (larger, blockRoom * 2)
  }
}
