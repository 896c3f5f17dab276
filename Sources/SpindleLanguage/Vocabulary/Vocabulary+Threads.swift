import SpindleModel

/// Threads.
extension Vocabulary {
  static let threadTypes: [TypeEntry] = [
    TypeEntry(
      name: "Thread", handle: .thread, initializers: [threadInitializer],
      statics: MemberTable(
        functions: threadStatics, properties: threadStaticProperties + performThreadStatics))
  ]

  private static let threadInitializer = Member(
    "Thread",
    [
      .name, .kind("Thread"), .argument("stackSize", .size, .optional),
      .argument("threadPriority", .decimal, .optional),
      .argument("qualityOfService", .symbol(.qualityOfService), .optional),
      .argument("joinable", .boolean, .optional), .closure("block"),
    ], result: .handle(.thread), .perform(.threadMake), .creates)

  private static let threadStatics: [Member] = [
    Member(
      "detachNewThread", [.name, .kind("Thread.detachNewThread"), .closure("block")],
      .perform(.threadDetach), .creates),
    Member("exit", [], .perform(.threadExit), .needsThread),
    Member(
      "sleep", [.argument("forTimeInterval", .duration)], .perform(.sleep), .needsThread),
    Member("sleep", [.argument("until", .instant)], .perform(.sleepUntil), .needsThread),
  ]

  private static let threadStaticProperties: [Property] = [
    Property(
      name: "current", type: .handle(.thread), get: .perform(.threadCurrent), needsThread: true),
    Property(
      name: "isMainThread", type: .boolean, get: .perform(.threadIsMainThread), needsThread: true),
  ]

  /// What is bare in a thread's body and means the thread itself, or the operation that it runs.
  static let threadFree: [Property] = [
    Property(
      name: "isCancelled", type: .boolean, get: .perform(.operationOwnIsCancelled),
      needsThread: true)
  ]

  static let threadFunctions: [Member] = [
    Member("start", [.receiver], .perform(.threadStart)),
    Member(
      "join", [.receiver, .constant(noValue)], result: .symbol(.waitResult), .perform(.threadJoin),
      [.needsThread, .ignorable]),
    Member(
      "join", [.receiver, .argument("timeout", .instant)], result: .symbol(.waitResult),
      .perform(.threadJoin), .needsThread),
    Member("cancel", [.receiver], .perform(.threadCancel)),
    Member(
      "realtime",
      [
        .receiver, .argument("period", .duration), .argument("computation", .duration),
        .argument("constraint", .duration),
      ], .perform(.threadRealtime)),
  ]

  static let threadProperties: [Property] = [
    Property(name: "isCancelled", type: .boolean, get: .perform(.threadIsCancelled)),
    Property(name: "isExecuting", type: .boolean, get: .perform(.threadIsExecuting)),
    Property(name: "isFinished", type: .boolean, get: .perform(.threadIsFinished)),
    Property(name: "threadDictionary", type: .unknown, get: .dictionary),
    Property(
      name: "name", type: .string, get: .perform(.threadName), set: .threadSetName),
    Property(
      name: "stackSize", type: .size, get: .perform(.threadStackSize), set: .threadSetStackSize),
    Property(
      name: "threadPriority", type: .decimal, get: .perform(.threadPriority),
      set: .threadSetPriority),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.threadQualityOfService), set: .threadSetQualityOfService),
  ]
}
