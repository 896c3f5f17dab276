import SpindleModel

/// How loaded the machine is, for each band of priorities.
///
/// Source: xnu:osfmk/kern/sched_average.c.
struct TimeshareLoad {
  /// A band of base priorities.
  enum Band: Int, CaseIterable {
    case foreground, standard, utility, background

    /// The band of a base priority.
    ///
    /// Source: xnu:osfmk/kern/sched_prim.c, by QoS class.
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
  struct Counts {
    private var values: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)

    subscript(band: Band) -> Int64 {
      get {
        switch band {
        case .foreground: values.0
        case .standard: values.1
        case .utility: values.2
        case .background: values.3
        }
      }
      set {
        switch band {
        case .foreground: values.0 = newValue
        case .standard: values.1 = newValue
        case .utility: values.2 = newValue
        case .background: values.3 = newValue
        }
      }
    }
  }

  /// How many threads are ready or running.
  var runnable = Counts()
  /// The averaged loads, times 128.
  private var averages = Counts()

  /// The logarithm of the band's load; nil at load 0, at which nothing decays.
  func shift(_ band: Band) -> Int? {
    let load = averages[band] >> 7
    return load == 0 ? nil : Int64.bitWidth - 1 - load.leadingZeroBitCount
  }

  /// Averages what is runnable now into the loads; called every 15 ms.
  mutating func average(coreCount: Int) {
    let cores = Int64(coreCount)
    let standard = min(runnable[.standard], 2 * cores)
    let utility = min(runnable[.utility], cores)
    let background = min(runnable[.background], 1)
    let weights: [(Band, Int64)] = [
      (.foreground, runnable[.foreground] + standard + utility + background),
      (.standard, runnable[.standard] + utility + background),
      (.utility, runnable[.utility] + background),
      (.background, runnable[.background]),
    ]
    for (band, count) in weights {
      let load = count > cores ? count * 128 / cores : 0
      averages[band] = (averages[band] * 6 + load * 4) / 10
    }
  }
}
