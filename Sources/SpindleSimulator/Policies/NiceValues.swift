/// A real-time class of POSIX that a thread is in.
public struct PosixClaim: Hashable, Sendable {
  /// Its priority, 1 to 99; more is more urgent.
  public var priority: Int
  /// Whether equals take turns, as in `SCHED_RR`; else each runs until it waits, as in `SCHED_FIFO`.
  public var takesTurns: Bool

  /// Creates a claim.
  public init(priority: Int, takesTurns: Bool) {
    (self.priority, self.takesTurns) = (priority, takesTurns)
  }
}

/// Nice values, from -20 to 19, and what they weigh.
enum NiceValues {
  static let range = -20...19

  /// The nice value of a base priority: that of the quality of service that has it, by libdispatch on Linux.
  ///
  /// Source: swift-corelibs-libdispatch:src/shims/priority.h, _dispatch_pp_to_nice.
  static func nice(ofPriority priority: Int) -> Int {
    switch priority {
    case 46...: -4
    case 37...45: -2
    case 21...36: 0
    case 5...20: 2
    default: 10
    }
  }

  /// What a nice value weighs: 1,024 at 0, and 1.25 times as much for each step down.
  ///
  /// Source: Linux, kernel/sched/core.c, sched_prio_to_weight.
  static func weight(_ nice: Int) -> Int64 {
    demand(range.contains(nice), "a nice value of \(nice)")
    return weights[nice - range.lowerBound]
  }

  /// By how much the virtual run time of a weight grows in a time: that of weight 1,024 by the time itself.
  ///
  /// It may be 68 times as long as the time, so it takes more than 64 bits.
  @inline(__always)
  static func virtualTime(_ time: Int64, weight: Int64) -> Int128 {
    assert(weight > 0, "a thread weighs \(weight)")
    // The division is of 64 bits: that of 128 costs ten times as much. The rest is less than the weight.
    let (whole, rest) = time.quotientAndRemainder(dividingBy: weight)
    return Int128(whole) * 1_024 + Int128(rest * 1_024 / weight)
  }

  private static let weights: [Int64] = [
    88_761, 71_755, 56_483, 46_273, 36_291, 29_154, 23_254, 18_705, 14_949, 11_916,
    9_548, 7_620, 6_100, 4_904, 3_906, 3_121, 2_501, 1_991, 1_586, 1_277,
    1_024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
  ]
}

extension ThreadClaim {
  /// What it weighs on Linux, by its nice value.
  var weight: Int64 { NiceValues.weight(nice) }

  /// The class of POSIX that it is in; a real-time thread that asked for none has the kernel's own.
  ///
  /// Source: Linux, kernel/sched/syscalls.c, sched_set_fifo.
  var urgency: PosixClaim? {
    posix ?? (isUrgent ? PosixClaim(priority: 50, takesTurns: false) : nil)
  }
}
