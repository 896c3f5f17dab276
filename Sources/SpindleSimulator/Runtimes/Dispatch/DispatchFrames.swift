/// The frame of a thread that takes items of queues: a worker, a serial queue that is drained, or the
/// main thread in its queue.
struct ItemFrame {
  /// How far it has come.
  enum State: Int32 {
    case takesNext, hasItem
  }

  /// What its registers hold.
  private enum Slot {
    static let item = 0
    static let outerQueue = 1
    static let subject = 2
    static let isCalled = 3
  }

  /// How many registers it has.
  static let size: Int32 = 4

  let frame: FrameIndex

  @inline(__always)
  init(_ frame: FrameIndex) { self.frame = frame }

  /// The frame, when it is one of these.
  @inline(__always)
  init?(_ frame: FrameIndex, ifOf process: borrowing Process) {
    switch process.frames.activity(frame) {
    case .queueWorker, .lane, .mainDrain: self.frame = frame
    case .operation, .manager, .dispatchMain, .apply, .performItem, .runLoopRun, .runLoopRepeat,
      .timerFire,
      .task, .actorDrain, .taskHandlers, .streamElement, nil:
      return nil
    }
  }

  /// Whether it has an item in hand.
  @inline(__always)
  func hasItem(_ process: borrowing Process) -> Bool {
    process.frames.counter(frame) == State.hasItem.rawValue
  }

  @inline(__always)
  func setState(_ state: State, _ process: borrowing Process) {
    assert(ItemFrame(frame, ifOf: process) != nil, "frame \(frame) takes no items")
    process.frames.setCounter(frame, state.rawValue)
  }

  /// The item in hand, and the queue that the thread ran on before.
  @inline(__always)
  func present(_ process: borrowing Process)
    -> (item: DispatchItem.Index, outerQueue: DispatchQueueRecord.Index)
  {
    assert(hasItem(process), "frame \(frame) has no item in hand")
    let registers = process.frames.registers(frame)
    return (
      .init(register: registers[Slot.item]), .init(register: registers[Slot.outerQueue])
    )
  }

  /// Takes an item in hand.
  @inline(__always)
  func take(
    _ item: DispatchItem.Index, outerQueue: DispatchQueueRecord.Index, _ process: borrowing Process
  ) {
    assert(!hasItem(process), "frame \(frame) takes item \(item) and has one in hand")
    let registers = process.frames.registers(frame)
    registers[Slot.item] = item.register
    registers[Slot.outerQueue] = outerQueue.register
    registers[Slot.isCalled] = 0
    setState(.hasItem, process)
  }

  /// Whether code of the trace was called for the item in hand: a cancelled work item, or a source
  /// with nothing to deliver, has none.
  @inline(__always)
  func isCalled(_ process: borrowing Process) -> Bool {
    process.frames.registers(frame)[Slot.isCalled] & 1 != 0
  }

  /// Whether the item in hand has an autorelease pool of its own.
  func hasPool(_ process: borrowing Process) -> Bool {
    assert(hasItem(process), "frame \(frame) is asked for a pool and has no item")
    return process.frames.registers(frame)[Slot.isCalled] & 2 != 0
  }

  /// Whether a schedule has the thread held before it begins the work item in hand.
  func isHeld(_ process: borrowing Process) -> Bool {
    hasItem(process) && process.frames.registers(frame)[Slot.isCalled] & 4 != 0
  }

  func setHeld(_ isHeld: Bool, _ process: borrowing Process) {
    assert(hasItem(process), "frame \(frame) is held and has no item")
    process.frames.registers(frame)[Slot.isCalled] &= ~4
    if isHeld { process.frames.registers(frame)[Slot.isCalled] |= 4 }
  }

  func setPool(_ process: borrowing Process) {
    assert(hasItem(process), "frame \(frame) has a pool and no item")
    process.frames.registers(frame)[Slot.isCalled] |= 2
  }

  @inline(__always)
  func setCalled(_ process: borrowing Process) {
    assert(hasItem(process), "frame \(frame) calls something and has no item")
    process.frames.registers(frame)[Slot.isCalled] |= 1
  }

  /// The serial queue that is drained.
  @inline(__always)
  func lane(_ process: borrowing Process) -> DispatchQueueRecord.Index {
    assert(process.frames.activity(frame) == .lane, "frame \(frame) drains no serial queue")
    return .init(register: process.frames.registers(frame)[Slot.subject])
  }

  @inline(__always)
  func setLane(_ queue: DispatchQueueRecord.Index, _ process: borrowing Process) {
    assert(process.frames.activity(frame) == .lane, "frame \(frame) drains no serial queue")
    process.frames.registers(frame)[Slot.subject] = queue.register
  }

