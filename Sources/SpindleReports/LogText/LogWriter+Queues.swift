import SpindleModel

extension LogWriter {
  /// Writes what a dispatch queue does.
  mutating func writeQueueEvent(_ entry: LogEntry) {
    let isSource = entry.detail == DispatchObject.source.rawValue
    switch entry.event {
    case .queueSyncBegan: lines.write("begins sync on")
    case .queueSyncEnded: lines.write("ends sync on")
    case .queueSuspended: lines.write(isSource ? "suspends source" : "suspends queue")
    case .queueResumed: lines.write(isSource ? "resumes source" : "resumes queue")
    case .queueActivated: lines.write(isSource ? "activates source" : "activates queue")
    case .applyBegan: lines.write("begins concurrentPerform, iterations ")
    case .applyEnded: lines.write("ends concurrentPerform, iterations ")
    case .iterationBegan: lines.write("begins iteration ")
    default: lines.write("ends iteration ")
    }
    switch entry.event {
    case .applyBegan, .applyEnded, .iterationBegan, .iterationEnded: lines.write(entry.value)
    case .queueSyncBegan, .queueSyncEnded:
      writeObject(entry.object, .queue, entry.subject)
      if entry.detail == SyncKind.barrier.rawValue { lines.write(", barrier") }
    default:
      writeObject(entry.object, isSource ? .dispatchSource : .queue, entry.subject)
      if entry.event == .queueActivated { return }
      lines.write(", suspended ")
      lines.write(entry.value)
    }
  }
}
