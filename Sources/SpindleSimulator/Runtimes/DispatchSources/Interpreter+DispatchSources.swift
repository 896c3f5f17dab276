import SpindleModel

/// Dispatch sources: from what happens to the call of a handler.
///
/// A source has at most one item in its queue. What happens while that waits or runs, or while the
/// source is suspended, is merged; when the item has ended, another one is handed over if something
/// is left. Source: swift-corelibs-libdispatch:src/source.c, _dispatch_source_invoke2.
extension Interpreter {
  mutating func dispatchSource(_ primitive: DispatchSourcePrimitive, _ call: Call) -> CallResult {
    switch primitive {
    case .make: makeSource(call)
    case .setEventHandler: setEventHandler(call)
    case .setCancelHandler: setCancelHandler(call)
    case .data: process.give(sources.sources[process.object(0, call)].data, call)
    case .merge: return mergeIntoSource(call)
    case .schedule: scheduleSource(call)
    case .resume: return resumeSource(call)
    case .activate: activateSource(call)
    case .suspend: suspendSource(call)
    case .cancel: cancelSource(call)
    case .isCancelled: process.give(sources.sources[process.object(0, call)].isCancelled, call)
    case .pipeMake: makePipe(call)
    case .pipeWrite: return writeToPipe(call)
    case .pipeRead: return readFromPipe(call)
    case .raiseSignal: return raiseSignal(call)
    case .processMake: return makeProcess(call)
    case .send: return sendMessage(call)
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
  private mutating func makeSource(_ call: Call) {
    guard
      let kind = DispatchSourceClass(rawValue: UInt8(truncatingIfNeeded: process.argument(0, call)))
    else { fatalError("\(process.argument(0, call)) is no class of sources") }
    let queue =
      process.argument(3, call) == noValue
      ? dispatch.standardTarget(.default, overcommit: true) : process.object(3, call)
    var record = DispatchSourceRecord(
      kind: kind, name: process.objectName(process.argument(1, call), "DispatchSource"),
      handle: process.argument(2, call),
      queue: queue, madeAt: Int32(truncatingIfNeeded: call.counter))
    if kind == .process { record.target = sources.processes[process.object(2, call)].end }
    let source = sources.add(record)
    process.noteMaking(.dispatchSource, source, record.name, call)
    noteTarget(queue, of: source, record.name, call, isSource: true)
    if kind == .read || kind == .write { sources.attach(source, toPipe: process.object(2, call)) }
    process.give(Int64(source), call)
  }

  private mutating func setEventHandler(_ call: Call) {
    guard let handler = process.handler(1, call) else { return }
    let source = process.object(0, call)
    if sources.sources[source].isOver { return process.discard(handler) }
    process.discard(sources.sources[source].eventHandler)
    sources.sources[source].eventHandler = handler
  }

  private mutating func setCancelHandler(_ call: Call) {
    guard let handler = process.handler(1, call) else { return }
    let source = process.object(0, call)
    if sources.sources[source].isOver { return process.discard(handler) }
    process.discard(sources.sources[source].cancelHandler)
    sources.sources[source].cancelHandler = handler
  }

  /// `add`, `or`, `replace`: ignored once the source is cancelled.
  private mutating func mergeIntoSource(_ call: Call) -> CallResult {
    let source = process.object(0, call)
    switch sources.sources[source].kind {
    case .dataAdd, .dataOr, .dataReplace: break
    default:
      let name = process.kernel.names.text(NameID(Int(sources.sources[source].name)))
      return process.crash(
        "Fatal error: '\(name)' watches something: nothing can be merged into it", call)
    }
    if sources.sources[source].isCancelled || sources.sources[source].isReleased { return .next }
    sources.merge(process.argument(1, call), into: source)
    wakeSource(source, by: call.thread)
    return .next
  }

  /// `schedule`: firings that were not delivered yet are forgotten.
  ///
  /// An interval of 0 is one of 1 ns, a negative one or `.never` fires once.
  /// Source: swift-corelibs-libdispatch:src/source.c, _dispatch_timer_config_create.
  private mutating func scheduleSource(_ call: Call) {
    let source = process.object(0, call)
    if sources.sources[source].kind != .timer || sources.sources[source].isCancelled { return }
    let (deadline, given) = (process.argument(1, call), process.argument(2, call))
    var target = DispatchSourceRecord.never
    if deadline != noValue && deadline != Int64.max {
      target = Int64(
        clamping: Int128(deadline) - Int128(process.kernel.now - process.kernel.uptime))
    }
    sources.sources[source].target = target
    sources.sources[source].interval = given < 0 ? DispatchSourceRecord.never : max(1, given)
    disarm(source)
    wakeSource(source, by: call.thread)
  }

  // MARK: Resuming and suspending

  /// `resume()` activates a source that was just made; each later one needs a `suspend()`.
  ///
  /// Source: swift-corelibs-libdispatch:src/queue.c, _dispatch_lane_resume.
  private mutating func resumeSource(_ call: Call) -> CallResult {
    let source = process.object(0, call)
    if sources.sources[source].suspensions == 0 {
      if !sources.sources[source].isInactive { return overResume(source, call) }
      activateSource(call)
      return .next
    }
    sources.sources[source].suspensions -= 1
    noteHold(.queueResumed, source, call)
    wakeSource(source, by: call.thread)
    return .next
  }

  private mutating func activateSource(_ call: Call) {
    let source = process.object(0, call)
    if !sources.sources[source].isInactive { return }
    sources.sources[source].isInactive = false
    noteHold(.queueActivated, source, call)
    wakeSource(source, by: call.thread)
  }

  private mutating func suspendSource(_ call: Call) {
    let source = process.object(0, call)
    sources.sources[source].suspensions += 1
    disarm(source)
    noteHold(.queueSuspended, source, call)
  }

  private mutating func noteHold(_ event: LogEvent, _ source: Int32, _ call: Call) {
    process.kernel.record(
      event, thread: call.thread, detail: DispatchObject.source.rawValue,
      object: sources.sources[source].name, subject: source,
      place: Int32(truncatingIfNeeded: call.counter),
      value: Int64(sources.sources[source].suspensions))
  }

  private mutating func overResume(_ source: Int32, _ call: Call) -> CallResult {
    let name = process.kernel.names.text(NameID(Int(sources.sources[source].name)))
    process.kernel.report(
      .overResume, thread: call.thread, places: [Int32(truncatingIfNeeded: call.counter)],
      FindingText.overResumeOfSource(name))
    return process.crash("BUG IN CLIENT OF LIBDISPATCH: Over-resume of an object", call)
  }

  // MARK: Cancelling and releasing

  /// `cancel()`: no event any more; a handler that runs goes on, then the cancel handler is called.
  private mutating func cancelSource(_ call: Call) {
    let source = process.object(0, call)
    if sources.sources[source].isCancelled { return }
    sources.sources[source].isCancelled = true
    disarm(source)
    process.kernel.record(
      .sourceCancelled, thread: call.thread, object: sources.sources[source].name, subject: source,
      place: Int32(truncatingIfNeeded: call.counter))
    wakeSource(source, by: call.thread)
  }

  /// Lets go of a source: crashes in a state that the real library does not let one die in.
  ///
  /// One that is active just falls silent: its cancel handler belongs to `cancel()`.
  /// Source: swift-corelibs-libdispatch:src/object.c, _dispatch_xref_dispose; src/source.c,
  /// _dispatch_source_cancel_callout.
  mutating func releaseSource(_ source: Int32, _ call: Call) -> CallResult {
    let record = sources.sources[source]
    if record.isReleased { return .next }
    if record.isInactive {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of an inactive object", call)
    }
    if record.suspensions > 0 {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of a suspended object", call)
    }
    sources.sources[source].isReleased = true
    disarm(source)
    wakeSource(source, by: call.thread)
    return .next
  }

  /// Whether a source is still there: released ones live while an item of theirs does.
  func isAlive(source: Int32) -> Bool {
    !sources.sources[source].isReleased || !sources.sources[source].isOver
  }

  /// Nothing comes of a source any more: what its handlers held is given back.
  private mutating func end(source: Int32, _ thread: Int32) {
    sources.end(source)
    sources.sources[source].data = 0
    process.discard(sources.sources[source].eventHandler)
    process.discard(sources.sources[source].cancelHandler)
    sources.sources[source].eventHandler = Handler()
    sources.sources[source].cancelHandler = Handler()
    finalizeIfDone(sources.sources[source].queue, thread)
  }

  // MARK: Delivering

  /// Hands an item over for what a source has to deliver, or plans for the time when it will have.
  mutating func wakeSource(_ source: Int32, by thread: Int32) {
    let record = sources.sources[source]
    if record.isBusy || record.isOver || !record.isOpen { return }
    if record.isCancelled || record.isReleased {
      if !record.isCancelled || !record.cancelHandler.isSet { return end(source: source, thread) }
    } else if !sources.isDue(source, at: process.kernel.uptime) {
      return arm(source)
    }
    disarm(source)
    sources.sources[source].isBusy = true
    var item = DispatchItem(kind: .source, queue: record.queue, object: source)
    item.name = record.name
    item.place = record.madeAt
    submit(item, by: thread)
  }

  /// A thread begins the item of a source: it takes all that waits, and calls the handler.
  ///
  /// What happened to the source since the item was handed over counts: a timer that was scheduled
  /// anew has nothing to deliver, a suspended source keeps it.
  mutating func beginSourceEvent(_ source: Int32, _ thread: Int32) {
    let record = sources.sources[source]
    if !record.isOpen { return }
    if record.isCancelled {
      if !record.cancelHandler.isSet { return }
      sources.sources[source].isEnding = true
      sources.sources[source].data = 0
      noteCall(of: source, isCancelHandler: true, thread)
      var handler = record.cancelHandler
      process.enter(&handler, on: thread)
      sources.sources[source].cancelHandler = handler
      return
    }
    guard !record.isReleased, let data = sources.take(source, at: process.kernel.uptime) else {
      return
    }
    sources.sources[source].data = data
    if !record.eventHandler.isSet { return }
    noteCall(of: source, isCancelHandler: false, thread)
    var handler = record.eventHandler
    process.enter(&handler, on: thread)
    sources.sources[source].eventHandler = handler
  }

  /// Notes that a handler of a source is called.
  private mutating func noteCall(of source: Int32, isCancelHandler: Bool, _ thread: Int32) {
    let record = sources.sources[source]
    process.frames.registers(process.kernel.threads[thread].frame)[3] = 1
    let handler: SourceHandler = isCancelHandler ? .cancel : .event
    process.kernel.record(
      .sourceFired, thread: thread, detail: handler.rawValue, object: record.name,
      subject: source, place: record.madeAt, value: record.data)
  }

  /// The item of a source has ended: what has come meanwhile goes to the end of the queue.
  mutating func endSourceEvent(_ source: Int32, called: Bool, _ thread: Int32) {
    if called { process.kernel.recordDetail(.handlerEnded, thread: thread) }
    sources.sources[source].isBusy = false
    if sources.sources[source].isEnding { return end(source: source, thread) }
    wakeSource(source, by: thread)
  }

  // MARK: Timers

  /// Plans the moment at which a source is due; only one that may deliver keeps a run going.
  private mutating func arm(_ source: Int32) {
    let record = sources.sources[source]
    if !record.isTimed || record.plan >= 0 || record.target == DispatchSourceRecord.never { return }
    let time = (Instant(record.target) + Nanoseconds(process.kernel.now - process.kernel.uptime))
      .nanoseconds
    sources.sources[source].plan = process.kernel.plan(
      .sourceEvent, source, at: time, isWorld: record.kind == .process)
  }

  private mutating func disarm(_ source: Int32) {
    if sources.sources[source].plan < 0 { return }
    process.kernel.cancel(plan: sources.sources[source].plan)
    sources.sources[source].plan = -1
  }

  /// The moment of a source has come.
  mutating func sourceIsDue(_ source: Int32) {
    sources.sources[source].plan = -1
    wakeSource(source, by: -1)
  }
}
