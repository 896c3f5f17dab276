import SpindleModel

/// What is said of operations that can't go on, or that were used as they can't be.
extension Interpreter {
  /// Reports that an operation was used as it can't be, with the place before and the place now.
  mutating func reportMisuse(of operation: Int32, _ first: Int32, _ call: Call, _ text: String) {
    kernel.report(
      .operationMisuse, thread: call.thread,
      places: [Int32(truncatingIfNeeded: call.counter), first], text)
  }

  /// The thread exits, so its operation never gets further.
  mutating func abandonOperation(_ frame: Int32) {
    let operation = Int32(truncatingIfNeeded: frames.registers(frame)[0])
    operations.operations[operation].thread = -1
  }

  /// Reports the locks that an operation's closure took and did not give back.
  mutating func reportHeldLocks(of operation: Int32, _ frame: Int32, _ thread: Int32) {
    let before = Int32(truncatingIfNeeded: frames.registers(frame)[1])
    var lock = kernel.threads[thread].ownedLocks
    while lock >= 0 && lock != before {
      if locks.locks[lock].keptBy < 0 {
        locks.locks[lock].keptBy = operations.operations[operation].name
        kernel.report(
          .lockHeldByEndedWork, thread: thread,
          places: [locks.locks[lock].takenAt, operations.operations[operation].addedAt],
          "the code of operation '\(operationName(operation))' ended and "
            + "'\(kernel.name(of: thread))' still has '\(locks.name(lock, kernel))': "
            + "nobody else can take it")
      }
      lock = locks.locks[lock].nextOwned
    }
  }

  // MARK: Waiting

  /// What an edge of the wait graph needs of a thread that waits for operations: what it waits for,
  /// as it is called, and a thread that this depends on.
  func waitedOperation(_ thread: Int32) -> (name: String, holder: Int32) {
    let record = kernel.threads[thread]
    if record.waitValue == WaitedOperation.queue {
      let queue = record.waitObject
      var operation = operations.queues[queue].first
      var holder: Int32 = -1
      while operation >= 0 && holder < 0 {
        holder = self.holder(of: operation, 0)
        operation = operations.operations[operation].next
      }
      return (operationQueueName(queue), holder)
    }
    let operation = record.waitObject
    return (operationName(operation), holder(of: operation, 0))
  }

  /// The thread that an operation's end depends on: the one that runs it, or what it waits for, or who
  /// has the place that it waits for; -1 when nobody in particular does.
  private func holder(of operation: Int32, _ depth: Int) -> Int32 {
    let record = operations.operations[operation]
    if record.thread >= 0 { return record.thread }
    if depth > operations.operations.count { return -1 }
    let open = operations.firstOpen(of: operation)
    if open >= 0 { return holder(of: operations.links[open].dependency, depth + 1) }
    if record.queue < 0 { return -1 }
    if operations.queues[record.queue].isMain { return mainThread }
    if operations.queues[record.queue].hasRoom { return -1 }
    return runner(in: record.queue)
  }

  /// What a thread that waits for operations says of itself in a deadlock.
  func sentence(operationEdge edge: WaitGraph.Edge, _ who: String) -> String {
    let record = kernel.threads[edge.thread]
    if record.waitValue == WaitedOperation.queue {
      let count = operations.queues[record.waitObject].count
      let all = count == 1 ? "the operation" : "all \(count) operations"
      return "\(who) waits until \(all) of '\(edge.object)' are finished"
    }
    if record.waitValue == WaitedOperation.parts {
      return "\(who) waits for the other blocks of operation '\(edge.object)'"
    }
    return "\(who) waits until operation '\(edge.object)' is finished, "
      + standing(of: record.waitObject)
  }

