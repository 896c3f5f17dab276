import SpindleModel

/// A small sketch of the threads of a run, so that those that changed can be named.
///
/// Each thread belongs to one set of each row, by digests of its name. A set has the sum of the digests of
/// its threads. A thread whose digest changes changes its set in every row, so that only those may have
/// changed whose sets have all changed: as in a count-min sketch (Cormode and Muthukrishnan, 2005).
struct ThreadSketch: Hashable, Sendable {
  /// How many rows there are.
  static let rows = 2
  /// How many sets each row has.
  static let sets = 12

  /// The sums, row by row, of 12 bits each.
  private(set) var sums = [UInt16](repeating: 0, count: ThreadSketch.rows * ThreadSketch.sets)

  /// The sketch of no thread.
  init() {}

  /// Adds a thread by the digests of its name and of what it did.
  mutating func add(_ key: UInt64, _ digest: UInt64) {
    let word = UInt16(truncatingIfNeeded: LayerHash.mixed(key, digest) >> 48)
    for place in ThreadSketch.places(key) { sums[place] = (sums[place] &+ word) & 0xFFF }
  }

  /// Whether a thread may be one of those in which two sketches differ.
  func maySeparate(_ key: UInt64, from other: ThreadSketch) -> Bool {
    ThreadSketch.places(key).allSatisfy { sums[$0] != other.sums[$0] }
  }

  private static func places(_ key: UInt64) -> [Int] {
    (0..<rows).map { $0 * sets + Int(LayerHash.mixed(key, UInt64($0)) % UInt64(sets)) }
  }

  /// The sums: two letters each, or a point where a sum is 0, as it is of a set of no thread.
  var text: String {
    sums.map { $0 == 0 ? "." : LayerHash.letters(UInt64($0), count: 2) }.joined()
  }

  /// Reads what `text` writes; nil when it is not that.
  init?(_ text: Substring) {
    var rest = text
    for index in sums.indices {
      if rest.first == "." {
        rest.removeFirst()
        continue
      }
      guard let sum = LayerHash.digest(rest.prefix(2), count: 2) else { return nil }
      sums[index] = UInt16(sum)
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty else { return nil }
  }
}

/// The totals of each thread of a run.
struct ThreadLayers {
  /// What one thread did.
  struct Tally {
    var isAlive = false
    /// Its own work in nanoseconds.
    var work: Int64 = 0
    var runs: Int64 = 0
    var items: Int64 = 0
    /// Its own steps, and the time between them.
    var steps = SequenceHash()
    var lastStep: Int64 = 0
  }

  /// One thread with its digests.
  struct Digests: Hashable, Sendable {
    var key: UInt64
    var totals: UInt64
    var steps: UInt64
  }

  private var tallies: ContiguousArray<Tally> = []
  /// The sum of all totals.
  private(set) var totals: UInt64 = 0
  /// By totals.
  private(set) var totalsSketch = ThreadSketch()
  /// By steps.
  private(set) var stepsSketch = ThreadSketch()
  /// The first threads that ended, with their names.
  private(set) var threads: [(name: String, digests: Digests)] = []
  /// How many threads there were.
  private(set) var count = 0
  /// Of how many threads names are kept.
  private static let nameLimit = 4_096

  init() {}

  /// Takes an entry in; `words` knows its thread.
  @inline(__always)
  mutating func add(_ entry: LogEntry, _ step: StepWords.Step, _ words: borrowing StepWords) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    if entry.event == .threadCreated { begin(slot, entry.time) }
    guard slot < tallies.count && tallies[slot].isAlive else { return }
    let gap = UInt64(bitPattern: entry.time &- tallies[slot].lastStep)
    tallies[slot].steps.append(LayerHash.mixed(step.order ^ (gap &* 0xD6E8_FEB8_6659_FD93)))
    tallies[slot].lastStep = entry.time
    switch entry.event {
    case .threadRuns: tallies[slot].runs += 1
    case .itemStarted: tallies[slot].items += 1
    case .threadPreempted, .threadBlocked: tallies[slot].work += entry.value
    case .threadEnded, .threadKilled:
      tallies[slot].work += entry.value
      end(slot, words)
    default: break
    }
  }

  /// All threads have done what they will.
  mutating func finish(_ words: StepWords) {
    for slot in tallies.indices where tallies[slot].isAlive { end(slot, words) }
  }

  private mutating func begin(_ slot: Int, _ time: Int64) {
    while slot >= tallies.count { tallies.append(Tally()) }
    tallies[slot] = Tally()
    (tallies[slot].isAlive, tallies[slot].lastStep) = (true, time)
  }

  private mutating func end(_ slot: Int, _ words: StepWords) {
    let (tally, thread) = (tallies[slot], words.threads[slot])
    tallies[slot].isAlive = false
    count += 1
    let sum = LayerHash.mixed(
      LayerHash.mixed(UInt64(bitPattern: tally.work), UInt64(bitPattern: tally.runs)),
      UInt64(bitPattern: tally.items))
    totals = totals &+ LayerHash.mixed(thread.key, sum)
    totalsSketch.add(thread.key, sum)
    stepsSketch.add(thread.key, tally.steps.value)
    guard threads.count < ThreadLayers.nameLimit else { return }
    let digests = Digests(key: thread.key, totals: sum, steps: tally.steps.value)
    threads.append((words.name(of: thread), digests))
  }
}
