import SpindleModel

/// Reads `arrivals(rate: [0s: 100/s, 60s: 400/s])`: rates are numbers over a unit of time, which only this call has.
struct ArrivalRates {
  private let table: DeclarationTable

  init(_ table: DeclarationTable) { self.table = table }

  /// The schedule of a call at the top, and the call with an interval in its place; nil where it has no rate.
  func read(
    _ syntax: Grammar.Expression
  ) -> (schedule: RateSchedule, call: Grammar.Expression)? {
    guard case .call(var call) = syntax.kind, case .name("arrivals", _) = call.callee.kind,
      let first = call.arguments.first, first.label?.text == "rate"
    else { return nil }
    var points = points(first.value)
    if points.allSatisfy({ $0.rate == 0 }) {
      if table.diagnostics.isEmpty { table.report(Messages.rateZero, first.value.range) }
      points = [RateSchedule.Point(at: 0, rate: 1)]
    }
    call.arguments[0].label?.text = "every"
    // It is never asked for.
    call.arguments[0].value = Grammar.Expression(
      kind: .duration(RateSchedule.latest), range: first.value.range)
    return (
      RateSchedule(points), Grammar.Expression(kind: .call(call), range: syntax.range)
    )
  }

  private func points(_ value: Grammar.Expression) -> [RateSchedule.Point] {
    guard case .dictionary(let entries) = value.kind, !entries.isEmpty else {
      return [RateSchedule.Point(at: 0, rate: rate(value))]
    }
    var points: [RateSchedule.Point] = []
    for (key, value) in entries {
      guard case .duration(let time) = key.kind, (0...RateSchedule.latest).contains(time) else {
        table.report(Messages.rateMoment, key.range)
        continue
      }
      if let last = points.last, time < last.time {
        table.report(Messages.rateOrder, key.range)
        continue
      }
      points.append(RateSchedule.Point(at: time, rate: rate(value)))
    }
    return points.isEmpty ? [RateSchedule.Point(at: 0, rate: 0)] : points
  }

  /// The units that a rate can be over, in nanoseconds.
  private static let units: [String: Int64] = [
    "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000,
    "h": 3_600_000_000_000,
  ]

  /// Millionths in a second.
  private func rate(_ value: Grammar.Expression) -> Int64 {
    guard case .binary(let sign, let number, let unit) = value.kind, sign.text == "/",
      case .name(let name, _) = unit.kind, let length = Self.units[name],
      let billionths = billionths(number), billionths >= 0
    else {
      table.report(Messages.rateForm, value.range)
      return 0
    }
    let rate = Int128(billionths) * 1_000_000 / Int128(length)
    if rate > Int128(RateSchedule.greatest) {
      table.report(Messages.rateRange, value.range)
      return 0
    }
    return Int64(rate)
  }

  private func billionths(_ value: Grammar.Expression) -> Int64? {
    switch value.kind {
    case .integer(let number):
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
      return isTooLarge ? Int64.max : product
    case .decimal(let billionths): return billionths
    default: return nil
    }
  }
}
