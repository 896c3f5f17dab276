import SpindleModel

/// Threads: their life and their properties.
extension Interpreter {
  mutating func thread(_ primitive: ThreadPrimitive, _ call: Call) -> Advance {
    switch primitive {
    case .make: return makeThread(call)
    case .detach: return detachThread(call)
    case .start: return startThread(call)
    case .join: return joinThread(call)
    case .cancel: cancelThread(call)
    case .current: give(handle(call.thread), call)
    case .exit:
      exitThread(call.thread)
      return outcome == nil ? .unwound : .stopped
    case .realtime: return makeRealtime(call)
    case .isMainThread: give(call.thread == mainThread, call)
    case .isCancelled: giveProperty(call, ofGone: 0) { $0.flags.contains(.cancelled) ? 1 : 0 }
    case .isExecuting: giveProperty(call, ofGone: 0) { isExecuting($0) ? 1 : 0 }
    case .isFinished: giveProperty(call, ofGone: 1) { $0.state == .finished ? 1 : 0 }
    case .name: giveProperty(call) { givenName($0) }
    case .stackSize: giveProperty(call) { $0.stackSize }
    case .priority: giveProperty(call) { $0.threadPriority }
    case .qualityOfService: giveProperty(call) { Int64($0.quality) }
    case .dictionaryGet:
      guard let thread = present(call) else { return .next }
      let key = Int32(truncatingIfNeeded: argument(1, call))
      give(threads.value(of: thread, key: key, kernel), call)
    case .dictionarySet:
      guard let thread = present(call) else { return .next }
      let key = Int32(truncatingIfNeeded: argument(1, call))
      threads.setValue(argument(2, call), of: thread, key: key, kernel)
    case .setName: setName(call)
    case .setStackSize:
      guard let thread = present(call) else { return .next }
      setStackSize(argument(1, call), of: thread, call)
    case .setPriority:
      guard let thread = present(call) else { return .next }
      setPriority(argument(1, call), &kernel.threads[thread])
      kernel.setRealtime(thread, nil, by: call.thread)
      kernel.claimChanged(thread)
    case .setQualityOfService:
      guard let thread = present(call) else { return .next }
      setQuality(
        Int32(truncatingIfNeeded: argument(1, call)), &kernel.threads[thread],
        isMain: thread == mainThread)
      kernel.setRealtime(thread, nil, by: call.thread)
      kernel.claimChanged(thread)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: ThreadPrimitive) -> Int64 {
    switch primitive {
    case .start, .detach: kernel.costs.threadCreate.rawValue
    case .realtime: kernel.costs.systemCall.rawValue
    case .make, .join, .cancel, .isCancelled, .isExecuting, .isFinished, .current, .isMainThread,
      .exit, .dictionaryGet, .dictionarySet, .name, .setName, .stackSize, .setStackSize, .priority,
      .setPriority, .qualityOfService, .setQualityOfService:
      0
    }
  }

  private mutating func joinThread(_ call: Call) -> Advance {
    guard let target = resolve(argument(0, call)) else {
      give(Int64(WellKnownName.success.id.index), call)
      return .next
    }
    let step = threads.join(target, call.thread, deadline: deadline(argument(1, call)), &kernel)
    if case .done = step { giveWaitResult(call) }
    return advance(step, call)
  }

  private mutating func cancelThread(_ call: Call) {
    guard let target = resolve(argument(0, call)) else { return }
    kernel.threads[target].flags.insert(.cancelled)
    let stranger = stranger(target)
    kernel.record(
      .threadCancelled, thread: call.thread, detail: stranger.mention.rawValue, other: target,
      value: stranger.name)
  }

  private mutating func makeThread(_ call: Call) -> Advance {
    var record = ThreadRecord()
    record.name = argument(0, call) == noValue ? -1 : Int32(truncatingIfNeeded: argument(0, call))
    record.itemName = record.name
    record.itemKind = Int32(truncatingIfNeeded: argument(1, call))
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    record.flags = argument(5, call) == 0 ? [.named] : [.named, .joinable]
    record.stackSize = kernel.machine.threadStack.rawValue
    if argument(3, call) != noValue { setPriority(argument(3, call), &record) }
    if argument(4, call) != noValue {
      setQuality(Int32(truncatingIfNeeded: argument(4, call)), &record, isMain: false)
    }
    numberIfNameless(&record)
    record.frame = activity(6, call)
    record.depth = 1
    record.overhead = kernel.costs.threadStart.rawValue
    let stack = argument(2, call)
    let thread = kernel.createThread { $0.pointee = record }
    if stack != noValue { setStackSize(stack, of: thread, call) }
    give(handle(thread), call)
    return .next
  }

  private mutating func detachThread(_ call: Call) -> Advance {
    var record = ThreadRecord()
    record.name = argument(0, call) == noValue ? -1 : Int32(truncatingIfNeeded: argument(0, call))
    record.itemName = record.name
    record.itemKind = Int32(truncatingIfNeeded: argument(1, call))
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    record.stackSize = kernel.machine.threadStack.rawValue
    numberIfNameless(&record)
    record.frame = activity(2, call)
    record.depth = 1
    record.overhead = kernel.costs.threadStart.rawValue
    record.submitted = kernel.now
    if !kernel.mayStartThread { return tooManyThreads(call) }
    let thread = kernel.createThread { $0.pointee = record }
    submitBody(of: thread, call)
    kernel.start(thread, origin: .detached, executorName: -1, by: call.thread)
    return checkMemory(call)
  }

  private mutating func numberIfNameless(_ record: inout ThreadRecord) {
    if record.name >= 0 { return }
    kernel.namelessCount += 1
    record.serial = kernel.namelessCount
    record.name = kernel.intern("thread-\(record.serial)").index
  }

  private mutating func startThread(_ call: Call) -> Advance {
    guard let thread = resolve(argument(0, call)), kernel.threads[thread].state == .created else {
      return crash("attempting to start a thread that has already been started", call)
    }
    if kernel.threads[thread].flags.contains(.cancelled) {
      kernel.threads[thread].state = .finished
      kernel.threads[thread].flags.insert(.started)
      threads.wakeJoiners(of: thread, by: call.thread, &kernel)
      return .next
    }
    if !kernel.mayStartThread { return tooManyThreads(call) }
    kernel.threads[thread].submitted = kernel.now
    submitBody(of: thread, call)
    kernel.start(thread, origin: .thread, executorName: -1, by: call.thread)
    return checkMemory(call)
  }

  private mutating func submitBody(of thread: Int32, _ call: Call) {
    let item = kernel.nextItem()
    kernel.threads[thread].itemNumber = item
    kernel.record(
      .itemSubmitted, thread: call.thread, object: kernel.threads[thread].itemName,
      subject: kernel.threads[thread].itemKind, place: Int32(truncatingIfNeeded: call.counter),
      value: Submission.value(item: item))
  }

  /// The process has as many threads as it may have.
  mutating func tooManyThreads(_ call: Call) -> Advance {
    kernel.report(
      .threadLimit, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
      FindingText.threadLimit(threads: kernel.liveCount))
    return crash("thread creation failed: the process has its limit of threads (EAGAIN)", call)
  }

  /// Ends the running thread at once; what it has still to do is dropped.
  private mutating func exitThread(_ thread: Int32) {
    if kernel.threads[thread].role == .queueWorker || kernel.threads[thread].sync >= 0 {
      crash(
        "BUG IN CLIENT OF LIBPTHREAD: pthread_exit() called from a thread not created by "
          + "pthread_create()", thread)
      return
    }
    var frame = kernel.threads[thread].frame
    while frame >= 0 {
      let parent = frames.parent(frame)
      if frames.isNative(frame) { abandon(frame, thread) }
      frames.release(frame)
      frame = parent
    }
    kernel.threads[thread].frame = -1
    endItem(thread)
    if outcome != nil { return }
    if thread == mainThread { mainAnswers() }
    endThread(thread)
  }

  // MARK: Properties

  /// Gives what a thread's record says.
  ///
  /// A thread whose number is used again has ended, and what it was told or called is gone.
  private func giveProperty(
    _ call: Call, ofGone gone: Int64 = noValue, _ property: (ThreadRecord) -> Int64
  ) {
    give(resolve(argument(0, call)).map { property(kernel.threads[$0]) } ?? gone, call)
  }

  /// The thread that a call is about; for one whose number is used again the call gives nothing.
  private func present(_ call: Call) -> Int32? {
    let thread = resolve(argument(0, call))
    if thread == nil { give(noValue, call) }
    return thread
  }

  private func isExecuting(_ record: ThreadRecord) -> Bool {
    let isAlive = record.state != .created && record.state != .finished
    return isAlive && (record.flags.contains(.begun) || record.role == .worker)
  }

  private func givenName(_ record: ThreadRecord) -> Int64 {
    record.serial > 0 && record.role != .worker
      ? Int64(WellKnownName.empty.id.index) : Int64(record.name)
  }

  private func setName(_ call: Call) {
    guard let thread = present(call) else { return }
    let isCreated = kernel.threads[thread].state == .created
    kernel.threads[thread].name = Int32(truncatingIfNeeded: argument(1, call))
    kernel.threads[thread].serial = 0
    if isCreated { kernel.threads[thread].itemName = kernel.threads[thread].name }
  }

  private func setPriority(_ billionths: Int64, _ record: inout ThreadRecord) {
    record.threadPriority = max(0, min(FixedDecimal.scale, billionths))
    record.basePriority = ThreadRuntime.basePriority(threadPriority: record.threadPriority)
  }

  private func setQuality(_ quality: Int32, _ record: inout ThreadRecord, isMain: Bool) {
    record.quality = quality
    record.basePriority = ThreadRuntime.basePriority(quality: quality, isMain: isMain)
  }

  private mutating func setStackSize(_ asked: Int64, of thread: Int32, _ call: Call) {
    let record = kernel.threads[thread]
    let name = kernel.name(of: thread)
    let places = [Int32(truncatingIfNeeded: call.counter)]
    if record.state != .created {
      kernel.report(
        .stackSizeIgnored, thread: call.thread, places: places,
        FindingText.stackSizeTooLate(name))
      return
    }
    let (size, reason) = ThreadRuntime.stackSize(
      asked: asked, present: record.stackSize, platform: kernel.machine.platform)
    kernel.threads[thread].stackSize = size
    if let reason {
      kernel.report(
        .stackSizeIgnored, thread: call.thread, places: places,
        FindingText.stackSizeOfThread(name, asked: ByteCount(asked), reason: reason))
    }
  }

  /// Gives `.success` or `.timedOut`, by how the wait ended.
  func giveWaitResult(_ call: Call) {
    let timedOut = kernel.threads[call.thread].wakeResult == .timedOut
    give(Int64((timedOut ? WellKnownName.timedOut : .success).id.index), call)
  }
}
