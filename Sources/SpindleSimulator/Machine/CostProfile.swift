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
  /// Giving a core to another thread than it last ran.
  var contextSwitch = Nanoseconds.zero
  /// Going on with a thread on another core than before, on top of the switch.
  var migration = Nanoseconds.zero
  /// Waking a thread, for the one who does it.
  var wake = Nanoseconds.zero
  /// Taking or giving back a lock that is free.
  var lock = Nanoseconds.zero
  /// Waiting on or signalling a semaphore, entering or leaving a group, without a wake-up.
  var semaphore = Nanoseconds.zero
  /// Handing an item to an executor's queue.
  var enqueue = Nanoseconds.zero
  /// Taking an item from an executor's queue.
  var dequeue = Nanoseconds.zero
  /// Asking the system for input or output, or for a sleep.
  var systemCall = Nanoseconds.zero
  /// Asking a thread's run loop to run.
  var runLoopRun = Nanoseconds.zero
  /// A pass of a run loop in which something happened.
  var runLoopPass = Nanoseconds.zero
  /// What the kernel keeps of a thread.
  var threadStructures = ByteCount.zero
  /// How much of a thread's stack is touched.
  var stackTouched = ByteCount.zero
  /// What an item takes while it waits.
  var item = ByteCount.zero
  /// Adding an operation to a queue, beside handing it to dispatch.
  var operationAdd = Nanoseconds.zero
  /// Starting an operation and telling everybody of its end, on the thread that runs it.
  var operationRun = Nanoseconds.zero
  /// What an operation takes while it is in a queue.
  var operationSize = ByteCount.zero
  /// What a dispatch queue takes.
  var queue = ByteCount.zero
  /// What a thread's run loop takes, the main thread's apart.
  var runLoop = ByteCount.zero

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
    Field(label: "contextSwitch", format: .duration, value: .time(\.contextSwitch)),
    Field(label: "migration", format: .duration, value: .time(\.migration)),
    Field(label: "wake", format: .duration, value: .time(\.wake)),
    Field(label: "lock", format: .duration, value: .time(\.lock)),
    Field(label: "semaphore", format: .duration, value: .time(\.semaphore)),
    Field(label: "enqueue", format: .duration, value: .time(\.enqueue)),
    Field(label: "dequeue", format: .duration, value: .time(\.dequeue)),
    Field(label: "systemCall", format: .duration, value: .time(\.systemCall)),
    Field(label: "runLoopRun", format: .duration, value: .time(\.runLoopRun)),
    Field(label: "runLoopPass", format: .duration, value: .time(\.runLoopPass)),
    Field(label: "threadStructures", format: .size, value: .size(\.threadStructures)),
    Field(label: "stackTouched", format: .size, value: .size(\.stackTouched)),
    Field(label: "item", format: .size, value: .size(\.item)),
    Field(label: "operationAdd", format: .duration, value: .time(\.operationAdd)),
    Field(label: "operationRun", format: .duration, value: .time(\.operationRun)),
    Field(label: "operationSize", format: .size, value: .size(\.operationSize)),
    Field(label: "queue", format: .size, value: .size(\.queue)),
    Field(label: "runLoop", format: .size, value: .size(\.runLoop)),
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
