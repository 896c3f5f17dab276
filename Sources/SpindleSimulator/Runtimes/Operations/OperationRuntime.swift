import SpindleModel

/// Operations and their queues: who may start next, and who is told at an end.
///
/// It changes no thread's frames and starts nothing itself; the interpreter hands to dispatch what
/// `takeNext` gives, and runs closures.
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift.
struct OperationRuntime: ~Copyable {
  var operations: SlotTable<OperationRecord>
  var queues: Table<OperationQueueRecord>
  var links: SlotTable<OperationTie>
  /// The closures of operations.
  private var blocks: SlotTable<OperationBlock>
  var sections: SlotTable<OperationSection>
  /// The ready operations of each queue.
  private var ready: [ReadyList] = []
  /// The operations of each queue that threads run, in the order of adding.
  private var running: [ItemHeap] = []
  /// How many ties there have been: each operation that was added, and each dependency.
  var ties: Int64 = 0

  /// The main queue.
  static let mainQueue = OperationQueueRecord.Index(0)

  /// The operations that nothing holds but a barrier behind them.
  var behindBarriers: [OperationRecord.Index] = []
  /// The numbers of the texts of `ObservedKey`, -1 for one that was not announced yet.
  var observedNames = [Int32](repeating: -1, count: 4)
  /// Whether any operation has ever had a readiness of its own.
  var hasOwnReadiness = false
  /// What is done when operations have been asked for a readiness of their own, in order.
  var questions: [ReadinessQuestion] = []
  /// The operations that are being asked, each while the one before it was.
  var asking: [OperationRecord.Index] = []

  /// Makes the main queue, which has a limit of 1 and the highest quality for ever.
  ///
  /// What is ready stands in the queues' lists too, 32 bytes for each operation while they double.
  init(_ storage: Storage) {
    operations = SlotTable(.operations, storage, beside: 64)
    queues = Table(.operationQueues, storage, beside: 64)
    links = SlotTable(.dependencies, storage)
    blocks = SlotTable(.operationBlocks, storage)
    sections = SlotTable(.operationQueues, storage)
    var main = OperationQueueRecord(name: -1)
    (main.isMain, main.limit) = (true, 1)
    main.quality = WellKnownName.userInteractive.id.index
    _ = makeQueue(main)
  }

  // MARK: Making

  /// Makes an operation.
  mutating func make(_ record: OperationRecord) -> OperationRecord.Index {
    demand(
      record.queue.isNone && record.thread.isNone && record.blocks.isEmpty,
      "an operation is made in a queue, on a thread, or with another one's closures")
    var fresh = record
    fresh.flags.insert(.knownReady)
    // An entry of who had the number before stays what it is: one of another stamp.
    let isReused = operations.usedCount < operations.count
    let index = OperationRecord.Index(operations.insertAny())
    if isReused { fresh.stamp = operations[index].stamp &+ 1 }
    operations.at(index).initialize(to: fresh)
    return index
  }

  /// Makes a queue.
  mutating func makeQueue(_ record: OperationQueueRecord) -> OperationQueueRecord.Index {
    demand(
      record.members.isEmpty && record.executing == 0 && ready.count == queues.count,
      "queue \(queues.count) is made with operations in it, and \(ready.count) have lists")
    ready.append(ReadyList())
    running.append(ItemHeap())
    return queues.add(record)
  }

  /// An operation goes on to another state; what has finished stays so.
  @inline(__always)
  mutating func setState(_ state: OperationState, of operation: OperationRecord.Index) {
    let record = operations.at(operation)
    let before = record.pointee.state
    // It is in its queue, or on the way to a thread, only once; and never as it was made again, but for
    // one that was refused.
    demand(
      before != .finished && (state > .dispatching || before <= .enqueued),
      "operation \(operation) is \(before.name), and becomes \(state.name)")
    record.pointee.state = state
  }

  /// Gives an operation another closure.
  mutating func addBlock(_ closure: FrameIndex, to operation: OperationRecord.Index) {
    demand(closure.raw > 0, "operation \(operation) is given frame \(closure) as a closure")
    let index = blocks.add(OperationBlock(closure: closure))
    operations[operation].blocks.append(index, in: blocks)
  }

  /// An operation's next closure, which it keeps; -1 when it has none left.
  func firstBlock(of operation: OperationRecord.Index) -> FrameIndex {
    let index = operations[operation].blocks.first
    return index.isNone ? .none : blocks[index].closure
  }

