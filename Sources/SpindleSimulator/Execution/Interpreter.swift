import SpindleModel

/// Runs the activities of a program: one thread at a time, until it waits, computes or ends.
///
/// Owns everything that a run changes: the kernel and the runtimes above it, frames, arrays, the
/// values of the top level. What an activity does is a stack of frames, each a block of the program.
struct Interpreter: ~Copyable {
  var process: Process
  var threads: ThreadRuntime
  var locks: LockRuntime
  var semaphores: SemaphoreRuntime
  var executors: ExecutorRuntime
  var operations: OperationRuntime
  var dispatch: DispatchRuntime
  var sources: SourceRuntime
  var life: AppLife
  var accelerators: AcceleratorRuntime
  var concurrency: ConcurrencyRuntime
  /// The objects that the trace has let go of; only looked up, never walked.
  var released: Set<ObjectKey> = []
  var runLoops: RunLoopRuntime
  let sampler = Sampler()

  let globals: UnsafeMutablePointer<Int64>
  /// What was printed of a line that has not ended.
  var openLine = ""

  /// The text that is being built.
  var text: [UInt8] = []
  /// How many instructions might still run when virtual time last moved.
  var stepsAtAdvance: Int64 = 0
  /// How many steps pass until the next look, beyond those that may run before.
  var stepsToLook: Int64 = 0
  /// When the last look was, and how many turns threads and tasks had had.
  var turnsAtLook: (time: Int64, count: Int64) = (-1, 0)
  /// A thread that may wait for something by asking again and again.
  var busyWaits: BusyWaitWatch
  /// Whether the run ends since virtual time stood still for too long.
  var standsStill = false
  /// The instruction at which the limit of steps was reached; -1 before.
  var lastPlace: Int32 = -1
  /// The locks that the top of the trace has, in the order in which it took them.
  var topLocks: [TopLock] = []
  /// The keys for which `record` has been called.
  var recorded: Set<Int32> = []
  /// The last writes of the top level's variables, by the global.
  var sharedWrites: [SharedWrite]
  /// The numbers of their names; -1 before that is asked for.
  var sharedNames: [Int32]
  /// What the world outside does, by its index in the program.
  var arrivals: Table<ArrivalState>

  /// The minimum of remaining steps for shortcuts; `Int64.max` disables them.
  let straightFloor: Int64
  let briefFloor: Int64
  /// Whether items are handed to executors of the simulator's own without a call.
  let takesPlainItems: Bool
  /// Whether an instant behind which nothing is to be done is passed without asking for each thing.
  let passesPlainInstants: Bool
  /// Whether an item that captures nothing waits without a frame.
  let makesFramesLater: Bool

  /// Creates an interpreter for `program`, whose tables stay in place while it lives; it reports to
  /// `consumers`.
  init(
    _ program: Program, _ tables: Process.Tables, machine: Machine, limits: RunLimits,
    names: NameTable, consumers: [any LogConsumer], driver: ScheduleDriver?,
    predicts: Bool, mayRace: Bool, sizes: StructureSizes, shortcuts: ShortcutSet
  ) {
    let storage = Storage(
      limit: Int(limits.storage.rawValue), movesTables: sizes.movesTables)
    let sharesNumbers = shortcuts.contains(.strandNumbers)
    let races = RaceDetector(
      isOn: predicts && mayRace, sharesNumbers: sharesNumbers)
    let kernel = Kernel(
      machine: machine, names: names, places: program.places, storage: storage,
      consumers: consumers, races: races,
      lockOrder: predicts
        ? LockOrder(for: tables.code, sharesNumbers: sharesNumbers)
        : LockOrder(isOn: false, sharesNumbers: false),
      driver: driver,
      sizes: sizes, shortcuts: shortcuts, seed: program.seed)
    takesPlainItems = shortcuts.contains(.plainItems) && !kernel.hasCosts
    makesFramesLater = shortcuts.contains(.laterFrames)
    busyWaits = BusyWaitWatch(isOn: shortcuts.contains(.busyRounds))
    straightFloor = shortcuts.contains(.straightLine) ? 3 : Int64.max
    briefFloor = shortcuts.contains(.briefSteps) ? 3 : Int64.max
    passesPlainInstants = shortcuts.contains(.plainInstants) && !limits.checksInvariants
    dispatch = DispatchRuntime(kernel)
    concurrency = ConcurrencyRuntime(kernel.machine, storage)
    threads = ThreadRuntime(storage)
    locks = LockRuntime(storage)
    semaphores = SemaphoreRuntime(storage)
    executors = ExecutorRuntime(storage)
    operations = OperationRuntime(storage)
    sources = SourceRuntime(storage)
    life = AppLife(storage)
    accelerators = AcceleratorRuntime(storage)
    runLoops = RunLoopRuntime(storage)
    arrivals = Table(.events, storage)
    globals = .allocate(capacity: max(1, program.globals.count))
    globals.initialize(repeating: noValue, count: max(1, program.globals.count))
    sharedWrites = Array(repeating: SharedWrite(), count: program.globals.count)
    sharedNames = Array(repeating: -1, count: program.globals.count)
    process = Process(
      program, tables, limits: limits, kernel: kernel,
      frames: FrameArena(storage, room: sizes.frameRoom, filler: sizes.frameFiller))
    let first = min(process.stepsLeft, busyWaits.patience)
    stepsToLook = process.stepsLeft - first
    process.stepsHeld += stepsToLook
    process.stepsLeft = first
  }

