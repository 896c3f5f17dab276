import SpindleModel

/// Dispatch sources, and what feeds them.
extension Vocabulary {
  static let dispatchSourceTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchSource", handle: .dispatchSource, initializers: [],
      statics: MemberTable(functions: sourceMakers, properties: [])),
    TypeEntry(
      name: "Pipe", handle: .pipe,
      initializers: [Member("Pipe", [.name], result: .handle(.pipe), .perform(.pipeMake))],
      statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Process", handle: .process,
      initializers: [
        Member(
          "Process", [.name, .argument(nil, .duration)], result: .handle(.process),
          .perform(.processMake), order: [nil])
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  private static let sourceMakers: [Member] = [
    sourceMaker("makeTimerSource", .timer),
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
      ], result: .handle(.dispatchSource), .perform(.sourceMake),
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
      result: .handle(.dispatchSource), .perform(.sourceMake))
  }

  static let dispatchSourceFunctions: [Member] = [
    Member(
      "setEventHandler", [.receiver, .closure("handler")], .perform(.sourceSetEventHandler),
      .creates),
    Member(
      "setCancelHandler", [.receiver, .closure("handler")], .perform(.sourceSetCancelHandler),
      .creates),
    Member(
      "schedule",
      [
        .receiver, .argument("deadline", .instant),
        .argument("repeating", .optional(.duration), .optional),
        .argument("leeway", .duration, .optional),
      ], .perform(.sourceSchedule)),
    merge("add"), merge("or"), merge("replace"),
    Member("resume", [.receiver], .perform(.sourceResume)),
    Member("activate", [.receiver], .perform(.sourceActivate)),
    Member("suspend", [.receiver], .perform(.sourceSuspend)),
    Member("cancel", [.receiver], .perform(.sourceCancel)),
    Member("send", [.receiver, .argument(nil, .integer)], .perform(.sourceSend)),
  ]

  private static func merge(_ name: String) -> Member {
    Member(name, [.receiver, .argument("data", .integer)], .perform(.sourceMerge))
  }

  static let dispatchSourceProperties: [Property] = [
    Property(name: "data", type: .integer, get: .perform(.sourceData)),
    Property(name: "isCancelled", type: .boolean, get: .perform(.sourceIsCancelled)),
  ]

  static let pipeFunctions: [Member] = [
    Member("write", [.receiver, .argument(nil, .size)], .perform(.pipeWrite)),
    Member(
      "read", [.receiver, .argument(nil, .size)], result: .size, .perform(.pipeRead), .ignorable),
  ]

  /// What stands alone.
  static let signalFree: [Member] = [
    Member("raise", [.argument(nil, .symbol(.signalName))], .perform(.raiseSignal))
  ]
}
