import SpindleModel
import Testing

@testable import SpindleSimulator

/// Circles are found once each, and a thread that only waits for a circle is not part of it.
@Suite struct WaitGraphTests {
  private func graph(_ pairs: [(Int32, Int32)]) -> WaitGraph {
    WaitGraph(
      edges: pairs.map {
        WaitGraph.Edge(
          thread: ThreadID($0.0), reason: .lock, object: "", holder: ThreadID($0.1), place: -1,
          takenAt: -1)
      })
  }

  @Test func findsCircles() {
    let rows: [([(Int32, Int32)], [[Int32]])] = [
      ([], []),
      ([(1, 2)], []),
      ([(1, 1)], [[1]]),
      ([(1, 2), (2, 1)], [[1, 2]]),
      ([(0, 1), (1, 2), (2, 1)], [[1, 2]]),
      ([(1, 2), (2, 3), (3, 1), (4, 5), (5, 4), (6, 3)], [[1, 2, 3], [4, 5]]),
      ([(1, -1), (2, 1)], []),
    ]
    for (edges, circles) in rows {
      #expect(graph(edges).cycles.map { $0.map(\.thread.index) } == circles)
    }
  }

  private func graph(_ rows: [(Int32, [Int32])]) -> WaitGraph {
    WaitGraph(
      edges: rows.map { thread, holders in
        WaitGraph.Edge(
          thread: ThreadID(thread), reason: .group, object: "",
          holder: ThreadID(holders.first ?? -1),
          place: -1,
          takenAt: -1,
          others: holders.dropFirst().map { WaitGraph.Holder(thread: ThreadID($0), queue: $0) })
      })
  }

  /// Who waits for several waits for them all: a cycle may go through any of them.
  @Test func findsCyclesThroughAnyHolder() {
    let rows: [([(Int32, [Int32])], [[Int32]])] = [
      ([(1, [7, 2]), (2, [1])], [[1, 2]]),
      ([(1, [7, 8, 1])], [[1]]),
      ([(1, [2, 3]), (2, [7]), (3, [1])], [[1, 3]]),
      // Two cycles through one thread are one, that with the holder that is named first.
      ([(1, [2, 3]), (2, [1]), (3, [1])], [[1, 2]]),
      // A cycle behind another: its threads wait for both.
      ([(1, [3, 2]), (2, [1]), (3, [4]), (4, [3])], [[3, 4], [1, 2]]),
      ([(1, [2, 3]), (2, [3]), (3, [])], []),
    ]
    for (edges, cycles) in rows {
      #expect(graph(edges).cycles.map { $0.map(\.thread.index) } == cycles)
    }
  }

  /// In a cycle, each edge's holder is the next thread, with what is known of that one.
  @Test func turnsEdgesToTheCycle() {
    let cycle = graph([(1, [7, 2]), (2, [1])]).cycles[0]
    #expect(cycle.map(\.holder.index) == [2, 1])
    #expect(cycle.map(\.queue) == [2, -1])
  }

  /// A chain of a hundred thousand threads ends in a cycle: it is found without recursion.
  @Test func followsLongChains() {
    let count: Int32 = 100_000
    let chain = (0..<count).map { ($0, [$0 + 1 < count ? $0 + 1 : count - 2]) }
    #expect(graph(chain).cycles.map { $0.map(\.thread.index) } == [[count - 2, count - 1]])
  }
}
