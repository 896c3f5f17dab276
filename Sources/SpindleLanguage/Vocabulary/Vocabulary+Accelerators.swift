import SpindleModel

/// Devices that compute beside the cores.
extension Vocabulary {
  static let acceleratorTypes: [TypeEntry] = [
    TypeEntry(
      name: "Accelerator", handle: .accelerator,
      initializers: [
        Member(
          "Accelerator",
          [
            .name, .argument("width", .integer, .standard(1), limit: .positive),
            .argument("launch", .duration, .standard(0)),
            .argument("bandwidth", .size, .optional, limit: .positive),
            .argument("speed", .decimal, .standard(FixedDecimal.scale), limit: .positive),
          ], result: .handle(.accelerator), .perform(.accelerator(.make)))
      ], statics: MemberTable(functions: [], properties: []))
  ]

  static let acceleratorFunctions: [Member] = [
    Member(
      "run",
      [
        .receiver, .argument("work", .duration), .argument("bytes", .size, .standard(0)),
      ], .perform(.accelerator(.run)), .needsThread)
  ]
}
