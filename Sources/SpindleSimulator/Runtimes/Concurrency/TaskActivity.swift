import SpindleModel

/// What threads do for tasks: begin a piece of one, and end it.
extension ConcurrencyRuntime {
  /// A thread begins a job, which its queue has given it.
  mutating func beginJob(
    _ job: JobRecord.Index, on thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let record = jobs[job]
    if rules.isApart, record.priority != nil { keepPlace(thread, process) }
    switch record.kind {
    case .task:
      if record.isOnMain {
        mainJobs -= 1
        let task = tasks[.init(record.object)]
        process.mainStallWatch.nameItem(task.name, kind: task.workKind, place: task.madeAt)
      }
      if isStatusTaken(.init(record.object), by: thread) {
        let step = steps.add(TaskStep(kind: .goOn, object: record.object))
        pushSteps(step, isCall: false, on: thread, &process)
      } else {
        resumeTask(.init(record.object), on: thread, &process)
      }
    case .yielded: makeReady(.init(record.object), by: thread, &dispatch, &process)
    case .slept: endSleep(.init(record.object), record.wait, by: thread, &dispatch, &process)
    case .actor: beginDrain(of: .init(record.object), on: thread, &process)
    case .handlers: pushSteps(.init(record.object), isCall: false, on: thread, &process)
    case .deinitializer: beginDeinit(job, on: thread, &process)
    }
  }

  /// A thread goes on with a task: its frames come on top of what the thread does.
  mutating func resumeTask(_ task: TaskRecord.Index, on thread: ThreadID, _ process: inout Process)
  {
    demand(tasks[task].state == .queued, "task \(task) goes on and is \(tasks[task].state)")
    if tasks[task].frame.isNone {
      let frame = process.frames.allocate(
        .task, registers: 1, parent: process.kernel.threads[thread].frame)
      process.frames.registers(frame)[0] = task.register
      tasks[task].frame = frame
      process.frames.setParent(tasks[task].inner, frame)
    } else {
      process.frames.setParent(tasks[task].frame, process.kernel.threads[thread].frame)
    }
    let record = tasks.at(task)
    process.taskTurns &+= 1
    record.pointee.state = .running
    record.pointee.thread = thread
    record.pointee.depthBelow = process.kernel.threads[thread].depth
    process.kernel.threads.at(thread).enter(record.pointee.inner, frames: record.pointee.depth + 1)
    threads.change(thread, process.kernel) {
      record.pointee.outer = $0.task
      $0.task = task
    }
    if rules.isApart { lend(record.pointee.current, to: task, &process) }
    enterOrder(of: task, on: thread, &process)
    note(task, on: thread, &process)
    if record.pointee.executor.isActor && !record.pointee.isImmediate {
      enter(task, since: record.pointee.since, on: thread, &process)
    }
    process.thrown = record.pointee.thrown
    record.pointee.thrown = noValue
  }

  private static let taskFlags = ItemFlags([.isTask, .needsNoThread]).rawValue

  /// Notes that a task begins, or goes on.
  private mutating func note(
    _ task: TaskRecord.Index, on thread: ThreadID, _ process: inout Process
  ) {
    let record = tasks.at(task)
    if record.pointee.hasBegun {
      process.kernel.record(
        .taskResumed, thread: thread, object: record.pointee.name, other: record.pointee.number,
        subject: record.pointee.workKind, value: process.kernel.now - record.pointee.since)
      return
    }
    record.pointee.hasBegun = true
    record.pointee.beganOnMain = record.pointee.executor == .mainActor
    if record.pointee.isMain { return }
    process.kernel.record(
      .itemStarted, thread: thread, detail: Self.taskFlags, object: record.pointee.name,
      other: record.pointee.number,
      subject: record.pointee.workKind, value: process.kernel.now - record.pointee.submitted)
  }