  /// The counts of `storage` go first: Swift destroys the fields of a value behind the body of its `deinit`.
  ///
  /// So no `deinit` of a table, an arena or a queue gives back what it counts: the run is over, and nobody asks.
  deinit {
    globals.deallocate()
    process.kernel.storage.deallocate()
  }

  /// Why the instructions of an activity stopped running.
  enum Pause {
    /// It computes or pays a cost: it needs its core for a while.
    case computing
    /// It has left its core: it waits, has ended or gave the core up.
    case left
    /// Its outermost frame has ended.
    case finished
    /// The run has ended.
    case stopped
    /// Its innermost frame is another one now.
    case switched
  }

  // MARK: Threads on cores

  /// Lets the thread on `core` do the work that it has left, or go on.
  @inline(always)
  mutating func resume(on core: CoreID) {
    let thread = process.kernel.cores.unchecked(core).pointee.thread
    let record = process.kernel.threads.unchecked(thread)
    if record.pointee.remaining > 0 {
      process.kernel.beginBurst(on: core, of: record)
    } else {
      resumeThread(thread, record, on: core)
    }
  }

  /// The burst that a core was given ends.
  @inline(always)
  mutating func burstEnds(on core: CoreID) {
    let thread = process.kernel.cores.unchecked(core).pointee.thread
    let record = process.kernel.threads.unchecked(thread)
    if process.kernel.burstEnded(on: core, of: record) { resumeThread(thread, record, on: core) }
  }

  /// The thread on a core goes on, step by step.
  @inline(never)
  mutating func runThread(_ thread: ThreadID, on core: CoreID) {
    while process.outcome == nil {
      let record = process.kernel.threads.unchecked(thread)
      if record.pointee.remaining > 0 { return process.kernel.beginBurst(on: core, of: record) }
      if !record.pointee.flags.isDisjoint(with: .passes) {
        if process.kernel.passStacks(thread) { continue }
        return
      }
      assert(
        record.pointee.state == .running && CoreID(record.pointee.core) == core,
        "thread \(thread.index) goes on on core \(core.index), and has core \(record.pointee.core)")
      if !record.pointee.flags.contains(.begun) { begin(thread) }
      switch interpret(thread) {
      case .computing, .switched: continue
      case .left, .stopped: return
      case .finished:
        process.kernel.breakWork()
        if !activityEnded(thread) { return }
      }
    }
  }

  /// The entry of a thread's code, or of a worker's item, is reached.
  private mutating func begin(_ thread: ThreadID) {
    let record = process.kernel.threads.unchecked(thread)
    record.insert(.begun)
    if record.pointee.role.servesQueues {
      let activity: Activity = record.pointee.role == .manager ? .manager : .queueWorker
      process.push(activity, registers: ItemFrame.size, on: thread)
      return
    }
    assert(record.pointee.frame != .none, "thread \(thread.index) begins and has no code")
    if thread == process.mainThread {
      // It is there from the start, and may wait for a core first.
      process.mainBusySince = 0
      process.mainStallWatch.begin()
      if process.program.mainIsAsync {
        return beginAsyncMain(thread)
      }
    }
    record.setFrame(process.makeFrame(of: record.pointee.frame))
    if record.pointee.itemKind >= 0 { noteStart(thread, record) }
  }

  /// An asynchronous main begins, above what serves the main queue while it waits: on Apple's systems the main loop,
  /// elsewhere what `dispatchMain()` does.
  ///
  /// Source: swift:stdlib/public/Concurrency/CFExecutor.swift and DispatchExecutor.swift.
  private mutating func beginAsyncMain(_ thread: ThreadID) {
    let inner = process.makeFrame(of: process.kernel.threads[thread].frame)
    process.kernel.threads.at(thread).setFrame(.none)
    process.kernel.threads.at(thread).go(back: .none, frames: 0)
    if process.kernel.machine.isDarwin {
      runLoops.enterMainLoop(thread, &process)
    } else {
      process.push(.dispatchMain, registers: DispatchMainFrame.size, on: thread)
    }
    concurrency.beginMain(inner, thread, &process)
  }

