import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun

extension CompareCommand {
  /// The runs of every variant, one for each seed; nil when one has errors.
  func results(
    of variants: [TraceVariant], in sources: [SourceText], _ report: inout DiagnosticReport
  ) -> [[ComparedRun]]? {
    let compiler = Compiler.standard
    var (programs, good, instructions): ([Program?], Int, Int) = ([], 0, 0)
    ParallelRuns.run(variants.count, threads: jobs) { index in
      compiler.compile(sources[variants[index].file], overrides: variants[index].overrides)
    } deliver: { _, compiled in
      report.add(compiled.diagnostics, to: console.error)
      guard let program = compiled.program else { return }
      good += 1
      instructions += program.instructions.count + CompareCommand.leastInstructions
      programs.append(instructions <= CompareCommand.mostInstructions ? program : nil)
    }
    guard good == variants.count else { return nil }
    return allRuns(programs) { index in
      let variant = variants[index]
      let again = compiler.compile(sources[variant.file], overrides: variant.overrides).program
      guard let again else {
        fatalError("a variant that has no errors has none the next time")
      }
      return again
    }
  }

  /// How many instructions of variants are kept between compiling and running them, about 100 MB of
  /// programs; what is more is compiled again, so that a comparison of long traces fits.
  private static let mostInstructions = 1_000_000
  /// What a program counts for that has hardly any.
  private static let leastInstructions = 200

  /// The runs with all seeds, or with as many as the precision needs that is asked for.
  private func allRuns(
    _ programs: [Program?], _ compile: @escaping @Sendable (Int) -> Program
  ) -> [[ComparedRun]] {
    guard let precision else { return runs(programs, 0..<(seedCount ?? 1), compile) }
    var results: [[ComparedRun]] = programs.map { _ in [] }
    var done = 0
    for count in precision.counts(upTo: seedCount) {
      let more = runs(programs, done..<count, compile)
      for index in results.indices { results[index] += more[index] }
      done = count
      if precision.isReached(results) { break }
    }
    return results
  }

  /// Runs by variant and seed; `compile` makes the programs that were not kept.
  ///
  /// Equal seeds draw equal numbers in every variant.
  private func runs(
    _ programs: [Program?], _ range: Range<Int>,
    _ compile: @escaping @Sendable (Int) -> Program
  ) -> [[ComparedRun]] {
    let (seeds, first) = (range.count, range.lowerBound)
    var request = RunRequest.numbers(limits: limits)
    (request.checksExpectations, request.observing) = (checksExpectations, observing)
    let isLimited = base.until != nil
    // What the runs of a variant share is made once where there are several.
    let repeated = programs.map { program in
      seeds > 1 ? program.map { RepeatedProgram($0, for: request) } : nil
    }
    let results = ParallelRuns.map(programs.count * seeds, threads: jobs) { [request] index in
      let variant = index / seeds
      let shared =
        repeated[variant]
        ?? RepeatedProgram(programs[variant] ?? compile(variant), for: request)
      let run = TraceRun(
        shared, seed: shared.program.seed &+ UInt64(first + index % seeds), request)
      let program = run.program
      return ComparedRun(
        metrics: run.metrics, measured: run.measured,
        failures: ComparedRun.failures(run, checksExpectations: request.checksExpectations),
        inputTime: run.record.inputTime,
        seed: program.seed,
        isCut: isLimited && run.reachedHorizon,
        program: .init(
          source: program.source, measures: program.measures,
          hasMain: program.main != nil && !program.mainIsTool,
          machine: CoreSpeeds(run.record.machine.cores)))
    }
    return programs.indices.map { Array(results[($0 * seeds)..<(($0 + 1) * seeds)]) }
  }
}
