import SpindleModel

/// What code does besides talking to objects.
extension Vocabulary {
  static let doing: [Member] = [
    Member("work", [.argument(nil, .duration)], .perform(.work), .needsThread),
    Member("io", [.argument(nil, .duration)], .perform(.io), .needsThread),
    Member("sleep", [.argument(nil, .duration)], .perform(.sleep), .needsThread),
    Member("sleep", [.argument("until", .instant)], .perform(.sleepUntil), .needsThread),
    Member("print", [.text], .perform(.print)),
    Member("mark", [.text], .perform(.mark)),
    Member("record", [.argument(nil, .string), .argument(nil, .unknown), .constant(0)], .record),
    Member("yield", [], .perform(.yield), .needsThread),
    Member("allocate", [.argument(nil, .size)], .perform(.allocate)),
    Member("free", [.argument(nil, .size)], .perform(.free)),
    Member("autorelease", [.argument(nil, .size)], .perform(.autorelease), .needsThread),
    Member(
      "autoreleasepool", [.closure("invoking")],
      .inPlace(enter: .autoreleasePoolPush, leave: .autoreleasePoolPop), .needsThread),
    Member(
      "fatalError", [.argument(nil, .string, .standard(Int64(WellKnownName.empty.id.index)))],
      .perform(.fatalError), .neverReturns),
    Member("exit", [.argument(nil, .integer, .optional)], .perform(.exit), .neverReturns),
  ]

  static let doingProperties: [Property] = [
    Property(name: "now", type: .instant, get: .now)
  ]
}
