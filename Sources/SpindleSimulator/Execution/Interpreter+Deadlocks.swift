import SpindleModel

/// What is said of threads that wait when a run ends.
extension Interpreter {
  /// Who waits for whom now, and will not give up.
  func waitGraph() -> WaitGraph {
    var edges: [WaitGraph.Edge] = []
    let dependencies = dispatch.dependencies(process)
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      guard record.state == .waiting, record.reason.canDeadlock, record.timer == 0 else { continue }
      var edge = edge(thread, describe(thread))
      var holders: [WaitGraph.Holder] = []
      if record.reason == .group { holders = dependencies.ofGroups[record.waitObject] ?? [] }
      if record.reason == .workItem { holders = dependencies.ofWorkItems[record.waitObject] ?? [] }
      if let first = holders.first {
        edge.take(first)
        edge.others = Array(holders.dropFirst())
      }
      edges.append(edge)
    }
    return WaitGraph(edges: edges)
  }

  /// Reports the cycles of waiting threads, and those who wait for nobody; true when any does.
  mutating func reportDeadlocks(onlyCycles: Bool) -> Bool {
    let graph = waitGraph()
    let cycles = graph.cycles
    if graph.edges.isEmpty || (onlyCycles && cycles.isEmpty) { return false }
    var told = operations.reportWaitsOnOwnQueues(&dispatch, &process)
    for cycle in cycles where !cycle.allSatisfy({ told.contains($0.thread) }) {
      for edge in cycle { told.insert(edge.thread) }
      var kind: Finding.Kind = cycle.count == 1 ? .selfDeadlock : .deadlock
      if cycle.contains(where: { $0.reason == .sync }) { kind = .syncCycle }
      let sentences = sentences(cycle[...])
      process.kernel.report(
        kind, thread: cycle[0].thread,
        places: cycle.map(\.place) + cycle.map(\.takenAt),
        FindingText.circleOfWaits(sentences))
    }
    if onlyCycles { return true }
    for edge in graph.edges where edge.reason == .condition { reportLostWakeup(edge) }
    let rest = graph.edges.filter { !told.contains($0.thread) }
    if rest.isEmpty || dispatch.reportExhaustion(rest, sentencesByThread(rest), &process) {
      return true
    }
    let shown = sentences(rest.prefix(8))
    process.kernel.report(
      .deadlock, thread: rest[0].thread,
      places: rest.prefix(8).map(\.place) + rest.prefix(8).map(\.takenAt),
      FindingText.waitsForEver(
        shown, of: rest.count, besideCycles: !cycles.isEmpty,
        mainQueue: dispatch.blockedMainQueue(rest, process)))
    return true
  }

  /// What the workers of the dispatch queues wait for.
  private func sentencesByThread(_ edges: [WaitGraph.Edge]) -> [Int32: String] {
    var byThread: [Int32: String] = [:]
    for edge in edges where process.kernel.threads[edge.thread].role == .queueWorker {
      byThread[edge.thread] = describe(edge.thread, inWords: true, as: edge).sentence
    }
    return byThread
  }

  private func sentences(_ edges: ArraySlice<WaitGraph.Edge>) -> [String] {
    var texts: [String] = []
    for edge in edges { texts.append(describe(edge.thread, inWords: true, as: edge).sentence) }
    return texts
  }

  private mutating func reportLostWakeup(_ edge: WaitGraph.Edge) {
    let lock = locks.locks[LockRecord.Index(process.kernel.threads[edge.thread].waitObject)]
    if lock.lostSignals == 0 { return }
    process.kernel.report(
      .lostWakeup, thread: edge.thread, places: [edge.place, lock.lostAt],
      FindingText.lostWakeup(process.kernel.name(of: edge.thread), condition: edge.object))
  }

  // MARK: The end

  /// Reports what the end of the run shows.
  mutating func reportAtEnd() {
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      if record.state == .ready && process.kernel.now - record.since >= 10_000_000_000 {
        process.kernel.reportStarvation(thread, process.kernel.now - record.since)
      }
    }
    reportNeverStarted()
    reportOperations()
    dispatch.reportMainQueue(&process)
    sources.reportNeverResumed(&dispatch, &process)
    runLoops.reportUndelivered(&process)
    if process.outcome?.kind != .deadlock { reportUnbalancedGroups() }
  }

  /// Reports the threads that were made and never started, those of one place together.
  private mutating func reportNeverStarted() {
    var places: [Int32] = []
    var made: [Int32: (first: Int32, count: Int)] = [:]
    for thread in 0..<Int32(process.kernel.threads.count)
    where process.kernel.threads[thread].state == .created {
      if process.kernel.threads[thread].flags.contains(.cancelled) { continue }
      let place = process.kernel.threads[thread].madeAt
      if made[place] == nil { places.append(place) }
      made[place, default: (thread, 0)].count += 1
    }
    for place in places {
      guard let (first, count) = made[place] else { continue }
      process.kernel.report(
        .neverStarted, thread: first, places: [place],
        FindingText.neverStarted(process.kernel.name(of: first), others: count - 1))
    }
  }

  private mutating func reportUnbalancedGroups() {
    guard let kind = process.outcome?.kind, kind == .finished, !process.kernel.hasLiveWork else {
      return
    }
    for group in 0..<Int32(dispatch.groups.groups.count)
    where dispatch.groups.groups[group].count > 0 {
      let record = dispatch.groups.groups[group]
      process.kernel.report(
        .unbalancedGroup, thread: -1, places: [record.enteredAt],
        FindingText.unbalancedGroup(
          process.kernel.text(record.name), entered: Int(record.count)))
    }
  }

  /// Says what each thread was doing when the process ended, or what it waited for and who had that.
  private mutating func reportKilled() {
    var edgeOf: [Int32: WaitGraph.Edge] = [:]
    for edge in waitGraph().edges { edgeOf[edge.thread] = edge }
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      let isIdle =
        record.state == .waiting && (record.reason == .runLoop || record.reason == .idleWorker)
      if record.state == .created || record.state == .finished || isIdle
        || thread == process.endingThread || !process.kernel.tells(.killedAtExit)
      {
        continue
      }
      let edge = edgeOf[thread]
      process.kernel.report(
        .killedAtExit, thread: thread, places: [record.place, edge?.takenAt ?? -1],
        killed(thread, edge))
    }
  }

  private func killed(_ thread: Int32, _ edge: WaitGraph.Edge?) -> String {
    let who = dispatch.described(thread, process)
    let record = process.kernel.threads[thread]
    switch record.state {
    case .waiting where edge != nil:
      return FindingText.killedWaiting(describe(thread, inWords: true, as: edge).sentence)
    case .waiting: return FindingText.killedWaiting(who, "\(record.reason.facts.word)")
    case .running: return FindingText.killedAtWork(who)
    case .ready, .created, .finished: return FindingText.killedReady(who)
    }
  }

  /// Kills whatever is alive when the process ends.
  ///
  /// Where the run is only cut off, the threads that have a core lose it, so that their work counts.
  mutating func killThreads() {
    let kind = process.outcome?.kind
    let isProcessOver = process.endsProcess || kind == .crashed || kind == .killed
    if process.endsProcess { reportKilled() }
    for thread in 0..<Int32(process.kernel.threads.count) {
      let record = process.kernel.threads[thread]
      if record.state == .created || record.state == .finished { continue }
      if !isProcessOver && record.state != .running {
        process.kernel.endDeadline(thread)
        continue
      }
      process.kernel.kill(thread)
    }
  }
}
