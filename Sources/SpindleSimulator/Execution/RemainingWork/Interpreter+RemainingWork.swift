import SpindleModel

/// Finding the code that is left when nothing can happen any more.
extension Interpreter {
  /// All code of the trace that is left, with the waits that it would end.
  func remainingWork() -> RemainingWork {
    demand(process.isQuiescent, "something may still happen, and it is asked what will not")
    var work = RemainingWork()
    addItems(to: &work)
    addOperations(to: &work)
    addPools(to: &work)
    addTasks(to: &work)
    addRunLoops(to: &work)
    addSources(to: &work)
    addThreads(to: &work)
    addProperties(to: &work)
    addCompletions(to: &work)
    addCancellations(to: &work)
    addDeinits(to: &work)
    work.past = pastCalls()
    return work
  }

  private func reach(_ closures: [FrameIndex]) -> CodeReach {
    var reach = CodeReach()
    for closure in closures { reach.add(closure: closure, self) }
    return reach
  }

  /// Takes a piece in that is what some closures do, and ends with leaving a group.
  private func add(
    _ piece: RemainingWork.Piece, _ reach: CodeReach, leaves group: Int32 = -1,
    ends item: Int32 = -1, to work: inout RemainingWork
  ) {
    var calls = reach.calls
    if group >= 0 { calls.insert(EndingCall(verb: .leavesGroup, object: group)) }
    if item >= 0 { calls.insert(EndingCall(verb: .runsWorkItem, object: item)) }
    work.add(piece, calls, isPartial: reach.isPartial)
  }

  // MARK: Dispatch

  private func addItems(to work: inout RemainingWork) {
    for queue in dispatch.queues.indices {
      addItems(dispatch.queues[queue].items, .queue(queue.raw), to: &work)
    }
    for group in dispatch.groups.groups.indices {
      addItems(dispatch.groups.groups[group].followers, .group(group.raw), to: &work)
    }
    for item in dispatch.workItems.indices {
      addItems(dispatch.workItems[item].followers, .workItem(item.raw), to: &work)
    }
  }

  private func addItems(
    _ items: IntrusiveQueue<DispatchItem>, _ stand: RemainingWork.Stand,
    to work: inout RemainingWork
  ) {
    var index = items.first
    while !index.isNone && !work.isFull {
      let item = dispatch.items[index]
      index = item.next
      var reach = CodeReach()
      switch item.kind {
      case .block: reach.add(closure: item.frame, self)
      case .workItem: reach.add(closure: dispatch.workItems[item.workItem].handler.closure, self)
      case .lane, .operation, .apply, .sync, .source, .expiration, .job: break
      }
      let isItem = item.kind == .workItem
      let name = isItem ? dispatch.workItems[item.workItem].name : item.name
      var piece = RemainingWork.Piece(
        name: process.itemName(name, kind: dispatch.workKind(of: item)),
        stand: self.stand(of: item, in: stand), place: item.place)
      if isItem { piece.workItem = item.workItem.raw }
      add(piece, reach, leaves: item.group.raw, ends: piece.workItem, to: &work)
    }
  }

  /// Where an item stands: of the global queues in that to which it was submitted, whatever its class of service.
  private func stand(of item: DispatchItem, in stand: RemainingWork.Stand) -> RemainingWork.Stand {
    guard case .queue(let queue) = stand, dispatch.queues[.init(queue)].kind == .root,
      dispatch.queues[item.queue].kind == .root
    else { return stand }
    return .queue(item.queue.raw)
  }

  private func addSources(to work: inout RemainingWork) {
    for source in sources.sources.indices {
      let record = sources.sources[source]
      if record.isOver || record.isCancelled || !record.eventHandler.isSet { continue }
      add(
        .init(
          name: process.kernel.text(record.name), stand: .source(source.raw), place: record.madeAt),
        reach([record.eventHandler.closure]), to: &work)
    }
  }

  // MARK: Operations, pools and tasks

