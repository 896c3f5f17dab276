import SpindleModel

/// The registers of calls of dispatch, by name; the reference of the primitives has the same order.
///
/// A closure is not read here: whoever takes it needs to know which argument it is.
struct QueueMakeArguments {
  let name: Int64
  let quality: DispatchQuality?
  let attributes: DispatchQueueAttributes
  let target: Int32

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    quality = DispatchQuality(name: process.object(1, call))
    attributes = DispatchQueueAttributes(rawValue: process.argument(2, call))
    target = process.objectIfGiven(3, call)
  }
}

/// A closure that is to become an item of a queue.
struct BlockArguments {
  let queue: Int32
  let name: Int32
  let workKind: Int32
  let closure: Int

  /// Reads the arguments that stand at these places.
  @inline(__always)
  init(
    queue: Int, name: Int, workKind: Int, closure: Int, _ call: Call, _ process: borrowing Process
  ) {
    self.queue = process.object(queue, call)
    self.name = process.objectIfGiven(name, call)
    self.workKind = process.object(workKind, call)
    self.closure = closure
  }
}

/// How urgent an item is to be, and its flags.
struct ServiceArguments {
  let quality: DispatchQuality?
  let flags: DispatchWorkItemFlags

  /// Reads the arguments that stand at these places.
  @inline(__always)
  init(quality: Int, flags: Int, _ call: Call, _ process: borrowing Process) {
    self.quality = DispatchQuality(name: process.object(quality, call))
    self.flags = DispatchWorkItemFlags(rawValue: process.argument(flags, call))
  }
}

struct QueueAsyncArguments {
  let block: BlockArguments
  let group: Int32
  let service: ServiceArguments

  @inline(__always)
  init(_ call: Call, _ process: borrowing Process) {
    block = BlockArguments(queue: 0, name: 1, workKind: 2, closure: 6, call, process)
    group = process.objectIfGiven(3, call)
    service = ServiceArguments(quality: 4, flags: 5, call, process)
  }
}

struct QueueAsyncItemArguments {
  let queue: Int32
  let group: Int32
  let workItem: Int32

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.object(0, call)
    group = process.objectIfGiven(1, call)
    workItem = process.object(2, call)
  }
}

struct QueueAsyncAfterArguments {
  let block: BlockArguments
  let deadline: Int64
  let service: ServiceArguments

  init(_ call: Call, _ process: borrowing Process) {
    block = BlockArguments(queue: 0, name: 2, workKind: 3, closure: 6, call, process)
    deadline = process.argument(1, call)
    service = ServiceArguments(quality: 4, flags: 5, call, process)
  }
}

struct QueueAsyncAfterItemArguments {
  let queue: Int32
  let deadline: Int64
  let workItem: Int32

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.object(0, call)
    deadline = process.argument(1, call)
    workItem = process.object(2, call)
  }
}

struct QueueIOArguments {
  let block: BlockArguments
  let duration: Int64

  init(_ call: Call, _ process: borrowing Process) {
    block = BlockArguments(queue: 0, name: 2, workKind: 3, closure: 4, call, process)
    duration = process.argument(1, call)
  }
}

struct QueueSetSpecificArguments {
  let place: SpecificKey
  let value: Int64?

  init(_ call: Call, _ process: borrowing Process) {
    place = SpecificKey(queue: process.object(0, call), key: process.object(1, call))
    let given = process.argument(2, call)
    value = given == noValue ? nil : given
  }
}

struct ConcurrentPerformArguments {
  static let body = 2

  let queue: Int32
  let iterations: Int64

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.objectIfGiven(0, call)
    iterations = process.argument(1, call)
  }
}

struct WorkItemMakeArguments {
  static let body = 4

  let name: Int32
  let workKind: Int32
  let quality: DispatchQuality?
  let flags: DispatchWorkItemFlags

  init(_ call: Call, _ process: borrowing Process) {
    name = process.objectIfGiven(0, call)
    workKind = process.object(1, call)
    quality = DispatchQuality(name: process.object(2, call))
    flags = DispatchWorkItemFlags(rawValue: process.argument(3, call))
  }
}

/// `notify` of a group or of a work item.
struct NotifyArguments {
  let followed: Int32
  let block: BlockArguments
  let service: ServiceArguments

  init(_ call: Call, _ process: borrowing Process) {
    followed = process.object(0, call)
    block = BlockArguments(queue: 1, name: 2, workKind: 3, closure: 6, call, process)
    service = ServiceArguments(quality: 4, flags: 5, call, process)
  }
}

/// `notify` of a group or of a work item, with a work item.
struct NotifyItemArguments {
  let followed: Int32
  let queue: Int32
  let workItem: Int32

  init(_ call: Call, _ process: borrowing Process) {
    followed = process.object(0, call)
    queue = process.object(1, call)
    workItem = process.object(2, call)
  }
}
