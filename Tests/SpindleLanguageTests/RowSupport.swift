@testable import SpindleLanguage
import SpindleModel

/// Rows of every form that a vocabulary can have, on primitives that are told apart easily.
///
/// What the primitives would do is of no matter: the tests look at what a call of a row comes to.
enum RowSupport {
  static let vocabulary = Vocabulary(
    free: [
      Member(
        "first", [.argument(nil, .handle(.pipe)), .closure("execute")],
        .inPlaceIf(enter: .lockTry, leave: .lockUnlock), .needsThread),
      Member(
        "spread",
        [
          .argument("iterations", .integer),
          .closure("execute", parameters: [.integer], runs: .atOnce),
        ], .perform(.executorAsync), .needsThread),
      Member(
        "later", [.argument("on", .handle(.pipe)), .closure("block")], .perform(.executorAsync)),
      Member("keep", [.argument("key", .string)], result: .unknown, .load(.threadDictionaryGet)),
      Member("resign", [.owner(.threadCurrent)], .perform(.threadCancel), .needsThread),
    ],
    freeProperties: [
      Property(
        name: "isDone", type: .boolean, get: .perform(.threadIsFinished), set: .threadStart,
        owner: .threadCurrent),
      Property(
        name: "level", type: .integer, get: .perform(.semaphoreSignal), set: .semaphoreWait),
    ],
    types: [belt, clock, station], functions: [.pipe: beltFunctions],
    properties: [.pipe: beltProperties])

  private static let belt = TypeEntry(
    name: "Belt", handle: .pipe,
    initializers: [
      Member(
        "Belt",
        [
          .naming(label: "label"), .argument("flags", .options(.workItemFlags), .standard(0)),
          .argument("next", .handle(.pipe), .optional),
        ], result: .handle(.pipe), .perform(.groupMake))
    ],
    statics: MemberTable(
      functions: [
        Member(
          "global", [.argument("qos", .symbol(.qualityOfService), .optional)],
          result: .handle(.pipe), .perform(.threadPoolMake))
      ],
      properties: [
        Property(name: "main", type: .handle(.pipe), get: .perform(.threadCurrent)),
        Property(
          name: "level", type: .integer, get: .perform(.semaphoreSignal), set: .semaphoreWait),
      ]))

  private static let clock = TypeEntry(
    name: "Clock", handle: .timer,
    initializers: [
      Member(
        "Clock",
        [
          .name, .closure("block", parameters: [.handle(.timer), .integer], .optional),
          .closure("teardown", .optional),
        ], result: .handle(.timer), .perform(.threadMake), .creates)
    ], statics: MemberTable(functions: [], properties: []))

  private static let station = TypeEntry(
    name: "station", handle: nil, initializers: [],
    statics: MemberTable(
      functions: [Member("rest", [.argument("for", .duration)], .perform(.sleep), .needsThread)],
      properties: []))

  private static let beltFunctions: [Member] = [
    Member(
      "keep", [.receiver, .argument("key", .string), .argument("value", .unknown)],
      .store(.threadDictionarySet)),
    Member("send", [.receiver, .closure("execute")], .perform(.executorAsync), .creates),
    Member("send", [.receiver, .argument("execute", .handle(.timer))], .perform(.threadStart)),
    Member("rest", [.receiver, .closure("until")], .perform(.groupLeave)),
    Member("rest", [.receiver], .perform(.groupEnter)),
    Member(
      "inside",
      [.receiver, .argument("flags", .options(.workItemFlags), .standard(0)), .closure("execute")],
      .inPlace(enter: .groupEnter, leave: .groupLeave), .needsThread),
    Member(
      "add",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.groupWait)),
    Member(
      "turn", [.receiver, .argument("inModes", .array(.symbol(.mode)), .optional)],
      result: .symbol(.mode), .perform(.groupWait), .ignorable),
  ]

  private static let beltProperties: [Property] = [
    Property(
      name: "completion", type: Formal.plainClosure, get: .none, setClosure: .threadSetName),
    Property(name: "all", type: .array(.handle(.pipe)), get: .perform(.threadName)),
    Property(
      name: "next", type: .optional(.handle(.pipe)), get: .perform(.threadPriority),
      set: .threadSetPriority),
  ]

  static func compile(_ text: String) -> (program: Program?, diagnostics: [Diagnostic]) {
    Compiler(catalogue: CompilerSupport.catalogue, vocabulary: vocabulary)
      .compile(SourceText(name: "t", text))
  }
}
