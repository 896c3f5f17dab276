import SpindleModel

/// What is said of threads that wait for queues when nothing can happen any more.
extension DispatchRuntime {
  /// What a thread waits for: its name, who has it, and where that one's own work was handed over.
  typealias Edge = (name: String, holder: ThreadID, takenAt: Int32)

  /// What a thread in `sync` waits for.
  func edge(_ index: DispatchSyncRecord.Index, _ process: borrowing Process) -> Edge {
    let sync = syncs[index]
    let holder = holder(of: sync.level, for: sync.thread, process)
    let place = holder.isNone ? -1 : itemPlace(holder, process)
    return (name(sync.level, process.kernel), holder, place)
  }

  /// What a thread waits for that waits for a work item, which nobody in particular has.
  func edge(_ workItem: WorkItemRecord.Index, _ process: borrowing Process) -> Edge {
    (name(workItem, process), .none, workItems[workItem].madeAt)
  }

  /// What a thread waits for that waits until something has run once.
  func edge(_ token: OnceRecord.Index, _ process: borrowing Process) -> Edge {
    (process.kernel.text(onces[token].name), onces[token].owner, onces[token].place)
  }

  /// One sentence on a thread that waits for a group.
  func groupSentence(
    _ edge: WaitGraph.Edge, _ who: FindingStatement, _ enders: FindingText.Enders?,
    _ process: borrowing Process
  ) -> FindingStatement {
    let entered = groups.groups[.init(process.kernel.threads[edge.thread].waitObject)].count
    if edge.queue >= 0 {
      return FindingText.waitsForGroup(
        who, group: edge.object, item: edge.item, queue: name(.init(edge.queue), process.kernel),
        runner: described(edge.holder, process))
    }
    return FindingText.waitsForGroup(
      who, group: edge.object, entered: Int(entered),
      member: edge.holder.isNone ? nil : described(edge.holder, process), enders)
  }

  /// The nearest queue from one down to its targets that may start nothing; nil where all may.
  func closedLevel(of queue: DispatchQueueRecord.Index) -> DispatchQueueRecord.Index? {
    var level = queue
    while !level.isNone {
      if !queues[level].isOpen { return level }
      level = queues[level].target
    }
    return nil
  }

  /// How many items wait in the main queue, and the job that is the first of them; -1 for another item.
  func mainQueue() -> (count: Int, job: Int32) {
    let main = queues[DispatchRuntime.mainQueue]
    if main.items.isEmpty { return (Int(main.count), -1) }
    let first = items[main.items.first]
    return (Int(main.count), first.kind == .job ? first.object : -1)
  }

  /// The thread that a queue waits for; none when nobody has it.
  ///
  /// A concurrent queue may have many readers: the one that asks, if it is among them, else any.
  private func holder(
    of queue: DispatchQueueRecord.Index, for thread: ThreadID, _ process: borrowing Process
  ) -> ThreadID {
    let record = queues[queue]
    if record.kind == .main || runsOnMain(queue) { return process.mainThread }
    if !record.owner.isNone { return record.owner }
    if !hasReaders(queue, process) { return .none }
    if isOn(queue, thread, process) { return thread }
    for other in process.kernel.threads.ids where isOn(queue, other, process) {
      return other
    }
    return .none
  }

  /// What stands before the main thread that comes to a queue: what runs there, or is first
  /// in the line where nothing does yet, and how many wait besides.
  func line(at queue: DispatchQueueRecord.Index, _ process: borrowing Process) -> MainWaitLine {
    demand(!queue.isNone, "the main thread waits in no queue")
    var line = MainWaitLine(count: queues[queue].count)
    line.thread = holder(of: queue, for: process.mainThread, process)
    var item: DispatchItem?
    if !line.thread.isNone {
      let sync = sync(of: line.thread, process)
      if !sync.isNone && syncs[sync].queue == queue { return line }
      item = presentItem(line.thread, process)
    } else if !queues[queue].items.isEmpty {
      item = items[queues[queue].items.first]
      if item?.kind == .block || item?.kind == .workItem { line.count -= 1 }
    }
    if let item {
      (line.item, line.kind) = (item.name, workKind(of: item))
    }
    return line
  }

  /// Whether a queue is a concurrent one that is read on, and that nobody has for himself.
  func hasReaders(_ queue: DispatchQueueRecord.Index, _ process: borrowing Process) -> Bool {
    let record = queues[queue]
    return record.kind == .concurrent && record.running > 0 && record.owner.isNone
      && !runsOnMain(queue)
  }

  /// The threads that are on a queue, by number, each with the place where what it does was handed over.
  func readers(of queue: DispatchQueueRecord.Index, _ process: borrowing Process)
    -> [WaitGraph.Holder]
  {
    assert(hasReaders(queue, process), "queue \(queue) is not read on")
    return process.kernel.liveThreads.filter { isOn(queue, $0, process) }.map {
      WaitGraph.Holder(thread: $0, takenAt: itemPlace($0, process))
    }
  }

