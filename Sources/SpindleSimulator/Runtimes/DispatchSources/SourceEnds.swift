import SpindleModel

/// Cancelling dispatch sources, and letting go of them.
extension SourceRuntime {
  /// `cancel()`: no event any more; a handler that runs goes on, then the cancel handler is called.
  mutating func cancelSource(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let source = process.source(0, call)
    if sources[source].isCancelled { return }
    sources[source].isCancelled = true
    process.kernel.releases(.sourceCancellation, source.raw, by: call.thread)
    disarm(source, &process)
    process.kernel.record(
      .sourceCancelled, thread: call.thread, object: sources[source].name, subject: source.raw,
      place: Int32(truncatingIfNeeded: call.counter))
    wakeSource(source, by: call.thread, &dispatch, &process)
  }

  /// Lets go of a source: crashes in a state that the real library does not let one die in.
  ///
  /// One that is active just falls silent: its cancel handler belongs to `cancel()`.
  /// Source: swift-corelibs-libdispatch:src/object.c, _dispatch_xref_dispose; src/source.c,
  /// _dispatch_source_cancel_callout.
  mutating func releaseSource(
    _ source: DispatchSourceRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let record = sources[source]
    if record.isReleased { return .next }
    if record.isInactive {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of an inactive object", call)
    }
    if record.suspensions > 0 {
      return process.crash("BUG IN CLIENT OF LIBDISPATCH: Release of a suspended object", call)
    }
    reportSilence(of: source, call, &process)
    sources[source].isReleased = true
    disarm(source, &process)
    wakeSource(source, by: call.thread, &dispatch, &process)
    return .next
  }

  /// Reports a timer that nothing holds any more before it has fired once.
  private func reportSilence(
    of source: DispatchSourceRecord.Index, _ call: Call, _ process: inout Process
  ) {
    let record = sources[source]
    assert(!record.isReleased, "source \(source) is let go of twice")
    guard record.kind == .timer, record.eventHandler.isSet, !record.isCancelled, !record.hasFired,
      !record.isBusy, record.target != DispatchSourceRecord.never
    else { return }
    process.kernel.report(
      .neverFires, thread: call.thread,
      places: [record.madeAt, Int32(truncatingIfNeeded: call.counter)],
      FindingText.silentTimer(process.kernel.text(record.name)))
  }

  /// Whether a source is still there: released ones live while an item of theirs does.
  func isAlive(source: DispatchSourceRecord.Index) -> Bool {
    let record = sources[source]
    return !record.isReleased || !record.isOver && !record.isDropped
  }

  /// Nothing comes of a source any more: what its handlers held is given back.
  mutating func end(
    source: DispatchSourceRecord.Index, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if !sources[source].isOver { dispatch.letHold(sources[source].queue) }
    end(source)
    sources[source].data = 0
    dropHandlers(of: source, &process)
    dispatch.finalizeIfDone(sources[source].queue, thread, &process)
  }

  mutating func dropHandlers(of source: DispatchSourceRecord.Index, _ process: inout Process) {
    assert(
      sources[source].isOver || sources[source].isDropped,
      "source \(source) loses its handlers, and may call them")
    process.discard(sources[source].eventHandler)
    process.discard(sources[source].cancelHandler)
    sources[source].eventHandler = Handler()
    sources[source].cancelHandler = Handler()
  }

  /// Whether a handler of a source holds anything: then it is let go of on the source's queue, behind what waits there.
  ///
  /// Where none does, nobody sees that. Source: swift-corelibs-libdispatch:src/source.c, _dispatch_source_invoke2 and
  /// _dispatch_source_cancel_callout.
  func hasHolder(_ source: DispatchSourceRecord.Index, _ process: borrowing Process) -> Bool {
    process.holdsAnything(sources[source].eventHandler)
      || process.holdsAnything(sources[source].cancelHandler)
  }
}
