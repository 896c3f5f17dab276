import SpindleModel

/// What is said of threads that wait when a run ends.
extension Interpreter {
  /// How many waiting threads are asked for whom they wait when a run ends since it holds too much: the
  /// answer takes memory for each, in the very run that has none left.
  private static let edgesWithoutMemory = 10_000

  /// Who waits for whom now; who will give up is apart.
  func waitGraph() -> WaitGraph {
    let limit = process.kernel.storage.isExceeded ? Self.edgesWithoutMemory : Int.max
    var edges: [WaitGraph.Edge] = []
    var limited: [WaitGraph.Edge] = []
    var sharers = Sharers(ofItems: dispatch.dependencies(process))
    for thread in process.kernel.liveThreads {
      let record = process.kernel.threads[thread]
      guard record.state == .waiting, record.reason.canDeadlock else { continue }
      if edges.count + limited.count == limit { break }
      var edge = edge(thread, describe(thread))
      assert(edge.reason == record.reason, "thread \(thread.index) waits for two reasons")
      if let holders = holders(of: edge, &sharers), let first = holders.first {
        edge.take(first)
        edge.others = Array(holders.dropFirst())
      }
      if record.timer == 0 { edges.append(edge) } else { limited.append(edge) }
    }
    addEnders(to: &edges)
    return WaitGraph(edges: edges, limited: limited)
  }

  /// Those who may have something together: found once for all who wait for it, and only looked up.
  private struct Sharers {
    let ofItems: DispatchDependencies
    var ofLocks: [LockRecord.Index: [WaitGraph.Holder]] = [:]
    var ofQueues: [DispatchQueueRecord.Index: [WaitGraph.Holder]] = [:]
  }

  /// The threads that have what another one waits for, where they may be many; nil where one has it, or
  /// what it waits for knows them.
  private func holders(of edge: WaitGraph.Edge, _ sharers: inout Sharers) -> [WaitGraph.Holder]? {
    let object = process.kernel.threads[edge.thread].waitObject
    switch edge.reason {
    case .group: return sharers.ofItems.ofGroups[.init(object)]
    case .workItem: return sharers.ofItems.ofWorkItems[.init(object)]
    case .lock:
      if !edge.holder.isNone { return nil }
      let lock = LockRecord.Index(object)
      if let known = sharers.ofLocks[lock] { return known }
      let readers = locks.readers(of: lock, process.kernel)
      sharers.ofLocks[lock] = readers
      return readers
    case .sync:
      let level = dispatch.syncs[.init(object)].level
      if edge.holder == edge.thread || !dispatch.hasReaders(level, process) { return nil }
      if let known = sharers.ofQueues[level] { return known }
      let readers = dispatch.readers(of: level, process)
      sharers.ofQueues[level] = readers
      return readers
    case .condition, .semaphore, .join, .apply, .once, .perform, .operation, .operations, .io,
      .sleep, .runLoop, .idleWorker, .job, .accelerator, .addressSpace, .stackList, .taskStatus,
      .held:
      return nil
    }
  }

  /// Reports the cycles of waiting threads, and those who wait for nobody; true when any does.
  mutating func reportDeadlocks(onlyCycles: Bool) -> Bool {
    reportDeadlocks(waitGraph(), onlyCycles: onlyCycles)
  }

