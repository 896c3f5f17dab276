import SpindleModel

/// Operations and their queues: who may start next, and who is told at an end.
///
/// It changes no thread's frames and starts nothing itself; the interpreter hands to dispatch what
/// `takeNext` gives, and runs closures.
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift.
struct OperationRuntime: ~Copyable {
  var operations: Table<OperationRecord>
  var queues: Table<OperationQueueRecord>
  var links: Table<Link>
  /// The closures of operations.
  private var blocks: Table<BlockRecord>
  /// The ready operations of each queue.
  private var ready: [ReadyList] = []
  /// The operations of each queue that threads run, in the order of adding.
  private var running: [ItemHeap] = []
  private var freeOperations: Table<Int32>
  private var freeBlocks: Table<Int32>
  var freeLinks: Table<Int32>
  var stretches: Table<Stretch>
  var freeStretches: Table<Int32>
  /// How many ties there have been: each operation that was added, and each dependency.
  var ties: Int64 = 0

  /// That one operation depends on another.
  struct Link: BitwiseCopyable {
    var dependent: Int32
    var dependency: Int32
    /// The next one of the dependent, and of the dependency.
    var nextDependency: Int32 = -1
    var nextDependent: Int32 = -1
    /// And the one before.
    var previousDependency: Int32 = -1
    var previousDependent: Int32 = -1
    var place: Int32
    /// Its place in the order in which all were tied.
    var tie: Int64
    /// Whether the dependent still waits for the dependency.
    var isOpen = true
  }

  /// One closure of an operation.
  struct BlockRecord: BitwiseCopyable {
    var closure: Int32
    var next: Int32 = -1
  }

  /// The main queue.
  static let mainQueue: Int32 = 0

  /// Whether any operation has ever had a readiness of its own.
  var hasOwnReadiness = false
  /// What is done when operations have been asked for a readiness of their own, in order.
  var questions: [ReadinessQuestion] = []

  /// Makes the main queue, which has a limit of 1 and the highest quality for ever.
  ///
  /// What is ready stands in the queues' lists too, 32 bytes for each operation while they double.
  init(_ storage: Storage) {
    operations = Table(.operations, storage, beside: 64)
    queues = Table(.operationQueues, storage, beside: 64)
    links = Table(.dependencies, storage)
    blocks = Table(.operationBlocks, storage)
    freeOperations = Table(.operations, storage)
    freeBlocks = Table(.operationBlocks, storage)
    freeLinks = Table(.dependencies, storage)
    stretches = Table(.operationQueues, storage)
    freeStretches = Table(.operationQueues, storage)
    var main = OperationQueueRecord(name: -1)
    (main.isMain, main.limit) = (true, 1)
    main.quality = WellKnownName.userInteractive.id.index
    _ = makeQueue(main)
  }

  // MARK: Making

  /// Makes an operation.
  mutating func make(_ record: OperationRecord) -> Int32 {
    var fresh = record
    fresh.flags.insert(.knownReady)
    if freeOperations.count > 0 {
      let index = freeOperations.removeLast()
      fresh.stamp = operations[index].stamp &+ 1
      operations[index] = fresh
      return index
    }
    return operations.append(fresh)
  }

  /// Makes a queue.
  mutating func makeQueue(_ record: OperationQueueRecord) -> Int32 {
    ready.append(ReadyList())
    running.append(ItemHeap())
    return queues.append(record)
  }

  /// Gives an operation another closure.
  mutating func addBlock(_ closure: Int32, to operation: Int32) {
    let index: Int32
    if freeBlocks.count > 0 {
      index = freeBlocks.removeLast()
      blocks[index] = BlockRecord(closure: closure)
    } else {
      index = blocks.append(BlockRecord(closure: closure))
    }
    let last = operations[operation].lastBlock
    if last < 0 { operations[operation].firstBlock = index } else { blocks[last].next = index }
    operations[operation].lastBlock = index
  }

  /// An operation's next closure, which it keeps; -1 when it has none left.
  func firstBlock(of operation: Int32) -> Int32 {
    let index = operations[operation].firstBlock
    return index < 0 ? -1 : blocks[index].closure
  }

  /// Takes an operation's next closure; -1 when it has none left.
  mutating func takeBlock(of operation: Int32) -> Int32 {
    let index = operations[operation].firstBlock
    if index < 0 { return -1 }
    let block = blocks[index]
    operations[operation].firstBlock = block.next
    if block.next < 0 { operations[operation].lastBlock = -1 }
    freeBlocks.append(index)
    return block.closure
  }

  /// Lets the number of an operation be used again that nobody can name and nothing refers to, and
  /// those of what only it depended on.
  mutating func recycle(_ operation: Int32) {
    let record = operations[operation]
    if record.flags.contains(.named) || record.state != .finished { return }
    while operations[operation].firstDependency >= 0 {
      let first = operations[operation].firstDependency
      let dependency = links[first].dependency
      cut(first)
      let other = operations[dependency]
      if other.state == .finished && other.thread < 0 && other.firstDependent < 0
        && other.firstDependency < 0 && !other.flags.contains(.named)
      {
        freeOperations.append(dependency)
      }
    }
    if operations[operation].firstDependent < 0 { freeOperations.append(operation) }
  }

  // MARK: Queues

