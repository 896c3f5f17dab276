/// How long a thread of each class would have to wait for a core of a cluster.
///
/// The product of two averages of the last ten milliseconds or so: how many threads of the class and of higher
/// ones are ready or running for each core, and how many microseconds those of the class run at a time. It is
/// 0, an idle cluster, while there are not as many as cores, and leaves 0 at once when there are.
///
/// All in whole numbers. Source: xnu:osfmk/kern/sched_prim.c, sched_update_pset_load_average,
/// sched_update_pset_avg_execution_time; xnu:osfmk/kern/processor.h, sched_get_pset_load_average.
struct EdgeLoad {
  /// Over how long averages go, in nanoseconds.
  private static let window: Int64 = 10_000_000
  /// Loads have so many binary places.
  private static let places: Int64 = 8
  /// A longer time counts as this.
  private static let longestGap = Int64(UInt32.max)

  private struct Load: BitwiseCopyable {
    var average: Int64 = 0
    var execution: Int64 = 0
    var executionAt: Int64 = 0
    var depth: Int64 = 0
  }

  private var loads = ContiguousArray(repeating: Load(), count: ClutchBucket.count)
  private var updatedAt: Int64 = 0

  /// How many threads of a class and above were ready or running when the load was last looked at.
  func depth(_ bucket: ClutchBucket) -> Int64 { loads[bucket.rawValue].depth }

  /// How long a thread of a class would wait, in microseconds by its source; 0 for not at all.
  func latency(_ bucket: ClutchBucket) -> Int64 {
    let load = loads[bucket.rawValue]
    let (product, overflow) = Self.rounded(load.average).multipliedReportingOverflow(
      by: max(1, load.execution))
    return overflow ? Int64.max : product
  }

  private static func rounded(_ average: Int64) -> Int64 {
    (average + 1 << (places - 1)) >> places
  }

  /// Looks at the load: `counts` threads of each class are ready or running, and `urgent` real-time ones.
  mutating func update(_ counts: ContiguousArray<Int>, urgent: Int, cores: Int, at now: Int64) {
    if now < updatedAt { return }
    let gap = min(now - updatedAt, Self.longestGap)
    updatedAt = now
    var depth = Int64(urgent)
    for index in loads.indices {
      depth += Int64(counts[index])
      loads[index].depth = depth
      let (present, old) = (depth / Int64(cores), loads[index].average)
      let wasLoaded = Self.rounded(old) != 0
      if wasLoaded != (present != 0) {
        loads[index].average = present << Self.places
      } else {
        loads[index].average =
          (old * Self.window + (present * gap) << Self.places) / (gap + Self.window)
      }
    }
  }

  /// A thread of a class has run for so long.
  mutating func ran(_ bucket: ClutchBucket, for time: Int64, at now: Int64) {
    let index = bucket.rawValue
    let gap = now - loads[index].executionAt
    if gap <= 0 { return }
    let old = max(1, loads[index].execution)
    // Beyond the longest gap the average is what was last seen. A real-time thread may have run for years.
    let (last, weight) = (time / 1_000, Int128(gap))
    loads[index].execution =
      gap > Self.longestGap
      ? last
      : Int64(
        (Int128(old) * Int128(Self.window) + Int128(last) * weight) / (weight + Int128(Self.window))
      )
    loads[index].executionAt = now
  }
}
