import SpindleModel

/// A thread that does one job after the other, each released by time or by others.
struct JobThread {
  /// What it does in each job.
  var handler: Handler
  /// What its jobs are called, and of which kind of work they are.
  let name: Int32
  let kind: Int32
  /// Where it was made.
  let place: Int32
  /// From one arrival to the next, at least where others release its jobs.
  let period: Int64
  /// From an arrival until the job has to be done.
  let deadline: Int64
  /// By how much the release of a job is later than its arrival, at most.
  let jitter: Int64
  /// What becomes of jobs when one is late.
  let late: LateJob
  /// Whether others release its jobs.
  let isSporadic: Bool
  /// How many arrivals are still to come.
  var left: Int64
  /// When the first comes after the start; then when the next one comes, or could.
  var next: Int64
  /// The number of that one.
  var number: Int64 = 0
  /// The item that is its present job; -1 while it has none.
  var item: Int32 = -1
  /// The plan that drops that job; -1 for none.
  var drop = Plan.Index.none
  /// Jobs that arrive and are yet to be released, in that order.
  var coming = FIFOQueue<ReleasedJob>()
  /// Jobs that have been released, and not begun.
  var released = FIFOQueue<ReleasedJob>()

  /// Whether no job is to come any more, beside its present one.
  var isOver: Bool { left == 0 && released.isEmpty && coming.isEmpty }
}

/// A job that waits for the one before it.
struct ReleasedJob: BitwiseCopyable {
  /// When it arrived, from which its deadline counts.
  let arrival: Int64
  /// When it was released.
  let release: Int64
  /// Which one of its thread's.
  let number: Int64
  /// Its number among all items.
  let item: Int32
  /// The plan that releases it, as long as it is to come.
  var plan = Plan.Index.none
}

/// What becomes of jobs when one is not done in time.
enum LateJob: String {
  /// It goes on, and those that come meanwhile stand behind it.
  case goOn
  /// It ends at its deadline.
  case drop
  /// It goes on, and those that come meanwhile are left out.
  case skip
}

/// What is planned for threads that do jobs.
enum ThreadPlan: UInt8, RoomPlan {
  /// A job is released.
  case jobRelease
  /// A job has to be done.
  case jobDeadline

  static var owner: PlanOwner { .threads }
}

extension PlanKind {
  static var jobRelease: PlanKind { ThreadPlan.jobRelease.kind }
  static var jobDeadline: PlanKind { ThreadPlan.jobDeadline.kind }
}

/// Threads that do jobs: arrivals, releases and ends.
extension ThreadRuntime {
  /// `Thread(period:computation:…)` and `Thread(separation:computation:…)`.
  mutating func makeJobThread(_ call: Call, _ process: inout Process) -> CallResult {
    let given = JobThreadArguments(call, process)
    if let fault = given.fault(call, process) {
      return process.crash("Fatal error: \(fault)", call)
    }
    guard let handler = process.handler(JobThreadArguments.closure, call) else {
      fatalError("a thread is made for jobs, and does nothing in them")
    }
    var record = ThreadRecord()
    record.name = given.name.map { Int32(truncatingIfNeeded: $0) } ?? -1
    record.role = .jobs
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    record.flags = given.isJoinable ? [.named, .joinable] : [.named]
    record.stackSize = process.kernel.machine.threadStack.rawValue
    record.basePriority = Int16(ThreadClaim.realtimePriority)
    numberIfNameless(&record, &process)
    record.overhead = process.kernel.costs.threadStart.rawValue
    let thread = process.kernel.createThread { $0.pointee = record }
    process.kernel.setRealtime(thread, given.claim, by: call.thread)
    process.kernel.claimChanged(thread)
    demand(jobs[thread] == nil, "thread \(thread.index) does jobs before it is made")
    jobs[thread] = JobThread(
      handler: handler, name: record.name, kind: given.workKind, place: record.madeAt,
      period: given.claim.period.rawValue, deadline: given.claim.constraint.rawValue,
      jitter: given.jitter, late: given.late, isSporadic: given.isSporadic,
      left: given.count ?? Int64.max, next: given.offset)
    process.give(process.handle(thread), call)
    return .next
  }

