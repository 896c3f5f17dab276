import SpindleModel

/// Locks and semaphores.
extension Vocabulary {
  static let lockTypes: [TypeEntry] = [
    lockType(.mutex, .mutex), lockType(.recursive, .recursive), lockType(.condition, .condition),
    TypeEntry(
      name: LockClass.conditionLock.name, handle: .conditionLock,
      initializers: [
        Member(
          LockClass.conditionLock.name,
          [
            .constant(Int64(LockClass.conditionLock.rawValue)), .name,
            .argument("condition", .integer, .standard(0)),
          ] + protocols, result: .handle(.conditionLock), .perform(.lock(.make)))
      ], statics: MemberTable(functions: [], properties: [])),
    lockType(.unfair, .unfair), lockType(.readWrite, .readWrite),
    TypeEntry(
      name: "DispatchSemaphore", handle: .semaphore,
      initializers: [
        Member(
          "DispatchSemaphore", [.name, .argument("value", .integer, limit: .notNegative)],
          result: .handle(.semaphore),
          .perform(.semaphore(.make)))
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static func lockType(_ handle: HandleClass, _ lock: LockClass) -> TypeEntry {
    TypeEntry(
      name: lock.name, handle: handle,
      initializers: [
        Member(
          lock.name,
          [.constant(Int64(lock.rawValue)), .name, .constant(noValue)]
            + (lock == .readWrite ? [.constant(noValue), .constant(noValue)] : protocols),
          result: .handle(handle), .perform(.lock(.make)))
      ], statics: MemberTable(functions: [], properties: []))
  }

  /// What a lock may say of its owner's priority; a lock for readers too says nothing (POSIX,
  /// pthread_rwlockattr_init).
  private static let protocols: [Member.Slot] = [
    .argument("resourceProtocol", .symbol(.resourceProtocol), .optional),
    .argument("priorityCeiling", .decimal, .optional, limit: .priority),
  ]

  static func lockFunctions(of handle: HandleClass) -> [Member] {
    switch handle {
    case .mutex, .recursive: plain + [tryLock("try"), lockBefore]
    case .unfair: plain + [tryLock("try"), tryLock("lockIfAvailable")]
    case .condition: plain + waiting
    case .conditionLock: plain + [tryLock("try"), lockBefore] + numbered
    case .readWrite: readWrite
    case .semaphore: semaphore
    case .thread, .group, .threadPerTask, .threadPool, .taskExecutor, .executor, .runLoop, .timer,
      .source, .port,
      .observer, .runLoopItem, .queue, .workItem, .dispatchSource, .pipe, .process, .onceToken,
      .operation, .operationQueue, .backgroundTask, .accelerator, .task, .taskGroup, .continuation,
      .asyncStream, .streamInput, .taskResult:
      preconditionFailure("\(handle.name) is not a lock")
    }
  }

  static let conditionLockProperties: [Property] = [
    Property(name: "condition", type: .integer, get: .perform(.lock(.condition)))
  ]

  private static let plain: [Member] = [
    Member("lock", [.receiver], .perform(.lock(.lock)), [.needsThread, .locks]),
    Member("unlock", [.receiver], .perform(.lock(.unlock)), .needsThread),
    Member(
      "withLock", [.receiver, .closure("body")],
      .inPlace(enter: .lock(.lock), leave: .lock(.unlock)), .needsThread),
  ]

  private static func tryLock(_ name: String) -> Member {
    Member(
      name, [.receiver], result: .boolean, .perform(.lock(.tryLock)), [.needsThread, .locks])
  }

  private static let lockBefore = Member(
    "lock", [.receiver, .argument("before", .instant, limit: .before)], result: .boolean,
    .perform(.lock(.lockBefore)), [.needsThread, .locks, .waitsForOthers])

  private static let waiting: [Member] = [
    Member("wait", [.receiver], .perform(.lock(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("until", .instant, limit: .until)], result: .boolean,
      .perform(.lock(.waitUntil)), [.needsThread, .waitsForOthers]),
    Member("signal", [.receiver], .perform(.lock(.signal))),
    Member("broadcast", [.receiver], .perform(.lock(.broadcast))),
  ]

  private static let numbered: [Member] = [
    Member(
      "lock", [.receiver, .argument("whenCondition", .integer)], .perform(.lock(.lockWhen)),
      [.needsThread, .locks]),
    Member(
      "lock",
      [
        .receiver, .argument("whenCondition", .integer),
        .argument("before", .instant, limit: .before),
      ],
      result: .boolean, .perform(.lock(.lockWhenBefore)),
      [.needsThread, .locks, .waitsForOthers]),
    Member(
      "tryLock", [.receiver, .argument("whenCondition", .integer)], result: .boolean,
      .perform(.lock(.tryLockWhen)), [.needsThread, .locks]),
    Member(
      "unlock", [.receiver, .argument("withCondition", .integer)],
      .perform(.lock(.unlockWith)), .needsThread),
  ]

  private static let readWrite: [Member] = [
    Member("readLock", [.receiver], .perform(.lock(.readLock)), [.needsThread, .locks]),
    Member("writeLock", [.receiver], .perform(.lock(.writeLock)), [.needsThread, .locks]),
    Member(
      "tryReadLock", [.receiver], result: .boolean, .perform(.lock(.tryReadLock)),
      [.needsThread, .locks]),
    Member(
      "tryWriteLock", [.receiver], result: .boolean, .perform(.lock(.tryWriteLock)),
      [.needsThread, .locks]),
    Member("unlock", [.receiver], .perform(.lock(.unlock)), .needsThread),
    Member(
      "withReadLock", [.receiver, .closure("body")],
      .inPlace(enter: .lock(.readLock), leave: .lock(.unlock)), .needsThread),
    Member(
      "withWriteLock", [.receiver, .closure("body")],
      .inPlace(enter: .lock(.writeLock), leave: .lock(.unlock)), .needsThread),
  ]

  private static let semaphore: [Member] = [
    Member(
      "wait", [.receiver, .constant(noValue)], .perform(.semaphore(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("timeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.semaphore(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("wallTimeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.semaphore(.wait)), .needsThread),
    Member("signal", [.receiver], result: .integer, .perform(.semaphore(.signal)), .ignorable),
  ]
}
