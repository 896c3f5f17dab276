import SpindleModel

/// What the log tells of order.
extension HappensBefore {
  /// Reads on in the log.
  mutating func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries { receive(entry) }
  }

  /// Reads one entry.
  mutating func receive(_ entry: LogEntry) {
    let thread = entry.threadID
    switch entry.event {
    case .threadCreated:
      let origin = ThreadOrigin(rawValue: entry.detail)
      begin(
        thread, servesAll: origin == .threadPool || origin == .worker,
        by: origin == .main ? .none : ThreadID(entry.other))
    case .threadBlocked:
      threads[Int(thread.index)].reason = WaitReason(rawValue: entry.detail)
      threads[Int(thread.index)].waitObject = entry.subject
    case .threadReady: wake(thread, by: ThreadID(entry.other))
    case .threadEnded:
      release(.init(kind: .thread, number: thread.index), by: thread)
      endStrands(of: thread)
    case .itemSubmitted: handOver(entry)
    case .itemStarted: begin(entry)
    case .itemEnded: end(entry)
    case .itemSkipped: forget(.init(kind: .item, number: entry.other))
    case .lockAcquired: take(entry)
    case .lockReleased:
      let isReader = readers.remove(Self.hold(entry)) != nil
      if !isOrdered(by: .lock, entry.subject) { break }
      release(.init(kind: isReader ? .readers : .lock, number: entry.subject), by: thread)
    case .semaphorePassed:
      if !isOrdered(by: .semaphore, entry.subject) { break }
      acquire(.init(kind: .semaphore, number: entry.subject), by: thread)
    case .semaphoreSignalled:
      if !isOrdered(by: .semaphore, entry.subject) { break }
      release(.init(kind: .semaphore, number: entry.subject), by: thread)
    case .groupLeft: release(.init(kind: .group, number: entry.subject), by: thread)
    case .objectMade:
      if entry.detail == HandleClass.threadPool.rawValue && entry.value == 1 {
        serialExecutors.insert(entry.other)
      }
    case .queueResumed, .queueActivated:
      guard entry.detail == DispatchObject.queue.rawValue else { break }
      release(.init(kind: .queue, number: entry.subject), by: thread)
      release(.init(kind: .queueBarrier, number: entry.subject), by: thread)
    case .performAsked, .runLoopItemAdded, .runLoopWoken, .runLoopStopped:
      if entry.other >= 0 { release(.init(kind: .runLoop, number: entry.other), by: thread) }
    case .sourceSignalled, .messageSent:
      release(.init(kind: .signal, number: entry.object), by: thread)
    case .sourcePerformed, .messageReceived:
      acquire(.init(kind: .signal, number: entry.object), by: thread)
      acquire(.init(kind: .runLoop, number: thread.index), by: thread)
    case .performBegun, .blockPerformed, .timerFired, .observerCalled, .answerReceived,
      .runLoopAwoke, .runLoopEntered, .runLoopLeft:
      acquire(.init(kind: .runLoop, number: thread.index), by: thread)
    default: break
    }
  }

  // MARK: Locks

  private mutating func take(_ entry: LogEntry) {
    // Where it orders nothing, nothing is known at it.
    acquire(.init(kind: .lock, number: entry.subject), by: entry.threadID)
    if entry.detail == LockSharing.shared.rawValue {
      readers.insert(Self.hold(entry))
    } else {
      acquire(.init(kind: .readers, number: entry.subject), by: entry.threadID)
    }
  }

  /// A lock in the hands of a thread.
  private static func hold(_ entry: LogEntry) -> Int64 {
    Int64(entry.subject) << 32 | Int64(entry.thread)
  }

  // MARK: Items

  private mutating func handOver(_ entry: LogEntry) {
    let submission = Submission(entry.value)
    release(.init(kind: .item, number: submission.item), by: entry.threadID, isAlone: true)
    let flags = Submission.Flags(rawValue: entry.detail)
    if flags.contains(.toExecutor) { executorOfItem[submission.item] = submission.object }
    if flags.contains(.isOperation) {
      // Its number may have been another one's.
      forget(.init(kind: .operation, number: submission.object))
      forget(.init(kind: .part, number: submission.object))
    }
  }

  /// An item begins: behind what handed it over, and on a thread of a pool behind nothing else, unless
  /// that is all the pool has.
  private mutating func begin(_ entry: LogEntry) {
    let item = SyncObject(kind: .item, number: entry.other)
    let thread = Int(entry.thread)
    if thread < 0 { return }
    if let executor = executorOfItem.removeValue(forKey: entry.other), threads[thread].servesAll,
      threads[thread].firstItem == 0
    {
      threads[thread].firstItem = entry.other
      if !serialExecutors.contains(executor) { replace(on: entry.threadID, with: nil) }
    }
    acquire(item, by: entry.threadID)
    forget(item)
    let top = threads[thread].strands.count - 1
    if top >= 0 {
      threads[thread].strands[top].item = entry.object
      threads[thread].strands[top].kind = entry.subject
    }
  }

  private mutating func end(_ entry: LogEntry) {
    let thread = Int(entry.thread)
    if thread < 0 { return }
    if threads[thread].firstItem == entry.other { threads[thread].firstItem = 0 }
    let top = threads[thread].strands.count - 1
    if top >= 0 && threads[thread].strands[top].item == entry.object {
      threads[thread].strands[top].item = -1
      threads[thread].strands[top].kind = -1
    }
  }
}
