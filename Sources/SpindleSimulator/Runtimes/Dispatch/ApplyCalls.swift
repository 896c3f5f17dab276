import SpindleModel

/// `concurrentPerform`, `dispatchMain()` and `once`.
extension DispatchRuntime {
  /// `concurrentPerform`: the caller takes part, and a helper for each further thread.
  ///
  /// As many threads as cores or iterations, shared among those of an outer one. On a queue of the
  /// trace's own it is a `sync` on it, and a loop where the queue is serial, or the caller's own.
  /// Source: swift-corelibs-libdispatch:src/apply.c.
  mutating func concurrentPerform(_ call: Call, _ process: inout Process) -> CallResult {
    let thread = call.thread
    let given = ConcurrentPerformArguments(call, process)
    let (queue, count) = (given.queue, given.iterations)
    if count < 0 { return process.crash("Fatal error: iterations can't be negative", call) }
    if count == 0 { return .next }
    if !queue.isNone && isResurrected(queue, by: thread, &process) { return .stopped }
    // Before it enters the queue, whose own iterations are a loop.
    let (target, helpers) = (target(given, thread, process), helpers(given, thread, process))
    let isPrivate = !queue.isNone && queues[queue].kind != .root
    if isPrivate {
      let advance = enterSync(call, isBarrier: false, body: .apply, &process)
      guard case .next = advance else { return advance }
    }
    begin(
      target, count, helpers: helpers, isPrivate ? .inSync : .byHand, call, on: thread, &process)
    return .entered
  }

  /// What a call costs its caller before anything is run: a `sync` where nobody helps, or on a queue of the trace's own,
  /// and else handing an item to each helper and waking it.
  ///
  /// Source: swift-corelibs-libdispatch:src/apply.c, _dispatch_apply_f2.
  mutating func concurrentPerformCost(_ call: Call, _ process: borrowing Process) -> Int64 {
    let given = ConcurrentPerformArguments(call, process)
    if given.iterations <= 0 { return 0 }
    let helpers = helpers(given, call.thread, process)
    let isPrivate = !given.queue.isNone && queues[given.queue].kind != .root
    let sync = isPrivate || helpers == 0 ? 2 * process.kernel.costs.sync.rawValue : 0
    if helpers == 0 { return sync }
    let target = target(given, call.thread, process)
    return sync + submitCost(target, process.kernel)
      + Int64(helpers - 1) * process.kernel.costs.enqueue.rawValue
      + pokeFurtherCost(bottom(of: target), helpers - 1, process.kernel)
  }

  /// Lets the main thread run the iterations of a thread that waits in `sync` for its queue.
  mutating func lendApply(
    _ index: DispatchSyncRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let sync = syncs[index]
    guard case .apply = sync.body else { fatalError("sync \(index) runs no iterations") }
    let frame = process.kernel.threads[sync.thread].frame
    let counter = Int(process.frames.counter(frame))
    guard case .perform(_, let base, let site) = process.code[counter] else {
      fatalError("a thread waits in sync at an instruction that calls nothing")
    }
    let call = Call(
      thread: sync.thread, frame: frame, base: base, counter: counter, site: site)
    let count = ConcurrentPerformArguments(call, process).iterations
    begin(sync.queue, count, helpers: 0, .lent, call, on: thread, &process)
  }

  /// The queue that helpers' items go to.
  private mutating func target(
    _ given: ConcurrentPerformArguments, _ thread: ThreadID, _ process: borrowing Process
  ) -> DispatchQueueRecord.Index {
    if !given.queue.isNone { return given.queue }
    return DispatchRuntime.root(quality(of: thread, process))
  }

  /// How many threads help the caller, who is not yet in `sync` on a queue of the trace's own.
  private mutating func helpers(
    _ given: ConcurrentPerformArguments, _ thread: ThreadID, _ process: borrowing Process
  ) -> Int32 {
    if !given.queue.isNone && currentQueue(thread, process) == given.queue { return 0 }
    let (record, count) = (queues[target(given, thread, process)], given.iterations)
    if record.kind == .serial || record.kind == .main { return 0 }
    let cores = Int64(process.kernel.cores.count) / Int64(max(1, applyWidth(thread, process)))
    let helpers = Int32(clamping: max(1, min(cores, count)) - 1)
    if record.kind == .root { return helpers }
    return min(helpers, max(0, DispatchRuntime.widthLimit - record.running - 1))
  }

