/// How much of each strand's past is known at a moment: one time for each, 0 where nothing is.
///
/// A strand is a course of things each of which comes after the one before: the code of a thread, an item of
/// a queue, a task. Source: Lamport 1978, Time, Clocks, and the Ordering of Events; Mattern 1989, Virtual Time
/// and Global States of Distributed Systems.
struct VectorClock {
  private var times: [Int32] = []

  /// The time of a strand.
  subscript(strand: Int32) -> Int32 {
    get { Int(strand) < times.count ? times[Int(strand)] : 0 }
    set {
      demand(newValue > self[strand], "time \(newValue) of strand \(strand) is not a later one")
      while times.count <= Int(strand) { times.append(0) }
      times[Int(strand)] = newValue
    }
  }

  /// Whatever another one knows is known from now on.
  mutating func join(_ other: VectorClock) {
    if times.isEmpty {
      times = other.times
      return
    }
    while times.count < other.times.count { times.append(0) }
    for (strand, time) in other.times.enumerated() where time > times[strand] {
      times[strand] = time
    }
  }
}
