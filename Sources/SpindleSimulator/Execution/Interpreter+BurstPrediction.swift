import SpindleModel

/// Telling a policy that knows the future how much work is ahead of threads.
///
/// Such a policy gets a ready thread only at the end of its instant, when it is known what the thread will do,
/// and before it is asked who gives way also what is ahead of those that run.
extension Interpreter {
  /// Tells the policy what it must know; false when that is not known, which ends the run.
  @inline(never)
  mutating func foretell() -> Bool {
    while let thread = process.kernel.policy.nextArrival {
      let record = process.kernel.threads[thread]
      guard let work = workAhead(of: thread, left: record.work) else { return false }
      process.kernel.takeInArrival(work)
    }
    if !process.kernel.policy.needsWorkOfRunning || !process.kernel.mayTakeCore { return true }
    for core in process.kernel.cores.ids {
      let thread = process.kernel.cores[core].thread
      if thread.isNone { continue }
      guard let work = workAhead(of: thread, left: process.kernel.workLeft(on: core)) else {
        return false
      }
      process.kernel.tellWorkAhead(work, on: core)
    }
    return true
  }

  /// The work of a thread until it next may wait, when this much is left of what it is at; nil when
  /// that can't be known.
  private mutating func workAhead(of thread: ThreadID, left: Int64) -> Int64? {
    assert(left >= 0, "thread \(thread.index) has \(left) ns of work left")
    let record = process.kernel.threads[thread]
    if record.frame == .none && !record.role.servesQueues { return left }
    let isCode =
      record.frame.raw < -1 || (!record.frame.isNone && !process.frames.isNative(record.frame))
    if !isCode {
      refuse(thread, at: record.place, "that depends on what it will be given to do")
      return nil
    }
    var prediction = BurstPrediction(work: left)
    var steps = process.lookaheadLeft
    let end = prediction.look(
      from: record.frame, pastCall: isPastCall(record), longest: longestBurst, steps: &steps, self)
    process.lookaheadLeft = max(0, steps)
    assert(prediction.work >= left, "looking ahead, thread \(thread.index) has less to do than now")
    switch end {
    case .burst, .endless: return prediction.work
    case .unknown:
      refuse(
        thread, at: prediction.place,
        "here that depends on a shared variable, the time or the result of a call")
    case .steps: _ = stepsAreOver(Int(prediction.place))
    }
    return nil
  }

  /// More than the fastest core can do until the run ends.
  private var longestBurst: Int64 {
    let horizon = process.program.until ?? process.limits.horizon
    let fastest = process.kernel.cores[process.kernel.coreOrder[0]]
    return fastest.work(in: max(0, horizon.nanoseconds - process.kernel.now))
  }

  /// Whether the thread stands at a call that has had its effect: it has waited in it, or worked.
  private func isPastCall(_ record: ThreadRecord) -> Bool {
    guard !record.frame.isNone, record.phase != 0,
      case .perform(let primitive, _, _) = process.code[Int(process.frames.counter(record.frame))]
    else { return false }
    if case .doing(.work) = primitive { return record.phase == 2 }
    return record.wakeResult != .none
  }

  private mutating func refuse(_ thread: ThreadID, at place: Int32, _ reason: String) {
    process.refuse(
      FindingText.unknownBurst(
        policy: process.kernel.policy.name, process.kernel.name(of: thread), reason
      ).text, at: place)
  }
}
