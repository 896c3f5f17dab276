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
    "threadPriority", .decimal, .optional)
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
      ], result: .handle(.operation), .perform(.operationMake), .creates)
  }

  static let operationFunctions: [Member] = [
    Member(
      "addExecutionBlock",
      [.receiver, .closure("block", parameters: [.handle(.operation)])],
      .perform(.operationAddBlock), .creates),
    Member(
      "addDependency", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operationAddDependency)),
    Member(
      "removeDependency", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operationRemoveDependency)),
    Member("start", [.receiver], .perform(.operationStart), .needsThread),
    Member("cancel", [.receiver], .perform(.operationCancel)),
    Member("waitUntilFinished", [.receiver], .perform(.operationWait), .needsThread),
    Member(
      "ready",
      [
        .receiver,
        .closure("when", parameters: [.handle(.operation)], result: .boolean, runs: .asked),
      ], .perform(.operationSetReadiness), .creates),
    Member(
      "willChangeValue", [.receiver, .argument("forKey", .string)], .perform(.operationWillChange)),
    Member(
      "didChangeValue", [.receiver, .argument("forKey", .string)], .perform(.operationDidChange)),
    Member("finish", [.receiver], .perform(.operationFinish)),
  ]

  static let operationProperties: [Property] = [
    Property(name: "name", type: .string, get: .perform(.operationName), set: .operationSetName),
    Property(name: "isCancelled", type: .boolean, get: .perform(.operationIsCancelled)),
    Property(name: "isReady", type: .boolean, get: .perform(.operationIsReady)),
    Property(
      name: "isExecuting", type: .boolean, get: .perform(.operationIsExecuting),
      set: .operationSetExecuting),
    Property(
      name: "isFinished", type: .boolean, get: .perform(.operationIsFinished),
      set: .operationSetFinished),
    Property(name: "isAsynchronous", type: .boolean, get: .perform(.operationIsAsynchronous)),
    Property(
      name: "dependencies", type: .array(.handle(.operation)),
      get: .perform(.operationDependencies)),
    Property(
      name: "queuePriority", type: .symbol(.queuePriority), get: .perform(.operationQueuePriority),
      set: .operationSetQueuePriority),
    Property(
      name: "threadPriority", type: .decimal, get: .perform(.operationThreadPriority),
      set: .operationSetThreadPriority),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.operationQualityOfService), set: .operationSetQualityOfService),
    Property(
      name: "completionBlock", type: .optional(Formal.plainClosure), get: .none,
      setClosure: .operationSetCompletion),
  ]

  /// What a function that an operation calls may say for it.
  static let operationFree: [Member] = [
    Member(
      "willChangeValue", [.owner(.operationCurrent), .argument("forKey", .string)],
      .perform(.operationWillChange), .needsThread),
    Member(
      "didChangeValue", [.owner(.operationCurrent), .argument("forKey", .string)],
      .perform(.operationDidChange), .needsThread),
    Member("finish", [.owner(.operationCurrent)], .perform(.operationFinish), .needsThread),
  ]

  static let operationFreeProperties: [Property] = [
    Property(
      name: "isExecuting", type: .boolean, get: .perform(.operationIsExecuting),
      set: .operationSetExecuting, owner: .operationCurrent, needsThread: true),
    Property(
      name: "isFinished", type: .boolean, get: .perform(.operationIsFinished),
      set: .operationSetFinished, owner: .operationCurrent, needsThread: true),
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
          ], result: .handle(.operationQueue), .perform(.operationQueueMake))
      ],
      statics: MemberTable(
        functions: [],
        properties: [
          Property(
            name: "main", type: .handle(.operationQueue), get: .perform(.operationQueueMain)),
          Property(
            name: "current", type: .optional(.handle(.operationQueue)),
            get: .perform(.operationQueueCurrent), needsThread: true),
          Property(
            name: "defaultMaxConcurrentOperationCount", type: .integer, get: .constant(-1)),
        ]))
  ]

  static let operationQueueFunctions: [Member] = [
    Member(
      "addOperation", [.receiver, .argument(nil, .handle(.operation))],
      .perform(.operationQueueAdd)),
    Member(
      "addOperation",
      [
        .receiver, .name, .kind("addOperation"),
        .closure("execute", parameters: [.handle(.operation)]), teardown,
      ], .perform(.operationQueueAddBlock), .creates),
    Member(
      "addOperations",
      [
        .receiver, .argument(nil, .array(.handle(.operation))),
        .argument("waitUntilFinished", .boolean),
      ], .perform(.operationQueueAddAll)),
    Member(
      "addBarrierBlock",
      [
        .receiver, .name, .kind("addBarrierBlock"),
        .closure("execute", parameters: [.handle(.operation)]),
      ], .perform(.operationQueueAddBarrier), .creates),
    Member(
      "async",
      [
        .receiver, .name, .kind("async"), .argument("group", .handle(.group), .optional),
        .closure("execute", parameters: [.handle(.operation)]),
      ], .perform(.operationQueueAsync), .creates),
    Member("cancelAllOperations", [.receiver], .perform(.operationQueueCancelAll)),
    Member(
      "waitUntilAllOperationsAreFinished", [.receiver], .perform(.operationQueueWaitAll),
      .needsThread),
  ]

  static let operationQueueProperties: [Property] = [
    Property(
      name: "name", type: .string, get: .perform(.operationQueueName), set: .operationQueueSetName),
    Property(
      name: "maxConcurrentOperationCount", type: .integer, get: .perform(.operationQueueLimit),
      set: .operationQueueSetLimit),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.operationQueueQualityOfService), set: .operationQueueSetQualityOfService),
    Property(
      name: "isSuspended", type: .boolean, get: .perform(.operationQueueIsSuspended),
      set: .operationQueueSetSuspended),
    Property(
      name: "underlyingQueue", type: .optional(.handle(.queue)),
      get: .perform(.operationQueueUnderlying), set: .operationQueueSetUnderlying),
    Property(
      name: "operations", type: .array(.handle(.operation)),
      get: .perform(.operationQueueOperations)),
    Property(name: "operationCount", type: .integer, get: .perform(.operationQueueCount)),
  ]
}
