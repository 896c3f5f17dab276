import SpindleModel

/// Waits that end by themselves: sleeps, input and output, yields.
extension ConcurrencyRuntime {
  /// `Task.sleep`: from the pool; the moment's job passes the queue of medium priority, and then the task
  /// its own.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskSleep.swift, TaskSleepDuration.swift.
  mutating func sleep(
    _ primitive: TaskPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let given = process.argument(0, call)
    if primitive == .sleep, let fault = Arithmetic.fault(ofDuration: max(0, given)) {
      return process.crash("Fatal error: Task.sleep \(fault)", call)
    }
    let task = task(of: call.thread, process)
    if tasks[task].executor != .pool {
      let moved = hop(call, to: .pool, isAgain: true, &dispatch, &process)
      guard case .next = moved else { return moved }
    }
    if tasks[task].isCancelled { return process.throwCancellation(of: tasks.at(task)) }
    let result = suspend(call, .sleep, -1, &dispatch, &process)
    let time = primitive == .sleep ? process.kernel.now + max(0, given) : given
    tasks[task].plan = process.kernel.plan(.sleepEnds, task.raw, at: max(process.kernel.now, time))
    return result
  }

  /// The moment of a sleep has come.
  mutating func sleepIsOver(
    _ task: TaskRecord.Index, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    demand(tasks[task].wait == .sleep, "task \(task) has slept, and waits \(tasks[task].wait)")
    tasks[task].plan = .none
    let job = jobs.add(
      JobRecord(kind: .slept, object: task.raw, priority: .medium, wait: tasks[task].waits))
    enqueue(job, by: .none, &dispatch, &process)
  }

  /// The job of a sleep's end has come to its turn.
  mutating func endSleep(
    _ task: TaskRecord.Index, _ wait: Int32, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    guard tasks[task].waits == wait, tasks[task].state == .suspended else { return }
    wake(task, by: thread, &dispatch, &process)
  }

  /// `await io(…)`: no thread waits, and cancelling the task ends it at once.
  ///
  /// It stands for a call such as `URLSession.data(for:)`, which cancels its transfer in a cancellation handler, and
  /// throws then. Source: swift-corelibs-foundation:Sources/FoundationNetworking/URLSession/URLSession.swift, data(for:);
  /// SE-0304.
  mutating func io(
    _ primitive: TaskPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let duration = process.argument(0, call)
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: io \(fault)", call)
    }
    demand(duration >= 0, "input or output takes \(duration) ns")
    let task = task(of: call.thread, process)
    let throwing = primitive == .ioThrowing
    if !task.isNone && tasks[task].isCancelled {
      if throwing { return process.throwCancellation(of: tasks.at(task)) }
      tasks[task].knowsCancellation = true
      return .next
    }
    process.kernel.countInput(duration)
    let result = suspend(
      call, .io, (throwing ? IOWait.throwing : .plain).rawValue, &dispatch, &process)
    tasks[task].plan = process.kernel.plan(
      .ioEnds, task.raw, value: process.kernel.uptime + duration, at: process.kernel.now + duration)
    return result
  }

  /// What a task does whose input or output its cancellation ends; kept as the object that it waits for.
  private enum IOWait: Int32 {
    /// It goes on.
    case plain
    /// It throws `CancellationError`.
    case throwing
  }

  /// Ends the input or output for which a task waits that is cancelled; what is left of it is not done.
  mutating func cancelIO(
    of task: TaskRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(tasks[task].wait == .io, "the input or output of task \(task) is cancelled")
    tasks[task].knowsCancellation = true
    process.kernel.uncountInput(
      process.kernel.plans[tasks[task].plan].value - process.kernel.uptime)
    let throwing = tasks[task].waitObject == IOWait.throwing.rawValue
    let error =
      throwing ? Int64(process.kernel.intern(Self.cancellationError).index) : noValue
    wake(task, error: error, by: thread, &dispatch, &process)
  }

  /// `Task.yield()`: a job behind what is ready, which queues the task again.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, yield; Task.cpp, NullaryContinuationJob.
  mutating func yield(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if tasks[task].executor != .pool {
      let moved = hop(call, to: .pool, isAgain: true, &dispatch, &process)
      guard case .next = moved else { return moved }
    }
    let result = suspend(call, .yield, -1, &dispatch, &process)
    deliver(task, noResult, process)
    let job = jobs.add(
      JobRecord(kind: .yielded, object: task.raw, priority: tasks[task].current))
    enqueue(job, by: call.thread, &dispatch, &process)
    return result
  }
}
