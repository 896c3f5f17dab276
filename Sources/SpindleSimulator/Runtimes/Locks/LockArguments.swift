import SpindleModel

/// A lock that is made.
struct LockMakeArguments {
  let lockClass: LockClass
  let name: Int64
  /// The number of a condition lock.
  let condition: Int64?
  /// What it says of its owner's priority; nil where the machine decides.
  let resourceProtocol: ResourceProtocol?
  /// The most that an owner's priority can be, in billionths.
  let ceiling: Int64?

  init(_ call: Call, _ process: borrowing Process) {
    let raw = process.argument(0, call)
    guard let known = LockClass(rawValue: UInt8(truncatingIfNeeded: raw)) else {
      fatalError("\(raw) is no class of a lock")
    }
    lockClass = known
    name = process.argument(1, call)
    condition = process.given(2, call)
    resourceProtocol = process.given(3, call).flatMap {
      ResourceProtocol(rawValue: process.kernel.text($0))
    }
    ceiling = process.given(4, call)
  }

  /// A plain lock that another object has for itself.
  init(own lockClass: LockClass) {
    (self.lockClass, name) = (lockClass, noValue)
    (condition, resourceProtocol, ceiling) = (nil, nil, nil)
  }
}

/// What an atomic operation does: whether others' memory is ordered by it, and whether it may change the value.
struct AtomicEffect {
  let acquires: Bool
  let releases: Bool
  let changes: Bool

  init(_ call: Call, _ process: borrowing Process) {
    let raw = process.argument(1, call)
    (acquires, releases, changes) = (raw & 1 != 0, raw & 2 != 0, raw & 4 != 0)
  }
}

/// `lock(whenCondition:)`, and with `before:`.
struct LockWhenArguments {
  let condition: Int64
  let deadline: Int64?

  init(hasLimit: Bool, _ call: Call, _ process: borrowing Process) {
    condition = process.argument(1, call)
    deadline = hasLimit ? process.deadline(process.argument(2, call)) : nil
  }
}
