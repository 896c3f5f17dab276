import SpindleModel

/// The scheduling policies by name: one line each.
enum PolicyCatalog {
  /// Every policy that a trace can ask for, in the order in which they are listed.
  static let all: [any CataloguedPolicy.Type] = [
    FirstInFirstOut.self,
    RoundRobin.self,
    FixedPriority.self,
    FairShare.self,
    EarliestEligible.self,
    Timeshare.self,
    ShortestJobFirst.self,
    ShortestRemainingTime.self,
    HighestResponseRatioNext.self,
    MultilevelQueue.self,
    MultilevelFeedback.self,
    Lottery.self,
    Stride.self,
    PriorityAging.self,
    WorkStealing.self,
    RateMonotonic.self,
    DeadlineMonotonic.self,
    EarliestDeadlineFirst.self,
    LeastLaxity.self,
    ConstantBandwidth.self,
    Clutch.self,
    Edge.self,
  ]

  /// What the policies are called, and what they take.
  static let signatures: [MachineCatalogue.Signature] = {
    let signatures = all.map { $0.signature }
    for (index, signature) in signatures.enumerated() {
      demand(
        !signatures[..<index].contains { $0.name == signature.name },
        "two policies are called '\(signature.name)'")
      for parameter in signature.parameters {
        demand(
          parameter.least <= parameter.standard && parameter.standard <= parameter.most,
          "policy '\(signature.name)': the default of '\(parameter.label)' is out of its range")
      }
    }
    return signatures
  }()

  /// The policy that `configuration` names.
  static func policy(_ configuration: Configuration) -> any SchedulingPolicy {
    demand(!configuration.name.isEmpty, "a machine's policy has no name")
    guard let type = all.first(where: { $0.signature.name == configuration.name }) else {
      fatalError("no policy is called '\(configuration.name)'")
    }
    return type.init(PolicyValues(configuration))
  }
}
