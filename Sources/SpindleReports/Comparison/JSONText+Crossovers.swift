extension JSONText {
  /// Crossovers, without a line break at the end.
  ///
  /// Values are numbers, nanoseconds or bytes, as `unit` says.
  package static func crossovers(_ crossovers: Crossovers) -> String {
    let scale = crossovers.scale
    return JSONValue.object([
      ("format", .integer(2)),
      ("measure", .string(crossovers.measure)),
      ("parameter", .string(crossovers.parameter)),
      ("unit", .string(unit(of: scale.kind))),
      ("from", .integer(scale.lower)),
      ("to", .integer(scale.upper)),
      ("samples", .array(scale.samples.map { .integer($0) })),
      ("seeds", .integer(Int64(crossovers.seedCount))),
      ("runs", .integer(Int64(crossovers.runCount))),
      ("groups", .array(crossovers.groups.map { value($0, on: scale) })),
    ]).text
  }

  private static func unit(of kind: ValueScale.Kind) -> String {
    switch kind {
    case .number: "none"
    case .duration: "nanoseconds"
    case .size: "bytes"
    }
  }

  private static func value(_ group: Crossovers.Group, on scale: ValueScale) -> JSONValue {
    let best = group.best(on: scale).map { best -> JSONValue in
      .object([
        ("from", .integer(best.first)),
        ("variants", .array(best.designs.map { .string(group.designs[$0]) })),
      ])
    }
    let pairs = group.pairs.map { pair -> JSONValue in
      .object([
        ("first", .string(group.designs[pair.first])),
        ("second", .string(group.designs[pair.second])),
        ("stretches", .array(pair.stretches.map(value))),
      ])
    }
    return .object([
      ("label", .string(group.label)), ("best", .array(best)), ("pairs", .array(pairs)),
    ])
  }

  private static func value(_ stretch: CrossoverSearch.Stretch) -> JSONValue {
    .object([
      ("verdict", .string(stretch.verdict.rawValue)),
      ("from", .integer(stretch.first)),
      ("to", .integer(stretch.last)),
    ])
  }
}
