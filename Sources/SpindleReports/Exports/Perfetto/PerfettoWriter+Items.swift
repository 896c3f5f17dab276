import SpindleModel

/// What an export for Perfetto knows of something with a lane.
struct PerfettoLane {
  /// Whether it is something that is shown.
  var isShown = false
  /// How many items wait.
  var waiting: Int64 = 0
  /// How many rows it has.
  var rowCount: Int32 = 0
  /// The rows that nothing is in.
  var free: [Int32] = []

  /// The most rows: a viewer with more is no longer of use.
  static let mostRows: Int32 = 512
}

extension PerfettoWriter {
  mutating func laneBegan(_ lane: LaneFacts) {
    lanes.reach(Int(lane.lane.raw), filledWith: PerfettoLane())
    let takesItems: Bool
    switch lane.family {
    case .executor, .queue, .operationQueue: takesItems = true
    case .lock, .actor: takesItems = false
    case .semaphore, .group, .operation, .dispatchSource, .other, .accelerator: return
    }
    lanes[Int(lane.lane.raw)].pointee.isShown = true
    let (name, rank) = (lane.name(in: texts), Int64(lane.lane.raw))
    let track = PerfettoTrack.lane(lane.lane)
    describe(track, name, parent: PerfettoTrack.lanes, rank: rank, ordersChildren: true)
    guard takesItems else { return }
    let length = PerfettoTrack.length(lane.lane)
    describe(length, "items waiting: \(name)", parent: track, unit: TrackField.unitCount)
  }

  // MARK: Items

  mutating func itemSubmitted(_ item: ItemSlice) {
    kernel.advance(to: item.submitted.nanoseconds)
    writeKernelEvents()
    let track =
      item.submitter.isNone ? PerfettoTrack.outside : PerfettoTrack.thread(item.submitter)
    moment(
      track, at: item.submitted, category: .submit, name: names.submitNumber(item),
      place: item.place
    ) { bytes in
      bytes.field(EventField.flows, fixed: UInt64(UInt32(max(0, item.item.raw))))
    }
    guard isShown(item.lane) else { return }
    countWaiting(item.lane, 1, at: item.submitted)
    guard let row = takeRow(item.lane, "waiting") else { return }
    itemRows[Int64(item.item.raw)] = row
    event(
      EventField.begin, PerfettoTrack.row(item.lane, Int(row)), at: item.submitted,
      category: .item, name: names.number(item))
  }

  mutating func itemStarted(_ item: ItemSlice) {
    leaveQueue(item, at: item.started)
    startedItem = item
    if item.isTask { tasks[Int64(item.item.raw)] = names.number(item) }
    guard item.needsNoThread else { return }
    kernel.advance(to: item.started.nanoseconds)
    writeKernelEvents()
    let lane = isShown(item.lane) ? item.lane : nil
    guard let lane, let row = takeRow(lane, "without a thread") else {
      return moment(
        PerfettoTrack.outside, at: item.started, category: .item, name: names.number(item)
      ) { $0.field(EventField.endingFlows, fixed: UInt64(UInt32(item.item.raw))) }
    }
    itemRows[Int64(item.item.raw)] = row
    writeItem(item, on: PerfettoTrack.row(lane, Int(row)))
  }

  mutating func itemEnded(_ item: ItemSlice) {
    if !item.hasStarted { return leaveQueue(item, at: item.ended) }
    if item.isTask { tasks[Int64(item.item.raw)] = nil }
    leaveRow(item, at: item.ended)
  }

  /// Begins the slice of an item that runs, with the arrow from its submission.
  mutating func writeItem(_ item: ItemSlice, on track: UInt64) {
    event(
      EventField.begin, track, at: item.started, category: .item, name: names.number(item),
      place: item.place
    ) { bytes in
      let number = UInt64(UInt32(max(0, item.item.raw)))
      if item.isTask { bytes.field(EventField.flows, fixed: number | PerfettoWriter.taskFlow) }
      bytes.field(EventField.endingFlows, fixed: number)
      PerfettoWriter.annotate(.item, Int64(item.item.raw), &bytes)
      PerfettoWriter.annotate(
        .waited, item.started.nanoseconds - item.submitted.nanoseconds, &bytes)
    }
  }

  private mutating func leaveQueue(_ item: ItemSlice, at time: Instant) {
    guard isShown(item.lane) else { return }
    leaveRow(item, at: time)
    countWaiting(item.lane, -1, at: time)
  }

