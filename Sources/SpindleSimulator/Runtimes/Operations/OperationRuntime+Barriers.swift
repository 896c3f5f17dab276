import SpindleModel

/// What barriers wait for, and who waits for barriers.
///
/// A barrier depends on all that is in its queue when it is added, and what is added later depends on
/// every barrier that has not been handed to dispatch: as ties one by one that would be as many as there
/// are pairs. So a queue's operations are counted in sections from one barrier to the next, and a barrier
/// waits until all sections before its own are done; and of all the barriers that an operation waits for
/// it is tied to the last one alone.
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, addBarrierBlock and
/// _addOperations.
extension OperationRuntime {
  /// The next number in the order of ties.
  mutating func nextTie() -> Int64 {
    ties += 1
    return ties
  }

  // MARK: Adding

  /// Ties an operation that is being added to a queue to the barriers that hold it back.
  mutating func holdBack(
    _ operation: OperationRecord.Index, behindBarriersOf queue: OperationQueueRecord.Index,
    at place: Int32
  ) {
    demand(operations[operation].queue.isNone, "operation \(operation) is in a queue already")
    let first = queues[queue].firstWaitingBarrier
    if first.isNone { return }
    operations[operation].barrierFloor = operations[first].tie
    addDependency(queues[queue].barriers.last, to: operation, at: place, mayRepeat: false)
  }

  /// Counts an operation that is being added; a barrier waits if anything before it has not finished.
  mutating func enterSection(_ operation: OperationRecord.Index) {
    let queue = operations[operation].queue
    operations[operation].tie = nextTie()
    var section = queues[queue].lastSection
    if section.isNone {
      section = sections.add(OperationSection())
      (queues[queue].firstSection, queues[queue].lastSection) = (section, section)
    }
    if operations[operation].flags.contains(.barrier) {
      list(barrier: operation)
      if sections[queues[queue].firstSection].count > 0 {
        operations[operation].unfinished += 1
        let fresh = sections.add(OperationSection())
        sections[section].next = fresh
        sections[fresh].barrier = operation
        queues[queue].lastSection = fresh
        section = fresh
      }
    }
    demand(
      operations[operation].section.isNone && sections[section].next.isNone,
      "operation \(operation) is in section \(operations[operation].section), or \(section) is not "
        + "the last")
    operations[operation].section = section
    sections[section].count += 1
  }

  private mutating func list(barrier: OperationRecord.Index) {
    let queue = operations[barrier].queue
    queues[queue].barriers.append(barrier, in: operations)
    if queues[queue].firstWaitingBarrier.isNone { queues[queue].firstWaitingBarrier = barrier }
  }

  // MARK: The way of a barrier

  /// A barrier that is handed to dispatch holds nobody back any more who is added later: the barrier
  /// of the dispatch queue does.
  ///
  /// They go in the order of adding: one stands behind all before it, and `cancelAllOperations`, which
  /// alone can cancel one, lets them go in this order.
  mutating func handOver(barrier: OperationRecord.Index) {
    let queue = operations[barrier].queue
    demand(
      queues[queue].firstWaitingBarrier == barrier,
      "barrier \(barrier) is handed over before another of operation queue \(queue)")
    queues[queue].firstWaitingBarrier = operations[barrier].barriers.next
  }

  /// A finished operation is counted out of its section.
  ///
  /// Returns the barrier that was thereby the last thing to be waited for by.
  mutating func leaveSection(_ operation: OperationRecord.Index) -> OperationRecord.Index {
    let (queue, section) = (operations[operation].queue, operations[operation].section)
    if queue.isNone || section.isNone { return .none }
    demand(
      sections[section].count > 0,
      "section \(section) of queue \(queue) is empty, and operation \(operation) leaves it")
    sections[section].count -= 1
    operations[operation].section = .none
    if sections[section].barrier == operation { sections[section].barrier = .none }
    var freed = OperationRecord.Index.none
    while true {
      let first = queues[queue].firstSection
      let next = sections[first].next
      if sections[first].count > 0 || next.isNone { return freed }
      queues[queue].firstSection = next
      sections.remove(first)
      let barrier = sections[next].barrier
      // One that was cancelled waits no more.
      if !barrier.isNone && operations[barrier].unfinished > 0 {
        operations[barrier].unfinished = 0
        freed = barrier
      }
    }
  }

  /// Takes a barrier that has finished out of its queue's list; what is no barrier is left alone.
  ///
  /// Returns the last one before it that has not finished.
  mutating func finish(barrier: OperationRecord.Index) -> OperationRecord.Index {
    let record = operations[barrier]
    if !record.flags.contains(.barrier) || record.queue.isNone { return .none }
    demand(
      queues[record.queue].firstWaitingBarrier != barrier,
      "barrier \(barrier) finishes before it is handed to dispatch")
    queues[record.queue].barriers.remove(barrier, in: operations)
    return record.barriers.previous
  }