  /// Whether a thread runs an item of a queue, or a `sync` on it.
  func isOn(_ queue: DispatchQueueRecord.Index, _ thread: ThreadID, _ process: borrowing Process)
    -> Bool
  {
    let state = process.kernel.threads[thread].state
    if state == .created || state == .finished { return false }
    let own = threads.of(thread, process.kernel)
    if own.queue == queue { return true }
    var sync = own.sync
    while !sync.isNone {
      // The innermost one may still wait: it is on the queue only behind it.
      let isInside =
        process.kernel.threads[thread].reason != .sync || sync != own.sync
      if isInside && syncs[sync].queue == queue { return true }
      sync = syncs[sync].outer
    }
    return false
  }

  /// One sentence on a thread that waits in `sync`.
  func syncSentence(_ edge: WaitGraph.Edge, _ who: FindingStatement, _ process: borrowing Process)
    -> FindingStatement
  {
    demand(
      edge.reason == .sync, "thread \(edge.thread.index) is in no sync, and it is said that it is")
    let queue = edge.object
    let level = syncs[.init(process.kernel.threads[edge.thread].waitObject)].level
    let record = queues[level]
    if runsOnMain(level) { return FindingText.waitsInSyncForMain(who, queue: queue) }
    if !edge.holder.isNone {
      let reads = record.kind == .concurrent && record.owner != edge.holder
      let holder = described(edge.holder, process)
      if reads, let barrier = barrier(before: edge, process),
        let name = process.itemName(barrier.name, kind: workKind(of: barrier))
      {
        return FindingText.waitsInSyncBehindBarrier(
          who, queue: queue, barrier: name, reader: holder)
      }
      return reads
        ? FindingText.waitsInSyncForReader(who, queue: queue, reader: holder)
        : FindingText.waitsInSyncForRunner(who, queue: queue, runner: holder)
    }
    if record.isInactive { return FindingText.waitsInSyncForActivation(who, queue: queue) }
    if record.suspensions > 0 { return FindingText.waitsInSyncForResume(who, queue: queue) }
    if let awaited = awaitedItem(edge, process) {
      return FindingText.waitsInSyncBehind(
        FindingText.anItem(awaited.name), isBarrier: awaited.isBarrier, who, queue: queue)
    }
    return FindingText.waitsInSyncForNobody(who, queue: queue)
  }

  /// The barrier that is first in the line of a concurrent queue, where a thread waits in `sync` behind it;
  /// nil where none is: who reads already would let the thread in, but for that.
  func barrier(before edge: WaitGraph.Edge, _ process: borrowing Process) -> DispatchItem? {
    if edge.reason != .sync { return nil }
    let level = syncs[.init(process.kernel.threads[edge.thread].waitObject)].level
    demand(!level.isNone, "thread \(edge.thread.index) waits in sync for no queue")
    if queues[level].kind != .concurrent || queues[level].items.isEmpty { return nil }
    let item = items[queues[level].items.first]
    return item.isBarrier && (item.kind == .block || item.kind == .workItem) ? item : nil
  }

  /// One sentence on a thread that waits for a work item.
  func workItemSentence(
    _ edge: WaitGraph.Edge, _ who: FindingStatement, _ process: borrowing Process
  )
    -> FindingStatement
  {
    demand(edge.reason == .workItem, "thread \(edge.thread.index) waits for no work item")
    if edge.holder.isNone { return FindingText.waitsForWorkItem(who, item: edge.object) }
    return FindingText.waitsForWorkItem(
      who, item: edge.object,
      queue: edge.queue < 0 ? nil : name(.init(edge.queue), process.kernel),
      runner: described(edge.holder, process))
  }

  /// Whether a thread has something of the program in hand: a worker that has no item yet, or whose item
  /// has ended, has nothing.
  func hasWork(_ thread: ThreadID, _ process: borrowing Process) -> Bool {
    if process.kernel.threads[thread].role != .queueWorker { return true }
    var frame = process.kernel.threads[thread].frame
    while !frame.isNone {
      switch process.frames.activity(frame) {
      case .queueWorker, .lane, .actorDrain, .task: break
      case .apply:
        let apply = applies[ApplyFrame(frame: frame).apply(process)]
        if apply.next < apply.count { return true }
      case .operation:
        switch process.frames.operationStep(frame) {
        case .taken, .started, .blocks: return true
        case .returned, .reported, .over: break
        }
      case .manager, .mainDrain, .dispatchMain, .performItem, .runLoopRun, .runLoopRepeat,
        .timerFire, .taskHandlers, .streamElement, nil:
        return true
      }
      frame = process.frames.parent(frame)
    }
    return false
  }

  // MARK: The pool

