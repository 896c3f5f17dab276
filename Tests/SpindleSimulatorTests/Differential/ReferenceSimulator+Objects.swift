extension ReferenceSimulator {
  // MARK: Waiting

  /// Lets a thread wait; false, and the thread gives up at once, where the limit is past.
  func wait(_ thread: Int, _ reason: ReferenceThread.Reason, _ limit: SmallLimit) -> Bool {
    let end = moment(limit)
    if let end, end <= now {
      threads[thread].gaveUp = true
      return false
    }
    block(thread, reason)
    if let end { add(.timer, at: end, .limit(thread)) }
    return true
  }

  /// When a wait gives up.
  func moment(_ limit: SmallLimit) -> Int? {
    switch limit {
    case .never: nil
    case .after(let time): now + time
    case .at(let time): time
    }
  }

  /// Ends a wait that came to its good end.
  func wake(_ thread: Int) {
    cancel { if case .limit(thread) = $0 { true } else { false } }
    getReady(thread)
  }

  /// Ends a wait at its limit.
  func giveUp(_ thread: Int) {
    switch threads[thread].reason {
    case .lock(let lock): locks[lock].waiters.removeAll { $0 == thread }
    case .semaphore(let semaphore): semaphores[semaphore].waiters.removeAll { $0 == thread }
    case .group(let group): groups[group].waiters.removeAll { $0 == thread }
    case .condition(let condition): conditions[condition].removeAll { $0 == thread }
    case .nothing, .time, .join, .sync: break
    }
    threads[thread].gaveUp = true
    getReady(thread)
    settlePriorities()
  }

  // MARK: Locks

  func lockName(_ lock: Int) -> String {
    lock < SmallProgram.locks ? "lock\(lock)" : "condition\(lock - SmallProgram.locks)"
  }

  /// Takes a lock that is free; else waits for it.
  func take(_ lock: Int, _ thread: Int, _ limit: SmallLimit) {
    if locks[lock].owner == nil {
      locks[lock].owner = thread
      pass(lockName(lock), thread)
    } else if wait(thread, .lock(lock), limit) {
      locks[lock].waiters.append(thread)
    }
  }

  /// Gives a lock to who waits longest.
  func unlock(_ lock: Int) {
    guard let next = locks[lock].waiters.first else {
      locks[lock].owner = nil
      return
    }
    locks[lock].waiters.removeFirst()
    locks[lock].owner = next
    threads[next].granted = lockName(lock)
    wake(next)
  }

  // MARK: Semaphores and groups

  func wait(_ semaphore: Int, _ thread: Int, _ limit: SmallLimit) {
    if semaphores[semaphore].value > 0 {
      semaphores[semaphore].value -= 1
      pass("semaphore\(semaphore)", thread)
    } else if wait(thread, .semaphore(semaphore), limit) {
      semaphores[semaphore].waiters.append(thread)
    }
  }

  func signal(_ semaphore: Int) {
    if semaphores[semaphore].waiters.isEmpty {
      semaphores[semaphore].value += 1
    } else {
      let next = semaphores[semaphore].waiters.removeFirst()
      threads[next].granted = "semaphore\(semaphore)"
      wake(next)
    }
  }

  /// Hands over the notices of a group that returns to zero, and then wakes who waits.
  func leave(_ group: Int) {
    groups[group].count -= 1
    if groups[group].count > 0 { return }
    sendNotices(group)
    let waiters = groups[group].waiters
    groups[group].waiters = []
    for waiter in waiters { wake(waiter) }
  }

  func sendNotices(_ group: Int) {
    let notices = groups[group].notices
    groups[group].notices = []
    for notice in notices {
      submit(notice.executor, ReferenceItem(name: notice.name, code: notice.code))
    }
  }

  // MARK: Executors

  func submit(_ executor: SmallExecutor, _ item: ReferenceItem) {
    var item = item
    switch executor {
    case .pool(let pool): submit(item, toPool: pool)
    case .global(let quality):
      push(ReferenceRootEntry(quality: quality.rawValue, content: .item(item)))
    case .queue(let queue), .barrier(let queue):
      item.queue = queue
      if case .barrier = executor { item.isBarrier = true }
      queues[queue].entries.append(.item(item))
      if queues[queue].isConcurrent {
        admit(queue)
      } else if queues[queue].active == 0 {
        queues[queue].active = 1
        push(ReferenceRootEntry(quality: queues[queue].quality, content: .queue(queue)))
      }
    }
  }

  /// The worker that has been idle longest, else a new one, else the item waits.
  private func submit(_ item: ReferenceItem, toPool pool: Int) {
    if !pools[pool].idle.isEmpty {
      let worker = pools[pool].idle.removeFirst()
      threads[worker].item = item
      getReady(worker)
    } else if pools[pool].room > 0 {
      pools[pool].room -= 1
      let worker = make(.poolWorker(pool), priority: 31)
      threads[worker].item = item
      getReady(worker)
    } else {
      pools[pool].items.append(item)
    }
  }

  /// Gives something to the dispatch pool, which needs a worker when the first of a class comes.
  func push(_ entry: ReferenceRootEntry) {
    let isFirst = !roots.contains { $0.quality == entry.quality }
    roots.append(entry)
    if isFirst { askForWorker(entry.quality) }
  }

  /// Wakes or makes a worker, while there are fewer than cores.
  func askForWorker(_ quality: Int) {
    let priority = Self.priority(of: quality)
    if !idleWorkers.isEmpty {
      let worker = idleWorkers.removeFirst()
      threads[worker].priority = priority
      getReady(worker)
    } else if workerCount < machine.cores {
      workerCount += 1
      getReady(make(.dispatchWorker, priority: priority))
    }
  }

  // MARK: Queues

  /// Runs the next item of a serial queue on a worker; hands the queue over to who waits in 'sync'.
  func drain(_ queue: Int, _ worker: Int?) {
    guard let entry = queues[queue].entries.first else {
      queues[queue].active = 0
      return
    }
    queues[queue].entries.removeFirst()
    switch entry {
    case .item(let item):
      guard let worker else { fatalError("nobody runs the item") }
      threads[worker].frames.append(ReferenceThread.Frame(code: item.code, end: .item(item)))
    case .sync(let waiter, _): wake(waiter)
    }
  }

  func sync(_ queue: Int, barrier: Bool, _ body: Int, _ thread: Int) {
    threads[thread].frames.append(
      ReferenceThread.Frame(code: body, end: .sync(queue, barrier: barrier)))
    let isFree =
      queues[queue].isConcurrent && !barrier
      ? !queues[queue].isAlone : queues[queue].active == 0
    if isFree && queues[queue].entries.isEmpty {
      queues[queue].active += 1
      queues[queue].isAlone = barrier
    } else {
      queues[queue].entries.append(.sync(thread: thread, barrier: barrier))
      block(thread, .sync)
    }
  }

  /// Something that a concurrent queue handed on has ended.
  func finishOne(_ queue: Int) {
    queues[queue].active -= 1
    queues[queue].isAlone = false
    admit(queue)
  }

  /// Hands on what a concurrent queue holds, until a barrier is in the way.
  func admit(_ queue: Int) {
    while let entry = queues[queue].entries.first, !queues[queue].isAlone {
      let isBarrier: Bool =
        switch entry {
        case .item(let item): item.isBarrier
        case .sync(_, let barrier): barrier
        }
      if isBarrier && queues[queue].active > 0 { return }
      queues[queue].entries.removeFirst()
      queues[queue].active += 1
      queues[queue].isAlone = isBarrier
      switch entry {
      case .item(let item):
        push(ReferenceRootEntry(quality: queues[queue].quality, content: .item(item)))
      case .sync(let waiter, _): wake(waiter)
      }
    }
  }
}