  /// Adds an operation to a queue; it stands behind its equals.
  mutating func add(_ operation: Int32, to queue: Int32) {
    let last = queues[queue].last
    operations[operation].queue = queue
    operations[operation].lastQueue = queue
    operations[operation].state = .enqueued
    operations[operation].previous = last
    operations[operation].next = -1
    if last < 0 { queues[queue].first = operation } else { operations[last].next = operation }
    queues[queue].last = operation
    if !operations[operation].flags.contains(.barrier) { queues[queue].count += 1 }
    enterStretch(operation)
    operations[operation].rank = priority(of: operation)
    place(operation)
  }

  /// Takes a finished operation out of its queue; true when the queue is empty now.
  mutating func unlink(_ operation: Int32, wasHandedOver: Bool) -> Bool {
    let record = operations[operation]
    let queue = record.queue
    if record.previous < 0 {
      queues[queue].first = record.next
    } else {
      operations[record.previous].next = record.next
    }
    if record.next < 0 {
      queues[queue].last = record.previous
    } else {
      operations[record.next].previous = record.previous
    }
    operations[operation].queue = -1
    operations[operation].next = -1
    operations[operation].previous = -1
    if !record.flags.contains(.barrier) { queues[queue].count -= 1 }
    if wasHandedOver { queues[queue].executing -= 1 }
    if record.thread >= 0 { running[Int(queue)].remove(operation) }
    return queues[queue].first < 0
  }

  /// A thread begins to run an operation, or with -1 none runs it any more.
  mutating func setThread(_ thread: Int32, of operation: Int32) {
    let record = operations[operation]
    operations[operation].thread = thread
    if record.queue < 0 || (record.thread < 0) == (thread < 0) { return }
    if thread < 0 {
      running[Int(record.queue)].remove(operation)
    } else {
      running[Int(record.queue)].insert(
        ItemHeap.Entry(first: record.tie, second: 0, item: operation))
    }
  }

  /// The thread that runs the first of a queue's operations that any runs; -1 for none.
  func runner(in queue: Int32) -> Int32 {
    running[Int(queue)].first.map { operations[$0.item].thread } ?? -1
  }

  /// Puts an operation behind its equals.
  mutating func place(_ operation: Int32) {
    let queue = operations[operation].queue
    operations[operation].order = queues[queue].nextOrder
    queues[queue].nextOrder += 1
    list(operation)
  }

  /// Notes an operation among the ready ones of its queue, if it is one.
  mutating func list(_ operation: Int32) {
    operations[operation].stamp &+= 1
    let record = operations[operation]
    if record.queue < 0 || record.state != .enqueued || !record.isReady { return }
    ready[Int(record.queue)].insert(
      ReadyList.Entry(
        priority: record.rank.rawValue, order: record.order, operation: operation,
        stamp: record.stamp))
  }

  /// The priority that an operation gets in its queue: the given one, else what the quality of
  /// service stands for, which does not count where only one operation runs at a time.
  ///
  /// It is found once, when the operation is added.
  private func priority(of operation: Int32) -> OperationPriority {
    let record = operations.at(operation)
    if record.pointee.flags.contains(.barrier) { return .barrier }
    if let given = record.pointee.priority { return given }
    let (quality, queue) = (record.pointee.quality, record.pointee.queue)
    if quality < 0 || (queue >= 0 && queues[queue].limit == 1) { return .normal }
    return OperationPriority(quality: quality)
  }

  /// Takes the operation that a queue starts next; -1 when it may start none, or none is ready.
  ///
  /// Readiness comes before priority, priority before the order of adding.
  mutating func takeNext(_ queue: Int32) -> Int32 {
    if !queues[queue].hasRoom { return -1 }
    while let entry = ready[Int(queue)].popFirst() {
      if operations[entry.operation].stamp != entry.stamp { continue }
      operations[entry.operation].state = .dispatching
      if operations[entry.operation].flags.contains(.barrier) { handOver(barrier: entry.operation) }
      queues[queue].executing += 1
      return entry.operation
    }
    return -1
  }

  /// The operations of a queue, in the order of adding, without barriers.
  func members(of queue: Int32) -> [Int32] {
    var found: [Int32] = []
    var operation = queues[queue].first
    while operation >= 0 {
      if !operations[operation].flags.contains(.barrier) { found.append(operation) }
      operation = operations[operation].next
    }
    return found
  }
}

/// The ready operations of a queue: a heap, the one that starts next at its top.
///
/// An entry whose stamp is not its operation's any more is skipped when it comes up.
struct ReadyList {
  /// One operation, as it was when it got ready.
  struct Entry {
    let priority: Int8
    let order: Int64
    let operation: Int32
    let stamp: Int32

    func isBefore(_ other: Entry) -> Bool {
      priority != other.priority ? priority > other.priority : order < other.order
    }
  }

  private var heap: [Entry] = []

  /// Adds an entry; logarithmic.
  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var place = heap.count - 1
    while place > 0 && entry.isBefore(heap[(place - 1) / 2]) {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = entry
  }

  /// Takes the first entry; nil when there is none; logarithmic.
  mutating func popFirst() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first }
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count && heap[child + 1].isBefore(heap[child]) { child += 1 }
      if last.isBefore(heap[child]) { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return first
  }
}
