/// Items of queues: what a worker does between the call of a block and its end belongs to the block.
extension OperationRecorder {
  /// The name of a worker; nil of another thread.
  private func worker(_ place: Int) -> String? {
    let thread = threads[place].thread
    return thread < window.workers.count ? window.workers[thread] : nil
  }

  mutating func probed(_ thread: Int, _ probe: DispatchProbe, at time: Int64) {
    guard time < window.end, let place = place(thread), threads[place].isProgram else { return }
    if has(time) { threads[place].probeTakes += window.probes.cost(of: probe) }
    guard !window.workers.isEmpty else { return }
    let ended = threads[place].dispatch.ended
    threads[place].dispatch.ended = nil
    switch probe {
    case .worker: break
    case .creates(let label): threads[place].dispatch.label = label
    case .created(let address): queues.created(address, label: threads[place].dispatch.label)
    case .submits(let context, let queue, let path, let isBarrier):
      guard let item = queues.submitted(context, to: queue, path, isBarrier: isBarrier) else {
        break
      }
      submitted(item, by: place, at: time)
    case .calls(let context): calls(context, place, at: time)
    case .returns: returns(place, at: time)
    case .syncs(let address, let isBarrier):
      let queue = queues.queue(address, .serial)
      begin(.sync(queue: queue, isBarrier: isBarrier, isDone: false), place)
    case .synced:
      guard case .sync = threads[place].dispatch.calls.last else { break }
      flush(place)
      threads[place].dispatch.calls.removeLast()
    case .waits(let address):
      waits(
        ThreadOperation(kind: .waitSemaphore, target: queues.semaphore(address)), place, at: time)
    case .waited:
      if let semaphore = waited(place, .waitSemaphore, at: time) { queues.waited(semaphore) }
    case .signals(let address):
      let semaphore = queues.semaphore(address)
      guard has(time) else { break }
      append(.signalSemaphore, to: place, at: time, target: semaphore)
      queues.signalled(semaphore)
    case .waitsForGroup(let address):
      let group = queues.group(address)
      queues.uses(group)
      waits(ThreadOperation(kind: .waitGroup, target: group), place, at: time)
    case .waitedForGroup: _ = waited(place, .waitGroup, at: time)
    case .leaves(let address): left(queues.group(address), place, ended, at: time)
    }
  }

  // MARK: Items

  private mutating func submitted(_ item: Int, by place: Int, at time: Int64) {
    guard has(time), threads[place].dispatch.subject != .library else {
      queues.items[item].arrival = max(0, time - window.start)
      return
    }
    append(.submit, to: place, at: time, target: Int32(item))
  }

  private mutating func calls(_ context: UInt64, _ place: Int, at time: Int64) {
    if let item = queues.called(context) {
      if let name = worker(place) { queues.ran(item, onWorker: name) }
      queues.items[item].hasBegun = true
      return begin(item, place)
    }
    if case .sync(let queue, let isBarrier, false) = threads[place].dispatch.calls.last {
      threads[place].dispatch.calls[threads[place].dispatch.calls.count - 1] =
        .sync(queue: queue, isBarrier: isBarrier, isDone: true)
      guard has(time) else { return begin(.own, place) }
      let item = queues.unknown(queue, isSync: true, isBarrier: isBarrier)
      append(.sync, to: place, at: time, target: Int32(item))
      queues.items[item].hasBegun = true
      return begin(item, place)
    }
    guard threads[place].dispatch.subject == .library, let name = worker(place) else {
      return begin(.own, place)
    }
    let item = queues.unknown(queues.root(ofWorker: name))
    queues.items[item].arrival = max(0, time - window.start)
    begin(item, place)
  }

  private mutating func begin(_ item: Int, _ place: Int) {
    // What a worker has computed for itself stays, and comes in front of what the item computes.
    if threads[place].dispatch.subject != .library { flush(place) }
    begin(.item(item), place)
    threads[place].dispatch.last = item
  }

