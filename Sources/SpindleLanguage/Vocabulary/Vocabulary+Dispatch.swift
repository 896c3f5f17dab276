import SpindleModel

/// Dispatch queues, and what else hands work to threads without naming them.
extension Vocabulary {
  static let queueTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchQueue", handle: .queue,
      initializers: [
        Member(
          "DispatchQueue",
          [
            .naming(label: "label"), quality,
            .argument("attributes", .options(.attributes), .standard(0)),
            .argument("autoreleaseFrequency", .options(.autoreleaseFrequency), .standard(0)),
            .argument("target", .optional(.handle(.queue)), .optional),
          ], result: .handle(.queue), .perform(.queue(.make)))
      ], statics: MemberTable(functions: queueStatics, properties: queueStaticProperties)),
    TypeEntry(
      name: "DispatchOnce", handle: .onceToken,
      initializers: [
        Member("DispatchOnce", [.name], result: .handle(.onceToken), .perform(.once(.make)))
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  /// The class of service of a queue or of work.
  static let quality = Member.Slot.argument("qos", .symbol(.dispatchQuality), .optional)
  /// What is said of work besides.
  static let flags = Member.Slot.argument("flags", .options(.workItemFlags), .standard(0))
  /// The queue that work goes to.
  static let toQueue = Member.Slot.argument("queue", .handle(.queue))
  /// The work item that stands where a closure could.
  static let item = Member.Slot.argument("execute", .handle(.workItem))

  private static let queueStatics: [Member] = [
    Member("global", [quality], result: .handle(.queue), .perform(.queue(.global))),
    Member(
      "getSpecific", [.argument("key", .string)], result: .unknown, .load(.queue(.getSpecific)),
      .needsThread),
    Member(
      "concurrentPerform", [.constant(noValue)] + iterations,
      .perform(.queue(.concurrentPerform)),
      [.needsThread, .creates]),
  ]

  private static let queueStaticProperties: [Property] = [
    Property(name: "main", type: .handle(.queue), get: .perform(.queue(.main)))
  ]

  private static let iterations: [Member.Slot] = [
    .argument("iterations", .integer, limit: .notNegative),
    .closure("execute", parameters: [.integer], staysInCall: true),
  ]

  static let queueProperties: [Property] = [
    Property(name: "label", type: .string, get: .perform(.queue(.label))),
    Property(
      name: "qos", type: .symbol(.dispatchQuality), get: .perform(.queue(.quality))),
  ]

  static let queueFunctions: [Member] =
    submitting + waiting + [
      Member("suspend", [.receiver], .perform(.queue(.suspend))),
      Member("resume", [.receiver], .perform(.queue(.resume))),
      Member("activate", [.receiver], .perform(.queue(.activate))),
      Member("setTarget", [.receiver, toQueue], .perform(.queue(.setTarget))),
      Member(
        "setSpecific", [.receiver, .argument("key", .string), .argument("value", .unknown)],
        .store(.queue(.setSpecific))),
      Member(
        "getSpecific", [.receiver, .argument("key", .string)], result: .unknown,
        .load(.queue(.getOwnSpecific))),
      Member(
        "finalizer", [.receiver, .closure("execute")], .perform(.queue(.setFinalizer)), .creates),
    ]

  private static let submitting: [Member] = [
    Member(
      "async",
      [
        .receiver, .name, .kind("async"), .argument("group", .optional(.handle(.group)), .optional),
        quality, flags, .closure("execute"),
      ], .perform(.queue(.async)), .creates),
    Member(
      "async", [.receiver, .argument("group", .optional(.handle(.group)), .optional), item],
      .perform(.queue(.asyncItem)), .creates),
    Member(
      "asyncAfter",
      [
        .receiver, .argument("deadline", .instant, limit: .deadline), .name, .kind("asyncAfter"),
        quality, flags,
        .closure("execute"),
      ], .perform(.queue(.asyncAfter)), .creates),
    Member(
      "asyncAfter", [.receiver, .argument("deadline", .instant, limit: .deadline), item],
      .perform(.queue(.asyncAfterItem)), .creates),
    // By the wall clock, which is the same here.
    Member(
      "asyncAfter",
      [
        .receiver, .argument("wallDeadline", .instant, limit: .deadline), .name,
        .kind("asyncAfter"), quality, flags, .closure("execute"),
      ], .perform(.queue(.asyncAfter)), .creates),
    Member(
      "asyncAfter", [.receiver, .argument("wallDeadline", .instant, limit: .deadline), item],
      .perform(.queue(.asyncAfterItem)), .creates),
  ]

  private static let waiting: [Member] = [
    Member(
      "sync", [.receiver, flags, .closure("execute")],
      .inPlace(enter: .queue(.syncEnter), leave: .queue(.syncLeave)), .needsThread),
    Member("sync", [.receiver, item], .perform(.queue(.syncItem)), [.needsThread, .creates]),
    // Its block runs on the calling thread too: swift-corelibs-libdispatch:src/queue.c,
    // dispatch_async_and_wait.
    Member(
      "asyncAndWait", [.receiver, flags, .closure("execute")],
      .inPlace(enter: .queue(.syncEnter), leave: .queue(.syncLeave)), .needsThread),
    Member(
      "asyncAndWait", [.receiver, item], .perform(.queue(.syncItem)), [.needsThread, .creates]),
    Member(
      "concurrentPerform", [.receiver] + iterations, .perform(.queue(.concurrentPerform)),
      [.needsThread, .creates]),
  ]

  /// What stands alone.
  static let dispatchFree: [Member] = [
    Member(
      "dispatchMain", [], .perform(.queue(.dispatchMain)), [.needsThread, .neverReturns]),
    Member(
      "once", [.argument(nil, .handle(.onceToken)), .closure("execute")],
      .inPlaceIf(enter: .once(.enter), leave: .once(.leave)), .needsThread),
    Member(
      "dispatchPrecondition", [.argument("condition", .unknown)],
      .claim([
        Member.Claim(name: "onQueue", object: .handle(.queue), primitive: .queue(.precondition)),
        Member.Claim(
          name: "notOnQueue", object: .handle(.queue), primitive: .queue(.preconditionNot)),
      ]), .needsThread),
    Member(
      "io",
      [
        .argument("queue", .handle(.queue)), .argument(nil, .duration), .name, .kind("io"),
        .closure("execute"),
      ],
      .perform(.queue(.io)), .creates, order: [nil, "queue"]),
  ]
}
