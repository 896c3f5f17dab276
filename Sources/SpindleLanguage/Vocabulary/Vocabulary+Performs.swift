import SpindleModel

/// The perform family of threads.
extension Vocabulary {
  static let performs: [Member] = [
    Member(
      "perform",
      [
        .argument("on", .handle(.thread)), .argument("waitUntilDone", .boolean, .standard(0)),
        .argument("modes", .array(.symbol(.mode)), .optional), .closure("block"),
      ], .perform(.threadPerform), .creates),
    Member(
      "perform",
      [
        .argument("afterDelay", .duration), .argument("modes", .array(.symbol(.mode)), .optional),
        .closure("block"),
      ], .perform(.threadPerformAfterDelay), [.creates, .needsThread]),
    Member(
      "performInBackground", [.name, .kind("performInBackground"), .closure("block")],
      .perform(.threadDetach), .creates),
    Member("cancelPreviousPerforms", [], .perform(.threadCancelPerforms), .needsThread),
  ]

  /// The main thread, and each thread's run loop.
  static let performThreadStatics: [Property] = [
    Property(name: "main", type: .handle(.thread), get: .perform(.runLoopMain))
  ]

  static let performThreadProperties: [Property] = [
    Property(name: "runLoop", type: .handle(.runLoop), get: .perform(.runLoopOfThread))
  ]
}
