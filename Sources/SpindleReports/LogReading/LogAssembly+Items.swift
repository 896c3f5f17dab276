import SpindleModel

extension LogAssembly {
  /// What an item of work is called in a step: the form without `nameless`, and its name.
  private static func called(_ clause: LogClause) -> (form: String, isNamed: Bool) {
    let isNamed = !clause.form.contains(" nameless _")
    return (isNamed ? clause.form : clause.form.replacing(" nameless _", with: " _"), isNamed)
  }

  mutating func fillItem(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    let (form, isNamed) = LogAssembly.called(line.step)
    switch form {
    case "submits _", "submits _ to _":
      try fillSubmission(&entry, line, isNamed: isNamed)
      return true
    case "plans _ for _":
      (entry.event, entry.value) = (.itemPlanned, line.quantity("at N"))
      entry.other = line.step.names[1].text.index
      if isNamed { entry.object = line.step.names[0].text.index }
      return true
    case "starts _": (entry.event, entry.value) = (.itemStarted, line.quantity("waited N"))
    case "ends _": (entry.event, entry.value) = (.itemEnded, line.quantity("latency N"))
    case "skips _":
      entry.event = .itemSkipped
      if line.has("its end was reported") { entry.detail = ItemFlags.reportedItsEnd.rawValue }
      if line.has("left out") { entry.detail = ItemFlags.isLeftOut.rawValue }
    default: return false
    }
    if line.has("a task") {
      entry.detail = ItemFlags([.isTask, .needsNoThread]).rawValue
    } else if line.has("needs no thread") {
      entry.detail = ItemFlags.needsNoThread.rawValue
    }
    try fillName(&entry, line, isNamed: isNamed)
    if entry.event == .itemSkipped {
      // The line does not contain the length of its wait.
      entry.value = entry.time - submitted(entry.other)
    }
    return true
  }

  /// Enters the number, name and kind of a submitted item.
  private mutating func fillName(
    _ entry: inout LogEntry, _ line: LogLine, isNamed: Bool
  ) throws(LogFault) {
    let name = line.step.names[0]
    guard let item = item(name, isNamed: isNamed) else {
      throw LogFault("this item was not submitted before")
    }
    entry.other = item
    entry.subject = kind(of: item)
    if isNamed { entry.object = name.text.index }
  }

  private mutating func fillSubmission(
    _ entry: inout LogEntry, _ line: LogLine, isNamed: Bool
  ) throws(LogFault) {
    let name = line.step.names[0]
    entry.event = .itemSubmitted
    if isNamed { entry.object = name.text.index }
    var flags: Submission.Flags = line.has("barrier") ? .barrier : []
    var number: Int32 = -1
    let operation = line.attributes.first { $0.form.hasPrefix("operation") }
    if let operation {
      flags.insert(.isOperation)
      var called = LogName(text: name.text)
      if let order = Int32(operation.form.dropFirst("operation#".count)) { called.ordinal = order }
      number = object(.operation, called)
    }
    if line.step.names.count > 1 {
      let target = line.step.names[1]
      entry.other = target.text.index
      if operation == nil {
        // An executor that is neither a pool nor created is a queue of the system.
        let isExecutor = !has(.queue, target) && has(.executor, target)
        flags.insert(isExecutor ? .toExecutor : .toQueue)
        number = object(isExecutor ? .executor : .queue, target)
      }
    }
    entry.detail = flags.rawValue
    if let pattern = line.name("kind _") {
      entry.subject = kind(pattern.text, isNamed: isNamed)
    } else if !line.has("no kind") {
      entry.subject = kind(name.text, isNamed: isNamed)
    }
    let item = newItem(name, isNamed: isNamed, kind: entry.subject, at: entry.time)
    entry.value = Submission.value(item: item, object: number)
  }

  // MARK: Tasks

  mutating func fillTask(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    let (form, isNamed) = LogAssembly.called(line.step)
    switch form {
    case "enters actor _", "enters the main actor", "leaves actor _", "leaves the main actor":
      // Which task it is, and its urgency, is not in the line.
      let enters = form.hasPrefix("enters")
      entry.event = enters ? .actorEntered : .actorLeft
      entry.value = line.quantity(enters ? "waited N" : "held N")
      if enters { entry.detail = TaskPriority.medium.rawValue }
      entry.object = line.step.names.first?.text.index ?? -1
      return true
    case "suspends _", "suspends main":
      entry.event = .taskSuspended
      for wait in TaskWait.allCases
      where line.attributes.contains(where: { LogAssembly.says($0.form, wait) }) {
        entry.detail = wait.rawValue
      }
    case "resumes _", "resumes main":
      (entry.event, entry.value) = (.taskResumed, line.quantity("ready for N"))
    case "cancels _", "cancels main": entry.event = .taskCancelled
    default:
      let words = form.split(separator: " ")
      guard words.count == 4, words[0] == "raises", words[2] == "to",
        let priority = TaskPriority(name: String(words[3]))
      else { return false }
      (entry.event, entry.value) = (.taskRaised, Int64(priority.rawValue))
    }
    if line.step.names.isEmpty {
      entry.other = 0
    } else {
      try fillName(&entry, line, isNamed: isNamed)
    }
    return true
  }

  /// Whether a clause states that a task waits in this way; which task of its name follows.
  private static func says(_ form: String, _ wait: TaskWait) -> Bool {
    let words = "waits \(wait.words)"
    return form == words || form.hasPrefix(words + "#")
  }

  // MARK: Objects