  private func addOperations(to work: inout RemainingWork) {
    for operation in operations.operations.usedIndices where !work.isFull {
      let record = operations.operations[operation]
      if record.state == .finished || record.flags.contains(.begun) { continue }
      let closures = operations.closures(of: operation)
      add(
        .init(
          name: operations.distinctName(operation, process), stand: .operation(operation.raw),
          place: record.addedAt < 0 ? record.madeAt : record.addedAt),
        reach(closures + (record.completion.isNone ? [] : [record.completion])),
        leaves: record.group.raw, to: &work)
    }
  }

  private func addPools(to work: inout RemainingWork) {
    for pool in executors.executors.indices {
      for item in executors.waitingItems(of: pool) where !work.isFull {
        add(
          .init(
            name: process.itemName(item.name, kind: item.kind), stand: .pool(pool.raw), place: -1),
          reach([item.frame]), leaves: item.group.raw, to: &work)
      }
    }
  }

  private func addTasks(to work: inout RemainingWork) {
    for task in concurrency.tasks.indices where !work.isFull {
      let record = concurrency.tasks[task]
      guard record.thread.isNone, record.state == .queued || record.state == .suspended else {
        continue
      }
      var reach = CodeReach()
      reach.add(restFrom: record.inner, upTo: record.frame, self)
      add(
        .init(name: concurrency.name(task, process), stand: .task(task.raw), place: record.madeAt),
        reach, leaves: record.dispatchGroup.raw, to: &work)
    }
  }

  // MARK: Threads and their run loops

  private func addThreads(to work: inout RemainingWork) {
    for thread in process.kernel.threads.ids where !work.isFull {
      let record = process.kernel.threads[thread]
      guard record.state == .waiting || record.state == .created, record.frame != .none else {
        continue
      }
      var reach = CodeReach()
      reach.add(restFrom: record.frame, self)
      let isCreated = record.state == .created
      add(
        .init(
          name: process.kernel.name(of: thread), stand: isCreated ? .created : .thread(thread),
          place: isCreated ? record.madeAt : record.place),
        reach, leaves: record.itemGroup, to: &work)
    }
  }

  private func addRunLoops(to work: inout RemainingWork) {
    func take(_ name: String?, _ closure: FrameIndex, _ loop: RunLoop.Index, _ place: Int32) {
      let thread = runLoops.loops[loop].thread
      if thread.isNone { return }
      add(
        .init(name: name, stand: .runLoop(thread), place: place), reach([closure]), to: &work)
    }
    for timer in runLoops.timers.indices {
      let record = runLoops.timers[timer]
      if record.isValid && !record.loop.isNone && record.handler.isSet {
        let name = record.name == .none ? nil : process.kernel.text(record.name)
        take(name, record.handler.closure, record.loop, record.place)
      }
    }
    for source in runLoops.sources.indices {
      let record = runLoops.sources[source]
      guard record.isValid, record.handler.isSet,
        let loop = record.places.first(where: { _ in true })?.loop
      else { continue }
      take(process.kernel.text(record.name), record.handler.closure, loop, record.place)
    }
    for port in runLoops.ports.indices {
      let record = runLoops.ports[port]
      guard record.isValid, record.handler.isSet,
        let loop = record.places.first(where: { _ in true })?.loop
      else { continue }
      let name = record.isAnswer ? nil : process.kernel.text(record.name)
      take(name, record.handler.closure, loop, record.place)
    }
    for loop in runLoops.loops.indices where !runLoops.loops[loop].thread.isNone {
      for block in runLoops.loops[loop].blocks { take(nil, block.frame, loop, block.place) }
      for perform in runLoops.loops[loop].performs.all {
        take(nil, perform.frame, loop, perform.place)
      }
    }
  }

  // MARK: Closures that are kept

