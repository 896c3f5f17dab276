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
        functions: [
          Member("sleep", [.argument("for", .duration)], .perform(.app(.machineSleep)))
        ],
        properties: [])),
    TypeEntry(
      name: "BackgroundTask", handle: .backgroundTask, initializers: [],
      statics: MemberTable(functions: [], properties: [])),
  ]

  private static let appFunctions: [Member] = [
    Member("enterBackground", [], .perform(.app(.enterBackground))),
    Member("enterForeground", [], .perform(.app(.enterForeground))),
    Member(
      "beginBackgroundTask", [.closure("expirationHandler", .optional)],
      result: .handle(.backgroundTask), .perform(.app(.beginBackgroundTask)),
      [.ignorable, .creates]),
    Member(
      "endBackgroundTask", [.argument(nil, .handle(.backgroundTask), .optional)],
      .perform(.app(.endBackgroundTask))),
  ]
}