  /// Why an operation has not finished, as the rest of a sentence.
  private func standing(of operation: Int32) -> String {
    let record = operations.operations[operation]
    let open = operations.firstOpen(of: operation)
    if record.thread >= 0 { return "which '\(kernel.name(of: record.thread))' runs" }
    switch record.state {
    case .initialized: return "which is in no queue and was not started"
    case .enqueued:
      let queue = operationQueueName(record.queue)
      if open >= 0 {
        return "which waits for '\(operationName(operations.links[open].dependency))'"
      }
      if operations.queues[record.queue].isSuspended {
        return "which is in '\(queue)', and that is suspended"
      }
      return "which is in '\(queue)' and does not start"
    case .dispatching: return "which no thread has taken yet"
    default: return "which never reported that it is"
    }
  }

  /// Reports each thread that waits for an operation of a queue whose places are taken by operations
  /// that wait, its own among them.
  ///
  /// Returns these threads.
  mutating func reportWaitsOnOwnQueues() -> Set<Int32> {
    var told: Set<Int32> = []
    for thread in 0..<Int32(kernel.threads.count) {
      let record = kernel.threads[thread]
      guard record.state == .waiting, record.reason == .operation,
        record.waitValue != WaitedOperation.parts
      else { continue }
      let isAll = record.waitValue == WaitedOperation.queue
      let queue =
        isAll ? record.waitObject : operations.operations[record.waitObject].queue
      if queue < 0 { continue }
      let own = innermostOperation(of: thread)
      let isInside = own >= 0 && operations.operations[own].queue == queue
      let isMain = operations.queues[queue].isMain && thread == mainThread
      if !isInside && !isMain { continue }
      if !isAll && !isMain {
        let isTaken = operations.operations[record.waitObject].state > .enqueued
        if isTaken || operations.queues[queue].hasRoom { continue }
      }
      let text = ownWait(thread, queue, own: isInside ? own : -1, isAll: isAll, isMain: isMain)
      kernel.report(
        .waitOnOwnQueue, thread: thread,
        places: [record.place, own >= 0 ? operations.operations[own].addedAt : -1], text)
      told.insert(thread)
    }
    return told
  }

  /// Who waits for what of its own queue, and why that never comes.
  private func ownWait(
    _ thread: Int32, _ queue: Int32, own: Int32, isAll: Bool, isMain: Bool
  ) -> String {
    let name = operationQueueName(queue)
    let who = own >= 0 ? "operation '\(operationName(own))' of '\(name)'" : "the main thread"
    if isAll && own >= 0 {
      return "\(who) waits until all operations of this queue are finished, itself among them"
    }
    if isAll { return "\(who) waits for all operations of '\(name)', which only it can run" }
    let waited = "operation '\(operationName(kernel.threads[thread].waitObject))'"
    if isMain { return "\(who) waits for \(waited) of '\(name)', which only it can run" }
    let limit = operations.queues[queue].limit
    return "\(who) waits for \(waited) of this queue, which has no place to start in: "
      + (limit == 1
        ? "the one that waits has the only one" : "those that wait have all \(limit) of them")
  }

  // MARK: The end

  /// Reports what the end of the run shows of operations.
  ///
  /// Where the run was only cut off, what has not happened may still have been going to.
  mutating func reportOperations() {
    reportCircularDependencies()
    guard let kind = outcome?.kind, kind == .finished || kind == .deadlock, !endsProcess,
      !kernel.hasLiveWork || kind == .deadlock, isQuiescent
    else { return }
    for operation in 0..<Int32(operations.operations.count) {
      let record = operations.operations[operation]
      if record.state == .finished || !record.flags.contains(.named) { continue }
      if record.flags.contains(.begun) {
        if record.thread < 0 { reportNeverFinishes(operation) }
      } else if record.state == .initialized {
        reportNeverAdded(operation)
      } else if record.readiness >= 0 && record.state == .enqueued && !record.isReady {
        reportUnannounced(operation)
      }
    }
  }

