import SpindleModel

/// Threads: their life and their properties.
extension ThreadRuntime {
  mutating func thread(_ primitive: ThreadPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    switch primitive {
    case .make: return makeThread(call, &process)
    case .detach: return detachThread(call, &process)
    case .start: return startThread(call, &process)
    case .join: return joinThread(call, &process)
    case .cancel: cancelThread(call, &process)
    case .current: process.give(process.handle(call.thread), call)
    case .exit:
      return .exits
    case .realtime: return makeRealtime(call, &process)
    case .makeJobs: return makeJobThread(call, &process)
    case .releaseJob: return releaseJob(call, &process)
    case .niceValue: giveNiceValue(call, process)
    case .setNiceValue: setNiceValue(call, &process)
    case .setScheduling: return setScheduling(call, &process)
    case .isMainThread:
      process.give(call.thread == process.mainThread && !process.firstThreadIsGone, call)
    case .isCancelled:
      if let thread = process.resolve(process.argument(0, call)) {
        process.kernel.acquires(.threadCancellation, thread.index, by: call.thread)
      }
      giveProperty(call, ofGone: 0, process) { $0.flags.contains(.cancelled) ? 1 : 0 }
    case .isExecuting: giveProperty(call, ofGone: 0, process) { isExecuting($0) ? 1 : 0 }
    case .isFinished:
      if let thread = process.resolve(process.argument(0, call)) {
        process.kernel.acquires(.thread, thread.index, by: call.thread)
      }
      giveProperty(call, ofGone: 1, process) { $0.state == .finished ? 1 : 0 }
    case .name: giveProperty(call, process) { givenName($0) }
    case .stackSize: giveProperty(call, process) { $0.stackSize }
    case .priority: giveProperty(call, process) { $0.threadPriority }
    case .qualityOfService: giveProperty(call, process) { Int64($0.quality) }
    case .dictionaryGet:
      guard let thread = present(call, process) else { return .next }
      let key = process.object(1, call)
      process.give(value(of: thread, key: key, process.kernel), call)
    case .dictionarySet:
      guard let thread = present(call, process) else { return .next }
      let given = KeepValueArguments(call, process)
      setValue(given.value, of: thread, key: given.key, process.kernel)
    case .setName: setName(call, process)
    case .setStackSize:
      guard let thread = present(call, process) else { return .next }
      setStackSize(process.argument(1, call), of: thread, call, &process)
    case .setPriority:
      guard let thread = present(call, process) else { return .next }
      let wanted = setting(threadPriority: process.argument(1, call))
      process.kernel.threads.at(thread).setPriority(
        base: wanted.base, threadPriority: wanted.threadPriority)
      process.kernel.setRealtime(thread, nil, by: call.thread)
      process.kernel.claimChanged(thread)
    case .setQualityOfService:
      guard let thread = present(call, process) else { return .next }
      let quality = process.object(1, call)
      process.kernel.threads.at(thread).setQuality(
        quality,
        base: ThreadRuntime.basePriority(quality: quality, isMain: thread == process.mainThread))
      process.kernel.setRealtime(thread, nil, by: call.thread)
      process.kernel.claimChanged(thread)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: ThreadPrimitive, _ process: borrowing Process) -> Int64 {
    switch primitive {
    case .start, .detach: process.kernel.costs.threadCreate.rawValue
    case .realtime, .niceValue, .setNiceValue, .setScheduling:
      process.kernel.costs.systemCall.rawValue
    case .make, .makeJobs, .releaseJob, .join, .cancel, .isCancelled, .isExecuting, .isFinished,
      .current, .isMainThread,
      .exit, .dictionaryGet, .dictionarySet, .name, .setName, .stackSize, .setStackSize, .priority,
      .setPriority, .qualityOfService, .setQualityOfService:
      0
    }
  }

  private mutating func joinThread(_ call: Call, _ process: inout Process) -> CallResult {
    guard let target = process.resolve(process.argument(0, call)) else {
      process.give(Int64(WellKnownName.success.id.index), call)
      return .next
    }
    let step = join(
      target, call.thread, deadline: process.deadline(process.argument(1, call)), &process.kernel)
    if case .done = step { process.giveWaitResult(call) }
    return process.advance(step, call)
  }

  private mutating func cancelThread(_ call: Call, _ process: inout Process) {
    guard let target = process.resolve(process.argument(0, call)) else { return }
    process.kernel.threads.at(target).insert(.cancelled)
    process.kernel.releases(.threadCancellation, target.index, by: call.thread)
    defer {
      if process.kernel.threads[target].role == .jobs {
        cancelJobs(target, by: call.thread, &process)
      }
    }
    let stranger = process.stranger(target)
    process.kernel.record(
      .threadCancelled, thread: call.thread, detail: stranger.mention.rawValue, other: target.index,
      value: stranger.name)
  }

  private mutating func makeThread(_ call: Call, _ process: inout Process) -> CallResult {
    var record = ThreadRecord()
    let given = ThreadMakeArguments(call, process)
    record.name = given.name.map { Int32(truncatingIfNeeded: $0) } ?? -1
    record.itemName = record.name
    record.itemKind = given.workKind
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    record.flags = given.isJoinable ? [.named, .joinable] : [.named]
    record.stackSize = process.kernel.machine.threadStack.rawValue
    if let priority = given.priority {
      (record.basePriority, record.threadPriority) = setting(threadPriority: priority)
    }
    if let quality = given.quality {
      record.quality = quality
      record.basePriority = ThreadRuntime.basePriority(quality: quality, isMain: false)
    }
    numberIfNameless(&record, &process)
    record.frame = process.activity(ThreadMakeArguments.closure, call)
    record.depth = 1
    record.overhead = process.kernel.costs.threadStart.rawValue
    let thread = process.kernel.createThread { $0.pointee = record }
    if let stack = given.stackSize { setStackSize(stack, of: thread, call, &process) }
    process.give(process.handle(thread), call)
    return .next
  }

  private mutating func detachThread(_ call: Call, _ process: inout Process) -> CallResult {
    var record = ThreadRecord()
    let given = ThreadDetachArguments(call, process)
    record.name = given.name.map { Int32(truncatingIfNeeded: $0) } ?? -1
    record.itemName = record.name
    record.itemKind = given.workKind
    record.madeAt = Int32(truncatingIfNeeded: call.counter)
    record.stackSize = process.kernel.machine.threadStack.rawValue
    numberIfNameless(&record, &process)
    record.frame = process.activity(ThreadDetachArguments.closure, call)
    record.depth = 1
    record.overhead = process.kernel.costs.threadStart.rawValue
    if !process.kernel.mayStartThread { return process.tooManyThreads(call) }
    let thread = process.kernel.createThread { $0.pointee = record }
    submitBody(of: thread, call, &process)
    process.kernel.start(thread, origin: .detached, executorName: -1, by: call.thread)
    return process.checkMemory(call)
  }

  mutating func numberIfNameless(_ record: inout ThreadRecord, _ process: inout Process) {
    if record.name >= 0 { return }
    demand(record.serial == 0, "thread number \(record.serial) is to get a number")
    let kind = Int(record.itemKind)
    if kind >= 0, process.program.kinds[kind].isNamed {
      // One of a class of threads: what it runs is called like that, and itself, too, but for a number.
      let className = process.program.kinds[kind].pattern
      record.name = process.threadName(ofClass: className)
      record.itemName = process.kernel.intern(className).index
      return
    }
    record.serial = process.kernel.nextNameless()
    record.name = process.kernel.intern("thread-\(record.serial)").index
  }

  private mutating func startThread(_ call: Call, _ process: inout Process) -> CallResult {
    guard let thread = process.resolve(process.argument(0, call)),
      process.kernel.threads[thread].state == .created
    else {
      return process.crash("attempting to start a thread that has already been started", call)
    }
    if process.kernel.threads[thread].flags.contains(.cancelled) {
      process.kernel.endUnstarted(thread)
      process.kernel.wakeJoiners(of: thread, by: call.thread)
      return .next
    }
    if !process.kernel.mayStartThread { return process.tooManyThreads(call) }
    let doesJobs = process.kernel.threads[thread].role == .jobs
    if !doesJobs {
      keepCode(of: thread, &process)
      submitBody(of: thread, call, &process)
    }
    process.kernel.start(thread, origin: .thread, executorName: -1, by: call.thread)
    if doesJobs { startJobs(thread, &process) }
    return process.checkMemory(call)
  }

  /// On Linux a thread keeps its block when that has run, as long as something holds it; what Apple's do is not known.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Thread.swift, init(block:) and main.
  private mutating func keepCode(of thread: ThreadID, _ process: inout Process) {
    let key = ObjectKey(handle: .thread, object: Int64(thread.index))
    let handle = ObjectKey(handle: .thread, object: process.handle(thread))
    let isInstance = process.objectHolds.whole(of: handle) != nil
    guard
      isInstance || process.kernel.machine.platform == .linux && process.objectHolds.isCounted(key)
    else { return }
    demand(kept[thread] == nil, "thread \(thread.index) is started for the second time")
    let closure = process.kernel.threads[thread].frame
    kept[thread] = closure
    process.kernel.storage.take(.threads, 32)
    process.kernel.threads.at(thread).setFrame(process.copy(ofClosure: closure))
  }

  /// Nothing holds a thread any more, which goes on by itself if it runs.
  mutating func dropKept(of thread: ThreadID, _ process: inout Process) {
    if let closure = kept.removeValue(forKey: thread) { process.drop(closure) }
  }

  /// Nothing has a thread any more that never began, and never will.
  mutating func dropCode(of thread: ThreadID, _ process: inout Process) {
    let record = process.kernel.threads[thread]
    let isCancelled = record.state == .finished && record.flags.contains(.cancelled)
    guard record.role == .plain, record.itemNumber < 0, !record.frame.isNone,
      record.state == .created || isCancelled
    else { return }
    demand(record.core < 0, "thread \(thread.index) never began, and is on core \(record.core)")
    process.kernel.threads.at(thread).setFrame(.none)
    process.nest(StackUse.thread) { $0.drop(record.frame) }
  }

  private mutating func submitBody(of thread: ThreadID, _ call: Call, _ process: inout Process) {
    demand(
      process.kernel.threads[thread].itemNumber < 0,
      "the body of thread \(thread.index) is handed over for the second time")
    let item = process.kernel.nextItem()
    process.kernel.threads.at(thread).submitItem(item, at: process.kernel.now)
    process.kernel.record(
      .itemSubmitted, thread: call.thread, object: process.kernel.threads[thread].itemName,
      subject: process.kernel.threads[thread].itemKind,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Submission.value(item: item))
  }

  // MARK: Properties

  /// Gives what a thread's record says.
  ///
  /// A thread whose number is used again has ended, and what it was told or called is gone.
  private func giveProperty(
    _ call: Call, ofGone gone: Int64 = noValue, _ process: borrowing Process,
    _ property: (ThreadRecord) -> Int64
  ) {
    process.give(
      process.resolve(process.argument(0, call)).map { property(process.kernel.threads[$0]) }
        ?? gone, call)
  }

  /// The thread that a call is about; for one whose number is used again the call gives nothing.
  private func present(_ call: Call, _ process: borrowing Process) -> ThreadID? {
    let thread = process.resolve(process.argument(0, call))
    if thread == nil { process.give(noValue, call) }
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

  /// Gives a thread a name; Linux refuses one of more than 15 bytes, and the thread keeps the one that it had.
  ///
  /// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFPlatform.c, _CFThreadSetName; pthread_setname_np(3), ERANGE;
  /// run with Swift 6.3.1.
  private func setName(_ call: Call, _ process: borrowing Process) {
    guard let thread = present(call, process) else { return }
    // Each thread has a name: 'nil' leaves it as it is.
    if process.argument(1, call) == noValue { return }
    let name = process.object(1, call)
    if process.kernel.machine.platform == .linux,
      process.kernel.text(name).utf8.count > Self.longestName
    {
      return
    }
    process.kernel.threads.at(thread).setName(name)
  }

  private static let longestName = 15

  /// What `threadPriority` becomes when it is set to so many billionths, and the base priority of that.
  private func setting(threadPriority billionths: Int64) -> (base: Int16, threadPriority: Int64) {
    let priority = max(0, min(FixedDecimal.scale, billionths))
    return (ThreadRuntime.basePriority(threadPriority: priority), priority)
  }

  private mutating func setStackSize(
    _ asked: Int64, of thread: ThreadID, _ call: Call, _ process: inout Process
  ) {
    let record = process.kernel.threads[thread]
    let name = process.kernel.name(of: thread)
    let places = [Int32(truncatingIfNeeded: call.counter)]
    if record.state != .created {
      process.kernel.report(
        .stackSizeIgnored, thread: call.thread, places: places,
        FindingText.stackSizeTooLate(name))
      return
    }
    let (size, reason) = ThreadRuntime.stackSize(
      asked: asked, present: record.stackSize, platform: process.kernel.machine.platform)
    process.kernel.threads.at(thread).setStackSize(size)
    if let reason {
      process.kernel.report(
        .stackSizeIgnored, thread: call.thread, places: places,
        FindingText.stackSizeOfThread(name, asked: ByteCount(asked), reason: reason))
    }
  }

  /// Makes the main thread, which the top level may name before it is started.
  mutating func makeMain(_ process: inout Process) {
    guard let main = process.program.main else {
      fatalError("a program that names its main thread has one")
    }
    demand(
      process.mainThread.isNone,
      "the main thread is made, and is thread \(process.mainThread.index)")
    let root = RandomStreams.mix(process.program.seed)
    let key = RandomStreams.key(root, salt: 2, ordinal: 0)
    var record = ThreadRecord()
    record.name = WellKnownName.main.id.index
    record.role = .main
    record.flags = .named
    record.stackSize = process.kernel.machine.mainStack.rawValue
    if process.kernel.machine.isDarwin {
      record.quality = WellKnownName.userInteractive.id.index
      record.basePriority = ThreadRuntime.basePriority(quality: record.quality, isMain: true)
    }
    record.frame = process.makeFrame(main.index, parent: .none, key: key)
    record.depth = 1
    process.mainThread = process.kernel.createThread { $0.pointee = record }
  }
}
