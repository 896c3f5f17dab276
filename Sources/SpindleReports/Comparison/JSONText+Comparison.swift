import SpindleModel

extension JSONText {
  /// A comparison, without a line break at the end.
  ///
  /// Numbers are in nanoseconds and bytes; shares from 0 to 1.
  static func comparison(_ report: ComparisonReport) -> String {
    let comparison = report.comparison
    var members: [(key: String, value: JSONValue)] = [
      ("format", .integer(3)),
      ("measures", .array(comparison.columns.map(value))),
      (
        "equal",
        .object(comparison.equal.map { ($0.column.measure, value($0.value, $0.column.unit)) })
      ),
      ("variants", .array(report.order.map { variant($0, report) })),
    ]
    if !report.remarks.isEmpty {
      members.append(("remarks", .array(report.remarks.map { .string($0) })))
    }
    return JSONValue.object(members).text
  }

  /// What a column is.
  static func value(_ column: ComparedColumn) -> JSONValue {
    .object([
      ("measure", .string(column.measure)),
      ("unit", .string(unit(column.unit))),
      ("better", column.preference.map { .string($0.rawValue) } ?? .null),
    ])
  }

  /// What a measure came to in one run.
  static func value(_ value: MeasuredValue, _ unit: MeasureUnit) -> JSONValue {
    switch value {
    case .number(let number):
      unit == .truth ? .boolean(number != 0) : unit.plain(Double(number), exactly: number).json
    case .text(let text): .string(text)
    case .missing: .null
    }
  }

  static func unit(_ unit: MeasureUnit) -> String {
    switch unit {
    case .duration: "nanoseconds"
    case .size: "bytes"
    case .count: "count"
    case .decimal: "decimal"
    case .share: "share"
    case .truth: "boolean"
    case .text: "text"
    }
  }

  private static func variant(_ index: Int, _ report: ComparisonReport) -> JSONValue {
    let comparison = report.comparison
    let variant = comparison.variants[index]
    var members: [(key: String, value: JSONValue)] = [
      ("label", .string(variant.label)),
      (
        "settings",
        .object(zip(comparison.settingNames, variant.settings).map { ($0, .string($1)) })
      ),
      ("seeds", .array(variant.runs.map { .string("\($0.seed)") })),
      ("outcomes", .array(variant.runs.map { .string($0.outcome.name) })),
      ("isCutOff", .boolean(variant.runs.contains(where: \.isCut))),
    ]
    if !report.tradeOff.isEmpty {
      members.append(("isOnFront", .boolean(report.front.contains(index))))
    }
    members.append(
      ("values", .array(comparison.columns.indices.map { cell($0, index, report) })))
    return .object(members)
  }

  /// The values of a column by seed, their statistics, and the difference to the first variant; null where
  /// there is none.
  private static func cell(
    _ column: Int, _ index: Int, _ report: ComparisonReport
  ) -> JSONValue {
    let comparison = report.comparison
    let unit = comparison.columns[column].unit
    let variant = comparison.variants[index]
    let sample = variant.sample(column)
    let paired = comparison.difference(of: index, to: 0, column)
    func number(_ value: Double?) -> JSONValue { value.map { unit.plain($0).json } ?? .null }
    return .object([
      ("measure", .string(comparison.columns[column].measure)),
      ("values", .array(variant.runs.map { value($0.values[column], unit) })),
      ("mean", number(sample?.mean)),
      ("deviation", number(sample?.deviation)),
      ("isBest", .boolean(report.best[column].contains(index))),
      ("difference", number(paired?.mean)),
      ("confidence95", number(paired?.halfWidth)),
      ("isDifferent", paired.map { .boolean($0.isReal) } ?? .null),
    ])
  }
}