  private mutating func reportNeverFinishes(_ operation: Int32) {
    let record = operations.operations[operation]
    let name = operationName(operation)
    var text = "operation '\(name)' never reported that it has finished"
    if !record.flags.contains(.asynchronous) {
      text = "the thread that ran operation '\(name)' exited before its end"
    } else if record.flags.contains(.saysFinished) {
      text =
        "operation '\(name)' set isFinished and never announced it with didChangeValue(forKey:)"
    }
    if record.queue >= 0 {
      text += ": it has its place in '\(operationQueueName(record.queue))' for ever"
      let behind = operations.members(of: record.queue).first {
        operations.operations[$0].state == .enqueued && operations.operations[$0].isReady
      }
      if let behind, !operations.queues[record.queue].hasRoom {
        text += ", where '\(operationName(behind))' waits for it"
      }
    }
    var link = record.firstDependent
    var waiting: [String] = []
    while link >= 0 {
      if operations.links[link].isOpen {
        waiting.append("'\(operationName(operations.links[link].dependent))'")
      }
      link = operations.links[link].nextDependent
    }
    if !waiting.isEmpty {
      text += ", and \(waiting.prefix(4).joined(separator: ", ")) can never start"
    }
    kernel.report(.neverFinishes, thread: -1, places: [record.madeAt, record.addedAt], text)
  }

  private mutating func reportNeverAdded(_ operation: Int32) {
    let record = operations.operations[operation]
    if record.flags.contains(.cancelled) { return }
    var text =
      "operation '\(operationName(operation))' was made, and neither added to a queue nor started"
    let link = record.firstDependent
    if link >= 0 && operations.links[link].isOpen {
      text += "; '\(operationName(operations.links[link].dependent))' depends on it"
    }
    kernel.report(.neverAdded, thread: -1, places: [record.madeAt], text)
  }

  private mutating func reportUnannounced(_ operation: Int32) {
    let record = operations.operations[operation]
    if record.unfinished > 0 { return }
    askReadiness(of: operation)
    if !operations.operations[operation].isReady { return }
    kernel.report(
      .readinessNotAnnounced, thread: -1, places: [record.addedAt, record.madeAt],
      "operation '\(operationName(operation))' would be ready, but "
        + "'\(operationQueueName(record.queue))' was not told: didChangeValue(forKey: \"isReady\") "
        + "is missing")
  }

  // MARK: Circles

  /// Reports each circle of dependencies, edge by edge with the places that made them.
  private mutating func reportCircularDependencies() {
    // 0 not seen, 1 on the present path, 2 done.
    var marks = [UInt8](repeating: 0, count: operations.operations.count)
    for start in 0..<Int32(operations.operations.count) where marks[Int(start)] == 0 {
      var path: [(operation: Int32, link: Int32)] = [
        (start, operations.operations[start].firstDependency)
      ]
      marks[Int(start)] = 1
      while let (operation, link) = path.last {
        if link < 0 {
          marks[Int(operation)] = 2
          path.removeLast()
          continue
        }
        path[path.count - 1].link = operations.links[link].nextDependency
        if !operations.links[link].isOpen { continue }
        let next = operations.links[link].dependency
        if marks[Int(next)] == 1 {
          if let first = path.firstIndex(where: { $0.operation == next }) {
            reportCircle(path[first...].map(\.operation))
          }
        } else if marks[Int(next)] == 0 {
          marks[Int(next)] = 1
          path.append((next, operations.operations[next].firstDependency))
        }
      }
    }
  }

  private mutating func reportCircle(_ circle: [Int32]) {
    var places: [Int32] = []
    var sentences: [String] = []
    for (position, operation) in circle.enumerated() {
      let next = circle[(position + 1) % circle.count]
      var link = operations.operations[operation].firstDependency
      while link >= 0 && operations.links[link].dependency != next {
        link = operations.links[link].nextDependency
      }
      if link >= 0 { places.append(operations.links[link].place) }
      sentences.append(
        circle.count == 1
          ? "operation '\(operationName(operation))' depends on itself"
          : "'\(operationName(operation))' depends on '\(operationName(next))'")
    }
    kernel.report(
      .circularDependency, thread: -1, places: places,
      sentences.joined(separator: ", and ")
        + (circle.count == 1 ? ": it never starts" : ": none of them ever starts"))
  }
}
