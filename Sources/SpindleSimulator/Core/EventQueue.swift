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
/// No event of the wheel lies before its base, and none of the bottom behind those of the wheel.
/// Looking at the next event may move the base ahead of the present, and so does taking off early what
/// nobody wants. What is pushed before the base goes to the bottom; when that has to be cut there,
/// the base goes back. To keep this cheap, a look spreads no large slot: of such a one the least event
/// is known.
///
/// The order is exactly that of `ScheduledEvent.precedes`. Amortised O(1): a bottom that has grown
/// long gives its later half back to the wheel.
/// Source: Varghese, Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987; Tang, Goh, Thng,
/// "Ladder Queue", ACM TOMACS 2005.
struct EventQueue: ~Copyable {
  /// How many events are due, those that their owners no longer want included.
  private(set) var count = 0

  private static let levels = 8
  private static let slotsPerLevel = 256

  private struct Slot: BitwiseCopyable {
    var events = EventBlocks.Chain()
    /// Whether its least event is known.
    var knowsLeast = false
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var occupied: UnsafeMutablePointer<UInt64>
  private var usedLevels: UInt32 = 0
  /// The least event of each slot that knows it.
  private var leasts: UnsafeMutablePointer<ScheduledEvent>
  private var blocks: EventBlocks
  private var base: Int64 = 0
  /// The bottom holds everything that is due until then, the wheel what is due later.
  private var last: Int64 = -1
  private var bottom: UnsafeMutablePointer<ScheduledEvent>
  /// The bottom's first event, and the place behind its last.
  private var head = 0
  private var tail = 0
  private var bottomRoom: Int
  private var tally: UnsafeMutablePointer<UInt32>
  /// A slot of more events than this is spread over the level below.
  private let sortLimit: Int
  /// A bottom of so many events is cut before it takes another one.
  private let splitLimit: Int

  private let storage: Storage
  /// How many bytes the sorted bottom has taken of its storage.
  private var bottomBytes = 0

  /// Creates an empty queue, whose memory counts in `storage`.
  init(_ storage: Storage, _ sizes: StructureSizes = .standard) {
    self.storage = storage
    (sortLimit, splitLimit) = (sizes.sortLimit, sizes.splitLimit)
    bottomRoom = sizes.bottomRoom
    blocks = EventBlocks(room: sizes.blockRoom, storage)
    let total = Self.levels * Self.slotsPerLevel
    slots = .allocate(capacity: total)
    slots.initialize(repeating: Slot(), count: total)
    leasts = .allocate(capacity: total)
    occupied = .allocate(capacity: total / 64)
    occupied.initialize(repeating: 0, count: total / 64)
    bottom = .allocate(capacity: bottomRoom)
    tally = .allocate(capacity: sortLimit * 2)
  }

  deinit {
    slots.deallocate()
    occupied.deallocate()
    leasts.deallocate()
    bottom.deallocate()
    tally.deallocate()
  }

  /// How many bytes it has taken of its storage.
  var bytesTaken: Int { bottomBytes + blocks.bytesTaken }

  /// Adds an event; its time is not before that of the last one popped.
  @inline(__always)
  mutating func push(_ event: ScheduledEvent) {
    count &+= 1
    if event.time <= last && head < tail && tail < bottomRoom && tail &- head < splitLimit
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
    if event.time > last { placeInWheel(event) } else { insert(event) }
  }

  /// Puts an event into the wheel; by itself, so that those of the bottom need no registers saved for it.
  @inline(never)
  private mutating func placeInWheel(_ event: ScheduledEvent) { place(event) }

  /// Takes the least event; nil when there is none.
  @inline(__always)
  mutating func pop() -> ScheduledEvent? { count == 0 ? nil : takeLeast() }

  /// Takes the least event when it is due at this time; nil when none is.
  @inline(__always)
  mutating func pop(dueAt time: Int64) -> ScheduledEvent? {
    guard let event = peek(), event.time == time else { return nil }
    return takeLeast()
  }

  /// The least event, which stays; nil when there is none.
  @inline(__always)
  mutating func peek() -> ScheduledEvent? { head < tail ? bottom[head] : leastOfWheel() }

  /// Takes the least event, which is there.
  @inline(__always)
  @discardableResult
  mutating func takeLeast() -> ScheduledEvent {
    if head == tail { refill() }
    assert(head < tail && count > 0, "an event is taken, and \(count) are there")
    let event = bottom[head]
    head &+= 1
    count &-= 1
    return event
  }

