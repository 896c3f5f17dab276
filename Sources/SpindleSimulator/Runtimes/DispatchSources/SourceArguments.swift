import SpindleModel

/// The registers of calls of dispatch sources, by name; the reference of the primitives has the same
/// order.
struct SourceMakeArguments {
  let kind: Int64
  let name: Int64
  let handle: Int64
  let queue: Int32?

  init(_ call: Call, _ process: borrowing Process) {
    kind = process.argument(0, call)
    name = process.argument(1, call)
    handle = process.argument(2, call)
    queue = process.argument(3, call) == noValue ? nil : process.object(3, call)
  }
}

struct SourceScheduleArguments {
  let source: Int32
  let deadline: Int64?
  let interval: Int64

  init(_ call: Call, _ process: borrowing Process) {
    source = process.object(0, call)
    deadline = process.deadline(process.argument(1, call))
    interval = process.argument(2, call)
  }
}
