package import SpindleModel

extension TimelineStore {
  /// Whether an expectation is about a time whose cause can be reported.
  package static func tellsTime(_ condition: ExpectationTerm) -> Bool {
    !times(in: condition).isEmpty
  }

  /// Why the times in an expectation were what they were; at most three.
  package func causes(of condition: ExpectationTerm) -> [Cause] {
    TimelineStore.times(in: condition).prefix(3).compactMap { measure in
      switch measure {
      case .mainLongestStall: causeOfStall()
      case .makespan: causeOfMakespan()
      case .itemTime(let time, let pattern, let statistic):
        cause(ofItems: pattern, time, statistic)
      case .spanTime(let span, let statistic): cause(ofSpan: span, statistic)
      case .share(let limit): cause(ofShare: limit)
      case .started(let name): cause(ofMoment: name, isStart: true)
      case .ended(let name): cause(ofMoment: name, isStart: false)
      default: nil
      }
    }
  }

  /// Why too many are above a limit: the cause of the slowest.
  private func cause(ofShare limit: Measure.Limit) -> Cause? {
    switch limit.quantities {
    case .items(let time, let pattern): cause(ofItems: pattern, time, .max)
    case .span(let span): cause(ofSpan: span, .max)
    case .samples: nil
    }
  }

  /// The measures of time in a term, each once.
  private static func times(in term: ExpectationTerm) -> [Measure] {
    switch term {
    case .value: return []
    case .measure(let measure):
      switch measure {
      case .mainLongestStall, .makespan, .itemTime, .spanTime, .started, .ended: return [measure]
      case .share(let limit):
        if case .samples = limit.quantities { return [] }
        return [measure]
      default: return []
      }
    case .not(let inner), .best(let inner, _, _): return times(in: inner)
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      let first = times(in: left)
      return first + times(in: right).filter { !first.contains($0) }
    }
  }
}
