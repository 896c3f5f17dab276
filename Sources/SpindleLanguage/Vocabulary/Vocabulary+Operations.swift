import SpindleModel

/// Operations.
extension Vocabulary {
  static let operationTypes: [TypeEntry] = [
    TypeEntry(
      name: "Operation", handle: .operation,
      initializers: [makeOperation("Operation", isBlock: false)],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "BlockOperation", handle: .operation,
      initializers: [makeOperation("BlockOperation", isBlock: true)],
      statics: MemberTable(functions: [], properties: [])),
  ]

  private static let ownPriority = Member.Slot.argument(
    "queuePriority", .symbol(.queuePriority), .optional)
  private static let ownThreadPriority = Member.Slot.argument(
    "threadPriority", .decimal, .optional, limit: .priority)
  private static let ownQuality = Member.Slot.argument(
    "qualityOfService", .symbol(.qualityOfService), .optional)
  private static let teardown = Member.Slot.closure(
    "teardown", parameters: [.handle(.operation)], .optional)

  /// A block operation is never asynchronous; a plain one may be.
  private static func makeOperation(_ name: String, isBlock: Bool) -> Member {
    Member(
      name,
      [
        .constant(isBlock ? 1 : 0), .name, .kind(name), ownPriority, ownThreadPriority, ownQuality,
        isBlock ? .constant(0) : .argument("isAsynchronous", .boolean, .standard(0)),
        .closure("block", parameters: [.handle(.operation)], .optional), teardown,
      ], result: .handle(.operation), .perform(.operation(.make)), .creates)
  }

