import SpindleModel

/// The frame of an operation that a thread runs: what its registers hold.
struct OperationFrame {
  /// How many registers it has.
  static let size: Int32 = 5

  /// Who lets the thread run it.
  enum Runner: Equatable {
    /// Code that called `start()`, or that let go of an operation that never ran.
    case byHand
    /// An operation queue.
    case queue(OperationQueueRecord.Index)
    /// Dispatch alone: a part of another operation, or a barrier that no operation queue knows of.
    case dispatch
  }

  private let registers: UnsafeMutablePointer<Int64>

  /// The registers of `frame`; valid until the next frame is made.
  init(_ frame: FrameIndex, _ frames: borrowing FrameArena) {
    assert(frames.activity(frame) == .operation, "frame \(frame) is no operation's")
    registers = frames.registers(frame)
  }

  /// Which operation runs.
  var operation: OperationRecord.Index {
    get { .init(register: registers[0]) }
    nonmutating set { registers[0] = newValue.register }
  }
  /// The lock that its thread took last before it; -1 for none.
  var lockBefore: Int32 {
    get { Int32(truncatingIfNeeded: registers[1]) }
    nonmutating set { registers[1] = Int64(newValue) }
  }
  /// What the thread's base priority was; nil where the operation has not changed it.
  var basePriority: Int16? {
    get { registers[2] == noValue ? nil : Int16(truncatingIfNeeded: registers[2]) }
    nonmutating set { registers[2] = newValue.map(Int64.init) ?? noValue }
  }
  /// What its `threadPriority` was, where the operation has changed it.
  var threadPriority: Int64 {
    get { registers[3] }
    nonmutating set { registers[3] = newValue }
  }
  /// Who lets the thread run it.
  var runner: Runner {
    get {
      switch registers[4] {
      case -2: .byHand
      case -1: .dispatch
      default: .queue(.init(register: registers[4]))
      }
    }
    nonmutating set {
      switch newValue {
      case .byHand: registers[4] = -2
      case .dispatch: registers[4] = -1
      case .queue(let queue): registers[4] = queue.register
      }
    }
  }
}

/// What a thread whose wait has the reason `.operation` waits for; its `waitValue`.
enum WaitedOperation: Int64 {
  /// The end of the operation that is its object.
  case one
  /// The blocks of the operation that is its object, which other threads run.
  case parts
}

/// How far a call of `addOperations(_:waitUntilFinished:)` has come, in its thread's `phase`.
enum AddAllPhase {
  /// Its cost is paid.
  static let fresh: UInt8 = 1
  /// All are added, and it waits for them.
  static let waits: UInt8 = 2
}
