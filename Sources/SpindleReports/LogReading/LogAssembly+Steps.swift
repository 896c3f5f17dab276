import SpindleModel

extension LogAssembly {
  /// The entry that a line is.
  mutating func entry(of line: LogLine) throws(LogFault) -> LogEntry {
    var entry = LogEntry(time: line.time, event: .mark)
    if !line.step.form.hasPrefix("is created") {
      guard let thread = thread(line.subject) else {
        throw LogFault("the thread was not made before")
      }
      entry.thread = thread
    }
    if let form = LogForm.form(line.step.form) {
      fill(&entry, form, line)
      return entry
    }
    if try fillThread(&entry, line) { return entry }
    if try fillWait(&entry, line) { return entry }
    if try fillItem(&entry, line) { return entry }
    if try fillTask(&entry, line) { return entry }
    if fillObject(&entry, line) { return entry }
    if try fillRunLoop(&entry, line) { return entry }
    if try fillRest(&entry, line) { return entry }
    throw LogFault("'\(line.step.form)' is not a known step")
  }

  private mutating func fill(_ entry: inout LogEntry, _ form: LogForm, _ line: LogLine) {
    entry.event = form.event
    entry.detail = form.detail
    if let flag = form.flag, line.has(flag.form) { entry.detail = flag.detail }
    switch form.amount {
    case .none: break
    case .step: entry.value = line.step.quantities.first ?? 0
    case .attribute(let form): entry.value = line.quantity(form)
    }
    if form.event == .memoryChanged { entry.thread = -1 }
    if form.event == .roundsRepeated {
      entry.other = Int32(clamping: line.quantity("steps N"))
    }
    guard let name = line.step.names.first else { return }
    entry.object = name.text.index
    if let family = form.family { entry.subject = object(family, name) }
  }

  // MARK: Threads

  private mutating func fillThread(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    switch line.step.form {
    case "is created", "is created by _", "is created for _", "is created by _ for _":
      try fillCreation(&entry, line)
    case "is ready":
      entry.event = .threadReady
      if let waker = line.name("woken by _") { entry.other = try other(waker) }
    case "runs":
      var flags: DispatchFlags = []
      if line.has("switch") { flags.insert(.contextSwitch) }
      if line.has("migration") { flags.insert(.migration) }
      if line.has("migration to another cluster") {
        flags.formUnion([.migration, .clusterMigration])
      }
      (entry.event, entry.detail, entry.core) = (.threadRuns, flags.rawValue, line.core)
      entry.value = line.quantity("refills N")
    case "is preempted", "yields":
      let reason: PreemptionReason =
        line.step.form == "yields" ? .yield : line.has("quantum") ? .quantum : .priority
      (entry.event, entry.detail, entry.core) = (.threadPreempted, reason.rawValue, line.core)
      entry.value = line.quantity("worked N")
    case "ends", "is killed":
      entry.event = line.step.form == "ends" ? .threadEnded : .threadKilled
      (entry.core, entry.value) = (line.core, line.quantity("worked N"))
    case "times out at thread _":
      (entry.event, entry.detail) = (.waitTimedOut, WaitReason.join.rawValue)
      entry.other = try other(line.step.names[0])
      entry.object = line.step.names[0].text.index
    case "cancels thread _":
      entry.event = .threadCancelled
      mention(&entry, line)
    case "has priority N":
      (entry.event, entry.value) = (.priorityChanged, line.step.quantities[0])
      entry.object = word(behind: "quality ", in: line)
    case "is a real-time thread", "is an ordinary thread again":
      (entry.event, entry.value) = (.realtimeChanged, line.quantity("constraint N"))
      if line.has("from its next wake on") { entry.detail = RealtimeStart.nextWake.rawValue }
      if line.has("for each job") { entry.detail = RealtimeStart.eachJob.rawValue }
      if let maker = line.name("made so by _") { entry.other = try other(maker) }
    default: return false
    }
    return true
  }

  private mutating func fillCreation(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) {
    guard let name = line.subject else { throw LogFault("the world is not a thread") }
    entry.event = .threadCreated
    entry.value = line.quantity("stack N")
    entry.object = name.text.index
    var named = line.step.names[...]
    if line.step.form.contains(" by _"), let maker = named.popFirst() {
      entry.other = try other(maker)
    }
    var origin = line.has("main thread") ? ThreadOrigin.main : .thread
    if line.step.form.hasSuffix(" for _"), let executor = named.popFirst() {
      entry.subject = executor.text.index
      if isCalledAfter(executor.text.index, name.text) { entry.object = -1 }
      origin = has(.executor, executor) ? .threadPool : .worker
    }
    entry.detail = origin.rawValue
    entry.thread = try newThread(name)
  }

