import SpindleModel

extension Instruction {
  /// Whether it ends its frame.
  var leavesFrame: Bool {
    switch self {
    case .finish, .finishWith: true
    default: false
    }
  }

  /// What it does where it leaves all as it was but for the registers of its thread; nil where that is not known.
  ///
  /// What it computes from numbers that grow evenly grows evenly; where that is not so, the numbers may not grow.
  func roundStep(_ registers: UnsafeMutablePointer<Int64>) -> RoundStep? {
    switch self {
    case .constant, .copy, .loadGlobal, .readShared, .readToChange, .writeShared, .now, .jump,
      .call, .finish, .finishWith,
      .workConstant:
      return RoundStep(.values)
    case .add(_, let a, let b): return RoundStep(sum: registers[a], registers[b])
    case .subtract(_, let a, let b):
      return registers[b] == Int64.min ? nil : RoundStep(sum: registers[a], -registers[b])
    case .increment(let a), .nextRound(let a, _, _): return RoundStep(sum: registers[a], 1)
    case .less(_, let a, let b), .jumpUnlessLess(let a, let b, _):
      return RoundStep(.less, registers[a], registers[b])
    case .lessOrEqual(_, let a, let b): return RoundStep(.lessOrEqual, registers[a], registers[b])
    case .equal(_, let a, let b), .notEqual(_, let a, let b):
      return RoundStep(.equal, registers[a], registers[b])
    case .multiply(_, let a, let b), .divide(_, let a, let b), .remainder(_, let a, let b),
      .shiftLeft(_, let a, let b), .shiftRight(_, let a, let b), .bitAnd(_, let a, let b),
      .bitOr(_, let a, let b), .bitXor(_, let a, let b), .wrap(_, let a, let b, _),
      .scale(_, let a, let b),
      .unscale(_, let a, let b), .ratio(_, let a, let b), .advance(_, let a, let b),
      .arrayGet(_, let a, let b), .entryGet(_, let a, let b):
      return RoundStep(.values, registers[a], registers[b])
    case .negate(_, let a), .not(_, let a), .jumpIf(let a, _), .jumpUnless(let a, _),
      .arrayCount(_, let a), .instanceIs(_, let a, _), .fieldLoad(_, let a, _),
      .fieldRead(_, let a, _), .fieldReadToChange(_, let a, _), .fieldWrite(let a, _, _),
      .checkUnowned(let a):
      return RoundStep(.values, registers[a])
    case .perform(let primitive, let base, _):
      guard let count = primitive.roundArguments else { return nil }
      let second = Register(Int(base.index) + 1)
      return RoundStep(
        .values, count > 0 ? registers[base] : 0, count > 1 ? registers[second] : 0)
    default: return nil
    }
  }
}

extension RoundStep {
  fileprivate init(_ rule: Rule, _ first: Int64 = 0, _ second: Int64 = 0) {
    self.init(thread: .none, place: -1, rule: rule, first: first, second: second)
  }

  /// A sum, unless it is too large for a register.
  fileprivate init?(sum first: Int64, _ second: Int64) {
    let (value, overflow) = first.addingReportingOverflow(second)
    if overflow { return nil }
    self.init(.sum, value)
  }
}

extension Primitive {
  /// How many arguments a call has that leaves all as it was when it comes again and again; nil where that is not known.
  ///
  /// It asks for something, works, or takes a lock and gives it back.
  fileprivate var roundArguments: Int? {
    switch self {
    case .lock(let primitive):
      switch primitive {
      case .lock, .tryLock, .unlock, .condition, .readLock, .tryReadLock, .writeLock,
        .tryWriteLock:
        return 1
      case .tryLockWhen, .unlockWith: return 2
      default: return nil
      }
    case .doing(.work): return 1
    case .doing(.yield): return 0
    case .operation(.isCancelled), .operation(.isReady), .operation(.isExecuting),
      .operation(.isFinished), .operation(.ownIsCancelled), .operationQueue(.count),
      .operationQueue(.isSuspended), .thread(.isCancelled), .thread(.isExecuting),
      .thread(.isFinished), .workItem(.isCancelled), .dispatchSource(.isCancelled):
      return 1
    default: return nil
    }
  }
}

extension LockRuntime {
  /// The owner of a lock and how often it has taken it, which are the same in each round at the same instruction.
  func roundState(_ lock: LockRecord.Index) -> Int64 {
    let record = locks[lock]
    return Int64(record.owner.index) << 32 ^ Int64(record.depth) << 16 ^ Int64(record.readers)
  }
}
