import SpindleModel

/// Executors: one `async` over a thread for each task and a pool.
extension ExecutorRuntime {
  mutating func executor(
    _ primitive: ExecutorPrimitive, _ call: Call, _ operations: inout OperationRuntime,
    _ concurrency: inout ConcurrencyRuntime, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    switch primitive {
    case .tasksMake: return concurrency.makeExecutor(call, &process)
    case .threadPerTaskMake:
      let name = process.objectName(process.argument(0, call), "ThreadPerTask")
      let stack = stackSize(process.argument(1, call), name, call, &process)
      let made = makeThreadPerTask(name: name, stackSize: stack)
      process.noteMaking(.threadPerTask, made.raw, name, call)
      process.give(made.register, call)
      return .next
    case .threadPoolMake:
      return makePool(call, &process)
    case .async: return submit(call, &operations, &concurrency, &dispatch, &process)
    }
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(
    of primitive: ExecutorPrimitive, _ call: Call, _ operations: inout OperationRuntime,
    _ dispatch: inout DispatchRuntime, _ process: borrowing Process
  ) -> Int64 {
    switch primitive {
    case .async:
      let executor = ExecutorHandle(process.argument(0, call))
      switch executor.class {
      case .dispatchQueue: return dispatch.submitCost(.init(executor.index), process.kernel)
      case .operationQueue: return operations.operationCost(count: 1, call, &dispatch, process)
      case .tasks: return process.kernel.costs.taskCreate.rawValue
      case .executor: return cost(of: .init(executor.index), process.kernel.costs)
      }
    case .threadPerTaskMake, .threadPoolMake, .tasksMake: return 0
    }
  }

  /// Hands an item to a dispatch queue that the trace knows as an executor only.
  @inline(never)
  private mutating func submitToQueue(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    typealias Arguments = ExecutorAsyncArguments
    let block = BlockArguments(
      queue: 0, name: Arguments.name, workKind: Arguments.workKind, closure: Arguments.closure,
      call,
      process)
    var item = dispatch.block(block, call, &process)
    item.quality = dispatch.callerQuality(call, process)
    return dispatch.submit(item, group: Arguments(call, process).group, call, &process)
  }

  /// `async` of an executor.
  mutating func submit(
    _ call: Call, _ operations: inout OperationRuntime, _ concurrency: inout ConcurrencyRuntime,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let given = ExecutorAsyncArguments(call, process)
    process.kernel.breakWork()
    switch given.executor.class {
    case .executor: break
    case .dispatchQueue: return submitToQueue(call, &dispatch, &process)
    case .operationQueue: return operations.operationQueue(.async, call, &dispatch, &process)
    case .tasks:
      let closure = process.activity(ExecutorAsyncArguments.closure, call)
      return concurrency.submit(
        given.name, kind: given.workKind, closure, group: given.group,
        to: .init(given.executor.index),
        call, &dispatch, &process)
    }
    if !given.group.isNone { dispatch.groups.enter(given.group, call.thread, &process.kernel) }
    let item = ExecutorRuntime.Item(
      frame: process.activity(ExecutorAsyncArguments.closure, call), name: given.name,
      kind: given.workKind, group: given.group,
      submitted: process.kernel.now, number: process.kernel.nextItem())
    let isTaken = submit(
      item, to: .init(given.executor.index), by: call.thread,
      madeAt: Int32(truncatingIfNeeded: call.counter), &process.kernel)
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
          process.kernel.text(name), asked: ByteCount(asked), reason: reason))
    }
    return size
  }
}
