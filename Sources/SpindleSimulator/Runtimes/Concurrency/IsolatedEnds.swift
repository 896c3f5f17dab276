import SpindleModel

/// Where the `deinit` of an instance runs that says `isolated`.
extension ConcurrencyRuntime {
  /// Whether an instance of a class may end on a thread, or must wait for its actor.
  ///
  /// An actor itself is idle when nothing holds it, or its own code let go of it last: it ends where that was,
  /// unless its executor is a queue that the thread is not on. Source: SE-0371;
  /// swift:stdlib/public/Concurrency/Actor.cpp, swift_task_deinitOnExecutorImpl.
  mutating func mayEnd(
    _ instance: Int64, on thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: borrowing Process
  ) -> Bool {
    let executor: Int32
    switch process.program.classes[Int(process.instances.instance(instance).type)].deinitHome {
    case .anywhere: return true
    case .mainActor: executor = Self.mainActor
    case .ownActor: executor = actor(of: instance, process)
    }
    let queue = actors[executor].queue
    if queue < 0 || executor == Self.mainActor && thread == process.mainThread { return true }
    if thread < 0 { return false }
    let task = task(of: thread, process)
    return task >= 0 && tasks[task].executor == executor
      || dispatch.isRunning(on: .init(queue), thread, process)
  }

  /// Has the actor of an instance run its `deinit`, whose frame is there.
  mutating func end(
    _ instance: Int64, _ frame: Int32, by thread: Int32, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let type = Int(process.instances.instance(instance).type)
    let executor =
      process.program.classes[type].deinitHome == .mainActor
      ? Self.mainActor : actor(of: instance, process)
    demand(actors[executor].queue >= 0, "an actor that the pool serves ends on a queue")
    let job = jobs.insert(JobRecord(kind: .deinitializer, object: frame, priority: nil))
    process.kernel.releases(.endOfLife, job, by: thread)
    submit(job, to: actors[executor].queue, by: thread, &dispatch, &process)
  }
}
