import SpindleModel

/// Which objects of the library are counted: those of a class whose end the program may notice.
///
/// That is found by lowering a trace without counting any. Where it turns out that some can die, it is
/// lowered again; all others cost nothing.
struct LibraryLives {
  /// The classes whose objects are counted.
  let counted: Set<HandleClass>
  /// The classes of which something makes an object that can die before the run ends.
  private var made: Set<HandleClass> = []
  /// Whether it is seen that a queue has died: it is held back, has a finalizer, or something knows it weakly.
  private var watchesQueues = false
  /// The classes to whose objects something refers weakly.
  private var watched: Set<HandleClass> = []
  /// The classes whose objects may hold each other in chains of any length, whose end takes stack.
  private var chained: Set<HandleClass> = []
  /// The first read of a weak reference to an object of each class that is never counted.
  private(set) var uncounted: [(handle: HandleClass, place: SourceRange)] = []
  /// Whether the trace itself says when it lets go of something.
  private(set) var isReleasing = false

  /// Creates what is known before a trace is lowered.
  init(counted: Set<HandleClass>) { self.counted = counted }

  /// The classes that have to be counted.
  ///
  /// `hasClasses` says that the trace has instances, which the code of a work item, an operation or a thread may hold.
  func needed(hasClasses: Bool) -> Set<HandleClass> {
    Set(HandleClass.allCases.filter { made.contains($0) && isNeeded($0, hasClasses) })
  }

  private func isNeeded(_ handle: HandleClass, _ hasClasses: Bool) -> Bool {
    switch handle {
    case .queue: watchesQueues
    case .semaphore, .dispatchSource, .asyncStream, .continuation: true
    case .workItem, .operation, .timer, .thread, .task:
      hasClasses || watched.contains(handle) || chained.contains(handle)
    default: handle.diesQuietly && watched.contains(handle)
    }
  }

  /// Notes that something makes an object that does not live for the whole run.
  mutating func noteMaking(_ handle: HandleClass) { made.insert(handle) }

  /// Notes that a member is used which shows when a queue or a work item dies.
  mutating func noteUse(_ primitive: Primitive) {
    switch primitive {
    case .queue(.suspend), .queue(.setFinalizer): watchesQueues = true
    // What follows an item is told when that dies without having run.
    case .workItem(.notify), .workItem(.notifyItem): watched.insert(.workItem)
    case .object(.release): isReleasing = true
    default: break
    }
  }

  /// Notes that an object of a class is held by something that is made again and again.
  mutating func noteChain(_ handle: HandleClass) { chained.insert(handle) }

  /// Notes a weak reference to an object of a class.
  mutating func noteWeak(_ handle: HandleClass, _ place: SourceRange) {
    switch handle {
    case .queue: watchesQueues = true
    case .semaphore, .dispatchSource: break
    case _ where handle.diesQuietly: watched.insert(handle)
    default:
      if !uncounted.contains(where: { $0.handle == handle }) { uncounted.append((handle, place)) }
    }
  }

  /// Notes a queue that is made inactive.
  mutating func noteInactive() { watchesQueues = true }
}

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