  /// The same where it has been found already who waits for whom.
  mutating func reportDeadlocks(_ graph: WaitGraph, onlyCycles: Bool) -> Bool {
    let cycles = graph.cycles
    if graph.edges.isEmpty || (onlyCycles && cycles.isEmpty) { return false }
    var told = operations.reportWaitsOnOwnQueues(&dispatch, &process)
    for cycle in cycles where !cycle.allSatisfy({ told.contains($0.thread) }) {
      demand(!cycle.isEmpty, "a cycle of nobody is reported")
      for edge in cycle { told.insert(edge.thread) }
      var kind: Finding.Kind = cycle.count == 1 ? .selfDeadlock : .deadlock
      if cycle.contains(where: { $0.reason == .sync }) { kind = .syncCycle }
      let sentences = sentences(cycle[...])
      let barriers = cycle.compactMap { dispatch.barrier(before: $0, process)?.place }
      let leavers = cycle.compactMap { leaver(before: $0) }
      // A thread that waits for a lock of its own has it no more by the code that it runs.
      let isLeft = cycle.count == 1 && !leavers.isEmpty
      process.kernel.report(
        kind, thread: cycle[0].thread,
        places: cycle.map(\.place) + cycle.map(\.takenAt) + barriers
          + leavers.map { concurrency.tasks[$0].place },
        isLeft ? sentences[0] : FindingText.cycleOfWaits(sentences))
    }
    if onlyCycles { return true }
    for edge in graph.edges where edge.reason == .condition { reportLostWakeup(edge) }
    let rest = graph.edges.filter { !told.contains($0.thread) }
    if rest.isEmpty
      || dispatch.reportExhaustion(rest, sentencesByThread(rest), awaitedItem(rest), &process)
    {
      return true
    }
    let shown = sentences(rest.prefix(8))
    let main = blockedMainQueue(rest)
    process.kernel.report(
      .deadlock, thread: rest[0].thread,
      places: rest.prefix(8).map(\.place) + rest.prefix(8).map(\.takenAt) + [main.place]
        + rest.prefix(8).flatMap { places(ofEndersOf: $0) },
      FindingText.waitsForEver(
        shown, of: rest.count, besideCycles: !cycles.isEmpty, mainQueue: main.text))
    return true
  }

  /// What waits in the main queue while the main thread waits itself, and where a task awaits that; no text when
  /// nothing does.
  private func blockedMainQueue(_ edges: [WaitGraph.Edge]) -> (text: FindingStatement, place: Int32)
  {
    let (count, job) = dispatch.mainQueue()
    guard count > 0, edges.contains(where: { $0.thread == process.mainThread }) else {
      return ("", -1)
    }
    if job >= 0, let task = concurrency.visitor(ofMain: .init(job)) {
      let name = concurrency.name(task, process)
      let text = FindingText.blockedMainQueue(items: count, awaitedBy: name)
      return (text, concurrency.tasks[task].place)
    }
    return (FindingText.blockedMainQueue(items: count, isTask: job >= 0), -1)
  }

  /// The task that took the lock for which a thread waits, and has left its thread with it; nil for none.
  func leaver(before edge: WaitGraph.Edge) -> TaskRecord.Index? {
    if edge.reason != .lock { return nil }
    let lock = locks.locks[LockRecord.Index(process.kernel.threads[edge.thread].waitObject)]
    return lock.leftBy < 0 ? nil : concurrency.suspended(number: lock.leftBy)
  }

  /// Reports that all workers of the pool wait while items need one, where the process ends and nobody
  /// who could wake them is left.
  ///
  /// `graph` says who waits for whom.
  mutating func reportExhaustion(_ graph: WaitGraph) {
    demand(process.endsProcess, "the pool is judged while something may still happen")
    let isStuck = Set(graph.edges.map(\.thread))
    for thread in process.kernel.liveThreads where !isStuck.contains(thread) {
      let record = process.kernel.threads[thread]
      let isIdle = record.state == .waiting && record.reason.facts.family == .idle
      if !isIdle && record.role != .manager && thread != process.endingThread { return }
    }
    if !dispatch.mayAddNoWorker(process.kernel) { return }
    _ = dispatch.reportExhaustion(
      graph.edges, sentencesByThread(graph.edges), awaitedItem(graph.edges), &process)
  }

  /// How many of those who would end a wait are asked whether they need a worker.
  private static let mostEnders = 16

  /// The item for whose start most threads wait: the barrier of a queue, or the one that would end their waits.
  private func awaitedItem(_ edges: [WaitGraph.Edge]) -> DispatchRuntime.AwaitedItem? {
    var items: [DispatchRuntime.AwaitedItem] = []
    for edge in edges {
      var found = dispatch.awaitedItem(edge, process)
      for ender in (edge.enders ?? []).prefix(Self.mostEnders) {
        guard found == nil, case .queue(let queue) = ender.stand,
          dispatch.closedLevel(of: .init(queue)) == nil,
          dispatch.blockers(of: .init(queue), process).isEmpty
        else { continue }
        found = .init(name: ender.name, isBarrier: false, place: ender.place)
      }
      if let found { items.append(found) }
    }
    return items.mostFrequent()
  }

