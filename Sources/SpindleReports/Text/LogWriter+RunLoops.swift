import SpindleModel

extension LogWriter {
  /// Writes what happens in and to run loops.
  mutating func writeRunLoopEvent(_ entry: LogEntry) {
    switch entry.event {
    case .runLoopEntered: write("runs its loop in", mode: entry.object)
    case .runLoopLeft:
      if entry.detail == 0 {
        write("does not run its loop: nothing is in", mode: entry.object)
      } else {
        write("leaves its loop in", mode: entry.object)
        lines.write(LogWriter.end(entry.detail))
      }
    case .runLoopStopped:
      lines.write("stops the loop of ")
      writeThread(entry.other)
    case .runLoopWoken:
      lines.write("wakes the loop of ")
      writeThread(entry.other)
      if entry.detail == 1 { lines.write(", which is awake") }
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

  private static func end(_ result: UInt8) -> StaticString {
    switch result {
    case 1: ": nothing is left in it"
    case 2: ": stopped"
    case 3: ": timed out"
    default: ": handled a source"
    }
  }

  private mutating func writeTimer(_ entry: LogEntry) {
    lines.write(entry.object < 0 ? "performs after its delay" : "fires")
    writeName(entry.object)
    if entry.detail == 1 { lines.write(" by hand") }
    if entry.value > 0 {
      lines.write(", late by ")
      lines.write(Nanoseconds(entry.value))
    }
  }

  private mutating func writeDelivery(_ entry: LogEntry) {
    switch entry.event {
    case .sourceSignalled: lines.write("signals")
    case .sourcePerformed: lines.write("performs")
    case .blockPerformed: lines.write("performs a block")
    case .performAsked:
      lines.write("asks ")
      writeThread(entry.other)
      lines.write(" to perform")
      if entry.detail == 1 { lines.write(", and waits") }
    case .performBegun: lines.write("performs what it was asked to")
    case .messageSent: lines.write("sends to")
    case .messageReceived: lines.write("receives at")
    case .answerCame: lines.write("an answer comes")
    default: lines.write("takes the answer")
    }
    writeName(entry.object)
  }
}
