import SpindleModel

extension TimelineTally {
  /// An object was made: it has a lane.
  mutating func made(_ entry: LogEntry) {
    guard let handle = HandleClass(rawValue: entry.detail), entry.other >= 0 else { return }
    let family = ObjectFamily(handle)
    if family == .other { return }
    let facts = lanes.add(family, entry.other, entry.object, entry)
    consumer.laneBegan(facts)
    // The values 2 and 3 of a queue state that it is inactive.
    guard family == .queue && entry.value >= 2 else { return }
    hold(
      HoldSlice(
        kind: .inactive, lane: facts.lane, thread: index(entry.thread), start: facts.time,
        end: facts.time, place: entry.place), TimelineTally.holdKey(.queue, entry.other))
  }

  /// The lane of an object; one that the log has not named before, as the system made it, gets one now.
  mutating func lane(_ family: ObjectFamily, _ number: Int32, _ entry: LogEntry) -> LaneIndex {
    if let known = lanes.find(family, number) { return known }
    guard number >= 0 else { return .none }
    let name = entry.event == .itemSubmitted ? entry.other : entry.object
    let facts = lanes.add(family, number, name, entry)
    consumer.laneBegan(facts)
    return facts.lane
  }

  /// The lane of the operation queue that an entry names: the log has its name, not its number.
  mutating func operationLane(_ entry: LogEntry) -> LaneIndex {
    if let known = lanes.operationQueue(named: entry.other) { return known }
    let facts = lanes.add(.operationQueue, -1, entry.other, entry)
    consumer.laneBegan(facts)
    return facts.lane
  }

  /// The lane of the actor that an entry names: the log has its name, not its number.
  private mutating func actorLane(_ entry: LogEntry) -> LaneIndex {
    let number = entry.object + 1
    if let known = lanes.find(.actor, number) { return known }
    let facts = lanes.add(.actor, number, entry.object, entry)
    consumer.laneBegan(facts)
    return facts.lane
  }

  // MARK: What is held

  /// The key of an open hold; a reader's contains the thread.
  private static func holdKey(_ family: ObjectFamily, _ number: Int32, reader: Int32 = -1) -> Int64
  {
    // 16 families, 28 bits of numbers, 32 of threads.
    Int64(reader + 1) << 32 ^ (Int64(number) << 4 | Int64(family.rawValue))
  }

  mutating func holdChanged(_ entry: LogEntry) {
    guard entry.subject >= 0 else { return }
    let time = Instant(entry.time)
    let object = DispatchObject(rawValue: entry.detail) ?? .queue
    let held: ObjectFamily = object == .queue ? .queue : .dispatchSource
    switch entry.event {
    case .lockAcquired:
      let isShared = entry.detail == LockSharing.shared.rawValue
      let lane = lane(.lock, entry.subject, entry)
      hold(
        HoldSlice(
          kind: isShared ? .shared : .exclusive, lane: lane, thread: index(entry.thread),
          item: slot(entry.thread).map { innermostItem($0) } ?? .none, start: time, end: time,
          place: entry.place),
        TimelineTally.holdKey(.lock, entry.subject, reader: isShared ? entry.thread : -1))
    case .lockReleased:
      let reader = TimelineTally.holdKey(.lock, entry.subject, reader: entry.thread)
      let isReader = holds[reader] != nil
      release(isReader ? reader : TimelineTally.holdKey(.lock, entry.subject), at: time)
    case .queueSuspended:
      let key = TimelineTally.holdKey(held, entry.subject, reader: 0)
      if holds[key] != nil { return }
      let lane = lane(held, entry.subject, entry)
      hold(
        HoldSlice(
          kind: .suspended, lane: lane, thread: index(entry.thread), start: time, end: time,
          place: entry.place), key)
    case .queueResumed:
      if entry.value == 0 {
        release(TimelineTally.holdKey(held, entry.subject, reader: 0), at: time)
      }
    default: release(TimelineTally.holdKey(held, entry.subject), at: time)
    }
  }

  /// A task is on an actor, of which there may be several of one name: each task is on one at most.
  mutating func actorEntered(_ entry: LogEntry) {
    guard entry.other > 0 else { return }
    let (lane, time) = (actorLane(entry), Instant(entry.time))
    hold(
      HoldSlice(
        kind: .actor, lane: lane, thread: index(entry.thread), item: ItemIndex(entry.other),
        waited: Nanoseconds(max(0, entry.value)), start: time, end: time, place: entry.place),
      TimelineTally.holdKey(.actor, entry.other))
  }

  mutating func actorLeft(_ entry: LogEntry) {
    guard entry.other > 0 else { return }
    release(TimelineTally.holdKey(.actor, entry.other), at: Instant(entry.time))
  }

  /// Begins a hold; one that was open under the same key ends.
  private mutating func hold(_ slice: HoldSlice, _ key: Int64) {
    release(key, at: slice.start)
    holds[key] = slice
    consumer.holdBegan(slice)
  }

  private mutating func release(_ key: Int64, at time: Instant) {
    guard var slice = holds[key] else { return }
    slice.end = time
    holds[key] = nil
    consumer.holdEnded(slice)
  }
}

/// What has a lane, by family and number.
struct TimelineLanes {
  private var numbers = Array(
    repeating: ContiguousArray<Int32>(), count: ObjectFamily.allCases.count)
  /// By the number of its name: the last operation queue that has it.
  private var operationQueues: OpenTable<Int32> = OpenTable()
  private var ordinals: [UInt64: Int32] = [:]
  private var count: Int32 = 0

  /// The lane of an object; nil when it has none.
  func find(_ family: ObjectFamily, _ number: Int32) -> LaneIndex? {
    let known = numbers[Int(family.rawValue)]
    guard number >= 0 && Int(number) < known.count, known[Int(number)] >= 0 else { return nil }
    return LaneIndex(known[Int(number)])
  }

  /// The lane of the operation queue of this name; of several the last that was made.
  func operationQueue(named name: Int32) -> LaneIndex? {
    operationQueues[Int64(name)].map { LaneIndex($0) }
  }

  /// Gives an object a lane.
  mutating func add(
    _ family: ObjectFamily, _ number: Int32, _ name: Int32, _ entry: LogEntry
  ) -> LaneFacts {
    let lane = count
    count += 1
    if number >= 0 {
      let index = Int(family.rawValue)
      let missing = Int(number) + 1 - numbers[index].count
      if missing > 0 { numbers[index].append(contentsOf: repeatElement(-1, count: missing)) }
      numbers[index][Int(number)] = lane
    }
    if family == .operationQueue && name >= 0 { operationQueues[Int64(name)] = lane }
    let key = UInt64(family.rawValue) << 32 | UInt64(UInt32(bitPattern: name))
    let ordinal = ordinals[key, default: 0] + 1
    ordinals[key] = ordinal
    return LaneFacts(
      lane: LaneIndex(lane), family: family, number: number, name: NameID(Int(name)),
      ordinal: ordinal, time: Instant(entry.time),
      place: entry.event == .objectMade ? entry.place : -1,
      value: entry.event == .objectMade ? entry.value : 0)
  }
}
