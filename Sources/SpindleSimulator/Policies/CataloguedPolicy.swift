package import SpindleModel

/// A policy that a trace can ask for by name: it says itself what it is called and what it takes.
///
/// With its line in `PolicyCatalog` that is all that the language, the tool and the tests need to know of it.
/// Its documentation says where the rule is from, what the parameters mean, how ties are broken, whether
/// there is one queue for all cores or one for each, what a step costs, and what the policy is not.
package protocol CataloguedPolicy: SchedulingPolicy {
  /// Its name, one sentence on what it is, and its parameters with their types, defaults and ranges.
  static var signature: MachineCatalogue.Signature { get }
  /// Creates the policy with the values that a machine gives to its parameters.
  init(_ values: PolicyValues)
}

extension CataloguedPolicy {
  package var name: String { Self.signature.name }
}

/// What a machine gives for the parameters of a policy, or else what these say.
package struct PolicyValues {
  private let configuration: Configuration

  /// The values of a configuration that the language has checked.
  init(_ configuration: Configuration) { self.configuration = configuration }

  /// The value of a duration.
  package func duration(_ parameter: MachineCatalogue.Parameter) -> Nanoseconds {
    Nanoseconds(number(parameter, .duration))
  }

  /// The value of a truth.
  package func isOn(_ parameter: MachineCatalogue.Parameter) -> Bool {
    number(parameter, .boolean) != 0
  }

  /// The value of a whole number.
  package func integer(_ parameter: MachineCatalogue.Parameter) -> Int64 {
    number(parameter, .integer)
  }

  /// The number of a choice among those that the parameter has.
  package func choice(_ parameter: MachineCatalogue.Parameter) -> Int {
    Int(number(parameter, .symbol))
  }

  /// The value of a decimal.
  package func decimal(_ parameter: MachineCatalogue.Parameter) -> FixedDecimal {
    FixedDecimal(billionths: number(parameter, .decimal))
  }

  private func number(_ parameter: MachineCatalogue.Parameter, _ format: ValueFormat) -> Int64 {
    demand(
      parameter.format == format,
      "policy '\(configuration.name)' reads '\(parameter.label)' as \(format), and declares it as "
        + "\(parameter.format)")
    let value = configuration[parameter.label] ?? parameter.standard
    demand(
      format == .boolean || (parameter.least...parameter.most).contains(value),
      "policy '\(configuration.name)' has \(value) for '\(parameter.label)', which is out of its range"
    )
    return value
  }
}

extension MachineCatalogue.Parameter {
  /// A length of time, of a nanosecond at least unless another least is said.
  static func duration(
    _ label: String, _ standard: Nanoseconds, atLeast least: Nanoseconds = Nanoseconds(1)
  ) -> Self {
    Self(label: label, format: .duration, standard: standard.rawValue, least: least.rawValue)
  }

  /// True or false.
  static func truth(_ label: String, _ standard: Bool) -> Self {
    Self(label: label, format: .boolean, standard: standard ? 1 : 0, least: 0)
  }

  /// A whole number within a range.
  static func integer(_ label: String, _ standard: Int64, _ range: ClosedRange<Int64>) -> Self {
    Self(
      label: label, format: .integer, standard: standard, least: range.lowerBound,
      most: range.upperBound)
  }

  /// One of several names.
  static func choice(_ label: String, _ choices: [String], _ standard: String) -> Self {
    guard let number = choices.firstIndex(of: standard) else {
      fatalError("'\(standard)' is not a choice for '\(label)'")
    }
    return Self(
      label: label, format: .symbol, standard: Int64(number), least: 0,
      most: Int64(choices.count - 1), choices: choices)
  }

  /// A decimal within a range, in billionths.
  static func decimal(
    _ label: String, _ standard: FixedDecimal, _ range: ClosedRange<FixedDecimal>
  ) -> Self {
    Self(
      label: label, format: .decimal, standard: standard.billionths,
      least: range.lowerBound.billionths, most: range.upperBound.billionths)
  }
}