  /// The code of a task has ended, by an error when `thrown` is one.
  mutating func resumeTaskFrame(
    _ frame: FrameIndex, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> FrameResult {
    let task = TaskRecord.Index(register: process.frames.registers(frame)[0])
    demand(tasks[task].frame == frame, "frame \(frame) is not that of task \(task)")
    let record = tasks.at(task)
    record.pointee.result = process.worldResult
    record.pointee.state = .finished
    // What the call that made it on this thread gives: the task, or that its group has it.
    let handle = record.pointee.group.isNone ? task.register : 1
    if record.pointee.isMain {
      record.pointee.thread = .none
      reportAtExit(thread, &process)
      process.endProcess(thread, exitCode: nil)
      return .stopped
    }
    process.kernel.record(
      .itemEnded, thread: thread, detail: Self.taskFlags, object: record.pointee.name,
      other: record.pointee.number,
      subject: record.pointee.workKind, value: process.kernel.now - record.pointee.submitted)
    alive -= 1
    noteIgnorance(task, thread, &process)
    process.kernel.releases(.task, task.raw, by: thread)
    if !record.pointee.group.isNone {
      process.kernel.releases(.taskGroup, record.pointee.group.raw, by: thread)
    }
    leaveOrder(of: task, on: thread, &process)
    takeOff(task, thread, &process)
    record.pointee.frame = .none
    if !record.pointee.firstRead.isNone { dropReads(of: task) }
    if !record.pointee.bindings.isNone { dropBindings(of: task) }
    // The thread has the frame of the task still, alone.
    process.kernel.threads.at(thread).enter(frame, frames: 1)
    process.leave(frame, thread, result: handle)
    if !isKept(task) {
      process.kernel.changeHeap(by: -process.kernel.costs.task.rawValue, thread)
    }
    unlock(task, thread, &dispatch, &process)
    process.kernel.ends(task: task.raw)
    complete(task, by: thread, &dispatch, &process)
    if !tasks[task].submittedTo.isNone { leaveExecutor(task, thread, &dispatch, &process) }
    doSteps(.none, &dispatch, &process)
    return process.outcome == nil ? .goOn : .stopped
  }

  /// The code of a task has thrown what nothing in it catches; false for that of main, which ends the process.
  mutating func fail(
    _ frame: FrameIndex, _ message: Int64, at place: Int32, _ process: borrowing Process
  ) -> Bool {
    let task = TaskRecord.Index(register: process.frames.registers(frame)[0])
    if tasks[task].isMain { return false }
    tasks[task].error = message
    tasks[task].place = place
    return true
  }

  /// The thread is done with a task for now: what it did before the task is innermost again.
  mutating func takeOff(_ task: TaskRecord.Index, _ thread: ThreadID, _ process: inout Process) {
    if !tasks[task].turnstile.isNone { takeBack(from: task, &process) }
    let record = tasks.at(task)
    assert(record.pointee.thread == thread, "thread \(thread.index) does not run task \(task)")
    let (below, outer) = (process.frames.parent(record.pointee.frame), record.pointee.outer)
    process.kernel.threads.at(thread).go(back: below, frames: record.pointee.depthBelow)
    threads.change(thread, process.kernel) { $0.task = outer }
    record.pointee.thread = .none
    record.pointee.outer = .none
  }

  // MARK: Waiting

  /// The task that makes a call waits: its frames leave the thread, which goes on with what it did
  /// before.
  ///
  /// When it goes on, the call is done and has the result that `deliver` gives it.
  mutating func suspend(
    _ call: Call, _ wait: TaskWait, _ object: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if task.isNone { return process.crash(Self.needsTask, call) }
    let record = tasks.at(task)
    record.pointee.inner = call.frame
    record.pointee.depth = process.kernel.threads[call.thread].depth - record.pointee.depthBelow - 1
    record.pointee.state = .suspended
    record.pointee.since = process.kernel.now
    record.pointee.place = Int32(truncatingIfNeeded: call.counter)
    record.pointee.waits &+= 1
    (record.pointee.wait, record.pointee.waitObject) = (wait, object)
    let awaited = wait == .task ? tasks[.init(object)].number : 0
    if wait == .task && record.pointee.isCancelled {
      noteWait(of: task, for: .init(object), process)
    }
    process.kernel.record(
      .taskSuspended, thread: call.thread, detail: wait.rawValue, object: record.pointee.name,
      other: record.pointee.number, subject: record.pointee.workKind, place: record.pointee.place,
      value: Int64(awaited))
    let parent = process.frames.parent(record.pointee.frame)
    leaveOrder(of: task, on: call.thread, &process)
    takeOff(task, call.thread, &process)
    left = tasks[task].number
    if !parent.isNone && !process.frames.isNative(parent) {
      returnHandle(record.pointee.group.isNone ? task.register : 1, to: parent, process)
    }
    unlock(task, call.thread, &dispatch, &process)
    record.pointee.isImmediate = false
    return .entered
  }

  /// The caller of `Task.immediate` goes on with the task that it made, that of `addImmediateTask` with
  /// the answer that it was added.
  private mutating func returnHandle(
    _ handle: Int64, to frame: FrameIndex, _ process: borrowing Process
  ) {
    let counter = process.frames.counter(frame)
    if case .perform(_, let base, _) = process.code[Int(counter)] {
      process.frames.registers(frame)[base] = handle
    }
    process.frames.setCounter(frame, counter + 1)
  }

  /// Gives the call that a suspended task is in its result; it is done then.
  mutating func deliver(_ task: TaskRecord.Index, _ value: Int64, _ process: borrowing Process) {
    let frame = tasks[task].inner
    let counter = process.frames.counter(frame)
    if value != noResult, case .perform(_, let base, _) = process.code[Int(counter)] {
      process.frames.registers(frame)[base] = value
    }
    process.frames.setCounter(frame, counter + 1)
  }

  /// Lets a suspended task go on with a value, or with an error unless that is `noValue`.
  mutating func wake(
    _ task: TaskRecord.Index, _ value: Int64 = noResult, error: Int64 = noValue,
    by thread: ThreadID,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    demand(tasks[task].state == .suspended, "task \(task) is woken and \(tasks[task].state)")
    if !tasks[task].plan.isNone {
      process.kernel.cancel(plan: tasks[task].plan)
      tasks[task].plan = .none
    }
    if error != noValue { tasks[task].thrown = error } else { deliver(task, value, process) }
    makeReady(task, by: thread, &dispatch, &process)
  }
}

/// The task of an asynchronous main.
extension ConcurrencyRuntime {
  /// The main thread begins with the body of main, which has a frame, above the service of its queue.
  ///
  /// Source: swift:lib/SILGen/SILGenFunction.cpp, emitAsyncMainThreadStart: it is made like a detached
  /// task, and its first piece runs at once; then the main executor runs.
  mutating func beginMain(_ inner: FrameIndex, _ thread: ThreadID, _ process: inout Process) {
    demand(thread == process.mainThread, "thread \(thread.index) begins the asynchronous main")
    var main = TaskRecord(
      base: .medium, current: .medium, name: -1, workKind: -1, number: 0, madeAt: -1,
      submitted: process.kernel.now, since: process.kernel.now, inner: inner,
      executor: .mainActor)
    main.isMain = true
    let task = tasks.add(main)
    resumeTask(task, on: thread, &process)
  }
}
