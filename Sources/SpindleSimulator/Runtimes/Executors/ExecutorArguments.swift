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
