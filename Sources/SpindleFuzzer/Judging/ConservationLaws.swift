import SpindleModel

/// Holds a run's log against what is conserved in every run, and notes what is not.
///
/// Time goes on; a thread is in one state at a time, and a core has one thread; the time of cores is the time of their
/// threads, work and costs; an item is submitted, begins and ends once; what is there over time is how long each was there
/// (Little's law, in integers); a lock has one owner, or readers; a semaphore lets no more pass than it was given; a group
/// is left as often as it was entered.
final class ConservationLaws: LogConsumer {
  /// What does not hold.
  var violations: [String] { lives.violations + broken }
  private var broken: [String] = []
  /// A core may be idle while a thread is ready: it may have a line of its own.
  private let lives = ThreadLives(sparing: nil)
  private var time: Int64 = 0
  /// Items that were submitted and have not begun, that have begun, and over time.
  private var present: Int64 = 0
  private var area = (all: Int64(0), told: Int64(0))
  /// By number: who has a lock, and how often; what a semaphore may still let pass; who is in a group.
  private var holders: [Int32: [Int32: Int]] = [:]
  private var passes: [Int32: Int64] = [:]
  private var members: [Int32: Int64] = [:]

  func begin(_ run: RunDescription) { lives.begin(run) }

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    lives.receive(entries)
    for entry in entries {
      advance(to: entry.time)
      object(entry)
      item(entry)
    }
  }

  func end(_ record: RunRecord) {
    advance(to: record.end.nanoseconds)
    lives.end(record)
    for (core, taken) in lives.taken.enumerated() {
      let use = record.cores[core]
      let used = use.busy.rawValue + use.overhead.rawValue
      check(used == taken, "core \(core) worked \(used)ns and had threads for \(taken)ns")
    }
  }

  private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { broken.append("at \(time)ns: \(message())") }
  }

  private func advance(to now: Int64) {
    area.all += present * (now - time)
    time = now
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
