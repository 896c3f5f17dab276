import SpindleModel

/// What each act costs on a machine: times on a core of speed 1, and bytes.
///
/// A cost is paid before its effect is seen. Every field can be replaced in a trace:
/// `costs: .apple(contextSwitch: 3us)`.
struct CostProfile: Equatable, Sendable {
  /// What making and starting a thread takes on the core of the one who does it.
  var threadCreate = Nanoseconds.zero
  /// What a new thread takes on its own core before its entry is reached.
  var threadStart = Nanoseconds.zero
  /// Ending a thread, for itself.
  var threadEnd = Nanoseconds.zero
  /// Mapping the stack of a new thread, for its maker, where no thread that has ended left one.
  var freshStack = Nanoseconds.zero
  /// Touching the first pages of such a stack, for the thread that has it.
  var stackFault = Nanoseconds.zero
  /// Unmapping its stack, for a thread that ends while the threads library keeps as many as it may.
  var stackFree = Nanoseconds.zero
  /// Telling the other cores that run the program that pages are gone, for a thread that ends or unmaps a stack.
  var shootdown = Nanoseconds.zero
  /// Giving a core to another thread than it last ran.
  var contextSwitch = Nanoseconds.zero
  /// Going on with a thread on another core than before, on top of the switch.
  var migration = Nanoseconds.zero
  /// Filling another last-level cache, for a thread that goes on in another cluster, on top of that.
  var clusterMigration = Nanoseconds.zero
  /// Filling the core's own caches, for a thread that they have nothing of any more.
  var coldCache = Nanoseconds.zero
  /// For how long a core that runs other threads keeps what a thread has left in its caches.
  var cacheWarmth = Nanoseconds.zero
  /// Waking a thread, for the one who does it.
  var wake = Nanoseconds.zero
  /// Telling an idle core that a thread is ready, for the one who woke or started it, afterwards.
  var interrupt = Nanoseconds.zero
  /// How long that is on its way, before the idle core leaves idle.
  var interruptDelay = Nanoseconds.zero
  /// How often idle cores take threads that stand in line for the core that they had, or that their maker has.
  var spread = Nanoseconds.zero
  /// Leaving idle, on the core, before the thread that it gets goes on.
  var idleExit = Nanoseconds.zero
  /// What that takes more, on a core that has been idle for more than 100 us.
  var deepIdle = Nanoseconds.zero
  /// Setting a timer, for who sleeps, and being told that it is over, for who sleeps or waits with a limit.
  var timer = Nanoseconds.zero
  /// How much later than asked for the system ends a sleep, or a wait at its limit.
  var timerSlack = Nanoseconds.zero
  /// Setting the timer of a source anew, on the thread that has called its handler; the timer does not fire before.
  var sourceTimer = Nanoseconds.zero
  /// Taking or giving back a lock that is free.
  var lock = Nanoseconds.zero
  /// Waiting on or signalling a semaphore, entering or leaving a group, without a wake-up.
  var semaphore = Nanoseconds.zero
  /// Entering or leaving a free queue by `sync`.
  var sync = Nanoseconds.zero
  /// Handing an item to an executor's queue.
  var enqueue = Nanoseconds.zero
  /// Taking an item from an executor's queue.
  var dequeue = Nanoseconds.zero
  /// Getting a queue's memory from the core that used it last, for who uses it on another one.
  var lineTransfer = Nanoseconds.zero
  /// How long the thread on which libdispatch's monitor looks waits for its first look; nothing for a monitor
  /// without one, which looks at `monitorPhase`.
  var monitorStart = Nanoseconds.zero
  /// Asking the system for input or output, or for a sleep.
  var systemCall = Nanoseconds.zero
  /// Asking a thread's run loop to run.
  var runLoopRun = Nanoseconds.zero
  /// A pass of a run loop in which something happened.
  var runLoopPass = Nanoseconds.zero
  /// What others take of each millisecond for which a thread computes: the host of a virtual machine, interrupts, the
  /// kernel's own threads.
  var hostShare = Nanoseconds.zero
  /// What the kernel keeps of a thread.
  var threadStructures = ByteCount.zero
  /// Touching a page of 4 KB that the process has not had yet, for who makes its heap larger than it ever was.
  var pageFault = Nanoseconds.zero
  /// How much of a thread's stack is touched.
  var stackTouched = ByteCount.zero
  /// What an item takes while it waits.
  var item = ByteCount.zero
  /// Adding an operation to a queue, beside handing it to dispatch.
  var operationAdd = Nanoseconds.zero
  /// Starting an operation and telling everybody of its end, on the thread that runs it.
  var operationRun = Nanoseconds.zero
  /// Getting an operation queue's memory from the core that used it last, for who adds or runs an operation.
  var operationTransfer = Nanoseconds.zero
  /// What an operation takes while it is in a queue.
  var operationSize = ByteCount.zero
  /// What a dispatch queue takes.
  var queue = ByteCount.zero
  /// What a thread's run loop takes, the main thread's apart.
  var runLoop = ByteCount.zero

