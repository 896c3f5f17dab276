import SpindleModel

extension LogWriter {
  /// Writes that an object is created, or what is changed of one.
  mutating func writeObjectEvent(_ entry: LogEntry) {
    switch entry.event {
    case .limitChanged:
      lines.write("limits")
      writeObject(entry.object, .operationQueue, entry.subject)
      lines.write(", ")
      writeLimit(entry.value)
    case .dependencyChanged:
      let isRemoved = entry.detail == DependencyChange.removed.rawValue
      lines.write(isRemoved ? "frees operation" : "makes operation")
      writeObject(entry.object, .operation, entry.subject)
      lines.write(isRemoved ? " from" : " depend on")
      writeObject(Int32(truncatingIfNeeded: entry.value), .operation, entry.other)
    case .targetSet:
      let isSource = entry.detail == DispatchObject.source.rawValue
      lines.write(isSource ? "runs source" : "runs queue")
      writeObject(entry.object, isSource ? .dispatchSource : .queue, entry.subject)
      lines.write(" on")
      writeObject(Int32(truncatingIfNeeded: entry.value), .queue, entry.other)
    default: writeMaking(entry)
    }
  }

  private mutating func writeMaking(_ entry: LogEntry) {
    guard let handle = HandleClass(rawValue: entry.detail) else { return lines.write("makes") }
    lines.write("makes ")
    lines.write(text: handle.name)
    writeObject(entry.object, ObjectFamily(handle), entry.other)
    switch handle {
    case .semaphore:
      lines.write(", count ")
      lines.write(entry.value)
    case .conditionLock:
      lines.write(", condition ")
      lines.write(entry.value)
    case .threadPool where entry.value < 0: lines.write(", no limit")
    case .threadPool, .accelerator:
      lines.write(", width ")
      lines.write(entry.value)
    case .operationQueue:
      lines.write(", ")
      writeLimit(entry.value)
    case .queue:
      lines.write(entry.value & 1 != 0 ? ", concurrent" : ", serial")
      if entry.value & 2 != 0 { lines.write(", inactive") }
    case .timer where entry.value > 0:
      lines.write(", every ")
      lines.write(Nanoseconds(entry.value))
    default: break
    }
    guard entry.subject >= 0 else { return }
    lines.write(handle == .operation ? ", priority " : ", quality ")
    lines.write(name: names.utf8(NameID(Int(entry.subject))), quoted: false)
  }

  /// Writes that an accelerator begins or has done what a thread asked for.
  mutating func writeAcceleratorEvent(_ entry: LogEntry) {
    let isBegun = entry.event == .acceleratorBegan
    lines.write(isBegun ? "begins on" : "ends on")
    writeObject(entry.object, .accelerator, entry.subject)
    lines.write(isBegun ? ", for " : ", after ")
    lines.write(Nanoseconds(entry.value))
  }

  private mutating func writeLimit(_ limit: Int64) {
    if limit < 0 { return lines.write("no limit") }
    lines.write("limit ")
    lines.write(limit)
  }
}
