import SpindleModel

/// The registers of calls of dispatch, by name; the reference of the primitives has the same order.
///
/// A closure is not read here: whoever takes it needs to know which argument it is.
struct QueueMakeArguments {
  let name: Int64
  let quality: DispatchQuality?
  let attributes: DispatchQueueAttributes
  let frequency: DispatchAutoreleaseFrequency
  let target: DispatchQueueRecord.Index

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    quality = DispatchQuality(name: process.object(1, call))
    attributes = DispatchQueueAttributes(rawValue: process.argument(2, call))
    frequency = DispatchAutoreleaseFrequency(rawValue: process.argument(3, call))
    target = process.queueIfGiven(4, call)
  }
}

/// A closure that is to become an item of a queue.
struct BlockArguments {
  let queue: DispatchQueueRecord.Index
  let name: Int32
  let workKind: Int32
  let closure: Int

  /// Reads the arguments that stand at these places.
  @inline(__always)
  init(
    queue: Int, name: Int, workKind: Int, closure: Int, _ call: Call, _ process: borrowing Process
  ) {
    self.queue = process.queue(queue, call)
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
  let group: GroupRuntime.Index
  let service: ServiceArguments

  @inline(__always)
  init(_ call: Call, _ process: borrowing Process) {
    block = BlockArguments(queue: 0, name: 1, workKind: 2, closure: 6, call, process)
    group = process.groupIfGiven(3, call)
    service = ServiceArguments(quality: 4, flags: 5, call, process)
  }
}

struct QueueAsyncItemArguments {
  let queue: DispatchQueueRecord.Index
  let group: GroupRuntime.Index
  let workItem: WorkItemRecord.Index

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.queue(0, call)
    group = process.groupIfGiven(1, call)
    workItem = process.workItem(2, call)
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
  let queue: DispatchQueueRecord.Index
  let deadline: Int64
  let workItem: WorkItemRecord.Index

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.queue(0, call)
    deadline = process.argument(1, call)
    workItem = process.workItem(2, call)
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
    place = SpecificKey(queue: process.queue(0, call), key: process.object(1, call))
    let given = process.argument(2, call)
    value = given == noValue ? nil : given
  }
}

struct ConcurrentPerformArguments {
  static let body = 2

  let queue: DispatchQueueRecord.Index
  let iterations: Int64

  init(_ call: Call, _ process: borrowing Process) {
    queue = process.queueIfGiven(0, call)
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
  let followed: DispatchRuntime.Followed
  let block: BlockArguments
  let service: ServiceArguments

  /// Reads them; what is `followed` is what the call is made on.
  init(
    _ followed: DispatchRuntime.Followed, _ call: Call, _ process: borrowing Process
  ) {
    self.followed = followed
    block = BlockArguments(queue: 1, name: 2, workKind: 3, closure: 6, call, process)
    service = ServiceArguments(quality: 4, flags: 5, call, process)
  }
}

/// `notify` of a group or of a work item, with a work item.
struct NotifyItemArguments {
  let followed: DispatchRuntime.Followed
  let queue: DispatchQueueRecord.Index
  let workItem: WorkItemRecord.Index

  /// Reads them; what is `followed` is what the call is made on.
  init(
    _ followed: DispatchRuntime.Followed, _ call: Call, _ process: borrowing Process
  ) {
    self.followed = followed
    queue = process.queue(1, call)
    workItem = process.workItem(2, call)
  }
}

/// What the arguments of calls of dispatch name.
extension Process {
  /// The queue that an argument is.
  @inline(__always)
  func queue(_ index: Int, _ call: Call) -> DispatchQueueRecord.Index {
    .init(register: argument(index, call))
  }

  /// The queue that an argument is; none where none is given.
  @inline(__always)
  func queueIfGiven(_ index: Int, _ call: Call) -> DispatchQueueRecord.Index {
    .init(objectIfGiven(index, call))
  }

  /// The group that an argument is.
  @inline(__always)
  func group(_ index: Int, _ call: Call) -> GroupRuntime.Index {
    .init(register: argument(index, call))
  }

  /// The group that an argument is; none where none is given.
  @inline(__always)
  func groupIfGiven(_ index: Int, _ call: Call) -> GroupRuntime.Index {
    .init(objectIfGiven(index, call))
  }

  /// The work item that an argument is.
  @inline(__always)
  func workItem(_ index: Int, _ call: Call) -> WorkItemRecord.Index {
    .init(register: argument(index, call))
  }

  /// The once token that an argument is.
  @inline(__always)
  func onceToken(_ index: Int, _ call: Call) -> OnceRecord.Index {
    .init(register: argument(index, call))
  }
}

extension TableIndex<DispatchQueueRecord> {
  /// What a register holds for a queue: its number, with the class of executors above it.
  var handle: Int64 { ExecutorHandle(.dispatchQueue, raw).value }
}