  /// Reports that the pool's workers all wait while items need one; the threads that this explains.
  ///
  /// Whoever else waits then waits for what the pool does not do.
  mutating func reportExhaustion(
    _ edges: [WaitGraph.Edge], _ sentences: [ThreadID: FindingStatement],
    _ awaited: AwaitedItem?, _ process: inout Process
  ) -> Bool {
    var (root, queued) = (DispatchQueueRecord.Index.none, Int32(0))
    for candidate in queues.indices
    where queues[candidate].kind == .root && !queues[candidate].items.isEmpty {
      if root.isNone { root = candidate }
      queued += queues[candidate].count
    }
    if root.isNone { return false }
    let workers = edges.filter { process.kernel.threads[$0.thread].role == .queueWorker }
    guard let first = workers.first else { return false }
    let item = items[queues[root].items.first]
    let queue = item.kind == .lane ? item.lane : item.queue
    let place = firstPlace(item)
    process.kernel.report(
      .poolExhaustion, thread: first.thread,
      places: [first.place, awaited?.place ?? -1, place],
      FindingText.poolExhaustion(
        workers: workers.count, waits: workers.prefix(2).compactMap { sentences[$0.thread] },
        holder: holder(over: workers).flatMap { sentences[$0] },
        items: Int(queued), queue: name(queue, process.kernel),
        awaited: awaited.map { ($0.name, $0.isBarrier) }))
    return true
  }

  /// The item for whose start workers wait.
  struct AwaitedItem: Hashable {
    let name: String?
    let isBarrier: Bool
    let place: Int32
  }

  /// The item that is first in the line of the queue for which a thread waits in `sync`, where no thread has that.
  func awaitedItem(_ edge: WaitGraph.Edge, _ process: borrowing Process) -> AwaitedItem? {
    guard edge.reason == .sync, edge.holder.isNone else { return nil }
    let level = syncs[.init(process.kernel.threads[edge.thread].waitObject)].level
    guard closedLevel(of: level) == nil, let item = nextItem(of: level) else { return nil }
    let name = item.kind == .workItem ? workItems[item.workItem].name : item.name
    return AwaitedItem(
      name: process.itemName(name, kind: workKind(of: item)), isBarrier: item.isBarrier,
      place: item.place)
  }

  /// The item that a queue runs next: one that is on its way to a worker, else the first in its line.
  private func nextItem(of queue: DispatchQueueRecord.Index) -> DispatchItem? {
    // A barrier has left a concurrent queue for the global one of its class.
    if queues[queue].isBarred {
      for root in queues.indices where queues[root].kind == .root {
        var index = queues[root].items.first
        while !index.isNone {
          let item = items[index]
          if item.queue == queue && item.isWork { return item }
          index = item.next
        }
      }
    }
    if queues[queue].items.isEmpty { return nil }
    let item = items[queues[queue].items.first]
    return item.isWork ? item : nil
  }

  /// The thread for which most workers wait, if it is none of those that are told anyway; nil for none.
  private func holder(over workers: [WaitGraph.Edge]) -> ThreadID? {
    let told = Set(workers.prefix(2).map(\.thread))
    return workers.map(\.holder).filter { !$0.isNone && !told.contains($0) }.mostFrequent()
  }

  /// Whether the global queues whose items wait may have no more workers than they have.
  func mayAddNoWorker(_ kernel: borrowing Kernel) -> Bool {
    for root in queues.indices where queues[root].kind == .root && !queues[root].items.isEmpty {
      if !isFull(root, kernel) { return false }
    }
    return true
  }

  private func isFull(_ root: DispatchQueueRecord.Index, _ kernel: borrowing Kernel) -> Bool {
    assert(queues[root].kind == .root, "queue \(root) has no workers of its own")
    if !kernel.mayStartThread { return true }
    let isOvercommit = Self.isOvercommit(root)
    switch pool.rules.kind {
    case .kernelWorkqueue:
      return pool.alive >= PoolRules.workerLimit
        || !isOvercommit && pool.constrained >= pool.rules.constrainedLimit
    case .libdispatch:
      let floor = isOvercommit ? 0 : pool.rules.coreCount - PoolRules.overcommitLimit
      return pool.roots[root].threadsLeft <= floor
    case .onePerCore: return pool.alive >= pool.rules.coreCount
    }
  }

  /// Where an item was handed over; of a queue that is to be drained, its first item.
  private func firstPlace(_ item: DispatchItem) -> Int32 {
    if item.kind != .lane { return item.place }
    let first = queues[item.lane].items.first
    return first.isNone ? -1 : items[first].place
  }

  // MARK: The end

  /// Reports items of the main queue that nobody was there to run.
  mutating func reportMainQueue(_ process: inout Process) {
    let main = queues[DispatchRuntime.mainQueue]
    guard !main.items.isEmpty, process.program.mainIsTool else { return }
    let frame = process.kernel.threads[process.mainThread].frame
    if !frame.isNone && process.frames.isNative(frame) { return }
    process.kernel.report(
      .mainQueueNotDrained, thread: process.mainThread,
      places: [firstPlace(items[main.items.first])],
      FindingText.mainQueueNotDrained(items: Int(main.count)))
  }
}
