import SpindleModel

/// The scheduling policies by name: one line each.
enum PolicyCatalog {
  /// A policy with what it takes and how it is made.
  struct Entry: Sendable {
    let signature: MachineCatalogue.Signature
    let make: @Sendable (Configuration) -> any SchedulingPolicy

    init(
      _ name: String, _ summary: String, _ parameters: [MachineCatalogue.Parameter] = [],
      make: @escaping @Sendable (Configuration) -> any SchedulingPolicy
    ) {
      signature = MachineCatalogue.Signature(name: name, summary: summary, parameters: parameters)
      self.make = make
    }
  }

  /// A parameter for a quantum of `milliseconds` unless another is given.
  private static func quantum(_ milliseconds: Int64) -> MachineCatalogue.Parameter {
    MachineCatalogue.Parameter(
      label: "quantum", format: .duration, standard: milliseconds * 1_000_000, least: 1)
  }

  private static let preemptive = MachineCatalogue.Parameter(
    label: "preemptive", format: .boolean, standard: 1, least: 0)

  private static let slice = MachineCatalogue.Parameter(
    label: "slice", format: .duration, standard: 3_000_000, least: 1)

  static let entries: [Entry] = [
    Entry("fifo", "first come, first served; each runs until it blocks") { _ in
      FirstInFirstOut()
    },
    Entry("roundRobin", "turns of one quantum each", [quantum(10)]) {
      RoundRobin(quantum: Nanoseconds($0["quantum"] ?? 10_000_000))
    },
    Entry("fixedPriority", "the highest priority first, preempting", [quantum(10), preemptive]) {
      FixedPriority(
        quantum: Nanoseconds($0["quantum"] ?? 10_000_000), isPreemptive: $0["preemptive"] != 0)
    },
    Entry("fairShare", "least virtual run time first, as Linux shares", [slice]) {
      FairShare(slice: Nanoseconds($0["slice"] ?? 3_000_000))
    },
    Entry("timeshare", "decaying priorities, as XNU has them", [quantum(10)]) {
      Timeshare(quantum: Nanoseconds($0["quantum"] ?? 10_000_000))
    },
  ]

  /// The policy that `configuration` names.
  static func policy(_ configuration: Configuration) -> any SchedulingPolicy {
    guard let entry = entries.first(where: { $0.signature.name == configuration.name }) else {
      fatalError("no policy is called '\(configuration.name)'")
    }
    return entry.make(configuration)
  }

  /// The configuration as the trace language writes it, without the point.
  static func spelling(_ configuration: Configuration) -> String {
    guard let entry = entries.first(where: { $0.signature.name == configuration.name }) else {
      return configuration.name
    }
    return configuration.spelled(with: entry.signature)
  }
}
