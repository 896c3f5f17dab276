import SpindleModel

/// What kinds of objects steps are done to; each has numbers of its own.
enum StepFamily: UInt8 {
  case lock, condition, semaphore, group, queue, operationQueue, operation, source
  case once, workItem, thread, task, actor, continuation, stream, pipe, runLoop, runLoopSource, port
  case global, field, executor, taskGroup
}

/// Who does what in a run, by its log: threads, and what they run.
///
/// For one run of a program after another: what the program's texts are as names is found out once.
struct StepActors {
  /// By thread: its own number among the names, -1 where it is not known yet, and what it runs, the innermost last.
  private var threads: [ThreadActor] = []
  /// By the number of the item.
  private var items: [Item] = []
  /// By family and by number, from -1 on: its number among the names, -1 for none.
  private var objects: [[Int32]] = Array(
    repeating: [], count: Int(StepFamily.taskGroup.rawValue) + 1)
  /// The variables of instances that were used.
  private var fields: [Field: Int32] = [:]
  /// How many threads and items there were of each name, by the number of its text.
  private var threadCounts: [Int32] = []
  private var itemCounts: [Int32] = []
  /// The iterations of `concurrentPerform` that have begun, by their numbers among the names, and how often each of a
  /// number has begun.
  private var iterations: [Int32] = []
  private var iterationCounts: [Int32] = []
  /// How many items of each name each submitter has submitted; the origins of the items of this run.
  private var submissions = StepTable()
  private var origins: [ItemOrigin: Int32] = [:]
  /// How many objects of each family and text there were.
  private var objectCounts = StepTable()
  /// The texts of the kinds of work, and of the program's own names, -1 where that was not asked yet.
  private var kinds: [Int32] = []
  private var known: [Int32] = []
  private var table: NameTable?
  /// Who the planned items are, by their numbers; -1 for none.
  private var planned: [Int32] = []
  /// Who the item is that is enqueued next; -1 where its submitter says that.
  private var due: Int32 = -1

  private struct ThreadActor {
    var own: Int32 = -1
    var ordinal: Int32 = 1
    /// The number of its name in the log; -1 where it has none.
    var name: Int32 = -1
    /// Its items, by number, and between them iterations: -2 less the place in `iterations`.
    var items: [Int32] = []
  }

  private struct Item {
    var actor: Int32
    /// The operation that it is; -1 for none.
    var operation: Int32
  }

  private struct Field: Hashable {
    let instance: Int64
    let number: Int32
  }

  mutating func forget() {
    threads.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    for family in objects.indices where !objects[family].isEmpty {
      objects[family].removeAll(keepingCapacity: true)
    }
    if !fields.isEmpty { fields.removeAll(keepingCapacity: true) }
    for index in threadCounts.indices { threadCounts[index] = 0 }
    for index in itemCounts.indices { itemCounts[index] = 0 }
    iterations.removeAll(keepingCapacity: true)
    for index in iterationCounts.indices { iterationCounts[index] = 0 }
    objectCounts.removeAll()
    submissions.removeAll()
    if !origins.isEmpty { origins.removeAll(keepingCapacity: true) }
    planned.removeAll(keepingCapacity: true)
    due = -1
    table = nil
  }

  /// A run begins of the program of which the others were; whether it is the first one.
  mutating func begin(_ program: Program, _ table: NameTable, _ names: inout StepNames) -> Bool {
    self.table = table
    if known.count == program.names.count && kinds.count == program.kinds.count { return false }
    known = Array(repeating: -1, count: program.names.count)
    kinds = program.kinds.map { names.text(Self.withoutLine($0.pattern)) }
    return true
  }

  /// What work without a name is called, without the line where it stands: so that a schedule survives when lines come
  /// before it.
  private static func withoutLine(_ pattern: String) -> String {
    guard let colon = pattern.lastIndex(of: ":") else { return pattern }
    let digits = pattern[pattern.index(after: colon)...]
    return !digits.isEmpty && digits.allSatisfy(\.isWholeNumber)
      ? String(pattern[..<colon]) : pattern
  }

  /// The number of the text of a name of the run.
  private mutating func text(_ name: Int32, _ names: inout StepNames) -> Int32 {
    let isOwn = Int(name) < known.count
    if isOwn && known[Int(name)] >= 0 { return known[Int(name)] }
    let text = names.text(table?.text(NameID(Int(name))) ?? "")
    if isOwn { known[Int(name)] = text }
    return text
  }

