import SpindleModel

/// What takes work: a thread for each item, or a pool of a fixed width.
///
/// A pool makes its workers when they are needed, up to its width. An item goes to the worker that
/// has been idle longest, else to a new worker, else it waits; waiting items are taken first in,
/// first out. A worker that finds nothing to do is parked; that is not a deadlock.
struct ExecutorRuntime: ~Copyable {
  typealias Index = TableIndex<Record>

  /// One executor.
  struct Record: BitwiseCopyable {
    var isPool: Bool
    /// The pool that it is beside its record; -1 for one of a fixed width.
    var special: Int32 = -1
    var name: Int32
    /// How many workers it may have; more than there can be where it is a special pool.
    var width: Int64
    var stackSize: Int64
    /// How many threads it has made.
    var made: Int32 = 0
    /// The items that wait, in order.
    var items = IntrusiveQueue<Item>()
    /// The workers that are parked, the one that is so longest first.
    var idle = WaitList()
  }

  /// One item of work that waits.
  struct Item: Queueable {
    /// The frame that runs it, or the one to make.
    var frame: FrameIndex
    var name: Int32
    var kind: Int32
    /// The group that it leaves when it has ended; none for none.
    var group: GroupRuntime.Index
    var submitted: Int64
    /// Its number among all items of the run.
    var number: Int32
    /// The item behind it.
    var next = TableIndex<Item>.none
  }

  var executors: Table<Record>
  /// What pools have that are not of a fixed width.
  var specials: [SpecialPool] = []
  private var items: Table<Item>
  /// The first item that may be used again, linked by `next`; none for none.
  private var freeItem = TableIndex<Item>.none

  /// Creates it without executors.
  init(_ storage: Storage) {
    executors = Table(.executors, storage)
    items = Table(.items, storage)
  }

  /// The items that wait for a thread of a pool of a fixed width, in order.
  func waitingItems(of executor: Index) -> [Item] {
    var found: [Item] = []
    var index = executors[executor].items.first
    while !index.isNone {
      found.append(items[index])
      index = items[index].next
    }
    return found
  }

  /// Makes an executor with a thread for each item.
  mutating func makeThreadPerTask(name: Int32, stackSize: Int64) -> Index {
    executors.add(Record(isPool: false, name: name, width: 0, stackSize: stackSize))
  }

  /// Makes a pool.
  mutating func makePool(name: Int32, width: Int64, stackSize: Int64) -> Index {
    demand(width >= 1, "a pool of \(width) threads is made")
    return executors.add(Record(isPool: true, name: name, width: width, stackSize: stackSize))
  }

  /// What handing an item over costs the one who does it.
  mutating func cost(of executor: Index, _ costs: CostProfile) -> Int64 {
    let record = executors[executor]
    if !record.isPool { return costs.threadCreate.rawValue }
    if !record.idle.isEmpty { return costs.enqueue.rawValue + costs.wake.rawValue }
    let makesWorker = Int64(record.made) < width(of: record)
    return costs.enqueue.rawValue + (makesWorker ? costs.threadCreate.rawValue : 0)
  }

  /// Hands an item over.
  ///
  /// Returns false when no thread could be made for it.
  @inline(always)
  mutating func submit(
    _ item: Item, to executor: Index, by thread: ThreadID, madeAt place: Int32,
    _ kernel: inout Kernel
  ) -> Bool {
    kernel.record(
      .itemSubmitted, thread: thread, detail: Submission.Flags.toExecutor.rawValue,
      object: item.name, other: executors[executor].name, subject: item.kind, place: place,
      value: Submission.value(item: item.number, object: executor.raw))
    if !executors.unchecked(executor).pointee.isPool {
      return makeThread(for: item, executor, -1, by: thread, madeAt: place, &kernel)
    }
    return submitToPool(item, executor, by: thread, madeAt: place, &kernel)
  }

  /// Hands an item over to a pool.
  @inline(__always)
  private mutating func submitToPool(
    _ item: Item, _ executor: Index, by thread: ThreadID, madeAt place: Int32,
    _ kernel: inout Kernel
  ) -> Bool {
    let idle = kernel.removeFirst(from: &executors[executor].idle)
    if !idle.isNone {
      assign(item, to: kernel.threads.unchecked(idle), kernel)
      kernel.wake(idle, .granted, by: thread)
    } else if Int64(executors[executor].made) < executors[executor].width {
      return makeWorker(for: item, executor, by: thread, madeAt: place, &kernel)
    } else {
      enqueue(item, executor)
      kernel.changeHeap(by: kernel.costs.item.rawValue, thread)
    }
    return true
  }

  /// Makes a pool's next worker, for an item.
  @inline(never)
  private mutating func makeWorker(
    for item: Item, _ executor: Index, by thread: ThreadID, madeAt place: Int32,
    _ kernel: inout Kernel
  ) -> Bool {
    let record = executors[executor]
    if record.special >= 0 && Int64(record.made) == width(of: record) {
      keep(item, executor, by: thread, &kernel)
      return true
    }
    if !kernel.mayStartThread { return false }
    let name = kernel.intern(
      "\(kernel.text(record.name))-\(record.made + 1)")
    return makeThread(for: item, executor, name.index, by: thread, madeAt: place, &kernel)
  }

