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
    // The period, which stands first, is only told to the system.
    claim = RealtimeClaim(
      computation: Nanoseconds(process.argument(2, call)),
      constraint: Nanoseconds(process.argument(3, call)))
  }
}
