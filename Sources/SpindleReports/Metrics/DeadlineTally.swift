import SpindleModel

/// The deadlines of real-time threads.
struct DeadlineTally {
  private var deadlines = DeadlineMetrics()
  private var threads: ContiguousArray<ThreadState> = []

  private struct ThreadState {
    var isRealtime = false
    /// Whether it has a deadline from its next wake-up on.
    var awaitsWake = false
    /// Whether it has a deadline for each job, however often it waits in one.
    var doesJobs = false
  }

  /// Whether there has been a real-time thread; before that there is nothing to report.
  private(set) var isUsed = false

  /// The numbers; nil when no thread was real-time.
  var result: DeadlineMetrics? { isUsed ? deadlines : nil }

  /// The thread in `slot` is a new one.
  mutating func threadCreated(_ slot: Int) {
    if slot < threads.count { threads[slot] = ThreadState() }
  }

  /// A thread became real-time, or ordinary again.
  mutating func changed(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= threads.count { threads.append(ThreadState()) }
    if entry.value > 0 && !threads[slot].isRealtime { deadlines.threads += 1 }
    threads[slot] = ThreadState(
      isRealtime: entry.value > 0,
      awaitsWake: entry.detail != RealtimeStart.now.rawValue,
      doesJobs: entry.detail == RealtimeStart.eachJob.rawValue)
    isUsed = true
  }

  /// A thread becomes runnable.
  mutating func ready(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < threads.count, threads[slot].isRealtime, threads[slot].awaitsWake
    else { return }
    threads[slot].awaitsWake = false
    deadlines.count += 1
  }

  /// A thread begins to wait.
  mutating func blocked(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < threads.count else { return }
    if threads[slot].doesJobs && entry.detail != WaitReason.job.rawValue { return }
    threads[slot].awaitsWake = true
  }

  /// A deadline was missed.
  mutating func missed(_ entry: LogEntry) {
    deadlines.missed += 1
    deadlines.greatestLateness = Swift.max(
      deadlines.greatestLateness, Nanoseconds(entry.value))
    isUsed = true
  }
}