  /// A thread that does jobs has been started: the first one arrives by the clock.
  mutating func startJobs(_ thread: ThreadID, _ process: inout Process) {
    guard let job = jobs[thread] else {
      fatalError("thread \(thread.index) is started and has no jobs")
    }
    let (first, overflow) = process.kernel.now.addingReportingOverflow(job.next)
    jobs[thread]?.next = job.isSporadic ? process.kernel.now : overflow ? Int64.max : first
    if !job.isSporadic { planRelease(thread, &process) }
    endWhenOver(thread, &process)
  }

  /// A thread that waits for a job ends when none can come: it was to do none, or the last one was left out.
  private mutating func endWhenOver(_ thread: ThreadID, _ process: inout Process) {
    guard let job = jobs[thread], job.isOver else { return }
    demand(job.item < 0, "thread \(thread.index) waits for a job and is at one")
    process.kernel.threads.at(thread).insert(.begun)
    process.kernel.wake(thread, .timedOut, by: .none)
  }

  /// `releaseJob()`: a job arrives, at the earliest so long after the one before.
  mutating func releaseJob(_ call: Call, _ process: inout Process) -> CallResult {
    guard let thread = process.resolve(process.argument(0, call)), let job = jobs[thread],
      job.isSporadic, process.kernel.threads[thread].state != .created
    else {
      return process.crash(
        "Fatal error: releaseJob() is for a thread with a separation that has been started", call)
    }
    jobs[thread]?.next = max(job.next, process.kernel.now)
    planRelease(thread, &process)
    return .next
  }

  /// Plans the release of the job that arrives next, and settles when the one behind it can.
  private mutating func planRelease(_ thread: ThreadID, _ process: inout Process) {
    guard let job = jobs[thread], job.left > 0, job.next < Int64.max,
      !process.kernel.threads[thread].flags.contains(.cancelled)
    else { return }
    let key = RandomStreams.key(job.handler.key, salt: 1, ordinal: job.number)
    let drawn = key.multipliedFullWidth(by: UInt64(job.jitter) + 1).high
    let (time, overflow) = job.next.addingReportingOverflow(Int64(drawn))
    let (after, isEndless) = job.next.addingReportingOverflow(job.period)
    assert(job.period > 0, "the jobs of thread \(thread.index) arrive all at once")
    jobs[thread]?.left -= job.left == Int64.max ? 0 : 1
    jobs[thread]?.number += 1
    jobs[thread]?.next = isEndless ? Int64.max : after
    var release = ReleasedJob(
      arrival: job.next, release: overflow ? Int64.max : time, number: job.number, item: -1)
    process.kernel.storage.change(.plans, by: 1, bytesEach: MemoryLayout<ReleasedJob>.stride)
    release.plan = process.kernel.plan(
      .jobRelease, thread.index, at: release.release, isWorld: true)
    jobs[thread]?.coming.append(release)
  }

  /// `cancel()`: no more jobs come, and a thread that waits for one ends.
  ///
  /// Those that have been released are still done.
  mutating func cancelJobs(_ thread: ThreadID, by other: ThreadID, _ process: inout Process) {
    while let coming = jobs[thread]?.coming.popFirst() {
      process.kernel.cancel(plan: coming.plan)
      process.kernel.storage.change(.plans, by: -1, bytesEach: MemoryLayout<ReleasedJob>.stride)
    }
    jobs[thread]?.left = 0
    let record = process.kernel.threads.at(thread)
    if record.pointee.state != .waiting || record.pointee.reason != .job { return }
    demand(jobs[thread]?.item ?? -1 < 0, "thread \(thread.index) waits for a job and is at one")
    record.insert(.begun)
    process.kernel.wake(thread, .timedOut, by: other)
  }

