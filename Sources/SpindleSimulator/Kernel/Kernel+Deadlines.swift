import SpindleModel

/// What is kept of a real-time thread.
struct RealtimeRecord {
  /// What it asked for.
  var claim: RealtimeClaim
  /// When it has to wait again; -1 while it waits, or has not woken since it asked.
  var deadline: Int64 = -1
  /// Its own work before it woke.
  var workBefore: Int64 = 0
  /// Whether a missed deadline of it has been reported.
  var isReported = false
}

/// Real-time threads: their deadlines, whatever the policy makes of them.
///
/// A thread meets its deadline when it waits again, or ends, within its constraint after a wake.
extension Kernel {
  /// Makes a thread real-time, or with nil an ordinary one again; its priority is the caller's concern.
  mutating func setRealtime(_ thread: Int32, _ claim: RealtimeClaim?, by maker: Int32) {
    let wasRealtime = threads[thread].flags.contains(.realtime)
    if let claim {
      var record = realtime[thread] ?? RealtimeRecord(claim: claim)
      (record.claim, record.deadline) = (claim, -1)
      realtime[thread] = record
      threads.writable[thread].flags.insert(.realtime)
    } else {
      if !wasRealtime { return }
      realtime[thread] = nil
      threads.writable[thread].flags.remove(.realtime)
    }
    if threads[thread].state != .created { recordRealtime(thread, by: maker) }
  }

  /// A real-time thread is started: its first time runs.
  mutating func startRealtime(_ thread: Int32) {
    demand(realtime[thread] != nil, "thread \(thread) is real-time, and asked for nothing")
    recordRealtime(thread, by: -1)
    beginDeadline(thread)
  }

  private mutating func recordRealtime(_ thread: Int32, by maker: Int32) {
    let constraint = realtime[thread]?.claim.constraint ?? .zero
    let state = threads[thread].state
    let start: RealtimeStart = state == .created || state == .waiting ? .nextWake : .now
    record(
      .realtimeChanged, thread: thread, detail: start.rawValue, other: maker,
      value: constraint.rawValue)
  }

  /// A real-time thread wakes.
  mutating func beginDeadline(_ thread: Int32) {
    guard let claim = realtime[thread]?.claim else { return }
    let deadline = now.addingReportingOverflow(claim.constraint.rawValue)
    realtime[thread]?.deadline = deadline.overflow ? Int64.max : deadline.partialValue
    realtime[thread]?.workBefore = threads[thread].cpu
  }

  /// A real-time thread waits or ends, or the run is cut off: notes how late it is.
  @inline(__always)
  mutating func endDeadline(_ thread: Int32) {
    if threads.writable.at(thread).pointee.flags.contains(.realtime) { judgeDeadline(thread) }
  }

  @inline(never)
  private mutating func judgeDeadline(_ thread: Int32) {
    guard let timing = realtime[thread] else { return }
    demand(
      timing.deadline >= -1 && timing.claim.constraint >= .zero,
      "thread \(thread) has to wait again at \(timing.deadline)ns, in \(timing.claim.constraint)")
    realtime[thread]?.deadline = -1
    let lateness = now - timing.deadline
    if timing.deadline < 0 || lateness <= 0 { return }
    record(
      .deadlineMissed, thread: thread, place: threads[thread].place, value: lateness)
    if timing.isReported { return }
    realtime[thread]?.isReported = true
    let constraint = timing.claim.constraint
    let worked = Nanoseconds(threads[thread].cpu - timing.workBefore)
    let rest = constraint + Nanoseconds(lateness) - worked
    let woken = Instant(timing.deadline - constraint.rawValue)
    report(
      .deadlineMissed, thread: thread, places: [threads[thread].place, threads[thread].madeAt],
      FindingText.deadlineMissed(
        name(of: thread), woken: woken, constraint: constraint, late: Nanoseconds(lateness),
        worked: worked, rest: rest))
  }
}
