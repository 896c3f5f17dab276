import SpindleModel

/// The perform family of threads.
extension Vocabulary {
  static let performs: [Member] = [
    Member(
      "perform",
      [
        .argument("on", .handle(.thread)), .argument("waitUntilDone", .boolean, .standard(0)),
        .argument("modes", .array(.symbol(.mode)), .optional), .closure("block"),
      ], .perform(.runLoop(.performOnThread)), .creates),
    Member(
      "perform",
      [
        .interval("afterDelay"), .argument("modes", .array(.symbol(.mode)), .optional),
        .closure("block"),
      ], .perform(.runLoop(.performAfterDelay)), [.creates, .needsThread]),
    Member(
      "performInBackground", [.name, .kind("performInBackground"), .closure("block")],
      .perform(.thread(.detach)), .creates),
    Member("cancelPreviousPerforms", [], .perform(.runLoop(.cancelPerforms)), .needsThread),
  ]

  /// The main thread, and each thread's run loop.
  static let performThreadStatics: [Property] = [
    Property(name: "main", type: .handle(.thread), get: .perform(.runLoop(.main)))
  ]

  static let performThreadProperties: [Property] = [
    Property(name: "runLoop", type: .handle(.runLoop), get: .perform(.runLoop(.ofThread)))
  ]
}
