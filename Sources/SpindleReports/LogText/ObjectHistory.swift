package import SpindleModel

/// What was done with one object of the library: its creation, and the last uses of it.
///
/// A class, since the simulator is handed it and the caller reads it.
package final class ObjectHistory: LogConsumer {
  private let object: CrashReport.Object
  private let family: ObjectFamily
  private var program = Program()
  private var writer = LogWriter()
  private var creation: CrashReport.Use?
  private var last: [CrashReport.Use] = []
  /// The items that an operation is run as.
  private var items: Set<Int32> = []
  /// How the trace calls it, with its class; nil while it was not made.
  package private(set) var name: String?

  /// Creates a history of an object in a run that has not begun.
  package init(of object: CrashReport.Object) {
    (self.object, family) = (object, ObjectFamily(object.handle))
  }

  package var needsEveryEntry: Bool { false }

  /// The uses, in order: the creation, and the last ones.
  package var uses: [CrashReport.Use] { (creation.map { [$0] } ?? []) + last }

  package func begin(_ run: RunDescription) {
    program = run.program
    writer = LogWriter(run, limit: .max, chunk: LogLines.chunkSize)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      let isAbout = isAbout(entry)
      guard let words = writer.words(of: entry, isWanted: isAbout) else { continue }
      let use = CrashReport.Use(
        time: Instant(entry.time), thread: words.thread, step: words.step,
        place: entry.place >= 0 ? program.places[Int(entry.place)] : nil)
      if entry.event == .objectMade {
        (creation, name) = (use, named(entry))
      } else {
        if last.count == CrashReport.keptUses { last.removeFirst() }
        last.append(use)
      }
    }
  }

  package func end(_ record: RunRecord) {}

  private func named(_ entry: LogEntry) -> String? {
    guard let handle = HandleClass(rawValue: entry.detail), entry.object >= 0 else { return nil }
    return "\(handle.name) '\(writer.names.text(NameID(Int(entry.object))))'"
  }

  private func isAbout(_ entry: LogEntry) -> Bool {
    if family == .other { return false }
    switch entry.event {
    case .objectMade:
      let handle = HandleClass(rawValue: entry.detail)
      return entry.other == object.number && handle.map { ObjectFamily($0) } == family
    case .lockAcquired, .lockRefused, .lockReleased, .conditionSignalled, .conditionBroadcast:
      return family == .lock && entry.subject == object.number
    case .semaphorePassed, .semaphoreSignalled:
      return family == .semaphore && entry.subject == object.number
    case .groupEntered, .groupLeft: return family == .group && entry.subject == object.number
    case .threadBlocked, .waitTimedOut:
      let reason = WaitReason(rawValue: entry.detail)
      return reason.map { ObjectFamily($0) } == family && entry.subject == object.number
    case .queueSyncBegan, .queueSyncEnded:
      return family == .queue && entry.subject == object.number
    case .queueSuspended, .queueResumed, .queueActivated, .targetSet:
      let isSource = entry.detail == DispatchObject.source.rawValue
      return family == (isSource ? .dispatchSource : .queue) && entry.subject == object.number
    case .sourceFired, .sourceCancelled:
      return family == .dispatchSource && entry.subject == object.number
    case .limitChanged: return family == .operationQueue && entry.subject == object.number
    case .dependencyChanged: return family == .operation && entry.subject == object.number
    case .itemSubmitted: return isSubmission(entry)
    case .itemStarted, .itemEnded, .itemSkipped: return items.contains(entry.other)
    default: return false
    }
  }

  private func isSubmission(_ entry: LogEntry) -> Bool {
    let (flags, submission) = (
      Submission.Flags(rawValue: entry.detail), Submission(entry.value)
    )
    guard submission.object == object.number else { return false }
    if family == .operation && flags.contains(.isOperation) {
      items.insert(submission.item)
      return true
    }
    return family == .queue && flags.contains(.toQueue)
  }
}
