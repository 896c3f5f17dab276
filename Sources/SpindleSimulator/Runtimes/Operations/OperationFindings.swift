import SpindleModel

/// How far the reports on operations at the end of a run have come.
struct OperationReport {
  /// The operation that is looked at next.
  var next: Int32 = 0
  /// Whether the one before it has just been asked for a readiness of its own.
  var isAsked = false
}

/// What is said of operations that can't go on, or that were used as they can't be.
extension OperationRuntime {
  /// Reports that an operation or its queue was used as it can't be, with the place now and the place
  /// before; -1 for none.
  mutating func reportMisuse(_ first: Int32, _ call: Call, _ text: String, _ process: inout Process)
  {
    process.kernel.report(
      .operationMisuse, thread: call.thread,
      places: [Int32(truncatingIfNeeded: call.counter), first], text)
  }

  /// The thread exits, so its operation never gets further.
  mutating func abandonOperation(_ frame: Int32, _ process: inout Process) {
    setThread(-1, of: OperationFrame(frame, process.frames).operation)
  }

  /// Reports the locks that an operation's closure took and did not give back.
  ///
  /// Only where the work ends with it: the code around one that was started by hand, or around one that
  /// runs inside another, may still give them back.
  mutating func reportHeldLocks(
    of operation: Int32, _ frame: Int32, _ thread: Int32, _ locks: inout LockRuntime,
    _ process: inout Process
  ) {
    let own = OperationFrame(frame, process.frames)
    let before = own.lockBefore
    var lock = locks.lastOwned(by: thread, process.kernel)
    if lock < 0 || lock == before { return }
    if own.runner == .byHand { return }
    var outer = process.frames.parent(frame)
    while outer >= 0 {
      if process.frames.activity(outer) == .operation { return }
      outer = process.frames.parent(outer)
    }
    while lock >= 0 && lock != before {
      if locks.locks[lock].keptBy < 0 {
        locks.locks[lock].keptBy = operations[operation].name
        process.kernel.report(
          .lockHeldByEndedWork, thread: thread,
          places: [locks.locks[lock].takenAt, operations[operation].addedAt],
          FindingText.lockHeldByEndedOperation(
            operationName(operation, process), on: process.kernel.name(of: thread),
            lock: locks.name(lock, process.kernel)))
      }
      lock = locks.locks[lock].nextOwned
    }
  }

  // MARK: The end

