import SpindleModel

/// Continuations. Source: swift:stdlib/public/Concurrency/Task.cpp, swift_continuation_await;
/// CheckedContinuation.swift.
extension ConcurrencyRuntime {
  mutating func continuation(
    _ primitive: ContinuationPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let given = ContinuationRecord.Index(process.object(0, call))
    switch primitive {
    case .make, .await:
      if task(of: call.thread, process).isNone { return process.crash(Self.needsTask, call) }
    case .resume, .resumeThrowing, .resumedTwice: break
    }
    switch primitive {
    case .make:
      let made = continuations.add(
        ContinuationRecord(
          task: task(of: call.thread, process), isChecked: given.raw != 0,
          function: process.object(1, call), madeAt: Int32(truncatingIfNeeded: call.counter)))
      process.give(made.register, call)
      return .next
    case .await:
      let record = continuations.at(given)
      demand(
        record.pointee.task == task(of: call.thread, process),
        "continuation \(given) of task \(record.pointee.task) is awaited by another")
      if !record.pointee.isResumed {
        record.pointee.isAwaited = true
        return suspend(call, .continuation, given.raw, &dispatch, &process)
      }
      process.kernel.acquires(.continuation, given.raw, by: call.thread)
      if record.pointee.error != noValue { return process.raise(record.pointee.error) }
      process.give(record.pointee.value, call)
      return .next
    case .resume:
      return resume(
        given, value: process.argument(1, call), error: noValue, call, &dispatch, &process)
    case .resumeThrowing:
      return resume(
        given, value: noValue, error: process.argument(1, call), call, &dispatch, &process)
    case .resumedTwice:
      let text = process.kernel.text(process.argument(1, call))
      return crashResumedTwice(given, "returning \(text)", call, &process)
    }
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(
    of primitive: ContinuationPrimitive, _ call: Call, _ process: borrowing Process
  ) -> Int64 {
    switch primitive {
    case .make, .await, .resumedTwice: 0
    case .resume, .resumeThrowing: process.kernel.costs.taskSwitch.rawValue
    }
  }

  /// Nothing has a continuation any more: when nobody has resumed it, nobody ever will.
  ///
  /// Source: swift:stdlib/public/Concurrency/CheckedContinuation.swift, deinit of CheckedContinuationCanary, which
  /// says so at once.
  mutating func letGo(
    ofContinuation index: ContinuationRecord.Index, by thread: ThreadID, _ process: inout Process
  ) {
    let record = continuations.at(index)
    demand(!record.pointee.isLost, "continuation \(index) dies twice")
    record.pointee.isLost = true
    if record.pointee.isResumed { return }
    process.kernel.report(
      .continuationNeverResumed, thread: thread, places: [record.pointee.madeAt],
      FindingText.continuationLost(name(record.pointee.task, process)))
  }

  private mutating func resume(
    _ index: ContinuationRecord.Index, value: Int64, error: Int64, _ call: Call,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let record = continuations.at(index)
    if record.pointee.isResumed { return resumedTwice(index, error: error, call, &process) }
    process.give(false, call)
    (record.pointee.resumedAt, record.pointee.resumed) = (
      Int32(truncatingIfNeeded: call.counter), process.kernel.now
    )
    demand(
      !record.pointee.isAwaited || tasks[record.pointee.task].wait == .continuation,
      "task \(record.pointee.task) waits for its continuation and \(tasks[record.pointee.task].wait)"
    )
    record.pointee.isResumed = true
    process.kernel.releases(.continuation, index.raw, by: call.thread)
    (record.pointee.value, record.pointee.error) = (value, error)
    if record.pointee.isAwaited {
      wake(record.pointee.task, value, error: error, by: call.thread, &dispatch, &process)
    }
    return .next
  }
}
