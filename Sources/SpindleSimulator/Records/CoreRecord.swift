import SpindleModel

/// A core's neighbours among those whose quanta nobody watches.
enum UnwatchedLinks: ListLinks {
  @inline(__always)
  static func next(_ core: UnsafeMutablePointer<CoreRecord>) -> Int32 {
    core.pointee.nextUnwatched.index
  }
  @inline(__always)
  static func previous(_ core: UnsafeMutablePointer<CoreRecord>) -> Int32 {
    core.pointee.previousUnwatched.index
  }
  @inline(__always)
  static func set(_ core: UnsafeMutablePointer<CoreRecord>, next: Int32) {
    core.pointee.nextUnwatched = CoreID(next)
  }
  @inline(__always)
  static func set(_ core: UnsafeMutablePointer<CoreRecord>, previous: Int32) {
    core.pointee.previousUnwatched = CoreID(previous)
  }
}

/// One core: which thread has it, since when, and when its present burst ends.
struct CoreRecord: BitwiseCopyable {
  /// The thread that has the core; none when it is idle.
  var thread = ThreadID.none
  /// The thread that had it last; none at first.
  var lastThread = ThreadID.none
  /// How often that one's number had been used before: a new thread in an old one's place is another.
  var lastGeneration: Int32 = 0
  /// Its place in the order in which idle cores are given out.
  var rank: Int32 = 0
  /// The sequence number of the event that ends the present burst; 0 when there is none.
  var event: UInt64 = 0
  /// When that event is due.
  var due: Int64 = 0
  /// The sequence number that the end of the present work has among events, and that of the end of the
  /// present turn, which is 0 before its first burst.
  var number: UInt64 = 0
  var turn: UInt64 = 0
  /// When the turn began that `turn` is of: the present one, or one before it while nobody watches them.
  var placed: Int64 = 0
  /// When the present quantum of its thread began: with that thread's coming, or as the one before ended.
  var dispatched: Int64 = 0
  /// When its thread came.
  var came: Int64 = 0
  /// Since when nobody has it; of use while it is idle only.
  var freeSince: Int64 = 0
  /// Threads that stand in line for it, and how many; see `standsInLine`.
  var line = WaitList()
  var lineCount: Int32 = 0
  /// When the present burst began.
  var burstStart: Int64 = 0
  /// When it is done, if nothing comes between.
  var burstEnd: Int64 = 0
  /// When the first of the bursts began that the present one goes on without a break, and how much
  /// work those before it were for.
  var chainStart: Int64 = 0
  var chainWork: Int64 = 0
  /// When the quantum ends; `Int64.max` when it has no end, or nobody watches it.
  var quantumEnd = Int64.max
  /// How long the quanta are that nobody watches (see `watchQuanta`); 0 while they end by events.
  var unwatchedLength: Int64 = 0
  /// What that is where they are not alike.
  static let unlike = Int64.max
  /// How much work at speed 1 the present burst is for, costs included.
  var burst: Int64 = 0
  /// Time in the program's own work.
  var busy: Int64 = 0
  /// Time that costs took.
  var overhead: Int64 = 0
  /// When the first of the quanta ends that nobody watches, and when the present one of them began, as far as
  /// was looked at.
  var unwatchedEnd: Int64 = 0
  var unwatchedBegin: Int64 = 0
  /// The neighbours among the cores whose quanta nobody watches.
  var nextUnwatched = CoreID.none
  var previousUnwatched = CoreID.none
  /// Which last-level cache it has.
  var sharedCache: Int32 = 0
  /// The numerator and denominator of its speed.
  var speedNumerator: Int64 = 1
  var speedDenominator: Int64 = 1

  /// The time that `work` at speed 1 takes here, rounded up.
  @inline(__always)
  func time(for work: Int64) -> Int64 {
    speedNumerator == speedDenominator
      ? work : Self.time(for: work, speedNumerator, speedDenominator)
  }

  /// The work at speed 1 that is done here in `time`, rounded down.
  @inline(__always)
  func work(in time: Int64) -> Int64 {
    speedNumerator == speedDenominator
      ? time : Self.work(in: time, speedNumerator, speedDenominator)
  }

  @inline(never)
  private static func time(for work: Int64, _ numerator: Int64, _ denominator: Int64) -> Int64 {
    Speed(numerator: numerator, denominator: denominator).time(for: Nanoseconds(work)).rawValue
  }

  @inline(never)
  private static func work(in time: Int64, _ numerator: Int64, _ denominator: Int64) -> Int64 {
    Speed(numerator: numerator, denominator: denominator).work(in: Nanoseconds(time)).rawValue
  }
}