  /// Ties the dependent of a barrier that has finished to the one before it, if it waits for that too;
  /// whether it does.
  ///
  /// Only where barriers were cancelled one can finish before another that was added earlier.
  mutating func retie(_ index: OperationTie.Index, to barrier: OperationRecord.Index) -> Bool {
    let link = links[index]
    if barrier.isNone || operations[barrier].tie < operations[link.dependent].barrierFloor {
      return false
    }
    demand(
      link.isOpen && barrier != link.dependency && barrier != link.dependent,
      "tie \(index) is tied again, to \(barrier)")
    operations[link.dependency].dependents.remove(index, in: links)
    links[index].dependency = barrier
    operations[barrier].dependents.append(index, in: links)
    return true
  }

  // MARK: Questions

  /// Whether a barrier stands behind operations that were added before it.
  func waitsForSections(_ operation: OperationRecord.Index) -> Bool {
    let record = operations.at(operation)
    return record.pointee.flags.contains(.barrier) && !record.pointee.queue.isNone
      && record.pointee.state == .enqueued && record.pointee.unfinished > 0
  }

  /// Whether a barrier that has not finished stands behind an operation that has: it was added to its
  /// queue before that.
  func isBehindBarrier(_ operation: OperationRecord.Index) -> Bool {
    let record = operations.at(operation)
    let (queue, tie) = (record.pointee.lastQueue, record.pointee.tie)
    if queue.isNone || tie < 0 { return false }
    var barrier = queues[queue].barriers.first
    while !barrier.isNone && operations[barrier].tie < tie {
      barrier = operations[barrier].barriers.next
    }
    return !barrier.isNone && operations[barrier].tie <= record.pointee.finishedAt
  }

  /// The operations that an operation waits for and that are not passed yet, in the order in which it
  /// was tied to them; amortised O(1) for each beyond those that it gives.
  func waited(
    by operation: OperationRecord.Index, _ search: inout WaitedSearch,
    isPassed: (OperationRecord.Index) -> Bool
  ) -> [OperationRecord.Index] {
    if waitsForSections(operation) {
      var found: [OperationRecord.Index] = []
      var here = operations[operation].members.previous
      while true {
        here = search.before.next(from: here, isPassed) { operations[$0].members.previous }
        if here.isNone { return found.reversed() }
        found.append(here)
        here = operations[here].members.previous
      }
    }
    var found: [OperationRecord.Index] = []
    var index = operations[operation].dependencies.first
    while !index.isNone {
      let link = links[index]
      if link.isOpen && operations[link.dependency].flags.contains(.barrier) {
        let floor = operations[operation].barrierFloor
        var barriers: [OperationRecord.Index] = []
        var here = link.dependency
        while true {
          here = search.barriers.next(from: here, isPassed) { operations[$0].barriers.previous }
          if here.isNone || operations[here].tie < floor { break }
          barriers.append(here)
          here = operations[here].barriers.previous
        }
        found += barriers.reversed()
      } else if link.isOpen && !isPassed(link.dependency) {
        found.append(link.dependency)
      }
      index = link.ofDependent.next
    }
    return found
  }

  /// The first operations that wait for one, at most `limit`, in the order in which they were tied.
  func waiting(for operation: OperationRecord.Index, limit: Int) -> [OperationRecord.Index] {
    var found: [OperationRecord.Index] = []
    var index = operations[operation].dependents.first
    var section =
      operations[operation].queue.isNone
      ? OperationSection.Index.none : operations[operation].section
    while found.count < limit {
      while !index.isNone && !links[index].isOpen { index = links[index].ofDependency.next }
      var barrier = OperationRecord.Index.none
      while !section.isNone && barrier.isNone {
        section = sections[section].next
        if !section.isNone { barrier = sections[section].barrier }
        if !barrier.isNone && operations[barrier].unfinished == 0 { barrier = .none }
      }
      if index.isNone && barrier.isNone { break }
      while !index.isNone && found.count < limit
        && (barrier.isNone || links[index].tie < operations[barrier].tie)
      {
        if links[index].isOpen { found.append(links[index].dependent) }
        index = links[index].ofDependency.next
      }
      if !barrier.isNone && found.count < limit { found.append(barrier) }
    }
    return found
  }
}

/// A search through what operations wait for: what it need not look at twice.
struct WaitedSearch {
  /// Along the operations of a queue, and along its barriers, both toward the first.
  var before = Shortcuts()
  var barriers = Shortcuts()
}

/// The way along a list past elements that need not be looked at any more.
///
/// Source: the path compression of R. Tarjan, "Efficiency of a Good But Not Linear Set Union
/// Algorithm", 1975.
struct Shortcuts {
  private var past: [OperationRecord.Index: OperationRecord.Index] = [:]

  /// The first element that is not passed, from `start` on; none when there is none.
  mutating func next(
    from start: OperationRecord.Index, _ isPassed: (OperationRecord.Index) -> Bool,
    _ step: (OperationRecord.Index) -> OperationRecord.Index
  ) -> OperationRecord.Index {
    var here = start
    var walked: [OperationRecord.Index] = []
    while !here.isNone && isPassed(here) {
      walked.append(here)
      here = past[here] ?? step(here)
    }
    for element in walked { past[element] = here }
    return here
  }
}
