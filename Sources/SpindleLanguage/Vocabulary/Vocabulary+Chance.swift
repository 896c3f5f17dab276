import SpindleModel

/// Durations by chance.
extension Vocabulary {
  static let chance: [Member] = [
    Member(
      "exponential", [.argument(nil, .duration)], result: .duration, .draw(.exponential)),
    Member(
      "uniform", [.argument(nil, .duration), .argument(nil, .duration)], result: .duration,
      .draw(.uniform)),
    Member(
      "normal", [.argument(nil, .duration), .argument(nil, .duration)], result: .duration,
      .draw(.normal)),
    Member(
      "pareto", [.argument(nil, .duration), .argument(nil, .decimal)], result: .duration,
      .draw(.pareto)),
    Member("choice", [.argument(nil, .duration)], result: .duration, .draw(.choice)),
  ]
}
