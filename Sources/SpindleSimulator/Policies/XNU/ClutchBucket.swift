/// The classes that XNU's clutch scheduler sorts threads into, the most urgent first: its root buckets.
///
/// A thread's base priority says which one it is in. XNU has one more, for threads of a fixed priority of 47
/// and more, which a trace can't ask for. Source: xnu:osfmk/kern/sched_clutch.c,
/// sched_convert_pri_to_bucket.
enum ClutchBucket: Int, CaseIterable, BitwiseCopyable {
  case foreground, userInitiated, standard, utility, background

  /// The class of a base priority.
  init(priority: Int) {
    switch priority {
    case 38...: self = .foreground
    case 32...37: self = .userInitiated
    case 21...31: self = .standard
    case 5...20: self = .utility
    default: self = .background
    }
  }

  /// How many there are.
  static let count = 5

  private static let millisecond: Int64 = 1_000_000

  /// How long after it became ready a class has its deadline, in nanoseconds.
  ///
  /// Source: sched_clutch.c, sched_clutch_root_bucket_wcel_us.
  var latency: Int64 {
    switch self {
    case .foreground: 0
    case .userInitiated: 37_500_000
    case .standard: 75 * Self.millisecond
    case .utility: 150 * Self.millisecond
    case .background: 250 * Self.millisecond
    }
  }

  /// For how long a class may run before a lower one whose deadline is earlier, in nanoseconds.
  ///
  /// Source: sched_clutch.c, sched_clutch_root_bucket_warp_us.
  var warp: Int64 {
    switch self {
    case .foreground: 8 * Self.millisecond
    case .userInitiated: 4 * Self.millisecond
    case .standard: 2 * Self.millisecond
    case .utility: Self.millisecond
    case .background: 0
    }
  }

  /// A thread's quantum, in nanoseconds: that of Apple's documents and of iOS, or the longer one of macOS.
  ///
  /// Source: sched_clutch.c, sched_clutch_thread_quantum_us; xnu:doc/scheduler/sched_clutch_edge.md.
  func quantum(isLong: Bool) -> Int64 {
    switch self {
    case .foreground: 10 * Self.millisecond
    case .userInitiated: (isLong ? 10 : 8) * Self.millisecond
    case .standard: (isLong ? 10 : 6) * Self.millisecond
    case .utility: 4 * Self.millisecond
    case .background: 2 * Self.millisecond
    }
  }

  /// After how long of waiting a group begins to look more interactive, in nanoseconds; the load adds to it.
  ///
  /// Source: sched_clutch.c, sched_clutch_bucket_group_pending_delta_us.
  var patience: Int64 { self == .foreground ? 10 * Self.millisecond : latency }
}