  /// Making a task.
  var taskCreate = Nanoseconds.zero
  /// Leaving a thread to wait, or handing a task to the pool or to an actor that is not at hand.
  var taskSwitch = Nanoseconds.zero
  /// Going on at an actor that is at hand.
  var taskHop = Nanoseconds.zero
  /// Putting an element into a stream, or taking one out.
  var streamElement = Nanoseconds.zero
  /// What a task takes until it has ended.
  var task = ByteCount.zero

  /// A field that a trace can replace.
  struct Field: Sendable {
    let label: String
    let format: ValueFormat
    let value: WritableField
  }

  /// Where a field keeps its value.
  enum WritableField: Sendable {
    case time(any WritableKeyPath<CostProfile, Nanoseconds> & Sendable)
    case size(any WritableKeyPath<CostProfile, ByteCount> & Sendable)
  }

  /// All fields, in the order in which they are documented.
  static let fields: [Field] = [
    Field(label: "threadCreate", format: .duration, value: .time(\.threadCreate)),
    Field(label: "threadStart", format: .duration, value: .time(\.threadStart)),
    Field(label: "threadEnd", format: .duration, value: .time(\.threadEnd)),
    Field(label: "freshStack", format: .duration, value: .time(\.freshStack)),
    Field(label: "stackFault", format: .duration, value: .time(\.stackFault)),
    Field(label: "stackFree", format: .duration, value: .time(\.stackFree)),
    Field(label: "shootdown", format: .duration, value: .time(\.shootdown)),
    Field(label: "contextSwitch", format: .duration, value: .time(\.contextSwitch)),
    Field(label: "migration", format: .duration, value: .time(\.migration)),
    Field(label: "clusterMigration", format: .duration, value: .time(\.clusterMigration)),
    Field(label: "coldCache", format: .duration, value: .time(\.coldCache)),
    Field(label: "cacheWarmth", format: .duration, value: .time(\.cacheWarmth)),
    Field(label: "wake", format: .duration, value: .time(\.wake)),
    Field(label: "interrupt", format: .duration, value: .time(\.interrupt)),
    Field(label: "interruptDelay", format: .duration, value: .time(\.interruptDelay)),
    Field(label: "spread", format: .duration, value: .time(\.spread)),
    Field(label: "idleExit", format: .duration, value: .time(\.idleExit)),
    Field(label: "deepIdle", format: .duration, value: .time(\.deepIdle)),
    Field(label: "timer", format: .duration, value: .time(\.timer)),
    Field(label: "timerSlack", format: .duration, value: .time(\.timerSlack)),
    Field(label: "sourceTimer", format: .duration, value: .time(\.sourceTimer)),
    Field(label: "lock", format: .duration, value: .time(\.lock)),
    Field(label: "semaphore", format: .duration, value: .time(\.semaphore)),
    Field(label: "sync", format: .duration, value: .time(\.sync)),
    Field(label: "enqueue", format: .duration, value: .time(\.enqueue)),
    Field(label: "dequeue", format: .duration, value: .time(\.dequeue)),
    Field(label: "lineTransfer", format: .duration, value: .time(\.lineTransfer)),
    Field(label: "monitorStart", format: .duration, value: .time(\.monitorStart)),
    Field(label: "systemCall", format: .duration, value: .time(\.systemCall)),
    Field(label: "runLoopRun", format: .duration, value: .time(\.runLoopRun)),
    Field(label: "runLoopPass", format: .duration, value: .time(\.runLoopPass)),
    Field(label: "hostShare", format: .duration, value: .time(\.hostShare)),
    Field(label: "threadStructures", format: .size, value: .size(\.threadStructures)),
    Field(label: "pageFault", format: .duration, value: .time(\.pageFault)),
    Field(label: "stackTouched", format: .size, value: .size(\.stackTouched)),
    Field(label: "item", format: .size, value: .size(\.item)),
    Field(label: "operationAdd", format: .duration, value: .time(\.operationAdd)),
    Field(label: "operationRun", format: .duration, value: .time(\.operationRun)),
    Field(label: "operationTransfer", format: .duration, value: .time(\.operationTransfer)),
    Field(label: "operationSize", format: .size, value: .size(\.operationSize)),
    Field(label: "queue", format: .size, value: .size(\.queue)),
    Field(label: "runLoop", format: .size, value: .size(\.runLoop)),
    Field(label: "taskCreate", format: .duration, value: .time(\.taskCreate)),
    Field(label: "taskSwitch", format: .duration, value: .time(\.taskSwitch)),
    Field(label: "taskHop", format: .duration, value: .time(\.taskHop)),
    Field(label: "streamElement", format: .duration, value: .time(\.streamElement)),
    Field(label: "task", format: .size, value: .size(\.task)),
  ]

  /// The value of a field, in its own unit.
  subscript(field: Field) -> Int64 {
    get {
      switch field.value {
      case .time(let path): self[keyPath: path].rawValue
      case .size(let path): self[keyPath: path].rawValue
      }
    }
    set {
      switch field.value {
      case .time(let path): self[keyPath: path] = Nanoseconds(newValue)
      case .size(let path): self[keyPath: path] = ByteCount(newValue)
      }
    }
  }
}