  /// The closures that an operation has still, in order.
  func closures(of operation: OperationRecord.Index) -> [FrameIndex] {
    var found: [FrameIndex] = []
    for list in [operations[operation].kept, operations[operation].blocks] {
      var index = list.first
      while !index.isNone {
        found.append(blocks[index].closure)
        index = blocks[index].neighbours.next
      }
    }
    return found
  }

  /// Takes an operation's next closure, or notes it among those that it keeps; -1 when it has none left.
  mutating func takeBlock(of operation: OperationRecord.Index, isKept: Bool = false)
    -> FrameIndex
  {
    let index = operations[operation].blocks.first
    if index.isNone { return .none }
    let closure = blocks[index].closure
    operations[operation].blocks.remove(index, in: blocks)
    if isKept {
      operations[operation].kept.append(index, in: blocks)
    } else {
      blocks.remove(index)
    }
    return closure
  }

  /// Takes one of the closures that an operation has kept, in order; -1 when it has none left.
  mutating func takeKeptBlock(of operation: OperationRecord.Index) -> FrameIndex {
    let index = operations[operation].kept.first
    if index.isNone { return .none }
    let closure = blocks[index].closure
    demand(closure.raw > 0, "operation \(operation) has kept frame \(closure) as a closure")
    operations[operation].kept.remove(index, in: blocks)
    blocks.remove(index)
    return closure
  }

  /// Lets the number of an operation be used again that nobody can name and nothing refers to, and
  /// those of what only it depended on.
  mutating func recycle(_ operation: OperationRecord.Index) {
    let record = operations[operation]
    if record.flags.contains(.named) || record.state != .finished { return }
    while !operations[operation].dependencies.isEmpty {
      let first = operations[operation].dependencies.first
      let dependency = links[first].dependency
      cut(first)
      let other = operations[dependency]
      if other.state == .finished && other.thread.isNone && other.dependents.isEmpty
        && other.dependencies.isEmpty && !other.flags.contains(.named)
      {
        free(dependency)
      }
    }
    if operations[operation].dependents.isEmpty { free(operation) }
  }

  private mutating func free(_ operation: OperationRecord.Index) {
    let record = operations[operation]
    demand(
      record.queue.isNone && record.thread.isNone && record.waiters.isEmpty && record.blocks.isEmpty
        && record.kept.isEmpty && record.partsLeft == 0,
      "operation \(operation) is given up in a queue, on a thread, or with what it holds")
    operations.remove(operation)
  }

  // MARK: Queues

  /// Adds an operation to a queue; it stands behind its equals.
  mutating func add(_ operation: OperationRecord.Index, to queue: OperationQueueRecord.Index) {
    demand(
      operations[operation].queue.isNone && operations[operation].thread.isNone,
      "operation \(operation) is in queue \(operations[operation].queue) or on a thread")
    operations[operation].queue = queue
    operations[operation].lastQueue = queue
    setState(.enqueued, of: operation)
    queues[queue].members.append(operation, in: operations)
    if !operations[operation].flags.contains(.barrier) { queues[queue].count += 1 }
    enterSection(operation)
    operations[operation].rank = priority(of: operation)
    place(operation)
  }

  /// Takes a finished operation out of its queue; true when the queue is empty now.
  mutating func unlink(_ operation: OperationRecord.Index, wasHandedOver: Bool) -> Bool {
    let record = operations[operation]
    let queue = record.queue
    demand(
      record.state == .finished && record.section.isNone,
      "operation \(operation) leaves its queue as \(record.state.name)")
    queues[queue].members.remove(operation, in: operations)
    operations[operation].queue = .none
    if !record.flags.contains(.barrier) { queues[queue].count -= 1 }
    if wasHandedOver { queues[queue].executing -= 1 }
    demand(
      queues[queue].count >= 0 && queues[queue].executing >= 0,
      "\(queues[queue].count) operations are left in queue \(queue), and "
        + "\(queues[queue].executing) run")
    if !record.thread.isNone { running[Int(queue.raw)].remove(operation.raw) }
    return queues[queue].members.isEmpty
  }

