import SpindleModel

extension LogWriter {
  /// Writes what a dispatch queue does.
  mutating func writeQueueEvent(_ entry: LogEntry) {
    switch entry.event {
    case .queueSyncBegan: lines.write("begins sync on")
    case .queueSyncEnded: lines.write("ends sync on")
    case .queueSuspended: lines.write("suspends")
    case .queueResumed: lines.write("resumes")
    case .queueActivated: lines.write("activates")
    case .applyBegan: lines.write("begins concurrentPerform, iterations ")
    default: lines.write("ends concurrentPerform, iterations ")
    }
    switch entry.event {
    case .applyBegan, .applyEnded:
      lines.write(entry.value)
    case .queueSuspended, .queueResumed:
      writeName(entry.object)
      lines.write(", suspended ")
      lines.write(entry.value)
    default: writeName(entry.object)
    }
  }
}