  /// Closures in variables at the top and in properties: somebody would have to call them.
  private func addProperties(to work: inout RemainingWork) {
    func take(_ name: String, _ value: Int64, _ kind: LifeKind?, _ place: Int32) {
      var elements: [Int64] = []
      if kind == .closure { elements = [value] }
      if kind == LifeKind.closure.array, value >= 0, value < process.arrays.count {
        elements = process.arrays[Int(value)]
      }
      for element in elements where element > 0 && element <= Int64(Int32.max) {
        let frame = FrameIndex(register: element)
        guard process.frames.contains(frame), process.frames.parent(frame) == Process.untaken
        else { continue }
        // Nobody has to call it: what is not known of it is nothing that is left to do.
        work.add(
          .init(name: name, stand: .property, place: place), reach([frame]).calls, isPartial: false)
      }
    }
    for (index, global) in process.program.globals.enumerated() {
      take(global.name, globals[index], global.life, -1)
    }
    for instance in process.instances.alive where !work.isFull {
      let record = process.instances.instance(instance)
      let fields = process.program.classes[Int(record.type)].fields
      for (number, field) in fields.enumerated() where field.life != nil {
        let value = process.instances.field(Int32(number), of: instance, fields.count).pointee.value
        let name = field.name.isEmpty ? process.kernel.text(record.name) : field.name
        take(name, value, field.life, record.madeAt)
      }
    }
  }

  // MARK: Code that is called when something ends

  private func addCompletions(to work: inout RemainingWork) {
    for operation in operations.operations.usedIndices where !work.isFull {
      let record = operations.operations[operation]
      if record.state == .finished || !record.flags.contains(.begun) || record.completion.isNone {
        continue
      }
      add(
        .init(
          name: operations.distinctName(operation, process), stand: .completion(operation.raw),
          place: record.addedAt < 0 ? record.madeAt : record.addedAt),
        reach([record.completion]), to: &work)
    }
  }

  private func addCancellations(to work: inout RemainingWork) {
    for task in concurrency.tasks.indices where !work.isFull {
      let record = concurrency.tasks[task]
      if record.isCancelled || record.state == .finished { continue }
      var index = record.handler
      while !index.isNone {
        let handler = concurrency.handlers[index]
        index = handler.outer
        guard handler.event == .cancelled, handler.handler.isSet else { continue }
        takeUncalled(
          .init(
            name: concurrency.name(task, process), stand: .cancellation, place: record.madeAt),
          reach([handler.handler.closure]), to: &work)
      }
    }
  }

  private func addDeinits(to work: inout RemainingWork) {
    for instance in process.instances.alive where !work.isFull {
      let record = process.instances.instance(instance)
      let type = process.program.classes[Int(record.type)]
      guard let block = type.deinitializer else { continue }
      var reach = CodeReach()
      reach.add(deinit: block, of: instance, self)
      takeUncalled(
        .init(name: type.name, stand: .deinitializer, place: record.madeAt), reach, to: &work)
    }
  }

  /// Adds code that may never be called: calls in it that are not known do not count as remaining work.
  private func takeUncalled(
    _ piece: RemainingWork.Piece, _ reach: CodeReach, to work: inout RemainingWork
  ) {
    if !reach.calls.isEmpty { work.add(piece, reach.calls, isPartial: false) }
  }

  // MARK: Code that is past

  /// How many threads and tasks are looked at for code that is past: many alike say no more than one.
  private static let mostPast = 1_000

  /// The instructions that would end waits in code that was begun, from its beginning on: what is past, and what was
  /// skipped.
  private func pastCalls() -> [EndingSite] {
    var past: [EndingSite] = []
    for block in [process.program.initializer, process.program.main].compactMap(\.self)
      + process.program.arrivals.map(\.body)
    {
      var reach = CodeReach()
      reach.add(block: block, self)
      past += reach.sites
    }
    var left = Self.mostPast
    for thread in process.kernel.threads.ids where left > 0 {
      let record = process.kernel.threads[thread]
      guard record.state == .waiting, record.frame != .none else { continue }
      left -= 1
      var reach = CodeReach()
      reach.add(wholeOf: record.frame, self)
      past += reach.sites
    }
    for task in concurrency.tasks.indices where left > 0 {
      let record = concurrency.tasks[task]
      guard record.thread.isNone, record.state == .suspended else { continue }
      left -= 1
      var reach = CodeReach()
      reach.add(wholeOf: record.inner, upTo: record.frame, self)
      past += reach.sites
    }
    return past
  }
}
