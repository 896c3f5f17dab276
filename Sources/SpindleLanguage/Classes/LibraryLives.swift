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
  /// The first read of a weak reference to an object of each class that is not counted.
  private(set) var uncounted: [(handle: HandleClass, place: SourceRange)] = []
  /// Whether the trace itself says when it lets go of something.
  private(set) var isReleasing = false

  /// Creates what is known before a trace is lowered.
  init(counted: Set<HandleClass>) { self.counted = counted }

  /// The classes that have to be counted.
  var needed: Set<HandleClass> { watchesQueues ? made : made.subtracting([.queue]) }

  /// Notes that something makes an object that does not live for the whole run.
  mutating func noteMaking(_ handle: HandleClass) {
    switch handle {
    case .semaphore, .dispatchSource, .queue: made.insert(handle)
    case .thread, .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .group,
      .threadPerTask, .threadPool, .taskExecutor, .runLoop, .timer, .source, .port, .observer,
      .workItem, .pipe,
      .process, .onceToken, .operation, .operationQueue, .backgroundTask, .accelerator, .executor,
      .runLoopItem, .task, .taskGroup, .continuation, .asyncStream, .streamInput, .taskResult:
      break
    }
  }

  /// Notes that a member is used which shows when a queue dies.
  mutating func noteUse(_ primitive: Primitive) {
    switch primitive {
    case .queue(.suspend), .queue(.setFinalizer): watchesQueues = true
    case .object(.release): isReleasing = true
    default: break
    }
  }

  /// Notes a weak reference to an object of a class.
  mutating func noteWeak(_ handle: HandleClass, _ place: SourceRange) {
    switch handle {
    case .queue: watchesQueues = true
    case .semaphore, .dispatchSource: break
    default:
      if !uncounted.contains(where: { $0.handle == handle }) { uncounted.append((handle, place)) }
    }
  }

  /// Notes a queue that is made inactive.
  mutating func noteInactive() { watchesQueues = true }
}

extension Primitive {
  /// The class of the objects that it makes and whose lives may be counted; nil for others.
  var makes: HandleClass? {
    switch self {
    case .semaphore(.make): .semaphore
    case .dispatchSource(.make): .dispatchSource
    case .queue(.make): .queue
    default: nil
    }
  }
}
