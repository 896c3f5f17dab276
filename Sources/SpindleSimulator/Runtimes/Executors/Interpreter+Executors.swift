import SpindleModel

/// Executors: one `async` over a thread for each task and a pool.
extension Interpreter {
  mutating func executor(_ primitive: ExecutorPrimitive, _ call: Call) -> CallResult {
    switch primitive {
    case .threadPerTaskMake:
      let name = process.objectName(process.argument(0, call), "ThreadPerTask")
      let stack = stackSize(process.argument(1, call), name, call)
      let made = executors.makeThreadPerTask(name: name, stackSize: stack)
      process.noteMaking(.threadPerTask, made, name, call)
      process.give(Int64(made), call)
      return .next
    case .threadPoolMake:
      let name = process.objectName(process.argument(0, call), "ThreadPool")
      let width = process.argument(1, call)
      if width < 1 { return process.crash("Fatal error: a pool needs a width of at least 1", call) }
      let stack = process.kernel.machine.threadStack.rawValue
      let made = executors.makePool(name: name, width: width, stackSize: stack)
      process.noteMaking(.threadPool, made, name, call, value: width)
      process.give(Int64(made), call)
      return .next
    case .async: return submit(call)
    }
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: ExecutorPrimitive, _ call: Call) -> Int64 {
    switch primitive {
    case .async:
      switch process.argument(0, call) >> 48 {
      case 1: return dispatch.submitCost(process.object(0, call), process.kernel)
      case 2: return operationCost(count: 1, call)
      default: return executors.cost(of: process.object(0, call), process.kernel.costs)
      }
    case .threadPerTaskMake, .threadPoolMake: return 0
    }
  }

  /// Hands an item to a dispatch queue that the trace knows as an executor only.
  @inline(never)
  private mutating func submitToQueue(_ call: Call) -> CallResult {
    var item = block(call, name: 1, closure: 4)
    item.quality = callerQuality(call)
    return submit(item, group: 3, call)
  }

  /// `async` of an executor.
  mutating func submit(_ call: Call) -> CallResult {
    let arguments = process.frames.unchecked.registers(call.frame) + Int(call.base.index)
    process.kernel.breakWork()
    if arguments[0] >> 48 == 1 { return submitToQueue(call) }
    if arguments[0] >> 48 == 2 { return operationQueue(.async, call) }
    let executor = Int32(truncatingIfNeeded: arguments[0])
    let kind = arguments[2]
    let group = arguments[3] == noValue ? -1 : Int32(truncatingIfNeeded: arguments[3])
    let name = arguments[1] == noValue ? -1 : Int32(truncatingIfNeeded: arguments[1])
    if group >= 0 { groups.enter(group, call.thread, &process.kernel) }
    let item = ExecutorRuntime.Item(
      frame: process.activity(4, call), name: name, kind: Int32(truncatingIfNeeded: kind),
      group: group,
      submitted: process.kernel.now, number: process.kernel.nextItem())
    let isTaken = executors.submit(
      item, to: executor, by: call.thread, madeAt: Int32(truncatingIfNeeded: call.counter),
      &process.kernel)
    return isTaken ? process.checkMemory(call) : process.tooManyThreads(call)
  }

  /// Whether a value is an executor of the simulator's own, to which an item comes at no cost.
  @inline(__always)
  func takesPlainItems(_ executor: Int64) -> Bool {
    !process.kernel.hasCosts && executor >> 48 == 0
  }

  /// Does what `.submit` at `head` stands for, with the key of its site.
  ///
  /// Returns false when the run has ended.
  @inline(never)
  mutating func submit(
    _ head: UnsafePointer<Instruction>, _ block: BlockID,
    _ captured: UnsafeMutablePointer<Int64>, _ key: UInt64, to executor: Int64, by thread: Int32
  ) -> Bool {
    guard case .constant(let name, _) = head[1], case .constant(let kind, _) = head[2] else {
      fatalError("an item has a name and a kind")
    }
    let place = Int32(
      truncatingIfNeeded: index(head, process.code.baseAddress.unsafelyUnwrapped) &+ 5)
    process.kernel.breakWork()
    if thread >= 0 { process.kernel.threads.unchecked(thread).pointee.place = place }
    let shape = process.blocks.baseAddress.unsafelyUnwrapped + Int(block.index)
    let frame =
      shape.pointee.captureCount == 0 && !shape.pointee.usesKey
      ? Process.frameToMake(block.index) : process.makeClosure(block, from: captured, key: key)
    let item = ExecutorRuntime.Item(
      frame: frame, name: name == noValue ? -1 : Int32(truncatingIfNeeded: name),
      kind: Int32(truncatingIfNeeded: kind), group: -1, submitted: process.kernel.now,
      number: process.kernel.nextItem())
    let isTaken = executors.submit(
      item, to: Int32(truncatingIfNeeded: executor), by: thread, madeAt: place, &process.kernel)
    if process.kernel.storage.isExceeded {
      holdsTooMuch(thread, at: place)
      return false
    }
    if isTaken && !process.kernel.memory.isExceeded { return true }
    guard case .perform(_, let base, let site) = head[5] else { fatalError("it is handed over") }
    let call = Call(thread: thread, frame: -1, base: base, counter: Int(place), site: site)
    if case .stopped = isTaken ? process.checkMemory(call) : process.tooManyThreads(call) {
      return false
    }
    return true
  }

  /// The stack of an executor's threads: what is asked for, when the real library would take it.
  private mutating func stackSize(_ asked: Int64, _ name: Int32, _ call: Call) -> Int64 {
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
