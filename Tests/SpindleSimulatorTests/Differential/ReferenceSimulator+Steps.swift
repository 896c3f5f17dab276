extension ReferenceSimulator {
  /// Runs a thread's code until it works, waits or ends.
  func advance(_ thread: Int) {
    while threads[thread].state == .running && threads[thread].work == nil {
      if threads[thread].gaveUp { refuse(thread) }
      if let object = threads[thread].granted {
        threads[thread].granted = nil
        pass(object, thread)
      }
      guard let frame = threads[thread].frames.last else {
        find(thread)
        continue
      }
      let body = code.bodies[frame.code]
      if frame.next == body.count {
        threads[thread].frames.removeLast()
        end(thread, frame.end)
        continue
      }
      threads[thread].frames[threads[thread].frames.count - 1].next += 1
      if frame.next < 0 {
        begin(thread, frame.end)
      } else {
        perform(body[frame.next], thread)
      }
      settlePriorities()
    }
  }

  /// What the world does: it only calls what neither works nor waits.
  func act(_ steps: [ReferenceStep]) {
    for step in steps {
      call(step, by: nil)
      settlePriorities()
    }
  }

  private func name(of thread: Int?) -> String {
    guard let thread else { return "world" }
    return threads[thread].names.last ?? "main"
  }

  func see(_ what: String) { observed.steps.append("\(now) \(what)") }

  func pass(_ object: String, _ thread: Int) {
    observed.passes[object, default: []].append("\(now) \(name(of: thread))")
  }

  // MARK: Beginnings and ends of bodies

  private func begin(_ thread: Int, _ end: ReferenceThread.End) {
    switch end {
    case .thread:
      if case .body(let name) = threads[thread].role { start(name, thread) }
    case .item(let item): start(item.name, thread)
    case .main, .sync: break
    }
  }

  private func start(_ name: String, _ thread: Int) {
    threads[thread].names.append(name)
    see("starts \(name)")
  }

  private func end(_ thread: Int, _ end: ReferenceThread.End) {
    switch end {
    case .main:
      block(thread, .nothing)
    case .thread:
      see("ends \(threads[thread].names.removeLast())")
      leaveCore(thread)
      threads[thread].state = .finished
      for joiner in threads[thread].joiners { getReady(joiner) }
    case .item(let item):
      see("ends \(threads[thread].names.removeLast())")
      if let group = item.group { leave(group) }
      guard let queue = item.queue else { return }
      if queues[queue].isConcurrent {
        finishOne(queue)
      } else {
        drain(queue, thread)
      }
    case .sync(let queue, _):
      if queues[queue].isConcurrent {
        finishOne(queue)
      } else if case .item? = queues[queue].entries.first {
        push(ReferenceRootEntry(quality: queues[queue].quality, content: .queue(queue)))
      } else {
        drain(queue, nil)
      }
    }
  }

  /// A worker looks for its next item.
  private func find(_ thread: Int) {
    switch threads[thread].role {
    case .poolWorker(let pool):
      if threads[thread].item == nil && !pools[pool].items.isEmpty {
        threads[thread].item = pools[pool].items.removeFirst()
      }
      if let item = threads[thread].item {
        threads[thread].item = nil
        threads[thread].frames = [ReferenceThread.Frame(code: item.code, end: .item(item))]
      } else {
        pools[pool].idle.append(thread)
        block(thread, .nothing)
      }
    case .dispatchWorker:
      // The most urgent class first, and of one class the first.
      guard let best = roots.map({ $0.quality }).max() else {
        idleWorkers.append(thread)
        block(thread, .nothing)
        return
      }
      guard let index = roots.firstIndex(where: { $0.quality == best }) else { return }
      threads[thread].priority = Self.priority(of: best)
      let taken = roots.remove(at: index).content
      // Who takes one and sees more asks for another worker.
      if roots.contains(where: { $0.quality == best }) { askForWorker(best) }
      switch taken {
      case .item(let item): take(item, thread)
      case .queue(let queue): drain(queue, thread)
      }
    case .body, .main: fatalError("a thread without a body")
    }
  }

  private func take(_ item: ReferenceItem, _ thread: Int) {
    threads[thread].frames.append(ReferenceThread.Frame(code: item.code, end: .item(item)))
  }

  // MARK: Statements

  /// What only a thread can do; all else is a call.
  private func perform(_ step: ReferenceStep, _ thread: Int) {
    switch step {
    case .work(0), .io(0), .sleep(0): break
    case .work(let time):
      threads[thread].work = time
      goOn(thread)
    case .io(let time):
      block(thread, .time)
      add(.world, at: now + time, .wake(thread))
    case .sleep(let time):
      block(thread, .time)
      add(.timer, at: now + time, .wake(thread))
    case .yield: yield(thread)
    case .lock(let lock): take(lock, thread, .never)
    case .lockBefore(let lock, let limit, _, _):
      take(lock, thread, limit)
    case .unlock(let lock): unlock(lock)
    case .wait(let semaphore, let limit, _): wait(semaphore, thread, limit)
    case .groupWait(let group, let limit, _):
      if groups[group].count == 0 { return }
      if wait(thread, .group(group), limit) { groups[group].waiters.append(thread) }
    case .conditionWait(let condition, let limit):
      unlock(SmallProgram.locks + condition)
      block(thread, .condition(condition))
      conditions[condition].append(thread)
      if let end = moment(limit) { add(.timer, at: max(end, now), .limit(thread)) }
    case .sync(let queue, let barrier, let body): sync(queue, barrier: barrier, body, thread)
    case .join(let other):
      if threads[other].state == .finished { return }
      threads[other].joiners.append(thread)
      block(thread, .join)
    default: call(step, by: thread)
    }
  }

  /// Goes on behind a wait that reached its limit.
  private func refuse(_ thread: Int) {
    threads[thread].gaveUp = false
    guard var frame = threads[thread].frames.last, frame.next > 0 else { return }
    switch code.bodies[frame.code][frame.next - 1] {
    case .lockBefore(_, _, let refused, let skip):
      frame.next += skip
      see("mark \(refused)")
    case .wait(_, _, let refused), .groupWait(_, _, let refused): see("mark \(refused)")
    default: break
    }
    threads[thread].frames[threads[thread].frames.count - 1] = frame
  }

  /// What threads and the world can do.
  private func call(_ step: ReferenceStep, by thread: Int?) {
    switch step {
    case .mark(let name): see("mark \(name)")
    case .signal(let semaphore): signal(semaphore)
    case .enter(let group): groups[group].count += 1
    case .leave(let group): leave(group)
    case .notify(let group, let executor, let name, let body):
      groups[group].notices.append((executor, name, body))
      if groups[group].count == 0 { sendNotices(group) }
    case .conditionSignal(let condition, let all):
      while let waiter = conditions[condition].first {
        conditions[condition].removeFirst()
        wake(waiter)
        if !all { break }
      }
    case .submit(let executor, let name, let group, let body):
      if let group { groups[group].count += 1 }
      submit(executor, ReferenceItem(name: name, code: body, group: group))
    case .detach(let name, let body):
      let made = make(.body(name), priority: 31)
      threads[made].frames = [ReferenceThread.Frame(code: body, end: .thread)]
      getReady(made)
    case .start(let other): getReady(other)
    case .setPriority(let other, let tenths):
      threads[other].priority = Self.priority(tenths: tenths)
      if line.contains(other) && beginsAnew {
        putBehind(other)
        noteReady(other)
      }
    default: fatalError("the world can't do this")
    }
  }
}
