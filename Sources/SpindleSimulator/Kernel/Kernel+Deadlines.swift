import SpindleModel

/// What is kept of a real-time thread.
struct RealtimeRecord {
  /// What it asked for.
  var claim: RealtimeClaim
  /// When the job arrived that its next wake begins; -1 when that is the wake itself.
  var arrival: Int64 = -1
  /// When it has to wait again; -1 while it waits, or has not woken since it asked.
  var deadline: Int64 = -1
  /// Its own work before it woke.
  var workBefore: Int64 = 0
  /// Whether a missed deadline of it has been reported.
  var isReported = false
  /// How many times have ended, and how many of them too late.
  var jobs: Int64 = 0
  var missed: Int64 = 0
  /// The longest from an arrival to the end, and the most own work in between.
  var longest: Int64 = 0
  var mostWork: Int64 = 0
  /// Whether it waited for something else in a job, and whether it gave its core up there.
  var hasWaited = false
  var hasYielded = false
}

/// Real-time threads: their deadlines, whatever the policy makes of them.
///
/// A thread meets its deadline when it waits again, or ends, within its constraint after a wake.
extension Kernel {
  /// Makes a thread real-time, or with nil an ordinary one again; its priority is the caller's concern.
  mutating func setRealtime(_ thread: ThreadID, _ claim: RealtimeClaim?, by maker: ThreadID) {
    let wasRealtime = threads[thread].flags.contains(.realtime)
    if threads[thread].role != .jobs || wasRealtime { hasOtherRealtime = true }
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
  mutating func startRealtime(_ thread: ThreadID) {
    demand(realtime[thread] != nil, "thread \(thread.index) is real-time, and asked for nothing")
    recordRealtime(thread, by: .none)
    beginDeadline(thread)
  }

  private mutating func recordRealtime(_ thread: ThreadID, by maker: ThreadID) {
    let constraint = realtime[thread]?.claim.constraint ?? .zero
    let state = threads[thread].state
    var start: RealtimeStart = state == .created || state == .waiting ? .nextWake : .now
    if threads[thread].role == .jobs { start = .eachJob }
    record(
      .realtimeChanged, thread: thread, detail: start.rawValue, other: maker.index,
      value: constraint.rawValue)
  }

  /// A real-time thread wakes.
  mutating func beginDeadline(_ thread: ThreadID) {
    guard let record = realtime[thread] else { return }
    if threads[thread].role == .jobs && record.arrival < 0 { return }
    let arrival = record.arrival < 0 ? now : record.arrival
    let deadline = arrival.addingReportingOverflow(record.claim.constraint.rawValue)
    realtime[thread]?.arrival = -1
    realtime[thread]?.deadline = deadline.overflow ? Int64.max : deadline.partialValue
    realtime[thread]?.workBefore = threads[thread].cpu
    if policy.usesThreadAttributes {
      policy.jobBegins(
        thread, released: Instant(arrival),
        deadline: Instant(deadline.overflow ? Int64.max : deadline.partialValue), at: Instant(now))
    }
  }

  /// A real-time thread waits: notes how late it is, unless it waits within a job.
  @inline(never)
  mutating func pauseDeadline(_ thread: ThreadID, _ reason: WaitReason) {
    if threads[thread].role != .jobs || reason == .job { return judgeDeadline(thread) }
    realtime[thread]?.hasWaited = true
  }

  /// A real-time thread ends, or the run is cut off: notes how late it is.
  @inline(__always)
  mutating func endDeadline(_ thread: ThreadID, isCutOff: Bool = false) {
    if threads.writable.at(thread).pointee.flags.contains(.realtime) {
      judgeDeadline(thread, isCutOff: isCutOff)
    }
  }

  /// How long a core takes for work at speed 1, without a core the slowest one.
  func time(for work: Nanoseconds, on core: Int?) -> Int64 {
    if let core { return cores[CoreID(core)].time(for: work.rawValue) }
    var longest: Int64 = 0
    for core in cores.ids {
      longest = max(longest, cores[core].time(for: work.rawValue))
    }
    return longest
  }

  /// A thread that does jobs is started: it waits for the first one.
  mutating func awaitFirstJob(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    demand(
      record.pointee.state == .created, "thread \(thread.index) is started for the second time")
    if record.pointee.flags.contains(.realtime) { recordRealtime(thread, by: .none) }
    record.pointee.state = .waiting
    record.pointee.reason = .job
    record.pointee.since = now
  }

  /// A thread that waits, or is about to, has a job to do in this frame, which arrived then.
  mutating func beginJob(_ thread: ThreadID, _ frame: FrameIndex, arrival: Int64) {
    let record = threads.writable.at(thread)
    demand(
      record.pointee.state == .waiting && record.pointee.reason == .job,
      "thread \(thread.index) is \(record.pointee.state) and gets a job")
    record.pointee.frame = frame
    record.pointee.depth = 1
    record.pointee.flags.remove(.begun)
    realtime[thread]?.arrival = arrival
  }

  /// The present job of a ready thread ends where it is, at its deadline.
  mutating func dropJob(_ thread: ThreadID) {
    let record = threads.writable.at(thread)
    demand(
      record.pointee.state == .ready && record.pointee.frame.isNone,
      "thread \(thread.index) is \(record.pointee.state), in frame \(record.pointee.frame), and drops a job"
    )
    record.pointee.flags.insert(.begun)
    (record.pointee.work, record.pointee.overhead, record.pointee.phase) = (0, 0, 0)
    if record.pointee.flags.contains(.realtime) { judgeDeadline(thread, isDropped: true) }
  }

  @inline(never)
  private mutating func judgeDeadline(
    _ thread: ThreadID, isDropped: Bool = false, isCutOff: Bool = false
  ) {
    guard let timing = realtime[thread] else { return }
    demand(
      timing.deadline >= -1 && timing.claim.constraint >= .zero,
      "thread \(thread.index) has to wait again at \(timing.deadline)ns, in \(timing.claim.constraint)"
    )
    realtime[thread]?.deadline = -1
    let lateness = now - timing.deadline
    if timing.deadline >= 0 && (!isCutOff || lateness > 0) {
      noteJob(
        thread, timing, isLate: lateness > 0 || isDropped, hasEnded: !isCutOff,
        hadMore: isCutOff || isDropped)
    }
    if timing.deadline < 0 || lateness <= 0 && !isDropped { return }
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

  /// Notes how long a real-time thread took from its wake, or the arrival of a job, until it had done it; one
  /// that is dropped or cut off `hadMore` to do than it did.
  private mutating func noteJob(
    _ thread: ThreadID, _ timing: RealtimeRecord, isLate: Bool, hasEnded: Bool, hadMore: Bool
  ) {
    let arrival = timing.deadline - timing.claim.constraint.rawValue
    let worked = threads[thread].cpu - timing.workBefore
    assert(
      now >= arrival && worked >= 0,
      "thread \(thread.index) worked for \(worked)ns since \(arrival)ns")
    realtime[thread]?.jobs += hasEnded ? 1 : 0
    realtime[thread]?.missed += isLate ? 1 : 0
    realtime[thread]?.longest = max(timing.longest, now - arrival)
    realtime[thread]?.mostWork = max(timing.mostWork, worked + (hadMore ? 1 : 0))
  }
}
