import SpindleModel

/// The queues of jobs: the pool's, the main queue, the inboxes of actors.
extension ConcurrencyRuntime {
  // MARK: Lists

  /// Puts a job at the end of a queue.
  mutating func append(_ job: JobRecord.Index, to queue: UnsafeMutablePointer<JobQueue>) {
    jobs[job].next = .none
    if queue.pointee.first.isNone {
      queue.pointee.first = job
    } else {
      jobs[queue.pointee.last].next = job
    }
    queue.pointee.last = job
    queue.pointee.count &+= 1
  }

  /// Takes the first job out of a queue; none when it is empty.
  mutating func takeFirst(of queue: UnsafeMutablePointer<JobQueue>) -> JobRecord.Index {
    let job = queue.pointee.first
    if job.isNone { return .none }
    queue.pointee.first = jobs[job].next
    if queue.pointee.first.isNone { queue.pointee.last = .none }
    queue.pointee.count &-= 1
    assert(queue.pointee.count >= 0, "a queue of jobs has counted fewer than it had")
    return job
  }

  // MARK: Making ready

  /// Queues a task for its next piece in the pool, at its present priority.
  ///
  /// Source: swift:stdlib/public/Concurrency/TaskPrivate.h, flagAsAndEnqueueOnExecutor.
  mutating func makeReady(
    _ task: TaskRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    queue(task, process.kernel.now)
    process.kernel.releases(.readyTask, task.raw, by: thread)
    tasks[task].executor = .pool
    let preferred = tasks[task].preferred
    if !preferred.isNone {
      let job = jobs.add(JobRecord(kind: .task, object: task.raw, priority: nil))
      return submit(job, to: preferred, by: thread, &dispatch, &process)
    }
    let job = jobs.add(JobRecord(kind: .task, object: task.raw, priority: tasks[task].current))
    enqueue(job, by: thread, &dispatch, &process)
  }

  /// Puts a job into a dispatch queue.
  func submit(
    _ job: JobRecord.Index, to queue: DispatchQueueRecord.Index, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(jobs[job].priority == nil, "job \(job) of the pool goes to queue \(queue)")
    if dispatch.isResurrected(queue, by: thread, &process) { return }
    dispatch.submit(
      DispatchItem(.job, job.raw, queue: queue), by: thread, &process.kernel)
  }

  /// Queues a task where its code is to run.
  mutating func enqueue(
    _ task: TaskRecord.Index, on executor: ExecutorID, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if executor == .pool { return makeReady(task, by: thread, &dispatch, &process) }
    queue(task, process.kernel.now)
    process.kernel.releases(.readyTask, task.raw, by: thread)
    let job = jobs.add(JobRecord(kind: .task, object: task.raw, priority: nil))
    let queue = actors[executor.actor].queue
    if !queue.isNone {
      if executor == .mainActor {
        jobs[job].isOnMain = true
        noteMainJob(task, by: thread, &process)
      }
      submit(job, to: queue, by: thread, &dispatch, &process)
    } else {
      enqueue(job, at: executor.actor, tasks[task].current, by: thread, &dispatch, &process)
    }
  }

  private mutating func queue(_ task: TaskRecord.Index, _ now: Int64) {
    demand(
      tasks[task].state != .running && tasks[task].state != .finished,
      "task \(task) is queued and \(tasks[task].state)")
    tasks[task].state = .queued
    tasks[task].since = now
  }

  /// Puts a job into the pool.
  mutating func enqueue(
    _ job: JobRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    guard let priority = jobs[job].priority else { fatalError("job \(job) is none of the pool's") }
    append(job, to: queues.at(Int32(priority.rawValue)))
    admit(priority, by: thread, isLooking: false, &dispatch, &process)
  }

  // MARK: The pool

  /// Hands jobs of a priority to threads, as long as it may have more.
  ///
  /// A thread that is about to look for work itself (`isLooking`) is not told of the first one.
  private mutating func admit(
    _ priority: TaskPriority, by thread: ThreadID, isLooking: Bool,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    let queue = queues.at(Int32(priority.rawValue))
    var isLooking = isLooking
    while !queue.pointee.first.isNone && mayRun(priority) {
      let job = takeFirst(of: queue)
      queue.pointee.running &+= 1
      running &+= 1
      let item = DispatchItem(.job, job.raw, queue: Self.root(priority, rules, dispatch))
      if isLooking {
        dispatch.submitToLooking(item, &process.kernel)
      } else {
        dispatch.submit(item, by: thread, &process.kernel)
      }
      isLooking = false
    }
  }

  /// Whether one more job of a priority may be with a thread.
  private mutating func mayRun(_ priority: TaskPriority) -> Bool {
    let own = queues[Int32(priority.rawValue)].running
    if rules.isPerPriority { return own < rules.width }
    return running < rules.width || rules.hasOneEach && own == 0
  }

  /// The global queue whose workers run the jobs of a priority.
  static func root(
    _ priority: TaskPriority, _ rules: TaskPoolRules, _ dispatch: borrowing DispatchRuntime
  ) -> DispatchQueueRecord.Index {
    DispatchRuntime.root(quality(of: priority), overcommit: rules.isApart)
  }

  /// The class of threads that a priority asks for.
  static func quality(of priority: TaskPriority) -> DispatchQuality {
    switch priority {
    case .background: .background
    case .low: .utility
    case .medium: .default
    case .high: .userInitiated
    }
  }

  /// On Apple's platforms a thread of the pool keeps its place among the workers that the kernel counts, also while
  /// it blocks: nobody else gets that.
  ///
  /// So dispatch gets no thread for a queue that may not have more threads than cores while the pool's threads, all of
  /// them blocked, wait for what is on it. Source: the hangs that are described at forums.swift.org 70685, each time
  /// on machines of Apple, and what an author of the runtime says there of their cause; not measured, and the published
  /// xnu:bsd/pthread/pthread_workqueue.c, workq_sched_callback, does not tell it.
  func keepPlace(_ thread: ThreadID, _ process: borrowing Process) {
    process.kernel.threads.at(thread).remove(.watched)
  }

  /// It is a worker as any other again.
  func leavePlace(_ thread: ThreadID, _ process: borrowing Process) {
    process.kernel.threads.at(thread).insert(.watched)
  }

  /// A job of the pool has ended on a thread, which looks for the next one.
  mutating func endJob(
    _ job: JobRecord.Index, _ thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    let ended = jobs[job].priority
    jobs.remove(job)
    guard let ended else { return }
    if rules.isApart { leavePlace(thread, process) }
    queues[Int32(ended.rawValue)].running &-= 1
    running &-= 1
    admit(ended, by: thread, isLooking: true, &dispatch, &process)
    if rules.isPerPriority { return }
    for priority in TaskPriority.allCases.reversed() where priority != ended {
      admit(priority, by: thread, isLooking: false, &dispatch, &process)
    }
  }
}
