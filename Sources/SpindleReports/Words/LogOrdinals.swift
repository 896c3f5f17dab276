import SpindleModel

/// Objects whose numbers are their own.
public enum ObjectFamily: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// A lock of any class.
  case lock
  case semaphore, group
  /// An executor that is not a queue: a pool, or a thread for each.
  case executor
  /// A dispatch queue, the main one and the global ones included.
  case queue
  case operationQueue, operation, dispatchSource
  /// Anything else, which has no number.
  case other
  /// An actor of tasks, by the number of its name; the main actor is one.
  case actor
  case accelerator

  init(_ handle: HandleClass) {
    switch handle {
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite: self = .lock
    case .semaphore: self = .semaphore
    case .group: self = .group
    case .threadPerTask, .threadPool, .taskExecutor: self = .executor
    case .queue: self = .queue
    case .operationQueue: self = .operationQueue
    case .operation: self = .operation
    case .dispatchSource: self = .dispatchSource
    case .accelerator: self = .accelerator
    default: self = .other
    }
  }

  /// What a thread waits for.
  init(_ reason: WaitReason) {
    self = reason.facts.object.map { ObjectFamily($0) } ?? .other
  }
}

/// Which threads are called after their executors.
struct ExecutorLabels {
  private struct Executor {
    /// How many threads it has made.
    var count: Int64 = 0
    /// The places of those that have names of their own, ascending.
    var named: ContiguousArray<Int64> = []
  }

  /// By the number of the executor's name.
  private var executors: ContiguousArray<Executor> = []

  /// An executor made a thread.
  mutating func threadMade(_ label: ThreadLabel) {
    let index = Int(label.executor)
    if index >= executors.count {
      executors.append(contentsOf: repeatElement(Executor(), count: index + 1 - executors.count))
    }
    assert(
      label.ordinal > executors[index].count,
      "an executor makes its thread \(label.ordinal), and has made \(executors[index].count)")
    executors[index].count = label.ordinal
    if label.name >= 0 { executors[index].named.append(label.ordinal) }
  }

  /// Whether a thread so far is called so after its executor: `pool-3` is one if `pool` made three, and the
  /// third has no name of its own.
  func called(_ text: String, _ names: NameTable) -> Bool {
    guard let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return false }
    let digits = text[text.utf8.index(after: dash)...]
    guard let place = Int64(digits), place > 0, String(place) == digits else { return false }
    var executor = String(text[..<dash])
    guard let found = executor.withUTF8({ names.find($0) }), found.index < executors.count else {
      return false
    }
    let entry = executors[Int(found.index)]
    let before = entry.named.partition { $0 < place }
    return place <= entry.count && (before == entry.named.count || entry.named[before] != place)
  }
}

/// Counts what has the same name, to number the threads or items of one name, from 1.
struct NameOrdinals {
  /// How many threads there have been, by the number of the name, from the first on that has the name as
  /// its own.
  private var threads: ContiguousArray<Int32> = []
  private var executors = ExecutorLabels()
  /// How many items, by the number of the name.
  private var items: ContiguousArray<Int32> = []
  /// How many items without a name, by the number of the kind and 1.
  private var nameless: ContiguousArray<Int32> = []

  /// The number among its name of a thread of this label that was created now.
  ///
  /// It depends only on what was logged before. A name may enter the table of the run while entries before it
  /// wait in a buffer, so whether the table has one yet means nothing.
  mutating func threadMade(_ label: ThreadLabel, _ names: NameTable) -> Int32 {
    if label.executor >= 0 { executors.threadMade(label) }
    if label.name >= 0 {
      let number = Int(label.name)
      let isFirst = number >= threads.count || threads[number] == 0
      if isFirst && executors.called(names.text(NameID(number)), names) {
        _ = NameOrdinals.next(number, &threads)
      }
      return NameOrdinals.next(number, &threads)
    }
    // One that is called after its executor may be called like one before it that has a name of its own.
    guard var text = label.text(names), let found = text.withUTF8({ names.find($0) }),
      found.index < threads.count, threads[Int(found.index)] > 0
    else { return 1 }
    return NameOrdinals.next(Int(found.index), &threads)
  }

  /// The number among its name of an item that is submitted now; one without a name is called after its kind.
  mutating func submitted(_ entry: LogEntry) -> Int32 {
    entry.object >= 0
      ? NameOrdinals.next(Int(entry.object), &items)
      : NameOrdinals.next(Int(max(-1, entry.subject)) + 1, &nameless)
  }

  private static func next(_ index: Int, _ counts: inout ContiguousArray<Int32>) -> Int32 {
    if index == counts.count {
      counts.append(1)
      return 1
    }
    if index > counts.count {
      counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
    }
    counts[index] += 1
    return counts[index]
  }
}

/// Which one of its name each thread, item and object of a run is, from 1.
struct LogOrdinals {
  private var counts = NameOrdinals()
  /// By the item's number.
  private var items: ContiguousArray<Int32> = []
  /// By family and number.
  private var objects = Array(
    repeating: ContiguousArray<Int32>(), count: ObjectFamily.allCases.count)
  /// How many objects there have been, by family and number of the name.
  private var objectCounts: [UInt64: Int32] = [:]

  /// A thread of this label was made.
  mutating func threadMade(_ label: ThreadLabel, _ names: NameTable) -> Int32 {
    counts.threadMade(label, names)
  }

  /// An item was submitted; one without a name is called after its kind.
  mutating func submitted(_ entry: LogEntry) {
    let number = Int(Submission(entry.value).item)
    guard number >= 0 else { return }
    LogOrdinals.set(number, to: counts.submitted(entry), &items)
  }

  /// The number of an item among its name; 1 for one that was not submitted.
  func ordinal(ofItem number: Int32) -> Int32 {
    number >= 0 && Int(number) < items.count ? items[Int(number)] : 1
  }

  /// An object was made.
  mutating func made(_ entry: LogEntry) {
    guard let handle = HandleClass(rawValue: entry.detail), entry.other >= 0 else { return }
    let family = ObjectFamily(handle)
    if family == .other { return }
    let key = UInt64(family.rawValue) << 32 | UInt64(UInt32(bitPattern: entry.object))
    let ordinal = objectCounts[key, default: 0] + 1
    objectCounts[key] = ordinal
    LogOrdinals.set(Int(entry.other), to: ordinal, &objects[Int(family.rawValue)])
  }

  /// Which one of its name an object is; 1 for one that was not made by the trace.
  func ordinal(_ family: ObjectFamily, _ number: Int32) -> Int32 {
    let index = Int(family.rawValue)
    return number >= 0 && Int(number) < objects[index].count ? objects[index][Int(number)] : 1
  }

  private static func set(_ index: Int, to value: Int32, _ table: inout ContiguousArray<Int32>) {
    if index == table.count { return table.append(value) }
    if index > table.count {
      table.append(contentsOf: repeatElement(1, count: index + 1 - table.count))
    }
    table[index] = value
  }
}
