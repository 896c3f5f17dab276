import SpindleModel

/// Where new threads begin, on a machine whose scheduler has a line of threads at each core.
///
/// A new thread stands in the line of the core that its maker runs on, though another core may be idle: it
/// runs there when that thread waits or ends. An idle core takes it when the scheduler balances the
/// lines, which `CostProfile.spread` says how long takes. Source: Linux, kernel/sched/fair.c,
/// select_task_rq_fair and sched_balance_rq; that new threads stay is measured: ten that compute for 1 ms
/// each end after 6.9 ms on two cores, of which one is idle for 3.6 ms.
///
/// Departure: threads that are woken do not stand in line, but go to any idle core at once.
extension Kernel {
  /// Lets a thread that is started stand in the line of its maker's core; false where it need not.
  @inline(never)
  mutating func standsInLine(_ thread: Int32, behind maker: Int32) -> Bool {
    let core = threads[maker].core
    let record = threads.writable.at(thread)
    if core < 0 || readyCount >= idleCount || record.pointee.flags.contains(.realtime) {
      return false
    }
    assert(!record.pointee.flags.contains(.inLine), "thread \(thread) stands in a line twice")
    record.pointee.state = .waiting
    record.pointee.reason = .sleep
    record.pointee.since = now
    record.pointee.lastCore = core
    record.pointee.flags.insert(.inLine)
    record.pointee.timer = schedule(
      .threadTimer, index: thread, at: min(now, Self.latestLimit) + costs.spread.rawValue)
    cores.writable.at(Int32(core)).pointee.line.append(thread, in: threads.writable)
    return true
  }

  /// The thread that a core ran has left it: the first of its line may have it.
  @inline(never)
  mutating func callFirstInLine(of core: Int32) {
    let first = cores.writable.at(core).pointee.line.head
    demand(first >= 0, "nobody stands in the line of core \(core)")
    leaveLine(first)
    makeReady(first, .started, by: -1)
  }

  /// A thread has stood in line for so long that any idle core may have it.
  mutating func lineIsBalanced(_ thread: Int32) {
    leaveLine(thread)
    threads.writable[thread].lastCore = -1
    makeReady(thread, .started, by: -1)
  }

  /// A thread stands in no line any more.
  mutating func leaveLine(_ thread: Int32) {
    let record = threads.writable.at(thread)
    demand(record.pointee.flags.contains(.inLine), "thread \(thread) stands in no line")
    record.pointee.flags.remove(.inLine)
    record.pointee.timer = 0
    cores.writable.at(Int32(record.pointee.lastCore)).pointee.line.remove(
      thread, in: threads.writable)
  }
}
