import SpindleModel

/// `async` of an executor.
struct ExecutorAsyncArguments {
  let executor: ExecutorHandle
  let name: Int32
  let workKind: Int32
  let group: GroupRuntime.Index
  static let name = 1
  static let workKind = 2
  static let group = 3
  static let closure = 4

  /// Reads them where they stand, since every item of a run may come this way.
  @inline(__always)
  init(_ call: Call, _ process: borrowing Process) {
    let arguments = process.frames.unchecked.registers(call.frame) + Int(call.base.index)
    executor = ExecutorHandle(arguments[0])
    name = arguments[Self.name] == noValue ? -1 : Int32(truncatingIfNeeded: arguments[Self.name])
    workKind = Int32(truncatingIfNeeded: arguments[2])
    group = arguments[Self.group] == noValue ? .none : .init(register: arguments[Self.group])
  }
}

/// A pool that is made.
struct PoolMakeArguments {
  let name: Int64
  /// How many workers it may have; nil for one for each core.
  let width: Int64?
  let kind: PoolKind
  /// How long a worker of a cached pool stays without work.
  let keepAlive: Int64

  /// What `Executors.newCachedThreadPool` of Java has: a minute.
  private static let minute: Int64 = 60_000_000_000

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    width = process.given(1, call)
    let raw = process.argument(2, call)
    guard let known = PoolKind(rawValue: UInt8(truncatingIfNeeded: raw)) else {
      fatalError("\(raw) is no kind of a pool")
    }
    kind = known
    keepAlive = process.given(3, call) ?? Self.minute
  }
}
