import SpindleModel

/// What a thread and its core have used up, or did meanwhile.
struct CoreChange: Equatable {
  var core = CoreID.none
  var busy: Int64 = 0
  var overhead: Int64 = 0
  var cpu: Int64 = 0
  var sinceDispatch: Int64 = 0

  static func - (left: CoreChange, right: CoreChange) -> CoreChange {
    CoreChange(
      core: left.core, busy: left.busy - right.busy, overhead: left.overhead - right.overhead,
      cpu: left.cpu - right.cpu, sinceDispatch: left.sinceDispatch - right.sinceDispatch)
  }
}

/// Rounds of loops that wait for something, of which one is like the other.
extension Kernel {
  /// Records an entry that a round of such a loop may leave.
  @inline(__always)
  mutating func recordRound(
    _ event: LogEvent, thread: ThreadID, detail: UInt8 = 0, object: Int32, subject: Int32 = -1,
    place: Int32 = -1, value: Int64 = 0
  ) {
    let time = now
    recorder.recordRound(
      LogEntry(
        time: time, event: event, detail: detail, thread: thread.index, object: object,
        subject: subject, place: place, value: value))
  }

  /// The instruction that a thread is at; -1 for the world outside.
  @inline(__always)
  func presentPlace(of thread: ThreadID) -> Int32 { !thread.isNone ? threads[thread].place : -1 }

  /// Records that a shared variable was read or written at an instruction.
  mutating func recordAccess(
    _ event: LogEvent, _ thread: ThreadID, _ format: ValueFormat, name: Int32, at counter: Int,
    value: Int64
  ) {
    recordRound(
      event, thread: thread, detail: format.rawValue, object: name,
      place: Int32(truncatingIfNeeded: counter), value: value)
  }

  /// What a thread and its core have used up until now.
  func use(of thread: ThreadID, on core: CoreID) -> CoreChange {
    let (record, busy) = (threads.at(thread), cores[core])
    return CoreChange(
      core: core, busy: busy.busy, overhead: busy.overhead, cpu: record.pointee.cpu,
      sinceDispatch: record.pointee.runSinceDispatch)
  }

  /// What is the same of a core at the beginning of each round, where its thread is at work or not.
  func roundState(of index: CoreID, _ works: Bool) -> [Int64] {
    let core = cores[index]
    var state = [core.dispatched, core.unwatchedLength, core.quantumEnd, core.came]
    // How the work is rounded depends on all that goes on without a break, but at speed 1.
    let isRounded = core.speedNumerator != core.speedDenominator
    if isRounded && (works || isUnbroken) { state += [core.chainWork, core.chainStart - now] }
    guard works else { return state }
    state += [core.event == 0 ? 0 : 1, core.due - now, core.burst]
    state += [core.burstStart - now, core.burstEnd - now, core.chainStart + core.chainWork - now]
    // Of those that are done at one instant the one that began first comes first.
    state.append(
      Int64(
        cores.ids.count { other in
          !cores[other].thread.isNone && cores[other].due == core.due
            && cores[other].number < core.number
        }))
    return state
  }

  /// When the next event is that is no end of a burst on one of some cores; nil when there is none.
  mutating func nextEvent(besides spinning: [CoreID]) -> Int64? {
    let own = takeBursts(of: spinning)
    let next = queue.peek()?.time
    for event in own { queue.push(event) }
    return next
  }

  /// Takes the ends of the bursts of some cores off the front of the events, with those that nobody wants.
  private mutating func takeBursts(of spinning: [CoreID]) -> [ScheduledEvent] {
    var found: [ScheduledEvent] = []
    while let event = queue.peek() {
      let isCore =
        event.rawKind == DueKind.core.rawValue || event.rawKind == DueKind.quantum.rawValue
      if !isCore { break }
      let index = CoreID(event.index)
      let core = cores[index]
      if core.event == event.sequence && core.due == event.time {
        if !spinning.contains(index) { break }
        found.append(event)
      }
      queue.takeLeast()
    }
    return found
  }

  /// The threads of some cores go on as they did for `count` rounds more, each in `period`.
  mutating func repeatRounds(_ count: Int64, of period: Int64, _ changes: [CoreChange]) {
    demand(count > 0 && period > 0, "\(count) rounds of \(period)ns are passed over")
    let later = count * period
    let bursts = takeBursts(of: changes.map(\.core))
    advance(to: now + later)
    for var event in bursts {
      event.time += later
      cores.writable.at(CoreID(event.index)).pointee.due = event.time
      queue.push(event)
    }
    for change in changes {
      let core = cores.writable.at(change.core)
      let record = threads.writable.unchecked(core.pointee.thread)
      core.pointee.busy += count * change.busy
      core.pointee.overhead += count * change.overhead
      record.pointee.cpu += count * change.cpu
      record.pointee.runSinceDispatch += count * change.sinceDispatch
      core.pointee.burstStart += later
      core.pointee.burstEnd += later
      core.pointee.chainStart += later
    }
  }
}
