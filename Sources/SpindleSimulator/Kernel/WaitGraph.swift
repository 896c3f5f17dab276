import SpindleModel

/// Who waits for whom: built when nothing can happen any more, or when a run is cut off.
///
/// A thread that waits for a lock waits for its owner, one that joins for the thread that it joins.
/// What waits for a semaphore, a group or a condition waits for nobody in particular: these have no
/// owner.
struct WaitGraph {
  /// One waiting thread.
  struct Edge {
    let thread: Int32
    let reason: WaitReason
    /// What it waits for, as it is called.
    let object: String
    /// Who has it; -1 when nobody in particular does.
    let holder: Int32
    /// Where it began to wait.
    let place: Int32
    /// Where the holder took it; -1 where that says nothing.
    let takenAt: Int32
  }

  /// The waiting threads, by number.
  let edges: [Edge]

  /// The threads of each cycle, every cycle once, in the order of the lowest number in it.
  var cycles: [[Edge]] {
    var next: [Int32: Edge] = [:]
    for edge in edges {
      demand(next[edge.thread] == nil, "thread \(edge.thread) waits for two things")
      next[edge.thread] = edge
    }
    var seen: Set<Int32> = []
    var found: [[Edge]] = []
    for edge in edges where !seen.contains(edge.thread) {
      var path: [Edge] = []
      var position: [Int32: Int] = [:]
      var here: Edge? = edge
      while let step = here {
        if let start = position[step.thread] {
          found.append(Array(path[start...]))
          break
        }
        if seen.contains(step.thread) { break }
        position[step.thread] = path.count
        path.append(step)
        here = next[step.holder]
      }
      for step in path { seen.insert(step.thread) }
    }
    return found
  }
}
