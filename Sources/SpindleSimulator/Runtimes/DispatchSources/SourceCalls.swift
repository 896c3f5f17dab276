import SpindleModel

/// Dispatch sources: from what happens to the call of a handler.
///
/// A source has at most one item in its queue. What happens while that waits or runs, or while the
/// source is suspended, is merged; when the item has ended, another one is handed over if something
/// is left. Source: swift-corelibs-libdispatch:src/source.c, _dispatch_source_invoke2.
extension SourceRuntime {
  mutating func dispatchSource(
    _ primitive: DispatchSourcePrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    switch primitive {
    case .setEventHandler, .setCancelHandler, .schedule, .merge, .resume, .activate, .cancel, .send:
      process.kernel.releases(.source, process.source(0, call).raw, by: call.thread)
    case .make, .data, .suspend, .isCancelled, .pipeMake, .pipeWrite, .pipeRead, .raiseSignal,
      .processMake:
      break
    }
    switch primitive {
    case .make: return makeSource(call, &dispatch, &process)
    case .setEventHandler: setEventHandler(call, &process)
    case .setCancelHandler: setCancelHandler(call, &process)
    case .data: process.give(sources[process.source(0, call)].data, call)
    case .merge: return mergeIntoSource(call, &dispatch, &process)
    case .schedule: scheduleSource(call, &dispatch, &process)
    case .resume: return resumeSource(call, &dispatch, &process)
    case .activate: activateSource(call, &dispatch, &process)
    case .suspend: suspendSource(call, &process)
    case .cancel: cancelSource(call, &dispatch, &process)
    case .isCancelled:
      process.kernel.acquires(.sourceCancellation, process.source(0, call).raw, by: call.thread)
      process.give(sources[process.source(0, call)].isCancelled, call)
    case .pipeMake: makePipe(call, &process)
    case .pipeWrite: return writeToPipe(call, &dispatch, &process)
    case .pipeRead: return readFromPipe(call, &dispatch, &process)
    case .raiseSignal: return raiseSignal(call, &dispatch, &process)
    case .processMake: return makeProcess(call, &process)
    case .send: return sendMessage(call, &dispatch, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: DispatchSourcePrimitive) -> Int64 {
    switch primitive {
    case .make, .setEventHandler, .setCancelHandler, .data, .merge, .schedule, .resume, .activate,
      .suspend, .cancel, .isCancelled, .pipeMake, .pipeWrite, .pipeRead, .raiseSignal,
      .processMake, .send:
      0
    }
  }

  /// Makes a source, inactive; without a queue of its own it has the global one.
  ///
  /// Source: swift-corelibs-libdispatch:src/source.c, dispatch_source_create.
  private mutating func makeSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let given = SourceMakeArguments(call, process)
    guard let kind = DispatchSourceClass(rawValue: UInt8(truncatingIfNeeded: given.kind)) else {
      fatalError("\(given.kind) is no class of sources")
    }
    let standard = dispatch.standardTarget(.default, overcommit: true)
    let queue = given.queue.isNone ? standard : given.queue
    if dispatch.isResurrected(queue, by: call.thread, &process) { return .stopped }
    var record = DispatchSourceRecord(
      kind: kind, name: process.objectName(given.name, "DispatchSource"), handle: given.handle,
      queue: queue, madeAt: Int32(truncatingIfNeeded: call.counter))
    if kind == .process { record.target = processes[.init(register: given.handle)].end }
    let source = add(record)
    dispatch.queues[queue].holds += 1
    process.noteMaking(.dispatchSource, source.raw, record.name, call)
    dispatch.noteTarget(queue, of: source.raw, record.name, call, isSource: true, &process)
    if kind == .read || kind == .write { attach(source, toPipe: .init(register: given.handle)) }
    process.give(source.register, call)
    return .next
  }

  private mutating func setEventHandler(_ call: Call, _ process: inout Process) {
    // `nil` takes away the one that is there.
    let handler = process.handler(1, call) ?? Handler()
    let source = process.source(0, call)
    if sources[source].isOver { return process.discard(handler) }
    process.discard(sources[source].eventHandler)
    sources[source].eventHandler = handler
  }

  private mutating func setCancelHandler(_ call: Call, _ process: inout Process) {
    let handler = process.handler(1, call) ?? Handler()
    let source = process.source(0, call)
    if sources[source].isOver { return process.discard(handler) }
    process.discard(sources[source].cancelHandler)
    sources[source].cancelHandler = handler
  }

  /// `add`, `or`, `replace`: ignored once the source is cancelled.
  private mutating func mergeIntoSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let source = process.source(0, call)
    switch sources[source].kind {
    case .dataAdd, .dataOr, .dataReplace: break
    case .timer, .read, .write, .signal, .process, .machReceive:
      let name = process.kernel.text(sources[source].name)
      return process.crash(
        "Fatal error: '\(name)' watches something: nothing can be merged into it", call)
    }
    if sources[source].isCancelled || sources[source].isReleased { return .next }
    merge(process.argument(1, call), into: source)
    wakeSource(source, by: call.thread, &dispatch, &process)
    return .next
  }

