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
            .name, .constant(noValue), .argument("timeInterval", .duration),
            .argument("repeats", .boolean), .argument("tolerance", .duration, .optional),
            .constant(0), timerBlock,
          ], result: .handle(.timer), .perform(.timerMake), .creates),
        Member(
          "Timer",
          [
            .name, .argument("fireAt", .instant), .argument("interval", .duration),
            .argument("repeats", .boolean), .argument("tolerance", .duration, .optional),
            .constant(0), timerBlock,
          ], result: .handle(.timer), .perform(.timerMake), .creates),
      ],
      statics: MemberTable(
        functions: [
          Member(
            "scheduledTimer",
            [
              .name, .constant(noValue), .argument("withTimeInterval", .duration),
              .argument("repeats", .boolean), .argument("tolerance", .duration, .optional),
              .constant(1), timerBlock,
            ], result: .handle(.timer), .perform(.timerMake),
            [.creates, .ignorable, .needsThread])
        ], properties: [])),
    TypeEntry(
      name: "Source", handle: .source,
      initializers: [
        Member(
          "Source", [.name, .argument("order", .integer, .standard(0)), .closure("perform")],
          result: .handle(.source), .perform(.runLoopSourceMake), .creates)
      ], statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Port", handle: .port,
      initializers: [
        Member(
          "Port", [.name, .closure("handler", parameters: [.string])], result: .handle(.port),
          .perform(.portMake), .creates)
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static let timerBlock = Member.Slot.closure("block", parameters: [.handle(.timer)])

  static let timerFunctions: [Member] = [
    Member("fire", [.receiver], .perform(.timerFire), .needsThread),
    Member("invalidate", [.receiver], .perform(.timerInvalidate)),
  ]

  static let timerProperties: [Property] = [
    Property(
      name: "fireDate", type: .instant, get: .perform(.timerFireDate), set: .timerSetFireDate),
    Property(name: "timeInterval", type: .duration, get: .perform(.timerInterval)),
    Property(
      name: "tolerance", type: .duration, get: .perform(.timerTolerance), set: .timerSetTolerance),
    Property(name: "isValid", type: .boolean, get: .perform(.timerIsValid)),
  ]

  static let sourceFunctions: [Member] = [
    Member("signal", [.receiver], .perform(.runLoopSourceSignal)),
    Member("invalidate", [.receiver], .perform(.runLoopSourceInvalidate)),
  ]

  static let sourceProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.runLoopSourceIsValid))
  ]

  static let portFunctions: [Member] = [
    Member("send", [.receiver, .argument(nil, .string)], .perform(.portSend)),
    Member("invalidate", [.receiver], .perform(.portInvalidate)),
  ]

  static let portProperties: [Property] = [
    Property(name: "isValid", type: .boolean, get: .perform(.portIsValid))
  ]
}
