import SpindleModel

/// The life of an app and of the machine that it is on.
extension Vocabulary {
  static let appTypes: [TypeEntry] = [
    TypeEntry(
      name: "app", handle: nil, initializers: [],
      statics: MemberTable(functions: appFunctions, properties: [])),
    TypeEntry(
      name: "machine", handle: nil, initializers: [],
      statics: MemberTable(
        functions: [Member("sleep", [.argument("for", .duration)], .perform(.machineSleep))],
        properties: [])),
    TypeEntry(
      name: "BackgroundTask", handle: .backgroundTask, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
  ]

  private static let appFunctions: [Member] = [
    Member("enterBackground", [], .perform(.appEnterBackground)),
    Member("enterForeground", [], .perform(.appEnterForeground)),
    Member(
      "beginBackgroundTask", [.closure("expirationHandler", .optional)],
      result: .handle(.backgroundTask), .perform(.appBeginBackgroundTask), [.ignorable, .creates]),
    Member(
      "endBackgroundTask", [.argument(nil, .handle(.backgroundTask), .optional)],
      .perform(.appEndBackgroundTask)),
  ]
}
