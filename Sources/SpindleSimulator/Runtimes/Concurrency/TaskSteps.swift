import SpindleModel

/// Something that a thread does when it cancels or raises a task, or ends a stream, among closures of the trace that
/// it calls.
struct TaskStep: BitwiseCopyable {
  typealias Index = TableIndex<TaskStep>

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
  /// The one behind it.
  var next = Index.none
}

extension ConcurrencyRuntime {
  /// Something is to be done behind what is planned already.
  mutating func plan(_ kind: TaskStep.Kind, _ object: Int32, _ value: Int64 = noValue) {
    insert(TaskStep(kind: kind, object: object, value: value), behind: lastStep)
  }

  private mutating func insert(_ step: TaskStep, behind previous: TaskStep.Index) {
    var step = step
    step.next = previous.isNone ? firstStep : steps[previous].next
    let made = steps.add(step)
    if previous.isNone { firstStep = made } else { steps[previous].next = made }
    if lastStep == previous { lastStep = made }
  }

  /// All that was planned behind `mark` is done under the status lock of a task.
  mutating func lockAround(_ task: TaskRecord.Index, from mark: TaskStep.Index) {
    if lastStep == mark { return }
    insert(TaskStep(kind: .lock, object: task.raw), behind: mark)
    plan(.unlock, task.raw)
  }

  /// The steps that were planned, which are somebody's from now on.
  private mutating func takeSteps() -> (first: TaskStep.Index, last: TaskStep.Index) {
    defer { (firstStep, lastStep) = (.none, .none) }
    return (firstStep, lastStep)
  }

  /// Lets a thread do what is planned before it goes on with its call; the world outside has a thread of the pool
  /// do it.
  @discardableResult
  mutating func doSteps(
    _ thread: ThreadID, isCall: Bool = true, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    if firstStep.isNone { return .next }
    let first = takeSteps().first
    if thread.isNone {
      let job = jobs.add(JobRecord(kind: .handlers, object: first.raw, priority: .medium))
      enqueue(job, by: .none, &dispatch, &process)
      return .next
    }
    pushSteps(first, isCall: isCall, on: thread, &process)
    return .entered
  }

  /// A thread does steps before it goes on with what it does.
  mutating func pushSteps(
    _ first: TaskStep.Index, isCall: Bool, on thread: ThreadID, _ process: inout Process
  ) {
    let result = process.worldResult
    let frame = process.push(.taskHandlers, registers: 3, on: thread)
    let registers = process.frames.registers(frame)
    (registers[0], registers[1], registers[2]) = (result, isCall ? 1 : 0, first.register)
  }

  /// A thread does its next step.
  mutating func resumeSteps(
    _ frame: FrameIndex, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let present = TaskStep.Index(register: process.frames.registers(frame)[2])
    guard !present.isNone else { return endSteps(frame, thread, &process) }
    let step = steps[present]
    switch step.kind {
    case .lock: if !takeStatus(of: .init(step.object), by: thread, &process) { return .left }
    case .endReader, .goOn:
      if waitsForStatus(of: .init(step.object), thread, &process) { return .left }
    case .call, .unlock, .cancel, .endStream: break
    }
    process.frames.registers(frame)[2] = step.next.register
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
      demand(step.next.isNone, "a task goes on with steps left")
      process.takeOff(frame, thread)
      resumeTask(.init(step.object), on: thread, &process)
      return process.thrown == noValue ? .goOn : .raises
    }
    if !firstStep.isNone {
      let planned = takeSteps()
      steps[planned.last].next = step.next
      process.frames.registers(frame)[2] = planned.first.register
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
