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
    pool(.fixed, widths, .constant(noValue)),
    pool(.stealing, widths, .constant(noValue)),
    pool(.cached, [.constant(noValue)], .argument("keepAlive", .duration, .optional)),
    TypeEntry(
      name: "Actor", handle: .taskExecutor,
      initializers: [
        Member(
          "Actor", [.name, .constant(0)], result: .handle(.taskExecutor),
          .perform(.executor(.tasksMake)))
      ], statics: MemberTable(functions: [], properties: [])),
  ]

  /// A width, or none: one for each core.
  private static let widths: [Member.Slot] = [
    .argument("width", .integer, limit: .width), .constant(noValue),
  ]

  /// A type of pools, which may be made in as many ways as there are widths.
  private static func pool(
    _ kind: PoolKind, _ widths: [Member.Slot], _ keepAlive: Member.Slot
  ) -> TypeEntry {
    TypeEntry(
      name: kind.name, handle: .threadPool,
      initializers: widths.map { width in
        Member(
          kind.name, [.name, width, .constant(Int64(kind.rawValue)), keepAlive],
          result: .handle(.threadPool), .perform(.executor(.threadPoolMake)))
      }, statics: MemberTable(functions: [], properties: []))
  }

  static let executorFunctions: [Member] = [
    Member(
      "async",
      [
        .receiver, .name, .kind("async"), .argument("group", .handle(.group), .optional),
        .closure("execute"),
      ], .perform(.executor(.async)), .creates)
  ]
}