  private mutating func begin(
    _ queue: DispatchQueueRecord.Index, _ count: Int64, helpers: Int32, _ reason: Performance,
    _ call: Call,
    on thread: ThreadID, _ process: inout Process
  ) {
    demand(count > 0 && helpers >= 0, "\(count) iterations begin with \(helpers) helpers")
    guard let handler = process.handler(ConcurrentPerformArguments.body, call) else { return }
    let width = Int64(applyWidth(thread, process)).multipliedReportingOverflow(by: count)
    let index = applies.add(
      ApplyRecord(
        handler: handler, count: count, caller: thread, reason: reason,
        references: helpers + 1,
        width: width.overflow ? Int32.max : Int32(clamping: width.partialValue)))
    process.kernel.reuses(.apply, index.raw)
    process.kernel.reuses(.iterations, index.raw)
    process.kernel.releases(.apply, index.raw, by: thread)
    process.kernel.record(
      .applyBegan, thread: thread, place: Int32(truncatingIfNeeded: call.counter), value: count)
    pushApply(index, thread, isCaller: true, &process)
    if helpers == 0 { return }
    let root = bottom(of: queue)
    let (had, pending) = (queues[root].count, pool.roots[root].pending)
    for _ in 0..<helpers {
      var item = DispatchItem(apply: index, queue: queue)
      item.place = Int32(truncatingIfNeeded: call.counter)
      item.quality = quality(of: thread, process)
      submit(item, by: thread, &process.kernel)
    }
    let came = queues[root].count - had
    if had == 0 && came > 1 {
      pokeFurther(root, came - 1, mayMake: pending == 0, by: thread, &process.kernel)
    }
  }

  /// The class of service of what a thread runs.
  private mutating func quality(of thread: ThreadID, _ process: borrowing Process)
    -> DispatchQuality
  {
    let own = DispatchQuality(name: process.kernel.threads[thread].quality) ?? .default
    return process.kernel.machine.isDarwin ? own : .default
  }

