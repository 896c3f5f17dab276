import SpindleModel

/// Who would end a wait that never ends, in words.
extension Interpreter {
  /// Who would end each of the waits for which nobody in particular is waited; no edge is changed while something may
  /// still happen.
  func addEnders(to edges: inout [WaitGraph.Edge]) {
    guard process.isQuiescent else { return }
    var work: RemainingWork?
    // Many may wait for the same: they share one list.
    var lists: [EndingCall: [RemainingWork.Piece]?] = [:]
    for index in edges.indices {
      guard let call = endingCall(of: edges[index]) else { continue }
      if work == nil { work = remainingWork() }
      let list = lists[call] ?? work?.enders(of: call)
      lists[call] = list
      edges[index].enders = list.map { withLeavers($0, work) }
      takeTaker(of: &edges[index])
      if list?.isEmpty == true { edges[index].past = work?.past(call) ?? [] }
      // Who can't begin to leave a group is what those wait for who wait for the group, as an item of it is.
      guard call.verb == .leavesGroup, edges[index].holder.isNone, let list else { continue }
      let holders = holders(list)
      if let first = holders.first {
        edges[index].take(first)
        edges[index].others = Array(holders.dropFirst())
      }
    }
  }

  /// Of a semaphore that is used as a lock, only the code of the thread that took it would signal, where it does.
  private func takeTaker(of edge: inout WaitGraph.Edge) {
    if edge.reason != .semaphore { return }
    let semaphore = semaphores.semaphores[.init(process.kernel.threads[edge.thread].waitObject)]
    if semaphore.initial != 1 || semaphore.taker.isNone { return }
    let taker = edge.enders?.first { $0.stand == .thread(semaphore.taker) }
    if let taker { (edge.enders, edge.takenAt) = ([taker], semaphore.takenAt) }
  }

  /// The same code; each piece that a group will submit gets the code that would leave the group.
  private func withLeavers(_ pieces: [RemainingWork.Piece], _ work: RemainingWork?)
    -> [RemainingWork.Piece]
  {
    pieces.map { piece in
      guard case .group(let group) = piece.stand else { return piece }
      var result = piece
      result.leavers = work?.enders(of: EndingCall(verb: .leavesGroup, object: group))
      return result
    }
  }

  /// The call that would end a wait; nil where somebody has what is waited for.
  private func endingCall(of edge: WaitGraph.Edge) -> EndingCall? {
    let object = process.kernel.threads[edge.thread].waitObject
    if let verb = Self.unowned[edge.reason] { return EndingCall(verb: verb, object: object) }
    if edge.reason == .lock {
      let lock = locks.locks[.init(object)]
      let isFree = edge.holder.isNone && lock.keptBy < 0 && lock.readers == 0
      return isFree && lock.lockClass == .conditionLock
        ? EndingCall(verb: .unlocksLock, object: object) : nil
    }
    if edge.reason == .sync {
      let level = dispatch.syncs[.init(object)].level
      return edge.holder.isNone && !dispatch.queues[level].isOpen
        ? EndingCall(verb: .opensQueue, object: level.raw) : nil
    }
    if edge.reason == .join {
      return process.kernel.threads[ThreadID(object)].state == .created
        ? EndingCall(verb: .startsThread, object: object) : nil
    }
    if edge.reason == .operation {
      let operation = operations.operations[.init(object)]
      return operation.flags.contains(.begun) && operation.thread.isNone
        ? EndingCall(verb: .finishesOperation, object: object) : nil
    }
    return nil
  }

  /// The calls that end waits for what never has an owner.
  private static let unowned: [WaitReason: EndingCall.Verb] = [
    .semaphore: .signalsSemaphore, .group: .leavesGroup, .condition: .signalsCondition,
    .workItem: .runsWorkItem,
  ]

  /// The threads that have the queues in which those wait who would end a wait.
  private func holders(_ enders: [RemainingWork.Piece]) -> [WaitGraph.Holder] {
    enders.flatMap { ender -> [WaitGraph.Holder] in
      guard case .queue(let queue) = ender.stand else { return [] }
      return dispatch.blockers(of: .init(queue), process).map {
        WaitGraph.Holder(thread: $0, takenAt: ender.place, queue: queue, item: ender.name)
      }
    }
  }

  /// How many of those who would end a wait are named.
  private static let mostNamed = 3

  /// Those who would end a wait, each with what keeps it from doing so; nil where that is not known.
  ///
  /// Who waits itself is named where there is nobody else.
  func enders(of edge: WaitGraph.Edge?) -> FindingText.Enders? {
    guard let edge, let pieces = edge.enders else { return nil }
    return enders(among: pieces, waiter: .thread(edge.thread), isPast: !edge.past.isEmpty)
  }

