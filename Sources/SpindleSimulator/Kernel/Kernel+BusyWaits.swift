import SpindleModel

/// What a thread and its core have used up.
struct CoreUse: Equatable {
  var busy: Int64 = 0
  var overhead: Int64 = 0
  var cpu: Int64 = 0
  var sinceDispatch: Int64 = 0

  static func - (left: CoreUse, right: CoreUse) -> CoreUse {
    CoreUse(
      busy: left.busy - right.busy, overhead: left.overhead - right.overhead,
      cpu: left.cpu - right.cpu, sinceDispatch: left.sinceDispatch - right.sinceDispatch)
  }
}

/// Rounds of a loop that waits for something, of which one is like the other.
extension Kernel {
  /// What a thread and its core have used up until now.
  func use(of thread: Int32, on core: Int32) -> CoreUse {
    let (record, core) = (threads.at(thread), cores.writable.at(core))
    return CoreUse(
      busy: core.pointee.busy, overhead: core.pointee.overhead, cpu: record.pointee.cpu,
      sinceDispatch: record.pointee.runSinceDispatch)
  }

  /// A running thread has gone round a loop `count` times more, each in `period`, and used the same each time.
  mutating func repeatRounds(
    _ count: Int64, of period: Int64, _ thread: Int32, on core: Int32, _ use: CoreUse
  ) {
    demand(count > 0 && period > 0, "\(count) rounds of \(period)ns are passed over")
    let (record, core) = (threads.writable.unchecked(thread), cores.writable.at(core))
    core.pointee.busy += count * use.busy
    core.pointee.overhead += count * use.overhead
    record.pointee.cpu += count * use.cpu
    record.pointee.runSinceDispatch += count * use.sinceDispatch
    advance(to: now + count * period)
  }
}
