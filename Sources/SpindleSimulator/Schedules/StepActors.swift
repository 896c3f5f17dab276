import SpindleModel

/// What kinds of objects steps are done to; each has numbers of its own.
enum StepFamily: UInt8 {
  case lock, condition, semaphore, group, queue, operationQueue, operation, source
  case once, workItem, thread, task, actor, continuation, stream, pipe, runLoop, runLoopSource, port
  case global, field, executor
}

/// Who does what in a run, by its log: threads, and what they run.
struct StepActors {
  /// By thread: its own number among the names, -1 where it is not known yet, and what it runs, the innermost last.
  private var threads: [ThreadActor] = []
  /// By the number of the item.
  private var items: [Item] = []
  private var objects: [UInt64: Int32] = [:]
  private var counts: [String: Int] = [:]
  private var objectCounts: [UInt64: Int] = [:]
  private var kinds: [String] = []
  private var texts: NameTable?

  private struct ThreadActor {
    var own: Int32 = -1
    var ordinal = 1
    var items: [Int32] = []
  }

  private struct Item {
    var actor: Int32
    /// The operation that it is; -1 for none.
    var operation: Int32
  }

  mutating func forget() {
    threads.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    objectCounts.removeAll(keepingCapacity: true)
    texts = nil
  }

  mutating func begin(_ program: Program, _ names: NameTable) {
    texts = names
    kinds = program.kinds.map { Self.withoutLine($0.pattern) }
  }

  /// What work without a name is called, without the line where it stands: so that a schedule survives when lines come
  /// before it.
  private static func withoutLine(_ pattern: String) -> String {
    guard let colon = pattern.lastIndex(of: ":") else { return pattern }
    let digits = pattern[pattern.index(after: colon)...]
    return !digits.isEmpty && digits.allSatisfy(\.isWholeNumber)
      ? String(pattern[..<colon]) : pattern
  }

  private func text(_ name: Int32) -> String { texts?.text(NameID(Int(name))) ?? "" }

  /// Reads an entry; gives the number of an item that begins.
  mutating func receive(_ entry: LogEntry, _ names: inout StepNames) -> Int32? {
    switch entry.event {
    case .threadCreated:
      reach(entry.thread)
      threads[Int(entry.thread)] = ThreadActor()
      if entry.object >= 0 {
        threads[Int(entry.thread)].ordinal = next(text(entry.object))
      }
    case .itemSubmitted:
      let submission = Submission(entry.value)
      let name = entry.object >= 0 ? text(entry.object) : kind(entry.subject)
      let actor = names.number(Schedule.Subject(name, ordinal: next("item " + name)))
      let flags = Submission.Flags(rawValue: entry.detail)
      while items.count <= Int(submission.item) { items.append(Item(actor: -1, operation: -1)) }
      items[Int(submission.item)] = Item(
        actor: actor, operation: flags.contains(.isOperation) ? submission.object : -1)
    case .itemStarted, .taskResumed:
      if entry.thread < 0 { return nil }
      reach(entry.thread)
      threads[Int(entry.thread)].items.append(entry.other)
      return entry.event == .itemStarted ? entry.other : nil
    case .itemEnded, .taskSuspended:
      if entry.thread < 0 || Int(entry.thread) >= threads.count { return nil }
      if let index = threads[Int(entry.thread)].items.lastIndex(of: entry.other) {
        threads[Int(entry.thread)].items.remove(at: index)
      }
    case .threadEnded:
      if Int(entry.thread) < threads.count { threads[Int(entry.thread)].items.removeAll() }
    case .objectMade:
      guard let handle = HandleClass(rawValue: entry.detail), entry.other >= 0,
        let family = StepFamily(handle)
      else { return nil }
      let key = UInt64(family.rawValue) << 32 | UInt64(UInt32(bitPattern: entry.object))
      objectCounts[key, default: 0] += 1
      objects[Self.key(family, entry.other)] = names.number(
        Schedule.Subject(text(entry.object), ordinal: objectCounts[key] ?? 1))
    default: break
    }
    return nil
  }

  private func kind(_ kind: Int32) -> String {
    kind >= 0 && Int(kind) < kinds.count ? kinds[Int(kind)] : "item"
  }

  private mutating func next(_ name: String) -> Int {
    counts[name, default: 0] += 1
    return counts[name] ?? 1
  }

  private mutating func reach(_ thread: Int32) {
    while threads.count <= Int(thread) { threads.append(ThreadActor()) }
  }

  private static func key(_ family: StepFamily, _ number: Int32) -> UInt64 {
    UInt64(family.rawValue) << 32 | UInt64(UInt32(bitPattern: number))
  }

  /// The number of an object that was named before.
  func object(_ family: StepFamily, _ number: Int32) -> Int32? {
    objects[Self.key(family, number)]
  }

  mutating func object(
    _ family: StepFamily, _ number: Int32, called name: String, _ names: inout StepNames
  ) -> Int32 {
    let found = names.number(Schedule.Subject(name.isEmpty ? "\(family)" : name))
    objects[Self.key(family, number)] = found
    return found
  }

  /// Who does what a thread does: the item or task that it runs, else itself.
  mutating func actor(
    of thread: Int32, called name: @autoclosure () -> String, _ names: inout StepNames
  ) -> Int32 {
    reach(thread)
    if let item = threads[Int(thread)].items.last, item >= 0, Int(item) < items.count,
      items[Int(item)].actor >= 0
    {
      return items[Int(item)].actor
    }
    if threads[Int(thread)].own < 0 {
      threads[Int(thread)].own = names.number(
        Schedule.Subject(name(), ordinal: threads[Int(thread)].ordinal))
    }
    return threads[Int(thread)].own
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
