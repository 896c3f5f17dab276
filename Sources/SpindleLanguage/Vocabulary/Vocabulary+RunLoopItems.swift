import SpindleModel

/// Timers, sources and ports: what is added to a run loop.
extension Vocabulary {
  static let runLoopItemTypes: [TypeEntry] = [
    TypeEntry(
      name: "Timer", handle: .timer,
      initializers: [
        Member(
          "Timer",
          [
            .name, .constant(noValue), .interval("timeInterval"),
            .argument("repeats", .boolean), .interval("tolerance", .optional),
            .constant(0), timerBlock,
          ], result: .handle(.timer), .perform(.timer(.make)), .creates),
        Member(
          "Timer",
          [
            .name, .argument("fireAt", .instant, limit: Formal.Limit.none),
            .interval("interval"),
            .argument("repeats", .boolean), .interval("tolerance", .optional),
            .constant(0), timerBlock,
          ], result: .handle(.timer), .perform(.timer(.make)), .creates),
        Member(
          "Timer",
          [
            .name, .argument("fire", .instant, limit: Formal.Limit.none),
            .interval("interval"),
            .argument("repeats", .boolean), .interval("tolerance", .optional),
            .constant(0), timerBlock,
          ], result: .handle(.timer), .perform(.timer(.make)), .creates),
      ],
      statics: MemberTable(
        functions: [
          Member(
            "scheduledTimer",
            [
              .name, .constant(noValue), .interval("withTimeInterval"),
              .argument("repeats", .boolean), .interval("tolerance", .optional),
              .constant(1), timerBlock,
            ], result: .handle(.timer), .perform(.timer(.make)),
            [.creates, .ignorable, .needsThread])
        ], properties: [])),
    TypeEntry(
      name: "Source", handle: .source,
      initializers: [
        Member(
          "Source", [.name, .argument("order", .integer, .standard(0)), .closure("perform")],
          result: .handle(.source), .perform(.runLoopSource(.make)), .creates)
      ], statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Port", handle: .port,
      initializers: [
        Member(
          "Port", [.name, .closure("handler", parameters: [.string], .optional)],
          result: .handle(.port),
          .perform(.port(.make)), .creates)
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static let timerBlock = Member.Slot.closure("block", parameters: [.handle(.timer)])

  static let timerFunctions: [Member] = [
    Member("fire", [.receiver], .perform(.timer(.fire)), .needsThread),
    Member("invalidate", [.receiver], .perform(.timer(.invalidate))),
  ]

  static let timerProperties: [Property] = [
    Property(
      name: "fireDate", type: .instant, get: .perform(.timer(.fireDate)), set: .timer(.setFireDate)),
    Property(name: "timeInterval", type: .duration, get: .perform(.timer(.interval))),
    Property(
      name: "tolerance", type: .duration, get: .perform(.timer(.tolerance)),
      set: .timer(.setTolerance)),
    Property(name: "isValid", type: .boolean, get: .perform(.timer(.isValid))),
  ]

  static let sourceFunctions: [Member] = [
    Member("signal", [.receiver], .perform(.runLoopSource(.signal))),
    Member("invalidate", [.receiver], .perform(.runLoopSource(.invalidate))),
  ]

  static let sourceProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.runLoopSource(.isValid)))
  ]

  static let portFunctions: [Member] = [
    Member("send", [.receiver, .argument(nil, .string)], .perform(.port(.send))),
    Member("invalidate", [.receiver], .perform(.port(.invalidate))),
  ]

  static let portProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.port(.isValid)))
  ]
}
