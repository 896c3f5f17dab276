import SpindleModel

extension LogWriter {
  /// Writes what befalls a dispatch source, the app or the machine.
  mutating func writeSourceEvent(_ entry: LogEntry) {
    switch entry.event {
    case .sourceFired:
      let isEnd = entry.detail == SourceHandler.cancel.rawValue
      lines.write(isEnd ? "handles the end of" : "handles")
      writeObject(entry.object, .dispatchSource, entry.subject)
      if isEnd { return }
      lines.write(", data ")
      lines.write(entry.value)
    case .sourceCancelled:
      lines.write("cancels source")
      writeObject(entry.object, .dispatchSource, entry.subject)
    case .signalRaised:
      lines.write("raises")
      writeName(entry.object)
    case .machineSlept:
      lines.write("the machine sleeps for ")
      lines.write(Nanoseconds(entry.value))
    case .machineWoke: lines.write("the machine wakes")
    default: writeAppTurn(AppTurn(rawValue: entry.detail))
    }
  }

  private mutating func writeAppTurn(_ turn: AppTurn?) {
    switch turn {
    case .enteredBackground: lines.write("the app enters the background")
    case .enteredForeground: lines.write("the app enters the foreground")
    case .suspended: lines.write("the app is suspended")
    case .resumed: lines.write("the app is resumed")
    case .taskBegan: lines.write("a background task begins")
    case .taskEnded: lines.write("a background task ends")
    case .timeExpired: lines.write("the time for background tasks is over")
    case nil: lines.write("the app's life goes on")
    }
  }
}
