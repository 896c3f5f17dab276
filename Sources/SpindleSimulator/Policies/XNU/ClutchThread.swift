import SpindleModel

/// What XNU's clutch scheduler keeps of a thread, and how its priority sinks with use.
///
/// The third level of the scheduler is the timesharing that `Timeshare` has too: the priority is the base less
/// the recent use, which ages by 5/8 at each tick of 125 ms; what use costs is a matter of the thread's group.
/// Source: xnu:osfmk/kern/priority.c; xnu:doc/scheduler/sched_clutch_edge.md, "Thread Level".
struct ClutchThread: BitwiseCopyable {
  /// Where a thread is.
  enum Place: UInt8, BitwiseCopyable {
    /// It waits, or does not exist.
    case nowhere
    /// It is in the queue of its class, or of the real-time threads.
    case queue
    /// It has just left its core, and may go on there.
    case held
    /// It is the next of the core that it ran on last.
    case assigned
    /// It has a core.
    case core
  }

  /// Ticks come every so many nanoseconds.
  static let tickInterval: Int64 = 125_000_000
  /// A rest of a quantum that is less counts as none.
  static let tinyRemainder: Int64 = 250_000
  /// The highest priority that a thread can have without being real-time.
  static let highestUserPriority = 63
  private static let forgottenAfter: Int64 = 32

  var place = Place.nowhere
  var bucket = ClutchBucket.standard
  var base: Int16 = 31
  /// Its present priority, and that with which it got its core.
  var priority: Int16 = 31
  var startPriority: Int16 = 31
  /// By how much its use is shifted; -1 where it costs nothing.
  var shift: Int8 = -1
  /// The cluster in whose queue it is, or was last.
  var cluster: Int8 = 0
  /// The core that it has, or had last; -1 at first.
  var core: Int16 = -1
  /// Whether it got its core for this turn, and did not just go on after the one before.
  var isFirstTurn = true
  /// Whether it goes before its equals when it has to wait again.
  var goesFirst = false
  /// Whether what it asks for has changed since it got its core.
  var isChanged = false
  /// Whether it asks to be real-time.
  var isRealtime = false
  /// Whether it stands above all that are not real-time: it is real-time and not demoted.
  var isAbove = false
  /// Whether it yielded and is last, until it runs or `depressedUntil`.
  var isDepressed = false
  var depressedUntil: Int64 = 0
  /// The number of the last tick that it has seen.
  var tick: Int64 = 0
  /// Recent processor time in nanoseconds, aged, and what came since it was last charged.
  var usage: Int64 = 0
  var uncharged: Int64 = 0
  /// The quantum that it was given last, and what is left of one; 0 for a whole one.
  var granted: Int64 = 0
  var left: Int64 = 0

  /// Whether it is ready or runs.
  var isRunnable: Bool { place != .nowhere }
  /// The class in whose queue it waits.
  var queue: ClutchBucket { isDepressed ? .background : bucket }
  /// Whether a tick may change its priority.
  var isAging: Bool { usage > 0 || uncharged > 0 || isRealtime }

  /// Whether it goes on rather than give way to one of this priority: it wins ties in its first turn only.
  func keepsCore(from other: Int, own: Int) -> Bool { isFirstTurn ? own >= other : own > other }

  /// Lets its use age by the ticks that it has not seen; `cost` is the shift of its group now.
  mutating func age(to tick: Int64, cost: Int8) {
    let passed = tick - self.tick
    demand(passed >= 0, "clutch: a thread has seen tick \(self.tick), and \(tick) comes")
    self.tick = tick
    if passed >= Self.forgottenAfter {
      usage = 0
    } else if usage > 0 {
      for _ in 0..<passed { usage = usage * 5 / 8 }
    }
    shift = cost
    computePriority()
  }

  /// Adds what came since it was last charged to its use, unless that costs nothing; returns it.
  mutating func charge() -> Int64 {
    let time = uncharged
    if shift >= 0 { usage += time }
    uncharged = 0
    return time
  }

  /// Computes its priority; a real-time one's is fixed.
  mutating func computePriority() {
    if isAbove { return }
    let loss = shift < 0 ? 0 : usage >> Int64(shift)
    priority = Int16(max(0, min(95, Int64(base) - loss)))
  }

  /// Gives it the standing of an ordinary thread with a base priority.
  mutating func setBase(_ priority: Int) {
    (isAbove, base, bucket) = (false, Int16(priority), ClutchBucket(priority: priority))
    self.priority = base
  }

  /// Gives it the standing of a real-time thread, or of one that was demoted.
  ///
  /// Source: xnu:osfmk/kern/priority.c, sched_thread_mode_demote, with DEPRESSPRI as the base.
  mutating func setRealtime(isDemoted: Bool) {
    setBase(isDemoted ? 0 : Self.highestUserPriority)
    isAbove = !isDemoted
    if isAbove { priority = Int16(ThreadClaim.realtimePriority) }
  }
}
