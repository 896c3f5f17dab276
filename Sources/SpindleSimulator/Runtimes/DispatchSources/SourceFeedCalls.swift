import SpindleModel

/// What feeds dispatch sources: pipes, signals, processes, messages.
extension SourceRuntime {
  mutating func makePipe(_ call: Call, _ process: inout Process) {
    let name = process.objectName(process.argument(0, call), "Pipe")
    let capacity = PipeRecord.capacity(isDarwin: process.kernel.machine.isDarwin)
    let made = pipes.add(PipeRecord(name: name, capacity: capacity))
    process.noteMaking(.pipe, made.raw, name, call, value: capacity)
    process.give(made.register, call)
  }

  mutating func writeToPipe(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let (pipe, bytes) = (process.pipe(0, call), process.argument(1, call))
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: a pipe \(fault)", call)
    }
    process.kernel.releases(.pipe, pipe.raw, by: call.thread)
    if !pipes[pipe].write(bytes) {
      return process.crash("Fatal error: what waits for room in a pipe takes more than 1 EB", call)
    }
    wakeSources(of: pipe, by: call.thread, &dispatch, &process)
    return .next
  }

  mutating func readFromPipe(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let (pipe, bytes) = (process.pipe(0, call), process.argument(1, call))
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: a pipe \(fault)", call)
    }
    let taken = pipes[pipe].read(bytes)
    if taken > 0 { process.kernel.acquires(.pipe, pipe.raw, by: call.thread) }
    process.give(taken, call)
    wakeSources(of: pipe, by: call.thread, &dispatch, &process)
    return .next
  }

  /// Wakes the sources of both ends of a pipe.
  private mutating func wakeSources(
    of pipe: PipeRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    var source = pipes[pipe].sources.first
    while !source.isNone {
      wakeSource(source, by: thread, &dispatch, &process)
      source = sources[source].next
    }
  }

  mutating func makeProcess(_ call: Call, _ process: inout Process) -> CallResult {
    let duration = process.argument(1, call)
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: a process \(fault)", call)
    }
    let record = ProcessRecord(
      name: process.objectName(process.argument(0, call), "Process"),
      end: process.kernel.uptime + duration)
    process.give(processes.add(record).register, call)
    return .next
  }

  mutating func sendMessage(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let source = process.source(0, call)
    if sources[source].kind != .machReceive {
      let name = process.kernel.text(sources[source].name)
      return process.crash("Fatal error: '\(name)' has no port that takes messages", call)
    }
    send(process.argument(1, call), to: source)
    wakeSource(source, by: call.thread, &dispatch, &process)
    return .next
  }

  // MARK: Signals

  /// Sends a signal to the process: to the sources that watch it, else it does what it does by
  /// default.
  ///
  /// A source alone does not keep a real Darwin process alive: the signal has to be ignored as well,
  /// which is taken for done. Source: dispatch/source.h, DISPATCH_SOURCE_TYPE_SIGNAL.
  mutating func raiseSignal(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let signal = process.argument(0, call)
    process.kernel.record(
      .signalRaised, thread: call.thread, object: process.object(0, call),
      place: Int32(truncatingIfNeeded: call.counter))
    var isWatched = false
    for source in watchers(of: signal) {
      let record = sources[source]
      if record.isCancelled || record.isReleased { continue }
      isWatched = true
      if record.isInactive {
        sources[source].missed += 1
      } else {
        sources[source].pending += 1
        wakeSource(source, by: call.thread, &dispatch, &process)
      }
    }
    let name = process.kernel.text(process.object(0, call))
    if isWatched || name == "SIGCHLD" { return .next }
    process.outcome = Outcome(
      .killed, message: "Terminated by signal \(name), which no source watches",
      place: process.program.places[call.counter])
    return .stopped
  }

  // MARK: Findings

  /// Reports the sources and queues that were never activated and kept something waiting.
  mutating func reportNeverResumed(_ dispatch: inout DispatchRuntime, _ process: inout Process) {
    switch process.outcome?.kind {
    case .crashed, .killed, .refused, .policyFault: return
    case .finished, .deadlock, .timeLimit, .stepLimit, nil: break
    }
    for source in sources.indices {
      let record = sources[source]
      if !record.isInactive || record.isCancelled { continue }
      guard let loss = loss(of: source, process) else { continue }
      let name = process.kernel.text(record.name)
      process.kernel.report(
        .neverResumed, thread: .none, places: [record.madeAt],
        FindingText.neverActivatedSource(name, loss: loss))
    }
    for queue in dispatch.queues.indices {
      let record = dispatch.queues[queue]
      if record.isOpen || record.count == 0 || !record.isInactive && isWaitedFor(queue, dispatch) {
        continue
      }
      if !record.isInactive {
        process.kernel.report(
          .neverResumed, thread: .none,
          places: [dispatch.items[record.items.first].place, record.madeAt],
          FindingText.neverResumedQueue(
            dispatch.name(queue, process.kernel), items: Int(record.count)))
        continue
      }
      process.kernel.report(
        .neverResumed, thread: .none, places: [record.madeAt],
        FindingText.neverActivatedQueue(
          dispatch.name(queue, process.kernel), items: Int(record.count)))
    }
  }

  /// Whether a thread waits in `sync` for a queue, so that a deadlock tells of it.
  private func isWaitedFor(
    _ queue: DispatchQueueRecord.Index, _ dispatch: borrowing DispatchRuntime
  ) -> Bool {
    var item = dispatch.queues[queue].items.first
    while !item.isNone {
      if dispatch.items[item].kind == .sync { return true }
      item = dispatch.items[item].next
    }
    return false
  }

  /// What is lost since a source was never activated; nil when nothing is.
  private func loss(of source: DispatchSourceRecord.Index, _ process: borrowing Process)
    -> FindingStatement?
  {
    let record = sources[source]
    switch record.kind {
    case .timer where record.target != DispatchSourceRecord.never:
      return FindingText.lostTimer
    case .dataAdd, .dataOr, .dataReplace:
      if record.pending != 0 { return FindingText.lostMerge(of: Int(record.pending)) }
    case .signal:
      if record.missed > 0 { return FindingText.lostSignals(Int(record.missed)) }
    case .read, .process, .machReceive:
      if isDue(source, at: process.kernel.uptime) { return FindingText.lostEvent }
    case .timer, .write: break
    }
    return record.eventHandler.isSet ? FindingText.lostHandler : nil
  }
}
