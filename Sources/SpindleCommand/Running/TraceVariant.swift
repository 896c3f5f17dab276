import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator

/// One way to run a trace: what is changed, and what to call it.
struct TraceVariant: Sendable {
  /// What tells it from the other variants; empty when it changes nothing.
  var label: String
  /// What is changed.
  var overrides: Overrides
  /// The number of its trace among those that are compared.
  var file = 0
  /// The values of what varies, by axis.
  var settings: [String] = []
}

/// Something of a trace that takes several values, one after another.
struct VariantAxis: Sendable {
  /// What varies.
  enum Subject: Hashable, Sendable {
    case policy
    case replacement(String)
    case parameter(String)
    case cores
    case platform
    case costs
    case seed
    case file
    /// Whether steps are held: not at all, as in the normal run, or as this says.
    case schedule(Schedule)

    /// The part of the machine, or the seed, that a sweep calls by this name.
    init?(machinePart name: String) {
      switch name {
      case "policy": self = .policy
      case "cores": self = .cores
      case "platform": self = .platform
      case "costs": self = .costs
      case "seed": self = .seed
      default: return nil
      }
    }

    /// What a sweep varies by this name: a parameter of the program, a part of the machine, or a value
    /// at the top.
    init(_ name: String, of program: Program) {
      let isParameter = program.parameters.contains { $0.name == name }
      let isValue = program.globals.contains { $0.name == name && !$0.isVariable }
      if !isParameter, let part = Self(machinePart: name) {
        self = part
      } else {
        self = isValue && !isParameter ? .replacement(name) : .parameter(name)
      }
    }
  }

  /// What varies.
  var subject: Subject
  /// Its values as written.
  var values: [String]
  /// Whether its values are not known, since the trace that lists them can't be read.
  private var isUnknown = false

  /// The axis of an option whose value is a list.
  init(_ subject: Subject, list: String, option: String) throws(CommandFailure) {
    self.subject = subject
    values = []
    for value in ListText.values(list) {
      switch subject {
      case .parameter, .cores, .seed: values += try RangeText.expanded(value, option: option)
      case .policy:
        values += value == "all" ? MachineCatalog.policyNames : [value]
      case .platform:
        values += value == "all" ? Platform.allCases.map(\.rawValue) : [value]
      case .costs:
        values += value == "all" ? MachineCatalog.costNames : [value]
      case .replacement, .file, .schedule: values.append(value)
      }
    }
    if values.contains("") {
      throw .usage(UsageText.valueEmpty(option, in: list))
    }
    if let twice = values.indices.first(where: { values[..<$0].contains(values[$0]) }) {
      throw .usage(UsageText.valueTwice(option, values[twice]))
    }
    if subject == .cores {
      for value in values { try ParsedArguments.checkCores(value) }
    }
  }

  /// The axis of something with these values.
  init(subject: Subject, values: [String]) { (self.subject, self.values) = (subject, values) }

  /// The axis of the normal run and the one under a schedule.
  init(_ schedule: Schedule) {
    (subject, values) = (.schedule(schedule), [VariantAxis.normalRun, "scheduled"])
  }

  /// What the run without a schedule is called.
  private static let normalRun = "normal"

  /// The axis of several traces.
  init(files: [String]) { (subject, values) = (.file, files) }

  /// The axis with `all` replaced by the values that the trace lists for the parameter.
  ///
  /// Where the trace lists none, `all` is an ordinary value of a parameter that is a string, and a
  /// mistake for any other.
  func expanded(by parameters: [Parameter]) throws(CommandFailure) -> VariantAxis {
    guard case .parameter(let name) = subject, values == ["all"],
      let parameter = parameters.first(where: { $0.name == name })
    else { return self }
    if parameter.allowed.isEmpty {
      if parameter.value.hasPrefix("\"") { return self }
      throw .usage(UsageText.nothingListed(name))
    }
    var axis = self
    axis.values = parameter.allowed
    return axis
  }

  /// All combinations of the axes' values; the last axis varies fastest.
  ///
  /// Labels name what varies; that of a single variant names all that it changes.
  static func variants(_ axes: [VariantAxis], base: Overrides) -> [TraceVariant] {
    var variants = [TraceVariant(label: "", overrides: base)]
    let isSingle = axes.allSatisfy { $0.values.count == 1 }
    let replacements = axes.filter { ($0.values.count > 1 || isSingle) && $0.isReplacement }
    for axis in axes {
      variants = variants.flatMap { variant in
        axis.values.map { value in
          var next = variant
          axis.apply(value, to: &next)
          guard axis.values.count > 1 || isSingle else { return next }
          next.settings.append(value)
          let word = axis.label(value, isOnlyReplacement: replacements.count == 1)
          next.label += next.label.isEmpty ? word : ", \(word)"
          return next
        }
      }
    }
    return variants
  }

