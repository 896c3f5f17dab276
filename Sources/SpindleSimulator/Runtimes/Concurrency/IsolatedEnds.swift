import SpindleModel

/// The `deinit` of an instance that says `isolated`: it runs on its actor, and sees no binding of a task-local.
///
/// It runs at once where the code is on that actor, and where the instance is itself an actor that the pool serves: nothing
/// holds it, so it is idle. Anywhere else a job of the actor runs it, also where a global actor is idle. Source: SE-0371;
/// swift:stdlib/public/Concurrency/Actor.cpp, swift_task_deinitOnExecutorImpl; measured with Swift 6.3.1 on Linux.
extension ConcurrencyRuntime {
  /// How the `deinit` of an instance comes to run.
  enum Ending {
    /// Where the last reference goes, as any other call.
    case plain
    /// There, on an executor.
    case here(ExecutorID)
    /// As a job of an executor.
    case later(ExecutorID)
  }

  /// How an instance ends that a thread lets go of.
  mutating func ending(
    of instance: Int64, on thread: ThreadID, _ globals: UnsafeMutablePointer<Int64>,
    _ dispatch: inout DispatchRuntime, _ process: borrowing Process
  ) -> Ending {
    let executor: ExecutorID
    switch process.program.classes[Int(process.instances.instance(instance).type)].deinitHome {
    case .anywhere: return .plain
    case .mainActor: executor = .mainActor
    case .ownActor:
      executor = ExecutorID(actor(of: instance, process))
      if isDefault(executor) { return .here(executor) }
    case .globalActor(let shared):
      let owner = globals[Int(shared.index)]
      // Nothing of an actor can be held by what ends before the actor is made.
      if owner == noValue { return .plain }
      executor = ExecutorID(actor(of: owner, process))
    }
    if thread.isNone { return .later(executor) }
    if self.executor(on: thread, process) == executor { return .here(executor) }
    let queue = actors[executor.actor].queue
    let isOnQueue = !queue.isNone && dispatch.isRunning(on: queue, thread, process)
    return isOnQueue ? .here(executor) : .later(executor)
  }

  /// The frame of a `deinit` is to run on an executor: it is not begun yet.
  mutating func place(deinit frame: FrameIndex, on executor: ExecutorID) {
    isolatedEnds.append(IsolatedEnd(frame: frame, executor: executor))
  }

  /// Has an executor run a `deinit`, whose frame is there.
  mutating func runLater(
    deinit frame: FrameIndex, on executor: ExecutorID, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    place(deinit: frame, on: executor)
    let job = jobs.add(JobRecord(kind: .deinitializer, object: frame.raw, priority: nil))
    process.kernel.releases(.endOfLife, job.raw, by: thread)
    let queue = actors[executor.actor].queue
    if !queue.isNone { return submit(job, to: queue, by: thread, &dispatch, &process) }
    enqueue(job, at: executor.actor, priority(on: thread, process), by: thread, &dispatch, &process)
  }

  /// A thread begins the `deinit` that a job of an executor runs.
  mutating func beginDeinit(_ job: JobRecord.Index, on thread: ThreadID, _ process: inout Process) {
    let frame = FrameIndex(jobs[job].object)
    process.kernel.acquires(.endOfLife, job.raw, by: thread)
    process.frames.setParent(frame, process.kernel.threads[thread].frame)
    process.kernel.threads.at(thread).enter(frame)
    begin(deinit: frame, on: thread, process)
  }

  /// The code of a frame is about to run: what it is bound to is put aside where it is an isolated `deinit`.
  mutating func begin(deinit frame: FrameIndex, on thread: ThreadID, _ process: borrowing Process) {
    guard let index = isolatedEnds.lastIndex(where: { $0.frame == frame }),
      !isolatedEnds[index].hasBegun
    else { return }
    isolatedEnds[index].hasBegun = true
    isolatedEnds[index].thread = thread
    if thread.isNone { return }
    let task = task(of: thread, process)
    isolatedEnds[index].task = task
    isolatedEnds[index].bindings = bindings(on: thread, process)
    setBindings(.none, on: thread, process)
  }

  /// The code of a frame has run.
  mutating func end(deinit frame: FrameIndex, _ process: borrowing Process) {
    guard let index = isolatedEnds.lastIndex(where: { $0.frame == frame }) else { return }
    let ended = isolatedEnds.remove(at: index)
    demand(ended.hasBegun, "the isolated 'deinit' of frame \(frame) ends, and has not begun")
    if ended.thread.isNone { return }
    demand(
      bindings(on: ended.thread, process).isNone,
      "the isolated 'deinit' of frame \(frame) leaves a binding of a task-local")
    setBindings(ended.bindings, on: ended.thread, process)
  }

  /// The executor of the isolated `deinit` that the code of a thread is in; nil where it is in none.
  func executor(ofDeinitOn thread: ThreadID, _ task: TaskRecord.Index) -> ExecutorID? {
    isolatedEnds.last { $0.hasBegun && $0.thread == thread && $0.task == task }?.executor
  }
}

/// An isolated `deinit` that is to run, or runs.
struct IsolatedEnd: BitwiseCopyable {
  let frame: FrameIndex
  let executor: ExecutorID
  var hasBegun = false
  /// The thread that runs it, and that one's task; none for none.
  var thread = ThreadID.none
  var task = TaskRecord.Index.none
  /// The innermost binding around it.
  var bindings = TaskLocalBinding.Index.none
}