  /// The item of a thread has begun.
  @inline(__always)
  mutating func noteStart(
    _ thread: ThreadID, _ record: ThreadPointer
  ) {
    process.kernel.record(
      .itemStarted, thread: thread, object: record.pointee.itemName,
      other: record.pointee.itemNumber, subject: record.pointee.itemKind,
      value: process.kernel.now &- record.pointee.submitted)
  }

  /// The outermost frame of a thread has ended.
  ///
  /// Returns whether the thread goes on.
  @inline(__always)
  mutating func activityEnded(_ thread: ThreadID) -> Bool {
    assert(
      process.kernel.threads[thread].frame == .none,
      "the code of thread \(thread.index) has ended in frame \(process.kernel.threads[thread].frame)"
    )
    if process.isDriven && isHeld(beforeEndOf: thread) { return false }
    endItem(thread)
    if process.outcome != nil { return false }
    if process.kernel.threads.unchecked(thread).pointee.role == .worker {
      return executors.takeNext(thread, &process.kernel)
    }
    return roleEnded(thread)
  }

  /// The code of a thread that is no executor's worker has ended.
  @inline(never)
  private mutating func roleEnded(_ thread: ThreadID) -> Bool {
    switch process.kernel.threads[thread].role {
    case .plain, .worker:
      if process.kernel.costs.threadEnd > .zero && process.kernel.leaveStack(thread) {
        return true
      }
      endThread(thread)
      return false
    case .jobs:
      if !threads.endJob(thread, &process) { endThread(thread) }
      return false
    case .manager: fatalError("the manager of the pool has ended")
    case .queueWorker:
      dispatch.workerEnds(thread, process.kernel)
      endThread(thread)
      return false
    case .main:
      if process.program.mainIsTool {
        process.endProcess(thread, exitCode: nil)
        return false
      }
      threads.drainAll(thread, &process.kernel)
      runLoops.enterMainLoop(thread, &process)
      return true
    }
  }

  /// Notes the end of the item that a thread ran, and leaves its group.
  @inline(__always)
  mutating func endItem(_ thread: ThreadID) {
    let record = process.kernel.threads.unchecked(thread)
    if record.pointee.itemKind < 0 { return }
    noteEnd(thread, record)
    let group = record.pointee.itemGroup
    if group < 0 { return }
    record.leaveGroup()
    dispatch.leaveGroup(.init(group), thread, &process)
  }

  /// Notes the end of the item that a thread ran.
  @inline(__always)
  mutating func noteEnd(_ thread: ThreadID, _ record: ThreadPointer) {
    assert(record.pointee.itemKind >= 0, "thread \(thread.index) ends an item and runs none")
    process.kernel.record(
      .itemEnded, thread: thread, object: record.pointee.itemName,
      other: record.pointee.itemNumber, subject: record.pointee.itemKind,
      value: process.kernel.now &- record.pointee.submitted)
    record.endItem()
  }

  /// Ends a running thread, and reports the locks that it still has.
  ///
  /// The number of a thread that has locks is not used again, since they name it as their owner.
  mutating func endThread(_ thread: ThreadID) {
    let record = process.kernel.threads.unchecked(thread)
    if record.pointee.flags.contains(.untouched) {
      return threads.endUntouched(thread, &process.kernel)
    }
    runLoops.endRunLoop(of: thread, &process)
    demand(
      runLoops.knownLoop(of: thread, process.kernel).isNone,
      "thread \(thread.index) ends and keeps its run loop")
    let hasLocks = !locks.lastOwned(by: thread, process.kernel).isNone
    if hasLocks { record.insert(.named) }
    threads.end(thread, &process.kernel)
    if hasLocks { reportLocks(ofEnded: thread) }
  }

  @inline(never)
  private mutating func reportLocks(ofEnded thread: ThreadID) {
    var lock = locks.lastOwned(by: thread, process.kernel)
    while !lock.isNone {
      // What the code of an operation kept has been told when that ended.
      if locks.locks[lock].keptBy < 0 {
        process.kernel.report(
          .lockHeldByEndedWork, thread: thread,
          places: [locks.locks[lock].takenAt],
          FindingText.lockHeldByEndedThread(
            process.kernel.name(of: thread), lock: locks.name(lock, process.kernel)))
      }
      lock = locks.locks[lock].nextOwned
    }
  }
}
