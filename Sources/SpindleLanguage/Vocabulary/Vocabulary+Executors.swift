import SpindleModel

/// What takes work and runs it somewhere else.
extension Vocabulary {
  static let executorTypes: [TypeEntry] = [
    TypeEntry(
      name: "ThreadPerTask", handle: .threadPerTask,
      initializers: [
        Member(
          "ThreadPerTask", [.name, .argument("stackSize", .size, .optional, limit: .stackSize)],
          result: .handle(.threadPerTask), .perform(.executor(.threadPerTaskMake)))
      ], statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "ThreadPool", handle: .threadPool,
      initializers: [
        Member(
          "ThreadPool", [.name, .argument("width", .integer, limit: .width)],
          result: .handle(.threadPool),
          .perform(.executor(.threadPoolMake)))
      ], statics: MemberTable(functions: [], properties: [])),
    TypeEntry(
      name: "Actor", handle: .taskExecutor,
      initializers: [
        Member(
          "Actor", [.name, .constant(0)], result: .handle(.taskExecutor),
          .perform(.executor(.tasksMake)))
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  static let executorFunctions: [Member] = [
    Member(
      "async",
      [
        .receiver, .name, .kind("async"), .argument("group", .handle(.group), .optional),
        .closure("execute"),
      ], .perform(.executor(.async)), .creates)
  ]
}