  mutating func fillObject(_ entry: inout LogEntry, _ line: LogLine) -> Bool {
    let form = line.step.form
    switch form {
    case "limits _":
      entry.event = .limitChanged
      entry.value = line.has("no limit") ? -1 : line.quantity("limit N")
      name(&entry, .operationQueue, line.step.names[0])
    case "makes operation _ depend on _", "frees operation _ from _":
      entry.event = .dependencyChanged
      let isRemoved = form.hasPrefix("frees")
      entry.detail = (isRemoved ? DependencyChange.removed : .added).rawValue
      name(&entry, .operation, line.step.names[0])
      entry.other = object(.operation, line.step.names[1])
      entry.value = Int64(line.step.names[1].text.index)
    case "runs queue _ on _", "runs source _ on _":
      entry.event = .targetSet
      let isSource = form.hasPrefix("runs source")
      entry.detail = (isSource ? DispatchObject.source : .queue).rawValue
      name(&entry, isSource ? .dispatchSource : .queue, line.step.names[0])
      entry.other = object(.queue, line.step.names[1])
      entry.value = Int64(line.step.names[1].text.index)
    default:
      guard form.hasPrefix("makes ") else { return false }
      let word = form.dropFirst("makes ".count).prefix { $0 != " " }
      guard let handle = HandleClass.allCases.first(where: { $0.name == word }) else {
        return false
      }
      make(&entry, handle, line)
    }
    return true
  }

  private mutating func name(_ entry: inout LogEntry, _ family: ObjectFamily, _ name: LogName) {
    entry.object = name.text.index
    entry.subject = object(family, name)
  }

  private mutating func make(_ entry: inout LogEntry, _ handle: HandleClass, _ line: LogLine) {
    (entry.event, entry.detail) = (.objectMade, handle.rawValue)
    // One without a name can't be found.
    let called = line.step.names.first ?? LogName(text: WellKnownName.empty.id)
    if !line.step.names.isEmpty { entry.object = called.text.index }
    entry.other = newObject(ObjectFamily(handle), called)
    switch handle {
    case .semaphore: entry.value = line.quantity("count N")
    case .conditionLock: entry.value = line.quantity("condition N")
    case .threadPool: entry.value = line.has("no limit") ? -1 : line.quantity("width N")
    case .accelerator: entry.value = line.quantity("width N")
    case .operationQueue: entry.value = line.has("no limit") ? -1 : line.quantity("limit N")
    case .queue:
      entry.value = (line.has("concurrent") ? 1 : 0) | (line.has("inactive") ? 2 : 0)
    case .timer: entry.value = line.quantity("every N")
    default: break
    }
    entry.subject = word(behind: handle == .operation ? "priority " : "quality ", in: line)
  }

  // MARK: Notes and the end

  mutating func fillRest(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    switch line.step.form {
    case "record _", "sample _", "reads _", "writes _":
      switch line.step.form {
      case "record _": entry.event = .record
      case "sample _": entry.event = .sampled
      case "reads _": entry.event = .sharedRead
      default: entry.event = .sharedWritten
      }
      entry.object = line.step.names[0].text.index
      guard let value = line.value else { throw LogFault("the value is missing") }
      let (format, number) = try read(value: value)
      (entry.detail, entry.value) = (format.rawValue, number)
    case "finding N": (entry.event, entry.value) = (.finding, line.step.quantities[0] - 1)
    case "the run ends":
      entry.event = .runEnded
      let kind = Outcome.Kind.allCases.first { kind in line.has(kind.name) }
      guard let kind else { throw LogFault("unknown outcome") }
      (entry.detail, entry.value) = (kind.rawValue, LogAssembly.ending(of: line).rawValue)
    default:
      let words = line.step.form.split(separator: " ")
      guard words.count == 3, words[0] == "announces", words[1] == "_", let value = line.value
      else {
        return false
      }
      entry.event = .valueAnnounced
      entry.object = line.step.names[0].text.index
      entry.other = number(of: words[2])
      entry.value = value.elementsEqual("true".utf8) ? 1 : 0
    }
    return true
  }

  private static func ending(of line: LogLine) -> RunEnding {
    if line.has("nothing is left to do") { return .nothingLeft }
    if line.has("its time is up") { return .until }
    if line.has("main has ended") { return .mainEnded }
    return line.has("by exit") ? .exit : .asTheOutcomeSays
  }

  /// Reads a value as the trace language writes it; where several are written alike, the simplest is meant.
  private func read(value: ArraySlice<UInt8>) throws(LogFault) -> (ValueFormat, Int64) {
    let text = String(decoding: value, as: UTF8.self)
    if text == "nil" { return (.integer, noValue) }
    if text == "distantFuture" { return (.instant, Instant.distantFuture.nanoseconds) }
    if text == "distantPast" { return (.instant, Instant.distantPast.nanoseconds) }
    if text == "true" || text == "false" { return (.boolean, text == "true" ? 1 : 0) }
    if let name = LogLineParser.quoted(value, names) { return (.string, Int64(name.text.index)) }
    if text.hasPrefix(".") { return (.symbol, Int64(number(of: text.dropFirst()))) }
    if let number = Int64(text) { return (.integer, number) }
    let words = text.split(separator: " ")
    if words.count == 2, words[0] == "object", let number = Int64(words[1]) {
      return (.object, number)
    }
    if words.count == 2, words[1].hasPrefix("element") {
      let digits = words[0].filter { $0 != "," }
      if let count = Int64(digits) { return (.array, count) }
    }
    if text.last?.isNumber == true, text.contains("."),
      let billionths = LogQuantity.value(value + Array("s".utf8))
    {
      return (.decimal, billionths)
    }
    if let quantity = LogQuantity.value(value) {
      return (text.hasSuffix("B") ? .size : .duration, quantity)
    }
    throw LogFault("'\(text)' is not a known value")
  }
}
