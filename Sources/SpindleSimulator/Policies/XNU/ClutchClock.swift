/// Which class of threads a cluster serves next: the first level of XNU's clutch scheduler.
///
/// - A class gets a deadline when its first thread becomes ready, and another one whenever it is served in
///   its turn: then, and its latency.
/// - The class with the earliest deadline is next (the higher of equals, which XNU leaves open); that of the
///   thread that runs counts too.
/// - But a higher class that has warp left goes before it. The first such choice opens a window as long as
///   the warp; when that is over, the class has no warp until it is served in its turn again.
/// - A class that is served although a higher one has a thread is starving: it is served by every core of the
///   cluster for one of its quanta, then gets a new deadline.
///
/// A choice costs O(classes).
///
/// Source: xnu:osfmk/kern/sched_clutch.c, sched_clutch_root_highest_root_bucket,
/// sched_clutch_root_bucket_runnable, sched_clutch_root_bucket_empty.
struct ClutchClock {
  private struct Bucket: BitwiseCopyable {
    var deadline: Int64 = 0
    var warpLeft: Int64 = 0
    /// When its window of warp ends; `Int64.max` when none was opened.
    var warpEnd = Int64.max
    /// When its window as a starving class began; -1 for none.
    var starvedSince: Int64 = -1
    /// Whether it has ready threads.
    var isReady = false
    /// Whether it may go before others by its warp.
    var mayWarp = false
  }

  /// What is chosen.
  struct Choice: BitwiseCopyable {
    /// The class.
    let bucket: ClutchBucket
    /// Whether the thread that runs is to go on.
    let isPrevious: Bool
  }

  private let isLong: Bool
  private var buckets: ContiguousArray<Bucket>

  /// No thread is ready yet; quanta are the longer ones of macOS or not.
  init(longQuanta: Bool) {
    isLong = longQuanta
    buckets = ContiguousArray(ClutchBucket.allCases.map { Bucket(warpLeft: $0.warp) })
  }

  /// The first thread of a class becomes ready.
  mutating func begin(_ bucket: ClutchBucket, at now: Int64) {
    let index = bucket.rawValue
    demand(!buckets[index].isReady, "clutch: class \(bucket) becomes ready for the second time")
    buckets[index].isReady = true
    if buckets[index].starvedSince < 0 { buckets[index].deadline = now + bucket.latency }
    buckets[index].mayWarp = buckets[index].warpLeft > 0
  }

  /// The last ready thread of a class is gone: it runs, or is of another class.
  mutating func end(_ bucket: ClutchBucket, at now: Int64) {
    let index = bucket.rawValue
    demand(buckets[index].isReady, "clutch: class \(bucket) has no ready thread, and loses one")
    buckets[index].isReady = false
    buckets[index].mayWarp = false
    if buckets[index].warpEnd < Int64.max {
      buckets[index].warpLeft = max(0, buckets[index].warpEnd - now)
    }
  }

  /// Chooses a class, or the class of the thread that runs; nil when there is neither.
  ///
  /// With `takes` a core does what is chosen; else it is only asked whether it would, which matters when the
  /// thread that runs goes on.
  mutating func choose(previous: ClutchBucket?, takes: Bool, at now: Int64) -> Choice? {
    guard let highest = buckets.firstIndex(where: { $0.isReady }) else {
      return previous.map { Choice(bucket: $0, isPrevious: true) }
    }
    while true {
      let (earliest, isOut) = earliestDeadline(previous)
      guard let bucket = ClutchBucket(rawValue: earliest) else { return nil }
      let window = buckets[earliest].starvedSince
      if window >= 0 && now >= window + bucket.quantum(isLong: isLong) {
        buckets[earliest].starvedSince = -1
        buckets[earliest].deadline = now + bucket.latency
        continue
      }
      let warper = warper(before: earliest, previous)
      guard let warper, let warping = ClutchBucket(rawValue: warper.index) else {
        if takes || earliest == previous?.rawValue {
          serve(bucket, highest: min(highest, previous?.rawValue ?? highest), isOut, at: now)
        }
        return Choice(bucket: bucket, isPrevious: isOut)
      }
      if buckets[warper.index].warpEnd > now {
        if takes || warper.isPrevious {
          if buckets[warper.index].warpEnd == Int64.max {
            buckets[warper.index].warpEnd = now + buckets[warper.index].warpLeft
          }
          buckets[warper.index].deadline = now + warping.latency
        }
        return Choice(bucket: warping, isPrevious: warper.isPrevious)
      }
      buckets[warper.index].warpLeft = 0
      if !warper.isPrevious { buckets[warper.index].mayWarp = false }
    }
  }

  /// The class with the earliest deadline, and whether it is that of the thread that runs and has no other.
  private func earliestDeadline(_ previous: ClutchBucket?) -> (Int, Bool) {
    var (earliest, deadline) = (-1, Int64.max)
    for index in buckets.indices
    where buckets[index].isReady && buckets[index].deadline < deadline {
      (earliest, deadline) = (index, buckets[index].deadline)
    }
    if let previous, buckets[previous.rawValue].deadline < deadline {
      return (previous.rawValue, true)
    }
    return (earliest, false)
  }

  /// The highest class above another one that has warp left, and whether it is that of the thread that runs.
  private func warper(
    before index: Int, _ previous: ClutchBucket?
  ) -> (index: Int, isPrevious: Bool)? {
    let ready = buckets[..<index].firstIndex { $0.mayWarp }
    if let running = previous?.rawValue, running < index, buckets[running].warpLeft > 0,
      running < ready ?? Int.max
    {
      return (running, true)
    }
    return ready.map { ($0, false) }
  }

  /// A class is served because its deadline is the earliest: in its turn, or as one that starves.
  private mutating func serve(
    _ bucket: ClutchBucket, highest: Int, _ isOut: Bool, at now: Int64
  ) {
    let index = bucket.rawValue
    if buckets[index].starvedSince >= 0 { return }
    if highest < index {
      buckets[index].starvedSince = now
      return
    }
    buckets[index].deadline = now + bucket.latency
    buckets[index].warpLeft = bucket.warp
    buckets[index].warpEnd = Int64.max
    if !isOut { buckets[index].mayWarp = buckets[index].warpLeft > 0 }
  }
}
