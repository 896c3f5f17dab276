/// How interactive groups of threads are, and what processor time costs their members.
///
/// A group is an app; within it each class of threads stands for itself. Its score is 0 to 16: half of that and
/// more when it was blocked for longer than it used cores, less when it used them for longer. Only the recent
/// past counts: when use and blocking are half a second together, both are divided by ten. One that waits for a
/// core for long gains a point in each interval. A group begins as blocked for half a second.
///
/// What use costs is settled once for each tick of 125 ms, when a group has threads that wait for a core:
/// nothing where there are not more of its threads than cores, else the more the more there are.
///
/// Everything is O(1). Source: xnu:osfmk/kern/sched_clutch.c,
/// sched_clutch_interactivity_from_cpu_data, sched_clutch_bucket_group_cpu_adjust,
/// sched_clutch_bucket_group_cpu_pending_adjust, sched_clutch_bucket_group_pending_ageout,
/// sched_clutch_bucket_group_run_count_inc, sched_clutch_bucket_group_timeshare_update.
struct ClutchGroups {
  /// Half of the highest score.
  private static let half: Int64 = 8
  /// Of how much of the past a score is.
  private static let history: Int64 = 500_000_000
  /// The most use that is kept: so much that a group is of no interactivity whatever it did before.
  private static let mostUsed = Int64.max / 4
  /// What the past is divided by when there is too much of it.
  private static let ratio: Int64 = 10
  /// The shift of a nanosecond of use at a load of 1, and the highest load, as `TimeshareLoad` has them.
  private static let fixedShift: Int64 = 23
  private static let highestLoad: Int64 = 127

  private struct Group: BitwiseCopyable {
    var used: Int64 = 0
    var blocked = ClutchGroups.history
    var score = 2 * ClutchGroups.half
    var scoredAt: Int64 = 0
    /// How many threads are ready or running, and since when none is; -1 for some, or none ever.
    var runnable: Int64 = 0
    var blockedSince: Int64 = -1
    /// How many wait for a core, and since when without getting one; -1 for none.
    var waiting: Int64 = 0
    var waitingSince: Int64 = -1
    /// By how much use is shifted; -1 where it costs nothing.
    var shift: Int8 = -1
    /// The last tick at which that was settled.
    var tick: Int64 = 0
  }

  private let isLong: Bool
  private var groups: ContiguousArray<Group> = []

  /// No group yet; quanta are the longer ones of macOS or not.
  init(longQuanta: Bool) { isLong = longQuanta }

  /// Begins a group, or begins it anew.
  mutating func begin(_ group: Int) {
    while groups.count < (group + 1) * ClutchBucket.count { groups.append(Group()) }
    for bucket in ClutchBucket.allCases { groups[Self.index(group, bucket)] = Group() }
  }

  private static func index(_ group: Int, _ bucket: ClutchBucket) -> Int {
    group * ClutchBucket.count + bucket.rawValue
  }

  /// A thread becomes ready after a wait, or of this class.
  mutating func run(_ group: Int, _ bucket: ClutchBucket, at now: Int64) {
    let index = Self.index(group, bucket)
    groups[index].runnable += 1
    if groups[index].runnable > 1 { return }
    let since = groups[index].blockedSince
    if since >= 0 { groups[index].blocked += min(now - since, Self.history) }
    groups[index].blockedSince = -1
  }

  /// A thread waits, or is of another class now.
  mutating func stop(_ group: Int, _ bucket: ClutchBucket, at now: Int64) {
    let index = Self.index(group, bucket)
    groups[index].runnable -= 1
    demand(groups[index].runnable >= 0, "clutch: group \(group) has fewer threads than none")
    if groups[index].runnable == 0 { groups[index].blockedSince = now }
  }

  /// A thread begins to wait for a core.
  mutating func wait(_ group: Int, _ bucket: ClutchBucket, at now: Int64) {
    let index = Self.index(group, bucket)
    groups[index].waiting += 1
    if groups[index].waiting == 1 { groups[index].waitingSince = now }
  }

