import SpindleModel

/// Pieces of work that are objects.
extension Vocabulary {
  static let workItemTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchWorkItem", handle: .workItem,
      initializers: [
        Member(
          "DispatchWorkItem",
          [.name, .kind("DispatchWorkItem"), quality, flags, .closure("block", inherits: true)],
          result: .handle(.workItem), .perform(.workItem(.make)), .creates)
      ], statics: MemberTable(functions: [], properties: []))
  ]

  static let workItemFunctions: [Member] = [
    Member("perform", [.receiver], .perform(.workItem(.perform)), [.needsThread, .creates]),
    Member("cancel", [.receiver], .perform(.workItem(.cancel))),
    Member(
      "wait", [.receiver, .constant(noValue)], .perform(.workItem(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("timeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.workItem(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("wallTimeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.workItem(.wait)), .needsThread),
    notify(.workItem(.notify)),
    Member("notify", [.receiver, toQueue, item], .perform(.workItem(.notifyItem)), .creates),
  ]

  static let workItemProperties: [Property] = [
    Property(name: "isCancelled", type: .boolean, get: .perform(.workItem(.isCancelled)))
  ]

  /// What a group says when it is empty.
  static let groupNotifications: [Member] = [
    notify(.group(.notify)),
    Member(
      "notify", [.receiver, toQueue, .argument("work", .handle(.workItem))],
      .perform(.group(.notifyItem)), .creates),
  ]

  private static func notify(_ primitive: Primitive) -> Member {
    Member(
      "notify",
      [
        .receiver, toQueue, .name, .kind("notify"), quality, flags,
        .closure("execute", inherits: true),
      ],
      .perform(primitive), .creates, order: ["name", "qos", "flags", "queue"])
  }
}
