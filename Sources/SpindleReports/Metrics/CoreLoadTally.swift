package import SpindleModel

/// How much work from outside asks of each kind of core.
package struct CoreLoad: Hashable, Sendable {
  /// The cluster of these cores.
  package var cluster: CoreDescription.Cluster
  /// Their speed.
  package var speed: Speed
  /// How many there are.
  package var cores: Int
  /// How many the work asks for on average: its rate times how long each item runs on these.
  package var offered: Double
}

/// Counts for how long the items of each kind of work run on each kind of core.
///
/// Only machines with several kinds of cores have one: the others pay nothing for it.
struct CoreLoadTally {
  private let kinds: [CoreKind]
  /// By core: the number of its kind.
  private let kindOfCore: [Int]
  /// By the slot of a thread.
  private var threads: [Runner] = []
  /// The items that have begun and not ended, and those that are free again.
  private var items: [Item] = []
  private var free: [Int] = []
  /// The tasks among them by number, since they leave their threads.
  private var tasks: [Int32: Int] = [:]
  /// By kind of work: what its items have run that have ended.
  private var served: [Served] = []

  /// What a thread runs.
  private struct Runner {
    /// The kind of its core, and since when it has that; -1 for none.
    var core = -1
    var since: Int64 = 0
    /// Its innermost item; -1 for none.
    var item = -1
  }

  /// An item that has begun.
  private struct Item {
    /// The kind of work.
    var kind: Int32
    /// The item that it interrupts on its thread; -1 for none.
    var below: Int
    /// How long it has run on each kind of core.
    var times: [Int64]
  }

  private struct Served {
    var count: Int64 = 0
    var times: [Int64]
  }

  /// Creates a tally for a machine; nil where all cores are of one kind.
  init?(_ cores: [CoreDescription]) {
    kinds = CoreKind.all(cores)
    if kinds.count < 2 { return nil }
    var kindOfCore = Array(repeating: 0, count: cores.count)
    for (number, kind) in kinds.enumerated() {
      for core in kind.cores { kindOfCore[core] = number }
    }
    self.kindOfCore = kindOfCore
  }

  /// Forgets what has ended.
  mutating func restart() { served = [] }

  /// Processes the next entries.
  mutating func receive(_ chunk: UnsafeBufferPointer<LogEntry>) {
    for entry in chunk { receive(entry) }
  }

  private mutating func receive(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    if entry.event == .roundsRepeated { return skip(to: entry.time) }
    guard slot >= 0 else { return }
    while slot >= threads.count { threads.append(Runner()) }
    let flags = ItemFlags(rawValue: entry.detail)
    switch entry.event {
    case .threadRuns:
      let core = Int(entry.core)
      threads[slot].core = kindOfCore.indices.contains(core) ? kindOfCore[core] : -1
      threads[slot].since = entry.time
    case .threadBlocked, .threadPreempted:
      charge(slot, to: entry.time)
      threads[slot].core = -1
    case .threadCreated: threads[slot] = Runner()
    case .threadEnded, .threadKilled:
      charge(slot, to: entry.time)
      threads[slot] = Runner()
    case .itemStarted:
      if flags.contains(.needsNoThread) && !flags.contains(.isTask) { return }
      charge(slot, to: entry.time)
      let item = open(entry.subject)
      if flags.contains(.isTask) { tasks[entry.other] = item }
      begin(item, on: slot)
    case .taskResumed:
      charge(slot, to: entry.time)
      if let item = tasks[entry.other] { begin(item, on: slot) }
    case .taskSuspended:
      charge(slot, to: entry.time)
      if let item = tasks[entry.other] { leave(item, on: slot) }
    case .itemEnded:
      if flags.contains(.needsNoThread) && !flags.contains(.isTask) { return }
      charge(slot, to: entry.time)
      let item =
        flags.contains(.isTask) ? tasks.removeValue(forKey: entry.other) : threads[slot].item
      guard let item, item >= 0 else { return }
      leave(item, on: slot)
      end(item)
    default: break
    }
  }

  // MARK: Items

  private mutating func open(_ kind: Int32) -> Int {
    let item = Item(kind: kind, below: -1, times: Array(repeating: 0, count: kinds.count))
    if let index = free.popLast() {
      items[index] = item
      return index
    }
    items.append(item)
    return items.count - 1
  }

  private mutating func begin(_ item: Int, on slot: Int) {
    items[item].below = threads[slot].item
    threads[slot].item = item
  }

  private mutating func leave(_ item: Int, on slot: Int) {
    if threads[slot].item == item { threads[slot].item = items[item].below }
  }

  private mutating func end(_ item: Int) {
    free.append(item)
    let kind = Int(items[item].kind)
    guard kind >= 0 else { return }
    while kind >= served.count {
      served.append(Served(times: Array(repeating: 0, count: kinds.count)))
    }
    served[kind].count += 1
    for core in kinds.indices { served[kind].times[core] += items[item].times[core] }
  }

  /// What a thread has run up to now counts for its item.
  private mutating func charge(_ slot: Int, to time: Int64) {
    let runner = threads[slot]
    if runner.core >= 0 && runner.item >= 0 {
      items[runner.item].times[runner.core] += time - runner.since
    }
    threads[slot].since = time
  }

  /// Rounds of waiting are left out.
  private mutating func skip(to time: Int64) {
    for slot in threads.indices { threads[slot].since = time }
  }

  // MARK: The numbers

  /// What the kinds of work that came from outside ask of each kind of core; empty where none did.
  func loads(_ metrics: [KindMetrics], _ program: [WorkKind]) -> [CoreLoad] {
    let asked = metrics.filter { $0.arrivals?.samples ?? 0 >= ArrivalTally.fewest }
    if asked.isEmpty { return [] }
    var offered = Array(repeating: 0.0, count: kinds.count)
    for kind in asked {
      let numbers = program.indices.filter {
        program[$0].pattern == kind.pattern && served.indices.contains($0)
      }
      let count = numbers.reduce(0) { $0 + served[$1].count }
      if count == 0 { continue }
      let perSecond = (kind.arrivals?.rate ?? 0) / Double(count) / 1e9
      for core in kinds.indices {
        offered[core] += perSecond * numbers.reduce(0) { $0 + Double(served[$1].times[core]) }
      }
    }
    return zip(kinds, offered).map { kind, offered in
      CoreLoad(cluster: kind.cluster, speed: kind.speed, cores: kind.cores.count, offered: offered)
    }
  }
}