  /// Reports what the end of the run shows of operations, until one is to be asked for a readiness of
  /// its own: the caller asks it, and comes back.
  ///
  /// Where the run was only cut off, what has not happened may still have been going to.
  mutating func reportOperations(
    _ report: inout OperationReport, _ process: inout Process
  ) -> Int32? {
    if report.next == 0 {
      reportCircularDependencies(&process)
      if !judgesWhatIsLeft(process) { return nil }
    }
    if report.isAsked { reportUnannounced(report.next - 1, &process) }
    report.isAsked = false
    while report.next < operations.count {
      let operation = report.next
      report.next += 1
      let record = operations[operation]
      if record.state == .finished || !record.flags.contains(.named) { continue }
      if record.flags.contains(.begun) {
        if record.thread < 0 { reportNeverFinishes(operation, &process) }
      } else if record.state == .initialized {
        reportNeverAdded(operation, &process)
      } else if record.readiness >= 0 && record.state == .enqueued && !record.isReady
        && record.unfinished == 0
      {
        report.isAsked = true
        return operation
      }
    }
    for queue in 0..<Int32(queues.count) { reportHeldBack(queue, &process) }
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
  private mutating func reportHeldBack(_ queue: Int32, _ process: inout Process) {
    let record = queues[queue]
    if !record.isSuspended && record.limit != 0 { return }
    var (operation, first, count) = (record.first, Int32(-1), 0)
    while operation >= 0 {
      if operations[operation].state == .enqueued {
        if first < 0 { first = operation }
        count += 1
      }
      operation = operations[operation].next
    }
    if first < 0 { return }
    process.kernel.report(
      .neverResumed, thread: -1,
      places: [
        record.isSuspended ? record.suspendedAt : record.limitedAt,
        operations[first].addedAt,
      ],
      FindingText.neverResumedOperationQueue(
        operationQueueName(queue, process), isSuspended: record.isSuspended, operations: count,
        first: operationName(first, process)))
  }

  private mutating func reportNeverFinishes(_ operation: Int32, _ process: inout Process) {
    if !process.kernel.canReport(.neverFinishes) { return }
    let record = operations[operation]
    var manner = FindingText.Unfinished.unreported
    if !record.flags.contains(.asynchronous) {
      manner = .exited
    } else if record.flags.contains(.saysFinished) {
      manner = .unannounced
    }
    var behind: Int32 = -1
    if record.queue >= 0 && !queues[record.queue].hasRoom {
      behind = firstReady(inQueue: record.queue)
    }
    process.kernel.report(
      .neverFinishes, thread: -1, places: [record.madeAt, record.addedAt],
      FindingText.neverFinishes(
        operationName(operation, process), manner,
        inPlaceOf: record.queue < 0 ? nil : operationQueueName(record.queue, process),
        behind: behind < 0 ? nil : operationName(behind, process),
        dependents: waiting(for: operation, limit: 4).map { operationName($0, process) }))
  }

  /// The first operation of a queue that could start if there were room, no barrier; -1 for none.
  private func firstReady(inQueue queue: Int32) -> Int32 {
    var operation = queues[queue].first
    while operation >= 0 {
      let record = operations[operation]
      if record.state == .enqueued && record.isReady && !record.flags.contains(.barrier) { break }
      operation = record.next
    }
    return operation
  }

  private mutating func reportNeverAdded(_ operation: Int32, _ process: inout Process) {
    let record = operations[operation]
    if record.flags.contains(.cancelled) { return }
    // The trace let go of it on purpose, and nothing holds it either.
    if record.flags.contains(.released) && !isOperationNeeded(operation) { return }
    var dependent: String?
    let link = record.firstDependent
    if link >= 0 && links[link].isOpen {
      dependent = operationName(links[link].dependent, process)
    }
    process.kernel.report(
      .neverAdded, thread: -1, places: [record.madeAt],
      FindingText.neverAdded(operationName(operation, process), dependent: dependent))
  }

  private mutating func reportUnannounced(_ operation: Int32, _ process: inout Process) {
    let record = operations[operation]
    if !record.isReady { return }
    process.kernel.report(
      .readinessNotAnnounced, thread: -1, places: [record.addedAt, record.madeAt],
      FindingText.readinessNotAnnounced(
        operationName(operation, process), queue: operationQueueName(record.queue, process)))
  }

  // MARK: Circles

  /// Reports each circle of dependencies, edge by edge with the places that made them.
  private mutating func reportCircularDependencies(_ process: inout Process) {
    // 0 not seen, 1 on the present path, 2 done.
    var marks = [UInt8](repeating: 0, count: operations.count)
    var search = WaitedSearch()
    for start in 0..<Int32(operations.count) where marks[Int(start)] == 0 {
      // What each one on the path waits for and has not been looked at, the next one last.
      var path: [(operation: Int32, waited: [Int32])] = []
      var fresh: Int32 = start
      while true {
        if fresh >= 0 {
          marks[Int(fresh)] = 1
          let waited = self.waited(by: fresh, &search) { marks[Int($0)] == 2 }
          path.append((fresh, waited.reversed()))
          fresh = -1
        }
        guard let operation = path.last?.operation else { break }
        guard let next = path[path.count - 1].waited.popLast() else {
          marks[Int(operation)] = 2
          path.removeLast()
          continue
        }
        if marks[Int(next)] == 1 {
          if !process.kernel.canReport(.circularDependency) { return }
          if let first = path.firstIndex(where: { $0.operation == next }) {
            reportCircle(path[first...].map(\.operation), &process)
          }
        } else if marks[Int(next)] == 0 {
          fresh = next
        }
      }
    }
  }

  private mutating func reportCircle(_ circle: [Int32], _ process: inout Process) {
    var places: [Int32] = []
    for (position, operation) in circle.enumerated() {
      let next = circle[(position + 1) % circle.count]
      var link = operations[operation].firstDependency
      while link >= 0 && links[link].dependency != next {
        link = links[link].nextDependency
      }
      // To a barrier, and of one, it was tied where it was added.
      places.append(
        link >= 0 ? links[link].place : operations[operation].addedAt)
    }
    process.kernel.report(
      .circularDependency, thread: -1, places: places,
      FindingText.circularDependency(circle.map { operationName($0, process) }))
  }
}
