import SpindleModel

/// Cores of one cluster and speed, where a machine has several kinds.
struct CoreKind {
  let cluster: CoreDescription.Cluster
  let speed: Speed
  /// The numbers of its cores.
  private(set) var cores: [Int]

  /// The kinds of a machine, in the order of their first cores.
  static func all(_ cores: [CoreDescription]) -> [CoreKind] {
    var kinds: [CoreKind] = []
    for (number, core) in cores.enumerated() {
      if let known = kinds.firstIndex(where: {
        $0.cluster == core.cluster && $0.speed == core.speed
      }) {
        kinds[known].cores.append(number)
      } else {
        kinds.append(CoreKind(cluster: core.cluster, speed: core.speed, cores: [number]))
      }
    }
    return kinds
  }

  /// What each core is called: `core 2`, or with its kind where there are several, `core 2 E 0.4`.
  static func labels(_ cores: [CoreDescription]) -> [String] {
    let kinds = all(cores)
    let hasClusters = Set(kinds.map(\.cluster)).count > 1
    return cores.enumerated().map { number, core in
      var label = "core \(number)"
      if hasClusters { label += core.cluster == .performance ? " P" : " E" }
      if kinds.count > 1, core.speed != .one { label += " \(Self.decimal(core.speed))" }
      return label
    }
  }

  /// Its name with its speed: `efficiency at speed 0.4`.
  var name: String {
    cluster.rawValue + (speed == .one ? "" : " at speed \(Self.decimal(speed))")
  }

  /// The used share of its cores' time.
  func use(_ metrics: RunMetrics) -> Percentage {
    let (used, whole) = cores.reduce((Int128(0), Int128(0))) { sum, number in
      let core = metrics.cores[number]
      let part = Int128(core.busy.rawValue) + Int128(core.overhead.rawValue)
      return (sum.0 + part, sum.1 + Int128(metrics.span.rawValue))
    }
    return Percentage(min(used, whole), of: whole)
  }

  private static func decimal(_ speed: Speed) -> FixedDecimal {
    FixedDecimal(billionths: speed.numerator * 1_000_000_000 / speed.denominator)
  }
}
