import SpindleModel

/// The cost profiles by name: one line each.
enum CostCatalog {
  /// A profile with what it is.
  struct Entry: Sendable {
    let name: String
    let summary: String
    let profile: CostProfile
  }

  static let entries = [
    Entry(
      name: "apple", summary: "costs in Apple's guides: 90 us to create a thread", profile: .apple),
    Entry(name: "notes", summary: "costs in the notes: 90 ms to create a thread", profile: .notes),
    Entry(name: "linux", summary: "costs measured on Linux", profile: .linux),
    Entry(name: "zero", summary: "no costs", profile: .zero),
  ]

  /// The names and parameters, for the language to check.
  static let signatures = entries.map { entry in
    MachineCatalogue.Signature(
      name: entry.name, summary: entry.summary,
      parameters: CostProfile.fields.map { field in
        MachineCatalogue.Parameter(
          label: field.label, format: field.format, standard: entry.profile[field], least: 0)
      })
  }

  /// The profile that `configuration` names, with what it replaces.
  static func profile(_ configuration: Configuration) -> CostProfile {
    guard let entry = entries.first(where: { $0.name == configuration.name }) else {
      fatalError("no cost profile is called '\(configuration.name)'")
    }
    var profile = entry.profile
    for field in CostProfile.fields {
      if let value = configuration[field.label] { profile[field] = value }
    }
    return profile
  }

  /// The configuration as the trace language writes it, without the point.
  static func spelling(_ configuration: Configuration) -> String {
    if let file = configuration.file { return "\"\(file)\"" }
    guard let signature = signatures.first(where: { $0.name == configuration.name }) else {
      return configuration.name
    }
    return configuration.spelled(with: signature)
  }
}

extension Configuration {
  /// The configuration as the trace language writes it, without the point.
  func spelled(with signature: MachineCatalogue.Signature) -> String {
    if arguments.isEmpty { return name }
    let list = arguments.map { argument -> String in
      let parameter = signature.parameters.first { $0.label == argument.label }
      let value =
        switch parameter?.format {
        case .duration: Nanoseconds(argument.value).description
        case .size: ByteCount(argument.value).description
        case .decimal: FixedDecimal(billionths: argument.value).description
        case .boolean: argument.value == 0 ? "false" : "true"
        case .symbol: ".\(parameter?.choices[Int(argument.value)] ?? "")"
        case .integer, .instant, .string, .thread, .object, .array, .quoted, nil:
          "\(argument.value)"
        }
      return "\(argument.label): \(value)"
    }
    return "\(name)(\(list.joined(separator: ", ")))"
  }
}
