/// How much of each strand's past is known at a moment: one time for each, 0 where nothing is.
///
/// A strand is a course of things each of which comes after the one before: the code of a thread, an item of
/// a queue, a task. Source: Lamport 1978, Time, Clocks, and the Ordering of Events; Mattern 1989, Virtual Time
/// and Global States of Distributed Systems.
///
/// A strand's own time stands beside the times that it shares with the moment where it began, so that a
/// thousand strands that begin alike share one list.
struct VectorClock {
  private var times: [Int32] = []
  /// The strand whose time is not the one of the list, and its time; -1 for none.
  private var own: Int32 = -1
  private var ownTime: Int32 = 0

  /// The time of a strand.
  subscript(strand: Int32) -> Int32 {
    get { strand == own ? ownTime : listed(strand) }
    set {
      demand(newValue > self[strand], "time \(newValue) of strand \(strand) is not a later one")
      if strand != own {
        if own >= 0 { raise(own, to: ownTime) }
        own = strand
      }
      ownTime = newValue
    }
  }

  /// Whether a moment of another strand comes before.
  func knows(_ moment: Moment) -> Bool { moment.time <= self[moment.strand] }

  /// It is another strand's, which has come so far; nothing is known any more of its own one.
  mutating func become(_ strand: Int32, at time: Int32) { (own, ownTime) = (strand, time) }

  /// Whatever another one knows is known from now on.
  mutating func join(_ other: VectorClock) {
    switch Self.compare(times, other.times) {
    case (isLess: false, isMore: _): break
    case (isLess: true, isMore: false): times = other.times
    case (isLess: true, isMore: true): raise(to: other.times)
    }
    // What the list has of this one's own strand is not asked for, and is not more.
    if other.own == own {
      ownTime = max(ownTime, other.ownTime)
    } else if other.own >= 0 {
      raise(other.own, to: other.ownTime)
    }
    if own >= 0 { ownTime = max(ownTime, listed(own)) }
  }

  /// Whether the one list has less of some strand than the other one, and whether it has more of some.
  ///
  /// Mostly only one of both is so, and no list has to be written: it may be shared by many.
  private static func compare(_ one: [Int32], _ other: [Int32]) -> (isLess: Bool, isMore: Bool) {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        if one.baseAddress == other.baseAddress { return (false, false) }
        let shared = min(one.count, other.count)
        // The signs of all differences, since times are not negative.
        var (less, more): (Int32, Int32) = (0, 0)
        for strand in 0..<shared {
          less |= one[strand] &- other[strand]
          more |= other[strand] &- one[strand]
        }
        return (less < 0 || other.count > shared, more < 0 || one.count > shared)
      }
    }
  }

  /// The list has at least the times of another one.
  private mutating func raise(to theirs: [Int32]) {
    let missing = theirs.count - times.count
    if missing > 0 { times.append(contentsOf: repeatElement(0, count: missing)) }
    times.withUnsafeMutableBufferPointer { mine in
      theirs.withUnsafeBufferPointer { theirs in
        for strand in theirs.indices { mine[strand] = max(mine[strand], theirs[strand]) }
      }
    }
  }

  private func listed(_ strand: Int32) -> Int32 {
    Int(strand) < times.count ? times[Int(strand)] : 0
  }

  /// The list has at least this time of a strand.
  private mutating func raise(_ strand: Int32, to time: Int32) {
    if Int(strand) < times.count {
      if time > times[Int(strand)] { times[Int(strand)] = time }
      return
    }
    while times.count < Int(strand) { times.append(0) }
    times.append(time)
  }
}
