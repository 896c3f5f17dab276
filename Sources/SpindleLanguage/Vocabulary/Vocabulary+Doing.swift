import SpindleModel

/// What code does besides talking to objects.
extension Vocabulary {
  static let doing: [Member] = [
    Member("work", [.argument(nil, .duration)], .perform(.doing(.work)), .needsThread),
    Member("io", [.argument(nil, .duration)], .perform(.doing(.io)), .needsThread),
    Member("sleep", [.argument(nil, .duration)], .perform(.doing(.sleep)), .needsThread),
    Member(
      "sleep", [.argument("until", .instant, limit: .until)], .perform(.doing(.sleepUntil)),
      .needsThread),
    Member("print", [.text], .perform(.doing(.print))),
    Member("NSLog", [.text], .perform(.doing(.print))),
    Member("mark", [.text], .perform(.doing(.mark))),
    Member("record", [.argument(nil, .string), .argument(nil, .unknown), .constant(0)], .record),
    Member("sample", [.argument(nil, .string), .argument(nil, .unknown), .constant(0)], .sample),
    Member("yield", [], .perform(.doing(.yield)), .needsThread),
    Member("allocate", [.argument(nil, .size)], .perform(.doing(.allocate))),
    Member("free", [.argument(nil, .size)], .perform(.doing(.free))),
    Member("autorelease", [.argument(nil, .size)], .perform(.doing(.autorelease)), .needsThread),
    Member(
      "autoreleasepool", [.closure("invoking")],
      .inPlace(enter: .doing(.autoreleasePoolPush), leave: .doing(.autoreleasePoolPop)),
      .needsThread),
    Member(
      "fatalError", [.argument(nil, .string, .standard(Int64(WellKnownName.empty.id.index)))],
      .perform(.doing(.fatalError)), .neverReturns),
    Member("exit", [.argument(nil, .integer, .optional)], .perform(.doing(.exit)), .neverReturns),
  ]

  static let doingProperties: [Property] = [
    Property(name: "now", type: .instant, get: .now)
  ]
}
