import SpindleModel

/// Swift concurrency: tasks, and where they run.
///
/// A task is an activity that leaves its thread when it has to wait and goes on on another: its frames
/// are taken off the thread and put onto the next one. What is ready stands in a queue: one for each
/// priority of the pool, the main queue, an actor's inbox. Whoever is woken goes through the pool first
/// and then to its actor, by a hop that its own code has behind each wait. Source:
/// swift:stdlib/public/Concurrency, Task.cpp, Actor.cpp, TaskStatus.cpp, DispatchGlobalExecutor.cpp.
struct ConcurrencyRuntime: ~Copyable {
  var tasks: Table<TaskRecord>
  var jobs: SlotTable<JobRecord>
  /// What is ready for the pool, by priority.
  var queues: Table<JobQueue>
  /// What waits for actors, four queues for each.
  var inboxes: Table<JobQueue>
  var actors: Table<ActorRecord>
  /// The last changes of the members of actors, and the looks at them.
  var fieldWrites: Table<FieldWrite>
  var reads: SlotTable<StateRead>
  /// The last changes of parts of these members by their keys; only looked up, never walked.
  var partWrites: [StatePart: FieldWrite] = [:]
  var groups: Table<TaskGroupRecord>
  /// What takes items and makes tasks of them.
  var executors: Table<TaskExecutorRecord>
  var handlers: SlotTable<TaskHandler>
  var locals: SlotTable<TaskLocalBinding>
  var continuations: Table<ContinuationRecord>
  var streams: Table<AsyncStreamRecord>
  /// The thread of the last `yield`, or none, and what that gave with its result.
  var lastYield = (thread: ThreadID.none, detail: Int64(0))
  /// The status locks that threads have.
  var statusLocks: SlotTable<StatusLock>
  /// What threads have still to do; those of the call that is made, which no thread has yet, from `firstStep` on.
  var steps: SlotTable<TaskStep>
  var firstStep = TaskStep.Index.none
  var lastStep = TaskStep.Index.none
  var threads: ThreadTable<ConcurrencyThread>
  let rules: TaskPoolRules
  /// How many jobs are with threads of the pool.
  var running: Int32 = 0
  /// How many tasks have not ended, and how many stand in line for the main actor.
  var alive: Int32 = 0
  var mainJobs: Int32 = 0
  /// By a cancelled task: the task for whose end it waits, or waited then, and that its cancellation does not
  /// reach; only looked up, never walked.
  var awaitedInVain: [TaskRecord.Index: Awaited] = [:]
  /// The number of the task that has left its thread in the call that is made; -1 for none.
  var left: Int32 = -1
  /// What has made threads more urgent, and may again.
  var freeTurnstiles: [Turnstile.Index] = []
  /// The isolated `deinit`s that are to run, or run: the innermost of a thread is the last of it.
  var isolatedEnds: [IsolatedEnd] = []

  /// What is said when code waits as a task does, and belongs to none.
  static let needsTask = "Fatal error: this waits without its thread, and runs in no task"

  /// Creates it without tasks.
  init(_ machine: borrowing Machine, _ storage: Storage) {
    tasks = Table(.tasks, storage)
    jobs = SlotTable(.tasks, storage)
    queues = Table(.tasks, storage)
    inboxes = Table(.tasks, storage)
    actors = Table(.tasks, storage)
    fieldWrites = Table(.tasks, storage)
    reads = SlotTable(.tasks, storage)
    groups = Table(.tasks, storage)
    executors = Table(.executors, storage)
    handlers = SlotTable(.tasks, storage)
    locals = SlotTable(.tasks, storage)
    continuations = Table(.tasks, storage)
    streams = Table(.tasks, storage)
    statusLocks = SlotTable(.tasks, storage)
    steps = SlotTable(.tasks, storage)
    threads = ThreadTable(.threads, storage, nothing: ConcurrencyThread())
    rules = TaskPoolRules(machine)
    for _ in TaskPriority.allCases { queues.append(JobQueue()) }
    // The main actor, whose inbox is the main queue.
    let mainActor = actors.add(
      ActorRecord(name: -1, queue: DispatchRuntime.mainQueue, inbox: .none))
    demand(ExecutorID(mainActor) == .mainActor, "the main actor has number \(mainActor)")
  }

  /// The task that the code on a thread belongs to; none where it belongs to none.
  @inline(__always)
  func task(of thread: ThreadID, _ process: borrowing Process) -> TaskRecord.Index {
    thread.isNone || tasks.count == 0 ? .none : threads.of(thread, process.kernel).task
  }

  /// What a task is called as a value: its name, else its number, which does not depend on where it stands in the text.
  func number(_ task: TaskRecord.Index, _ kernel: borrowing Kernel) -> String {
    let record = tasks[task]
    if record.isMain { return "main" }
    return record.name >= 0 ? kernel.text(record.name) : "task \(task.raw + 1)"
  }

  /// What a task is called in findings: its name, else what made it and its line.
  func name(_ task: TaskRecord.Index, _ process: borrowing Process) -> String {
    let record = tasks[task]
    let item = record.isMain ? nil : process.itemName(record.name, kind: record.workKind)
    return item ?? number(task, process.kernel)
  }
}

/// How wide the pool of tasks is.
///
/// Linux has a queue for each priority, as wide as there are processors, whose jobs run on the threads of
/// dispatch's global queues. Apple's kernel counts the threads of the cooperative pool apart, as many as
/// there are processors in all, blocked ones too, but at least one for each priority with work. The ideal
/// machine has one pool for all. Source: swift:stdlib/public/Concurrency/DispatchGlobalExecutor.cpp,
/// getGlobalQueue; xnu:bsd/pthread/pthread_workqueue.c, the cooperative pool.
struct TaskPoolRules: BitwiseCopyable {
  /// How many threads each priority may have, or all together.
  let width: Int32
  /// Whether each priority has so many.
  let isPerPriority: Bool
  /// Whether a priority with work has at least one.
  let hasOneEach: Bool
  /// Whether its threads are counted apart from those of the global queues.
  let isApart: Bool

  init(_ machine: borrowing Machine) {
    width = machine.cooperativeWidth
    isPerPriority = machine.platform == .linux
    hasOneEach = machine.isDarwin
    isApart = machine.isDarwin
  }
}