  /// A job is released.
  mutating func jobIsReleased(_ thread: ThreadID, _ process: inout Process) {
    guard let coming = jobs[thread]?.coming.popFirst(), let job = jobs[thread] else {
      fatalError("thread \(thread.index) gets a job and none was to come")
    }
    demand(
      coming.release == process.kernel.now,
      "job \(coming.number) of thread \(thread.index) comes late")
    if !job.isSporadic { planRelease(thread, &process) }
    let item = process.kernel.nextItem()
    process.kernel.record(
      .itemSubmitted, thread: .none, object: job.name, subject: job.kind, place: job.place,
      value: Submission.value(item: item))
    let isBusy = job.item >= 0 || !job.released.isEmpty
    let released = ReleasedJob(
      arrival: coming.arrival, release: coming.release, number: coming.number, item: item)
    if isBusy && job.late == .skip {
      process.kernel.storage.change(.plans, by: -1, bytesEach: MemoryLayout<ReleasedJob>.stride)
      return leaveOut(released, of: thread, &process)
    }
    jobs[thread]?.released.append(released)
    if !isBusy && process.kernel.threads[thread].state == .waiting {
      goOn(thread, &process)
    }
  }

  /// A thread waits for a job, and does the next one, if there is one.
  private mutating func goOn(_ thread: ThreadID, _ process: inout Process) {
    if beginJob(thread, &process) {
      process.kernel.wake(thread, .granted, by: .none)
    } else {
      endWhenOver(thread, &process)
    }
  }

  private func leaveOut(_ job: ReleasedJob, of thread: ThreadID, _ process: inout Process) {
    guard let owner = jobs[thread] else { return }
    process.kernel.record(
      .itemSkipped, thread: thread, detail: ItemFlags.isLeftOut.rawValue, object: owner.name,
      other: job.item, subject: owner.kind, value: process.kernel.now - job.release)
  }

  /// Lets a thread that waits, or is about to, do the job that was released first; whether there is one.
  private mutating func beginJob(_ thread: ThreadID, _ process: inout Process) -> Bool {
    while let job = jobs[thread]?.released.popFirst(), var owner = jobs[thread] {
      process.kernel.storage.change(.plans, by: -1, bytesEach: MemoryLayout<ReleasedJob>.stride)
      let (deadline, overflow) = job.arrival.addingReportingOverflow(owner.deadline)
      if owner.late == .drop && !overflow && deadline <= process.kernel.now {
        leaveOut(job, of: thread, &process)
        continue
      }
      demand(owner.item < 0, "thread \(thread.index) begins a job and is at another one")
      owner.handler.runs = job.number
      let frame = process.activate(&owner.handler, parent: .none, argument: job.number)
      process.kernel.beginJob(thread, frame, arrival: job.arrival)
      process.kernel.threads.at(thread).setItem(
        name: owner.name, kind: owner.kind, group: -1, number: job.item, submitted: job.release)
      jobs[thread]?.item = job.item
      if owner.late == .drop && !overflow {
        jobs[thread]?.drop = process.kernel.plan(.jobDeadline, thread.index, at: deadline)
      }
      return true
    }
    return false
  }

  /// The code of a job has ended on its thread; whether that goes on, or has waited since, else it ends.
  mutating func endJob(_ thread: ThreadID, _ process: inout Process) -> Bool {
    guard let job = jobs[thread] else {
      fatalError("thread \(thread.index) ends a job and has none")
    }
    if job.item < 0 {
      demand(job.left == 0, "thread \(thread.index) ends a job that it has not begun")
      return false
    }
    if !job.drop.isNone { process.kernel.cancel(plan: job.drop) }
    jobs[thread]?.item = -1
    jobs[thread]?.drop = .none
    if job.isOver { return false }
    process.kernel.block(thread, .job)
    goOn(thread, &process)
    return true
  }

  /// The deadline of a thread's present job has come: its plan is gone.
  mutating func deadlineHasCome(_ thread: ThreadID) {
    demand(
      jobs[thread]?.drop.isNone == false, "thread \(thread.index) has no job that is dropped now")
    jobs[thread]?.drop = .none
  }
}
