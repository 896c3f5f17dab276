import SpindleModel

/// Groups of work that are waited for together.
extension Vocabulary {
  static let groupTypes: [TypeEntry] = [
    TypeEntry(
      name: "DispatchGroup", handle: .group,
      initializers: [
        Member("DispatchGroup", [.name], result: .handle(.group), .perform(.group(.make)))
      ], statics: MemberTable(functions: [], properties: []))
  ]

  static let groupFunctions: [Member] = [
    Member("enter", [.receiver], .perform(.group(.enter))),
    Member("leave", [.receiver], .perform(.group(.leave))),
    Member(
      "wait", [.receiver, .constant(noValue)], .perform(.group(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("timeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.group(.wait)), .needsThread),
    Member(
      "wait", [.receiver, .argument("wallTimeout", .instant, limit: .timeout)],
      result: .symbol(.waitResult),
      .perform(.group(.wait)), .needsThread),
  ]
}
