import SpindleModel

/// What a pool has that is not of a fixed width with one queue.
///
/// Its record says that it may have more workers than there can be, so that whatever finds nobody idle comes
/// here, and pools of a fixed width ask nothing.
struct SpecialPool {
  let kind: PoolKind
  /// How many workers it may have.
  let width: Int64
  /// How long a worker stays without work; of cached pools.
  let keepAlive: Int64
  /// The housekeeping that ends workers; 0 for none.
  var chore: UInt64 = 0
  /// What was handed over from outside, in order, and then what each worker has for itself; of stealing
  /// pools.
  var deques: [WorkDeque] = [WorkDeque()]
}

/// The items that a worker has for itself: it takes the last one, others the first one.
struct WorkDeque {
  private var items: ContiguousArray<ExecutorRuntime.Item> = []
  private var head = 0

  var count: Int { items.count - head }

  mutating func append(_ item: ExecutorRuntime.Item) { items.append(item) }

  mutating func takeLast() -> ExecutorRuntime.Item? { count == 0 ? nil : items.popLast() }

  mutating func takeFirst() -> ExecutorRuntime.Item? {
    if count == 0 { return nil }
    let item = items[head]
    head += 1
    if head > 32 && head > count {
      items.removeFirst(head)
      head = 0
    }
    return item
  }
}

/// What executors plan for a moment.
enum ExecutorPlan: UInt8, RoomPlan {
  /// Housekeeping: workers of a cached pool whose time is over end.
  case endIdleWorkers

  static var owner: PlanOwner { .executors }
}

extension PlanKind {
  static var endIdleWorkersOfPool: PlanKind { ExecutorPlan.endIdleWorkers.kind }
}

/// Pools that steal and pools that grow.
///
/// A stealing pool has the deques of Blumofe and Leiserson, "Scheduling Multithreaded Computations by Work
/// Stealing", 1999, as `ForkJoinPool` of Java has them: what a worker hands over itself goes into its own deque,
/// from which it takes the last one, and what comes from outside into a queue for all. A worker
/// without anything takes the first one of that queue, then the first one of another worker. They
/// choose whom to steal from by chance; here it is the next one by number that has anything, round the pool: a
/// departure, so that an item's worker depends on nothing but the program.
///
/// A cached pool is `Executors.newCachedThreadPool`: an item goes to the worker that was parked last, and
/// to a new one where none is; who has had nothing to do for so long ends
/// (java.util.concurrent.ThreadPoolExecutor; SynchronousQueue, whose unfair form is a stack).
extension ExecutorRuntime {
  /// `ThreadPool()`, `WorkStealingPool()` and `CachedThreadPool()`.
  mutating func makePool(_ call: Call, _ process: inout Process) -> CallResult {
    let given = PoolMakeArguments(call, process)
    let name = process.objectName(given.name, given.kind.name)
    let width = given.width ?? Int64(process.kernel.cores.count)
    if width < 1 { return process.crash("Fatal error: a pool needs a width of at least 1", call) }
    if given.keepAlive < 0 {
      return process.crash("Fatal error: a worker without work stays for a negative time", call)
    }
    let stack = process.kernel.machine.threadStack.rawValue
    let made = makePool(
      name: name, width: given.kind == .fixed ? width : Int64.max, stackSize: stack)
    if given.kind != .fixed {
      executors[made].special = Int32(specials.count)
      process.kernel.storage.take(.executors, 256)
      specials.append(
        SpecialPool(
          kind: given.kind, width: given.kind == .cached ? Int64.max : width,
          keepAlive: given.keepAlive))
    }
    process.noteMaking(
      .threadPool, made.raw, name, call, value: given.kind == .cached ? -1 : width)
    process.give(made.register, call)
    return .next
  }

  /// How many workers an executor may have.
  func width(of record: Record) -> Int64 {
    record.special < 0 ? record.width : specials[Int(record.special)].width
  }

  // MARK: Stealing

