/// A stretch of a run, as digests.
struct RunInterval: Hashable, Sendable {
  /// How many entries it has.
  var count: Int64 = 0
  /// What was done, in order.
  var order = SequenceHash()
  /// When each was done, as the time since the one before.
  var times = SequenceHash()
  /// All lengths of time in entries, each with its source; in any order.
  var durations: UInt64 = 0
  /// The moment of its last entry.
  var end: Int64 = 0
  /// How rare its end is: each level has half as many ends as the one below.
  var level: Int = 0

  /// The digest of all its times.
  var allTimes: UInt64 { LayerHash.mixed(times.value, durations) }

  /// Adds the stretch that follows.
  mutating func append(_ next: RunInterval) {
    count += next.count
    order.append(next.order)
    times.append(next.times)
    durations = durations &+ next.durations
    (end, level) = (next.end, next.level)
  }
}

/// A run cut into intervals where its own steps decide, at most `limit` of them.
///
/// An interval may end behind any entry whose last `window` steps have a digest with many zeros at its end.
/// So two runs that are alike somewhere are cut there at the same steps, whatever was added, left out or
/// shifted before: content-defined chunking, as in Muthitacharoen, Chen and Mazières, "A Low-bandwidth
/// Network File System", SOSP 2001. When there are too many intervals, ends of the lowest level are removed;
/// each level has about half the ends of the one below, a tree. Where the same steps repeat, levels do not
/// distinguish them, and every second end is removed.
struct RunIntervals {
  /// The stretches that are complete.
  private(set) var closed: [RunInterval] = []
  private var open = RunInterval()
  /// The steps that decide: the upper 16 bits of each of the last four.
  private var window: UInt64 = 0
  private var lowestLevel = 2
  /// Of how many possible ends one is taken.
  private var stride = 1
  private var ends = 0
  private var previousTime: Int64 = 0

  /// The most intervals during a run.
  private static let limit = 512

  init() {}

  /// Adds a step.
  @inline(__always)
  mutating func add(_ step: StepWords.Step, at time: Int64) {
    open.count += 1
    open.order.append(step.order)
    open.times.append(LayerHash.mixed(UInt64(bitPattern: time &- previousTime)))
    if step.duration != 0 {
      open.durations = open.durations &+ LayerHash.mixed(step.order, step.duration)
    }
    previousTime = time
    window = window << 16 | step.order >> 48
    let level = LayerHash.mixed(window).trailingZeroBitCount
    if level >= lowestLevel { close(level, time) }
  }

  /// All stretches, when the run has ended.
  var all: [RunInterval] {
    guard open.count > 0 else { return closed }
    var last = open
    (last.end, last.level) = (previousTime, 64)
    return closed + [last]
  }

  private mutating func close(_ level: Int, _ time: Int64) {
    ends += 1
    guard ends % stride == 0 else { return }
    (open.end, open.level) = (time, level)
    closed.append(open)
    open = RunInterval()
    if closed.count == RunIntervals.limit { thin() }
  }

  private mutating func thin() {
    let rare = closed.count { $0.level > lowestLevel }
    if stride == 1 && rare >= RunIntervals.limit / 4 {
      lowestLevel += 1
      let lowest = lowestLevel
      merge { _, interval in interval.level >= lowest }
      ends = closed.count
    } else {
      stride *= 2
      merge { index, _ in index % 2 == 1 }
    }
  }

  /// Joins each stretch whose end is not kept with the next one.
  private mutating func merge(_ keeps: (Int, RunInterval) -> Bool) {
    var merged: [RunInterval] = []
    var current = RunInterval()
    for (index, interval) in closed.enumerated() {
      current.append(interval)
      guard keeps(index, interval) else { continue }
      merged.append(current)
      current = RunInterval()
    }
    closed = merged
    // The rest belongs to the open interval.
    if current.count > 0 { open = current }
  }

  /// The stretches joined to at most `count`, of about the same number of entries each, with ends that
  /// are rare, so that another run that is like this one has them too.
  static func joined(_ all: [RunInterval], to count: Int) -> [RunInterval] {
    guard all.count > count else { return all }
    var level = 0
    while all.count(where: { $0.level > level }) >= 4 * count { level += 1 }
    let total = all.reduce(0) { $0 + $1.count }
    var joined: [RunInterval] = []
    var current = RunInterval()
    var done: Int64 = 0
    for (index, interval) in all.enumerated() {
      current.append(interval)
      done += interval.count
      let isDue = done * Int64(count) >= total * Int64(joined.count + 1)
      guard index == all.count - 1 || (isDue && interval.level >= level) else { continue }
      joined.append(current)
      current = RunInterval()
    }
    assert(
      joined.count <= count, "\(all.count) stretches are joined to \(joined.count), not \(count)")
    return joined
  }
}
