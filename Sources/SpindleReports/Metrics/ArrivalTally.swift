public import SpindleModel

/// How work came from outside, and how much of it was served meanwhile.
public struct ArrivalMetrics: Hashable, Sendable {
  /// How many items arrived.
  public var count: Int64
  /// From the first arrival to the last one.
  public var span: Nanoseconds
  /// How many items of the kind ended in that time.
  public var served: Int64
  /// How many waited when the last one arrived.
  public var waiting: Int64
  /// Whether more arrived than could be served.
  public var isOverload: Bool

  /// How many arrived per second.
  package var rate: Double { Double(count - 1) / seconds }
  /// How many were served per second: where more arrived, what can be sustained.
  package var servedRate: Double { Double(served) / seconds }
  private var seconds: Double { Double(span.rawValue) / 1e9 }
}

/// Watches the arrivals of one kind of work.
///
/// Where more arrives than is served, the number that waits grows with the number that arrived; in a queue that is
/// stable it does not. So there is overload where one in twenty of all waits at the end, and no less of a share than at
/// the last power of two of arrivals, by a margin of three tenths.
struct ArrivalTally {
  /// How few arrivals tell nothing.
  static let fewest: Int64 = 64

  private var count: Int64 = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  private var servedAtFirst: Int64 = 0
  private var served: Int64 = 0
  private var waiting: Int64 = 0
  /// How many had arrived at the last power of two that is at most half of all, and how many waited then.
  private var earlier: (count: Int64, waiting: Int64) = (0, 0)
  private var present: (count: Int64, waiting: Int64) = (0, 0)

  /// An item arrives: how many have been served, and how many wait, this one included.
  mutating func add(at time: Int64, served: Int64, waiting: Int64) {
    if count == 0 { (first, servedAtFirst) = (time, served) }
    count &+= 1
    (last, self.served, self.waiting) = (time, served, waiting)
    if count & (count &- 1) == 0 {
      earlier = present
      present = (count, waiting)
    }
  }

  /// The numbers; nil where nothing arrived over a time.
  var metrics: ArrivalMetrics? {
    guard count > 1, last > first else { return nil }
    // The present power of two is more than half of all.
    let share = Double(waiting) / Double(count)
    let before = earlier.count > 0 ? Double(earlier.waiting) / Double(earlier.count) : 0
    return ArrivalMetrics(
      count: count, span: Nanoseconds(last - first), served: served - servedAtFirst,
      waiting: waiting,
      isOverload: count >= Self.fewest && share >= 0.05 && share >= 0.7 * before)
  }
}
