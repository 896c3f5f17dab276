/// What a member of the vocabulary does when it is called.
///
/// `perform(primitive, base:)` finds the arguments in the registers from `base` on, in the order
/// that each case lists, and leaves the result, if there is one, in `base`. An argument that the
/// trace leaves out is `noValue`. `deadline` is an instant; `symbol` the number of a name; `kind` an
/// index of `Program.kinds`; `closure` a closure that the primitive takes over. `name` is the
/// object's name in the log, and `noValue` lets the simulator number it.
///
/// Each family has its own enum, and the room of the simulator that does it has one `switch` over
/// that: a new case is not forgotten there.
@usableFromInline
package enum Primitive: Hashable, Sendable, BitwiseCopyable {
  case doing(DoingPrimitive)
  case object(ObjectPrimitive)
  case thread(ThreadPrimitive)
  case lock(LockPrimitive)
  case semaphore(SemaphorePrimitive)
  case group(GroupPrimitive)
  case executor(ExecutorPrimitive)
  case queue(QueuePrimitive)
  case once(OncePrimitive)
  case workItem(WorkItemPrimitive)
  case dispatchSource(DispatchSourcePrimitive)
  case app(AppPrimitive)
  case accelerator(AcceleratorPrimitive)
  case runLoop(RunLoopPrimitive)
  case timer(TimerPrimitive)
  case runLoopSource(RunLoopSourcePrimitive)
  case port(PortPrimitive)
  case observer(ObserverPrimitive)
  case operation(OperationPrimitive)
  case operationQueue(OperationQueuePrimitive)
  case task(TaskPrimitive)
  case taskGroup(TaskGroupPrimitive)
  case continuation(ContinuationPrimitive)
  case asyncStream(AsyncStreamPrimitive)
}

extension Primitive: CaseIterable {
  /// All primitives, family by family.
  @usableFromInline package static var allCases: [Primitive] { Family.allCases.flatMap(\.members) }

  /// A family without its members; `family` sees to it that none is missing.
  private enum Family: CaseIterable {
    case doing, object, thread, lock, semaphore, group, executor, queue, once
    case workItem, dispatchSource, app, accelerator, runLoop, timer, runLoopSource
    case port, observer, operation, operationQueue
    case task, taskGroup, continuation, asyncStream

    var members: [Primitive] {
      switch self {
      case .doing: DoingPrimitive.allCases.map(Primitive.doing)
      case .object: ObjectPrimitive.allCases.map(Primitive.object)
      case .thread: ThreadPrimitive.allCases.map(Primitive.thread)
      case .lock: LockPrimitive.allCases.map(Primitive.lock)
      case .semaphore: SemaphorePrimitive.allCases.map(Primitive.semaphore)
      case .group: GroupPrimitive.allCases.map(Primitive.group)
      case .executor: ExecutorPrimitive.allCases.map(Primitive.executor)
      case .queue: QueuePrimitive.allCases.map(Primitive.queue)
      case .once: OncePrimitive.allCases.map(Primitive.once)
      case .workItem: WorkItemPrimitive.allCases.map(Primitive.workItem)
      case .dispatchSource: DispatchSourcePrimitive.allCases.map(Primitive.dispatchSource)
      case .app: AppPrimitive.allCases.map(Primitive.app)
      case .accelerator: AcceleratorPrimitive.allCases.map(Primitive.accelerator)
      case .runLoop: RunLoopPrimitive.allCases.map(Primitive.runLoop)
      case .timer: TimerPrimitive.allCases.map(Primitive.timer)
      case .runLoopSource: RunLoopSourcePrimitive.allCases.map(Primitive.runLoopSource)
      case .port: PortPrimitive.allCases.map(Primitive.port)
      case .observer: ObserverPrimitive.allCases.map(Primitive.observer)
      case .operation: OperationPrimitive.allCases.map(Primitive.operation)
      case .operationQueue: OperationQueuePrimitive.allCases.map(Primitive.operationQueue)
      case .task: TaskPrimitive.allCases.map(Primitive.task)
      case .taskGroup: TaskGroupPrimitive.allCases.map(Primitive.taskGroup)
      case .continuation: ContinuationPrimitive.allCases.map(Primitive.continuation)
      case .asyncStream: AsyncStreamPrimitive.allCases.map(Primitive.asyncStream)
      }
    }
  }

  private var family: Family {
    switch self {
    case .doing: .doing
    case .object: .object
    case .thread: .thread
    case .lock: .lock
    case .semaphore: .semaphore
    case .group: .group
    case .executor: .executor
    case .queue: .queue
    case .once: .once
    case .workItem: .workItem
    case .dispatchSource: .dispatchSource
    case .app: .app
    case .accelerator: .accelerator
    case .runLoop: .runLoop
    case .timer: .timer
    case .runLoopSource: .runLoopSource
    case .port: .port
    case .observer: .observer
    case .operation: .operation
    case .operationQueue: .operationQueue
    case .task: .task
    case .taskGroup: .taskGroup
    case .continuation: .continuation
    case .asyncStream: .asyncStream
    }
  }
}

extension Primitive: CustomStringConvertible {
  /// The family and the member: `queue.async`.
  @usableFromInline package var description: String { "\(family).\(member)" }

  private var member: any Sendable {
    switch self {
    case .doing(let member): member
    case .object(let member): member
    case .thread(let member): member
    case .lock(let member): member
    case .semaphore(let member): member
    case .group(let member): member
    case .executor(let member): member
    case .queue(let member): member
    case .once(let member): member
    case .workItem(let member): member
    case .dispatchSource(let member): member
    case .app(let member): member
    case .accelerator(let member): member
    case .runLoop(let member): member
    case .timer(let member): member
    case .runLoopSource(let member): member
    case .port(let member): member
    case .observer(let member): member
    case .operation(let member): member
    case .operationQueue(let member): member
    case .task(let member): member
    case .taskGroup(let member): member
    case .continuation(let member): member
    case .asyncStream(let member): member
    }
  }
}
