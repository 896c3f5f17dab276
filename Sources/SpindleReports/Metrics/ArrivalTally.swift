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

/// Watches the arrivals of one kind of work: from outside, or handed on by work that came from there.
///
/// What one item hands on comes at once: only what waits when it begins to is looked at.
///
/// Where more arrives than is served, the number that waits grows with the number that arrived; in a queue that is
/// stable it does not. So there is overload where one in twenty of all waits at the end, and no less of a share than at
/// the last power of two of arrivals, by a margin of three tenths.
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
  }

  private var first = Moment()
  private var last = Moment()
  /// When the last one arrived that did not wait behind another one.
  private var idle = Moment()
  /// At the last two powers of two of arrivals.
  private var earlier = Moment()
  private var present = Moment()
  /// What took the last one, by its name, and where that was submitted.
  private(set) var pool: Int32 = -1
  private var place: Int32 = -1
  /// How many there were, and the item that handed the last one on; -1 for none.
  private(set) var total: Int64 = 0
  private var parent: Int32 = -1

  /// An item arrives, or is handed on by another: how many have been served, and how many wait, this one included.
  @inline(__always)
  mutating func add(
    _ entry: UnsafePointer<LogEntry>, by parent: Int32 = -1, served: Int64, waiting: Int64
  ) {
    let time = entry.pointee.time
    total &+= 1
    if parent >= 0 && parent == self.parent { return }
    self.parent = parent
    (pool, place) = (entry.pointee.other, entry.pointee.place)
    last = Moment(
      time: time, count: total, samples: last.samples &+ 1, served: served, waiting: waiting)
    if last.samples == 1 { first = last }
    if waiting <= 1 { idle = last }
    if last.samples & (last.samples &- 1) == 0 {
      earlier = present
      present = last
    }
  }

  /// The numbers; nil where nothing arrived over a time.
  var metrics: ArrivalMetrics? {
    guard last.samples > 1, last.time > first.time else { return nil }
    // The present power of two is more than half of all.
    let share = Double(last.waiting) / Double(last.count)
    let before = earlier.count > 0 ? Double(earlier.waiting) / Double(earlier.count) : 0
    let isOverload = last.samples >= Self.fewest && share >= 0.05 && share >= 0.7 * before
    let start = isOverload && idle.time < last.time ? idle : first
    let seconds = Double(last.time - start.time) / 1e9
    return ArrivalMetrics(
      count: total, samples: last.samples, isHandedOn: parent >= 0, waiting: last.waiting,
      isOverload: isOverload,
      rate: Double(last.count - start.count) / seconds,
      servedRate: Double(last.served - start.served) / seconds, last: Instant(last.time),
      place: place)
  }
}
