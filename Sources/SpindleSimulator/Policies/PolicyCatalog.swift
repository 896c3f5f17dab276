import SpindleModel

/// The scheduling policies by name: one line each.
enum PolicyCatalog {
  /// A policy with what it takes and how it is made.
  struct Entry: Sendable {
    let signature: MachineCatalogue.Signature
    let make: @Sendable (Values) -> any SchedulingPolicy

    init(
      _ name: String, _ summary: String, _ parameters: [MachineCatalogue.Parameter] = [],
      make: @escaping @Sendable (Values) -> any SchedulingPolicy
    ) {
      signature = MachineCatalogue.Signature(name: name, summary: summary, parameters: parameters)
      self.make = make
    }
  }

  /// What a configuration gives for parameters, or else what these say.
  struct Values {
    let configuration: Configuration

    func duration(_ parameter: MachineCatalogue.Parameter) -> Nanoseconds {
      demand(parameter.format == .duration, "'\(parameter.label)' is no duration")
      return Nanoseconds(number(parameter))
    }

    func isOn(_ parameter: MachineCatalogue.Parameter) -> Bool {
      demand(parameter.format == .boolean, "'\(parameter.label)' is neither on nor off")
      return number(parameter) != 0
    }

    private func number(_ parameter: MachineCatalogue.Parameter) -> Int64 {
      configuration[parameter.label] ?? parameter.standard
    }
  }

  private static let quantum = MachineCatalogue.Parameter(
    label: "quantum", format: .duration, standard: 10_000_000, least: 1)

  private static let preemptive = MachineCatalogue.Parameter(
    label: "preemptive", format: .boolean, standard: 1, least: 0)

  private static let slice = MachineCatalogue.Parameter(
    label: "slice", format: .duration, standard: 3_000_000, least: 1)

  static let entries: [Entry] = [
    Entry("fifo", "first come, first served; each runs until it blocks") { _ in
      FirstInFirstOut()
    },
    Entry("roundRobin", "turns of one quantum each", [quantum]) {
      RoundRobin(quantum: $0.duration(quantum))
    },
    Entry("fixedPriority", "the highest priority first, preempting", [quantum, preemptive]) {
      FixedPriority(quantum: $0.duration(quantum), isPreemptive: $0.isOn(preemptive))
    },
    Entry("fairShare", "least virtual run time first, as Linux shares", [slice]) {
      FairShare(slice: $0.duration(slice))
    },
    Entry("timeshare", "decaying priorities, as XNU has them", [quantum]) {
      Timeshare(quantum: $0.duration(quantum))
    },
  ]

  /// What the policies are called, and what they take.
  static var signatures: [MachineCatalogue.Signature] { entries.map(\.signature) }

  /// The policy that `configuration` names.
  static func policy(_ configuration: Configuration) -> any SchedulingPolicy {
    demand(!configuration.name.isEmpty, "a machine's policy has no name")
    guard let entry = entries.first(where: { $0.signature.name == configuration.name }) else {
      fatalError("no policy is called '\(configuration.name)'")
    }
    return entry.make(Values(configuration: configuration))
  }
}
