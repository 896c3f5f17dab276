/// What the world outside can't do, nor the top of a trace, since they have no thread.
extension Primitive {
  /// What it is called in a trace when it works, waits or asks who runs it; nil when it needs no thread.
  ///
  /// A scheduled timer and `addOperations(_:waitUntilFinished: true)` need one besides, which their arguments tell.
  package var threadNeed: String? {
    switch self {
    case .doing(let primitive): primitive.threadNeed
    case .thread(let primitive): primitive.threadNeed
    case .lock(let primitive): primitive.threadNeed
    case .semaphore(.wait), .group(.wait), .workItem(.wait): "wait"
    case .workItem(.perform): "perform"
    case .queue(let primitive): primitive.threadNeed
    case .once(.enter): "once"
    case .accelerator(.run): "run"
    case .runLoop(let primitive): primitive.threadNeed
    case .timer(.fire): "fire"
    case .operation(let primitive): primitive.threadNeed
    case .operationQueue(.current): "current"
    case .operationQueue(.waitAll): "waitUntilAllOperationsAreFinished"
    case .task(let primitive): primitive.threadNeed
    case .taskGroup(let primitive): primitive.threadNeed
    case .continuation(.await), .asyncStream(.next): "await"
    case .semaphore, .group, .workItem, .once, .accelerator, .timer, .operationQueue, .continuation,
      .asyncStream, .object, .executor, .dispatchSource, .app, .runLoopSource, .port, .observer:
      nil
    }
  }
}

extension DoingPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .work: "work"
    case .io: "io"
    case .sleep, .sleepUntil: "sleep"
    case .yield: "yield"
    case .autorelease: "autorelease"
    case .autoreleasePoolPush, .autoreleasePoolPop: "autoreleasepool"
    case .print, .printPart, .textIsBefore, .textHasPrefix, .textHasSuffix, .textContains,
      .textCount, .textUppercased, .textLowercased, .textCapitalized, .textPart, .textTraits,
      .textNumber, .textByte, .textScalar, .mark, .record,
      .sample, .allocate, .free,
      .fatalError, .trap, .uncaught, .exit:
      nil
    }
  }
}

extension ThreadPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .join: "join"
    case .current: "current"
    case .isMainThread: "isMainThread"
    case .exit: "exit"
    default: nil
    }
  }
}

extension LockPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .lock, .lockBefore, .lockWhen, .lockWhenBefore: "lock"
    case .tryLock, .tryLockWhen: "try"
    case .unlock, .unlockWith: "unlock"
    case .wait, .waitUntil: "wait"
    case .readLock: "readLock"
    case .writeLock: "writeLock"
    case .tryReadLock: "tryReadLock"
    case .tryWriteLock: "tryWriteLock"
    case .make, .signal, .broadcast, .condition, .setValue, .access: nil
    }
  }
}

extension QueuePrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .syncEnter, .syncLeave, .syncItem: "sync"
    case .getSpecific: "getSpecific"
    case .concurrentPerform: "concurrentPerform"
    case .dispatchMain: "dispatchMain"
    case .precondition, .preconditionNot: "dispatchPrecondition"
    case .make, .main, .global, .label, .quality, .async, .asyncItem, .asyncAfter, .asyncAfterItem,
      .io, .suspend, .resume, .activate, .setTarget, .setSpecific, .getOwnSpecific, .setFinalizer:
      nil
    }
  }
}

extension RunLoopPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .run, .runUntil, .runMode: "run"
    case .runCF: "CFRunLoopRun"
    case .runInMode: "CFRunLoopRunInMode"
    case .limitDate: "limitDate"
    case .performAfterDelay: "perform"
    case .cancelPerforms: "cancelPreviousPerforms"
    case .main, .ofThread, .currentMode, .stop, .wakeUp, .addCommonMode, .add, .remove, .perform,
      .observe, .track, .performOnThread, .io:
      nil
    }
  }
}

extension OperationPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .start: "start"
    case .wait: "waitUntilFinished"
    // What an operation says of itself, by a bare name.
    case .current: "finish"
    case .ownIsCancelled: "isCancelled"
    default: nil
    }
  }
}

extension TaskPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .value: "value"
    case .result: "result"
    case .ownIsCancelled: "isCancelled"
    case .checkCancellation: "checkCancellation"
    case .yield: "yield"
    case .sleep, .sleepUntil: "sleep"
    case .io, .ioThrowing: "io"
    case .currentPriority: "currentPriority"
    case .basePriority: "basePriority"
    case .ownName: "name"
    case .checkIsolation: "assumeIsolated"
    case .prefer, .endLet, .pushHandler, .pushEscalation, .popHandler: "await"
    case .bindLocal, .unbindLocal: "withValue"
    case .make, .get, .isSuccess, .failure, .cancel, .isCancelled, .escalate, .hop, .ownExecutor,
      .makeActor, .useQueue, .local, .current:
      nil
    }
  }
}

extension TaskGroupPrimitive {
  fileprivate var threadNeed: String? {
    switch self {
    case .add: "addTask"
    case .next: "next"
    case .waitForAll: "waitForAll"
    case .cancelAll: "cancelAll"
    case .make, .finish, .abandon, .dropResults: "await"
    case .isCancelled, .isEmpty: nil
    }
  }
}
