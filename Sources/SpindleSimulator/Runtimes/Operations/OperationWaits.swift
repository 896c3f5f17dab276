import SpindleModel

/// What threads that wait for operations wait for in the end, for the wait graph and its sentences.
extension OperationRuntime {
  /// What an edge of the wait graph needs of a thread that waits for operations: what it waits for,
  /// as it is called, and the threads that this depends on.
  func waitedOperation(
    _ thread: ThreadID, _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> (name: String, holders: [ThreadID]) {
    let record = process.kernel.threads[thread]
    demand(
      record.reason == .operation || record.reason == .operations,
      "thread \(thread.index) waits for no operation, but for \(record.reason)")
    if record.reason == .operation {
      let operation = OperationRecord.Index(record.waitObject)
      return (operationName(operation, process), holders(of: [operation], dispatch, process))
    }
    var all: [OperationRecord.Index] = []
    let queue = OperationQueueRecord.Index(record.waitObject)
    var operation = queues[queue].members.first
    while !operation.isNone {
      all.append(operation)
      operation = operations[operation].members.next
    }
    return (operationQueueName(queue, process), holders(of: all, dispatch, process))
  }

  /// The threads that the end of some operations depends on: those that run what they stand behind at
  /// any distance, the waiting ones where there are any.
  private func holders(
    of waited: [OperationRecord.Index], _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> [ThreadID] {
    demand(!waited.isEmpty, "a thread waits for operations, of which there are none")
    var stack = Array(waited.reversed())
    var seen = Set(waited)
    var search = Search()
    var (waiting, any): ([ThreadID], ThreadID) = ([], .none)
    while let operation = stack.popLast() {
      let thread = runner(of: operation, dispatch, process)
      if !thread.isNone {
        if process.kernel.threads[thread].state == .waiting { waiting.append(thread) }
        if any.isNone { any = thread }
        continue
      }
      for next in ahead(of: operation, seen, &search).reversed() where seen.insert(next).inserted {
        stack.append(next)
      }
    }
    return waiting.isEmpty && !any.isNone ? [any] : waiting
  }

  /// The thread that has an operation, or that alone can take it, or none.
  private func runner(
    of operation: OperationRecord.Index, _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> ThreadID {
    let record = operations[operation]
    if !record.thread.isNone { return record.thread }
    guard !record.queue.isNone, record.state == .dispatching || record.state == .enqueued,
      record.state == .dispatching || record.isReady
    else { return .none }
    let queue = queues[record.queue]
    if queue.isMain { return process.mainThread }
    if record.state != .dispatching { return .none }
    let below = queue.dispatchQueue
    if below.isNone { return .none }
    return dispatch.runsOnMain(below) ? process.mainThread : dispatch.queues[below].owner
  }

  /// What a search through operations need not look at twice.
  private struct Search {
    var waited = WaitedSearch()
    /// The queues whose places have been looked at.
    var fullQueues: Set<OperationQueueRecord.Index> = []
  }

  /// What an operation stands behind and is not among `seen`: what it depends on, else those that have
  /// the places of its queue; these are given once for each queue.
  private func ahead(
    of operation: OperationRecord.Index, _ seen: Set<OperationRecord.Index>, _ search: inout Search
  ) -> [OperationRecord.Index] {
    let record = operations[operation]
    if !record.thread.isNone || record.queue.isNone { return [] }
    var found: [OperationRecord.Index] = []
    if record.state == .enqueued && record.unfinished > 0 {
      return waited(by: operation, &search.waited) { seen.contains($0) }
    }
    // What was handed over as a barrier waits for those that run.
    let isBarrier = record.state == .dispatching && record.flags.contains(.barrier)
    guard isBarrier || wantsPlace(operation), search.fullQueues.insert(record.queue).inserted else {
      return []
    }
    var other = queues[record.queue].members.first
    while !other.isNone {
      if other != operation && operations[other].state > .enqueued {
        found.append(other)
      }
      other = operations[other].members.next
    }
    return found
  }

  /// Whether nothing but a place in its queue is missing for an operation to start.
  private func wantsPlace(_ operation: OperationRecord.Index) -> Bool {
    let record = operations[operation]
    guard !record.queue.isNone, record.state == .enqueued, record.isReady else { return false }
    let queue = queues[record.queue]
    return !queue.isSuspended && !queue.hasRoom && queue.limit > 0
  }

  /// Whether an operation stands behind no other.
  private func standsAlone(_ operation: OperationRecord.Index) -> Bool {
    let record = operations[operation]
    if !record.thread.isNone || record.queue.isNone || record.state != .enqueued { return true }
    return record.unfinished == 0 && !wantsPlace(operation)
  }

  /// The shortest way from an operation over what it stands behind to one that `isGoal` takes; nil
  /// when there is none.
  private func way(
    from operation: OperationRecord.Index, to isGoal: (OperationRecord.Index) -> Bool
  ) -> [OperationRecord.Index]? {
    var reached: [(operation: OperationRecord.Index, from: Int)] = [(operation, -1)]
    var seen: Set<OperationRecord.Index> = [operation]
    var search = Search()
    var next = 0
    while next < reached.count {
      if isGoal(reached[next].operation) {
        var (path, index): ([OperationRecord.Index], Int) = ([], next)
        while index >= 0 {
          path.append(reached[index].operation)
          assert(reached[index].from < index, "a way goes from place \(index) to a later one")
          index = reached[index].from
        }
        return path.reversed()
      }
      for other in ahead(of: reached[next].operation, seen, &search)
      where seen.insert(other).inserted {
        reached.append((other, next))
      }
      next += 1
    }
    return nil
  }

  // MARK: Sentences

  /// What a thread that waits for operations says of itself in a deadlock.
  func sentence(
    operationEdge edge: WaitGraph.Edge, _ who: FindingStatement,
    _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement {
    let record = process.kernel.threads[edge.thread]
    if record.reason == .operations {
      return sentence(queue: .init(record.waitObject), who, dispatch, process)
    }
    if record.waitValue == WaitedOperation.parts.rawValue {
      return FindingText.waitsForBlocks(who, operation: edge.object)
    }
    return FindingText.waitsForOperation(
      who, operation: edge.object,
      standing: standing(of: .init(record.waitObject), dispatch, process))
  }

  private func sentence(
    queue: OperationQueueRecord.Index, _ who: FindingStatement,
    _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement {
    let record = queues[queue]
    demand(!record.members.isEmpty, "a thread waits for queue \(queue), which is empty")
    let name = operationQueueName(queue, process)
    let first = members(of: queue).first ?? record.members.first
    if record.count > 1 {
      let count = Int(record.count)
      if record.isSuspended || record.limit == 0 {
        return FindingText.waitsForOperationsOfStopped(
          who, count: count, queue: name, isSuspended: record.isSuspended)
      }
      return FindingText.waitsForOperations(
        who, count: count, queue: name, first: operationName(first, process),
        standing: standing(of: first, dispatch, process))
    }
    return FindingText.waitsForLastOperation(
      who, operationName(first, process), isBarrier: record.count != 1, queue: name,
      standing: standing(of: first, dispatch, process))
  }

  /// Why an operation has not finished, as the rest of a sentence, down to where nothing moves.
  func standing(
    of operation: OperationRecord.Index, _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement {
    let path =
      way(from: operation) { other in
        let thread = runner(of: other, dispatch, process)
        return !thread.isNone && process.kernel.threads[thread].state == .waiting
      } ?? way(from: operation) { standsAlone($0) } ?? [operation]
    var clauses: [FindingStatement] = []
    for index in path.indices.dropFirst() {
      if index > 4 && index < path.count - 1 { continue }
      let clause = step(from: path[index - 1], to: path[index], process)
      clauses.append(index > 4 && path.count > 6 ? FindingText.standingAndSoOn(clause) : clause)
    }
    clauses.append(end(of: path[path.count - 1], isFirst: path.count == 1, dispatch, process))
    return clauses.joined(separator: ", ")
  }

  /// Why one operation stands behind another.
  private func step(
    from operation: OperationRecord.Index, to next: OperationRecord.Index,
    _ process: borrowing Process
  ) -> FindingStatement {
    let record = operations[operation]
    if record.unfinished > 0 || record.state == .dispatching {
      return FindingText.standingBehind(operationName(next, process))
    }
    return FindingText.standingBehindPlace(
      of: operationName(next, process), in: operationQueueName(record.queue, process))
  }

  /// Where an operation stands that stands behind no other, or in a cycle.
  private func end(
    of operation: OperationRecord.Index, isFirst: Bool, _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement {
    let record = operations[operation]
    if !record.thread.isNone {
      return FindingText.standingOnThread(process.kernel.name(of: record.thread))
    }
    switch record.state {
    case .initialized where record.flags.contains(.begun): break
    case .initialized: return FindingText.standingAlone
    case .enqueued:
      let queue = operationQueueName(record.queue, process)
      var search = WaitedSearch()
      if let first = waited(by: operation, &search, isPassed: { _ in false }).first {
        return FindingText.standingBehind(operationName(first, process))
      }
      if !record.isReady { return FindingText.standingUnready(in: queue) }
      if queues[record.queue].isMain { return FindingText.standingForMain }
      if queues[record.queue].isSuspended {
        return FindingText.standingInSuspended(queue)
      }
      if queues[record.queue].limit == 0 { return FindingText.standingInClosed(queue) }
      return FindingText.standingUnstarted(in: queue)
    case .dispatching:
      return untaken(operation, dispatch, process)
    case .starting, .executing, .finishing, .finished: break
    }
    return FindingText.standingUnreported(isFirst: isFirst)
  }

  /// Why no thread has taken an operation that was handed to dispatch.
  private func untaken(
    _ operation: OperationRecord.Index, _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement {
    let thread = runner(of: operation, dispatch, process)
    if thread == process.mainThread { return FindingText.standingForMain }
    if thread.isNone { return FindingText.standingUntaken }
    let queue = operations[operation].queue
    let barrier = barrier(on: thread, keeping: queue, dispatch, process)
    if !barrier.isNone {
      return FindingText.standingUntaken(
        in: operationQueueName(queue, process), behind: operationName(barrier, process))
    }
    return FindingText.standingUntaken(
      inQueue: dispatch.name(queues[queue].dispatchQueue, process.kernel),
      of: dispatch.described(thread, process))
  }

  /// The barrier that a thread runs innermost, and that keeps from others the dispatch queue below an
  /// operation queue; none for none.
  private func barrier(
    on thread: ThreadID, keeping queue: OperationQueueRecord.Index,
    _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> OperationRecord.Index {
    let own = innermostOperation(of: thread, process)
    guard !own.isNone, operations[own].flags.contains(.barrier), !queue.isNone else { return .none }
    let below = queues[queue].dispatchQueue
    return !below.isNone && dispatch.queues[below].owner == thread ? own : .none
  }

  // MARK: One's own queue

  /// Reports each thread that waits for an operation of a queue whose places are taken by operations
  /// that wait, its own among them, at whatever distance.
  ///
  /// Returns these threads.
  mutating func reportWaitsOnOwnQueues(_ dispatch: inout DispatchRuntime, _ process: inout Process)
    -> Set<ThreadID>
  {
    var told: Set<ThreadID> = []
    for thread in process.kernel.threads.ids {
      let record = process.kernel.threads[thread]
      guard record.state == .waiting,
        record.reason == .operations
          || record.reason == .operation && record.waitValue == WaitedOperation.one.rawValue
      else { continue }
      let own = innermostOperation(of: thread, process)
      let text =
        record.reason == .operations
        ? ownWait(all: .init(record.waitObject), thread, own, dispatch, process)
        : ownWait(.init(record.waitObject), thread, own, dispatch, process)
      guard let text else { continue }
      process.kernel.report(
        .waitOnOwnQueue, thread: thread,
        places: [record.place, !own.isNone ? operations[own].addedAt : -1], text)
      told.insert(thread)
    }
    return told
  }

  /// Why a thread's wait for all operations of a queue is one for itself; nil when it is not.
  private func ownWait(
    all queue: OperationQueueRecord.Index, _ thread: ThreadID, _ own: OperationRecord.Index,
    _ dispatch: borrowing DispatchRuntime, _ process: borrowing Process
  ) -> FindingStatement? {
    let name = operationQueueName(queue, process)
    if !own.isNone && operations[own].queue.isNone
      && barrier(on: thread, keeping: queue, dispatch, process) == own
    {
      return FindingText.ownWaitOfBarrier(
        operationName(own, process), of: name, for: nil, clauses: [])
    }
    if !own.isNone && operations[own].queue == queue {
      return FindingText.ownWaitForAll(operationName(own, process), queue: name)
    }
    if !queues[queue].isMain || thread != process.mainThread { return nil }
    return FindingText.ownWaitOfMain(queue: name)
  }

  /// Why a thread's wait for an operation is one for its own queue; nil when it is not.
  private func ownWait(
    _ waited: OperationRecord.Index, _ thread: ThreadID, _ own: OperationRecord.Index,
    _ dispatch: borrowing DispatchRuntime,
    _ process: borrowing Process
  ) -> FindingStatement? {
    let isOwned = !own.isNone && !operations[own].queue.isNone
    // A state of its own may be taken back, and then one waits for it that was finished before.
    assert(
      operations[waited].state != .finished || !operations[waited].isFinished,
      "thread \(thread.index) waits for what has finished")
    let path = way(from: waited) { other in
      if isOwned && other == own { return true }
      let record = operations[other]
      if record.state == .dispatching && record.thread.isNone
        && !barrier(on: thread, keeping: record.queue, dispatch, process).isNone
      {
        return true
      }
      return thread == process.mainThread && record.thread.isNone
        && runner(of: other, dispatch, process) == process.mainThread
    }
    guard let path, let last = path.last else { return nil }
    assert(path[0] == waited, "a way from operation \(waited) begins with \(path[0])")
    let clauses = zip(path, path.dropFirst()).map { step(from: $0, to: $1, process) }
    let awaited = operationName(waited, process)
    if last != own
      && !barrier(on: thread, keeping: operations[last].queue, dispatch, process).isNone
    {
      return FindingText.ownWaitOfBarrier(
        operationName(own, process), of: operationQueueName(operations[last].queue, process),
        for: awaited, clauses: clauses)
    }
    let who = FindingText.ownWaiter(
      isOwned
        ? (operationName(own, process), operationQueueName(operations[own].queue, process)) : nil)
    if last != own {
      let name = operationQueueName(operations[last].queue, process)
      return FindingText.ownWait(who, for: awaited, of: name, clauses: clauses)
    }
    // A dependency on the one that waits, and nothing else, is no matter of the queue.
    let isOfQueue = path.dropLast().contains { other in
      operations[other].unfinished == 0
        || operations[other].flags.contains(.barrier)
    }
    if !isOfQueue { return nil }
    if path.count > 2 {
      return FindingText.ownWaitForItself(who, for: awaited, clauses: clauses)
    }
    let limit = queues[operations[own].queue].limit
    return FindingText.ownWaitForPlace(who, for: awaited, limit: Int(limit))
  }
}
