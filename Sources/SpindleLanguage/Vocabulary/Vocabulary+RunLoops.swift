import SpindleModel

/// Run loops, by Foundation's and by Core Foundation's names.
extension Vocabulary {
  static let runLoopTypes: [TypeEntry] = [
    TypeEntry(
      name: "RunLoop", handle: .runLoop, initializers: [],
      statics: MemberTable(
        functions: [],
        properties: [
          Property(
            name: "current", type: .handle(.runLoop), get: .perform(.threadCurrent),
            needsThread: true),
          Property(name: "main", type: .handle(.runLoop), get: .perform(.runLoopMain)),
        ])),
    TypeEntry(
      name: "RunLoopObserver", handle: .observer, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
  ]

  static let runLoopFree: [Member] = [
    Member("CFRunLoopRun", [], .perform(.runLoopRunCF), .needsThread),
    Member(
      "CFRunLoopRunInMode",
      [.argument(nil, .symbol(.mode)), .argument(nil, .duration), .argument(nil, .boolean)],
      result: .symbol(.runResult), .perform(.runLoopRunInMode),
      [.needsThread, .ignorable]),
    Member("CFRunLoopStop", [.argument(nil, .handle(.runLoop))], .perform(.runLoopStop)),
    Member("CFRunLoopWakeUp", [.argument(nil, .handle(.runLoop))], .perform(.runLoopWakeUp)),
    Member(
      "CFRunLoopAddCommonMode",
      [.argument(nil, .handle(.runLoop)), .argument(nil, .symbol(.mode))],
      .perform(.runLoopAddCommonMode)),
    Member(
      "io",
      [
        .argument(nil, .duration), .argument("runLoop", .handle(.runLoop)),
        .argument("mode", .symbol(.mode), .standard(defaultMode)), .closure("completion"),
      ], .perform(.ioRunLoop), .creates),
  ]

  /// The number of the default mode's name.
  static let defaultMode = Int64(WellKnownName.default.id.index)

  static let runLoopFunctions: [Member] = [
    Member("run", [.receiver], .perform(.runLoopRun), .needsThread),
    Member(
      "run", [.receiver, .argument("until", .instant)], .perform(.runLoopRunUntil), .needsThread),
    Member(
      "run", [.receiver, .argument("mode", .symbol(.mode)), .argument("before", .instant)],
      result: .boolean, .perform(.runLoopRunMode), [.needsThread, .ignorable]),
    Member(
      "limitDate", [.receiver, .argument("forMode", .symbol(.mode))],
      result: .optional(.instant), .perform(.runLoopLimitDate), .needsThread),
    Member(
      "add",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.runLoopAdd)),
    Member(
      "remove",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.runLoopRemove)),
    Member(
      "perform",
      [.receiver, .argument("inModes", .array(.symbol(.mode)), .optional), .closure("block")],
      .perform(.runLoopPerform), .creates),
    Member(
      "observe",
      [
        .receiver, .argument(nil, .options(.activities)),
        .argument("repeats", .boolean, .standard(1)), .argument("order", .integer, .standard(0)),
        .argument("forMode", .symbol(.mode), .standard(defaultMode)),
        .closure("handler", parameters: [.symbol(.activity)]),
      ], result: .handle(.observer), .perform(.runLoopObserve), [.creates, .ignorable]),
    Member("track", [.receiver, .argument("for", .duration)], .perform(.runLoopTrack)),
  ]

  static let runLoopProperties: [Property] = [
    Property(
      name: "currentMode", type: .optional(.symbol(.mode)), get: .perform(.runLoopCurrentMode))
  ]

  static let observerFunctions: [Member] = [
    Member("invalidate", [.receiver], .perform(.observerInvalidate))
  ]

  static let observerProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.observerIsValid))
  ]
}
