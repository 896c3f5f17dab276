import SpindleHost

/// Gets memory from the system on a thread of its own, while another one fills what it has got.
final class PageThread: Sendable {
  private struct Shared: Sendable {
    var ranges: [LargeBuffer.Range] = []
    var isOver = false
  }

  private let shared = Monitor(Shared())

  /// Has memory got that is wanted soon while `body` runs, which says what by the closure that it is
  /// given.
  static func run(_ body: (_ want: @escaping ([LargeBuffer.Range]) -> Void) -> Void) {
    let pages = PageThread()
    let thread = HostThread { pages.prepare() }
    body { ranges in pages.shared.change { $0.ranges += ranges } }
    pages.shared.change { $0.isOver = true }
    thread?.join()
  }

  private func prepare() {
    while true {
      let ranges = shared.wait { shared -> [LargeBuffer.Range]? in
        if shared.isOver { return [] }
        if shared.ranges.isEmpty { return nil }
        defer { shared.ranges = [] }
        return shared.ranges
      }
      if ranges.isEmpty { return }
      for range in ranges { range.prepare() }
    }
  }
}
