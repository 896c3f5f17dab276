package import SpindleModel

/// Follows work that came from outside: what hands it on, and on which kind of cores it runs.
///
/// What an item submits comes from outside if the item does. Values that are passed in variables, streams or
/// continuations do not.
struct LoadTally {
  /// Who submitted an item.
  enum Source {
    /// The program, of its own accord.
    case program
    /// The world outside.
    case outside
    /// Work from outside: the item with this number.
    case handedOn(by: Int32)
  }

  /// Whether anything has come from outside: nothing is followed before.
  private(set) var isUsed = false
  /// A bit for each item by number: whether it comes from outside.
  private var fromOutside: ContiguousArray<UInt64> = []
  /// By the slot of a thread.
  private var threads: ContiguousArray<Slot> = []
  /// By core, the number of its kind; none where all are alike.
  private var coreKinds: [Int] = []
  private var kindsOfCores: [CoreKind] = []
  /// By the number of a kind of work, and of cores: how long such items had one, in nanoseconds.
  private var times: ContiguousArray<Int64> = []
  private var counts: ContiguousArray<Int64> = []

  private struct Slot {
    /// The items that are under way, the innermost last.
    var items: ContiguousArray<Item> = []
    /// The kind of the core that the thread has, and since when; -1 for none.
    var core = -1
    var since: Int64 = 0
  }

  private struct Item {
    let number: Int32
    let kind: Int32
  }

  /// Makes room for what is known of the program and the machine beforehand.
  mutating func prepare(_ program: Program, cores: [CoreDescription]) {
    let kinds = CoreKind.all(cores)
    guard kinds.count > 1 else { return }
    kindsOfCores = kinds
    coreKinds = cores.indices.map { core in kinds.firstIndex { $0.cores.contains(core) } ?? 0 }
    times = ContiguousArray(repeating: 0, count: program.kinds.count * kinds.count)
    counts = ContiguousArray(repeating: 0, count: program.kinds.count)
  }

  // MARK: Items

  /// An item is submitted.
  mutating func submitted(_ entry: UnsafePointer<LogEntry>) -> Source {
    let (item, slot) = (Submission(entry.pointee.value).item, Int(entry.pointee.thread))
    if slot < 0 { isUsed = true }
    guard item > 0 else { return slot < 0 ? .outside : .program }
    if slot < 0 {
      mark(item)
      return .outside
    }
    guard slot < threads.count, let parent = threads[slot].items.last?.number, isMarked(parent)
    else { return .program }
    mark(item)
    return .handedOn(by: parent)
  }

  /// An item begins, or a task continues.
  mutating func begins(_ entry: UnsafePointer<LogEntry>) {
    let (item, slot) = (entry.pointee.other, Int(entry.pointee.thread))
    guard slot >= 0, item > 0 else { return }
    reach(slot)
    settle(slot, at: entry.pointee.time)
    threads[slot].items.append(Item(number: item, kind: entry.pointee.subject))
  }

  /// An item has ended, or a task leaves its thread.
  mutating func ends(_ entry: UnsafePointer<LogEntry>) {
    let slot = Int(entry.pointee.thread)
    guard threads.indices.contains(slot),
      let place = threads[slot].items.lastIndex(where: { $0.number == entry.pointee.other })
    else { return }
    settle(slot, at: entry.pointee.time)
    threads[slot].items.remove(at: place)
  }

  /// Counts one that has ended.
  mutating func count(_ kind: Int32) {
    if counts.indices.contains(Int(kind)) { counts[Int(kind)] += 1 }
  }

  private func isMarked(_ item: Int32) -> Bool {
    let word = Int(item) / 64
    return word < fromOutside.count && fromOutside[word] >> UInt64(item % 64) & 1 == 1
  }

  private mutating func mark(_ item: Int32) {
    let word = Int(item) / 64
    while word >= fromOutside.count { fromOutside.append(0) }
    fromOutside[word] |= 1 << UInt64(item % 64)
  }

  private mutating func reach(_ slot: Int) {
    while slot >= threads.count { threads.append(Slot()) }
  }

  // MARK: Cores

  /// A thread gets a core.
  mutating func runs(_ entry: UnsafePointer<LogEntry>) {
    let (slot, core) = (Int(entry.pointee.thread), Int(entry.pointee.core))
    guard coreKinds.indices.contains(core), slot >= 0 else { return }
    reach(slot)
    (threads[slot].core, threads[slot].since) = (coreKinds[core], entry.pointee.time)
  }

  /// A thread has lost its core.
  mutating func leaves(_ entry: UnsafePointer<LogEntry>) {
    let slot = Int(entry.pointee.thread)
    guard !coreKinds.isEmpty, threads.indices.contains(slot) else { return }
    settle(slot, at: entry.pointee.time)
    threads[slot].core = -1
  }

  /// Counts the time that the innermost item of a thread has had a core.
  private mutating func settle(_ slot: Int, at time: Int64) {
    guard threads[slot].core >= 0 else { return }
    if let kind = threads[slot].items.last?.kind, counts.indices.contains(Int(kind)) {
      times[Int(kind) * kindsOfCores.count + threads[slot].core] += time - threads[slot].since
    }
    threads[slot].since = time
  }

  /// Forgets all that has ended.
  mutating func restart() {
    for index in times.indices { times[index] = 0 }
    for index in counts.indices { counts[index] = 0 }
  }

  // MARK: The result

  /// What work from outside asks of each kind of cores; empty where all cores are alike.
  func result(_ kinds: [KindMetrics], _ program: [WorkKind]) -> [CoreLoad] {
    kindsOfCores.enumerated().map { number, cores in
      var load = CoreLoad(
        cores: cores.cluster.rawValue, speed: cores.speed, count: cores.cores.count)
      for kind in kinds {
        guard let arrivals = kind.arrivals, arrivals.samples >= ArrivalTally.fewest else {
          continue
        }
        // Kinds with one pattern count together.
        let members = program.indices.filter {
          program[$0].pattern == kind.pattern && program[$0].isNamed == kind.isNamed
        }
        let time = members.reduce(0) { $0 + times[$1 * kindsOfCores.count + number] }
        let count = members.reduce(0) { $0 + counts[$1] }
        guard time > 0, count > 0 else { continue }
        let mean = Double(time) / Double(count)
        load.parts.append(
          CoreLoad.Part(pattern: kind.pattern, offered: arrivals.rate * mean / 1e9))
      }
      return load
    }
  }
}

/// What work from outside asks of the cores of one kind.
package struct CoreLoad: Hashable, Sendable {
  /// Their cluster and speed, and how many there are.
  package var cores: String
  package var speed: Speed
  package var count: Int
  /// The kinds of work.
  package var parts: [Part] = []

  /// What one kind of work asks for.
  package struct Part: Hashable, Sendable {
    package var pattern: String
    /// How many cores on average: its rate times how long an item has such a core.
    package var offered: Double
  }

  /// How many cores all ask for on average.
  package var offered: Double { parts.reduce(0) { $0 + $1.offered } }
  /// Whether that is more than there are.
  package var isOverload: Bool { offered > Double(count) }

  /// What the cores are called: `efficiency cores at speed 0.4`.
  package var name: String {
    let decimal = FixedDecimal(billionths: speed.numerator * 1_000_000_000 / speed.denominator)
    return "\(cores) cores" + (speed == .one ? "" : " at speed \(decimal)")
  }
}
