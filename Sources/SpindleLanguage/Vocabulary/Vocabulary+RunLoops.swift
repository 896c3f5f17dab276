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
            name: "current", type: .handle(.runLoop), get: .perform(.thread(.current)),
            needsThread: true),
          Property(name: "main", type: .handle(.runLoop), get: .perform(.runLoop(.main))),
        ])),
    TypeEntry(
      name: "RunLoopObserver", handle: .observer, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
  ]

  static let runLoopFree: [Member] = [
    Member("CFRunLoopRun", [], .perform(.runLoop(.runCF)), .needsThread),
    Member(
      "CFRunLoopRunInMode",
      [.argument(nil, .symbol(.mode)), .interval(nil), .argument(nil, .boolean)],
      result: .symbol(.runResult), .perform(.runLoop(.runInMode)),
      [.needsThread, .ignorable]),
    Member(
      "CFRunLoopGetMain", [], result: .handle(.runLoop), .perform(.runLoop(.main))),
    Member(
      "CFRunLoopGetCurrent", [], result: .handle(.runLoop), .perform(.thread(.current)),
      .needsThread),
    Member("CFRunLoopStop", [.argument(nil, .handle(.runLoop))], .perform(.runLoop(.stop))),
    Member("CFRunLoopWakeUp", [.argument(nil, .handle(.runLoop))], .perform(.runLoop(.wakeUp))),
    Member(
      "CFRunLoopAddCommonMode",
      [.argument(nil, .handle(.runLoop)), .argument(nil, .symbol(.mode))],
      .perform(.runLoop(.addCommonMode))),
    Member(
      "io",
      [
        .argument(nil, .duration), .argument("runLoop", .handle(.runLoop)),
        .argument("mode", .symbol(.mode), .standard(defaultMode)), .closure("completion"),
      ], .perform(.runLoop(.io)), .creates),
  ]

  /// The number of the default mode's name.
  static let defaultMode = Int64(WellKnownName.default.id.index)

  static let runLoopFunctions: [Member] = [
    Member("run", [.receiver], .perform(.runLoop(.run)), .needsThread),
    Member(
      "run", [.receiver, .argument("until", .instant, limit: .until)],
      .perform(.runLoop(.runUntil)), .needsThread),
    Member(
      "run",
      [
        .receiver, .argument("mode", .symbol(.mode)), .argument("before", .instant, limit: .before),
      ],
      result: .boolean, .perform(.runLoop(.runMode)), [.needsThread, .ignorable]),
    Member(
      "limitDate", [.receiver, .argument("forMode", .symbol(.mode))],
      result: .optional(.instant), .perform(.runLoop(.limitDate)), .needsThread),
    Member(
      "add",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.runLoop(.add))),
    Member(
      "remove",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.runLoop(.remove))),
    Member(
      "perform",
      [
        .receiver, .argument("inModes", .array(.symbol(.mode)), .optional),
        .closure("block"),
      ],
      .perform(.runLoop(.perform)), .creates),
    Member(
      "observe",
      [
        .receiver, .argument(nil, .options(.activities)),
        .argument("repeats", .boolean, .standard(1)), .argument("order", .integer, .standard(0)),
        .argument("forMode", .symbol(.mode), .standard(defaultMode)),
        .closure("handler", parameters: [.symbol(.activity)]),
      ], result: .handle(.observer), .perform(.runLoop(.observe)), [.creates, .ignorable]),
    Member("track", [.receiver, .argument("for", .duration)], .perform(.runLoop(.track))),
  ]

  static let runLoopProperties: [Property] = [
    Property(
      name: "currentMode", type: .optional(.symbol(.mode)), get: .perform(.runLoop(.currentMode)))
  ]

  static let observerFunctions: [Member] = [
    Member("invalidate", [.receiver], .perform(.observer(.invalidate)))
  ]

  static let observerProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.observer(.isValid)))
  ]
}