  static let operationFunctions: [Member] = [
    Member(
      "addExecutionBlock",
      [.receiver, .closure("block", parameters: [.handle(.operation)])],
      .perform(.operation(.addBlock)), .creates),
    Member(
      "addDependency", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operation(.addDependency))),
    Member(
      "removeDependency", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operation(.removeDependency))),
    Member("start", [.receiver], .perform(.operation(.start)), .needsThread),
    Member("cancel", [.receiver], .perform(.operation(.cancel))),
    Member("waitUntilFinished", [.receiver], .perform(.operation(.wait)), .needsThread),
    Member(
      "ready",
      [
        .receiver,
        .closure("when", parameters: [.handle(.operation)], result: .boolean, isAsked: true),
      ], .perform(.operation(.setReadiness)), .creates),
    Member(
      "willChangeValue", [.receiver, .argument("forKey", .string)],
      .perform(.operation(.willChange))),
    Member(
      "didChangeValue", [.receiver, .argument("forKey", .string)], .perform(.operation(.didChange))),
    Member("finish", [.receiver], .perform(.operation(.finish))),
  ]

  static let operationProperties: [Property] = [
    Property(
      name: "name", type: .string, get: .perform(.operation(.name)), set: .operation(.setName),
      takesNil: true),
    Property(name: "isCancelled", type: .boolean, get: .perform(.operation(.isCancelled))),
    Property(name: "isReady", type: .boolean, get: .perform(.operation(.isReady))),
    Property(
      name: "isExecuting", type: .boolean, get: .perform(.operation(.isExecuting)),
      set: .operation(.setExecuting)),
    Property(
      name: "isFinished", type: .boolean, get: .perform(.operation(.isFinished)),
      set: .operation(.setFinished)),
    Property(name: "isAsynchronous", type: .boolean, get: .perform(.operation(.isAsynchronous))),
    Property(name: "isConcurrent", type: .boolean, get: .perform(.operation(.isAsynchronous))),
    Property(
      name: "dependencies", type: .array(.handle(.operation)),
      get: .perform(.operation(.dependencies))),
    Property(
      name: "queuePriority", type: .symbol(.queuePriority),
      get: .perform(.operation(.queuePriority)),
      set: .operation(.setQueuePriority)),
    Property(
      name: "threadPriority", type: .decimal, get: .perform(.operation(.threadPriority)),
      set: .operation(.setThreadPriority), limit: .priority),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.operation(.qualityOfService)), set: .operation(.setQualityOfService)),
    Property(
      name: "completionBlock", type: .optional(Formal.plainClosure), get: .none,
      setClosure: .operation(.setCompletion)),
  ]

  /// What a function that an operation calls may say for it.
  static let operationFree: [Member] = [
    Member(
      "willChangeValue", [.owner(.operation(.current)), .argument("forKey", .string)],
      .perform(.operation(.willChange)), .needsThread),
    Member(
      "didChangeValue", [.owner(.operation(.current)), .argument("forKey", .string)],
      .perform(.operation(.didChange)), .needsThread),
    Member("finish", [.owner(.operation(.current))], .perform(.operation(.finish)), .needsThread),
  ]

  static let operationFreeProperties: [Property] = [
    Property(
      name: "isExecuting", type: .boolean, get: .perform(.operation(.isExecuting)),
      set: .operation(.setExecuting), owner: .operation(.current), needsThread: true),
    Property(
      name: "isFinished", type: .boolean, get: .perform(.operation(.isFinished)),
      set: .operation(.setFinished), owner: .operation(.current), needsThread: true),
  ]

  // MARK: Queues

  static let operationQueueTypes: [TypeEntry] = [
    TypeEntry(
      name: "OperationQueue", handle: .operationQueue,
      initializers: [
        Member(
          "OperationQueue",
          [
            .name, .argument("maxConcurrentOperationCount", .integer, .optional), ownQuality,
            .argument("underlyingQueue", .optional(.handle(.queue)), .optional),
          ], result: .handle(.operationQueue), .perform(.operationQueue(.make)))
      ],
      statics: MemberTable(
        functions: [],
        properties: [
          Property(
            name: "main", type: .handle(.operationQueue), get: .perform(.operationQueue(.main))),
          Property(
            name: "current", type: .optional(.handle(.operationQueue)),
            get: .perform(.operationQueue(.current)), needsThread: true),
          Property(
            name: "defaultMaxConcurrentOperationCount", type: .integer, get: .constant(-1)),
        ]))
  ]

  static let operationQueueFunctions: [Member] = [
    Member(
      "addOperation", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operationQueue(.add))),
    Member(
      "addOperation",
      [
        .receiver, .name, .kind("addOperation"),
        .closure("execute", parameters: [.handle(.operation)]), teardown,
      ], .perform(.operationQueue(.addBlock)), .creates),
    Member(
      "addOperations",
      [
        .receiver, .argument(nil, .array(.handle(.operation))),
        .argument("waitUntilFinished", .boolean),
      ], .perform(.operationQueue(.addAll))),
    Member(
      "addBarrierBlock",
      [
        .receiver, .name, .kind("addBarrierBlock"),
        .closure("execute", parameters: [.handle(.operation)]),
      ], .perform(.operationQueue(.addBarrier)), .creates),
    Member(
      "async",
      [
        .receiver, .name, .kind("async"), .argument("group", .optional(.handle(.group)), .optional),
        .closure("execute", parameters: [.handle(.operation)]),
      ], .perform(.operationQueue(.async)), .creates),
    Member("cancelAllOperations", [.receiver], .perform(.operationQueue(.cancelAll))),
    Member(
      "waitUntilAllOperationsAreFinished", [.receiver], .perform(.operationQueue(.waitAll)),
      .needsThread),
  ]

  static let operationQueueProperties: [Property] = [
    Property(
      name: "name", type: .string, get: .perform(.operationQueue(.name)),
      set: .operationQueue(.setName), takesNil: true),
    Property(
      name: "maxConcurrentOperationCount", type: .integer, get: .perform(.operationQueue(.limit)),
      set: .operationQueue(.setLimit)),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.operationQueue(.qualityOfService)), set: .operationQueue(.setQualityOfService)),
    Property(
      name: "isSuspended", type: .boolean, get: .perform(.operationQueue(.isSuspended)),
      set: .operationQueue(.setSuspended)),
    Property(
      name: "underlyingQueue", type: .optional(.handle(.queue)),
      get: .perform(.operationQueue(.underlying)), set: .operationQueue(.setUnderlying)),
    Property(
      name: "operations", type: .array(.handle(.operation)),
      get: .perform(.operationQueue(.operations))),
    Property(name: "operationCount", type: .integer, get: .perform(.operationQueue(.count))),
  ]
}
