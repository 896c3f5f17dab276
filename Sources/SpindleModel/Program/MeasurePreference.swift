/// Which of two values of a measure is better.
package enum MeasurePreference: String, Hashable, Sendable {
  /// The smaller: of times, threads, memory.
  case less
  /// The greater: of what is used or done, and of conditions.
  case more

  /// What is better of a term; nil where that can't be said.
  ///
  /// That of a sum, difference or quotient follows from its sides: more of what is subtracted or
  /// divided by is less of the whole.
  package init?(_ term: ExpectationTerm) {
    switch term {
    case .measure(let measure): self.init(measure)
    case .compare, .and, .or, .not, .best: self = .more
    case .value: return nil
    case .arithmetic(let operation, let left, let right):
      let (first, second) = (MeasurePreference(left), MeasurePreference(right))
      guard let joined = MeasurePreference.joined(operation, left, first, right, second) else {
        return nil
      }
      self = joined
    }
  }

  private init?(_ measure: Measure) {
    switch measure {
    case .makespan, .started, .ended, .cpu, .itemTime, .spanTime, .openSpans, .share, .threadCount,
      .threadsPeak,
      .threadsCreated, .threadsLive, .threadsCreatedBy, .memoryPeak, .switches, .migrations,
      .clusterMigrations, .cacheRefills, .cacheRefillTime,
      .mainLongestStall, .energy:
      self = .less
    case .utilization, .count, .rate, .spanCount, .sampleCount, .order: self = .more
    case .outcome, .output, .findings, .values, .crashMessage, .crashPlace, .finalValue, .timeline,
      .threadOf, .state, .runningPeak, .sampleValue:
      return nil
    }
  }

  /// The other way round.
  private var opposite: MeasurePreference { self == .less ? .more : .less }

  private static func joined(
    _ operation: ExpectationTerm.Arithmetic, _ left: ExpectationTerm, _ first: MeasurePreference?,
    _ right: ExpectationTerm, _ second: MeasurePreference?
  ) -> MeasurePreference? {
    let inverse = operation == .subtract || operation == .divide
    let other = inverse ? second?.opposite : second
    if operation == .remainder { return nil }
    if case .value = right { return first }
    if case .value = left { return other }
    return first == other ? first : nil
  }
}
