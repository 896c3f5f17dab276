package import SpindleModel

/// What each thread and each core did from moment to moment, by the log alone; notes what can't be.
///
/// Time goes on; a thread is in one state at a time, and a core has one thread.
package final class ThreadLives: LogConsumer {
  private enum State { case ready, running, waiting, ended }

  private struct Life {
    var state = State.waiting
    var since: Int64
    let born: Int64
    var ready: Int64 = 0
    var running: Int64 = 0
    var waiting: Int64 = 0
  }

  private var lives: [Int32: Life] = [:]
  /// How long each core had a thread, while the machine was awake.
  package private(set) var taken: [Int64] = []
  /// How long each had none.
  package private(set) var idle: [Int64] = []
  package private(set) var violations: [String] = []
  /// The lives that are over: ready, running and waiting, and the whole.
  package private(set) var sums: [(ready: Int64, running: Int64, waiting: Int64, life: Int64)] = []
  private var cores: [Int32] = []
  private var readyCount = 0
  /// Whether the machine sleeps: whoever has a core keeps it, and nobody works.
  private var isAsleep = false
  /// Cores that may be idle while threads are ready, since not all of these are for them; nil for all cores.
  private let spared: Set<Int>?
  private var time: Int64 = 0

  /// Cores in `spared` may be idle while threads are ready; nil for all.
  package init(sparing spared: Set<Int>? = []) { self.spared = spared }

  package func begin(_ run: RunDescription) {
    cores = Array(repeating: -1, count: run.machine.cores.count)
    taken = Array(repeating: 0, count: cores.count)
    idle = taken
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      advance(to: entry.time)
      switch entry.event {
      case .threadCreated:
        lives[entry.thread] = Life(since: time, born: time)
      case .threadReady: become(.ready, entry)
      case .threadRuns:
        check(cores[Int(entry.core)] < 0, "a core with a thread gets another", entry)
        check(lives[entry.thread]?.state == .ready, "a thread runs that was not ready", entry)
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
  }

  package func end(_ record: RunRecord) { advance(to: record.end.nanoseconds) }

  private func check(_ condition: Bool, _ message: String, _ entry: LogEntry) {
    if !condition { violations.append("\(message): thread \(entry.thread) at \(entry.time)") }
  }

  private func advance(to now: Int64) {
    let passed = now - time
    if passed == 0 { return }
    if passed < 0 { violations.append("time goes back to \(now) from \(time)") }
    defer { time = now }
    if isAsleep { return }
    for core in cores.indices {
      if cores[core] < 0 { idle[core] += passed } else { taken[core] += passed }
    }
    guard let spared, readyCount > 0 && violations.count < 10 else { return }
    if cores.indices.contains(where: { cores[$0] < 0 && !spared.contains($0) }) {
      violations.append("\(readyCount) are ready and a core is idle from \(time) to \(now)")
    }
  }

  private func leave(_ entry: LogEntry) {
    let core = cores.firstIndex(of: entry.thread)
    check(core != nil, "a thread leaves a core it has not", entry)
    if let core { cores[core] = -1 }
  }

  private func become(_ state: State, _ entry: LogEntry) {
    guard var life = lives[entry.thread] else {
      return check(false, "a thread that was not made", entry)
    }
    if life.state == state && state != .ended { return }
    let passed = time - life.since
    switch life.state {
    case .ready:
      life.ready += passed
      readyCount -= 1
    case .running: life.running += passed
    case .waiting: life.waiting += passed
    case .ended: check(false, "a thread that has ended", entry)
    }
    (life.state, life.since) = (state, time)
    if state == .ready { readyCount += 1 }
    lives[entry.thread] = life
    if state == .ended {
      sums.append((life.ready, life.running, life.waiting, time - life.born))
    }
  }
}