  /// `schedule`: firings that were not delivered yet are forgotten.
  ///
  /// An interval of 0 is one of 1 ns, a negative one or `.never` fires once.
  /// Source: swift-corelibs-libdispatch:src/source.c, _dispatch_timer_config_create.
  private mutating func scheduleSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let given = SourceScheduleArguments(call, process)
    let source = given.source
    if sources[source].kind != .timer || sources[source].isCancelled { return }
    var target = DispatchSourceRecord.never
    if let deadline = given.deadline {
      target = Int64(
        clamping: Int128(deadline) - Int128(process.kernel.now - process.kernel.uptime))
    }
    sources[source].target = target
    sources[source].interval =
      given.interval < 0 ? DispatchSourceRecord.never : max(1, given.interval)
    disarm(source, &process)
    wakeSource(source, by: call.thread, &dispatch, &process)
  }

  // MARK: Resuming and suspending

  /// `resume()` activates a source that was just made; each later one needs a `suspend()`.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_resume.
  private mutating func resumeSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let source = process.source(0, call)
    if sources[source].suspensions == 0 {
      if !sources[source].isInactive { return overResume(source, call, &process) }
      activateSource(call, &dispatch, &process)
      return .next
    }
    sources[source].suspensions -= 1
    noteHold(.queueResumed, source, call, &process)
    wakeSource(source, by: call.thread, &dispatch, &process)
    return .next
  }

  private mutating func activateSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let source = process.source(0, call)
    if !sources[source].isInactive { return }
    sources[source].isInactive = false
    assert(!sources[source].isBusy, "source \(source), which is inactive, has an item")
    noteHold(.queueActivated, source, call, &process)
    wakeSource(source, by: call.thread, &dispatch, &process)
  }

  private mutating func suspendSource(_ call: Call, _ process: inout Process) {
    let source = process.source(0, call)
    sources[source].suspensions += 1
    disarm(source, &process)
    noteHold(.queueSuspended, source, call, &process)
  }

  private mutating func noteHold(
    _ event: LogEvent, _ source: DispatchSourceRecord.Index, _ call: Call, _ process: inout Process
  ) {
    process.kernel.record(
      event, thread: call.thread, detail: DispatchObject.source.rawValue,
      object: sources[source].name, subject: source.raw,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(sources[source].suspensions))
  }

  private mutating func overResume(
    _ source: DispatchSourceRecord.Index, _ call: Call, _ process: inout Process
  )
    -> CallResult
  {
    let name = process.kernel.text(sources[source].name)
    process.kernel.report(
      .overResume, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
      FindingText.overResumeOfSource(name))
    return process.crash("BUG IN CLIENT OF LIBDISPATCH: Over-resume of an object", call)
  }

  // MARK: Delivering

  /// Hands an item over for what a source has to deliver, or plans for the time when it will have.
  ///
  /// One of merged data whose handler `ended` when it had been cancelled, or let go of, goes on with its cancel handler, or
  /// lets go of what it has, in front of what waits in its queue, and so does a timer that was due again meanwhile; the
  /// others are taken from the system first, elsewhere. Source: swift-corelibs-libdispatch:src/source.c, _dispatch_source_invoke2.
  mutating func wakeSource(
    _ source: DispatchSourceRecord.Index, by thread: ThreadID, ended: Bool = false,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    process.kernel.releases(.source, source.raw, by: thread)
    let record = sources[source]
    if record.isBusy || record.isOver || !record.isOpen { return }
    if record.isCancelled || record.isReleased {
      if !record.isCancelled || !record.cancelHandler.isSet {
        if !hasHolder(source, process) { return end(source: source, thread, &dispatch, &process) }
        sources[source].isDropped = true
      }
    } else if !isDue(source, at: process.kernel.uptime) {
      return arm(source, &process)
    }
    disarm(source, &process)
    assert(!dispatch.queues[record.queue].isGone, "the queue of source \(source) is gone")
    sources[source].isBusy = true
    var item = DispatchItem(.source, source.raw, queue: record.queue)
    item.name = record.name
    item.place = record.madeAt
    let isMerged = [.dataAdd, .dataOr, .dataReplace].contains(record.kind)
    let wasDue = record.kind == .timer && record.target <= process.kernel.uptime
    if ended && (record.isCancelled || record.isReleased) && (isMerged || wasDue) {
      dispatch.submitNext(item, by: thread, &process)
    } else {
      dispatch.submit(item, by: thread, &process)
    }
  }

  /// A thread begins the item of a source: it takes all that waits, and calls the handler.
  ///
  /// What happened to the source since the item was handed over counts: a timer that was scheduled
  /// anew has nothing to deliver, a suspended source keeps it.
  mutating func beginSourceEvent(
    _ source: DispatchSourceRecord.Index, _ thread: ThreadID, _ process: inout Process
  ) {
    let record = sources[source]
    demand(record.isBusy, "source \(source) has no item that could begin")
    if !record.isOpen { return }
    if record.isDropped { return dropHandlers(of: source, &process) }
    if record.isCancelled {
      if !record.cancelHandler.isSet { return }
      sources[source].isEnding = true
      sources[source].data = 0
      // What the event handler alone held dies before. Source: src/source.c, _dispatch_source_cancel_callout.
      process.discard(sources[source].eventHandler)
      sources[source].eventHandler = Handler()
      noteCall(of: source, isCancelHandler: true, thread, &process)
      var handler = record.cancelHandler
      process.enter(&handler, on: thread)
      sources[source].cancelHandler = handler
      return
    }
    guard !record.isReleased, let data = take(source, at: process.kernel.uptime) else {
      return
    }
    sources[source].data = data
    if !record.eventHandler.isSet { return }
    sources[source].hasFired = true
    noteCall(of: source, isCancelHandler: false, thread, &process)
    var handler = record.eventHandler
    process.enter(&handler, on: thread)
    sources[source].eventHandler = handler
  }

  /// Notes that a handler of a source is called.
  private mutating func noteCall(
    of source: DispatchSourceRecord.Index, isCancelHandler: Bool, _ thread: ThreadID,
    _ process: inout Process
  ) {
    let record = sources[source]
    ItemFrame(process.kernel.threads[thread].frame).setCalled(process)
    let handler: SourceHandler = isCancelHandler ? .cancel : .event
    process.kernel.record(
      .sourceFired, thread: thread, detail: handler.rawValue, object: record.name,
      subject: source.raw, place: record.madeAt, value: record.data)
  }

  /// The item of a source has ended: what has come meanwhile goes to the end of the queue.
  ///
  /// Who has called the handler of a repeating timer sets that anew, and it fires no more until then. Source:
  /// swift-corelibs-libdispatch:src/source.c, _dispatch_source_invoke2; src/event/event.c, _dispatch_timer_unote_resume.
  mutating func endSourceEvent(
    _ source: DispatchSourceRecord.Index, called: Bool, _ thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(sources[source].isBusy, "the item of source \(source) ends, and none runs")
    if called { process.kernel.recordDetail(.handlerEnded, thread: thread) }
    sources[source].isBusy = false
    if sources[source].isEnding { return end(source: source, thread, &dispatch, &process) }
    let record = sources[source]
    if called && record.kind == .timer && record.target != DispatchSourceRecord.never
      && !record.isCancelled && !record.isReleased
    {
      let cost = process.kernel.costs.sourceTimer.rawValue
      sources[source].armed = process.kernel.uptime + cost
      process.kernel.threads.at(thread).charge(cost)
    }
    wakeSource(source, by: thread, ended: called, &dispatch, &process)
  }

  // MARK: Timers

  /// Plans the moment at which a source is due; only one that may deliver keeps a run going.
  private mutating func arm(_ source: DispatchSourceRecord.Index, _ process: inout Process) {
    let record = sources[source]
    if !record.isTimed || !record.plan.isNone || record.target == DispatchSourceRecord.never {
      return
    }
    assert(record.isOpen && !record.isBusy, "source \(source) is armed and may not fire")
    let time =
      (Instant(max(record.target, record.armed))
      + Nanoseconds(process.kernel.now - process.kernel.uptime))
      .nanoseconds
    sources[source].plan = process.kernel.plan(
      .sourceEvent, source.raw, at: time, isWorld: record.kind == .process)
  }

  mutating func disarm(_ source: DispatchSourceRecord.Index, _ process: inout Process) {
    if sources[source].plan.isNone { return }
    process.kernel.cancel(plan: sources[source].plan)
    assert(sources[source].isTimed, "source \(source) waits for no moment and had a plan")
    sources[source].plan = .none
  }

  /// The moment of a source has come.
  mutating func sourceIsDue(
    _ source: DispatchSourceRecord.Index, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(!sources[source].plan.isNone, "source \(source) is due, and nothing was planned")
    sources[source].plan = .none
    wakeSource(source, by: .none, &dispatch, &process)
  }
}
