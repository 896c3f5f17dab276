import SpindleModel

/// A run that goes on, as one step hands it to the next: its frame, and the thread that it is on.
struct RunLoopRun: BitwiseCopyable {
  let frame: FrameIndex
  let thread: ThreadID

  /// What its registers hold; valid until the next frame is made.
  func state(_ process: borrowing Process) -> RunLoopFrame { RunLoopFrame(frame, process.frames) }

  /// How far it has come.
  func step(_ process: borrowing Process) -> RunLoopStep {
    let counter = process.frames.counter(frame)
    guard let step = RunLoopStep(rawValue: counter) else {
      fatalError("a run of a run loop is at no step, but at \(counter)")
    }
    return step
  }
}

/// The frame of one run of a run loop: what its registers hold.
///
/// A pass calls handlers by pushing their frames above this one, so runs nest, and a handler may wait,
/// run the loop again or end its thread.
struct RunLoopFrame {
  /// How many registers it has.
  static let size = Int32(Slot.allCases.count)

  private let registers: UnsafeMutablePointer<Int64>

  /// The registers of `frame`; valid until the next frame is made.
  init(_ frame: FrameIndex, _ frames: borrowing FrameArena) { registers = frames.registers(frame) }

  /// The registers, each for one thing.
  private enum Slot: Int, CaseIterable {
    case loop, mode, deadline, flags, snapshot, form, result, outerRun, callee, begun, message, port
    case ticket
  }

  private func get(_ slot: Slot) -> Int64 { registers[slot.rawValue] }

  private func set(_ slot: Slot, _ value: Int64) { registers[slot.rawValue] = value }

