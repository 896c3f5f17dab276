import SpindleModel

/// The registers of calls of dispatch sources, by name; the reference of the primitives has the same
/// order.
struct SourceMakeArguments {
  let kind: Int64
  let name: Int64
  let handle: Int64
  /// None for none.
  let queue: DispatchQueueRecord.Index

  init(_ call: Call, _ process: borrowing Process) {
    kind = process.argument(0, call)
    name = process.argument(1, call)
    handle = process.argument(2, call)
    queue = process.queueIfGiven(3, call)
  }
}

struct SourceScheduleArguments {
  let source: DispatchSourceRecord.Index
  let deadline: Int64?
  let interval: Int64

  init(_ call: Call, _ process: borrowing Process) {
    source = process.source(0, call)
    deadline = process.deadline(process.argument(1, call))
    interval = process.argument(2, call)
  }
}

/// What the arguments of calls of dispatch sources name.
extension Process {
  /// The source that an argument is.
  func source(_ index: Int, _ call: Call) -> DispatchSourceRecord.Index {
    .init(register: argument(index, call))
  }

  /// The pipe that an argument is.
  func pipe(_ index: Int, _ call: Call) -> PipeRecord.Index {
    .init(register: argument(index, call))
  }
}