  private mutating func returns(_ place: Int, at time: Int64) {
    while let call = threads[place].dispatch.calls.last {
      if case .item(let item) = call {
        flush(place)
        threads[place].dispatch.calls.removeLast()
        ended(item, place, at: time)
        return
      }
      threads[place].dispatch.calls.removeLast()
      if call == .own { return }
    }
  }

  /// An item has ended; one without a recorded submitter came from what woke its worker, if it did anything.
  private mutating func ended(_ item: Int, _ place: Int, at time: Int64) {
    threads[place].dispatch.ended = item
    if time < window.start {
      queues.items[item].hasBegun = false
      return
    }
    if queues.items[item].hasBegun { return }
    if let work = queues.items[item].shortWork {
      threads[place].pending += work
      return
    }
    queues.items[item].hasBegun = true
    guard let poke = threads[place].dispatch.poke else { return }
    queues.items[item].arrival = nil
    queues.came(item, of: poke)
  }

  /// Something woke a worker, or made it.
  mutating func poked(_ place: Int, by cause: Int?, at time: Int64) {
    threads[place].dispatch.poke = nil
    guard let cause, threads[cause].dispatch.subject != .library else { return }
    let poke = queues.poke()
    threads[place].dispatch.poke = poke
    append(.poke, to: cause, at: time, target: Int32(poke))
  }

  /// A group is left: by the library behind an item that was submitted with the group, or by the item itself.
  private mutating func left(_ group: Int32, _ place: Int, _ ended: Int?, at time: Int64) {
    if let ended, queues.items[ended].group == nil, !queues.items[ended].isSync {
      queues.items[ended].group = group
      return queues.uses(group)
    }
    guard has(time) else { return }
    switch threads[place].dispatch.subject {
    case .item(let item): queues.items[item].left.append(group)
    case .thread: queues.leftByThreads.append(group)
    case .library: return
    }
    append(.leave, to: place, at: time, target: group)
  }

  // MARK: Calls

  private mutating func begin(_ call: DispatchCalls.Call, _ place: Int) {
    guard threads[place].dispatch.calls.count < DispatchCalls.deepest else { return }
    threads[place].dispatch.calls.append(call)
  }

  /// A thread begins to wait for a semaphore or a group.
  private mutating func waits(_ operation: ThreadOperation, _ place: Int, at time: Int64) {
    let isTold = has(time)
    if isTold { append(operation.kind, to: place, at: time, target: operation.target) }
    begin(.wait(operation, isTold: isTold), place)
  }

  /// It has waited: for what, if that had been seen and is taken.
  private mutating func waited(
    _ place: Int, _ kind: ThreadOperation.Kind, at time: Int64
  ) -> Int32? {
    guard case .wait(let operation, let isTold) = threads[place].dispatch.calls.last,
      operation.kind == kind
    else { return nil }
    if !isTold && has(time) { append(kind, to: place, at: time, target: operation.target) }
    flush(place)
    threads[place].dispatch.calls.removeLast()
    return has(time) ? operation.target : nil
  }

  /// All that was called ends with the recording.
  ///
  /// What a worker computed behind its last item goes with that.
  mutating func finishCalls(_ place: Int) {
    if case .wait(let operation, false) = threads[place].dispatch.calls.last {
      append(operation.kind, to: place, at: window.end, target: operation.target)
    }
    while case .item(let item) = threads[place].dispatch.subject {
      flush(place)
      while threads[place].dispatch.calls.last != .item(item) {
        threads[place].dispatch.calls.removeLast()
      }
      threads[place].dispatch.calls.removeLast()
      ended(item, place, at: window.end)
    }
    flush(place)
    guard let last = threads[place].dispatch.last, queues.items[last].hasBegun else { return }
    let rest = threads[place].pending
    threads[place].pending = 0
    if rest > 0 {
      queues.items[last].operations.append(ThreadOperation(kind: .work, length: rest))
    }
  }
}
