import SpindleModel

/// `Operation.init` and `BlockOperation.init`.
struct OperationMakeArguments {
  let isBlock: Bool
  let name: Int64
  let workKind: Int32
  /// The number of a name.
  let priority: Int64?
  let threadPriority: Int64?
  let quality: Int32?
  let isAsynchronous: Bool
  let hasClosure: Bool
  let hasTeardown: Bool
  static let closure = 7
  static let teardown = 8

  @inline(__always)
  init(_ call: Call, _ process: borrowing Process) {
    isBlock = process.argument(0, call) != 0
    name = process.argument(1, call)
    workKind = process.object(2, call)
    priority = process.given(3, call)
    threadPriority = process.given(4, call)
    quality = process.given(5, call).map { Int32(truncatingIfNeeded: $0) }
    isAsynchronous = process.argument(6, call) == 1
    hasClosure = process.argument(Self.closure, call) != noValue
    hasTeardown = process.argument(Self.teardown, call) != noValue
  }
}

/// `OperationQueue.init`.
struct OperationQueueMakeArguments {
  let name: Int64
  let limit: Int64?
  let quality: Int32?
  let underlying: DispatchQueueRecord.Index

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    limit = process.given(1, call)
    quality = process.given(2, call).map { Int32(truncatingIfNeeded: $0) }
    underlying = process.queueIfGiven(3, call)
  }
}

/// `addOperations(_:waitUntilFinished:)`.
struct AddAllArguments {
  let operations: [OperationRecord.Index]
  let waits: Bool

  init(_ call: Call, _ process: borrowing Process) {
    operations = process.arrays[Self.array(call, process)].map { .init(register: $0) }
    assert(operations.allSatisfy { !$0.isNone }, "operations are added of which one is none")
    waits = process.argument(2, call) != 0
  }

  /// How many operations there are.
  static func count(_ call: Call, _ process: borrowing Process) -> Int64 {
    Int64(process.arrays[array(call, process)].count)
  }

  private static func array(_ call: Call, _ process: borrowing Process) -> Int {
    Int(process.argument(1, call))
  }
}

/// A closure that becomes a block operation of a queue's own.
struct QueueBlockArguments {
  let name: Int64
  let workKind: Int32
  let closure: Int
  var teardown: Int?
  var group = GroupRuntime.Index.none

  private init(closure: Int, _ call: Call, _ process: borrowing Process) {
    name = process.argument(1, call)
    workKind = process.object(2, call)
    self.closure = closure
  }

  /// `addOperation { }`.
  static func addBlock(_ call: Call, _ process: borrowing Process) -> QueueBlockArguments {
    var arguments = QueueBlockArguments(closure: 3, call, process)
    if process.argument(4, call) != noValue { arguments.teardown = 4 }
    return arguments
  }

  /// `addBarrierBlock { }`.
  static func addBarrier(_ call: Call, _ process: borrowing Process) -> QueueBlockArguments {
    QueueBlockArguments(closure: 3, call, process)
  }

  /// `async` of an executor.
  static func async(_ call: Call, _ process: borrowing Process) -> QueueBlockArguments {
    var arguments = QueueBlockArguments(closure: 4, call, process)
    arguments.group = process.groupIfGiven(3, call)
    return arguments
  }
}

extension Process {
  /// The operation that an argument is.
  @inline(__always)
  func operation(_ index: Int, _ call: Call) -> OperationRecord.Index {
    .init(register: argument(index, call))
  }
}

extension TableIndex<OperationQueueRecord> {
  /// What a register holds for an operation queue: its number, with the class of executors above it.
  var handle: Int64 { ExecutorHandle(.operationQueue, raw).value }
}
