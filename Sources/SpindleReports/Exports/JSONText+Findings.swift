import SpindleModel

/// Findings as JSON: their text, and the data that it is made of.
extension JSONText {
  static func value(_ finding: Finding, _ source: SourceText) -> JSONValue {
    .object([
      ("kind", .string(finding.kind.rawValue)),
      ("severity", .string(finding.kind.severity.name)),
      ("timeNanoseconds", .integer(finding.time.nanoseconds)),
      ("places", .array(finding.places.map { .string(source.position(of: $0)) })),
      ("explanation", .string(finding.explanation)),
      ("fields", fields(finding.statement)),
    ])
  }

  /// What is known of a crash beside its message.
  static func value(_ crash: CrashReport, _ source: SourceText) -> JSONValue {
    .object([
      ("thread", crash.thread.map { .string($0) } ?? .null),
      (
        "calls",
        .array(
          crash.calls.map { call in
            .object([
              ("function", .string(call.function)),
              ("place", .string(source.position(of: call.place))),
              ("isDeinit", .boolean(call.isDeinit)),
            ])
          })
      ),
      ("callCount", .integer(Int64(crash.depth))),
      ("object", crash.objectName.map { .string($0) } ?? .null),
      (
        "uses",
        .array(
          crash.uses.map { use in
            .object([
              ("timeNanoseconds", .integer(use.time.nanoseconds)),
              ("thread", .string(use.thread)), ("step", .string(use.step)),
              ("place", use.place.map { .string(source.position(of: $0)) } ?? .null),
            ])
          })
      ),
    ])
  }

  /// The data of a finding, without its words.
  static func fields(_ statement: FindingStatement) -> JSONValue {
    .object([
      ("subjects", .array(statement.subjects.map(value))),
      ("amounts", .array(statement.amounts.map(value))),
      ("waits", .array(statement.waits.map(value))),
      ("cycle", statement.cycle.map { .integer(Int64($0)) } ?? .null),
    ])
  }

  private static func value(_ subject: Finding.Subject) -> JSONValue {
    .object([("role", .string(subject.role.rawValue)), ("name", .string(subject.name))])
  }

  private static func value(_ amount: Finding.Amount) -> JSONValue {
    let value: (String, JSONValue) =
      switch amount.value {
      case .count(let count): ("count", .integer(Int64(count)))
      case .duration(let length): ("nanoseconds", .integer(length.rawValue))
      case .moment(let moment): ("atNanoseconds", .integer(moment.nanoseconds))
      case .size(let size): ("bytes", .integer(size.rawValue))
      case .rate(let rate): ("perSecond", MeasureUnit.decimal.plain(Double(rate.billionths)).json)
      }
    return .object([("measure", .string(amount.measure.rawValue)), value])
  }

  private static func value(_ wait: Finding.Wait) -> JSONValue {
    .object([
      ("for", .string(wait.reason.name)), ("obstacle", .string(wait.obstacle.rawValue)),
      ("subjects", .array(wait.subjects.map(value))),
    ])
  }
}
