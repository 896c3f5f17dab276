import SpindleModel

/// Swift concurrency: tasks, groups, continuations, streams.
///
/// What depends on more than its row says, as which type a task gives, is declared in `Prelude+Concurrency`.
extension Vocabulary {
  static let taskTypes: [TypeEntry] = [
    TypeEntry(
      name: "Task", handle: .task, initializers: [makeTask("Task", .plain)],
      statics: MemberTable(functions: taskStatics, properties: taskStaticProperties)),
    TypeEntry(
      name: "TaskGroup", handle: .taskGroup,
      initializers: [
        Member(
          "TaskGroup", [.name, .argument("limit", .integer, limit: .width)],
          result: .handle(.taskExecutor), .perform(.executor(.tasksMake)))
      ],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "CheckedContinuation", handle: .continuation, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "AsyncStream", handle: .asyncStream, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Result", handle: .taskResult, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
  ]

  private static let priority = Member.Slot.argument(
    "priority", .optional(.symbol(.taskPriority)), .optional)

  private static let taskName = Member.Slot.naming(label: "name", takesNil: true)

  private static let preference = Member.Slot.argument(
    "executorPreference", .optional(.handle(.queue)), .optional)

  /// The constants behind the start and at the end are the executor, which depends on where the call stands, and
  /// what the closure gives holds.
  private static func makeTask(_ name: String, _ start: TaskStart) -> Member {
    Member(
      name,
      [
        taskName, .kind(name), preference, priority,
        .constant(TaskMaking(start, isNamed: false).rawValue), .constant(-1),
        .closure("operation", result: .unknown), .constant(0),
      ], result: .handle(.task), .perform(.task(.make)), [.creates, .ignorable])
  }

  private static let taskStatics: [Member] = [
    makeTask("detached", .detached), makeTask("immediate", .immediate),
    Member(
      "sleep",
      [
        .argument("for", .duration), .argument("tolerance", .optional(.duration), .optional),
        .argument("clock", .symbol(.clock), .optional),
      ], .perform(.task(.sleep)), suspending),
    Member("sleep", [.argument("nanoseconds", .integer)], .perform(.task(.sleep)), suspending),
    Member(
      "sleep",
      [
        .argument("until", .instant, limit: .until),
        .argument("tolerance", .optional(.duration), .optional),
        .argument("clock", .symbol(.clock), .optional),
      ],
      .perform(.task(.sleepUntil)), suspending),
    Member("yield", [], .perform(.task(.yield)), suspending),
    Member("checkCancellation", [], .perform(.task(.checkCancellation)), .needsThread),
  ]

  private static let suspending: Member.Traits = [.needsThread, .suspends]

  private static let taskStaticProperties: [Property] = [
    Property(
      name: "isCancelled", type: .boolean, get: .perform(.task(.ownIsCancelled)), needsThread: true),
    Property(
      name: "currentPriority", type: .symbol(.taskPriority),
      get: .perform(.task(.currentPriority)), needsThread: true),
    Property(
      name: "basePriority", type: .optional(.symbol(.taskPriority)),
      get: .perform(.task(.basePriority)), needsThread: true),
    Property(
      name: "name", type: .optional(.string), get: .perform(.task(.ownName)), needsThread: true),
  ]

  static let taskFunctions: [Member] = [
    Member("cancel", [.receiver], .perform(.task(.cancel))),
    Member(
      "escalatePriority", [.receiver, .argument("to", .symbol(.taskPriority))],
      .perform(.task(.escalate))),
  ]

  static let taskProperties: [Property] = [
    Property(
      name: "value", type: .unknown, get: .perform(.task(.value)), needsThread: true,
      suspends: true),
    Property(
      name: "result", type: .unknown, get: .perform(.task(.result)), needsThread: true,
      suspends: true, leavesActor: true),
    Property(name: "isCancelled", type: .boolean, get: .perform(.task(.isCancelled))),
  ]

  static let taskResultFunctions: [Member] = [
    Member("get", [.receiver], result: .unknown, .perform(.task(.get)), .ignorable)
  ]

  static let taskGroupFunctions: [Member] = [
    addTask("addTask", []), addTask("addTaskUnlessCancelled", .unlessCancelled),
    addTask("addImmediateTask", .immediate),
    addTask("addImmediateTaskUnlessCancelled", [.immediate, .unlessCancelled]),
    Member(
      "next", [.receiver], result: .unknown, .perform(.taskGroup(.next)),
      [.needsThread, .suspends, .ignorable]),
    Member("waitForAll", [.receiver], .perform(.taskGroup(.waitForAll)), suspending),
    Member("cancelAll", [.receiver], .perform(.taskGroup(.cancelAll)), .needsThread),
  ]

  private static func addTask(_ name: String, _ adding: TaskAdding) -> Member {
    Member(
      name,
      [
        .receiver, taskName, .kind(name), preference, priority, .constant(-1),
        .closure("operation", result: .unknown), .constant(adding.rawValue),
      ], result: adding.contains(.unlessCancelled) ? .boolean : .void, .perform(.taskGroup(.add)),
      [.creates, .ignorable, .needsThread])
  }

  static let taskGroupProperties: [Property] = [
    Property(name: "isCancelled", type: .boolean, get: .perform(.taskGroup(.isCancelled))),
    Property(name: "isEmpty", type: .boolean, get: .perform(.taskGroup(.isEmpty))),
  ]

  static let continuationFunctions: [Member] = [
    Member("resume", [.receiver, .constant(0)], .perform(.continuation(.resume))),
    Member(
      "resume", [.receiver, .argument("returning", .unknown)], .perform(.continuation(.resume))),
    Member(
      "resume", [.receiver, .argument("throwing", .string)],
      .perform(.continuation(.resumeThrowing))),
  ]

  static let streamInputFunctions: [Member] = [
    Member(
      "yield", [.receiver, .argument(nil, .unknown)], result: .symbol(.yieldResult),
      .perform(.asyncStream(.yield)), .ignorable),
    Member("finish", [.receiver], .perform(.asyncStream(.finish))),
    Member(
      "finish", [.receiver, .argument("throwing", .string)],
      .perform(.asyncStream(.finishThrowing))),
  ]

  static let streamInputProperties: [Property] = [
    Property(
      name: "onTermination",
      type: .function(parameters: [.symbol(.termination)], result: .void), get: .none,
      setClosure: .asyncStream(.setOnTermination))
  ]
}