  /// What the workers of the dispatch queues wait for, and the threads for which these wait.
  private func sentencesByThread(_ edges: [WaitGraph.Edge]) -> [ThreadID: FindingStatement] {
    var byThread: [ThreadID: FindingStatement] = [:]
    var (told, holders): (Set<ThreadID>, Set<ThreadID>) = ([], [])
    for edge in edges where process.kernel.threads[edge.thread].role == .queueWorker {
      told.insert(edge.thread)
      if !edge.holder.isNone { holders.insert(edge.holder) }
    }
    told.formUnion(holders)
    for edge in edges where told.contains(edge.thread) {
      assert(byThread[edge.thread] == nil, "worker \(edge.thread.index) waits for two things")
      byThread[edge.thread] = describe(edge.thread, inWords: true, as: edge).sentence
    }
    return byThread
  }

  private func sentences(_ edges: ArraySlice<WaitGraph.Edge>) -> [FindingStatement] {
    var texts: [FindingStatement] = []
    for edge in edges { texts.append(describe(edge.thread, inWords: true, as: edge).sentence) }
    return texts
  }

  private mutating func reportLostWakeup(_ edge: WaitGraph.Edge) {
    let lock = locks.locks[LockRecord.Index(process.kernel.threads[edge.thread].waitObject)]
    demand(
      edge.reason == .condition, "thread \(edge.thread.index) has lost a signal and waits for none")
    if lock.lostSignals == 0 { return }
    process.kernel.report(
      .lostWakeup, thread: edge.thread, places: [edge.place, lock.lostAt],
      FindingText.lostWakeup(process.kernel.name(of: edge.thread), condition: edge.object))
  }

  // MARK: The end

  /// Reports what the end of the run shows.
  mutating func reportAtEnd() {
    demand(process.outcome != nil, "the end of a run is reported before it has one")
    for thread in process.kernel.liveThreads {
      let record = process.kernel.threads[thread]
      if record.state == .ready && process.kernel.now - record.since >= 10_000_000_000 {
        process.kernel.reportStarvation(thread, process.kernel.now - record.since)
      }
    }
    reportNeverStarted()
    reportOperations()
    concurrency.reportAtEnd(&process)
    reportStarvedPool()
    dispatch.reportMainQueue(&process)
    sources.reportNeverResumed(&dispatch, &process)
    runLoops.reportUndelivered(&process)
    if process.outcome?.kind != .deadlock { reportUnbalancedGroups() }
    if process.counts && canStillRelease {
      let objects = objectsThatHold()
      process.reportNeverReleased(objects)
      reportHeldByTasks(objects)
    }
  }

  /// Whether the process could have gone on, so that what it holds was forgotten.
  private var canStillRelease: Bool {
    switch process.outcome?.kind {
    case .crashed, .refused, .policyFault: false
    case .finished, .deadlock, .killed, .timeLimit, .stepLimit, nil: true
    }
  }

  /// Reports tasks that are ready while threads of the pool wait.
  private mutating func reportStarvedPool() {
    if concurrency.tasks.count == 0 { return }
    for priority in TaskPriority.allCases.reversed() {
      let blocked = concurrency.tasksThatStarve(priority, dispatch, process)
      if blocked.isEmpty { continue }
      let edgeOf = waitGraph().byThread
      var sentences: [FindingStatement] = []
      for task in blocked {
        let thread = concurrency.tasks[task].thread
        let who = FindingText.thread(concurrency.name(task, process), runs: nil)
        sentences.append(sentence(thread, called: who, edgeOf[thread]))
      }
      concurrency.reportStarvation(of: priority, by: blocked, sentences, &process)
    }
  }

  /// What a thread waits for that waits when the run ends.
  private func sentence(
    _ thread: ThreadID, called who: FindingStatement, _ edge: WaitGraph.Edge?
  ) -> FindingStatement {
    let reason = process.kernel.threads[thread].reason
    assert(
      process.kernel.threads[thread].state == .waiting,
      "thread \(thread.index) is told what it waits for"
    )
    if edge == nil && reason != .accelerator {
      return FindingText.waits(who, inWordsOf: reason)
    }
    return describe(thread, inWords: true, called: who, as: edge).sentence
  }

