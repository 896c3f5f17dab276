import SpindleModel

/// What feeds dispatch sources: pipes, signals, processes, messages.
extension Interpreter {
  mutating func makePipe(_ call: Call) {
    let name = process.objectName(process.argument(0, call), "Pipe")
    let capacity = PipeRecord.capacity(isDarwin: process.kernel.machine.isDarwin)
    let made = sources.pipes.append(PipeRecord(name: name, capacity: capacity))
    process.noteMaking(.pipe, made, name, call, value: capacity)
    process.give(Int64(made), call)
  }

  mutating func writeToPipe(_ call: Call) -> CallResult {
    let (pipe, bytes) = (process.object(0, call), process.argument(1, call))
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: a pipe \(fault)", call)
    }
    if !sources.pipes[pipe].write(bytes) {
      return process.crash("Fatal error: what waits for room in a pipe takes more than 1 EB", call)
    }
    wakeSources(of: pipe, by: call.thread)
    return .next
  }

  mutating func readFromPipe(_ call: Call) -> CallResult {
    let (pipe, bytes) = (process.object(0, call), process.argument(1, call))
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: a pipe \(fault)", call)
    }
    process.give(sources.pipes[pipe].read(bytes), call)
    wakeSources(of: pipe, by: call.thread)
    return .next
  }

  /// Wakes the sources of both ends of a pipe.
  private mutating func wakeSources(of pipe: Int32, by thread: Int32) {
    var source = sources.pipes[pipe].firstSource
    while source >= 0 {
      wakeSource(source, by: thread)
      source = sources.sources[source].nextOfPipe
    }
  }

  mutating func makeProcess(_ call: Call) -> CallResult {
    let duration = process.argument(1, call)
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: a process \(fault)", call)
    }
    let record = ProcessRecord(
      name: process.objectName(process.argument(0, call), "Process"),
      end: process.kernel.uptime + duration)
    process.give(Int64(sources.processes.append(record)), call)
    return .next
  }

  mutating func sendMessage(_ call: Call) -> CallResult {
    let source = process.object(0, call)
    if sources.sources[source].kind != .machReceive {
      let name = process.kernel.names.text(NameID(Int(sources.sources[source].name)))
      return process.crash("Fatal error: '\(name)' has no port that takes messages", call)
    }
    sources.send(process.argument(1, call), to: source)
    wakeSource(source, by: call.thread)
    return .next
  }

  // MARK: Signals

  /// Sends a signal to the process: to the sources that watch it, else it does what it does by
  /// default.
  ///
  /// A source alone does not keep a real Darwin process alive: the signal has to be ignored as well,
  /// which is taken for done. Source: dispatch/source.h, DISPATCH_SOURCE_TYPE_SIGNAL.
  mutating func raiseSignal(_ call: Call) -> CallResult {
    let signal = process.argument(0, call)
    process.kernel.record(
      .signalRaised, thread: call.thread, object: process.object(0, call),
      place: Int32(truncatingIfNeeded: call.counter))
    var isWatched = false
    for source in sources.watchers(of: signal) {
      let record = sources.sources[source]
      if record.isCancelled || record.isReleased { continue }
      isWatched = true
      if record.isInactive {
        sources.sources[source].missed += 1
      } else {
        sources.sources[source].pending += 1
        wakeSource(source, by: call.thread)
      }
    }
    let name = process.kernel.names.text(NameID(Int(process.object(0, call))))
    if isWatched || name == "SIGCHLD" { return .next }
    process.outcome = Outcome(
      .killed, message: "Terminated by signal \(name), which no source watches",
      place: process.program.places[call.counter])
    return .stopped
  }

  // MARK: Findings

  /// Reports the sources and queues that were never activated and kept something waiting.
  mutating func reportNeverResumed() {
    switch process.outcome?.kind {
    case .crashed, .killed: return
    default: break
    }
    for source in 0..<Int32(sources.sources.count) {
      let record = sources.sources[source]
      if !record.isInactive || record.isCancelled { continue }
      guard let loss = loss(of: source) else { continue }
      let name = process.kernel.names.text(NameID(Int(record.name)))
      process.kernel.report(
        .neverResumed, thread: -1, places: [record.madeAt],
        FindingText.neverActivatedSource(name, loss: loss))
    }
    for queue in 0..<Int32(dispatch.queues.count) {
      let record = dispatch.queues[queue]
      if record.isOpen || record.count == 0 || !record.isInactive && isWaitedFor(queue) { continue }
      if !record.isInactive {
        process.kernel.report(
          .neverResumed, thread: -1, places: [dispatch.items[record.first].place, record.madeAt],
          FindingText.neverResumedQueue(
            dispatch.name(queue, process.kernel), items: Int(record.count)))
        continue
      }
      process.kernel.report(
        .neverResumed, thread: -1, places: [record.madeAt],
        FindingText.neverActivatedQueue(
          dispatch.name(queue, process.kernel), items: Int(record.count)))
    }
  }

  /// Whether a thread waits in `sync` for a queue, so that a deadlock tells of it.
  private func isWaitedFor(_ queue: Int32) -> Bool {
    var item = dispatch.queues[queue].first
    while item >= 0 {
      if dispatch.items[item].kind == .sync { return true }
      item = dispatch.items[item].next
    }
    return false
  }

  /// What is lost since a source was never activated; nil when nothing is.
  private func loss(of source: Int32) -> String? {
    let record = sources.sources[source]
    switch record.kind {
    case .timer where record.target != DispatchSourceRecord.never:
      return FindingText.lostTimer
    case .dataAdd, .dataOr, .dataReplace:
      if record.pending != 0 { return FindingText.lostMerge(of: Int(record.pending)) }
    case .signal:
      if record.missed > 0 { return FindingText.lostSignals(Int(record.missed)) }
    case .read, .process, .machReceive:
      if sources.isDue(source, at: process.kernel.uptime) { return FindingText.lostEvent }
    case .timer, .write: break
    }
    return record.eventHandler.isSet ? FindingText.lostHandler : nil
  }
}
