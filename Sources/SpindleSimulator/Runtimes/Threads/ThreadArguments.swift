import SpindleModel

/// `Thread.init`.
struct ThreadMakeArguments {
  let name: Int64?
  let workKind: Int32
  let stackSize: Int64?
  let priority: Int64?
  let quality: Int32?
  let isJoinable: Bool
  static let closure = 6

  init(_ call: Call, _ process: borrowing Process) {
    name = process.given(0, call)
    workKind = process.object(1, call)
    stackSize = process.given(2, call)
    priority = process.given(3, call)
    quality = process.given(4, call).map { Int32(truncatingIfNeeded: $0) }
    isJoinable = process.argument(5, call) != 0
  }
}

/// `Thread(period:computation:…)` and `Thread(separation:computation:…)`.
struct JobThreadArguments {
  let name: Int64?
  let workKind: Int32
  let claim: RealtimeClaim
  let offset: Int64
  let jitter: Int64
  let late: LateJob
  let count: Int64?
  let isJoinable: Bool
  let isSporadic: Bool
  static let closure = 11

  init(_ call: Call, _ process: borrowing Process) {
    name = process.given(0, call)
    workKind = process.object(1, call)
    let period = process.argument(2, call)
    claim = RealtimeClaim(
      period: Nanoseconds(period), computation: Nanoseconds(process.argument(3, call)),
      constraint: Nanoseconds(process.given(4, call) ?? period))
    offset = process.given(5, call) ?? 0
    jitter = process.given(6, call) ?? 0
    late = process.given(7, call).flatMap { LateJob(rawValue: process.kernel.text($0)) } ?? .goOn
    count = process.given(8, call)
    isJoinable = process.argument(9, call) != 0
    isSporadic = process.argument(10, call) != 0
  }

  /// What is wrong with what is given; nil when nothing is.
  func fault(_ call: Call, _ process: borrowing Process) -> String? {
    if process.argument(2, call) <= 0 { return "jobs that come all at once" }
    if claim.computation <= .zero { return "jobs that compute nothing" }
    if claim.constraint <= .zero { return "jobs that must be done when they come" }
    if offset < 0 { return "a first job before the start" }
    if jitter < 0 || jitter > claim.period.rawValue {
      return "a jitter that is not from 0 to the period"
    }
    return count.map { $0 < 0 } ?? false ? "a negative number of jobs" : nil
  }
}

/// `Thread.detachNewThread { }`.
struct ThreadDetachArguments {
  let name: Int64?
  let workKind: Int32
  static let closure = 2

  init(_ call: Call, _ process: borrowing Process) {
    name = process.given(0, call)
    workKind = process.object(1, call)
  }
}

/// `threadDictionary[key] = value`.
struct KeepValueArguments {
  let key: Int32
  let value: Int64

  init(_ call: Call, _ process: borrowing Process) {
    key = process.object(1, call)
    value = process.argument(2, call)
  }
}

/// `realtime(period:computation:constraint:)`.
struct RealtimeArguments {
  let thread: Int64
  let claim: RealtimeClaim

  init(_ call: Call, _ process: borrowing Process) {
    thread = process.argument(0, call)
    claim = RealtimeClaim(
      period: Nanoseconds(process.argument(1, call)),
      computation: Nanoseconds(process.argument(2, call)),
      constraint: Nanoseconds(process.argument(3, call)))
  }
}
