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
          ], result: .handle(.conditionLock), .perform(.lockMake))
      ], statics: MemberTable(functions: [], properties: [])),
    lockType(.unfair, .unfair), lockType(.readWrite, .readWrite),
    TypeEntry(
      name: "DispatchSemaphore", handle: .semaphore,
      initializers: [
        Member(
          "DispatchSemaphore", [.name, .argument("value", .integer)], result: .handle(.semaphore),
          .perform(.semaphoreMake))
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static func lockType(_ handle: HandleClass, _ lock: LockClass) -> TypeEntry {
    TypeEntry(
      name: lock.name, handle: handle,
      initializers: [
        Member(
          lock.name, [.constant(Int64(lock.rawValue)), .name, .constant(noValue)],
          result: .handle(handle), .perform(.lockMake))
      ], statics: MemberTable(functions: [], properties: []))
  }

  static func lockFunctions(of handle: HandleClass) -> [Member] {
    switch handle {
    case .mutex, .recursive: plain + [tryLock("try"), lockBefore]
    case .unfair: plain + [tryLock("try"), tryLock("lockIfAvailable")]
    case .condition: plain + waiting
    case .conditionLock: plain + [tryLock("try"), lockBefore] + numbered
    case .readWrite: readWrite
    case .semaphore: semaphore
    default: []
    }
  }

  static let conditionLockProperties: [Property] = [
    Property(name: "condition", type: .integer, get: .perform(.conditionLockCondition))
  ]

  private static let plain: [Member] = [
    Member("lock", [.receiver], .perform(.lockLock), [.needsThread, .locks]),
    Member("unlock", [.receiver], .perform(.lockUnlock), .needsThread),
    Member(
      "withLock", [.receiver, .closure("body")],
      .inPlace(enter: .lockLock, leave: .lockUnlock), .needsThread),
  ]

  private static func tryLock(_ name: String) -> Member {
    Member(
      name, [.receiver], result: .boolean, .perform(.lockTry), [.needsThread, .locks])
  }

  private static let lockBefore = Member(
    "lock", [.receiver, .argument("before", .instant)], result: .boolean,
    .perform(.lockLockBefore), [.needsThread, .locks, .waitsForOthers])

  private static let waiting: [Member] = [
    Member("wait", [.receiver], .perform(.conditionWait), .needsThread),
    Member(
      "wait", [.receiver, .argument("until", .instant)], result: .boolean,
      .perform(.conditionWaitUntil), [.needsThread, .waitsForOthers]),
    Member("signal", [.receiver], .perform(.conditionSignal)),
    Member("broadcast", [.receiver], .perform(.conditionBroadcast)),
  ]

  private static let numbered: [Member] = [
    Member(
      "lock", [.receiver, .argument("whenCondition", .integer)], .perform(.conditionLockLockWhen),
      [.needsThread, .locks]),
    Member(
      "lock", [.receiver, .argument("whenCondition", .integer), .argument("before", .instant)],
      result: .boolean, .perform(.conditionLockLockWhenBefore),
      [.needsThread, .locks, .waitsForOthers]),
    Member(
      "tryLock", [.receiver, .argument("whenCondition", .integer)], result: .boolean,
      .perform(.conditionLockTryLockWhen), [.needsThread, .locks]),
    Member(
      "unlock", [.receiver, .argument("withCondition", .integer)],
      .perform(.conditionLockUnlockWith), .needsThread),
  ]

  private static let readWrite: [Member] = [
    Member("readLock", [.receiver], .perform(.readWriteReadLock), [.needsThread, .locks]),
    Member("writeLock", [.receiver], .perform(.readWriteWriteLock), [.needsThread, .locks]),
    Member(
      "tryReadLock", [.receiver], result: .boolean, .perform(.readWriteTryReadLock),
      [.needsThread, .locks]),
    Member(
      "tryWriteLock", [.receiver], result: .boolean, .perform(.readWriteTryWriteLock),
      [.needsThread, .locks]),
    Member("unlock", [.receiver], .perform(.lockUnlock), .needsThread),
    Member(
      "withReadLock", [.receiver, .closure("body")],
      .inPlace(enter: .readWriteReadLock, leave: .lockUnlock), .needsThread),
    Member(
      "withWriteLock", [.receiver, .closure("body")],
      .inPlace(enter: .readWriteWriteLock, leave: .lockUnlock), .needsThread),
  ]

  private static let semaphore: [Member] = [
    Member(
      "wait", [.receiver, .constant(noValue)], result: .symbol(.waitResult),
      .perform(.semaphoreWait), [.needsThread, .ignorable]),
    Member(
      "wait", [.receiver, .argument("timeout", .instant)], result: .symbol(.waitResult),
      .perform(.semaphoreWait), .needsThread),
    Member("signal", [.receiver], result: .integer, .perform(.semaphoreSignal), .ignorable),
  ]
}