  /// How many items the main thread has still to take.
  @inline(__always)
  func itemsLeft(_ process: borrowing Process) -> Int64 {
    assert(process.frames.activity(frame) == .mainDrain, "frame \(frame) has no main queue")
    return process.frames.registers(frame)[Slot.subject]
  }

  @inline(__always)
  func setItemsLeft(_ count: Int64, _ process: borrowing Process) {
    assert(count >= 0, "the main thread is to take \(count) items")
    process.frames.registers(frame)[Slot.subject] = count
  }
}

/// The frame of `dispatchMain()`.
struct DispatchMainFrame {
  /// How far it has come.
  enum State: Int32 {
    case looks, hasDrained
  }

  /// How many registers it has.
  static let size: Int32 = 1

  let frame: FrameIndex

  func state(_ process: borrowing Process) -> State {
    let counter = process.frames.counter(frame)
    guard let state = State(rawValue: counter) else {
      fatalError("frame \(frame) of dispatchMain() is in state \(counter)")
    }
    return state
  }

  func setState(_ state: State, _ process: borrowing Process) {
    process.frames.setCounter(frame, state.rawValue)
  }
}

/// The frame of a thread that takes part in a `concurrentPerform`.
struct ApplyFrame {
  /// How far it has come.
  enum State: Int32 {
    case takesNext, hasIteration
  }

  /// What its registers hold.
  private enum Slot {
    static let apply = 0
    static let isCaller = 1
    static let iteration = 2
  }

  /// How many registers it has.
  static let size: Int32 = 3

  let frame: FrameIndex

  /// Says what the frame is for, once.
  func begin(_ apply: ApplyRecord.Index, isCaller: Bool, _ process: borrowing Process) {
    demand(process.frames.activity(frame) == .apply, "frame \(frame) runs no iterations")
    let registers = process.frames.registers(frame)
    registers[Slot.apply] = apply.register
    registers[Slot.isCaller] = isCaller ? 1 : 0
  }

  func hasIteration(_ process: borrowing Process) -> Bool {
    process.frames.counter(frame) == State.hasIteration.rawValue
  }

  func setState(_ state: State, _ process: borrowing Process) {
    process.frames.setCounter(frame, state.rawValue)
  }

  /// The `concurrentPerform`.
  func apply(_ process: borrowing Process) -> ApplyRecord.Index {
    assert(process.frames.activity(frame) == .apply, "frame \(frame) runs no iterations")
    return .init(register: process.frames.registers(frame)[Slot.apply])
  }

  /// Whether the thread is the one that called it.
  func isCaller(_ process: borrowing Process) -> Bool {
    process.frames.registers(frame)[Slot.isCaller] != 0
  }

  /// The iteration in hand.
  func iteration(_ process: borrowing Process) -> Int64 {
    process.frames.registers(frame)[Slot.iteration]
  }

  /// Takes an iteration in hand.
  func take(_ iteration: Int64, _ process: borrowing Process) {
    assert(!hasIteration(process), "frame \(frame) takes iteration \(iteration) and has one")
    process.frames.registers(frame)[Slot.iteration] = iteration
    setState(.hasIteration, process)
  }
}

/// Who wants a work item, or iterations, to be run here and now.
enum Performance: Int64 {
  /// `perform()`, or a call on a global queue.
  case byHand
  /// In `sync`, on the caller's thread.
  case inSync
  /// In `sync` of another thread, on the main thread.
  case lent
}

/// The frame that runs a work item where it is performed.
struct PerformFrame {
  /// How far it has come.
  enum State: Int32 {
    case fresh, runs
  }

  /// What its registers hold.
  private enum Slot {
    static let workItem = 0
    static let reason = 1
  }

  /// How many registers it has.
  static let size: Int32 = 2

  let frame: FrameIndex

  /// Says what the frame is for, once.
  func begin(_ workItem: WorkItemRecord.Index, _ reason: Performance, _ process: borrowing Process)
  {
    demand(process.frames.activity(frame) == .performItem, "frame \(frame) performs nothing")
    let registers = process.frames.registers(frame)
    registers[Slot.workItem] = workItem.register
    registers[Slot.reason] = reason.rawValue
  }

  func isFresh(_ process: borrowing Process) -> Bool {
    process.frames.counter(frame) == State.fresh.rawValue
  }

  func setState(_ state: State, _ process: borrowing Process) {
    process.frames.setCounter(frame, state.rawValue)
  }

  func workItem(_ process: borrowing Process) -> WorkItemRecord.Index {
    assert(process.frames.activity(frame) == .performItem, "frame \(frame) performs nothing")
    return .init(register: process.frames.registers(frame)[Slot.workItem])
  }

  func reason(_ process: borrowing Process) -> Performance {
    let code = process.frames.registers(frame)[Slot.reason]
    guard let reason = Performance(rawValue: code) else {
      fatalError("frame \(frame) runs a work item for reason \(code)")
    }
    return reason
  }
}
