import SpindleModel

/// The columns of a comparison without requested ones: those in which the variants differ.
///
/// Kinds of work are never mixed, unless each of them is one item, as in textbooks: then the means over all
/// items are compared.
package struct StandardColumns: Sendable {
  /// The columns that differ, or all where there is nothing to compare.
  package private(set) var columns: [ComparedColumn] = []
  /// Those that are equal in every run, with their value.
  package private(set) var equal: [(column: ComparedColumn, value: MeasuredValue)] = []
  private var sources: [Source] = []

  /// How many kinds of work have a column.
  private static let mostKinds = 2

  /// Where a column's number comes from.
  fileprivate enum Source: Hashable, Sendable {
    case makespan, allLatency, allWait, latency(String), stall, threads, memory, switches, used
  }

  /// Chooses for runs by variant and seed; `hasMain` when a main thread could stall.
  package init(_ runs: [[RunMetrics]], hasMain: Bool) {
    let all = runs.flatMap { $0 }
    var candidates: [Source] = [.makespan]
    candidates += StandardColumns.work(all)
    if hasMain { candidates.append(.stall) }
    candidates += [.threads, .memory, .switches, .used]
    for source in candidates {
      let values = all.map { source.value($0) }
      let first = values.first ?? .missing("")
      if runs.count > 1 && values.allSatisfy({ $0 == first }) {
        equal.append((source.column, first))
      } else {
        columns.append(source.column)
        sources.append(source)
      }
    }
  }

  /// The values of a run.
  package func values(_ run: RunMetrics) -> [MeasuredValue] { sources.map { $0.value(run) } }

  /// The kinds that differ most, relative to the greatest value of each; or the means over all items.
  private static func work(_ runs: [RunMetrics]) -> [Source] {
    let isOneEach = runs.allSatisfy { run in run.kinds.allSatisfy { $0.count <= 1 } }
    if isOneEach, runs.contains(where: { $0.kinds.count > 1 }) { return [.allLatency, .allWait] }
    var (order, least, greatest): ([String], [String: Int64], [String: Int64]) = ([], [:], [:])
    var seen: [String: Int] = [:]
    for run in runs {
      for pattern in Set(run.kinds.lazy.filter { $0.latency.count > 0 }.map(\.pattern)) {
        seen[pattern, default: 0] += 1
      }
      for kind in run.kinds where kind.latency.count > 0 {
        if least[kind.pattern] == nil { order.append(kind.pattern) }
        let value = kind.latency.p95.rawValue
        least[kind.pattern] = Swift.min(least[kind.pattern] ?? value, value)
        greatest[kind.pattern] = Swift.max(greatest[kind.pattern] ?? value, value)
      }
    }
    // What only some of the variants do can't be compared, and is shown where there is nothing else.
    let everywhere = order.filter { seen[$0] == runs.count }
    if !everywhere.isEmpty { order = everywhere }
    func change(_ pattern: String) -> Int64 {
      let (low, high) = (least[pattern] ?? 0, greatest[pattern] ?? 0)
      return high > 0 ? Int64(Int128(high - low) * 1_000_000 / Int128(high)) : 0
    }
    let ranked = order.indices.sorted {
      let (left, right) = (change(order[$0]), change(order[$1]))
      return left == right ? $0 < $1 : left > right
    }
    return ranked.prefix(mostKinds).sorted().map { .latency(order[$0]) }
  }
}

extension StandardColumns.Source {
  fileprivate var column: ComparedColumn {
    switch self {
    case .makespan: duration("makespan", "makespan")
    case .allLatency: duration("latency mean", "latency(\"*\").mean")
    case .allWait: duration("wait mean", "wait(\"*\").mean")
    case .latency(let pattern):
      duration("\(pattern) p95", "latency(\(ValueText.quoted(pattern))).p95")
    case .stall: duration("main stall", "main.longestStall")
    case .threads:
      ComparedColumn("threads", measure: "threads.peak", unit: .count, preference: .less)
    case .memory: ComparedColumn("memory", measure: "memory.peak", unit: .size, preference: .less)
    case .switches: ComparedColumn("switches", measure: "switches", unit: .count, preference: .less)
    case .used: ComparedColumn("used", measure: "utilization", unit: .share, preference: .more)
    }
  }

  private func duration(_ title: String, _ measure: String) -> ComparedColumn {
    ComparedColumn(title, measure: measure, unit: .duration, preference: .less)
  }

  fileprivate func value(_ run: RunMetrics) -> MeasuredValue {
    switch self {
    case .makespan: return .number(run.makespan.nanoseconds)
    case .allLatency: return mean(run.items.latency)
    case .allWait: return mean(run.items.wait)
    case .latency(let pattern):
      // A kind that the trace named goes before one that is called after what submits it.
      let kinds = run.kinds.filter { $0.pattern == pattern && $0.latency.count > 0 }
      guard let kind = kinds.first(where: \.isNamed) ?? kinds.first else {
        return .missing("no \(ValueText.quoted(pattern)) ended")
      }
      return .number(kind.latency.p95.rawValue)
    case .stall: return .number(run.mainLongestStall.rawValue)
    case .threads: return .number(run.threadsPeak)
    case .memory: return .number(run.memoryPeak.rawValue)
    case .switches: return .number(run.switches)
    case .used: return .number(run.usedShare.billionths)
    }
  }

  private func mean(_ distribution: LatencyDistribution) -> MeasuredValue {
    distribution.count > 0 ? .number(distribution.mean.rawValue) : .missing("no item ended")
  }
}
