import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun

/// The cells of a sweep, each made when it is run.
struct SweepGrid: Sendable {
  let source: SourceText
  let base: Overrides
  let axes: [VariantAxis]
  let seedCount: Int
  let limits: RunLimits
  let observing: ObservedPart?

  /// What came of a cell.
  struct Result: Sendable {
    /// Its runs; nil where the trace has errors there.
    let cell: SweepCell?
    /// What is wrong with the trace there.
    let diagnostics: [Diagnostic]
  }

  /// How many values of an axis are probed.
  private static let mostProbes = 256

  /// Variants in which each value of each axis is once, to find mistakes before anything is written;
  /// of a long axis only some, since a mistake in the others ends the sweep all the same.
  var probes: [TraceVariant] {
    let standard = axes.map { _ in 0 }
    return axes.indices.flatMap { axis in
      let count = axes[axis].values.count
      let step = (count + SweepGrid.mostProbes - 1) / SweepGrid.mostProbes
      return stride(from: 0, to: count, by: step).map { place in
        var places = standard
        places[axis] = place
        return VariantAxis.variant(axes, at: places, base: base)
      }
    }
  }

  /// Runs the cell with this number, with every seed.
  func run(_ number: Int) -> Result {
    var (rest, places) = (number, [Int](repeating: 0, count: axes.count))
    for index in axes.indices.reversed() {
      places[index] = rest % axes[index].values.count
      rest /= axes[index].values.count
    }
    precondition(rest == 0, "cell \(number) is not in the grid")
    return SweepGrid.run(
      number, source: source,
      overrides: VariantAxis.variant(axes, at: places, base: base).overrides,
      isLimited: base.until != nil, seedCount: seedCount, limits: limits, observing: observing)
  }

  /// Runs a trace with every seed, as the cell with this number; `isLimited` when the command line says
  /// when it ends.
  static func run(
    _ number: Int, source: SourceText, overrides: Overrides, isLimited: Bool, seedCount: Int,
    limits: RunLimits, observing: ObservedPart?
  ) -> Result {
    let (compiled, diagnostics) = Compiler.standard.compile(source, overrides: overrides)
    guard let program = compiled else { return Result(cell: nil, diagnostics: diagnostics) }
    var runs: [SweepCell.Run] = []
    var machine = CoreSpeeds([])
    runs.reserveCapacity(seedCount)
    var request = RunRequest.numbers(limits: limits)
    request.observing = observing
    let repeated = RepeatedProgram(program, for: request)
    for index in 0..<UInt64(seedCount) {
      let run = TraceRun(repeated, seed: program.seed &+ index, request)
      runs.append(
        SweepCell.Run(
          seed: run.program.seed, outcome: run.metrics.outcome.kind,
          isCut: isLimited && run.reachedHorizon, makespan: run.metrics.makespan.nanoseconds,
          work: run.metrics.work, input: run.record.inputTime.rawValue, values: run.measured))
      machine = CoreSpeeds(run.record.machine.cores)
    }
    return Result(
      cell: SweepCell(index: number, machine: machine, runs: runs), diagnostics: diagnostics)
  }
}