  /// The least event of the wheel, behind an empty bottom; nil when that is empty too.
  @inline(never)
  private mutating func leastOfWheel() -> ScheduledEvent? {
    if usedLevels == 0 { return nil }
    let (level, digit) = firstSlot()
    let index = level &* 256 &+ digit
    if level == 0 || slots[index].events.count <= sortLimit {
      refill()
      return bottom[head]
    }
    if !slots[index].knowsLeast {
      var least: ScheduledEvent?
      blocks.forEach(of: slots[index].events) { event in
        if let known = least, !event.precedes(known) { return }
        least = event
      }
      if let least { leasts[index] = least }
      slots[index].knowsLeast = true
    }
    return leasts[index]
  }

  /// Where the wheel, which is not empty, has its least events.
  @inline(__always)
  private func firstSlot() -> (level: Int, digit: Int) {
    let level = usedLevels.trailingZeroBitCount
    var word = 0
    while occupied[level &* 4 &+ word] == 0 { word &+= 1 }
    return (level, word &* 64 &+ occupied[level &* 4 &+ word].trailingZeroBitCount)
  }

  /// Puts an event into the sorted bottom.
  @inline(__always)
  private mutating func insert(_ event: ScheduledEvent) {
    if head == tail || tail == bottomRoom || tail &- head >= splitLimit {
      insertMakingRoom(event)
    } else {
      insertInOrder(event)
    }
  }

