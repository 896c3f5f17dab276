import SpindleModel

/// Who waits for whom: built when nothing can happen any more, or when a run is cut off.
///
/// A thread that waits for a lock waits for its owner, one that joins for the thread that it joins.
/// What waits for a group or for operations waits for all of their members, so for each thread that
/// one of these depends on. What waits for a semaphore or a condition waits for nobody in particular:
/// these have no owner, and it is said which code would end the wait.
struct WaitGraph {
  /// A thread on which another depends.
  struct Holder: Hashable {
    let thread: ThreadID
    /// Where it took what it has, or where what is waited for was handed over; -1 where that says
    /// nothing.
    var takenAt: Int32 = -1
    /// The queue that it has and in which what is waited for still stands; -1 where it runs it.
    var queue: Int32 = -1
    /// What stands there, by its name; nil where that has none.
    var item: String?
  }

  /// One waiting thread.
  struct Edge {
    let thread: ThreadID
    let reason: WaitReason
    /// What it waits for, as it is called.
    let object: String
    /// Who has it; none when nobody in particular does.
    var holder: ThreadID
    /// Where it began to wait.
    let place: Int32
    /// Where the holder took it; -1 where that says nothing.
    var takenAt: Int32
    /// The queue of the holder in which what it waits for still stands; -1 for none.
    var queue: Int32 = -1
    /// What stands there, by its name; nil where that has none.
    var item: String?
    /// Whom it waits for besides: it needs them all.
    var others: [Holder] = []
    /// Of what has no owner, the code that would end the wait; nil where that was not looked for.
    var enders: [RemainingWork.Piece]?
    /// Where nobody would end it, the instructions that would have, in code that is past or was skipped.
    var past: [Int32] = []
  }

  /// The waiting threads, by number.
  let edges: [Edge]
  /// Those that wait until a moment at most, by number, and so are in no cycle.
  var limited: [Edge] = []

  /// What each of them waits for; only looked up.
  var byThread: [ThreadID: Edge] {
    Dictionary(uniqueKeysWithValues: (edges + limited).map { ($0.thread, $0) })
  }

  /// The threads of each cycle, every cycle once and no thread in two of them, in the order of the
  /// lowest number that leads to it; in each edge, `holder` is the next thread of the cycle.
  ///
  /// Complexity: O(edges and holders), without recursion: a chain may be as long as there are threads.
  var cycles: [[Edge]] {
    var index: [ThreadID: Int] = [:]
    for (position, edge) in edges.enumerated() {
      demand(index[edge.thread] == nil, "thread \(edge.thread.index) waits for two things")
      index[edge.thread] = position
    }
    // A thread is on the path at a depth, or done: nothing that it waits for leads back to the path.
    var depth = [Int](repeating: Self.isNew, count: edges.count)
    var found: [[Edge]] = []
    for start in edges.indices where depth[start] == Self.isNew {
      var path: [(edge: Int, tried: Int)] = [(start, 0)]
      depth[start] = 0
      while let step = path.last {
        guard let holder = edges[step.edge].holder(step.tried) else {
          depth[step.edge] = Self.isDone
          path.removeLast()
          continue
        }
        path[path.count - 1].tried += 1
        guard let next = index[holder] else { continue }
        if depth[next] == Self.isNew {
          depth[next] = path.count
          path.append((next, 0))
        } else if depth[next] >= 0 {
          let first = depth[next]
          found.append(closed(path[first...]))
          for step in path[first...] { depth[step.edge] = Self.isDone }
          path.removeSubrange(first...)
        }
      }
    }
    return found
  }

  private static let isNew = -1
  private static let isDone = -2

  /// The edges of a path that leads back to its beginning, each to the one after it.
  private func closed(_ path: ArraySlice<(edge: Int, tried: Int)>) -> [Edge] {
    path.map { step in
      var edge = edges[step.edge]
      edge.turn(to: step.tried - 1)
      return edge
    }
  }
}

extension WaitGraph.Edge {
  /// Whom it waits for, by number; nil behind the last.
  fileprivate func holder(_ number: Int) -> ThreadID? {
    if number == 0 { return holder }
    return number <= others.count ? others[number - 1].thread : nil
  }

  /// Makes one of those whom it waits for its holder.
  fileprivate mutating func turn(to number: Int) {
    if number > 0 { take(others[number - 1]) }
  }

  /// Makes a thread its holder.
  mutating func take(_ other: WaitGraph.Holder) {
    (holder, takenAt, queue, item) = (other.thread, other.takenAt, other.queue, other.item)
  }
}
