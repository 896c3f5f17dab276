import SpindleModel

extension LogWriter {
  /// Writes what a dispatch queue does.
  mutating func writeQueueEvent(_ entry: LogEntry) {
    switch entry.event {
    case .queueSyncBegan: lines.write("begins sync on")
    case .queueSyncEnded: lines.write("ends sync on")
    case .queueSuspended: lines.write(entry.detail == 0 ? "suspends queue" : "suspends source")
    case .queueResumed: lines.write(entry.detail == 0 ? "resumes queue" : "resumes source")
    case .queueActivated: lines.write(entry.detail == 0 ? "activates queue" : "activates source")
    case .applyBegan: lines.write("begins concurrentPerform, iterations ")
    case .applyEnded: lines.write("ends concurrentPerform, iterations ")
    case .iterationBegan: lines.write("begins iteration ")
    default: lines.write("ends iteration ")
    }
    switch entry.event {
    case .applyBegan, .applyEnded, .iterationBegan, .iterationEnded: lines.write(entry.value)
    case .queueSyncBegan, .queueSyncEnded:
      writeObject(entry.object, .queue, entry.subject)
      if entry.detail == 1 { lines.write(", barrier") }
    default:
      writeObject(entry.object, entry.detail == 0 ? .queue : .dispatchSource, entry.subject)
      if entry.event == .queueActivated { return }
      lines.write(", suspended ")
      lines.write(entry.value)
    }
  }
}