  /// Among how many threads the `concurrentPerform` that a thread is in shares the cores.
  private mutating func applyWidth(_ thread: ThreadID, _ process: borrowing Process) -> Int32 {
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      if process.frames.activity(frame) == .apply {
        return applies[ApplyFrame(frame: frame).apply(process)].width
      }
      frame = process.frames.parent(frame)
    }
    return 1
  }

  /// Lets a thread take part.
  mutating func pushApply(
    _ index: ApplyRecord.Index, _ thread: ThreadID, isCaller: Bool, _ process: inout Process
  ) {
    assert(applies[index].references > 0, "iterations \(index) are over")
    let frame = process.push(.apply, registers: ApplyFrame.size, on: thread)
    ApplyFrame(frame: frame).begin(index, isCaller: isCaller, process)
  }

  /// A thread takes part: an iteration has ended, the next one begins, or it waits for the others.
  mutating func resumeApply(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let part = ApplyFrame(frame: frame)
    let index = part.apply(process)
    let isCaller = part.isCaller(process)
    if part.hasIteration(process) {
      part.setState(.takesNext, process)
      endIteration(part.iteration(process), of: index, thread, &process)
    }
    let apply = applies[index]
    if apply.next < apply.count {
      applies[index].next += 1
      payForNext(index, thread, process.kernel)
      part.take(apply.next, process)
      process.kernel.recordDetail(.iterationBegan, thread: thread, value: apply.next)
      process.kernel.beginsIteration(of: index.raw, on: thread)
      var handler = apply.handler
      process.enter(&handler, on: thread, argument: apply.next)
      applies[index].handler = handler
      return .goOn
    }
    if isCaller && apply.done < apply.count {
      applies[index].isAwaited = true
      process.kernel.block(thread, .apply, on: index.raw)
      return .left
    }
    assert(apply.references > 0, "nobody takes part in iterations \(index)")
    assert(!isCaller || apply.done == apply.count, "the caller of iterations \(index) leaves early")
    applies[index].references -= 1
    // The closure does not outlive the call, whatever helpers come later, and find nothing to do.
    if isCaller { process.discard(apply.handler) }
    if applies[index].references == 0 { applies.remove(index) }
    process.leave(frame, thread, result: noResult)
    if !isCaller { return process.kernel.threads[thread].overhead > 0 ? .computing : .goOn }
    process.kernel.threads.at(thread).setResult(.none)
    process.kernel.record(.applyEnded, thread: thread, value: apply.count)
    process.kernel.acquires(.iterations, index.raw, by: thread)
    end(apply.reason, thread, &process)
    return .goOn
  }

  /// A thread counts the iteration that it takes, which costs as much as a lock that is free, and gets the count from
  /// the core that has it.
  ///
  /// Source: swift-corelibs-libdispatch:src/apply.c, _dispatch_apply_invoke2.
  private mutating func payForNext(
    _ index: ApplyRecord.Index, _ thread: ThreadID, _ kernel: borrowing Kernel
  ) {
    let (core, last) = (kernel.threads[thread].core, applies[index].lastCore)
    assert(core >= 0, "thread \(thread.index) takes an iteration and has no core")
    applies[index].lastCore = core
    let transfer = last >= 0 && last != core ? kernel.costs.lineTransfer.rawValue : 0
    kernel.threads.at(thread).charge(kernel.costs.lock.rawValue + transfer)
  }

  /// An iteration has ended; after the last one, the caller that waits goes on.
  private mutating func endIteration(
    _ iteration: Int64, of index: ApplyRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    process.kernel.recordDetail(.iterationEnded, thread: thread, value: iteration)
    process.kernel.endsIteration(of: index.raw, on: thread)
    applies[index].done += 1
    let apply = applies[index]
    assert(iteration < apply.next, "iteration \(iteration) ends and has not begun")
    assert(apply.done <= apply.next, "\(apply.done) iterations are done, \(apply.next) begun")
    if apply.done == apply.count && apply.isAwaited {
      applies[index].isAwaited = false
      process.kernel.threads.at(thread).charge(process.kernel.costs.wake.rawValue)
      process.kernel.wake(apply.caller, .granted, by: thread)
    }
  }

  /// `dispatchMain()`.
  mutating func beginDispatchMain(_ call: Call, _ process: inout Process) -> CallResult {
    if call.thread != process.mainThread {
      return process.crash(
        "BUG IN CLIENT OF LIBDISPATCH: dispatch_main() must be called on the main thread", call)
    }
    process.push(.dispatchMain, registers: DispatchMainFrame.size, on: call.thread)
    return .entered
  }

  // MARK: Once

  mutating func once(_ primitive: OncePrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    switch primitive {
    case .make, .makeStatic:
      var record = OnceRecord(name: process.objectName(process.argument(0, call), "DispatchOnce"))
      if pool.rules.propagatesQuality { record.turnstile = process.kernel.makeTurnstile() }
      let made = onces.add(record)
      if primitive == .make { process.noteMaking(.onceToken, made.raw, record.name, call) }
      process.give(made.register, call)
      return .next
    case .enter: return enterOnce(process.onceToken(0, call), isStatic: false, call, &process)
    case .enterStatic: return enterOnce(process.onceToken(0, call), isStatic: true, call, &process)
    case .see:
      let token = process.onceToken(0, call)
      if onces[token].isDone, !call.thread.isNone {
        process.kernel.acquires(.once, token.raw, by: call.thread)
      }
      process.give(onces[token].isDone, call)
      return .next
    case .leave:
      let token = process.onceToken(0, call)
      if call.thread.isNone {
        (onces[token].isDone, onces[token].isMadeOutside) = (true, false)
        return .next
      }
      demand(
        onces[token].owner == call.thread,
        "thread \(call.thread.index) ends once \(token), which thread \(onces[token].owner.index) runs"
      )
      onces[token].isDone = true
      process.kernel.releases(.once, token.raw, by: call.thread)
      onces[token].owner = .none
      process.kernel.setOwner(of: onces[token].turnstile, to: .none)
      process.kernel.wakeAll(&onces[token].waiters, by: call.thread)
      return .next
    }
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: OncePrimitive, _ process: borrowing Process) -> Int64 {
    switch primitive {
    case .enter, .enterStatic: process.kernel.costs.lock.rawValue
    case .make, .makeStatic, .leave, .see: 0
    }
  }

  /// The first one runs the block, others wait until it has; who comes back to it in the block traps.
  ///
  /// Source: swift-corelibs-libdispatch:src/once.c; src/shims/lock.c.
  /// What is `static` is made by swift_once, which is dispatch_once on Darwin and on Linux one that waits for itself:
  /// seen with Swift 6.3.
  private mutating func enterOnce(
    _ token: OnceRecord.Index, isStatic: Bool, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let thread = call.thread
    if thread.isNone { return enterOutside(token, call, &process) }
    if onces[token].isDone {
      process.kernel.acquires(.once, token.raw, by: thread)
      process.kernel.threads.at(thread).setResult(.none)
      process.give(false, call)
      return .next
    }
    if onces[token].owner.isNone {
      onces[token].owner = thread
      // Whose code ends in the block has it for ever: no other thread may get its number.
      process.kernel.threads.at(thread).insert(.named)
      process.kernel.setOwner(of: onces[token].turnstile, to: thread)
      onces[token].place = Int32(truncatingIfNeeded: call.counter)
      process.give(true, call)
      return .next
    }
    if onces[token].owner == thread, !isStatic || pool.rules.propagatesQuality {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: trying to lock recursively", call)
    }
    process.kernel.append(thread, to: &onces[token].waiters)
    process.kernel.block(
      thread, .once, on: token.raw, name: onces[token].name, holder: onces[token].owner)
    process.kernel.wait(thread, at: onces[token].turnstile)
    return .left
  }

  /// The same on no thread, where nothing takes time: a `static` that is first used at the top, or by the world.
  private mutating func enterOutside(
    _ token: OnceRecord.Index, _ call: Call, _ process: inout Process
  ) -> CallResult {
    demand(
      !onces[token].isDone || !onces[token].isMadeOutside, "once \(token) is done and being made")
    if !onces[token].owner.isNone {
      return process.crash("a thread is making this, and code without a thread can't wait", call)
    }
    if onces[token].isMadeOutside {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: trying to lock recursively", call)
    }
    onces[token].isMadeOutside = !onces[token].isDone
    process.give(!onces[token].isDone, call)
    return .next
  }
}
