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
        .inPlaceIf(enter: .lock(.tryLock), leave: .lock(.unlock)), .needsThread),
      Member(
        "spread",
        [
          .argument("iterations", .integer),
          .closure("execute", parameters: [.integer]),
        ], .perform(.executor(.async)), .needsThread),
      Member(
        "later", [.argument("on", .handle(.pipe)), .closure("block")], .perform(.executor(.async))),
      Member("resign", [.owner(.thread(.current))], .perform(.thread(.cancel)), .needsThread),
    ],
    freeProperties: [
      Property(
        name: "isDone", type: .boolean, get: .perform(.thread(.isFinished)), set: .thread(.start),
        owner: .thread(.current)),
      Property(
        name: "level", type: .integer, get: .perform(.semaphore(.signal)), set: .semaphore(.wait)),
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
        ], result: .handle(.pipe), .perform(.group(.make)))
    ],
    statics: MemberTable(
      functions: [
        Member(
          "global", [.argument("qos", .symbol(.qualityOfService), .optional)],
          result: .handle(.pipe), .perform(.executor(.threadPoolMake)))
      ],
      properties: [
        Property(name: "main", type: .handle(.pipe), get: .perform(.thread(.current))),
        Property(
          name: "level", type: .integer, get: .perform(.semaphore(.signal)), set: .semaphore(.wait)),
      ]))

  private static let clock = TypeEntry(
    name: "Clock", handle: .timer,
    initializers: [
      Member(
        "Clock",
        [
          .name, .closure("block", parameters: [.handle(.timer), .integer], .optional),
          .closure("teardown", .optional),
        ], result: .handle(.timer), .perform(.thread(.make)), .creates)
    ], statics: MemberTable(functions: [], properties: []))

  private static let station = TypeEntry(
    name: "station", handle: nil, initializers: [],
    statics: MemberTable(
      functions: [
        Member("rest", [.argument("for", .duration)], .perform(.doing(.sleep)), .needsThread)
      ],
      properties: []))

  private static let beltFunctions: [Member] = [
    Member("send", [.receiver, .closure("execute")], .perform(.executor(.async)), .creates),
    Member("send", [.receiver, .argument("execute", .handle(.timer))], .perform(.thread(.start))),
    Member("rest", [.receiver, .closure("until")], .perform(.group(.leave))),
    Member("rest", [.receiver], .perform(.group(.enter))),
    Member(
      "inside",
      [.receiver, .argument("flags", .options(.workItemFlags), .standard(0)), .closure("execute")],
      .inPlace(enter: .group(.enter), leave: .group(.leave)), .needsThread),
    Member(
      "add",
      [
        .receiver, .argument(nil, .handle(.runLoopItem)), .handleClass,
        .argument("forMode", .symbol(.mode)),
      ], .perform(.group(.wait))),
    Member(
      "turn", [.receiver, .argument("inModes", .array(.symbol(.mode)), .optional)],
      result: .symbol(.mode), .perform(.group(.wait)), .ignorable),
  ]

  private static let beltProperties: [Property] = [
    Property(
      name: "completion", type: .optional(Formal.plainClosure), get: .none,
      setClosure: .thread(.setName)),
    Property(name: "all", type: .array(.handle(.pipe)), get: .perform(.thread(.name))),
    Property(
      name: "next", type: .optional(.handle(.pipe)), get: .perform(.thread(.priority)),
      set: .thread(.setPriority)),
  ]

  static func compile(_ text: String) -> (program: Program?, diagnostics: [Diagnostic]) {
    let compiler = Compiler(catalogue: CompilerSupport.catalogue, vocabulary: vocabulary)
    return compiler.compile(SourceText(name: "t", text))
  }
}
