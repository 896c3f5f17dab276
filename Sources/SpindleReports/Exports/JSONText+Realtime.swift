import SpindleModel

/// What could be known ahead of threads that do jobs, as JSON.
extension JSONText {
  static func value(_ report: RealtimeReport) -> JSONValue {
    .object([
      ("threads", .array(report.threads.map(value))),
      ("tests", .array(report.tests.map(value))),
    ])
  }

  private static func value(_ thread: RealtimeReport.Thread) -> JSONValue {
    .object([
      ("name", .string(thread.name)),
      ("core", thread.core.map { .integer(Int64($0)) } ?? .null),
      ("periodNanoseconds", .integer(thread.period.rawValue)),
      ("computationNanoseconds", .integer(thread.computation.rawValue)),
      ("deadlineNanoseconds", .integer(thread.deadline.rawValue)),
      ("boundNanoseconds", thread.bound.map { .integer($0.rawValue) } ?? .null),
      ("longestNanoseconds", thread.jobs > 0 ? .integer(thread.seen.rawValue) : .null),
      ("jobs", .integer(thread.jobs)),
      ("missed", .integer(thread.missed)),
    ])
  }

  private static func value(_ test: RealtimeReport.Test) -> JSONValue {
    .object([
      ("core", test.core.map { .integer(Int64($0)) } ?? .null),
      ("utilization", .number(Double(test.utilization) / 1_000_000)),
      ("enough", test.enough.map { .number(Double($0) / 1_000_000) } ?? .null),
      ("source", test.enough == nil ? .null : .string(test.source)),
      ("isInTime", test.isInTime.map { .boolean($0) } ?? .null),
      ("isIsolated", .boolean(test.isIsolated)),
    ])
  }
}
