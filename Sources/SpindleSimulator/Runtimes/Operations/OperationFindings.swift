import SpindleModel

/// How far the reports on operations at the end of a run have come.
struct OperationReport {
  /// The operation that is looked at next.
  var next = OperationRecord.Index(0)
  /// Whether the one before it has just been asked for a readiness of its own.
  var isAsked = false
}

/// What is said of operations that can't go on, or that were used as they can't be.
extension OperationRuntime {
  /// What an operation is called where another one may have the same name: `Job#2` is the second one that was made.
  ///
  /// As the log has it; linear in the operations, and only what is said of one asks.
  func distinctName(_ operation: OperationRecord.Index, _ process: borrowing Process) -> String {
    let (name, own) = (operations[operation].name, operationName(operation, process))
    if name < 0 { return own }
    let before = operations.usedIndices.lazy.prefix { $0 != operation }.count {
      operations[$0].name == name
    }
    return before == 0 ? own : "\(own)#\(before + 1)"
  }

  /// Reports that an operation or its queue was used as it can't be, with the place now and the place
  /// before; -1 for none.
  mutating func reportMisuse(
    _ first: Int32, _ call: Call, _ statement: FindingStatement, _ process: inout Process
  ) {
    process.kernel.report(
      .operationMisuse, thread: call.thread,
      places: [Int32(truncatingIfNeeded: call.counter), first], statement)
  }

  /// The thread exits, so its operation never gets further.
  mutating func abandonOperation(_ frame: FrameIndex, _ process: inout Process) {
    let operation = OperationFrame(frame, process.frames).operation
    demand(
      !operations[operation].thread.isNone || operations[operation].state == .finished,
      "operation \(operation) is abandoned, and no thread runs it")
    setThread(.none, of: operation)
  }

  /// Reports the locks that an operation's closure took and did not give back.
  ///
  /// Only where the work ends with it: the code around one that was started by hand, or around one that
  /// runs inside another, may still give them back.
  mutating func reportHeldLocks(
    of operation: OperationRecord.Index, _ frame: FrameIndex, _ thread: ThreadID,
    _ locks: inout LockRuntime,
    _ process: inout Process
  ) {
    let own = OperationFrame(frame, process.frames)
    let before = LockRecord.Index(own.lockBefore)
    var lock = locks.lastOwned(by: thread, process.kernel)
    if lock.isNone || lock == before { return }
    if own.runner == .byHand { return }
    var outer = process.frames.parent(frame)
    while !outer.isNone {
      if process.frames.activity(outer) == .operation { return }
      outer = process.frames.parent(outer)
    }
    while !lock.isNone && lock != before {
      if locks.locks[lock].keptBy < 0 {
        locks.locks[lock].keptBy = operations[operation].name
        process.kernel.report(
          .lockHeldByEndedWork, thread: thread,
          places: [locks.locks[lock].takenAt, operations[operation].addedAt],
          FindingText.lockHeldByEndedOperation(
            distinctName(operation, process), on: process.kernel.name(of: thread),
            lock: locks.name(lock, process.kernel)))
      }
      lock = locks.locks[lock].nextOwned
    }
  }

  /// The state of an operation, also of one that was given up.
  func lastState(of operation: OperationRecord.Index) -> OperationState {
    operations.contains(operation) ? operations[operation].state : .finished
  }

  // MARK: The end

  /// Reports what the end of the run shows of operations, until one is to be asked for a readiness of
  /// its own: the caller asks it, and comes back.
  ///
  /// Where the run was only cut off, what has not happened may still have been going to.
  mutating func reportOperations(
    _ report: inout OperationReport, _ process: inout Process
  ) -> OperationRecord.Index? {
    if report.next.raw == 0 {
      reportCircularDependencies(&process)
      if !judgesWhatIsLeft(process) { return nil }
    }
    if report.isAsked { reportUnannounced(.init(report.next.raw - 1), &process) }
    report.isAsked = false
    while report.next.raw < operations.count {
      let operation = report.next
      report.next = .init(operation.raw + 1)
      if !operations.contains(operation) { continue }
      let record = operations[operation]
      if record.state == .finished || !record.flags.contains(.named) { continue }
      if record.flags.contains(.begun) {
        if record.thread.isNone { reportNeverFinishes(operation, &process) }
      } else if record.state == .initialized {
        reportNeverAdded(operation, &process)
      } else if !record.readiness.isNone && record.state == .enqueued && !record.isReady
        && record.unfinished == 0
      {
        report.isAsked = true
        return operation
      }
    }
    for queue in queues.indices { reportHeldBack(queue, &process) }
    return nil
  }

  /// Whether what has not happened to operations by the end of the run will never happen.
  private func judgesWhatIsLeft(_ process: borrowing Process) -> Bool {
    guard let kind = process.outcome?.kind, kind == .finished || kind == .deadlock,
      !process.endsProcess,
      !process.kernel.hasLiveWork || kind == .deadlock, process.isQuiescent
    else { return false }
    return true
  }

  /// Reports a queue that still has operations and starts none, with the place that made it so.
  private mutating func reportHeldBack(
    _ queue: OperationQueueRecord.Index, _ process: inout Process
  ) {
    let record = queues[queue]
    if !record.isSuspended && record.limit != 0 { return }
    assert(
      Int64(record.members.indices(in: operations).count) >= record.count,
      "queue \(queue) counts \(record.count) operations and has fewer")
    var (operation, first, count) = (record.members.first, OperationRecord.Index.none, 0)
    while !operation.isNone {
      if operations[operation].state == .enqueued {
        if first.isNone { first = operation }
        count += 1
      }
      operation = operations[operation].members.next
    }
    if first.isNone { return }
    process.kernel.report(
      .neverResumed, thread: .none,
      places: [
        record.isSuspended ? record.suspendedAt : record.limitedAt,
        operations[first].addedAt,
      ],
      FindingText.neverResumedOperationQueue(
        operationQueueName(queue, process), isSuspended: record.isSuspended, operations: count,
        first: distinctName(first, process)))
  }

