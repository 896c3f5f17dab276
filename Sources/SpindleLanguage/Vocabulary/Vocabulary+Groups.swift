import SpindleModel

/// Groups of work that are waited for together.
extension Vocabulary {
  static let groupTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchGroup", handle: .group,
      initializers: [
        Member("DispatchGroup", [.name], result: .handle(.group), .perform(.groupMake))
      ], statics: MemberTable(functions: [], properties: []))
  ]

  static let groupFunctions: [Member] = [
    Member("enter", [.receiver], .perform(.groupEnter)),
    Member("leave", [.receiver], .perform(.groupLeave)),
    Member(
      "wait", [.receiver, .constant(noValue)], result: .symbol(.waitResult), .perform(.groupWait),
      [.needsThread, .ignorable]),
    Member(
      "wait", [.receiver, .argument("timeout", .instant)], result: .symbol(.waitResult),
      .perform(.groupWait), .needsThread),
  ]
}
