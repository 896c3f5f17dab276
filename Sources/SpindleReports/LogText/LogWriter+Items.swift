import SpindleModel

extension LogWriter {
  /// Writes what becomes of an item of work.
  mutating func writeItemEvent(_ entry: LogEntry) {
    switch entry.event {
    case .itemSubmitted: writeSubmission(entry)
    case .itemStarted:
      lines.write("starts")
      writeItem(entry)
      lines.write(", waited ")
      lines.write(Nanoseconds(entry.value))
      writeNeed(entry)
    case .itemSkipped:
      let flags = ItemFlags(rawValue: entry.detail)
      lines.write("skips")
      writeItem(entry)
      if flags.contains(.isLeftOut) {
        lines.write(", left out")
      } else {
        lines.write(flags.contains(.reportedItsEnd) ? ", its end was reported" : ", cancelled")
      }
    case .itemCancelled:
      lines.write("cancels work item")
      writeName(entry.object)
    case .itemPlanned:
      lines.write("plans")
      writeItem(entry)
      lines.write(" for")
      writeName(entry.other)
      lines.write(", at ")
      lines.write(Nanoseconds(entry.value))
    default:
      lines.write("ends")
      writeItem(entry)
      lines.write(", latency ")
      lines.write(Nanoseconds(entry.value))
      writeNeed(entry)
    }
  }

  /// Writes what becomes of a task between its beginning and its end.
  mutating func writeTaskEvent(_ entry: LogEntry) {
    switch entry.event {
    case .taskSuspended: lines.write("suspends")
    case .taskResumed: lines.write("resumes")
    case .taskCancelled: lines.write("cancels")
    case .actorEntered: lines.write("enters")
    case .actorLeft: lines.write("leaves")
    default: lines.write("raises")
    }
    if entry.event == .actorEntered || entry.event == .actorLeft { return writeTurn(entry) }
    if entry.other > 0 { writeItem(entry) } else { lines.write(" main") }
    switch entry.event {
    case .taskSuspended:
      lines.write(", waits ")
      lines.write((TaskWait(rawValue: entry.detail) ?? .executor).words)
      if entry.value > 0 { writeOrdinal(ordinals.ordinal(ofItem: Int32(entry.value))) }
    case .taskResumed:
      lines.write(", ready for ")
      lines.write(Nanoseconds(entry.value))
    case .taskRaised:
      lines.write(" to ")
      lines.write(text: (TaskPriority(rawValue: UInt8(entry.value)) ?? .medium).name)
    default: break
    }
  }

  /// Writes the actor that a task enters or leaves, and the time.
  private mutating func writeTurn(_ entry: LogEntry) {
    if entry.object < 0 {
      lines.write(" the main actor")
    } else {
      lines.write(" actor")
      writeName(entry.object)
    }
    lines.write(entry.event == .actorEntered ? ", waited " : ", held ")
    lines.write(Nanoseconds(entry.value))
  }

  private mutating func writeNeed(_ entry: LogEntry) {
    let flags = ItemFlags(rawValue: entry.detail)
    if flags.contains(.isTask) {
      lines.write(", a task")
    } else if flags.contains(.needsNoThread) {
      lines.write(", needs no thread")
    }
  }

  /// Writes a space and the name of an item; one that has none is called after its kind.
  private mutating func writeItem(_ entry: LogEntry) {
    if entry.object >= 0 {
      writeName(entry.object)
    } else {
      lines.write(" nameless ")
      let number = Int(entry.subject)
      let isKnown = number >= 0 && number < kinds.count
      lines.write(name: isKnown ? kinds[number][...] : [], quoted: true)
    }
    switch entry.event {
    case .itemPlanned: break
    case .itemSubmitted: writeOrdinal(ordinals.ordinal(ofItem: Submission(entry.value).item))
    default: writeOrdinal(ordinals.ordinal(ofItem: entry.other))
    }
  }

  private mutating func writeSubmission(_ entry: LogEntry) {
    let object = Submission(entry.value).object
    let flags = Submission.Flags(rawValue: entry.detail)
    lines.write("submits")
    writeItem(entry)
    if entry.other >= 0 {
      lines.write(" to")
      if flags.contains(.toExecutor) {
        writeObject(entry.other, .executor, object)
      } else if flags.contains(.toQueue) {
        writeObject(entry.other, .queue, object)
      } else {
        writeName(entry.other)
      }
    }
    if flags.contains(.isOperation) {
      lines.write(", operation")
      writeOrdinal(ordinals.ordinal(.operation, object))
    }
    if flags.contains(.barrier) { lines.write(", barrier") }
    writeKind(entry)
  }

  /// Writes the kind of an item, unless the item is called as its kind is.
  private mutating func writeKind(_ entry: LogEntry) {
    let number = Int(entry.subject)
    guard number >= 0 && number < kinds.count else { return lines.write(", no kind") }
    if entry.object < 0 { return }
    let name = names.utf8(NameID(Int(entry.object)))
    if name.count == kinds[number].count && name.elementsEqual(kinds[number]) { return }
    lines.write(", kind ")
    lines.write(name: kinds[number][...], quoted: true)
  }
}
