import SpindleModel

/// Dispatch sources, and what feeds them.
extension Vocabulary {
  static let dispatchSourceTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchSource", handle: .dispatchSource, initializers: [],
      statics: MemberTable(functions: sourceMakers, properties: [])),
    TypeEntry(
      name: "Pipe", handle: .pipe,
      initializers: [
        Member(
          "Pipe", [.name], result: .handle(.pipe),
          .perform(.dispatchSource(.pipeMake)))
      ],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Process", handle: .process,
      initializers: [
        Member(
          "Process", [.name, .argument(nil, .duration)], result: .handle(.process),
          .perform(.dispatchSource(.processMake)), order: [nil])
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static let sourceMakers: [Member] = [
    // A source that is strict ignores its leeway where the system would stretch it: nothing does so here.
    Member(
      "makeTimerSource",
      [
        .constant(Int64(DispatchSourceClass.timer.rawValue)), .name, .constant(noValue),
        deliveryQueue,
        .argument("flags", .options(.timerFlags), .standard(0)),
      ], result: .handle(.dispatchSource), .perform(.dispatchSource(.make)),
      order: ["name", "flags", "queue"]),
    sourceMaker("makeUserDataAddSource", .dataAdd),
    sourceMaker("makeUserDataOrSource", .dataOr),
    sourceMaker("makeUserDataReplaceSource", .dataReplace),
    sourceMaker("makeMachReceiveSource", .machReceive),
    sourceMaker("makeSignalSource", .signal, of: "signal", .symbol(.signalName)),
    sourceMaker("makeReadSource", .read, of: "fileDescriptor", .handle(.pipe)),
    sourceMaker("makeWriteSource", .write, of: "fileDescriptor", .handle(.pipe)),
    Member(
      "makeProcessSource",
      [
        .constant(Int64(DispatchSourceClass.process.rawValue)), .name,
        .argument("identifier", .handle(.process)), deliveryQueue,
        .argument("eventMask", .options(.processEvent), .standard(1)),
      ], result: .handle(.dispatchSource), .perform(.dispatchSource(.make)),
      order: ["name", "identifier", "eventMask"]),
  ]

  private static let deliveryQueue = Member.Slot.argument(
    "queue", .optional(.handle(.queue)), .optional)

  private static func sourceMaker(
    _ name: String, _ source: DispatchSourceClass, of label: Label? = nil,
    _ type: ValueType = .void
  ) -> Member {
    let handle = label.map { Member.Slot.argument($0, type) } ?? .constant(noValue)
    return Member(
      name, [.constant(Int64(source.rawValue)), .name, handle, deliveryQueue],
      result: .handle(.dispatchSource), .perform(.dispatchSource(.make)))
  }

  static let dispatchSourceFunctions: [Member] = [
    Member(
      "setEventHandler", [.receiver, .closure("handler", inherits: true)],
      .perform(.dispatchSource(.setEventHandler)),
      .creates),
    Member(
      "setCancelHandler", [.receiver, .closure("handler", inherits: true)],
      .perform(.dispatchSource(.setCancelHandler)),
      .creates),
    Member(
      "schedule",
      [
        .receiver, .argument("deadline", .instant, limit: .deadline),
        .interval("repeating", .optional, takesNil: true),
        .argument("leeway", .duration, .optional),
      ], .perform(.dispatchSource(.schedule))),
    // By the wall clock, which is the same here.
    Member(
      "schedule",
      [
        .receiver, .argument("wallDeadline", .instant, limit: .deadline),
        .interval("repeating", .optional, takesNil: true),
        .argument("leeway", .duration, .optional),
      ], .perform(.dispatchSource(.schedule))),
    merge("add"), merge("or"), merge("replace"),
    Member("resume", [.receiver], .perform(.dispatchSource(.resume))),
    Member("activate", [.receiver], .perform(.dispatchSource(.activate))),
    Member("suspend", [.receiver], .perform(.dispatchSource(.suspend))),
    Member("cancel", [.receiver], .perform(.dispatchSource(.cancel))),
    Member("send", [.receiver, .argument(nil, .integer)], .perform(.dispatchSource(.send))),
  ]

  private static func merge(_ name: String) -> Member {
    Member(name, [.receiver, .argument("data", .integer)], .perform(.dispatchSource(.merge)))
  }

  static let dispatchSourceProperties: [Property] = [
    Property(name: "data", type: .integer, get: .perform(.dispatchSource(.data))),
    Property(name: "isCancelled", type: .boolean, get: .perform(.dispatchSource(.isCancelled))),
  ]

  static let pipeFunctions: [Member] = [
    Member(
      "write", [.receiver, .argument(nil, .size)],
      .perform(.dispatchSource(.pipeWrite))),
    Member(
      "read", [.receiver, .argument(nil, .size)], result: .size,
      .perform(.dispatchSource(.pipeRead)), .ignorable),
  ]

  /// What stands alone.
  static let signalFree: [Member] = [
    Member(
      "raise", [.argument(nil, .symbol(.signalName))],
      .perform(.dispatchSource(.raiseSignal)))
  ]
}
