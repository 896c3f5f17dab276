import SpindleModel

extension LogWriter {
  /// Writes what happens to a lock or a condition, or to a waiter that timed out.
  mutating func writeLockEvent(_ entry: LogEntry) {
    switch entry.event {
    case .lockAcquired: lines.write("locks")
    case .lockRefused: lines.write("does not get")
    case .lockReleased: lines.write("unlocks")
    case .conditionSignalled: lines.write("signals condition")
    case .conditionBroadcast: lines.write("broadcasts")
    default: return writeTimeOut(entry)
    }
    writeObject(entry.object, .lock, entry.subject)
    if entry.event == .lockAcquired && entry.detail == LockSharing.shared.rawValue {
      lines.write(", for reading")
    }
    if entry.event == .conditionSignalled || entry.event == .conditionBroadcast {
      lines.write(", wakes ")
      lines.write(entry.value)
    }
  }

  private mutating func writeTimeOut(_ entry: LogEntry) {
    let reason = WaitReason(rawValue: entry.detail)
    guard let word = reason?.facts.timeOut else {
      lines.write("times out at thread ")
      writeThread(entry.other)
      return
    }
    lines.write(word)
    writeObject(entry.object, reason.map { ObjectFamily($0) } ?? .other, entry.subject)
  }

  /// Writes what happens to a semaphore or a group.
  mutating func writeCountEvent(_ entry: LogEntry) {
    switch entry.event {
    case .semaphorePassed: lines.write("passes")
    case .semaphoreSignalled: lines.write("signals semaphore")
    case .groupEntered: lines.write("enters")
    default: lines.write("leaves")
    }
    let isGroup = entry.event == .groupEntered || entry.event == .groupLeft
    writeObject(entry.object, isGroup ? .group : .semaphore, entry.subject)
    lines.write(", count ")
    lines.write(entry.value)
  }
}
