/// A cluster of cores with its own queues, as XNU's schedulers see it.
struct ClutchCluster {
  /// The cores' numbers.
  var cores: [Int] = []
  /// Whether its cores are the slow, frugal ones.
  let isEfficient: Bool
  /// Which of its cores a thread looks at first when it gets ready and none is idle.
  var nextCore = 0
  /// Which class is next.
  var clock: ClutchClock
  /// How long threads would wait here.
  var load = EdgeLoad()
  /// How many ordinary threads run here, by class, and how many real-time ones.
  var running = ContiguousArray(repeating: 0, count: ClutchBucket.count)
  var urgent = 0
  /// How many ordinary threads wait here.
  var waiting = 0
  /// Since when a core may be idle of which the load does not know; -1 for none.
  var idleSince: Int64 = -1

  init(isEfficient: Bool, longQuanta: Bool) {
    self.isEfficient = isEfficient
    clock = ClutchClock(longQuanta: longQuanta)
  }
}

/// A core as XNU's schedulers see it.
struct ClutchCore: BitwiseCopyable {
  /// The cluster that it is in.
  var cluster: Int
  /// The thread that it runs, one that has just left it and may go on, one that it is to run next; -1 for none.
  var thread = -1
  var held = -1
  var assigned = -1
  /// How fast it is.
  var numerator: Int64
  var denominator: Int64

  /// Whether nothing runs here or is about to.
  var isIdle: Bool { thread < 0 && held < 0 && assigned < 0 }

  /// Whether it is faster than another one.
  func isFaster(than other: ClutchCore) -> Bool {
    numerator * other.denominator > other.numerator * denominator
  }
}
