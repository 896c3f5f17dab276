import SpindleModel

/// Something that a thread does when it cancels or raises a task, or ends a stream, among closures of the trace that
/// it calls.
struct TaskStep: BitwiseCopyable {
  enum Kind: UInt8 {
    /// Calls a closure: the frame `object`.
    case call
    /// Takes, and gives back, the status lock of the task `object`.
    case lock, unlock
    /// Cancels the task `object`, a child.
    case cancel
    /// Ends the stream `object`, whose reader was cancelled and which has called what it calls then.
    case endStream
    /// The task `object`, which reads a stream, goes on without an element, by the error `value` when that is one.
    case endReader
    /// The task `object` goes on, whose turn it is.
    case goOn
  }

  var kind: Kind
  var object: Int32
  var value = noValue
  /// The one behind it; -1 for none.
  var next: Int32 = -1
}

extension ConcurrencyRuntime {
  /// Something is to be done behind what is planned already.
  mutating func plan(_ kind: TaskStep.Kind, _ object: Int32, _ value: Int64 = noValue) {
    insert(TaskStep(kind: kind, object: object, value: value), behind: lastStep)
  }

  private mutating func insert(_ step: TaskStep, behind previous: Int32) {
    var step = step
    step.next = previous < 0 ? firstStep : steps[previous].next
    let made = steps.insert(step)
    if previous < 0 { firstStep = made } else { steps[previous].next = made }
    if lastStep == previous { lastStep = made }
  }

  /// All that was planned behind `mark` is done under the status lock of a task.
  mutating func lockAround(_ task: TaskRecord.Index, from mark: Int32) {
    if lastStep == mark { return }
    insert(TaskStep(kind: .lock, object: task.raw), behind: mark)
    plan(.unlock, task.raw)
  }

  /// The steps that were planned, which are somebody's from now on.
  private mutating func takeSteps() -> (first: Int32, last: Int32) {
    defer { (firstStep, lastStep) = (-1, -1) }
    return (firstStep, lastStep)
  }

  /// Lets a thread do what is planned before it goes on with its call; the world outside has a thread of the pool
  /// do it.
  @discardableResult
  mutating func doSteps(
    _ thread: ThreadID, isCall: Bool = true, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if firstStep < 0 { return .next }
    let first = takeSteps().first
    if thread.isNone {
      let job = jobs.add(JobRecord(kind: .handlers, object: first, priority: .medium))
      enqueue(job, by: .none, &dispatch, &process)
      return .next
    }
    pushSteps(first, isCall: isCall, on: thread, &process)
    return .entered
  }

  /// A thread does steps before it goes on with what it does.
  mutating func pushSteps(
    _ first: Int32, isCall: Bool, on thread: ThreadID, _ process: inout Process
  ) {
    let result = process.worldResult
    let frame = process.push(.taskHandlers, registers: 3, on: thread)
    let registers = process.frames.registers(frame)
    (registers[0], registers[1], registers[2]) = (result, isCall ? 1 : 0, Int64(first))
  }

  /// A thread does its next step.
  mutating func resumeSteps(
    _ frame: FrameIndex, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let present = Int32(truncatingIfNeeded: process.frames.registers(frame)[2])
    guard present >= 0 else { return endSteps(frame, thread, &process) }
    let step = steps[present]
    switch step.kind {
    case .lock: if !takeStatus(of: .init(step.object), by: thread, &process) { return .left }
    case .endReader, .goOn:
      if waitsForStatus(of: .init(step.object), thread, &process) { return .left }
    case .call, .unlock, .cancel, .endStream: break
    }
    process.frames.registers(frame)[2] = Int64(step.next)
    steps.remove(present)
    switch step.kind {
    case .lock: break
    case .unlock: giveStatus(of: .init(step.object), by: thread, &process)
    case .call:
      process.frames.setParent(.init(step.object), frame)
      process.kernel.threads.at(thread).enter(.init(step.object))
    case .cancel: cancel(.init(step.object), by: thread, &dispatch, &process)
    case .endStream: finish(.init(step.object), by: thread, &dispatch, &process)
    case .endReader:
      wake(.init(step.object), noValue, error: step.value, by: thread, &dispatch, &process)
    case .goOn:
      demand(step.next < 0, "a task goes on with steps left")
      process.takeOff(frame, thread)
      resumeTask(.init(step.object), on: thread, &process)
      return process.thrown == noValue ? .goOn : .raises
    }
    if firstStep >= 0 {
      let planned = takeSteps()
      steps[planned.last].next = step.next
      process.frames.registers(frame)[2] = Int64(planned.first)
    }
    return .goOn
  }

  private func endSteps(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let registers = process.frames.registers(frame)
    let (result, isCall) = (registers[0], registers[1] != 0)
    if isCall {
      process.leave(frame, thread, result: noResult)
    } else {
      process.takeOff(frame, thread)
    }
    // What a frame below is about to take is there still.
    process.worldResult = result
    return .goOn
  }
}
