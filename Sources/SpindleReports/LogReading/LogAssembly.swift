import SpindleModel

/// Makes entries of the lines of a log, one after the other.
///
/// Threads, items and objects get numbers of their own, in the order in which they come up: reports
/// know them by these, and by their names.
struct LogAssembly {
  /// The texts.
  let names = NameTable(WellKnownName.allCases.map(\.text))
  /// The steps so far.
  private(set) var entries: [LogEntry] = []
  /// The kinds of work in the order in which they come up.
  private var kinds: [WorkKind] = []
  private var kindNumbers: [WorkKind: Int32] = [:]
  /// By name: the number of a thread.
  private var threads: [LogName: Int32] = [:]
  private var threadCount: Int32 = 0
  /// How many threads each executor has made, by the name's number.
  private var made: [Int32: Int64] = [:]
  /// By name: the number of an item of work.
  private var items: [LogName: Int32] = [:]
  /// By the kind's text: the number of an item without a name.
  private var nameless: [LogName: Int32] = [:]
  /// By the item's number less 1: its kind, and the time of its submission.
  private var itemFacts: [(kind: Int32, submitted: Int64)] = []
  /// By family and name: the number of an object.
  private var objects: [ObjectKey: Int32] = [:]
  private var objectCounts = Array(
    repeating: Int32(0), count: ObjectFamily.allCases.count)
  /// How the cores were used, and since when each has its thread.
  private var cores: [Core] = []
  private var slept: Int64 = 0
  private var asleepSince: Int64 = -1
  private var liveThreads = 0
  private var schedulingEvents: Int64 = 0
  private var findingTimes: [Instant] = []
  /// The entry to be added before the next line.
  private var ready: LogEntry?

  private struct ObjectKey: Hashable {
    var family: ObjectFamily
    var name: LogName
  }

  private struct Core {
    var use = RunRecord.CoreUse(busy: .zero, overhead: .zero)
    var since: Int64 = 0
    var sleptBefore: Int64 = 0
  }

  init() {}

  /// Reads the next line.
  mutating func read(_ line: LogLine) throws(LogFault) {
    // What makes a new thread real-time precedes its becoming runnable.
    if line.step.form != "is a real-time thread" || thread(line.subject) != ready?.thread {
      addReady()
    }
    let entry = try entry(of: line)
    add(entry)
    addAttributes(of: line, entry)
    switch entry.event {
    case .threadCreated, .threadPreempted:
      let maker = entry.event == .threadCreated ? entry.other : -1
      ready = LogEntry(time: entry.time, event: .threadReady, thread: entry.thread, other: maker)
    default: break
    }
  }

  /// Adds that a thread is ready which was created or lost its core: that has no line.
  private mutating func addReady() {
    guard let entry = ready else { return }
    ready = nil
    add(entry)
  }

  /// Adds the attributes of a line that are entries of their own.
  private mutating func addAttributes(of line: LogLine, _ owner: LogEntry) {
    for (index, clause) in line.attributes.enumerated() {
      var entry = LogEntry(
        time: line.time, event: .memoryChanged, thread: owner.thread,
        value: clause.quantities.first ?? 0)
      switch clause.form {
      case "memory N": entry.thread = -1
      case "until N" where owner.event == .threadBlocked: entry.event = .waitLimited
      case "priority N" where owner.event == .threadCreated:
        entry.event = .priorityChanged
        let next = index + 1 < line.attributes.count ? line.attributes[index + 1].form : ""
        if next.hasPrefix("quality ") { entry.object = number(of: next.dropFirst(8)) }
      default: continue
      }
      add(entry)
    }
  }

  /// Adds an entry, and counts what the footer contains.
  private mutating func add(_ entry: LogEntry) {
    entries.append(entry)
    switch entry.event {
    case .threadCreated: liveThreads += 1
    case .threadReady: schedulingEvents += 1
    case .threadRuns:
      schedulingEvents += 1
      let core = Int(entry.core)
      guard core >= 0 && core < 1_024 else { return }
      while cores.count <= core { cores.append(Core()) }
      (cores[core].since, cores[core].sleptBefore) = (entry.time, slept(by: entry.time))
    case .threadPreempted, .threadBlocked: endRunning(entry)
    case .threadEnded, .threadKilled:
      liveThreads -= entry.event == .threadEnded ? 1 : 0
      endRunning(entry)
    case .machineSlept: if asleepSince < 0 { asleepSince = entry.time }
    case .machineWoke:
      slept = slept(by: entry.time)
      asleepSince = -1
    case .finding: findingTimes.append(Instant(entry.time))
    default: break
    }
  }

  private func slept(by time: Int64) -> Int64 { slept + (asleepSince < 0 ? 0 : time - asleepSince) }

