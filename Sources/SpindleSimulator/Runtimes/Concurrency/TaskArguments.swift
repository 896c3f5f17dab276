import SpindleModel

/// The registers of calls that make tasks, by name.
struct TaskMakeArguments {
  let name: Int32
  let workKind: Int32
  let priority: Int64
  let start: TaskStart
  let executor: Int32
  static let closure = 5

  init(_ call: Call, _ process: borrowing Process) {
    name = process.objectIfGiven(0, call)
    workKind = process.object(1, call)
    priority = process.argument(2, call)
    guard let start = TaskStart(rawValue: process.argument(3, call)) else {
      fatalError("no task begins in way \(process.argument(3, call))")
    }
    self.start = start
    executor = process.object(4, call)
  }
}

struct TaskGroupAddArguments {
  let group: Int32
  let name: Int32
  let workKind: Int32
  let priority: Int64
  let isUnlessCancelled: Bool
  static let closure = 5

  init(_ call: Call, _ process: borrowing Process) {
    group = process.object(0, call)
    name = process.objectIfGiven(1, call)
    workKind = process.object(2, call)
    priority = process.argument(3, call)
    isUnlessCancelled = process.argument(4, call) != 0
  }
}
