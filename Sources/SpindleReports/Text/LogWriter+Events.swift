import SpindleModel

extension LogWriter {
  /// Writes what an entry says, without time, core and thread.
  mutating func writeWhat(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated, .threadReady, .threadRuns, .threadPreempted, .threadBlocked, .threadEnded,
      .threadKilled, .threadCancelled:
      writeThreadEvent(entry)
    case .itemSubmitted, .itemStarted, .itemEnded, .itemSkipped, .itemCancelled:
      writeItemEvent(entry)
    case .queueSyncBegan, .queueSyncEnded, .queueSuspended, .queueResumed, .queueActivated,
      .applyBegan, .applyEnded:
      writeQueueEvent(entry)
    case .sourceFired, .sourceCancelled, .signalRaised, .appTurned, .machineSlept, .machineWoke:
      writeSourceEvent(entry)
    case .realtimeChanged, .deadlineMissed: writeRealtimeEvent(entry)
    case .valueAnnounced: writeAnnouncement(entry)
    case .mark, .print, .record, .sharedRead, .sharedWritten: writeNote(entry)
    case .lockAcquired, .lockRefused, .lockReleased, .conditionSignalled, .conditionBroadcast,
      .waitTimedOut:
      writeLockEvent(entry)
    case .semaphorePassed, .semaphoreSignalled, .groupEntered, .groupLeft: writeCountEvent(entry)
    case .memoryAllocated, .memoryFreed, .memoryAutoreleased, .poolDrained, .memoryChanged:
      writeMemoryEvent(entry)
    case .runLoopEntered, .runLoopLeft, .runLoopStopped, .runLoopWoken, .observerCalled,
      .timerFired, .sourceSignalled, .sourcePerformed, .blockPerformed, .performAsked,
      .performBegun,
      .messageSent, .messageReceived, .answerCame, .answerReceived, .trackingBegan, .trackingEnded,
      .runLoopItemAdded, .runLoopItemRemoved, .commonModeAdded, .runLoopAwoke:
      writeRunLoopEvent(entry)
    case .arrival:
      lines.write("arrives, number ")
      lines.write(entry.value)
    case .finding:
      lines.write("finding ")
      lines.write(entry.value + 1)
    case .runEnded:
      lines.write("the run ends: ")
      lines.write(text: (Outcome.Kind(rawValue: entry.detail) ?? .finished).name)
    }
  }

  private mutating func writeThreadEvent(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated: writeCreation(entry)
    case .threadReady:
      lines.write("is ready")
      writeAgent(", woken by ", entry.other, unless: entry.thread)
    case .threadRuns:
      lines.write("runs")
      let flags = DispatchFlags(rawValue: entry.detail)
      if flags.contains(.contextSwitch) { lines.write(", switch") }
      if flags.contains(.migration) { lines.write(", migration") }
    case .threadPreempted:
      switch PreemptionReason(rawValue: entry.detail) {
      case .quantum: lines.write("is preempted: quantum")
      case .priority: lines.write("is preempted: priority")
      default: lines.write("yields")
      }
      writeWork(entry.value)
    case .threadBlocked:
      writeWait(entry)
      writeWork(entry.value)
    case .threadEnded:
      lines.write("ends")
      writeWork(entry.value)
    case .threadKilled:
      lines.write("is killed")
      writeWork(entry.value)
    default:
      lines.write("cancels ")
      writeThread(entry.other)
    }
  }

  private mutating func writeCreation(_ entry: LogEntry) {
    lines.write("is created")
    writeAgent(" by ", entry.other, unless: entry.thread)
    if entry.subject >= 0 {
      lines.write(" for")
      writeName(entry.subject)
    }
    guard entry.value > 0 else { return }
    lines.write(", stack ")
    writeSize(entry.value)
  }

  private mutating func writeWait(_ entry: LogEntry) {
    switch WaitReason(rawValue: entry.detail) {
    case .io: lines.write("waits for io")
    case .sleep: lines.write("sleeps")
    case .lock: lines.write("waits for lock")
    case .condition: lines.write("waits for condition")
    case .semaphore: lines.write("waits for semaphore")
    case .group: lines.write("waits for group")
    case .join: lines.write("joins")
    case .runLoop:
      lines.write(entry.object < 0 ? "idles in its run loop" : "idles in its run loop in")
    case .perform: lines.write(entry.object < 0 ? "waits for a perform" : "waits for a perform of")
    case .idleWorker: lines.write("idles as a worker")
    case .operation: lines.write("waits for operation")
    case .operations: lines.write("waits for the operations of")
    case .sync: lines.write("waits in sync for queue")
    case .workItem: lines.write("waits for work item")
    case .apply: lines.write("waits for the other iterations")
    case .once: lines.write("waits for once")
    case nil: lines.write("waits")
    }
    writeName(entry.object)
    writeAgent(entry.detail == WaitReason.join.rawValue ? " " : " of ", entry.other, unless: -1)
  }

  mutating func writeAgent(_ word: StaticString, _ thread: Int32, unless: Int32) {
    guard thread >= 0 && thread != unless else { return }
    lines.write(word)
    writeThread(thread)
  }

  private mutating func writeWork(_ nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    lines.write(", worked ")
    lines.write(Nanoseconds(nanoseconds))
  }

  private mutating func writeRealtimeEvent(_ entry: LogEntry) {
    if entry.event == .deadlineMissed {
      lines.write("misses its deadline by ")
    } else if entry.value == 0 {
      lines.write("is an ordinary thread again")
      return
    } else {
      lines.write("is a real-time thread, constraint ")
    }
    lines.write(Nanoseconds(entry.value))
  }

  private mutating func writeItemEvent(_ entry: LogEntry) {
    switch entry.event {
    case .itemSubmitted:
      lines.write("submits")
      writeName(entry.object)
      if entry.other >= 0 {
        lines.write(" to")
        writeName(entry.other)
      }
    case .itemStarted:
      lines.write("starts")
      writeName(entry.object)
      lines.write(", waited ")
      lines.write(Nanoseconds(entry.value))
    case .itemSkipped:
      lines.write("skips")
      writeName(entry.object)
      lines.write(
        entry.detail & 2 == 0 ? ", which is cancelled" : ", which has reported its end")
    case .itemCancelled:
      lines.write("cancels")
      writeName(entry.object)
    default:
      lines.write("ends")
      writeName(entry.object)
      lines.write(", took ")
      lines.write(Nanoseconds(entry.value))
    }
  }

  private mutating func writeAnnouncement(_ entry: LogEntry) {
    lines.write("announces")
    writeName(entry.object)
    lines.write(" ")
    lines.write(name: names.utf8(NameID(Int(entry.other))), quoted: false)
    lines.write(entry.value == 0 ? " = false" : " = true")
  }

  private mutating func writeNote(_ entry: LogEntry) {
    switch entry.event {
    case .mark: lines.write("mark")
    case .print: lines.write("print")
    case .record: lines.write("record")
    case .sharedRead: lines.write("reads")
    default: lines.write("writes")
    }
    writeName(entry.object)
    if entry.event == .mark || entry.event == .print { return }
    lines.write(" = ")
    let format =
      entry.event == .record
      ? ValueFormat(rawValue: entry.detail) ?? .integer : format(of: entry.object)
    if format == .thread && entry.value >= 0 {
      writeThread(Int32(truncatingIfNeeded: entry.value))
    } else {
      lines.write(text: ValueText.text(entry.value, format, names))
    }
  }

  private mutating func writeLockEvent(_ entry: LogEntry) {
    switch entry.event {
    case .lockAcquired: lines.write("locks")
    case .lockRefused: lines.write("does not get")
    case .lockReleased: lines.write("unlocks")
    case .conditionSignalled: lines.write("signals")
    case .conditionBroadcast: lines.write("broadcasts")
    default: lines.write("times out at")
    }
    writeName(entry.object)
    if entry.event == .lockAcquired && entry.detail == 1 { lines.write(" for reading") }
    if entry.event == .conditionSignalled || entry.event == .conditionBroadcast {
      lines.write(", wakes ")
      lines.write(entry.value)
    }
  }

  private mutating func writeCountEvent(_ entry: LogEntry) {
    switch entry.event {
    case .semaphorePassed: lines.write("passes")
    case .semaphoreSignalled: lines.write("signals")
    case .groupEntered: lines.write("enters")
    default: lines.write("leaves")
    }
    writeName(entry.object)
    lines.write(", count ")
    lines.write(entry.value)
  }

  private mutating func writeMemoryEvent(_ entry: LogEntry) {
    switch entry.event {
    case .memoryAllocated: lines.write("allocates ")
    case .memoryFreed: lines.write("frees ")
    case .memoryAutoreleased: lines.write("autoreleases ")
    case .poolDrained: lines.write("drains a pool of ")
    default: lines.write("memory in use ")
    }
    writeSize(entry.value)
  }

  private mutating func writeSize(_ bytes: Int64) {
    lines.write(text: ByteCount(bytes).description)
  }
}
