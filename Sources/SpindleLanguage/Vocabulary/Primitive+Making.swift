import SpindleModel

extension Primitive {
  /// The class of the object of type `type` that it makes, where its life may be counted; nil for others.
  func makes(_ type: ValueType) -> HandleClass? {
    switch self {
    case .semaphore(.make): return .semaphore
    case .dispatchSource(.make): return .dispatchSource
    case .queue(.make): return .queue
    case .thread(.make): return .thread
    case .group(.make): return .group
    case .timer(.make): return .timer
    case .workItem(.make): return .workItem
    case .operation(.make): return .operation
    case .operationQueue(.make): return .operationQueue
    case .lock(.make):
      if case .handle(let handle) = type { return handle }
      return nil
    default: return nil
    }
  }
}
