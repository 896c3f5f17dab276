import SpindleModel

/// The frame of one run of a run loop: what its registers hold.
///
/// A pass calls handlers by pushing their frames above this one, so runs nest, and a handler may wait,
/// run the loop again or end its thread.
struct RunLoopFrame {
  /// How many registers it has.
  static let size: Int32 = 13

  private let registers: UnsafeMutablePointer<Int64>

  /// The registers of `frame`; valid until the next frame is made.
  init(_ frame: Int32, _ frames: borrowing FrameArena) { registers = frames.registers(frame) }

  private func get(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: registers[index]) }

  /// Which loop runs.
  var loop: Int32 {
    get { get(0) }
    nonmutating set { registers[0] = Int64(newValue) }
  }
  /// The index of the mode.
  var mode: Int32 {
    get { get(1) }
    nonmutating set { registers[1] = Int64(newValue) }
  }
  /// When it times out: in the distant past when it is for one pass only.
  var deadline: Int64 {
    get { registers[2] }
    nonmutating set { registers[2] = newValue }
  }
  /// What holds for it.
  var flags: Flags {
    get { Flags(rawValue: registers[3]) }
    nonmutating set { registers[3] = newValue.rawValue }
  }
  /// The list that it goes through.
  var snapshot: Int32 {
    get { get(4) }
    nonmutating set { registers[4] = Int64(newValue) }
  }
  /// What its caller gets.
  var form: Form {
    get { Form(rawValue: registers[5]) ?? .code }
    nonmutating set { registers[5] = newValue.rawValue }
  }
  /// How it ends.
  var result: RunLoopResult {
    get { RunLoopResult(rawValue: registers[6]) ?? .finished }
    nonmutating set { registers[6] = newValue.rawValue }
  }
  /// The run around it; -1 for none.
  var outerRun: Int32 {
    get { get(7) }
    nonmutating set { registers[7] = Int64(newValue) }
  }
  /// The index of the mode of the run around it; -1 for none.
  var outerMode: Int32 {
    get { get(8) }
    nonmutating set { registers[8] = Int64(newValue) }
  }
  /// The observer, source, timer or port whose handler runs; -1 for none.
  var item: Int32 {
    get { get(9) }
    nonmutating set { registers[9] = Int64(newValue) }
  }
  /// When it was asked for; then the message, or the thread that waits for a perform.
  var value: Int64 {
    get { registers[10] }
    nonmutating set { registers[10] = newValue }
  }
  /// Which port the pass handles; below 0 for those that are no source's.
  var port: Int64 {
    get { registers[11] }
    nonmutating set { registers[11] = newValue }
  }
  /// The last ticket that had been given out when the sources of this pass were collected.
  var ticket: Int64 {
    get { registers[12] }
    nonmutating set { registers[12] = newValue }
  }

  /// What a run's caller gets from it.
  enum Form: Int64 {
    /// The result as a symbol.
    case symbol
    /// True, whatever the result.
    case truth
    /// The result's number, for a frame of the simulator's own.
    case code
    /// The next date of a timer of the mode, for `limitDate(forMode:)`.
    case limit
  }

  struct Flags: OptionSet {
    let rawValue: Int64

    /// It ends when a source was handled.
    static let returnsAfterSource = Flags(rawValue: 1)
    /// A source was handled in this pass.
    static let handledSource = Flags(rawValue: 2)
    /// This pass does not sleep.
    static let polls = Flags(rawValue: 4)
    /// The main queue was served in the pass before.
    static let servedMainQueue = Flags(rawValue: 8)
    /// It may serve the main queue.
    static let servesMainQueue = Flags(rawValue: 16)
    /// It is a run of the main thread's own loop, which nobody called.
    static let isOwn = Flags(rawValue: 32)
    /// The main thread's own loop is to run in another mode.
    static let changesMode = Flags(rawValue: 64)
    /// It has an autorelease pool of its own.
    static let hasPool = Flags(rawValue: 128)
    /// The loop around it was stopped, or ignored wake-ups, when it began.
    static let outerWasStopped = Flags(rawValue: 256)
    static let outerIgnoredWakeUps = Flags(rawValue: 512)
    /// It has slept in this pass.
    static let hasSlept = Flags(rawValue: 1024)
    /// It has slept, or called a timer, a source, a block or the main queue.
    static let didSomething = Flags(rawValue: 2048)
  }
}

/// How far a run has come; the numbers are those of the steps in Core Foundation's source, as far as
/// they have any there.
enum RunLoopStep: Int32 {
  case begin
  case entryObservers
  /// 1, 2: a run that was stopped already; else the first pass begins.
  case start
  /// 3: a pass begins.
  case top
  /// 4
  case beforeTimersObservers
  /// 5
  case beforeSourcesObservers
  /// 6
  case firstBlocks
  /// 7
  case sources
  /// 8
  case blocksAfterSources
  /// 9, 10: whether to sleep, and whether the main queue comes first.
  case poll
  /// 11a
  case beforeWaitingObservers
  /// 11b: sleeps, unless something is ready.
  case sleep
  /// It has slept, or found something ready.
  case wake
  /// 11c
  case afterWaitingObservers
  /// 12: one port.
  case handle
  case timers
  case message
  case mainQueue
  /// 13
  case lastBlocks
  case test
  /// 14
  case exitObservers
  case end
}
