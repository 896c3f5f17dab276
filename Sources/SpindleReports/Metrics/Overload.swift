import SpindleModel

/// Finds work that arrived faster than it could be served.
enum Overload {
  /// A finding for each kind of such work; `place` gives the range of a place in the log.
  static func findings(_ kinds: [KindMetrics], place: (Int32) -> SourceRange?) -> [Finding] {
    kinds.compactMap { kind in
      guard let arrivals = kind.arrivals, arrivals.isOverload else { return nil }
      return Finding(
        kind: .overload, time: arrivals.last, places: place(arrivals.place).map { [$0] } ?? [],
        statement: statement(kind.pattern, arrivals))
    }
  }

  private static func statement(_ pattern: String, _ arrivals: ArrivalMetrics) -> FindingStatement {
    let served = rate(arrivals.servedRate)
    let verb = arrivals.isHandedOn ? "is handed on" : "arrives"
    var text: FindingStatement = "\(pattern, .item) \(words: verb) at "
    text += "\(perSecond: rate(arrivals.rate), .arriving) and is served at "
    text += "\(perSecond: served, .served)"
    switch arrivals.bottleneck {
    case .lock(let name): text += " by lock \(name, .lock)"
    case .actor(let name): text += " by actor \(name, .actor)"
    case .cores: text += " by the cores"
    case nil: if let pool = arrivals.pool { text += " by \(pool, .executor)" }
    }
    let waiting = Int(arrivals.waiting)
    let wait =
      if arrivals.bottleneck != nil {
        waiting == 1 ? "is under way" : "are under way"
      } else {
        waiting == 1 ? "waits" : "wait"
      }
    text += ": no more than \(perSecond: served, .served) can be sustained, and \(waiting, .items)"
    return text + " \(words: wait) at the last arrival"
  }

  private static func rate(_ perSecond: Double) -> FixedDecimal {
    FixedDecimal(billionths: Int64(min(perSecond, 9e9) * 1e9))
  }
}
