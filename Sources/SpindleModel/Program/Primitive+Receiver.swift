extension Primitive {
  /// The class of the object that a call is about, whose number is its first argument; nil where it is about none, or
  /// makes one.
  ///
  /// Of locks it is one class for all, since they have one table.
  package var receiver: HandleClass? {
    switch self {
    case .lock(let member): member == .make ? nil : .mutex
    case .semaphore(let member): member == .make ? nil : .semaphore
    case .group(let member): member == .make ? nil : .group
    case .queue(let member): member.isAboutQueue ? .queue : nil
    case .dispatchSource(let member): member.isAboutSource ? .dispatchSource : nil
    case .operation(let member): member.isAboutOperation ? .operation : nil
    case .operationQueue(let member): member.isAboutQueue ? .operationQueue : nil
    case .doing, .object, .thread, .executor, .once, .workItem, .app, .accelerator, .runLoop,
      .timer, .runLoopSource, .port, .observer, .task, .taskGroup, .continuation, .asyncStream:
      nil
    }
  }
}

extension QueuePrimitive {
  /// Whether the first argument is a queue.
  fileprivate var isAboutQueue: Bool {
    switch self {
    case .make, .main, .global, .getSpecific, .concurrentPerform, .dispatchMain: false
    case .label, .quality, .async, .asyncItem, .asyncAfter, .asyncAfterItem, .io, .syncEnter,
      .syncLeave, .syncItem, .suspend, .resume, .activate, .setTarget, .setSpecific,
      .getOwnSpecific, .setFinalizer, .precondition, .preconditionNot:
      true
    }
  }
}

extension DispatchSourcePrimitive {
  /// Whether the first argument is a source.
  fileprivate var isAboutSource: Bool {
    switch self {
    case .make, .pipeMake, .pipeWrite, .pipeRead, .raiseSignal, .processMake: false
    case .setEventHandler, .setCancelHandler, .data, .merge, .schedule, .resume, .activate,
      .suspend, .cancel, .isCancelled, .send:
      true
    }
  }
}

extension OperationPrimitive {
  /// Whether the first argument is an operation.
  fileprivate var isAboutOperation: Bool {
    switch self {
    case .make, .current, .ownIsCancelled: false
    default: true
    }
  }
}

extension OperationQueuePrimitive {
  /// Whether the first argument is an operation queue.
  fileprivate var isAboutQueue: Bool {
    switch self {
    case .make, .main, .current: false
    default: true
    }
  }
}