  /// A thread leaves its core: what was not its own work was overhead, unless the machine slept.
  private mutating func endRunning(_ entry: LogEntry) {
    let core = Int(entry.core)
    guard core >= 0 && core < cores.count else { return }
    schedulingEvents += 1
    let slept = slept(by: entry.time) - cores[core].sleptBefore
    let held = entry.time - cores[core].since - slept
    cores[core].use.busy = cores[core].use.busy + Nanoseconds(entry.value)
    cores[core].use.overhead = cores[core].use.overhead + Nanoseconds(held - entry.value)
  }

  // MARK: The run

  /// The run, when all lines are read.
  func description(_ frame: LogFrame) -> RunDescription {
    var program = Program()
    program.title = frame.title
    program.seed = frame.seed
    program.parameters = frame.parameters
    program.kinds = kinds
    return RunDescription(program: program, machine: frame.machine, names: names)
  }

  /// How the run ended, when all lines are read.
  func record(_ frame: LogFrame) -> RunRecord {
    var record = RunRecord(
      on: frame.machine, outcome: frame.outcome ?? Outcome(.finished), end: frame.end,
      makespan: frame.makespan)
    record.findings = frame.findings
    for (index, time) in findingTimes.enumerated() where index < record.findings.count {
      record.findings[index].time = time
    }
    for kind in Finding.Kind.allCases {
      let count = record.findings.count { $0.kind == kind }
      if count > 0 { record.findingCounts.append(.init(kind: kind, count: count)) }
    }
    record.entries = Int64(entries.count)
    record.schedulingEvents = schedulingEvents
    record.liveThreads = liveThreads
    record.cores = (0..<frame.coreCount).map { $0 < cores.count ? cores[$0].use : Core().use }
    return record
  }

  // MARK: Names and numbers

  /// The number of a text.
  func number(of text: some StringProtocol) -> Int32 { names.intern(String(text)).index }

  /// The number of a kind of work, which is new when none was like it.
  mutating func kind(_ pattern: NameID, isNamed: Bool) -> Int32 {
    let kind = WorkKind(pattern: names.text(pattern), isNamed: isNamed)
    if let number = kindNumbers[kind] { return number }
    let number = Int32(kinds.count)
    kinds.append(kind)
    kindNumbers[kind] = number
    return number
  }

  /// The number of a thread that has begun; nil for one that has not.
  func thread(_ name: LogName?) -> Int32? {
    guard let name else { return -1 }
    return threads[name]
  }

  /// The number of a new thread.
  mutating func newThread(_ name: LogName) throws(LogFault) -> Int32 {
    if threads[name] != nil { throw LogFault("this thread is made for the second time") }
    threads[name] = threadCount
    threadCount += 1
    return threadCount - 1
  }

  /// Whether a new thread of an executor is called after it, and not by a name of its own.
  mutating func isCalledAfter(_ executor: Int32, _ name: NameID) -> Bool {
    let count = made[executor, default: 0] + 1
    made[executor] = count
    return names.text(name) == "\(names.text(NameID(Int(executor))))-\(count)"
  }

  /// The number of a new item.
  mutating func newItem(
    _ name: LogName, isNamed: Bool, kind: Int32, at time: Int64
  ) -> Int32 {
    itemFacts.append((kind, time))
    let number = Int32(itemFacts.count)
    if isNamed { items[name] = number } else { nameless[name] = number }
    return number
  }

  /// The kind of an item.
  func kind(of item: Int32) -> Int32 { itemFacts[Int(item) - 1].kind }

  /// When an item was submitted.
  func submitted(_ item: Int32) -> Int64 { itemFacts[Int(item) - 1].submitted }

  /// The number of a submitted item; nil for one that was not submitted.
  func item(_ name: LogName, isNamed: Bool) -> Int32? {
    isNamed ? items[name] : nameless[name]
  }

  /// The number of a new object.
  mutating func newObject(_ family: ObjectFamily, _ name: LogName) -> Int32 {
    let number = objectCounts[Int(family.rawValue)]
    objectCounts[Int(family.rawValue)] = number + 1
    // What has no number of its own is not looked up.
    if family == .other { return number }
    var key = ObjectKey(family: family, name: name)
    // Only a step that declares its own name has an order; this one has none.
    while objects[key] != nil { key.name.ordinal += 1 }
    objects[key] = number
    return number
  }

  /// The number of an object; what the system made comes up when it is first spoken of.
  mutating func object(_ family: ObjectFamily, _ name: LogName) -> Int32 {
    if family == .other { return -1 }
    let key = ObjectKey(family: family, name: name)
    if let number = objects[key] { return number }
    return newObject(family, name)
  }

  /// Whether an object of this family and name was made.
  func has(_ family: ObjectFamily, _ name: LogName) -> Bool {
    objects[ObjectKey(family: family, name: name)] != nil
  }
}