  /// A thread waits for a core no more: most likely it gets one, so the others' wait begins anew.
  mutating func serve(_ group: Int, _ bucket: ClutchBucket, at now: Int64) {
    let index = Self.index(group, bucket)
    groups[index].waiting -= 1
    demand(groups[index].waiting >= 0, "clutch: group \(group) is served without a waiting thread")
    groups[index].waitingSince = groups[index].waiting == 0 ? -1 : now
  }

  /// A thread has used a core for so long.
  mutating func charge(_ group: Int, _ bucket: ClutchBucket, _ time: Int64) {
    // More than the history is scaled down before it counts. Many cores can use more than 64 bits hold until then.
    let (sum, overflow) = groups[Self.index(group, bucket)].used.addingReportingOverflow(time)
    groups[Self.index(group, bucket)].used = overflow ? Self.mostUsed : min(sum, Self.mostUsed)
  }

  /// By how much the use of a group's threads is shifted; -1 where it costs nothing.
  func shift(_ group: Int, _ bucket: ClutchBucket) -> Int8 {
    groups[Self.index(group, bucket)].shift
  }

  /// Settles what use costs a group that has threads waiting, unless it was settled at this tick.
  mutating func settle(_ group: Int, _ bucket: ClutchBucket, tick: Int64, cores: Int) {
    let index = Self.index(group, bucket)
    if groups[index].tick >= tick { return }
    groups[index].tick = tick
    let load = min(max(0, groups[index].runnable - 1) / Int64(cores), Self.highestLoad)
    let logarithm = Int64(Int64.bitWidth - 1 - load.leadingZeroBitCount)
    groups[index].shift = load == 0 ? -1 : Int8(Self.fixedShift - logarithm)
  }

  /// How interactive a group looks, 0 to 16; `load` groups of its class wait for cores.
  mutating func score(_ group: Int, _ bucket: ClutchBucket, load: Int64, at now: Int64) -> Int {
    let index = Self.index(group, bucket)
    adjust(index, points: waitingPoints(index, bucket, load, at: now))
    if now > groups[index].scoredAt {
      groups[index].scoredAt = now
      let (used, blocked) = (groups[index].used, groups[index].blocked)
      if blocked > used {
        groups[index].score = Self.half + Self.half * (blocked - used) / blocked
      } else if used > 0 {
        groups[index].score = Self.half * blocked / used
      }
    }
    return Int(groups[index].score)
  }

  /// The score that was computed last.
  func lastScore(_ group: Int, _ bucket: ClutchBucket) -> Int {
    Int(groups[Self.index(group, bucket)].score)
  }

  /// How many points a group gains for having waited.
  private mutating func waitingPoints(
    _ index: Int, _ bucket: ClutchBucket, _ load: Int64, at now: Int64
  ) -> Int64 {
    let since = groups[index].waitingSince
    if since < 0 || since >= now || load == 0 { return 0 }
    let interval = bucket.patience + load * bucket.quantum(isLong: isLong)
    let points = (now - since) / interval
    groups[index].waitingSince = since + points * interval
    return points
  }

  /// Forgets what is long past, and as much use as is worth these points.
  private mutating func adjust(_ index: Int, points: Int64) {
    var (used, blocked) = (groups[index].used, groups[index].blocked)
    if used + blocked >= Self.history {
      (used, blocked) = (used / Self.ratio, blocked / Self.ratio)
    }
    if points > 0 && blocked < used {
      let weight = Int128(Self.half * blocked)
      used = Int64(weight * Int128(used) / (weight + Int128(used) * Int128(points)))
    } else if points > 0 {
      let worth = Int128(blocked) * Int128(points) / Int128(Self.half)
      used = Int64(max(0, Int128(used) - worth))
    }
    (groups[index].used, groups[index].blocked) = (used, blocked)
  }
}