  /// A thread begins to run an operation; with none, nobody runs it any more.
  mutating func setThread(_ thread: ThreadID, of operation: OperationRecord.Index) {
    let record = operations[operation]
    demand(
      thread.isNone || !record.flags.contains(.part) || record.thread.isNone,
      "a part of operation \(record.whole) runs on \(record.thread.index), and on \(thread.index)")
    operations[operation].thread = thread
    if record.queue.isNone || (record.thread.isNone) == (thread.isNone) { return }
    if thread.isNone {
      running[Int(record.queue.raw)].remove(operation.raw)
    } else {
      running[Int(record.queue.raw)].insert(
        ItemHeap.Entry(first: record.tie, second: 0, item: operation.raw))
    }
  }

  /// The thread that runs the first of a queue's operations that any runs, or none.
  func runner(in queue: OperationQueueRecord.Index) -> ThreadID {
    guard let first = running[Int(queue.raw)].first else { return .none }
    let record = operations[first.item]
    demand(
      !record.thread.isNone && record.queue == queue,
      "operation \(first.item), noted as run in queue \(queue), is on thread \(record.thread.index)"
    )
    return record.thread
  }

  /// Puts an operation behind its equals.
  mutating func place(_ operation: OperationRecord.Index) {
    let queue = operations[operation].queue
    demand(
      operations[operation].order < queues[queue].nextOrder || queues[queue].nextOrder == 0,
      "operation \(operation) stands behind all that will come to queue \(queue)")
    operations[operation].order = queues[queue].nextOrder
    queues[queue].nextOrder += 1
    list(operation)
  }

  /// Notes an operation among the ready ones of its queue, if it is one.
  mutating func list(_ operation: OperationRecord.Index) {
    operations[operation].stamp &+= 1
    let record = operations[operation]
    if record.queue.isNone || record.state != .enqueued || !record.isReady { return }
    ready[Int(record.queue.raw)].insert(
      ReadyList.Entry(
        priority: record.rank.rawValue, order: record.order, operation: operation,
        stamp: record.stamp))
  }

  /// The priority that an operation gets in its queue: the given one, else what the quality of
  /// service stands for, which does not count where only one operation runs at a time.
  ///
  /// It is found once, when the operation is added.
  private mutating func priority(of operation: OperationRecord.Index) -> OperationPriority {
    let record = operations.at(operation)
    if record.pointee.flags.contains(.barrier) { return .barrier }
    if let given = record.pointee.priority { return given }
    let (quality, queue) = (record.pointee.quality, record.pointee.queue)
    if quality < 0 || (!queue.isNone && queues[queue].limit == 1) { return .normal }
    return OperationPriority(quality: quality)
  }

  /// Takes the operation that a queue starts next; none when it may start none, or none is ready.
  ///
  /// Readiness comes before priority, priority before the order of adding.
  mutating func takeNext(_ queue: OperationQueueRecord.Index) -> OperationRecord.Index {
    if !queues[queue].hasRoom { return .none }
    while let entry = ready[Int(queue.raw)].popFirst() {
      let operation = entry.operation
      // One that was given up has left its number to nobody, or to one of another stamp.
      if !operations.contains(operation) || operations[operation].stamp != entry.stamp { continue }
      demand(
        operations[operation].state == .enqueued && operations[operation].queue == queue,
        "operation \(operation), noted as ready, is \(operations[operation].state.name)")
      setState(.dispatching, of: operation)
      if operations[operation].flags.contains(.barrier) { handOver(barrier: operation) }
      queues[queue].executing += 1
      return operation
    }
    return .none
  }

  /// The operations of a queue, in the order of adding, without barriers.
  func members(of queue: OperationQueueRecord.Index) -> [OperationRecord.Index] {
    var found: [OperationRecord.Index] = []
    var operation = queues[queue].members.first
    while !operation.isNone {
      if !operations[operation].flags.contains(.barrier) { found.append(operation) }
      operation = operations[operation].members.next
    }
    demand(
      Int64(found.count) == queues[queue].count,
      "\(found.count) operations stand in queue \(queue), \(queues[queue].count) counted")
    return found
  }
}

/// The ready operations of a queue: a heap, the one that starts next at its top.
///
/// An entry whose stamp is not its operation's any more is skipped when it comes up.
struct ReadyList {
  /// One operation, as it was when it became ready.
  struct Entry {
    let priority: Int8
    let order: Int64
    let operation: OperationRecord.Index
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
