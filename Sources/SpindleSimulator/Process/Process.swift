import SpindleModel

/// The simulated process, as whoever does something in it needs it: its kernel, its frames, the code
/// that it runs, and how it ended.
///
/// Every runtime is handed the process and its own state, and the runtimes below it where it is built
/// on them; what only the execution can do comes back to it as a result.
struct Process: ~Copyable {
  var kernel: Kernel
  var frames: FrameArena

  let program: Program
  let limits: RunLimits
  /// Whether threads may be held in front of their steps.
  let isDriven: Bool
  /// What ends the program can notice, where a schedule holds threads.
  let asksForEnds: AskedEnds
  let code: UnsafeBufferPointer<Instruction>
  let blocks: UnsafeBufferPointer<Block>
  let sites: UnsafeBufferPointer<Site>

  /// The elements of arrays, by the number that a register holds.
  var arrays: [[Int64]] = []
  /// The keys of dictionaries and sets that have had some, by the number of the array of their values.
  var entryKeys: [Int64: EntryKeys] = [:]
  /// The shared variables that have them, by the number of the array, while threads may be held: a change of an element
  /// is a write of the variable.
  var arrayVariables: [Int64: SharedVariable] = [:]
  /// Who holds each of them, where that is counted.
  var arrayHolds: [ArrayHold] = []
  /// The instances of the trace's classes.
  var instances: InstanceTable
  /// Who holds objects of the library, where that is counted.
  var objectHolds = ObjectHolds()
  /// Those that nothing holds any more.
  var lives = Lives()
  /// How many instructions may still run, before the next look whether the run is to end.
  var stepsLeft: Int64
  /// How many run between two looks.
  let stepsBetweenLooks: Int64
  /// How many more may after that.
  var stepsHeld: Int64
  /// How often a thread went on with a task, or a task came to an actor.
  var taskTurns: Int64 = 0
  /// How many instructions may be looked at ahead of time, which are no steps of the run.
  var lookaheadLeft: Int64
  /// How the run ended; nil while it goes on.
  var outcome: Outcome?
  /// The calls at each write so far; nil unless somebody asked for them.
  var tracedWrites: [TracedWrite]?
  /// Where it crashed, if it did.
  var crashSite = CrashSite()
  /// When code of the trace last ran or work last ended.
  var makespan: Int64 = 0
  /// The result of the last block that ran on no thread, or that the simulator called.
  var worldResult: Int64 = noValue
  /// What a call throws, or a task when it goes on: the number of a name; `noValue` for nothing.
  var thrown: Int64 = noValue
  /// How many objects of each class have got a name by number.
  var nameless: [String: Int] = [:]
  /// What code that runs on no thread is.
  var outside = Outside.world
  /// The thread in whose code an operation is asked whether it is ready, or none.
  var asker = ThreadID.none
  /// The main thread; none before it was made.
  var mainThread = ThreadID.none
  /// Whether the first thread has gone in `dispatchMain()`, so that the main queue's items are not on it.
  var firstThreadIsGone = false
  /// Since when the main thread can't answer; -1 while it can.
  var mainBusySince: Int64 = -1
  /// What the main thread does while it can't.
  var mainStallWatch = MainStallWatch()
  /// Whether the run ended since nothing could happen any more.
  var isQuiescent = false
  /// Whether the process ended by itself: by `exit()`, or with a tool's main.
  var endsProcess = false
  /// The thread that ended it.
  var endingThread = ThreadID.none

  /// Whose code it is that runs on no thread.
  enum Outside {
    /// The top of the trace, before the run.
    case top
    /// What the world outside does.
    case world
    /// What says whether an operation is ready.
    case question
  }

  /// The program's tables in place, so that a program of millions of items is not copied.
  struct Tables {
    let code: UnsafeBufferPointer<Instruction>
    let blocks: UnsafeBufferPointer<Block>
    let sites: UnsafeBufferPointer<Site>
  }

  /// Creates the process of `program`, whose tables stay in place while it lives.
  init(
    _ program: Program, _ tables: Tables, limits: RunLimits, kernel: consuming Kernel,
    frames: consuming FrameArena
  ) {
    instances = InstanceTable(kernel.storage)
    stepsBetweenLooks = min(Process.mostStepsBetweenLooks, max(1, limits.steps / 16))
    stepsHeld = max(0, limits.steps - stepsBetweenLooks)
    (stepsLeft, lookaheadLeft) = (limits.steps - stepsHeld, limits.steps)
    isDriven = kernel.recorder.driver != nil
    asksForEnds = kernel.recorder.driver?.asksForEnds ?? []
    self.program = program
    self.limits = limits
    self.kernel = kernel
    self.kernel.limitSteadySteps(to: limits.steps)
    self.frames = frames
    (code, blocks, sites) = (tables.code, tables.blocks, tables.sites)
    lives.areOrdered =
      self.kernel.recorder.races.isOn && program.classes.contains { $0.deinitializer != nil }
  }

  /// How many instructions run at most between two looks whether the run is to end: some hundredths of a second.
  static let mostStepsBetweenLooks: Int64 = 1 << 22
}
