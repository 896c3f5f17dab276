import SpindleModel
import Testing

@testable import SpindleSimulator

/// Circles are found once each, and a thread that only waits for a circle is not part of it.
@Suite struct WaitGraphTests {
  private func graph(_ pairs: [(Int32, Int32)]) -> WaitGraph {
    WaitGraph(
      edges: pairs.map {
        WaitGraph.Edge(
          thread: $0.0, reason: .lock, object: "", holder: $0.1, place: -1, takenAt: -1)
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
      #expect(graph(edges).cycles.map { $0.map(\.thread) } == circles)
    }
  }
}
