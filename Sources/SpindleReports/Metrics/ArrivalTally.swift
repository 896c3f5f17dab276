package import SpindleModel

/// How work came from outside, and how much of it was served meanwhile.
package struct ArrivalMetrics: Hashable, Sendable {
  /// How many items arrived, or were handed on.
  package var count: Int64
  /// How often: what one item hands on comes at once.
  package var samples: Int64
  /// Whether they did not come from outside themselves: work that did handed them on.
  package var isHandedOn = false
  /// How many waited when the last one arrived.
  package var waiting: Int64
  /// For what these waited that had begun; nil where they had not.
  package var bottleneck: Bottleneck?
  /// Whether more arrived than could be served.
  package var isOverload: Bool
  /// How many arrived per second: where more arrived than could be served, since some have always waited.
  package var rate: Double
  /// How many were served per second in that time: in an overload, what can be sustained.
  package var servedRate: Double
  /// When the last one arrived.
  package var last: Instant
  /// Where the last one was submitted, by its number in the program's places; -1 for nowhere.
  package var place: Int32
  /// What takes it: an executor or queue; nil where that has no name.
  package var pool: String?
  /// How many threads it asks for on average: its rate times how long an item has a thread.
  package var offered: Double = 0
}

/// What work waits for that has begun.
package enum Bottleneck: Hashable, Sendable {
  /// A lock or semaphore, or an actor, by its name.
  case lock(String), actor(String)
  /// No core is free.
  case cores
}

/// Watches the arrivals of one kind of work: from outside, or handed on by work that came from there.
///
/// What one item hands on comes at once: only what waits when it begins to is looked at.
///
/// Where more arrives than is served, the number that waits grows with the number that arrived; in a queue that is
/// stable it does not. So there is overload where one in twenty of all waits at the end, and no less of a share than at
/// the last power of two of arrivals, by a margin of three tenths.
///
/// What waits for a lock, an actor or a core has begun already, as has what takes long by itself. So the open items
/// count only where most of their time was such a wait, and the latencies grow with the arrivals: behind a queue that
/// grows, those of the later half are three to five times those before.
struct ArrivalTally {
  /// How few arrivals tell nothing.
  static let fewest: Int64 = 64

  /// What there was at an arrival, this one included.
  private struct Moment {
    var time: Int64 = 0
    var count: Int64 = 0
    var samples: Int64 = 0
    var served: Int64 = 0
    var waiting: Int64 = 0

    /// How many were not done.
    var open: Int64 { count &- served }
  }

  /// Latencies, added up.
  private struct Latencies {
    var count: Int64 = 0
    var sum: Int64 = 0

    mutating func add(_ latency: Int64) {
      count &+= 1
      sum &+= latency
    }
  }

  private var first = Moment()
  private var last = Moment()
  /// When the last one arrived that did not wait behind another one.
  private var idle = Moment()
  /// At the last two powers of two of arrivals.
  private var earlier = Moment()
  private var present = Moment()
  /// The latencies of those that arrived since these two moments.
  private var sinceEarlier = Latencies()
  private var sincePresent = Latencies()
  /// What took the last one, by its name, and where that was submitted.
  private(set) var pool: Int32 = -1
  private var place: Int32 = -1
  /// How many there were.
  private(set) var total: Int64 = 0
  /// Which thread handed the last one on, and when; -1 for the world outside.
  private var giver: Int32 = -1
  private var givenAt: Int64 = -1

  /// An item arrives, or is handed on by a thread that began at `begun` what does so: how many have been served, and how
  /// many wait, this one included.
  @inline(__always)
  mutating func add(
    _ entry: UnsafePointer<LogEntry>, begun: Int64, served: Int64, waiting: Int64
  ) {
    let time = entry.pointee.time
    total &+= 1
    let giver = entry.pointee.thread
    if giver >= 0 && giver == self.giver && begun == givenAt { return }
    (self.giver, givenAt) = (giver, begun)
    (pool, place) = (entry.pointee.other, entry.pointee.place)
    last = Moment(
      time: time, count: total, samples: last.samples &+ 1, served: served, waiting: waiting)
    if last.samples == 1 { first = last }
    if waiting <= 1 { idle = last }
    if last.samples & (last.samples &- 1) == 0 {
      earlier = present
      present = last
      (sinceEarlier, sincePresent) = (sincePresent, Latencies())
    }
  }

  /// One that arrived so long ago is done.
  @inline(never)
  mutating func ended(_ latency: Int64, at time: Int64) {
    let arrived = time &- latency
    if arrived < earlier.time { return }
    sinceEarlier.add(latency)
    if arrived >= present.time { sincePresent.add(latency) }
  }

  /// How few latencies tell nothing, and by what factor they grow behind a queue that does.
  private static let fewestLatencies: Int64 = 16
  private static let growth = 2.0

  /// Whether the latencies grow with the number that arrived; `all` is those of all.
  private func latenciesGrow(_ all: LatencyDistribution) -> Bool {
    let earlyCount = all.count - sinceEarlier.count
    guard earlyCount >= Self.fewestLatencies, sinceEarlier.count >= Self.fewestLatencies else {
      return false
    }
    let early = Double(all.total.rawValue - sinceEarlier.sum) / Double(earlyCount)
    return Double(sinceEarlier.sum) / Double(sinceEarlier.count) >= Self.growth * early
  }

  /// Whether a number of open items says that more arrives than is served.
  private func isOverload(_ open: (Moment) -> Int64) -> Bool {
    // The present power of two is more than half of all.
    let share = Double(open(last)) / Double(last.count)
    let before = earlier.count > 0 ? Double(open(earlier)) / Double(earlier.count) : 0
    return last.samples >= Self.fewest && share >= 0.05 && share >= 0.7 * before
  }

  /// The numbers; nil where nothing arrived over a time.
  ///
  /// `latency` is that of all of the kind, `bottleneck` what they waited for most of that time, where all of them
  /// arrived, and `drained` when all had ended, if they have. What can be sustained is seen at the last arrival, when
  /// some are half done, and at the end, when not all servers are busy: the truth is above both.
  func metrics(_ latency: LatencyDistribution, bottleneck: Bottleneck?, drained: Int64?)
    -> ArrivalMetrics?
  {
    guard last.samples > 1, last.time > first.time else { return nil }
    let isQueued = isOverload(\.waiting)
    let isStuck =
      !isQueued && bottleneck != nil && isOverload(\.open) && latenciesGrow(latency)
    let isOverload = isQueued || isStuck
    let start = isOverload && idle.time < last.time ? idle : first
    let seconds = Double(last.time - start.time) / 1e9
    var servedRate = Double(last.served - start.served) / seconds
    if isOverload, let drained, drained > start.time {
      let served = Double(latency.count - start.served)
      servedRate = max(servedRate, served * 1e9 / Double(drained - start.time))
    }
    var metrics = ArrivalMetrics(
      count: total, samples: last.samples, isHandedOn: giver >= 0,
      waiting: isStuck ? last.open : last.waiting, isOverload: isOverload,
      rate: Double(last.count - start.count) / seconds, servedRate: servedRate,
      last: Instant(last.time), place: place)
    metrics.bottleneck = isStuck ? bottleneck : nil
    return metrics
  }
}
