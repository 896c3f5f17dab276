package import SpindleModel

/// From when on a run is observed.
package enum WarmUp: Hashable, Sendable {
  /// From this moment.
  case until(Instant)
  /// From the moment that MSER-5 finds.
  case found
}

/// The measures of one long run behind its warm-up.
package struct SteadyState: Sendable {
  /// From when on the run was observed.
  package let start: Instant
  /// Whether that was found, and not given.
  package let isFound: Bool
  /// How long each batch was; nil where there was too little to cut.
  package let batchLength: Nanoseconds?
  /// By measure: its confidence; nil for what is not a mean, or has no value in a batch.
  package let intervals: [BatchMeans?]

  /// Creates the state of a run that was observed from `start` on, whose measures had these values in
  /// batches.
  package init(
    _ measures: [RequestedMeasure], start: Instant, isFound: Bool, batchLength: Nanoseconds?,
    batches: [[MeasuredValue]]
  ) {
    (self.start, self.isFound, self.batchLength) = (start, isFound, batchLength)
    intervals = measures.indices.map { index in
      guard batches.count == BatchMeans.count, measures[index].term.isAverage else { return nil }
      let means = batches.compactMap { $0[index].number.map(Double.init) }
      return means.count == batches.count ? BatchMeans(means) : nil
    }
  }

  /// When the batches begin of a run that is observed from `start` to `end`; empty where there is less than
  /// a nanosecond for each.
  package static func batches(from start: Instant, to end: Instant) -> [Instant] {
    let length = end.nanoseconds - start.nanoseconds
    guard length >= Int64(BatchMeans.count) else { return [] }
    return (0..<BatchMeans.count).map { number in
      let offset = Int128(length) * Int128(number) / Int128(BatchMeans.count)
      return Instant(start.nanoseconds + Int64(offset))
    }
  }

  /// The remark below the measures: the start of the measured time, and the meaning of the intervals.
  package func remark(_ measures: [RequestedMeasure]) -> String {
    let found = isFound ? ", which MSER-5 found" : ""
    guard let batchLength, intervals.contains(where: { $0 != nil }) else {
      return "from \(start) on\(found)"
    }
    var text =
      "from \(start) on\(found); ± is half of the 95% confidence interval by the means of \(BatchMeans.count) batches "
      + "of \(batchLength.approximate)"
    let alike = zip(measures, intervals).filter { $0.1.map { !$0.isIndependent } ?? false }
    if !alike.isEmpty {
      text +=
        ", too narrow for \(alike.map(\.0.text).joined(separator: ", ")), whose neighbouring "
        + "batches are alike: run longer"
    }
    return text
  }
}
