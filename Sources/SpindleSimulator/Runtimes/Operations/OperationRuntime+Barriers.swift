import SpindleModel

/// What barriers wait for, and who waits for barriers.
///
/// A barrier depends on all that is in its queue when it is added, and what is added later depends on
/// every barrier that has not been handed to dispatch: as ties one by one that would be as many as there
/// are pairs. So a queue's operations are counted in stretches from one barrier to the next, and a barrier
/// waits until all stretches before its own are done; and of all the barriers that an operation waits for
/// it is tied to the last one alone.
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, addBarrierBlock and
/// _addOperations.
extension OperationRuntime {
  /// The operations of a queue from one barrier, with it, to the next.
  struct Stretch: BitwiseCopyable {
    /// How many of them have not finished.
    var count: Int32 = 0
    /// The barrier at its beginning; -1 for none, and when that has finished.
    var barrier: Int32 = -1
    /// The stretch behind it; -1 for the last.
    var next: Int32 = -1
  }

  /// The next number in the order of ties.
  mutating func nextTie() -> Int64 {
    ties += 1
    return ties
  }

  // MARK: Adding

  /// Ties an operation that is being added to a queue to the barriers that hold it back.
  mutating func holdBack(_ operation: Int32, behindBarriersOf queue: Int32, at place: Int32) {
    let first = queues[queue].firstWaitingBarrier
    if first < 0 { return }
    operations[operation].barrierFloor = operations[first].tie
    addDependency(queues[queue].lastBarrier, to: operation, at: place, mayRepeat: false)
  }

  /// Counts an operation that is being added; a barrier waits if anything before it has not finished.
  mutating func enterStretch(_ operation: Int32) {
    let queue = operations[operation].queue
    operations[operation].tie = nextTie()
    var stretch = queues[queue].lastStretch
    if stretch < 0 {
      stretch = makeStretch()
      (queues[queue].firstStretch, queues[queue].lastStretch) = (stretch, stretch)
    }
    if operations[operation].flags.contains(.barrier) {
      list(barrier: operation)
      if stretches[queues[queue].firstStretch].count > 0 {
        operations[operation].unfinished += 1
        let fresh = makeStretch()
        stretches[stretch].next = fresh
        stretches[fresh].barrier = operation
        queues[queue].lastStretch = fresh
        stretch = fresh
      }
    }
    operations[operation].stretch = stretch
    stretches[stretch].count += 1
  }

  private mutating func makeStretch() -> Int32 {
    if freeStretches.count > 0 {
      let index = freeStretches.removeLast()
      stretches[index] = Stretch()
      return index
    }
    return stretches.append(Stretch())
  }

  private mutating func list(barrier: Int32) {
    let queue = operations[barrier].queue
    let last = queues[queue].lastBarrier
    (operations[barrier].previousBarrier, operations[barrier].nextBarrier) = (last, -1)
    if last < 0 {
      queues[queue].firstBarrier = barrier
    } else {
      operations[last].nextBarrier = barrier
    }
    queues[queue].lastBarrier = barrier
    if queues[queue].firstWaitingBarrier < 0 { queues[queue].firstWaitingBarrier = barrier }
  }

  // MARK: The way of a barrier

  /// A barrier that is handed to dispatch holds nobody back any more who is added later: the barrier
  /// of the dispatch queue does.
  ///
  /// They go in the order of adding: one stands behind all before it, and `cancelAllOperations`, which
  /// alone can cancel one, lets them go in this order.
  mutating func handOver(barrier: Int32) {
    let queue = operations[barrier].queue
    demand(
      queues[queue].firstWaitingBarrier == barrier,
      "barrier \(barrier) is handed over before another of operation queue \(queue)")
    queues[queue].firstWaitingBarrier = operations[barrier].nextBarrier
  }

  /// A finished operation is counted out of its stretch.
  ///
  /// Returns the barrier that was thereby the last thing to be waited for by; -1 for none.
  mutating func leaveStretch(_ operation: Int32) -> Int32 {
    let (queue, stretch) = (operations[operation].queue, operations[operation].stretch)
    if queue < 0 || stretch < 0 { return -1 }
    stretches[stretch].count -= 1
    operations[operation].stretch = -1
    if stretches[stretch].barrier == operation { stretches[stretch].barrier = -1 }
    var freed: Int32 = -1
    while true {
      let first = queues[queue].firstStretch
      let next = stretches[first].next
      if stretches[first].count > 0 || next < 0 { return freed }
      queues[queue].firstStretch = next
      freeStretches.append(first)
      let barrier = stretches[next].barrier
      // One that was cancelled waits no more.
      if barrier >= 0 && operations[barrier].unfinished > 0 {
        operations[barrier].unfinished = 0
        freed = barrier
      }
    }
  }

