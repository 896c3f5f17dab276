import SpindleModel

/// Collects the samples that are asked for.
struct SampleObservations {
  private var asked: [(samples: Measure.Samples, pattern: [UInt8], seen: SampleObservation)] = []

  init(_ inquiry: Inquiry) {
    asked = inquiry.samples.map { samples in
      (
        samples, Array(samples.pattern.utf8),
        SampleObservation(limits: inquiry.limits(of: .samples(samples)))
      )
    }
  }

  /// What was seen of samples that are asked for.
  subscript(_ samples: Measure.Samples) -> SampleObservation? {
    asked.first { $0.samples == samples }?.seen
  }

  /// Processes a sample.
  func receive(_ entry: LogEntry, _ names: NameTable) {
    if asked.isEmpty { return }
    let name = names.utf8(NameID(Int(entry.object)))
    for one in asked where NamePattern.matches(name, one.pattern) { one.seen.add(entry.value) }
  }

  /// Forgets all samples.
  func forget() { for one in asked { one.seen.forget() } }
}
