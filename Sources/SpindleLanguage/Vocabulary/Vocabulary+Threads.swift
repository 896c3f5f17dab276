import SpindleModel

/// Threads.
extension Vocabulary {
  static let threadTypes: [TypeEntry] = [
    TypeEntry(
      name: "Thread", handle: .thread,
      initializers: [
        threadInitializer, jobThread(isSporadic: false), jobThread(isSporadic: true),
      ],
      statics: MemberTable(
        functions: threadStatics, properties: threadStaticProperties + performThreadStatics))
  ]

  private static let threadInitializer = Member(
    "Thread",
    [
      .name, .kind("Thread"), .argument("stackSize", .size, .optional, limit: .stackSize),
      .argument("threadPriority", .decimal, .optional, limit: .priority),
      .argument("qualityOfService", .symbol(.qualityOfService), .optional),
      .argument("joinable", .boolean, .optional), .closure("block"),
    ], result: .handle(.thread), .perform(.thread(.make)), .creates)

  /// A thread that does jobs, which come by the clock or are released by others.
  private static func jobThread(isSporadic: Bool) -> Member {
    let timing: [Member.Slot] =
      isSporadic
      ? [.constant(noValue), .constant(noValue)]
      : [.argument("offset", .duration, .optional), .argument("jitter", .duration, .optional)]
    return Member(
      "Thread",
      [
        .name, .kind("Thread"),
        .argument(isSporadic ? "separation" : "period", .duration, limit: .positive),
        .argument("computation", .duration, limit: .positive),
        .argument("deadline", .duration, .optional, limit: .positive),
      ] + timing + [
        .argument("late", .symbol(.lateJob), .optional),
        isSporadic ? .constant(noValue) : .argument("jobs", .integer, .optional),
        .argument("joinable", .boolean, .optional), .constant(isSporadic ? 1 : 0),
        .closure("block", parameters: [.integer]),
      ], result: .handle(.thread), .perform(.thread(.makeJobs)), .creates)
  }

  private static let threadStatics: [Member] = [
    Member(
      "detachNewThread", [.name, .kind("Thread.detachNewThread"), .closure("block")],
      .perform(.thread(.detach)), .creates),
    Member("exit", [], .perform(.thread(.exit)), .needsThread),
    Member(
      "sleep", [.interval("forTimeInterval")], .perform(.doing(.sleep)), .needsThread),
    Member(
      "sleep", [.argument("until", .instant, limit: .until)], .perform(.doing(.sleepUntil)),
      .needsThread),
  ]

  private static let threadStaticProperties: [Property] = [
    Property(
      name: "current", type: .handle(.thread), get: .perform(.thread(.current)), needsThread: true),
    Property(
      name: "isMainThread", type: .boolean, get: .perform(.thread(.isMainThread)), needsThread: true
    ),
  ]

  /// What is bare in a thread's body and means the thread itself, or the operation that it runs.
  static let threadFree: [Property] = [
    Property(
      name: "isCancelled", type: .boolean, get: .perform(.operation(.ownIsCancelled)),
      needsThread: true)
  ]

  static let threadFunctions: [Member] = [
    Member("start", [.receiver], .perform(.thread(.start))),
    Member(
      "join", [.receiver, .constant(noValue)], .perform(.thread(.join)), .needsThread),
    Member(
      "join", [.receiver, .argument("timeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.thread(.join)), .needsThread),
    Member("cancel", [.receiver], .perform(.thread(.cancel))),
    Member("releaseJob", [.receiver], .perform(.thread(.releaseJob))),
    Member(
      "setScheduling",
      [
        .receiver, .argument(nil, .symbol(.schedulingClass)),
        .argument("priority", .integer, .optional),
      ], .perform(.thread(.setScheduling))),
    Member(
      "realtime",
      [
        .receiver, .argument("period", .duration),
        .argument("computation", .duration, limit: .computation),
        .argument("constraint", .duration),
      ], .perform(.thread(.realtime))),
  ]

  static let threadProperties: [Property] = [
    Property(name: "isCancelled", type: .boolean, get: .perform(.thread(.isCancelled))),
    Property(name: "isExecuting", type: .boolean, get: .perform(.thread(.isExecuting))),
    Property(name: "isFinished", type: .boolean, get: .perform(.thread(.isFinished))),
    Property(name: "threadDictionary", type: .unknown, get: .dictionary),
    Property(
      name: "name", type: .string, get: .perform(.thread(.name)), set: .thread(.setName),
      takesNil: true),
    Property(
      name: "stackSize", type: .size, get: .perform(.thread(.stackSize)),
      set: .thread(.setStackSize)),
    Property(
      name: "threadPriority", type: .decimal, get: .perform(.thread(.priority)),
      set: .thread(.setPriority), limit: .priority),
    Property(
      name: "niceValue", type: .integer, get: .perform(.thread(.niceValue)),
      set: .thread(.setNiceValue)),
    Property(
      name: "qualityOfService", type: .symbol(.qualityOfService),
      get: .perform(.thread(.qualityOfService)), set: .thread(.setQualityOfService)),
  ]
}