  private func enders(
    among pieces: [RemainingWork.Piece], waiter: RemainingWork.Stand, isPast: Bool
  ) -> FindingText.Enders {
    let others = pieces.filter { $0.stand != waiter }
    if others.isEmpty && !pieces.isEmpty { return .itself }
    var named: [FindingStatement] = []
    var left = 0
    for piece in others {
      if named.count >= Self.mostNamed {
        left += 1
        continue
      }
      let clause = clause(of: piece, waiter: waiter)
      if !named.contains(clause) { named.append(clause) }
    }
    return named.isEmpty ? .nobody(isPast: isPast) : .these(named, others: left)
  }

  /// The places of those who would end a wait, that are named.
  func places(ofEndersOf edge: WaitGraph.Edge) -> [Int32] {
    places(ofEnders: edge.enders ?? [], waiter: .thread(edge.thread), past: edge.past)
      + [placeOfTaking(edge)]
  }

  /// Where a semaphore was taken last for which nobody else would signal; -1 for another wait.
  private func placeOfTaking(_ edge: WaitGraph.Edge) -> Int32 {
    guard edge.reason == .semaphore, let enders = edge.enders,
      enders.allSatisfy({ $0.stand == .thread(edge.thread) })
    else { return -1 }
    let semaphore = process.kernel.threads[edge.thread].waitObject
    return semaphores.semaphores[.init(semaphore)].takenAt
  }

  private func places(
    ofEnders pieces: [RemainingWork.Piece], waiter: RemainingWork.Stand, past: [Int32]
  ) -> [Int32] {
    pieces.filter { $0.stand != waiter }.prefix(Self.mostNamed).map(\.place)
      + past.prefix(Self.mostNamed)
  }

  /// Who would resume the continuations that tasks wait for in vain.
  func endersOfContinuations() -> [ContinuationRecord.Index: ConcurrencyRuntime.TaskWaitEnders] {
    var known: [ContinuationRecord.Index: ConcurrencyRuntime.TaskWaitEnders] = [:]
    var work: RemainingWork?
    for index in concurrency.continuations.indices
    where concurrency.isNeverResumed(index) && known.count < Self.mostContinuations {
      let left = work ?? remainingWork()
      work = left
      let task = concurrency.continuations[index].task
      let call = EndingCall(verb: .resumesContinuation, object: index.raw)
      if let enders = taskEnders(of: call, for: task, left) { known[index] = enders }
    }
    return known
  }

  private static let mostContinuations = 100

  private func taskEnders(
    of call: EndingCall, for task: TaskRecord.Index, _ work: RemainingWork
  ) -> ConcurrencyRuntime.TaskWaitEnders? {
    guard let pieces = work.enders(of: call) else { return nil }
    let past = pieces.isEmpty ? work.past(call) : []
    return .init(
      words: enders(among: pieces, waiter: .task(task.raw), isPast: !past.isEmpty),
      places: places(ofEnders: pieces, waiter: .task(task.raw), past: past))
  }

  /// The async main waits for ever, and no finding says why: says what the tasks wait for that its end depends on.
  mutating func reportMainTask() {
    let main = concurrency.tasks.indices.first {
      concurrency.tasks[$0].isMain && concurrency.tasks[$0].state == .suspended
    }
    guard var task = main else { return }
    var places: [Int32] = []
    var chain = FindingText.taskWaits(concurrency.name(task, process))
    var count = 0
    var enders: FindingText.Enders?
    let work = remainingWork()
    for _ in 0..<Self.mostInChain {
      let record = concurrency.tasks[task]
      // Of a continuation that nobody resumes there is a finding already.
      if record.wait == .continuation { return }
      chain += wait(ofTask: task)
      places.append(record.place)
      count += 1
      if record.wait == .stream {
        let call = EndingCall(verb: .feedsStream, object: record.waitObject)
        let list = taskEnders(of: call, for: task, work)
        enders = list?.words
        places += list?.places ?? []
      }
      guard let next = awaited(by: task) else { break }
      chain += FindingText.taskWaitsOn(
        ofGroup: record.wait == .task ? nil : concurrency.name(next, process))
      task = next
    }
    process.kernel.report(
      .deadlock, thread: .none, places: places, FindingText.tasksWait(chain, count: count, enders))
  }

  private static let mostInChain = 8

  /// The task that another one waits for: of a group, the first that has not ended.
  private func awaited(by task: TaskRecord.Index) -> TaskRecord.Index? {
    let record = concurrency.tasks[task]
    switch record.wait {
    case .task: return .init(record.waitObject)
    case .group, .groupEnd:
      var child = record.firstChild
      while !child.isNone && concurrency.tasks[child].state == .finished {
        child = concurrency.tasks[child].nextSibling
      }
      return child.isNone ? nil : child
    case .executor, .sleep, .io, .yield, .continuation, .stream: return nil
    }
  }

