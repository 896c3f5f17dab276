import SpindleModel

/// Tells which work arrived faster than it could be served.
enum OverloadText {
  /// A sentence for each kind.
  static func sentences(_ metrics: RunMetrics) -> [String] {
    metrics.kinds.compactMap { kind in
      guard let arrivals = kind.arrivals, arrivals.isOverload else { return nil }
      let served = rate(arrivals.servedRate)
      return "\(kind.pattern): \(rate(arrivals.rate)) arrive, \(served) are served, and "
        + "\(arrivals.waiting.grouped) wait at the last arrival; no more than \(served) can be sustained"
    }
  }

  /// A rate as briefly as tables have it: `250/s`, `2.5/s`, `12/min`.
  private static func rate(_ perSecond: Double) -> String {
    if perSecond >= 9.95 { return "\(Int64(perSecond.rounded()).grouped)/s" }
    if perSecond >= 0.95 { return "\((perSecond * 10).rounded() / 10)/s" }
    return "\((perSecond * 600).rounded() / 10)/min"
  }
}
