import SpindleModel

/// Pieces of work that are objects.
extension Vocabulary {
  static let workItemTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchWorkItem", handle: .workItem,
      initializers: [
        Member(
          "DispatchWorkItem",
          [.name, .kind("DispatchWorkItem"), quality, flags, .closure("block")],
          result: .handle(.workItem), .perform(.workItemMake), .creates)
      ], statics: MemberTable(functions: [], properties: []))
  ]

  static let workItemFunctions: [Member] = [
    Member("perform", [.receiver], .perform(.workItemPerform), [.needsThread, .creates]),
    Member("cancel", [.receiver], .perform(.workItemCancel)),
    Member(
      "wait", [.receiver, .constant(noValue)], result: .symbol(.waitResult),
      .perform(.workItemWait),
      [.needsThread, .ignorable]),
    Member(
      "wait", [.receiver, .argument("timeout", .instant)], result: .symbol(.waitResult),
      .perform(.workItemWait), .needsThread),
    notify(.workItemNotify),
    Member("notify", [.receiver, toQueue, item], .perform(.workItemNotifyItem), .creates),
  ]

  static let workItemProperties: [Property] = [
    Property(name: "isCancelled", type: .boolean, get: .perform(.workItemIsCancelled))
  ]

  /// What a group says when it is empty.
  static let groupNotifications: [Member] = [
    notify(.groupNotify),
    Member(
      "notify", [.receiver, toQueue, .argument("work", .handle(.workItem))],
      .perform(.groupNotifyItem), .creates),
  ]

  private static func notify(_ primitive: Primitive) -> Member {
    Member(
      "notify",
      [.receiver, toQueue, .name, .kind("notify"), quality, flags, .closure("execute")],
      .perform(primitive), .creates, order: ["name", "qos", "flags", "queue"])
  }
}
