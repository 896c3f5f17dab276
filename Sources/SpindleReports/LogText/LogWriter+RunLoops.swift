import SpindleModel

extension LogWriter {
  /// Writes what happens in and to run loops.
  mutating func writeRunLoopEvent(_ entry: LogEntry) {
    switch entry.event {
    case .runLoopEntered: write("runs its loop, mode", mode: entry.object)
    case .runLoopLeft:
      let ending = RunLoopEnding(rawValue: entry.detail)
      let hasRun = ending != .nothingInMode
      write(hasRun ? "leaves its loop, mode" : "does not run its loop, mode", mode: entry.object)
      lines.write(LogWriter.words(of: ending))
    case .runLoopStopped:
      lines.write("stops the loop of ")
      writeThread(entry.other)
    case .runLoopWoken:
      lines.write("wakes the loop of")
      writeOwner(entry)
      if ThreadMention(rawValue: entry.detail).contains(.ignoresWakeUp) { lines.write(", awake") }
    case .runLoopItemAdded, .runLoopItemRemoved:
      let isAdded = entry.event == .runLoopItemAdded
      lines.write(isAdded ? "adds" : "removes")
      writeName(entry.object)
      lines.write(isAdded ? " to the loop of" : " from the loop of")
      writeOwner(entry)
      lines.write(", mode")
      writeName(entry.subject)
    case .commonModeAdded:
      lines.write("makes mode")
      writeName(entry.object)
      lines.write(" a common one of the loop of")
      writeOwner(entry)
    case .runLoopAwoke:
      write("goes on in its loop, mode", mode: entry.object)
      lines.write(LogWriter.words(of: RunLoopAwakening(rawValue: entry.detail)))
    case .observerCalled: write("observes", mode: entry.object)
    case .timerFired: writeTimer(entry)
    case .trackingBegan:
      lines.write("a finger is down for ")
      lines.write(Nanoseconds(entry.value))
    case .trackingEnded: lines.write("the finger is lifted")
    default: writeDelivery(entry)
    }
  }

  private mutating func write(_ words: StaticString, mode: Int32) {
    lines.write(words)
    writeName(mode)
  }

  /// Writes a space and the thread that an entry is about, which may not have been started.
  mutating func writeOwner(_ entry: LogEntry) {
    if ThreadMention(rawValue: entry.detail).contains(.notStarted) {
      let name = NameID(Int(entry.value))
      lines.write(" ")
      lines.write(name: names.utf8(name), quoted: true)
    } else {
      lines.write(" ")
      writeThread(entry.other)
    }
  }

  /// What woke a run.
  private static func words(of awakening: RunLoopAwakening?) -> StaticString {
    switch awakening {
    case .limit: ", its time is up"
    case .wakeUp: ", woken by hand"
    case .timer: ", a timer is due"
    case .mainQueue: ", the main queue has work"
    case .message: ", a message has come"
    case nil: ""
    }
  }

  private static func words(of ending: RunLoopEnding?) -> StaticString {
    switch ending {
    case .nothingInMode: ", nothing is in it"
    case .finished: ", nothing is left in it"
    case .stopped: ", stopped"
    case .timedOut: ", timed out"
    case .handledSource: ", handled a source"
    case nil: ""
    }
  }

  private mutating func writeTimer(_ entry: LogEntry) {
    lines.write(entry.object < 0 ? "performs after its delay" : "fires")
    writeName(entry.object)
    if entry.detail == TimerCause.byHand.rawValue { lines.write(", by hand") }
    if entry.value > 0 {
      lines.write(", late by ")
      lines.write(Nanoseconds(entry.value))
    }
  }

  private mutating func writeDelivery(_ entry: LogEntry) {
    switch entry.event {
    case .sourceSignalled: lines.write("signals source")
    case .sourcePerformed: lines.write("performs")
    case .blockPerformed: lines.write("performs a block")
    case .performAsked:
      lines.write("asks")
      writeOwner(entry)
      lines.write(" to perform")
      if ThreadMention(rawValue: entry.detail).contains(.asksAndWaits) { lines.write(", waits") }
    case .performBegun: lines.write("performs what it was asked to")
    case .messageSent: lines.write("sends to")
    case .messageReceived: lines.write("receives at")
    case .answerCame: lines.write("an answer comes")
    default: lines.write("takes the answer")
    }
    writeName(entry.object)
  }
}
