/// What probes took of the threads that came to them, which is part of what was recorded and not of the program.
///
/// It is the least time from a probe of one kind to the next of the same thread, which had its core all the while,
/// but no more than is usual: what the program itself did in between is in it too, so that it may be a little too
/// long, and what most took beyond the least is left in the work.
package struct ProbeCosts: Hashable, Sendable {
  /// By kind, in nanoseconds; none where nothing is known.
  private var costs: [Int64] = []

  /// Nothing.
  init() {}

  /// What a probe took.
  func cost(of probe: DispatchProbe) -> Int64 { costs.isEmpty ? 0 : costs[probe.kind] }

  /// Measures probes, in the order of time.
  struct Meter {
    /// A kind is known if this many were followed by another.
    private static let fewest: Int64 = 8

    /// The last probe of each thread since it got its core, and when.
    private var last: [Int: (kind: Int, time: Int64)] = [:]
    private var least = Array(repeating: Int64.max, count: DispatchProbe.kinds)
    private var pairs = Array(repeating: Int64(0), count: DispatchProbe.kinds)

    /// A thread came to a probe.
    mutating func probed(_ thread: Int, _ probe: DispatchProbe, at time: Int64) {
      if let before = last[thread] {
        least[before.kind] = min(least[before.kind], max(0, time - before.time))
        pairs[before.kind] += 1
      }
      last[thread] = (probe.kind, time)
    }

    /// A thread left its core, or got one.
    mutating func moved(_ thread: Int) { if !last.isEmpty { last[thread] = nil } }

    /// What they took; nothing where no kind is known.
    var costs: ProbeCosts {
      var costs = ProbeCosts()
      let usual = [
        usual(where: { $0 < DispatchProbe.exits }), usual(where: { $0 >= DispatchProbe.exits }),
      ]
      costs.costs = least.indices.map { min(least[$0], usual[$0 < DispatchProbe.exits ? 0 : 1]) }
      return costs
    }

    /// The middle of the least times of the kinds that are known; 0 of none.
    private func usual(where isOfSort: (Int) -> Bool) -> Int64 {
      let known = least.indices.filter { isOfSort($0) && pairs[$0] >= Self.fewest }.map {
        least[$0]
      }
      return known.isEmpty ? 0 : known.sorted()[(known.count - 1) / 2]
    }
  }
}

extension DispatchProbe {
  /// The number of kinds, and the first of those at a function's end: there the delay before the probe is
  /// recorded is much longer than after it.
  fileprivate static let (kinds, exits) = (14, 9)

  fileprivate var kind: Int {
    switch self {
    case .creates: 0
    case .submits(_, _, let path, _): path == .root ? 2 : 1
    case .calls: 3
    case .syncs: 4
    case .waits: 5
    case .signals, .leaves: 6
    case .waitsForGroup: 7
    case .worker: 8
    case .created: 9
    case .returns: 10
    case .synced: 11
    case .waited: 12
    case .waitedForGroup: 13
    }
  }
}
