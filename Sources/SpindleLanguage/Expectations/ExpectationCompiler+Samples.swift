import SpindleModel

/// Values that a trace measures itself: `samples("queue").p95`.
extension ExpectationCompiler {
  /// The samples of a pattern; nil when nothing is sampled under it, or values of more than one type.
  mutating func samples(_ call: Grammar.Call, _ reader: inout OutlineReader) -> Measure.Samples? {
    guard let pattern = string(call, label: nil, "samples", &reader) else { return nil }
    let range = call.arguments[0].value.range
    let known = reader.samples
    let possible = known.filter { use in
      let key = KindNames([use.key], areAll: false)
      return use.key == "*" || key.hasText(like: pattern) || key.hasPattern(for: pattern)
    }
    guard let first = possible.first else {
      let near = reader.proposal(pattern, known.map(\.key))
      reader.error(Messages.unknownSamples(pattern, nearest: near), range)
      return nil
    }
    guard possible.allSatisfy({ $0.format == first.format }) else {
      reader.error(Messages.mixedSamples(pattern), range)
      return nil
    }
    return Measure.Samples(pattern, first.format)
  }

  mutating func sampleStatistic(
    _ call: Grammar.Call, _ name: String, _ nameRange: SourceRange, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    guard let samples = samples(call, &reader) else { return nil }
    if name == "count" {
      return TypedTerm(term: .measure(.sampleCount(samples)), type: .plain(.integer))
    }
    guard let statistic = Measure.Statistic(rawValue: name) else {
      let known = Measure.Statistic.allCases.map(\.rawValue) + ["count"]
      refuseStatistic(name, of: "samples", known, nameRange, &reader)
      return nil
    }
    // The mean of whole numbers is no whole number.
    let isMean = statistic == .mean && samples.format == .integer
    return TypedTerm(
      term: .measure(.sampleValue(samples, statistic)),
      type: .plain(isMean ? .decimal : Self.type(of: samples.format)))
  }

  /// The type of a limit of samples.
  static func type(of format: ValueFormat) -> ValueType {
    switch format {
    case .duration: .duration
    case .size: .size
    case .decimal: .decimal
    case .integer, .boolean, .instant, .string, .symbol, .thread, .object, .array, .quoted: .integer
    }
  }
}
