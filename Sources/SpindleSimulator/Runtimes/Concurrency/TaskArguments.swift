import SpindleModel

/// The registers of calls that make tasks, by name.
struct TaskMakeArguments {
  let name: Int32
  let workKind: Int32
  /// The queue that is preferred.
  let preferred: DispatchQueueRecord.Index
  let priority: Int64
  let making: TaskMaking
  let executor: ExecutorID
  /// What the closure gives holds; nil where that is not counted.
  let life: LifeKind?
  static let closure = 6

  init(_ call: Call, _ process: borrowing Process) {
    name = process.objectIfGiven(0, call)
    workKind = process.object(1, call)
    preferred = .init(process.objectIfGiven(2, call))
    priority = process.argument(3, call)
    life = LifeKind(word: process.argument(7, call))
    guard let making = TaskMaking(rawValue: process.argument(4, call)) else {
      fatalError("no task is made in way \(process.argument(4, call))")
    }
    self.making = making
    executor = ExecutorID(register: process.argument(5, call))
  }
}

struct TaskGroupAddArguments {
  let group: TaskGroupRecord.Index
  let name: Int32
  let workKind: Int32
  /// The queue that is preferred.
  let preferred: DispatchQueueRecord.Index
  let priority: Int64
  let executor: ExecutorID
  let adding: TaskAdding
  static let closure = 6

  init(_ call: Call, _ process: borrowing Process) {
    group = .init(process.object(0, call))
    name = process.objectIfGiven(1, call)
    workKind = process.object(2, call)
    preferred = .init(process.objectIfGiven(3, call))
    priority = process.argument(4, call)
    executor = ExecutorID(register: process.argument(5, call))
    adding = TaskAdding(rawValue: process.argument(7, call))
  }
}