  private mutating func fillWait(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    var form = line.step.form[...]
    if form.hasSuffix(" _") { form = form.dropLast(2) }
    if form == "is idle in pool" { form = "is idle" }
    guard let reason = LogForm.waits[String(form)] else { return false }
    (entry.event, entry.detail, entry.core) = (.threadBlocked, reason.rawValue, line.core)
    entry.value = line.quantity("worked N")
    if let holder = line.name("held by _") { entry.other = try other(holder) }
    let name = line.step.names.first
    switch reason {
    case .join:
      guard let name else { break }
      entry.other = try other(name)
      entry.object = name.text.index
    case .runLoop: if let mode = line.name("mode _") { entry.object = mode.text.index }
    case .perform:
      if let name, let thread = thread(name) {
        entry.other = thread
      } else if let name {
        entry.object = name.text.index
      }
    default:
      guard let name else { break }
      entry.object = name.text.index
      let family = reason == .idleWorker ? ObjectFamily.executor : ObjectFamily(reason)
      entry.subject = object(family, name)
    }
    return true
  }

  /// The number of another thread that a line names.
  func other(_ name: LogName) throws(LogFault) -> Int32 {
    guard let thread = thread(name) else {
      throw LogFault("'\(names.text(name.text))' was not made before")
    }
    return thread
  }

  /// Notes the thread that a step names, which may not have been started.
  func mention(_ entry: inout LogEntry, _ line: LogLine) {
    guard let name = line.step.names.last else { return }
    if let thread = thread(name) {
      entry.other = thread
    } else {
      entry.detail |= ThreadMention.notStarted.rawValue
      entry.value = Int64(name.text.index)
    }
  }

  /// The number of the word behind `prefix` in an attribute; -1 without one.
  func word(behind prefix: String, in line: LogLine) -> Int32 {
    guard let clause = line.attributes.first(where: { $0.form.hasPrefix(prefix) }) else {
      return -1
    }
    return number(of: clause.form.dropFirst(prefix.count))
  }

  // MARK: Run loops

  private mutating func fillRunLoop(
    _ entry: inout LogEntry, _ line: LogLine
  ) throws(LogFault) -> Bool {
    switch line.step.form {
    case "runs its loop": entry.event = .runLoopEntered
    case "leaves its loop":
      entry.event = .runLoopLeft
      entry.detail = LogAssembly.ending(line).rawValue
    case "does not run its loop":
      (entry.event, entry.detail) = (.runLoopLeft, RunLoopEnding.nothingInMode.rawValue)
    case "goes on in its loop":
      entry.event = .runLoopAwoke
      entry.detail = LogAssembly.awakening(line).rawValue
    case "stops the loop of _":
      entry.event = .runLoopStopped
      entry.other = try other(line.step.names[0])
    case "wakes the loop of _":
      entry.event = .runLoopWoken
      if line.has("awake") { entry.detail = ThreadMention.ignoresWakeUp.rawValue }
      mention(&entry, line)
    case "asks _ to perform":
      entry.event = .performAsked
      if line.has("waits") { entry.detail = ThreadMention.asksAndWaits.rawValue }
      mention(&entry, line)
    case "adds _ to the loop of _", "removes _ from the loop of _":
      entry.event = line.step.form.hasPrefix("adds") ? .runLoopItemAdded : .runLoopItemRemoved
      entry.object = line.step.names[0].text.index
      if let mode = line.name("mode _") { entry.subject = mode.text.index }
      mention(&entry, line)
      return true
    case "makes mode _ a common one of the loop of _":
      entry.event = .commonModeAdded
      entry.object = line.step.names[0].text.index
      mention(&entry, line)
    default: return false
    }
    if let mode = line.name("mode _") { entry.object = mode.text.index }
    return true
  }

  private static func ending(_ line: LogLine) -> RunLoopEnding {
    if line.has("nothing is left in it") { return .finished }
    if line.has("stopped") { return .stopped }
    return line.has("timed out") ? .timedOut : .handledSource
  }

  private static func awakening(_ line: LogLine) -> RunLoopAwakening {
    if line.has("woken by hand") { return .wakeUp }
    if line.has("a timer is due") { return .timer }
    if line.has("the main queue has work") { return .mainQueue }
    return line.has("a message has come") ? .message : .limit
  }
}