  /// Which loop runs.
  var loop: RunLoop.Index {
    get { RunLoop.Index(register: get(.loop)) }
    nonmutating set { set(.loop, newValue.register) }
  }
  /// In which of its modes.
  var mode: RunLoopMode.Index {
    get { RunLoopMode.Index(register: get(.mode)) }
    nonmutating set { set(.mode, newValue.register) }
  }
  /// When it times out: in the distant past when it is for one pass only.
  var deadline: Int64 {
    get { get(.deadline) }
    nonmutating set { set(.deadline, newValue) }
  }
  /// What holds for it.
  var flags: Flags {
    get { Flags(rawValue: get(.flags)) }
    nonmutating set { set(.flags, newValue.rawValue) }
  }
  /// The lists that it goes through.
  var snapshot: RunLoopSnapshot.Index {
    get { RunLoopSnapshot.Index(register: get(.snapshot)) }
    nonmutating set { set(.snapshot, newValue.register) }
  }
  /// What its caller gets.
  var form: Form {
    get {
      guard let form = Form(rawValue: get(.form)) else {
        fatalError("nobody can get a run's result in form \(get(.form))")
      }
      return form
    }
    nonmutating set { set(.form, newValue.rawValue) }
  }
  /// How it ends; finished before that is known.
  var result: RunLoopResult {
    get { RunLoopResult(rawValue: get(.result)) ?? .finished }
    nonmutating set { set(.result, newValue.rawValue) }
  }
  /// The frame of the run around it; -1 for none.
  var outerRun: FrameIndex {
    get { FrameIndex(register: get(.outerRun)) }
    nonmutating set { set(.outerRun, newValue.register) }
  }
  /// Whose handler runs.
  var callee: RunLoopCallee {
    get { RunLoopCallee(register: get(.callee)) }
    nonmutating set { set(.callee, newValue.register) }
  }
  /// When it was asked for.
  var begun: Int64 {
    get { get(.begun) }
    nonmutating set { set(.begun, newValue) }
  }
  /// The message that it took out of a port.
  var message: Int64 {
    get { get(.message) }
    nonmutating set { set(.message, newValue) }
  }
  /// Which port the pass handles.
  var port: RunLoopReadyPort {
    get { RunLoopReadyPort(register: get(.port)) }
    nonmutating set { set(.port, newValue.register) }
  }
  /// Whether the pass handles a port.
  var isReady: Bool {
    if case .none = port { return false }
    return true
  }
  /// The last ticket that had been given out when the sources of this pass were collected.
  var ticket: Int64 {
    get { get(.ticket) }
    nonmutating set { set(.ticket, newValue) }
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

/// The frame of what repeats a run: its registers.
struct RunLoopRepetition {
  /// How many registers it has.
  static let size: Int32 = 3

  private let registers: UnsafeMutablePointer<Int64>

  /// The registers of `frame`; valid until the next frame is made.
  init(_ frame: FrameIndex, _ frames: borrowing FrameArena) { registers = frames.registers(frame) }

  /// What repeats a run.
  enum Kind: Int64 {
    /// `run()`: as long as there is anything in the mode.
    case run
    /// `run(until:)`: until its date too.
    case runUntil
    /// `CFRunLoopRun()`: until it is stopped too.
    case runCF
    /// The main thread's own: for ever.
    case main
  }

  /// How far it has come.
  enum State: Int32 {
    case begins, hasRun
  }

  /// Sets what it repeats.
  func set(_ repetition: Kind, until deadline: Int64, of loop: RunLoop.Index) {
    (registers[0], registers[1], registers[2]) = (repetition.rawValue, deadline, loop.register)
  }

  var repetition: Kind {
    guard let kind = Kind(rawValue: registers[0]) else {
      fatalError("nothing repeats a run that is called \(registers[0])")
    }
    return kind
  }
  var deadline: Int64 { registers[1] }
  var loop: RunLoop.Index { RunLoop.Index(register: registers[2]) }
}

/// The frame of a timer that is fired by hand: its one register, and its states.
enum TimerFireFrame {
  /// How many registers it has.
  static let size: Int32 = 1

  /// How far it has come.
  enum State: Int32 {
    case calls, hasCalled
  }

  /// Sets which timer is fired.
  static func set(_ timer: RunLoopTimer.Index, _ frame: FrameIndex, _ frames: borrowing FrameArena)
  {
    frames.registers(frame)[0] = timer.register
  }

  /// Which timer is fired.
  static func timer(_ frame: FrameIndex, _ frames: borrowing FrameArena) -> RunLoopTimer.Index {
    RunLoopTimer.Index(register: frames.registers(frame)[0])
  }
}

/// Whose handler a run calls.
enum RunLoopCallee {
  case nothing
  case observer(RunLoopObserver.Index), source(RunLoopSource.Index), timer(RunLoopTimer.Index)
  case port(RunLoopPort.Index)
  case block
  /// What a thread was asked to perform: the thread that waits until it is done, or none.
  case perform(waiter: ThreadID)

  private enum Kind: Int64 {
    case nothing, observer, source, timer, port, block, perform
  }

  /// Whether no handler runs.
  var isNothing: Bool {
    if case .nothing = self { return true }
    return false
  }

  /// What a register holds: the number, and above it the kind.
  @inline(__always)
  init(register: Int64) {
    let number = Int32(truncatingIfNeeded: register)
    switch Kind(rawValue: register >> 32) {
    case .nothing: self = .nothing
    case .observer: self = .observer(RunLoopObserver.Index(number))
    case .source: self = .source(RunLoopSource.Index(number))
    case .timer: self = .timer(RunLoopTimer.Index(number))
    case .port: self = .port(RunLoopPort.Index(number))
    case .block: self = .block
    case .perform: self = .perform(waiter: ThreadID(number))
    case nil: fatalError("a run calls nothing of the kind \(register >> 32)")
    }
  }

  /// What a register holds for it.
  var register: Int64 {
    switch self {
    case .nothing: Self.register(.nothing, 0)
    case .observer(let observer): Self.register(.observer, observer.raw)
    case .source(let source): Self.register(.source, source.raw)
    case .timer(let timer): Self.register(.timer, timer.raw)
    case .port(let port): Self.register(.port, port.raw)
    case .block: Self.register(.block, 0)
    case .perform(let waiter): Self.register(.perform, waiter.index)
    }
  }

  private static func register(_ kind: Kind, _ number: Int32) -> Int64 {
    kind.rawValue << 32 | Int64(UInt32(bitPattern: number))
  }
}

/// Which port a pass takes.
///
/// When several are ready at one moment a pass takes the first of them in this order: the
/// wake-up port, the timers, the main dispatch queue, and of the other ports the one whose oldest
/// message came first. It begins behind the kind that it took last, so that none of them starves.
/// The real order is that of the kernel's port set, which nobody promises.
enum RunLoopReadyPort {
  case none, wakeUp, timers, mainQueue
  case port(RunLoopPort.Index)

  /// The kinds, in their order.
  enum Kind: CaseIterable {
    case wakeUp, timers, mainQueue, port

    /// The one behind it; behind the last, the first.
    var next: Kind {
      switch self {
      case .wakeUp: .timers
      case .timers: .mainQueue
      case .mainQueue: .port
      case .port: .wakeUp
      }
    }
  }

  /// What a register holds: a port's number, or one below 0 for what is no source's.
  init(register: Int64) {
    switch register {
    case -1: self = .none
    case -2: self = .wakeUp
    case -3: self = .timers
    case -4: self = .mainQueue
    default:
      demand(register >= 0, "a run handles the port \(register)")
      self = .port(RunLoopPort.Index(register: register))
    }
  }

  /// What a register holds for it.
  var register: Int64 {
    switch self {
    case .none: -1
    case .wakeUp: -2
    case .timers: -3
    case .mainQueue: -4
    case .port(let port): port.register
    }
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
