import SpindleModel

extension LogWriter {
  /// Writes the step of an entry, without time, core and thread.
  mutating func writeWhat(_ entry: LogEntry) {
    switch entry.event {
    case .threadCreated, .threadReady, .threadRuns, .threadPreempted, .threadBlocked, .threadEnded,
      .threadKilled, .threadCancelled:
      writeThreadEvent(entry)
    case .itemSubmitted, .itemStarted, .itemEnded, .itemSkipped, .itemCancelled, .itemPlanned:
      writeItemEvent(entry)
    case .queueSyncBegan, .queueSyncEnded, .queueSuspended, .queueResumed, .queueActivated,
      .applyBegan, .applyEnded, .iterationBegan, .iterationEnded:
      writeQueueEvent(entry)
    case .sourceFired, .sourceCancelled, .signalRaised, .appTurned, .machineSlept, .machineWoke:
      writeSourceEvent(entry)
    case .realtimeChanged, .deadlineMissed: writeRealtimeEvent(entry)
    case .valueAnnounced: writeAnnouncement(entry)
    case .mark, .print, .record, .sampled, .sharedRead, .sharedWritten: writeNote(entry)
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
    case .objectMade, .limitChanged, .dependencyChanged, .targetSet: writeObjectEvent(entry)
    case .waitLimited, .priorityChanged:
      if entry.event == .priorityChanged { lines.write("has ") }
      writeAttribute(entry)
    case .taskSuspended, .taskResumed, .taskCancelled, .taskRaised, .actorEntered, .actorLeft:
      writeTaskEvent(entry)
    case .acceleratorBegan, .acceleratorEnded: writeAcceleratorEvent(entry)
    case .handlerEnded: lines.write("returns")
    case .roundsRepeated:
      lines.write("repeats, steps ")
      lines.write(Int64(entry.other))
      lines.write(", times ")
      lines.write(entry.value)
    case .arrival:
      lines.write("arrives, number ")
      lines.write(entry.value)
    case .finding:
      lines.write("finding ")
      lines.write(entry.value + 1)
    case .runEnded:
      lines.write("the run ends, ")
      lines.write(text: (Outcome.Kind(rawValue: entry.detail) ?? .finished).name)
      switch RunEnding(rawValue: entry.value) {
      case .nothingLeft: lines.write(", nothing is left to do")
      case .until: lines.write(", its time is up")
      case .mainEnded: lines.write(", main has ended")
      case .exit: lines.write(", by exit")
      case .asTheOutcomeSays, nil: break
      }
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
      if flags.contains(.clusterMigration) { lines.write(" to another cluster") }
      if entry.value > 0 {
        lines.write(", refills ")
        lines.write(Nanoseconds(entry.value))
      }
    case .threadPreempted:
      switch PreemptionReason(rawValue: entry.detail) {
      case .quantum: lines.write("is preempted, quantum")
      case .priority: lines.write("is preempted, priority")
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
      lines.write("cancels thread")
      writeOwner(entry)
    }
  }

  private mutating func writeCreation(_ entry: LogEntry) {
    lines.write("is created")
    writeAgent(" by ", entry.other, unless: entry.thread)
    if entry.subject >= 0 {
      lines.write(" for")
      writeName(entry.subject)
    }
    if entry.detail == ThreadOrigin.main.rawValue { lines.write(", main thread") }
    lines.write(", stack ")
    writeSize(entry.value)
  }

  private mutating func writeWait(_ entry: LogEntry) {
    let reason = WaitReason(rawValue: entry.detail)
    lines.write(reason?.facts.word ?? "waits")
    switch reason {
    case .join:
      lines.write(" ")
      writeThread(entry.other)
    case .runLoop:
      if entry.object >= 0 { lines.write(", mode") }
      writeName(entry.object)
    case .idleWorker:
      if entry.object >= 0 { lines.write(" in pool") }
      writeObject(entry.object, .executor, entry.subject)
    case .perform:
      lines.write(" ")
      if entry.object >= 0 {
        lines.write(name: names.utf8(NameID(Int(entry.object))), quoted: true)
      } else {
        writeThread(entry.other)
      }
    default:
      writeObject(entry.object, reason.map { ObjectFamily($0) } ?? .other, entry.subject)
      writeAgent(", held by ", entry.other, unless: -1)
    }
  }

  /// Writes an attribute of the thread of the line before, or a line of its own.
  mutating func writeAttribute(_ entry: LogEntry) {
    if entry.event == .waitLimited {
      lines.write("until ")
      lines.write(Nanoseconds(entry.value))
      return
    }
    lines.write("priority ")
    lines.write(entry.value)
    guard entry.object >= 0 else { return }
    lines.write(", quality ")
    lines.write(name: names.utf8(NameID(Int(entry.object))), quoted: false)
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
    if entry.event == .deadlineMissed && entry.value == 0 {
      lines.write("drops its job at the deadline")
      return
    }
    if entry.event == .deadlineMissed {
      lines.write("misses its deadline, late by ")
    } else if entry.value == 0 {
      lines.write("is an ordinary thread again")
      writeAgent(", made so by ", entry.other, unless: -1)
      return
    } else {
      lines.write("is a real-time thread, constraint ")
    }
    lines.write(Nanoseconds(entry.value))
    if entry.event == .deadlineMissed { return }
    if entry.detail == RealtimeStart.nextWake.rawValue {
      lines.write(", from its next wake on")
    } else if entry.detail == RealtimeStart.eachJob.rawValue {
      lines.write(", for each job")
    }
    writeAgent(", made so by ", entry.other, unless: -1)
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
    case .sampled: lines.write("sample")
    case .sharedRead: lines.write("reads")
    default: lines.write("writes")
    }
    writeName(entry.object)
    if entry.event == .mark || entry.event == .print { return }
    lines.write(" = ")
    let format = ValueFormat(rawValue: entry.detail) ?? .integer
    // Of a recorded object the log has the number only.
    let isNamed = format == .thread || (format == .object && entry.event != .record)
    switch format {
    case _ where isNamed:
      let name = ValueText.name(entry.value, names)
      lines.write(text: entry.value == noValue ? "nil" : ValueText.quoted(name))
    case .array where entry.value != noValue:
      lines.write(text: entry.value.counted("element"))
    default: lines.write(text: ValueText.text(entry.value, format, names))
    }
  }

  private mutating func writeMemoryEvent(_ entry: LogEntry) {
    switch entry.event {
    case .memoryAllocated: lines.write("allocates ")
    case .memoryFreed: lines.write("frees ")
    case .memoryAutoreleased: lines.write("autoreleases ")
    case .poolDrained: lines.write("drains a pool of ")
    default: lines.write("memory ")
    }
    writeSize(entry.value)
  }

  mutating func writeSize(_ bytes: Int64) {
    lines.write(text: ByteCount(bytes).description)
  }
}
