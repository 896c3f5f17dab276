import SpindleModel

/// Holds a run's log against what is conserved in every run, and notes what is not.
///
/// Time goes on; a thread is in one state at a time, and a core has one thread; the time of cores is the time of their
/// threads, work and costs; an item is submitted, begins and ends once; what is there over time is how long each was there
/// (Little's law, in integers); a lock has one owner, or readers; a semaphore lets no more pass than it was given; a group
/// is left as often as it was entered.
final class ConservationLaws: LogConsumer {
  private enum State { case ready, running, waiting, ended }

  private(set) var violations: [String] = []
  private var time: Int64 = 0
  private var states: [Int32: State] = [:]
  /// The thread of each core, and how long it had one.
  private var cores: [Int32] = []
  private var taken: [Int64] = []
  /// Whether the machine sleeps: whoever has a core keeps it, and nobody works.
  private var isAsleep = false
  /// Items that were submitted and have not begun, that have begun, and over time.
  private var present: Int64 = 0
  private var area = (all: Int64(0), told: Int64(0))
  /// By number: who has a lock, and how often; what a semaphore may still let pass; who is in a group.
  private var holders: [Int32: [Int32: Int]] = [:]
  private var passes: [Int32: Int64] = [:]
  private var members: [Int32: Int64] = [:]

  func begin(_ run: RunDescription) {
    cores = Array(repeating: -1, count: run.machine.cores.count)
    taken = Array(repeating: 0, count: cores.count)
  }

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      advance(to: entry.time)
      thread(entry)
      object(entry)
      item(entry)
    }
  }

  func end(_ record: RunRecord) {
    advance(to: record.end.nanoseconds)
    for (core, use) in record.cores.enumerated() where core < taken.count {
      let used = use.busy.rawValue + use.overhead.rawValue
      check(
        used == taken[core], "core \(core) worked \(used)ns and had threads for \(taken[core])ns")
    }
  }

  private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { violations.append("at \(time)ns: \(message())") }
  }

  private func advance(to now: Int64) {
    check(now >= time, "time goes back to \(now)ns")
    let passed = now - time
    for core in cores.indices where cores[core] >= 0 && !isAsleep { taken[core] += passed }
    area.all += present * passed
    time = now
  }

  // MARK: Threads and cores

  private func thread(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated: states[entry.thread] = .waiting
    case .threadReady: become(.ready, entry)
    case .threadRuns:
      check(cores[Int(entry.core)] < 0, "core \(entry.core) has a thread and gets another")
      check(states[entry.thread] == .ready, "thread \(entry.thread) runs and was not ready")
      cores[Int(entry.core)] = entry.thread
      become(.running, entry)
    case .threadPreempted:
      leave(entry)
      become(.ready, entry)
    case .threadBlocked:
      leave(entry)
      become(.waiting, entry)
    case .machineSlept: isAsleep = true
    case .machineWoke: isAsleep = false
    case .threadEnded, .threadKilled:
      if entry.core >= 0 { leave(entry) }
      become(.ended, entry)
    default: break
    }
  }

  private func leave(_ entry: LogEntry) {
    let core = cores.firstIndex(of: entry.thread)
    check(core != nil, "thread \(entry.thread) leaves a core and has none")
    if let core { cores[core] = -1 }
  }

  private func become(_ state: State, _ entry: LogEntry) {
    check(states[entry.thread] != nil, "thread \(entry.thread) was not made")
    check(states[entry.thread] != .ended, "thread \(entry.thread) has ended")
    states[entry.thread] = state
  }

  // MARK: Items

  private func item(_ entry: LogEntry) {
    switch entry.event {
    case .itemSubmitted: present += 1
    case .itemEnded, .itemSkipped:
      present -= 1
      area.told += entry.value
      check(present >= 0, "more items end than were submitted")
      if present == 0 {
        check(area.all == area.told, "items were there for \(area.all)ns and say \(area.told)ns")
        area = (0, 0)
      }
    default: break
    }
  }

  // MARK: Locks, semaphores, groups

  private func object(_ entry: LogEntry) {
    let number = entry.subject
    switch entry.event {
    case .lockAcquired:
      let others = holders[number, default: [:]].filter { $0.key != entry.thread && $0.value > 0 }
      check(
        others.isEmpty || entry.detail == LockSharing.shared.rawValue,
        "thread \(entry.thread) has lock \(number), and so have \(others.keys.sorted())")
      holders[number, default: [:]][entry.thread, default: 0] += 1
    case .lockReleased:
      holders[number, default: [:]][entry.thread, default: 0] -= 1
      check(
        holders[number, default: [:]][entry.thread, default: 0] >= 0,
        "thread \(entry.thread) gives lock \(number) back and has not got it")
    case .objectMade where entry.detail == HandleClass.semaphore.rawValue:
      passes[entry.other] = entry.value
    case .semaphoreSignalled: passes[number, default: 0] += 1
    case .semaphorePassed:
      passes[number, default: 0] -= 1
      check(passes[number, default: 0] >= 0, "semaphore \(number) lets more pass than it was given")
    case .groupEntered:
      members[number, default: 0] += 1
      check(members[number] == entry.value, "group \(number) counts \(entry.value)")
    case .groupLeft:
      members[number, default: 0] -= 1
      check(members[number] == entry.value, "group \(number) counts \(entry.value)")
    default: break
    }
  }
}
