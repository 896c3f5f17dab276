/// What a policy decided against threads that could run.
package struct PolicyReport: Hashable, Sendable {
  /// Whether it takes cores from threads that run.
  package var preempts: Bool
  /// The decisions, in the order of the run.
  package var choices: [PolicyChoice]

  /// Creates a report.
  package init(preempts: Bool, choices: [PolicyChoice]) {
    (self.preempts, self.choices) = (preempts, choices)
  }
}

/// A decision of a policy for one thread and against another that could run, and by what.
package struct PolicyChoice: Hashable, Sendable {
  /// When it was made.
  package var time: Instant
  /// The thread that waits, and the one that is preferred, by the numbers of log entries.
  package var waiting: Int32
  package var preferred: Int32
  /// Whether the preferred one has a core already, and keeps it.
  package var isKept: Bool
  /// How the two compare; nil where the policy goes by the order in which they came.
  package var comparison: Standings?

  /// Creates a decision.
  package init(
    time: Instant, waiting: Int32, preferred: Int32, isKept: Bool, comparison: Standings?
  ) {
    (self.time, self.waiting, self.preferred) = (time, waiting, preferred)
    (self.isKept, self.comparison) = (isKept, comparison)
  }

  /// Where two threads stand by one measure.
  package struct Standings: Hashable, Sendable {
    /// The measure: the first in which they differ, or the last one where they do in none.
    package var measure: PolicyStanding.Measure
    package var preferred: Int64
    package var waiting: Int64
    /// Whether a thread that is preferred by it preempts the other one at once.
    package var takesCores: Bool

    /// Whether the preferred one is before the other.
    package var isBefore: Bool { measure.isBefore(preferred, waiting) }
    /// Whether neither is before the other.
    package var isTie: Bool { !isBefore && !measure.isBefore(waiting, preferred) }

    /// Compares what a policy says of two threads; nil where it says nothing.
    package init?(_ preferred: [PolicyStanding], _ waiting: [PolicyStanding]) {
      let pairs = Array(zip(preferred, waiting).prefix { $0.measure == $1.measure })
      let pair = pairs.first {
        $0.measure.isBefore($0.value, $1.value) != $0.measure.isBefore($1.value, $0.value)
      }
      guard let (one, other) = pair ?? pairs.last else { return nil }
      (measure, self.preferred, self.waiting) = (one.measure, one.value, other.value)
      takesCores = one.takesCores
    }
  }
}

/// Where a thread stands with its policy by one measure; what a policy goes by first comes first.
package struct PolicyStanding: Hashable, Sendable {
  package var measure: Measure
  package var value: Int64
  /// Whether a thread that is preferred by it preempts the other one at once.
  package var takesCores: Bool

  /// Creates a standing.
  package init(_ measure: Measure, _ value: Int64, takesCores: Bool = true) {
    (self.measure, self.value, self.takesCores) = (measure, value, takesCores)
  }

  /// Creates a standing by something that may take more than 64 bits.
  package init(_ measure: Measure, wide value: Int128, takesCores: Bool = true) {
    self.init(measure, Int64(clamping: value), takesCores: takesCores)
  }

  /// What a policy goes by.
  package enum Measure: Hashable, Sendable, CaseIterable {
    /// 1 for a real-time thread, 0 for others.
    case realtime
    /// 1 for a thread that has something left of its budget, 0 for one that waits for the next.
    case budget
    /// The priority, as it is at that moment.
    case priority
    /// The level or queue, of which 0 is the first.
    case level, queue
    /// The class of XNU's scheduler, of which 0 is the first.
    case threadClass
    /// Virtual times, in nanoseconds.
    case virtualRuntime, virtualDeadline
    /// How much less than its share a thread has run, in virtual nanoseconds; threads without such a lag come last.
    case lag
    /// When a thread has to be done, or to go on; `Int64.max` for never.
    case deadline, latestStart
    /// What a real-time thread asks for, in nanoseconds.
    case period, constraint
    /// What is left of a burst, in nanoseconds.
    case burst
    /// The response, if the thread ran now, as a multiple of its burst, in billionths.
    case responseRatio
    /// How much a thread has had for its tickets.
    case pass
    /// How many tickets a thread has: one of them is drawn.
    case tickets

    /// Whether a thread with one value is preferred to a thread with another one.
    package func isBefore(_ one: Int64, _ other: Int64) -> Bool {
      switch self {
      case .realtime, .budget, .priority, .responseRatio: one > other
      case .lag: one >= 0 && other < 0
      case .level, .queue, .threadClass, .virtualRuntime, .virtualDeadline, .deadline, .latestStart,
        .period, .constraint, .burst, .pass:
        one < other
      case .tickets: false
      }
    }
  }
}
