package import SpindleModel

/// One column of a comparison.
package struct ComparedColumn: Hashable, Sendable {
  /// The title above it.
  package var title: String
  /// The measure as the language of expectations spells it.
  package var measure: String
  /// What its values are.
  package var unit: MeasureUnit
  /// Which values are better; nil if there is no order.
  package var preference: MeasurePreference?

  /// Creates a column.
  package init(
    _ title: String, measure: String, unit: MeasureUnit, preference: MeasurePreference?
  ) {
    (self.title, self.measure, self.unit, self.preference) = (title, measure, unit, preference)
  }

  /// The column of a measure that was asked for.
  package init(_ measure: RequestedMeasure) {
    self.init(
      measure.text, measure: measure.text, unit: measure.unit,
      preference: MeasurePreference(measure.term))
  }

  /// Whether nothing is computed with its values.
  package var isText: Bool { unit == .text }

  /// The first of several values that is as good as any other; nil where none is better.
  package func best(_ values: [Double]) -> Double? {
    switch preference {
    case .less: values.min()
    case .more: values.max()
    case nil: nil
    }
  }

  /// Whether the first value is better than the second.
  package func prefers(_ first: Double, to second: Double) -> Bool {
    switch preference {
    case .less: first < second
    case .more: first > second
    case nil: false
    }
  }
}

extension MeasureUnit {
  /// A value of an expectation as a number of this unit; nil for another sort of value.
  package func number(_ value: ExpectationValue) -> Double? {
    let isDecimal = self == .decimal || self == .share
    switch value {
    case .integer(let number): return Double(number) * (isDecimal ? 1e9 : 1)
    case .duration(let length): return Double(length.rawValue)
    case .size(let size): return Double(size.rawValue)
    case .decimal(let decimal): return Double(decimal.billionths) / (isDecimal ? 1 : 1e9)
    default: return nil
    }
  }

  /// A mean of values, in three digits: `1.25ms`, `50.0%`.
  package func approximate(_ mean: Double) -> String {
    switch self {
    case .duration: Nanoseconds(MeasureUnit.whole(mean)).approximate
    case .size: mean < 0 ? "-" + approximate(-mean) : ByteCount(MeasureUnit.whole(mean)).approximate
    case .count: mean == mean.rounded() ? MeasureUnit.whole(mean).grouped : mean.fixed(1)
    case .share: Percentage(hundredths: MeasureUnit.whole(mean / 100_000)).description
    case .decimal: MeasureUnit.trimmed((mean / 1e9).fixed(3))
    case .truth: mean == 0 ? "false" : mean == 1 ? "true" : "\((mean * 100).fixed(0))%"
    case .text: ""
    }
  }

  /// A mean of values with half of its confidence interval, `1.25ms ±30us`; without one where all are alike.
  package func approximate(_ mean: Double, halfWidth: Double?) -> String {
    let spread = halfWidth.flatMap { $0 > 0 ? " ±\(self.spread($0))" : nil }
    return approximate(mean) + (spread ?? "")
  }

  /// How far values spread, as `approximate` writes them.
  package func spread(_ deviation: Double) -> String {
    self == .truth ? "\((deviation * 100).fixed(0))%" : approximate(deviation)
  }

  /// One value, exactly, as the trace language writes it.
  package func exact(_ value: Int64) -> String {
    switch self {
    case .duration: Nanoseconds(value).description
    case .size: ByteCount(value).description
    case .count: "\(value)"
    case .share, .decimal: FixedDecimal(billionths: value).description
    case .truth: value == 0 ? "false" : "true"
    case .text: ""
    }
  }

  /// The unit of its numbers in a file for other programs; nil where they have no unit.
  package var symbol: String? {
    switch self {
    case .duration: "ns"
    case .size: "B"
    case .count, .decimal, .share, .truth, .text: nil
    }
  }

  /// A number for other programs: whole where it is, else with at most three digits behind the point
  /// of its unit, or nine of a decimal.
  func plain(_ value: Double) -> PlainNumber {
    let scale = self == .decimal || self == .share ? 1.0 : 1_000.0
    let divisor = self == .decimal || self == .share ? 1e9 : 1_000.0
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e18 else { return .fraction(value) }
    let whole = scaled / divisor
    return whole == whole.rounded() ? .whole(Int64(whole)) : .fraction(whole)
  }

  /// One value for other programs: a count stays exact, also beyond 2^53.
  func plain(_ value: Double, exactly number: Int64) -> PlainNumber {
    self == .decimal || self == .share ? plain(value) : .whole(number)
  }

  private static func whole(_ value: Double) -> Int64 {
    let rounded = value.rounded()
    return rounded.magnitude < 9e18 ? Int64(rounded) : rounded < 0 ? .min : .max
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}

/// A number for other programs, which is whole where it is.
enum PlainNumber {
  case whole(Int64)
  case fraction(Double)

  var json: JSONValue {
    switch self {
    case .whole(let number): .integer(number)
    case .fraction(let number): .number(number)
    }
  }

  var text: String {
    switch self {
    case .whole(let number): "\(number)"
    case .fraction(let number): "\(number)"
    }
  }
}