  /// The variant with the value at a place of each axis.
  static func variant(
    _ axes: [VariantAxis], at places: [Int], base: Overrides
  ) -> TraceVariant {
    var variant = TraceVariant(label: "", overrides: base)
    for (axis, place) in zip(axes, places) {
      axis.apply(axis.values[place], to: &variant)
      variant.settings.append(axis.values[place])
    }
    return variant
  }

  /// What varies, as many as each variant has settings.
  static func settingNames(_ axes: [VariantAxis]) -> [String] {
    let isSingle = axes.allSatisfy { $0.values.count == 1 }
    return axes.filter { $0.values.count > 1 || isSingle }.map(\.name)
  }

  /// Refuses axes that have more combinations than anybody can run and read.
  static func checkCount(_ axes: [VariantAxis]) throws(CommandFailure) {
    var total = 1
    for axis in axes {
      let (product, overflow) = total.multipliedReportingOverflow(by: axis.values.count)
      total = product
      guard overflow || total > mostVariants else { continue }
      let counts = axes.map { "\($0.values.count)" }.joined(separator: " x ")
      throw .usage(UsageText.variantsOver(counts, most: mostVariants))
    }
  }

  /// The most variants of one command: they and what came of them are in memory together.
  static let mostVariants = 10_000

  /// Whether it has several values besides the normal run and the scheduled one.
  var hasSeveralValues: Bool { values.count > 1 && !isSchedule }

  /// Whether a schedule varies.
  var isSchedule: Bool {
    if case .schedule = subject { return true }
    return false
  }

  private var isReplacement: Bool {
    if case .replacement = subject { return true }
    return false
  }

  /// What the axis is called.
  var name: String {
    switch subject {
    case .policy: "policy"
    case .cores: "cores"
    case .platform: "platform"
    case .costs: "costs"
    case .seed: "seed"
    case .file: "file"
    case .schedule: "schedule"
    case .replacement(let name), .parameter(let name): name
    }
  }

  /// The axis as a grid has it.
  var headerAxis: SweepHeader.Axis {
    SweepHeader.Axis(name: name, values: values, isQuantity: isQuantity)
  }

  /// Whether its values are machines or quantities, of which one may be expected to be better.
  private var isQuantity: Bool {
    switch subject {
    case .cores: true
    case .parameter:
      values.allSatisfy { RangeText.value($0) != nil || Double($0) != nil }
    case .policy, .replacement, .platform, .costs, .seed, .file, .schedule: false
    }
  }

  private func apply(_ value: String, to variant: inout TraceVariant) {
    if isUnknown { return }
    switch subject {
    case .policy: variant.overrides.policy = value
    case .cores: variant.overrides.cores = value
    case .platform: variant.overrides.platform = value
    case .costs: variant.overrides.costs = value
    case .seed: variant.overrides.seed = value
    case .file: variant.file = values.firstIndex(of: value) ?? 0
    case .schedule(let schedule):
      variant.overrides.schedule = value == VariantAxis.normalRun ? Schedule() : schedule
    case .replacement(let name):
      variant.overrides.replacements.append(Overrides.Assignment(name: name, value: value))
    case .parameter(let name):
      variant.overrides.parameters.append(Overrides.Assignment(name: name, value: value))
    }
  }

  private func label(_ value: String, isOnlyReplacement: Bool) -> String {
    switch subject {
    case .policy, .platform, .costs, .file, .schedule: value
    case .cores:
      value.hasPrefix("[") ? "cores=\(value)" : value == "1" ? "1 core" : "\(value) cores"
    case .seed: "seed \(value)"
    case .replacement(let name): isOnlyReplacement ? value : "\(name)=\(value)"
    case .parameter(let name): "\(name)=\(value)"
    }
  }
}

extension VariantAxis {
  /// The axis with `all` replaced by the values that `source` lists.
  ///
  /// What is wrong with the trace is left for the runs themselves to report: a trace that can't be read lists
  /// nothing, and its parameter keeps the value that it has there.
  func expanded(
    in source: SourceText, _ base: Overrides, _ compiler: Compiler
  ) throws(CommandFailure) -> VariantAxis {
    guard case .parameter = subject, values == ["all"] else { return self }
    guard let program = compiler.compile(source, overrides: base).program else {
      var axis = self
      axis.isUnknown = true
      return axis
    }
    return try expanded(by: program.parameters)
  }
}
