package import SpindleModel

extension CSVText {
  /// The title of a column with its unit: `makespan [ns]`.
  package static func title(_ column: ComparedColumn) -> String {
    column.unit.symbol.map { "\(column.measure) [\($0)]" } ?? column.measure
  }

  /// A value as a field: a number in its smallest unit, empty without one.
  package static func field(_ value: MeasuredValue, _ unit: MeasureUnit) -> String {
    switch value {
    case .number(let number): unit.plain(Double(number), exactly: number).text
    case .text(let text): text
    case .missing: ""
    }
  }
}