  /// Keeps an item for later: in the deque of the worker that hands it over, or in the queue for all.
  mutating func keep(
    _ item: Item, _ executor: Index, by thread: ThreadID, _ kernel: inout Kernel
  ) {
    let special = Int(executors[executor].special)
    demand(specials[special].kind == .stealing, "executor \(executor) has no deques")
    var deque = 0
    if !thread.isNone, kernel.threads[thread].role == .worker,
      kernel.threads[thread].executor == executor.raw
    {
      deque = Int(kernel.threads[thread].serial)
    }
    while specials[special].deques.count <= deque { specials[special].deques.append(WorkDeque()) }
    specials[special].deques[deque].append(item)
    kernel.storage.change(.items, by: 1, bytesEach: MemoryLayout<Item>.stride)
    kernel.changeHeap(by: kernel.costs.item.rawValue, thread)
  }

  /// Gives a worker its own last item, or the first one of the queue for all or of another worker; whether
  /// there is one.
  mutating func steal(for thread: ThreadID, _ executor: Index, _ kernel: inout Kernel) -> Bool {
    let special = Int(executors[executor].special)
    if specials[special].kind != .stealing { return false }
    let (own, count) = (Int(kernel.threads[thread].serial), specials[special].deques.count)
    assert(own > 0, "worker \(thread.index) of pool \(executor) has the deque of all")
    var found = own < count ? specials[special].deques[own].takeLast() : nil
    if found == nil { found = specials[special].deques[0].takeFirst() }
    var steps = 1
    while found == nil && steps < count {
      let victim = (own - 1 + steps) % (count - 1) + 1
      if victim != own { found = specials[special].deques[victim].takeFirst() }
      steps += 1
    }
    guard let item = found else { return false }
    kernel.storage.change(.items, by: -1, bytesEach: MemoryLayout<Item>.stride)
    assign(item, to: kernel.threads.unchecked(thread), kernel)
    kernel.threads.unchecked(thread).charge(kernel.costs.dequeue.rawValue)
    kernel.changeHeap(by: -kernel.costs.item.rawValue, thread)
    return true
  }

  // MARK: Growing and shrinking

  /// Parks a worker of a pool: in a cached one it is the first to be woken again.
  mutating func stand(_ thread: ThreadID, _ executor: Index, _ kernel: inout Kernel) {
    let special = Int(executors[executor].special)
    assert(special < specials.count, "pool \(executor) is special, and nothing is known of it")
    if specials[special].kind != .cached {
      return kernel.append(thread, to: &executors[executor].idle)
    }
    kernel.prepend(thread, to: &executors[executor].idle)
  }

  /// Notes when the worker of a cached pool that has been parked longest ends.
  mutating func planEnd(of executor: Index, _ kernel: inout Kernel) {
    let special = Int(executors[executor].special)
    if specials[special].kind != .cached || specials[special].chore != 0 { return }
    let oldest = executors[executor].idle.lastThread
    if oldest.isNone { return }
    let (time, overflow) = kernel.threads[oldest].since.addingReportingOverflow(
      specials[special].keepAlive)
    if overflow { return }
    specials[special].chore = kernel.addChore(.endIdleWorkersOfPool, executor.raw, at: time)
  }

  /// Ends the parked workers of a cached pool whose time is over.
  mutating func endIdleWorkers(_ executor: Index, _ kernel: inout Kernel) {
    let special = Int(executors[executor].special)
    demand(specials[special].kind == .cached, "workers of executor \(executor) do not end")
    specials[special].chore = 0
    while true {
      let oldest = executors[executor].idle.lastThread
      if oldest.isNone { return }
      if kernel.now - kernel.threads[oldest].since < specials[special].keepAlive { break }
      kernel.remove(oldest, from: &executors[executor].idle)
      kernel.threads.at(oldest).retire()
      kernel.wake(oldest, .timedOut, by: .none)
    }
    planEnd(of: executor, &kernel)
  }

  /// Stops when the state of a pool that steals or grows contradicts itself.
  func checkSpecial(_ executor: Index) {
    let record = executors[executor]
    demand(record.items.isEmpty, "pool \(executor) has items where nobody looks")
    let waiting = specials[Int(record.special)].deques.reduce(0) { $0 + $1.count }
    demand(
      waiting == 0 || record.idle.isEmpty,
      "\(waiting) items wait in deques, and worker \(record.idle.firstThread.index) is parked")
  }
}