  /// A piece of the code that is left, and why it does not run.
  func clause(of piece: RemainingWork.Piece, waiter: RemainingWork.Stand) -> FindingStatement {
    let who = FindingText.anItem(piece.name)
    switch piece.stand {
    case .thread(let thread):
      let record = process.kernel.threads[thread]
      if record.reason == .runLoop || record.reason == .idleWorker {
        return FindingText.enderAsleep(described(thread))
      }
      return FindingText.ender(
        described(thread), waitsFor: record.reason, describe(thread).object)
    case .queue(let queue): return clause(who, in: .init(queue))
    case .operation(let operation):
      return FindingText.ender(
        who, standing: operations.standing(of: .init(operation), dispatch, process))
    case .pool(let pool):
      return FindingText.ender(
        who, inPool: process.kernel.text(executors.executors[.init(pool)].name))
    case .created: return FindingText.enderNotStarted(piece.name ?? "")
    case .runLoop(let thread):
      let record = process.kernel.threads[thread]
      let waits = record.state == .waiting && record.reason != .runLoop
      return FindingText.ender(
        piece.name, inLoopOf: process.kernel.name(of: thread),
        waitsFor: waits ? (record.reason, describe(thread).object) : nil)
    case .task(let task): return clause(ofTask: .init(task))
    case .group(let group):
      return FindingText.ender(
        who, followsGroup: process.kernel.text(dispatch.groups.groups[.init(group)].name),
        left: piece.leavers.map { enders(among: $0, waiter: waiter, isPast: false) })
    case .workItem(let item):
      return FindingText.ender(who, follows: dispatch.name(WorkItemRecord.Index(item), process))
    case .source(let source):
      return FindingText.ender(
        source: piece.name ?? "", isOpen: sources.sources[.init(source)].isOpen)
    case .property: return FindingText.ender(closureIn: piece.name ?? "")
    case .completion(let operation):
      return FindingText.ender(
        completionOf: piece.name ?? "",
        standing: operations.standing(of: .init(operation), dispatch, process))
    case .deinitializer: return FindingText.ender(deinitOf: piece.name ?? "")
    case .cancellation: return FindingText.ender(cancellationOf: piece.name ?? "")
    }
  }

  /// An item that waits in a queue, and what keeps that from running it.
  private func clause(_ who: FindingStatement, in queue: DispatchQueueRecord.Index)
    -> FindingStatement
  {
    let name = dispatch.name(queue, process.kernel)
    if let closed = dispatch.closedLevel(of: queue) {
      return FindingText.ender(
        who, inClosed: dispatch.name(closed, process.kernel),
        isInactive: dispatch.queues[closed].isInactive)
    }
    if let runner = dispatch.blockers(of: queue, process).first {
      return FindingText.ender(who, in: name, of: described(runner))
    }
    return FindingText.ender(who, withoutWorkerIn: name)
  }

  /// A task, and for what it waits.
  private func clause(ofTask task: TaskRecord.Index) -> FindingStatement {
    FindingText.ender(task: concurrency.name(task, process), wait(ofTask: task))
  }

  /// For what a task waits, as the rest of a sentence.
  private func wait(ofTask task: TaskRecord.Index) -> FindingStatement {
    let record = concurrency.tasks[task]
    if record.state == .queued {
      if record.executor == .mainActor { return waitForMainActor() }
      if !record.executor.isActor { return FindingText.waitsForPoolThread }
      let holder = concurrency.actors[record.executor.actor].task
      return FindingText.waitsForTurn(
        on: concurrency.name(ofActor: record.executor.actor, process.kernel),
        held: holder.isNone ? nil : concurrency.name(holder, process))
    }
    switch record.wait {
    case .task: return FindingText.waitsForTask(concurrency.name(.init(record.waitObject), process))
    case .stream:
      return FindingText.waitsForElement(
        of: process.kernel.text(concurrency.streams[.init(record.waitObject)].name))
    case .executor, .group, .groupEnd, .sleep, .io, .yield, .continuation:
      return FindingText.waits(inWordsOf: record.wait)
    }
  }

  private func waitForMainActor() -> FindingStatement {
    let main = process.kernel.threads[process.mainThread]
    let waits = main.state == .waiting && main.reason != .runLoop
    return FindingText.waitsForMainActor(
      of: process.kernel.name(of: process.mainThread),
      waitsFor: waits ? (main.reason, describe(process.mainThread).object) : nil)
  }
}
