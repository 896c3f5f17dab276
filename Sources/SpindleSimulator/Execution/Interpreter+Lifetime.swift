import SpindleModel

/// Letting go of objects: `release()` and weak references.
extension Interpreter {
  mutating func object(_ primitive: ObjectPrimitive, _ call: Call) -> CallResult {
    guard let handle = HandleClass(rawValue: UInt8(truncatingIfNeeded: process.argument(1, call)))
    else {
      fatalError("no class of objects has number \(process.argument(1, call))")
    }
    let key = ObjectKey(handle: handle, object: process.argument(0, call))
    switch primitive {
    case .isAlive:
      process.give(process.argument(0, call) != noValue && isAlive(key), call)
      return .next
    case .release:
      return process.argument(0, call) == noValue ? .next : letGo(of: key, call)
    }
  }

  /// Nothing holds an object any more, or the trace says so; once for each.
  mutating func letGo(of key: ObjectKey, _ call: Call) -> CallResult {
    if !released.insert(key).inserted { return .next }
    process.kernel.storage.take(.releasedObjects, 64)
    let result = release(key, call)
    if case .stopped = result { process.crashSite.object = key }
    return result
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: ObjectPrimitive) -> Int64 {
    switch primitive {
    case .release, .isAlive: 0
    }
  }

  /// Whether an object is still there: nobody has let go of it, or the library has it.
  ///
  /// Of a work item the library has the block only, which Swift's object is around.
  /// Source: swift-corelibs-libdispatch:src/swift/Queue.swift, async(execute:).
  private func isAlive(_ key: ObjectKey) -> Bool {
    if !released.contains(key) && !process.isLetGo(key) { return true }
    switch key.handle {
    case .queue: return !dispatch.queues[.init(key.index)].isGone
    case .operation: return operations.isOperationNeeded(.init(key.index), process)
    case .operationQueue: return operations.isOperationQueueNeeded(.init(key.index))
    case .dispatchSource: return sources.isAlive(source: .init(key.index))
    case .thread: return process.kernel.threads[ThreadID(key.index)].state.isStarted
    case .group: return dispatch.groups.isNeeded(.init(key.index))
    case .timer: return runLoops.isNeeded(timer: .init(key.index))
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore,
      .threadPerTask, .threadPool, .taskExecutor, .runLoop, .source, .port, .observer, .workItem,
      .pipe, .process, .onceToken, .backgroundTask, .accelerator, .executor, .runLoopItem, .task,
      .taskGroup, .continuation, .asyncStream, .streamInput, .taskResult:
      return false
    }
  }

  /// Nothing of the trace holds an object any more whose class dies quietly: the code that it would have run goes
  /// with it, unless the library has it.
  mutating func abandon(_ key: ObjectKey) {
    assert(key.handle.diesQuietly, "a \(key.handle) dies without its effects")
    if !process.isLetGo(key) { return }
    if key.handle == .thread { threads.dropKept(of: ThreadID(key.index), &process) }
    if isAlive(key) { return }
    if key.handle == .workItem {
      if dispatch.workItems[.init(key.index)].uses > 0 { return }
      dispatch.dropCode(of: .init(key.index), &process)
    } else if key.handle == .operation {
      operations.dropIfGone(.init(key.index), &process)
    } else if key.handle == .timer {
      runLoops.dropCode(of: .init(key.index), &process)
    } else if key.handle == .thread {
      threads.dropCode(of: ThreadID(key.index), &process)
    }
  }

  /// The last hold on an object is given up; some may not be let go of in every state.
  ///
  /// A group that somebody is in is held by that: `dispatch_group_enter` retains it.
  ///
  /// Source: swift-corelibs-libdispatch:src/semaphore.c, _dispatch_semaphore_dispose and
  /// dispatch_group_enter; src/queue.c and src/source.c.
  private mutating func release(_ key: ObjectKey, _ call: Call) -> CallResult {
    assert(released.contains(key), "\(key.handle) \(key.object) is let go of unnoticed")
    switch key.handle {
    case .queue: return dispatch.releaseQueue(.init(key.index), call, &process)
    case .dispatchSource: return sources.releaseSource(.init(key.index), call, &dispatch, &process)
    case .operation: return operations.releaseOperation(.init(key.index), call, &process)
    case .semaphore:
      let semaphore = semaphores.semaphores[SemaphoreRuntime.Index(key.index)]
      if semaphore.value >= semaphore.initial { return .next }
      return process.crash(
        "BUG IN CLIENT OF LIBDISPATCH: Semaphore object deallocated while in use", call)
    case .task: concurrency.letGoOfResult(of: .init(key.index), &process)
    case .asyncStream:
      concurrency.letGo(
        ofStream: .init(key.index), by: call.thread, &dispatch, &process)
    case .streamInput: concurrency.letGo(ofInput: .init(key.index), &process)
    case .thread, .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite,
      .group, .threadPerTask, .threadPool, .taskExecutor, .runLoop, .timer, .source, .port,
      .observer, .workItem, .pipe, .process, .onceToken, .operationQueue, .backgroundTask,
      .accelerator, .executor, .runLoopItem, .taskGroup, .continuation, .taskResult:
      break
    }
    return .next
  }
}