  /// Reads an entry; gives the number of an item that begins.
  mutating func receive(_ entry: LogEntry, _ names: inout StepNames) -> Int32? {
    switch entry.event {
    case .threadCreated:
      reach(entry.threadID)
      threads[Int(entry.threadID.index)] = ThreadActor()
      if entry.object >= 0 {
        let name = text(entry.object, &names)
        threads[Int(entry.threadID.index)].ordinal = Self.next(&threadCounts, name)
        threads[Int(entry.threadID.index)].name = name
      }
    case .itemSubmitted: submit(entry, &names)
    case .itemStarted, .taskResumed:
      if entry.threadID.isNone { return nil }
      reach(entry.threadID)
      threads[Int(entry.threadID.index)].items.append(entry.other)
      return entry.event == .itemStarted ? entry.other : nil
    case .itemEnded, .taskSuspended:
      if entry.threadID.isNone || Int(entry.threadID.index) >= threads.count { return nil }
      if let index = threads[Int(entry.threadID.index)].items.lastIndex(of: entry.other) {
        threads[Int(entry.threadID.index)].items.remove(at: index)
      }
    case .iterationBegan: beginIteration(entry, &names)
    case .iterationEnded:
      if Int(entry.threadID.index) < threads.count,
        let index = threads[Int(entry.threadID.index)].items.lastIndex(where: { $0 < -1 })
      {
        threads[Int(entry.threadID.index)].items.remove(at: index)
      }
    case .threadEnded:
      if Int(entry.threadID.index) < threads.count {
        threads[Int(entry.threadID.index)].items.removeAll()
      }
    case .objectMade:
      guard let handle = HandleClass(rawValue: entry.detail), entry.other >= 0,
        let family = StepFamily(handle)
      else { return nil }
      let name = text(entry.object, &names)
      let key = StepKey(actor: Int32(family.rawValue), verb: .reads, object: name)
      let count = objectCounts[key] + 1
      objectCounts[key] = count
      set(family, entry.other, names.number(text: name, ordinal: Int(count)))
    default: break
    }
    return nil
  }

  /// An iteration begins: it has the same name whichever thread runs it.
  private mutating func beginIteration(_ entry: LogEntry, _ names: inout StepNames) {
    if entry.threadID.isNone { return }
    reach(entry.threadID)
    let text = names.text("iteration \(entry.value)")
    threads[Int(entry.threadID.index)].items.append(-2 - Int32(iterations.count))
    iterations.append(names.number(text: text, ordinal: Int(Self.next(&iterationCounts, text))))
  }

  /// The number among the names of what a thread runs, the innermost; nil where it runs nothing that has a name.
  private func running(_ thread: ThreadID) -> Int32? {
    guard let item = threads[Int(thread.index)].items.last else { return nil }
    if item < -1 { return iterations[-2 - Int(item)] }
    guard item >= 0, Int(item) < items.count, items[Int(item)].actor >= 0 else { return nil }
    return items[Int(item)].actor
  }

  private mutating func submit(_ entry: LogEntry, _ names: inout StepNames) {
    let submission = Submission(entry.value)
    let actor =
      due >= 0 ? due : self.actor(entry.object, entry.subject, by: entry.threadID, &names)
    due = -1
    let flags = Submission.Flags(rawValue: entry.detail)
    while items.count <= Int(submission.item) { items.append(Item(actor: -1, operation: -1)) }
    items[Int(submission.item)] = Item(
      actor: actor,
      operation: flags.contains(.isOperation) ? submission.object : -1)
  }

  /// The number among the names of an item that a thread submits or plans, by its name, else by its kind.
  private mutating func actor(
    _ name: Int32, _ kind: Int32, by thread: ThreadID, _ names: inout StepNames
  ) -> Int32 {
    let text = name >= 0 ? self.text(name, &names) : self.kind(kind, &names)
    let ordinal = ordinal(ofItem: text, thread, &names)
    return names.number(text: text, ordinal: Int(ordinal))
  }

  /// A thread plans an item.
  mutating func plan(
    _ item: Int32, name: Int32, kind: Int32, by thread: ThreadID, _ names: inout StepNames
  ) {
    while planned.count <= Int(item) { planned.append(-1) }
    planned[Int(item)] = actor(name, kind, by: thread, &names)
  }

  /// The deadline of a planned item has come; gives its number among the names.
  func actor(ofPlanned item: Int32) -> Int32 { planned[Int(item)] }

  /// A planned item is enqueued next.
  mutating func enqueueNext(planned item: Int32) { due = planned[Int(item)] }

