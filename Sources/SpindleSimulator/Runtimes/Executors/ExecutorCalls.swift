import SpindleModel

/// Executors: one `async` over a thread for each task and a pool.
extension ExecutorRuntime {
  mutating func executor(
    _ primitive: ExecutorPrimitive, _ call: Call, _ operations: inout OperationRuntime,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    switch primitive {
    case .threadPerTaskMake:
      let name = process.objectName(process.argument(0, call), "ThreadPerTask")
      let stack = stackSize(process.argument(1, call), name, call, &process)
      let made = makeThreadPerTask(name: name, stackSize: stack)
      process.noteMaking(.threadPerTask, made, name, call)
      process.give(Int64(made), call)
      return .next
    case .threadPoolMake:
      let name = process.objectName(process.argument(0, call), "ThreadPool")
      let width = process.argument(1, call)
      if width < 1 { return process.crash("Fatal error: a pool needs a width of at least 1", call) }
      let stack = process.kernel.machine.threadStack.rawValue
      let made = makePool(name: name, width: width, stackSize: stack)
      process.noteMaking(.threadPool, made, name, call, value: width)
      process.give(Int64(made), call)
      return .next
    case .async: return submit(call, &operations, &dispatch, &process)
    }
  }

  /// What a call costs its thread before it has an effect.
  func cost(
    of primitive: ExecutorPrimitive, _ call: Call, _ operations: borrowing OperationRuntime,
    _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> Int64 {
    switch primitive {
    case .async:
      switch process.argument(0, call) >> 48 {
      case 1: return dispatch.submitCost(process.object(0, call), process.kernel)
      case 2: return operations.operationCost(count: 1, call, dispatch, process)
      default: return cost(of: process.object(0, call), process.kernel.costs)
      }
    case .threadPerTaskMake, .threadPoolMake: return 0
    }
  }

  /// Hands an item to a dispatch queue that the trace knows as an executor only.
  @inline(never)
  private mutating func submitToQueue(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    var item = dispatch.block(call, name: 1, closure: 4, &process)
    item.quality = dispatch.callerQuality(call, process)
    return dispatch.submit(item, group: 3, call, &process)
  }

  /// `async` of an executor.
  mutating func submit(
    _ call: Call, _ operations: inout OperationRuntime, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let arguments = process.frames.unchecked.registers(call.frame) + Int(call.base.index)
    process.kernel.breakWork()
    if arguments[0] >> 48 == 1 { return submitToQueue(call, &dispatch, &process) }
    if arguments[0] >> 48 == 2 {
      return operations.operationQueue(.async, call, &dispatch, &process)
    }
    let executor = Int32(truncatingIfNeeded: arguments[0])
    let kind = arguments[2]
    let group = arguments[3] == noValue ? -1 : Int32(truncatingIfNeeded: arguments[3])
    let name = arguments[1] == noValue ? -1 : Int32(truncatingIfNeeded: arguments[1])
    if group >= 0 { dispatch.groups.enter(group, call.thread, &process.kernel) }
    let item = ExecutorRuntime.Item(
      frame: process.activity(4, call), name: name, kind: Int32(truncatingIfNeeded: kind),
      group: group,
      submitted: process.kernel.now, number: process.kernel.nextItem())
    let isTaken = submit(
      item, to: executor, by: call.thread, madeAt: Int32(truncatingIfNeeded: call.counter),
      &process.kernel)
    return isTaken ? process.checkMemory(call) : process.tooManyThreads(call)
  }

  /// The stack of an executor's threads: what is asked for, when the real library would take it.
  private mutating func stackSize(
    _ asked: Int64, _ name: Int32, _ call: Call, _ process: inout Process
  ) -> Int64 {
    let standard = process.kernel.machine.threadStack.rawValue
    if asked == noValue { return standard }
    let (size, reason) = ThreadRuntime.stackSize(
      asked: asked, present: standard, platform: process.kernel.machine.platform)
    if let reason {
      process.kernel.report(
        .stackSizeIgnored, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
        FindingText.stackSizeOfExecutor(
          process.kernel.names.text(NameID(Int(name))), asked: ByteCount(asked), reason: reason))
    }
    return size
  }
}
