import SpindleModel

/// The clock of timesharing: how loaded the machine is, for each band of priorities, and what use costs.
///
/// Every 15 ms the load is looked at and averaged; at each tick of 125 ms it decides how much a
/// millisecond of use costs until the next. Source: xnu:osfmk/kern/sched_average.c, compute_sched_load and
/// compute_averages; sched_prim.c, sched_timeshare_maintenance_continue.
struct TimeshareLoad {
  /// A band of base priorities.
  enum Band: Int, CaseIterable {
    case foreground, standard, utility, background

    /// The band of a base priority.
    ///
    /// Source: xnu:osfmk/kern/priority.c, sched_update_thread_bucket.
    init(priority: Int) {
      switch priority {
      case 32...: self = .foreground
      case 21...31: self = .standard
      case 5...20: self = .utility
      default: self = .background
      }
    }
  }

  /// A number for each band.
  struct Counts: Equatable {
    private var values = SIMD4<Int64>(repeating: 0)

    subscript(band: Band) -> Int64 {
      get { values[band.rawValue] }
      set { values[band.rawValue] = newValue }
    }
  }

  /// Between two looks at the load, in nanoseconds.
  static let sampleInterval: Int64 = 15_000_000
  /// Between two ticks, in nanoseconds.
  static let tickInterval: Int64 = 125_000_000
  /// The shift of a millisecond of use at a load of 1, for a time base of 1 ns.
  ///
  /// Source: sched_prim.c, sched_timeshare_timebase_init.
  private static let fixedShift = 23
  /// The highest load that counts.
  ///
  /// Source: xnu:osfmk/kern/sched.h, MAX_LOAD.
  private static let highestLoad: Int64 = 127

  /// How many threads are ready or running.
  var runnable = Counts()
  /// How many ticks there have been.
  private(set) var tick: Int64 = 0
  /// How often the load has been looked at.
  private var samples: Int64 = 0
  /// The averaged loads, times 16.
  private var averages = Counts()
  /// By how much the use of a band's threads is shifted; -1 while it costs nothing.
  private var shifts = Counts()

  /// Creates the clock of a machine that has been idle.
  init() { for band in Band.allCases { shifts[band] = -1 } }

  /// By how much use is shifted that is counted from the last tick on; -1 when it costs nothing.
  func shift(_ band: Band) -> Int8 { Int8(truncatingIfNeeded: shifts[band]) }

  /// Whether nothing is left of any load, so that use costs nothing, now and until somebody waits.
  var isIdle: Bool { averages == Counts() && shifts == Self().shifts }

  /// How many ticks there are before a moment.
  static func ticks(before time: Int64) -> Int64 { max(0, time - 1) / tickInterval }

  /// When the next look at the load or tick comes.
  static func next(after now: Int64) -> Int64 {
    min((now / sampleInterval + 1) * sampleInterval, (now / tickInterval + 1) * tickInterval)
  }

  /// Takes after all looks and ticks before `now`, when nobody waited for a core, so that there was no load.
  ///
  /// A few steps at most: after these, nothing is left of any load.
  mutating func catchUp(before now: Int64) {
    while true {
      let sample = (samples + 1) * Self.sampleInterval
      let tick = (self.tick + 1) * Self.tickInterval
      if min(sample, tick) >= now { return }
      if isIdle {
        samples = max(samples, (now - 1) / Self.sampleInterval)
        self.tick = max(self.tick, (now - 1) / Self.tickInterval)
        return
      }
      if sample <= tick { take(Counts(), coreCount: 1) }
      if tick <= sample { settle() }
    }
  }

  /// Looks at the load, or ticks, whichever is due at `now`; whether there was a tick.
  mutating func advance(to now: Int64, coreCount: Int) -> Bool {
    catchUp(before: now)
    if now == (samples + 1) * Self.sampleInterval { take(runnable, coreCount: coreCount) }
    if now != (tick + 1) * Self.tickInterval { return false }
    settle()
    return true
  }

  /// Averages what is runnable into the loads.
  ///
  /// Lower bands weigh on higher ones within limits, and threads count only when there are more of them
  /// than cores. Of the old value six sixteenths remain. Source: compute_sched_load.
  private mutating func take(_ runnable: Counts, coreCount: Int) {
    samples += 1
    let cores = Int64(coreCount)
    let standard = min(runnable[.standard], 2 * cores)
    let utility = min(runnable[.utility], cores)
    let background = min(runnable[.background], 1)
    average(.foreground, runnable[.foreground] + standard + utility + background, cores)
    average(.standard, runnable[.standard] + utility + background, cores)
    average(.utility, runnable[.utility] + background, cores)
    average(.background, runnable[.background], cores)
  }

  private mutating func average(_ band: Band, _ count: Int64, _ cores: Int64) {
    let load = count > cores ? min(count / cores, Self.highestLoad) : 0
    averages[band] = (averages[band] * 6 + load * 16 * 10) >> 4
  }

  /// A tick: what use costs from now on; the more load, the more.
  ///
  /// The averages are rounded to nearest; a load of 0 makes it free, another one takes its logarithm off
  /// the fixed shift. Source: compute_averages; sched_prim.c, load_shift_init.
  private mutating func settle() {
    tick += 1
    for band in Band.allCases {
      let load = (averages[band] + 8) >> 4
      let logarithm = Int64.bitWidth - 1 - load.leadingZeroBitCount
      shifts[band] = load == 0 ? -1 : Int64(Self.fixedShift - logarithm)
    }
  }
}
