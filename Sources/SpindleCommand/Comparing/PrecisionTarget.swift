import SpindleModel
import SpindleReports

/// What `--until-precision` asks for: differences that are known within a share of the first variant.
struct PrecisionTarget: Sendable {
  /// As it was written.
  let text: String
  private let share: Double

  /// Reads `2%`; nil when the option is not given.
  init?(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let text = arguments[.untilPrecision] else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.count == 2 ? String(parts[1]) : ""
    guard text.hasSuffix("%"), (1...2).contains(parts.count), digits.count <= 3,
      parts.count == 1 || !digits.isEmpty,
      let thousandths = Int64(parts[0] + digits + String(repeating: "0", count: 3 - digits.count)),
      (1...100_000).contains(thousandths)
    else {
      throw .usage(UsageText.precisionForm(text))
    }
    self.text = text
    share = Double(thousandths) / 100_000
    if let seeds = try arguments.number(.seeds, in: 1...100_000),
      !SequentialLooks.counts.contains(Int(seeds))
    {
      let known = SequentialLooks.counts.map { "\($0)" }.joined(separator: ", ")
      throw .usage(UsageText.precisionSeeds(seeds, of: known))
    }
  }

  /// The numbers of seeds after which one looks, up to the most that there may be.
  func counts(upTo most: Int?) -> [Int] {
    SequentialLooks.counts.filter { $0 <= most ?? .max }
  }

  /// Whether runs, by variant and seed, are enough.
  func isReached(_ results: [[ComparedRun]]) -> Bool {
    let measures = results[0][0].program.measures
    let asked = measures.indices.filter {
      measures[$0].option == OptionDescription.Name.measure.rawValue
    }
    let makespan = ComparedColumn(
      "makespan", measure: "makespan", unit: .duration, preference: .less)
    let columns = asked.isEmpty ? [makespan] : asked.map { ComparedColumn(measures[$0]) }
    let comparison = Comparison(
      columns: columns,
      variants: results.map { runs in
        Comparison.Variant(
          label: "",
          runs: runs.map { run in
            Comparison.Run(
              outcome: run.metrics.outcome.kind,
              values: asked.isEmpty
                ? [.number(run.metrics.makespan.nanoseconds)] : asked.map { run.measured[$0] })
          })
      })
    return comparison.isPrecise(share, in: Array(columns.indices))
  }
}