  /// Puts an event into a bottom that is empty, long, or full to its end.
  @inline(never)
  private mutating func insertMakingRoom(_ event: ScheduledEvent) {
    if tail - head >= splitLimit { split() }
    if event.time > last { return place(event) }
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

  /// Gives about the later half of a long bottom back to the wheel: all from a moment on that is not
  /// its first, nothing when all of it is due at once.
  @inline(never)
  private mutating func split() {
    demand(tail - head > 1, "a bottom of \(tail - head) events is cut")
    if bottom[head].time == bottom[tail - 1].time { return }
    let middle = bottom[(head + tail) / 2].time
    // The moment of the middle, or the next one when the bottom begins with it.
    let first = middle > bottom[head].time ? middle : middle + 1
    var (kept, later) = (head, tail)
    while kept < later {
      let index = (kept + later) / 2
      if bottom[index].time < first { kept = index + 1 } else { later = index }
    }
    if first < base { lowerBase(to: first) }
    last = first - 1
    for index in kept..<tail { place(bottom[index]) }
    tail = kept
  }

  /// Moves the base back to `time`: what lies on the levels below that of their highest different bit
  /// comes to that level, and all else stays where it is.
  @inline(never)
  private mutating func lowerBase(to time: Int64) {
    demand(time < base, "the base goes back from \(base)ns to \(time)ns")
    let different = (63 - (time ^ base).leadingZeroBitCount) >> 3
    base = time
    while usedLevels.trailingZeroBitCount < different {
      let (level, digit) = firstSlot()
      spread(takeEvents(level: level, digit: digit))
    }
  }

  /// Puts an event into its slot of the wheel.
  @inline(__always)
  private mutating func place(_ event: ScheduledEvent) {
    demand(event.time >= base, "an event at \(event.time)ns lies before \(base)ns, which is past")
    let difference = UInt64(bitPattern: event.time ^ base) | 1
    let level = (63 &- difference.leadingZeroBitCount) >> 3
    let digit = Int(truncatingIfNeeded: event.time >> Int64(level &* 8)) & 255
    let slot = slots + (level &* 256 &+ digit)
    if blocks.append(event, to: &slot.pointee.events) {
      occupied[level &* 4 &+ digit >> 6] |= 1 << UInt64(digit & 63)
      usedLevels |= 1 << UInt32(level)
    }
    if slot.pointee.knowsLeast && event.precedes(leasts[level &* 256 &+ digit]) {
      leasts[level &* 256 &+ digit] = event
    }
  }

  /// Fills the bottom from the next slot that is used.
  @inline(never)
  private mutating func refill() {
    while true {
      let (level, digit) = firstSlot()
      let events = takeEvents(level: level, digit: digit)
      let shift = Int64(level &* 8)
      base = (((base >> shift) >> 8) << 8 | Int64(digit)) << shift
      if events.count <= sortLimit || level == 0 {
        last = base &+ ((1 << shift) &- 1)
        sortIntoBottom(events, shift: shift)
        return
      }
      spread(events)
    }
  }

  /// Takes the events of a slot out of the wheel.
  @inline(__always)
  private mutating func takeEvents(level: Int, digit: Int) -> EventBlocks.Chain {
    let events = slots[level &* 256 &+ digit].events
    slots[level &* 256 &+ digit] = Slot()
    occupied[level &* 4 &+ digit >> 6] &= ~(1 << UInt64(digit & 63))
    var any: UInt64 = 0
    for word in 0..<4 { any |= occupied[level &* 4 &+ word] }
    if any == 0 { usedLevels &= ~(1 << UInt32(level)) }
    demand(!events.isEmpty, "slot \(digit) of level \(level) is taken, and is empty")
    return events
  }

  /// Puts events where they belong beside the present base.
  private mutating func spread(_ events: EventBlocks.Chain) {
    var events = events
    while !events.isEmpty {
      for index in 0..<Int(events.used) { place(blocks.event(index, of: events)) }
      blocks.dropFirstBlock(of: &events)
    }
  }

  private mutating func sortIntoBottom(_ events: EventBlocks.Chain, shift: Int64) {
    let total = Int(events.count)
    demand(head == tail && total > 0, "\(total) events are sorted in front of \(tail - head)")
    if total > bottomRoom { growBottom(to: max(total, bottomRoom * 2)) }
    if total > 12 && total <= sortLimit && shift > 0 {
      distribute(events, shift: shift)
    } else {
      copy(events)
      if total > 64 {
        var all = UnsafeMutableBufferPointer(start: bottom, count: total)
        all.sort { $0.precedes($1) }
      }
    }
    (head, tail) = (0, total)
    insertionPass(total)
    // A slot's events are looked at together, so this is seldom; what one moment needs is left over.
    demand(
      bottom[0].sequence < ScheduledEvent.sequenceEnd,
      "a run has at most \(ScheduledEvent.sequenceEnd) events, and more come at \(bottom[0].time)ns"
    )
  }

  private mutating func copy(_ events: EventBlocks.Chain) {
    var (events, filled) = (events, 0)
    while !events.isEmpty {
      let used = Int(events.used)
      for index in 0..<used { bottom[filled &+ index] = blocks.event(index, of: events) }
      filled &+= used
      blocks.dropFirstBlock(of: &events)
    }
  }

  /// Puts the events of a slot nearly in order, by counting them on their next bits.
  private mutating func distribute(_ events: EventBlocks.Chain, shift: Int64) {
    let bits = min(Int64(Int32.bitWidth &- (events.count &- 1).leadingZeroBitCount), shift)
    let down = shift &- bits
    let mask = (Int64(1) << bits) &- 1
    tally.update(repeating: 0, count: Int(mask) &+ 1)
    blocks.forEach(of: events) { tally[Int(($0.time >> down) & mask)] &+= 1 }
    var start: UInt32 = 0
    for bin in 0...Int(mask) {
      let here = tally[bin]
      tally[bin] = start
      start &+= here
    }
    var events = events
    while !events.isEmpty {
      for index in 0..<Int(events.used) {
        let event = blocks.event(index, of: events)
        let bin = Int((event.time >> down) & mask)
        bottom[Int(tally[bin])] = event
        tally[bin] &+= 1
      }
      blocks.dropFirstBlock(of: &events)
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
    if head &* 2 < bottomRoom { growBottom(to: bottomRoom * 2) }
    bottom.update(from: bottom + head, count: tail - head)
    (head, tail) = (0, tail - head)
  }

  @inline(never)
  private mutating func growBottom(to room: Int) {
    demand(room > bottomRoom, "a bottom of \(bottomRoom) events grows to \(room)")
    let bytes = (room - bottomRoom) * MemoryLayout<ScheduledEvent>.stride
    storage.take(.events, bytes)
    bottomBytes += bytes
    let larger = UnsafeMutablePointer<ScheduledEvent>.allocate(capacity: room)
    larger.moveInitialize(from: bottom, count: tail)
    bottom.deallocate()
    (bottom, bottomRoom) = (larger, room)
  }
}