  /// An operation begins whose step is noted without the log.
  mutating func begins(operationOfItem item: Int32) { items[Int(item)].operation = -1 }

  /// Which one of its name an item is that a thread submits.
  private mutating func ordinal(
    ofItem name: Int32, _ thread: ThreadID, _ names: inout StepNames
  ) -> Int32 {
    let submitter = submitter(thread, &names)
    let key = StepKey(actor: submitter, verb: .submits, object: name)
    let time = submissions[key] + 1
    submissions[key] = time
    while itemCounts.count <= Int(name) { itemCounts.append(0) }
    let origin = ItemOrigin(submitter: submitter, name: name, time: time)
    let ordinal = names.ordinal(origin, isNew: &itemCounts[Int(name)])
    if !names.isSettled { origins[origin] = ordinal }
    return ordinal
  }

  /// Who submits what a thread submits.
  private mutating func submitter(_ thread: ThreadID, _ names: inout StepNames) -> Int32 {
    if thread.isNone || Int(thread.index) >= threads.count { return -1 }
    if let running = running(thread) { return running }
    let (name, ordinal) = (threads[Int(thread.index)].name, threads[Int(thread.index)].ordinal)
    return name < 0 ? -1 : names.number(text: name, ordinal: Int(ordinal))
  }

  /// The run has ended: what its items are called is kept.
  func settle(_ names: inout StepNames) { names.settle(origins, itemCounts) }

  private func kind(_ kind: Int32, _ names: inout StepNames) -> Int32 {
    kind >= 0 && Int(kind) < kinds.count ? kinds[Int(kind)] : names.text("item")
  }

  private static func next(_ counts: inout [Int32], _ text: Int32) -> Int32 {
    while counts.count <= Int(text) { counts.append(0) }
    counts[Int(text)] += 1
    return counts[Int(text)]
  }

  private mutating func reach(_ thread: ThreadID) {
    while threads.count <= Int(thread.index) { threads.append(ThreadActor()) }
  }

  private mutating func set(_ family: StepFamily, _ number: Int32, _ name: Int32) {
    let (family, place) = (Int(family.rawValue), Int(number) + 1)
    let missing = place + 1 - objects[family].count
    if missing > 0 { objects[family].append(contentsOf: repeatElement(-1, count: missing)) }
    objects[family][place] = name
  }

  /// The number of an object that was named before.
  func object(_ family: StepFamily, _ number: Int32) -> Int32? {
    let (family, place) = (Int(family.rawValue), Int(number) + 1)
    guard place < objects[family].count, objects[family][place] >= 0 else { return nil }
    return objects[family][place]
  }

  mutating func object(
    _ family: StepFamily, _ number: Int32, called name: String, _ names: inout StepNames
  ) -> Int32 {
    let found = names.number(Schedule.Subject(name.isEmpty ? "\(family)" : name))
    set(family, number, found)
    return found
  }

  /// The number of a variable of an instance, whose name is asked for once.
  mutating func field(
    _ number: Int32, of instance: Int64, called name: () -> String, _ names: inout StepNames
  ) -> Int32 {
    let field = Field(instance: instance, number: number)
    if let known = fields[field] { return known }
    let found = names.number(Schedule.Subject(name()))
    fields[field] = found
    return found
  }

  /// Who does what a thread does: the item or task that it runs, else itself.
  mutating func actor(
    of thread: ThreadID, called name: @autoclosure () -> String, _ names: inout StepNames
  ) -> Int32 {
    reach(thread)
    if let running = running(thread) { return running }
    if threads[Int(thread.index)].own < 0 {
      threads[Int(thread.index)].own = names.number(
        Schedule.Subject(name(), ordinal: Int(threads[Int(thread.index)].ordinal)))
    }
    return threads[Int(thread.index)].own
  }

  func actor(ofItem item: Int32) -> Int32 { items[Int(item)].actor }

  /// The number among the names of the operation that an item is; nil for none.
  func operation(ofItem item: Int32) -> Int32? {
    guard item >= 0, Int(item) < items.count, items[Int(item)].operation >= 0 else { return nil }
    return object(.operation, items[Int(item)].operation)
  }
}

extension StepFamily {
  /// The family of the objects of a class whose making the log numbers.
  init?(_ handle: HandleClass) {
    switch handle {
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite: self = .lock
    case .semaphore: self = .semaphore
    case .group: self = .group
    case .queue: self = .queue
    case .operationQueue: self = .operationQueue
    case .operation: self = .operation
    case .dispatchSource: self = .source
    default: return nil
    }
  }
}
