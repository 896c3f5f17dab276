import SpindleModel

/// An instruction that makes such a call.
struct EndingSite: Hashable {
  let call: EndingCall
  let place: Int32
}

/// A call by which somebody's wait ends, and the object that it is for.
struct EndingCall: Hashable {
  /// What is done, and to what.
  enum Verb: Hashable {
    case signalsSemaphore, leavesGroup, signalsCondition, unlocksLock, resumesContinuation
    case opensQueue, runsWorkItem, startsThread, feedsStream, finishesOperation
  }

  let verb: Verb
  /// The object's number in its table; -1 where it is not known which one it is.
  let object: Int32

  /// The same for an object that is not known.
  var ofUnknown: EndingCall { EndingCall(verb: verb, object: -1) }

  /// Which call a primitive is, and which of its arguments is the object; nil for one that ends no wait.
  static func form(of primitive: Primitive) -> (verb: Verb, argument: Int)? {
    switch primitive {
    case .semaphore(.signal): (.signalsSemaphore, 0)
    case .group(.leave): (.leavesGroup, 0)
    case .lock(.signal), .lock(.broadcast): (.signalsCondition, 0)
    case .lock(.unlock), .lock(.unlockWith): (.unlocksLock, 0)
    case .continuation(.resume), .continuation(.resumeThrowing): (.resumesContinuation, 0)
    case .queue(.resume), .queue(.activate): (.opensQueue, 0)
    case .workItem(.perform): (.runsWorkItem, 0)
    case .queue(.syncItem): (.runsWorkItem, 1)
    case .queue(.asyncItem), .queue(.asyncAfterItem), .group(.notifyItem), .workItem(.notifyItem):
      (.runsWorkItem, 2)
    case .thread(.start): (.startsThread, 0)
    case .asyncStream(.yield), .asyncStream(.finish), .asyncStream(.finishThrowing):
      (.feedsStream, 0)
    case .operation(.finish), .operation(.didChange), .operation(.start): (.finishesOperation, 0)
    case .doing, .object, .thread, .lock, .semaphore, .group, .executor, .queue, .once, .workItem,
      .dispatchSource, .app, .accelerator, .runLoop, .timer, .runLoopSource, .port, .observer,
      .operation, .operationQueue, .task, .taskGroup, .continuation, .asyncStream:
      nil
    }
  }
}