  /// Reports the threads that were made and never started, those of one place together.
  private mutating func reportNeverStarted() {
    // Each row is that of a thread that is alive, or is free, in most runs.
    let used = process.kernel.threads.count - process.kernel.freeThreads.count
    if used == process.kernel.liveCount { return }
    var places: [Int32] = []
    var made: [Int32: (first: ThreadID, count: Int)] = [:]
    for thread in process.kernel.threads.ids
    where process.kernel.threads[thread].state == .created {
      if process.kernel.threads[thread].flags.contains(.cancelled) { continue }
      let place = process.kernel.threads[thread].madeAt
      if made[place] == nil { places.append(place) }
      made[place, default: (thread, 0)].count += 1
    }
    for place in places {
      guard let (first, count) = made[place] else { continue }
      assert(count > 0, "\(count) threads were made at place \(place)")
      process.kernel.report(
        .neverStarted, thread: first, places: [place],
        FindingText.neverStarted(process.kernel.name(of: first), others: count - 1))
    }
  }

  private mutating func reportUnbalancedGroups() {
    guard let kind = process.outcome?.kind, kind == .finished, !process.kernel.hasLiveWork else {
      return
    }
    for group in dispatch.groups.groups.indices
    where dispatch.groups.groups[group].count > 0 {
      let record = dispatch.groups.groups[group]
      process.kernel.report(
        .unbalancedGroup, thread: .none, places: [record.enteredAt],
        FindingText.unbalancedGroup(
          process.kernel.text(record.name), entered: Int(record.count)))
    }
  }

  /// Says what each thread was doing when the process ended, or what it waited for and who had that.
  private mutating func reportKilled(_ graph: WaitGraph) {
    demand(process.endsProcess, "threads are killed by the end of a process that goes on")
    let edgeOf = graph.byThread
    for thread in process.kernel.threads.ids {
      let record = process.kernel.threads[thread]
      let isIdle = record.state == .waiting && record.reason.facts.family == .idle
      if record.state == .created || record.state == .finished || isIdle || record.role == .manager
        || record.leavesStack || thread == process.endingThread
        || !dispatch.hasWork(thread, process) || !process.kernel.tells(.killedAtExit)
      {
        continue
      }
      let edge = edgeOf[thread]
      process.kernel.report(
        .killedAtExit, thread: thread, places: [record.place, edge?.takenAt ?? -1],
        killed(thread, edge))
    }
  }

  /// A thread as explanations call it: a worker with the task or the item that it runs.
  func described(_ thread: ThreadID) -> FindingStatement {
    let task = concurrency.task(of: thread, process)
    guard process.kernel.threads[thread].role == .queueWorker, !task.isNone else {
      return dispatch.described(thread, process)
    }
    return FindingText.thread(
      process.kernel.name(of: thread), runs: concurrency.name(task, process))
  }

  private func killed(_ thread: ThreadID, _ edge: WaitGraph.Edge?) -> FindingStatement {
    let who = described(thread)
    let record = process.kernel.threads[thread]
    assert(
      edge == nil || edge?.thread == thread, "thread \(thread.index) waits as another one does")
    switch record.state {
    case .waiting: return FindingText.killedWaiting(sentence(thread, called: who, edge))
    case .running: return FindingText.killedAtWork(who)
    case .ready, .created, .finished: return FindingText.killedReady(who)
    }
  }

  /// Kills whatever is alive when the process ends.
  ///
  /// Where the run is only cut off, the threads that have a core lose it, so that their work counts.
  ///
  /// `graph` says who waited for whom when the process ended.
  mutating func killThreads(_ graph: WaitGraph) {
    let kind = process.outcome?.kind
    let isProcessOver = process.endsProcess || kind == .crashed || kind == .killed
    if process.endsProcess { reportKilled(graph) }
    for thread in process.kernel.liveThreads {
      let record = process.kernel.threads[thread]
      if !record.isAlive { continue }
      if !isProcessOver && record.state != .running {
        process.kernel.endDeadline(thread, isCutOff: true)
        continue
      }
      process.kernel.kill(thread)
    }
  }
}