  private mutating func leaveRow(_ item: ItemSlice, at time: Instant) {
    guard let row = itemRows[Int64(item.item.raw)] else { return }
    itemRows[Int64(item.item.raw)] = nil
    give(row, of: item.lane, at: time)
  }

  private mutating func countWaiting(_ lane: LaneIndex, _ change: Int64, at time: Instant) {
    let known = lanes[Int(lane.raw)]
    known.pointee.waiting += change
    count(PerfettoTrack.length(lane), known.pointee.waiting, at: time)
  }

  // MARK: Rows of a lane

  private func isShown(_ lane: LaneIndex) -> Bool {
    !lane.isNone && Int(lane.raw) < lanes.count && lanes[Int(lane.raw)].pointee.isShown
  }

  /// A row of a lane that nothing is in; nil when it has too many.
  private mutating func takeRow(_ lane: LaneIndex, _ name: String) -> Int32? {
    let known = lanes[Int(lane.raw)]
    if let row = known.pointee.free.popLast() { return row }
    let row = known.pointee.rowCount
    guard row < PerfettoLane.mostRows else { return nil }
    known.pointee.rowCount += 1
    describe(
      PerfettoTrack.row(lane, Int(row)), name, parent: PerfettoTrack.lane(lane),
      rank: Int64(row) + 1)
    return row
  }

  /// Ends the slice in a row, which is free again.
  private mutating func give(_ row: Int32, of lane: LaneIndex, at time: Instant) {
    event(EventField.end, PerfettoTrack.row(lane, Int(row)), at: time)
    lanes[Int(lane.raw)].pointee.free.append(row)
  }

  // MARK: Holds and notes

  private static func key(_ hold: HoldSlice) -> Int64 {
    let one: Int64
    switch hold.kind {
    case .shared: one = Int64(max(0, hold.thread.raw))
    case .actor: one = Int64(max(0, hold.item.raw))
    case .exclusive, .suspended, .inactive: one = 0
    }
    return Int64(max(0, hold.lane.raw)) << 35 | Int64(hold.kind.rawValue) << 32 | one
  }

  mutating func holdBegan(_ hold: HoldSlice) {
    guard isShown(hold.lane), let row = takeRow(hold.lane, "held") else { return }
    holdRows[PerfettoWriter.key(hold)] = row
    if hold.kind == .actor { return writeTurn(hold, in: row) }
    let holder =
      kernel.threads.find(hold.thread).map { String(decoding: $0.pointee.name, as: UTF8.self) }
      ?? "no thread"
    let text: String
    switch hold.kind {
    case .exclusive: text = holder
    case .shared: text = "read by \(holder)"
    case .suspended: text = "suspended by \(holder)"
    case .inactive: text = "inactive"
    case .actor: text = "on the actor"
    }
    event(
      EventField.begin, PerfettoTrack.row(hold.lane, Int(row)), at: hold.start, category: .hold,
      place: hold.place
    ) { $0.field(EventField.name, text) }
  }

  /// Begins the slice of a task that is on an actor.
  private mutating func writeTurn(_ hold: HoldSlice, in row: Int32) {
    event(
      EventField.begin, PerfettoTrack.row(hold.lane, Int(row)), at: hold.start, category: .hold,
      name: tasks[Int64(hold.item.raw)]
    ) { bytes in
      PerfettoWriter.annotate(.item, Int64(hold.item.raw), &bytes)
      PerfettoWriter.annotate(.waited, hold.waited.rawValue, &bytes)
    }
  }

  mutating func holdEnded(_ hold: HoldSlice) {
    let key = PerfettoWriter.key(hold)
    guard let row = holdRows[key] else { return }
    holdRows[key] = nil
    give(row, of: hold.lane, at: hold.end)
  }

  mutating func noted(_ note: TimelineNote) {
    switch note.kind {
    case .mark:
      let track = note.thread.isNone ? PerfettoTrack.outside : PerfettoTrack.thread(note.thread)
      moment(track, at: note.time, category: .mark, name: names.number(note.name))
    case .finding: findingThreads.append((note.value, note.thread))
    case .memory: count(PerfettoTrack.memory, note.value, at: note.time)
    case .machineSlept:
      event(EventField.begin, PerfettoTrack.run, at: note.time, category: .run) {
        $0.field(EventField.name, "the machine sleeps")
      }
    case .machineWoke: event(EventField.end, PerfettoTrack.run, at: note.time)
    }
  }
}