  private mutating func reportNeverFinishes(
    _ operation: OperationRecord.Index, _ process: inout Process
  ) {
    if !process.kernel.tells(.neverFinishes) { return }
    let record = operations[operation]
    demand(
      record.state != .finished && record.thread.isNone,
      "operation \(operation) is said never to finish, and is \(record.state.name)")
    var manner = FindingText.Unfinished.unreported
    if !record.flags.contains(.asynchronous) {
      manner = .exited
    } else if record.flags.contains(.saysFinished) {
      manner = .unannounced
    }
    var behind = OperationRecord.Index.none
    if !record.queue.isNone && !queues[record.queue].hasRoom {
      behind = firstReady(inQueue: record.queue)
    }
    process.kernel.report(
      .neverFinishes, thread: .none, places: [record.madeAt, record.addedAt],
      FindingText.neverFinishes(
        distinctName(operation, process), manner,
        wasCancelled: record.flags.contains(.cancelledEarly),
        inPlaceOf: record.queue.isNone ? nil : operationQueueName(record.queue, process),
        behind: behind.isNone ? nil : distinctName(behind, process),
        dependents: waiting(for: operation, limit: 4).map { distinctName($0, process) }))
  }

  /// The first operation of a queue that could start if there were room, no barrier.
  private mutating func firstReady(inQueue queue: OperationQueueRecord.Index)
    -> OperationRecord.Index
  {
    var operation = queues[queue].members.first
    while !operation.isNone {
      let record = operations[operation]
      if record.state == .enqueued && record.isReady && !record.flags.contains(.barrier) { break }
      operation = record.members.next
    }
    return operation
  }

  private mutating func reportNeverAdded(
    _ operation: OperationRecord.Index, _ process: inout Process
  ) {
    let record = operations[operation]
    demand(
      record.queue.isNone && record.addedAt < 0,
      "operation \(operation) is said never to have been added, and is in queue \(record.lastQueue)"
    )
    if record.flags.contains(.cancelled) { return }
    // The trace let go of it on purpose, and nothing holds it either.
    if record.flags.contains(.released) && !isOperationNeeded(operation, process) { return }
    var dependent: String?
    let link = record.dependents.first
    if !link.isNone && links[link].isOpen {
      dependent = distinctName(links[link].dependent, process)
    }
    process.kernel.report(
      .neverAdded, thread: .none, places: [record.madeAt],
      FindingText.neverAdded(distinctName(operation, process), dependent: dependent))
  }

  private mutating func reportUnannounced(
    _ operation: OperationRecord.Index, _ process: inout Process
  ) {
    let record = operations[operation]
    if !record.isReady { return }
    demand(
      record.state == .enqueued && !record.readiness.isNone,
      "operation \(operation) says nothing of its own readiness, and is judged by it")
    process.kernel.report(
      .readinessNotAnnounced, thread: .none, places: [record.addedAt, record.madeAt],
      FindingText.readinessNotAnnounced(
        distinctName(operation, process), queue: operationQueueName(record.queue, process)))
  }

  // MARK: Cycles

  /// Reports each cycle of dependencies, edge by edge with the places that made them.
  private mutating func reportCircularDependencies(_ process: inout Process) {
    var marks = [CycleMark](repeating: .unseen, count: operations.count)
    var search = WaitedSearch()
    for start in operations.usedIndices where marks[Int(start.raw)] == .unseen {
      // Most wait for nothing any more: no lists are made for them.
      if !waitsForSections(start) && !hasOpenTie(start) {
        marks[Int(start.raw)] = .done
        continue
      }
      // What each one on the path waits for and has not been looked at, the next one last.
      var path: [(operation: OperationRecord.Index, waited: [OperationRecord.Index])] = []
      var fresh = start
      while true {
        if !fresh.isNone {
          marks[Int(fresh.raw)] = .onPath
          let waited = self.waited(by: fresh, &search) { marks[Int($0.raw)] == .done }
          path.append((fresh, waited.reversed()))
          fresh = .none
        }
        guard let operation = path.last?.operation else { break }
        guard let next = path[path.count - 1].waited.popLast() else {
          marks[Int(operation.raw)] = .done
          path.removeLast()
          continue
        }
        if marks[Int(next.raw)] == .onPath {
          if process.kernel.tells(.circularDependency),
            let first = path.firstIndex(where: { $0.operation == next })
          {
            reportCycle(path[first...].map(\.operation), &process)
          }
        } else if marks[Int(next.raw)] == .unseen {
          fresh = next
        }
      }
    }
  }

  private mutating func reportCycle(_ cycle: [OperationRecord.Index], _ process: inout Process) {
    demand(!cycle.isEmpty, "a cycle of no operations")
    var places: [Int32] = []
    for (position, operation) in cycle.enumerated() {
      let next = cycle[(position + 1) % cycle.count]
      var link = operations[operation].dependencies.first
      while !link.isNone && links[link].dependency != next {
        link = links[link].ofDependent.next
      }
      // To a barrier, and of one, it was tied where it was added.
      places.append(
        !link.isNone ? links[link].place : operations[operation].addedAt)
    }
    process.kernel.report(
      .circularDependency, thread: .none, places: places,
      FindingText.circularDependency(cycle.map { distinctName($0, process) }))
  }
}

/// How far the search for cycles has come with an operation.
private enum CycleMark {
  /// It was not looked at.
  case unseen
  /// It stands on the way to the one that is looked at.
  case onPath
  /// All that it waits for was looked at.
  case done
}