  /// Takes a barrier that has finished out of its queue's list; what is no barrier is left alone.
  ///
  /// Returns the last one before it that has not finished; -1 for none.
  mutating func finish(barrier: Int32) -> Int32 {
    let record = operations[barrier]
    if !record.flags.contains(.barrier) || record.queue < 0 { return -1 }
    if record.previousBarrier < 0 {
      queues[record.queue].firstBarrier = record.nextBarrier
    } else {
      operations[record.previousBarrier].nextBarrier = record.nextBarrier
    }
    if record.nextBarrier < 0 {
      queues[record.queue].lastBarrier = record.previousBarrier
    } else {
      operations[record.nextBarrier].previousBarrier = record.previousBarrier
    }
    (operations[barrier].previousBarrier, operations[barrier].nextBarrier) = (-1, -1)
    return record.previousBarrier
  }

  /// Ties the dependent of a barrier that has finished to the one before it, if it waits for that too;
  /// whether it does.
  ///
  /// Only where barriers were cancelled one can finish before another that was added earlier.
  mutating func retie(_ index: Int32, to barrier: Int32) -> Bool {
    let link = links[index]
    if barrier < 0 || operations[barrier].tie < operations[link.dependent].barrierFloor {
      return false
    }
    cutDependent(link)
    let last = operations[barrier].lastDependent
    links[index].dependency = barrier
    (links[index].previousDependent, links[index].nextDependent) = (last, -1)
    if last < 0 {
      operations[barrier].firstDependent = index
    } else {
      links[last].nextDependent = index
    }
    operations[barrier].lastDependent = index
    return true
  }

  // MARK: Questions

  /// Whether a barrier stands behind operations that were added before it.
  func waitsForStretches(_ operation: Int32) -> Bool {
    let record = operations.at(operation)
    return record.pointee.flags.contains(.barrier) && record.pointee.queue >= 0
      && record.pointee.state == .enqueued && record.pointee.unfinished > 0
  }

  /// Whether a barrier that has not finished stands behind an operation that has: it was added to its
  /// queue before that.
  func isBehindBarrier(_ operation: Int32) -> Bool {
    let record = operations[operation]
    if record.lastQueue < 0 || record.tie < 0 { return false }
    var barrier = queues[record.lastQueue].firstBarrier
    while barrier >= 0 && operations[barrier].tie < record.tie {
      barrier = operations[barrier].nextBarrier
    }
    return barrier >= 0 && operations[barrier].tie <= record.finishedAt
  }

  /// The operations that an operation waits for and that are not passed yet, in the order in which it
  /// was tied to them; amortised O(1) for each beyond those that it gives.
  func waited(
    by operation: Int32, _ search: inout WaitedSearch, isPassed: (Int32) -> Bool
  ) -> [Int32] {
    if waitsForStretches(operation) {
      var found: [Int32] = []
      var here = operations[operation].previous
      while true {
        here = search.before.next(from: here, isPassed) { operations[$0].previous }
        if here < 0 { return found.reversed() }
        found.append(here)
        here = operations[here].previous
      }
    }
    var found: [Int32] = []
    var index = operations[operation].firstDependency
    while index >= 0 {
      let link = links[index]
      if link.isOpen && operations[link.dependency].flags.contains(.barrier) {
        let floor = operations[operation].barrierFloor
        var barriers: [Int32] = []
        var here = link.dependency
        while true {
          here = search.barriers.next(from: here, isPassed) { operations[$0].previousBarrier }
          if here < 0 || operations[here].tie < floor { break }
          barriers.append(here)
          here = operations[here].previousBarrier
        }
        found += barriers.reversed()
      } else if link.isOpen && !isPassed(link.dependency) {
        found.append(link.dependency)
      }
      index = link.nextDependency
    }
    return found
  }

  /// The first operations that wait for one, at most `limit`, in the order in which they were tied.
  func waiting(for operation: Int32, limit: Int) -> [Int32] {
    var found: [Int32] = []
    var index = operations[operation].firstDependent
    var stretch = operations[operation].queue < 0 ? -1 : operations[operation].stretch
    while found.count < limit {
      while index >= 0 && !links[index].isOpen { index = links[index].nextDependent }
      var barrier: Int32 = -1
      while stretch >= 0 && barrier < 0 {
        stretch = stretches[stretch].next
        if stretch >= 0 { barrier = stretches[stretch].barrier }
        if barrier >= 0 && operations[barrier].unfinished == 0 { barrier = -1 }
      }
      if index < 0 && barrier < 0 { break }
      while index >= 0 && found.count < limit
        && (barrier < 0 || links[index].tie < operations[barrier].tie)
      {
        if links[index].isOpen { found.append(links[index].dependent) }
        index = links[index].nextDependent
      }
      if barrier >= 0 && found.count < limit { found.append(barrier) }
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
  private var past: [Int32: Int32] = [:]

  /// The first element that is not passed, from `start` on; -1 when there is none.
  mutating func next(
    from start: Int32, _ isPassed: (Int32) -> Bool, _ step: (Int32) -> Int32
  ) -> Int32 {
    var here = start
    var walked: [Int32] = []
    while here >= 0 && isPassed(here) {
      walked.append(here)
      here = past[here] ?? step(here)
    }
    for element in walked { past[element] = here }
    return here
  }
}
