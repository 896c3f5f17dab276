package import SpindleModel
package import SpindleReports

/// Which part of a run its measures are taken from.
package struct ObservedPart: Hashable, Sendable {
  /// What is left out at the beginning.
  package let warmUp: WarmUp
  /// Whether batches say how sure each mean is.
  package let hasBatches: Bool

  /// Creates a part.
  package init(warmUp: WarmUp, hasBatches: Bool) {
    (self.warmUp, self.hasBatches) = (warmUp, hasBatches)
  }
}

/// Observes a run behind its warm-up.
///
/// Where the warm-up is not known beforehand, or its rest is cut into batches, the run is made again when
/// all of it is known: it is the same run.
package struct ObservedRun {
  /// What came of it.
  package struct Result {
    package let values: [MeasuredValue]
    /// Nil where the warm-up was not found, or is longer than the run.
    package let state: SteadyState?
  }

  private let program: Program
  private let part: ObservedPart
  private let search: WarmUpSearch?
  private let windows: RunWindows?

  /// Prepares for one run of `program`.
  package init(_ program: Program, _ part: ObservedPart) {
    (self.program, self.part) = (program, part)
    switch part.warmUp {
    case .found: (search, windows) = (WarmUpSearch(program), nil)
    case .until(let moment):
      search = nil
      windows = part.hasBatches ? nil : RunWindows(program, starts: [moment])
    }
  }

  /// What the log of the run is to be given to.
  package var consumers: [any LogConsumer] {
    [search as (any LogConsumer)?, windows as (any LogConsumer)?].compactMap { $0 }
  }

  /// What the run came to, whose numbers are `whole`.
  package func result(_ whole: RunMetrics, _ record: RunRecord, _ request: RunRequest) -> Result {
    let start: Instant
    switch part.warmUp {
    case .until(let moment): start = moment
    case .found:
      guard let end = search?.end else { return missing(search?.failure ?? "") }
      start = end
    }
    let end = Instant(whole.span.rawValue)
    guard start < end else {
      return missing("the run was over at \(end), before the warm-up of \(start)")
    }
    let starts = part.hasBatches ? SteadyState.batches(from: start, to: end) : []
    let rest = windows ?? RunWindows(program, starts: [start])
    let batches = starts.isEmpty ? nil : RunWindows(program, starts: starts)
    if windows == nil {
      let consumers: [any LogConsumer] = [rest] + (batches.map { [$0] } ?? [])
      _ = request.run(program, consumers: consumers)
    }
    let state = SteadyState(
      program.measures, start: start, isFound: part.warmUp == .found,
      batchLength: starts.count > 1 ? starts[1] - starts[0] : nil,
      batches: batches?.allValues(whole, record) ?? [])
    return Result(values: rest.values(whole, record) ?? [], state: state)
  }

  private func missing(_ reason: String) -> Result {
    Result(values: program.measures.map { _ in .missing(reason) }, state: nil)
  }
}