  /// Makes a thread for an item; false when the process may not have one more.
  @inline(always)
  private mutating func makeThread(
    for item: Item, _ executor: Index, _ name: Int32, by thread: ThreadID, madeAt place: Int32,
    _ kernel: inout Kernel
  ) -> Bool {
    if !kernel.mayStartThread { return false }
    let maker = executors.unchecked(executor)
    assert(
      !maker.pointee.isPool || Int64(maker.pointee.made) < maker.pointee.width,
      "pool \(executor) makes a worker more than \(maker.pointee.width)")
    maker.pointee.made &+= 1
    let cost = kernel.costs.threadStart.rawValue
    let made = kernel.createThread { fresh in
      fresh.pointee.role = maker.pointee.isPool ? .worker : .plain
      fresh.pointee.executor = executor.raw
      fresh.pointee.executorName = maker.pointee.name
      fresh.pointee.stackSize = maker.pointee.stackSize
      fresh.pointee.name = name
      if !maker.pointee.isPool { fresh.pointee.flags = .untouched }
      fresh.pointee.serial = maker.pointee.made
      fresh.pointee.overhead = cost
      fresh.pointee.madeAt = place
    }
    assign(item, to: kernel.threads.unchecked(made), kernel)
    kernel.start(
      made, origin: maker.pointee.isPool ? .threadPool : .threadPerTask,
      executorName: maker.pointee.name, by: thread, name: name,
      stackSize: maker.pointee.stackSize)
    return true
  }

  /// Lets a thread run an item next.
  @inline(__always)
  func assign(
    _ item: Item, to record: ThreadPointer, _ kernel: borrowing Kernel
  ) {
    assert(record.pointee.frame == .none, "an item is to run on a thread that is in a frame")
    put(item, item.frame, into: record)
    record.beginFrames()
    record.remove(.begun)
    if item.group.isNone && !kernel.hasCosts {
      record.insert(.endsPlainly)
    } else {
      record.remove(.endsPlainly)
    }
  }

  /// Lets a worker whose item has ended plainly begin with an item, in this frame.
  @inline(__always)
  func assignNext(
    _ item: Item, _ frame: FrameIndex, to record: ThreadPointer
  ) {
    assert(record.pointee.role == .worker, "a thread that is no worker takes another item")
    put(item, frame, into: record)
    if !item.group.isNone { record.remove(.endsPlainly) }
  }

  /// Notes in a thread's record which item it runs, in this frame.
  @inline(__always)
  private func put(
    _ item: Item, _ frame: FrameIndex, into record: ThreadPointer
  ) {
    assert(item.number > 0, "a thread gets an item without a number")
    record.setFrame(frame)
    record.setItem(
      name: item.name, kind: item.kind, group: item.group.raw, number: item.number,
      submitted: item.submitted)
  }

  @inline(__always)
  private mutating func enqueue(_ item: Item, _ executor: Index) {
    var index = freeItem
    if index.isNone {
      index = items.add(item)
    } else {
      freeItem = items.unchecked(index).pointee.next
      items.unchecked(index).pointee = item
    }
    let record = executors.unchecked(executor)
    assert(
      record.pointee.isPool && record.pointee.idle.isEmpty,
      "an item waits for executor \(executor), which has somebody for it")
    record.pointee.items.append(index, in: items)
  }

  /// How many items there have been at once at most.
  var itemCount: Int { items.count }

  /// Stops unless the items of an executor stand in its list whole; returns how many they are.
  func checkItems(of executor: Index) -> Int {
    executors[executor].items.indices(in: items).count
  }

  /// Stops unless each item that does not wait can be used again.
  func checkItemCount(_ waiting: Int) {
    var (item, free) = (freeItem, 0)
    while !item.isNone && free <= items.count { (free, item) = (free + 1, items[item].next) }
    demand(
      free + waiting == items.count,
      "of \(items.count) items of executors \(waiting) wait and \(free) are free")
  }

  /// Takes the item of an executor that waits first, nil when none does; valid until the next one is
  /// handed over.
  @inline(__always)
  mutating func takeFirst(of executor: Index) -> UnsafeMutablePointer<Item>? {
    let index = executors.unchecked(executor).pointee.items.removeFirst(in: items)
    if index.isNone { return nil }
    let item = items.unchecked(index)
    item.pointee.next = freeItem
    freeItem = index
    return item
  }

  /// A worker's item has ended: it takes the next one, or is parked.
  ///
  /// Returns whether it has one.
  @inline(__always)
  mutating func takeNext(_ thread: ThreadID, _ kernel: inout Kernel) -> Bool {
    let executor = Index(kernel.threads.unchecked(thread).pointee.executor)
    assert(executors[executor].isPool, "worker \(thread.index) works for executor \(executor)")
    guard let item = takeFirst(of: executor) else {
      return findOther(thread, executor, &kernel)
    }
    assign(item.pointee, to: kernel.threads.unchecked(thread), kernel)
    kernel.threads.unchecked(thread).charge(kernel.costs.dequeue.rawValue)
    kernel.changeHeap(by: -kernel.costs.item.rawValue, thread)
    return true
  }

  /// A worker finds nothing to do in the queue of its executor: it looks elsewhere, if there is such a
  /// place, or is parked.
  ///
  /// Returns whether it has an item.
  @inline(never)
  mutating func findOther(_ thread: ThreadID, _ executor: Index, _ kernel: inout Kernel) -> Bool {
    demand(
      executors[executor].isPool && executors[executor].items.isEmpty,
      "worker \(thread.index) is parked, and executor \(executor) has items")
    let isSpecial = executors[executor].special >= 0
    if isSpecial && steal(for: thread, executor, &kernel) { return true }
    if isSpecial {
      stand(thread, executor, &kernel)
    } else {
      kernel.append(thread, to: &executors[executor].idle)
    }
    kernel.block(thread, .idleWorker, on: executor.raw, name: executors[executor].name)
    if isSpecial { planEnd(of: executor, &kernel) }
    return false
  }
}
