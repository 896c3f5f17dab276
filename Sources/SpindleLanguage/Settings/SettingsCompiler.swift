import SpindleModel

/// What a run of the trace is set to: `trace { }`, `machine { }`, parameters, and what the command line
/// says against them.
///
/// It makes no code: it reads constants.
struct SettingsCompiler {
  let catalogue: MachineCatalogue
  let overrides: Overrides
  var machine = MachineDescription()
  private(set) var seed: UInt64
  private(set) var until: Instant?
  /// How far its test looks for other schedules; nil for not at all.
  var exploration: RequestedExploration?
  /// The parameters of the trace, with their values.
  var parameters: [Parameter] = []
  /// The numbers of the names that mean them.
  var names: [Int] = []

  /// Creates the settings of a trace that says nothing.
  init(catalogue: MachineCatalogue, overrides: Overrides) {
    (self.catalogue, self.overrides) = (catalogue, overrides)
    seed = Program().seed
  }

  /// Hands the settings over.
  func finish(into program: inout Program) {
    (program.machine, program.seed, program.until) = (machine, seed, until)
    program.parameters = parameters
    program.exploration = exploration
  }

  /// Warns of parameters that nothing uses.
  func judgeParameters(_ reader: inout OutlineReader) {
    for number in names {
      let name = reader.names[number]
      guard !name.isUsed, name.type != .unknown else { continue }
      reader.warn(Messages.unusedParameter(name.name), name.place)
    }
  }

  mutating func applyTraceSettings(
    _ settings: [Grammar.Setting], _ reader: inout OutlineReader
  ) {
    let names = ["seed", "until"]
    for setting in distinct(settings, names, "trace", &reader) {
      switch setting.name.text {
      case "seed": applySeed(setting.value, &reader)
      default: applyUntil(setting.value, &reader)
      }
    }
  }

  mutating func applyMachineSettings(
    _ settings: [Grammar.Setting], _ reader: inout OutlineReader
  ) {
    let names = [
      "platform", "cores", "memory", "costs", "policy", "threadLimit", "priorityInheritance",
      "monitorPhase", "cooperativeWidth", "resourceProtocol", "backgroundTime",
    ]
    for setting in distinct(settings, names, "machine", &reader) {
      let value = setting.value
      switch setting.name.text {
      case "platform": applyPlatform(value, &reader)
      case "cores": applyCores(value, &reader)
      case "memory":
        guard let size = reader.constant(value, .size)?.constant else { continue }
        if size <= 0 { reader.error(Messages.positive("memory"), value.range) }
        machine.memory = ByteCount(size)
      case "costs":
        if let costs = costs(value, &reader) { machine.costs = costs }
      case "policy":
        if let policy = configuration(value, catalogue.policies, "policy", &reader) {
          machine.policy = policy
        }
      case "threadLimit":
        guard let limit = reader.constant(value, .integer)?.constant else { continue }
        if limit <= 0 { reader.error(Messages.positive("threadLimit"), value.range) }
        machine.threadLimit = limit
      case "monitorPhase": applyMonitorPhase(value, &reader)
      case "cooperativeWidth":
        guard let width = reader.constant(value, .integer)?.constant else { continue }
        if !(1...1_024).contains(width) { reader.error(Messages.cooperativeWidth, value.range) }
        machine.cooperativeWidth = width
      case "backgroundTime":
        guard let time = reader.constant(value, .duration)?.constant else { continue }
        if time <= 0 { reader.error(Messages.positive("backgroundTime"), value.range) }
        machine.backgroundTime = Nanoseconds(time)
      case "resourceProtocol": applyResourceProtocol(setting, &reader)
      default: applyPriorityInheritance(setting, &reader)
      }
    }
  }

  private mutating func applyMonitorPhase(
    _ value: Grammar.Expression, _ reader: inout OutlineReader
  ) {
    guard let phase = reader.constant(value, .duration)?.constant else { return }
    guard (0..<Nanoseconds.seconds(1).rawValue).contains(phase) else {
      reader.error(Messages.monitorPhase, value.range)
      return
    }
    machine.monitorPhase = Nanoseconds(phase)
  }

  /// The settings that are known, each once; reports the others.
  mutating func distinct(
    _ settings: [Grammar.Setting], _ names: [String], _ owner: String,
    _ reader: inout OutlineReader
  ) -> [Grammar.Setting] {
    var seen: [String: SourceRange] = [:]
    return settings.filter { setting in
      let name = setting.name.text
      guard names.contains(name) else {
        reader.error(
          Messages.unknownSetting(name, of: owner, nearest: reader.proposal(name, names)),
          setting.name.range)
        return false
      }
      if let first = seen[name] {
        reader.error(Messages.twice(name, line: reader.diagnosis.line(first)), setting.name.range)
        return false
      }
      seen[name] = setting.name.range
      if case .missing = setting.value.kind { return false }
      return true
    }
  }

  mutating func applySeed(_ expression: Grammar.Expression, _ reader: inout OutlineReader) {
    guard let given = reader.constant(expression, .integer)?.constant else { return }
    if given < 0 { reader.error(Messages.negative("a seed"), expression.range) }
    seed = UInt64(bitPattern: given)
  }

  mutating func applyUntil(_ expression: Grammar.Expression, _ reader: inout OutlineReader) {
    guard let moment = reader.constant(expression, .instant)?.constant else { return }
    if moment <= 0 { reader.error(Messages.positive("until"), expression.range) }
    if moment > Nanoseconds.longest.rawValue {
      reader.error(Messages.horizonTooFar, expression.range)
    }
    until = Instant(moment)
  }

  mutating func applyPlatform(_ expression: Grammar.Expression, _ reader: inout OutlineReader) {
    guard let platform: Platform = oneOf("platform", expression, &reader) else { return }
    machine.platform = platform
  }

  /// One of a few names, with the point in front or, on the command line, without.
  func oneOf<Choice: RawRepresentable & CaseIterable>(
    _ what: String, _ expression: Grammar.Expression, _ reader: inout OutlineReader
  ) -> Choice? where Choice.RawValue == String {
    let name: String
    switch expression.kind {
    case .name(let word, _): name = word
    case .implicitMember(let word): name = word.text
    default:
      reader.error(
        Messages.mismatch(expected: "a \(what)", found: "another value"), expression.range)
      return nil
    }
    if let choice = Choice(rawValue: name) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    reader.error(
      Messages.unknownChoice(
        what, name, nearest: reader.proposal(name, known), known), expression.range)
    return nil
  }

  // MARK: Cores

  mutating func applyCores(_ expression: Grammar.Expression, _ reader: inout OutlineReader) {
    var cores: [CoreDescription] = []
    if case .array(let clusters) = expression.kind {
      for (number, cluster) in clusters.enumerated() {
        guard var alike = self.cluster(cluster, &reader) else { continue }
        for core in alike.indices { alike[core].sharedCache = number }
        cores += alike
      }
      if clusters.isEmpty { reader.error(Messages.positive("cores"), expression.range) }
    } else if namesCluster(expression) {
      reader.error(Messages.cluster, expression.range)
    } else {
      guard let count = coreCount(expression, &reader) else { return }
      cores = Array(repeating: CoreDescription(), count: count)
    }
    if cores.count > SettingsCompiler.mostCores {
      reader.error(Messages.tooManyCores, expression.range)
    }
    if !cores.isEmpty { machine.cores = cores }
  }

  /// `.performance(2) + .efficiency(4)`, which is no list, or speeds.
  private func namesCluster(_ expression: Grammar.Expression) -> Bool {
    switch expression.kind {
    case .call(let call): return namesCluster(call.callee)
    case .implicitMember, .decimal, .dictionary: return true
    case .binary(_, let left, _): return namesCluster(left)
    default: return false
    }
  }

  private static let mostCores = 1_024

  private mutating func coreCount(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> Int?
  {
    guard let count = reader.constant(expression, .integer)?.constant else { return nil }
    guard count > 0 else {
      reader.error(Messages.positive("cores"), expression.range)
      return nil
    }
    guard count <= Int64(SettingsCompiler.mostCores) else {
      reader.error(Messages.tooManyCores, expression.range)
      return nil
    }
    return Int(count)
  }

  /// `.efficiency(4, speed: 0.4)`.
  private mutating func cluster(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> [CoreDescription]?
  {
    guard case .call(let call) = expression.kind,
      case .implicitMember(let name) = call.callee.kind
    else {
      if case .missing = expression.kind { return nil }
      reader.error(Messages.cluster, expression.range)
      return nil
    }
    guard let cluster = CoreDescription.Cluster(rawValue: name.text) else {
      let known = CoreDescription.Cluster.allCases.map(\.rawValue)
      reader.error(
        Messages.unknownChoice(
          "cluster", name.text, nearest: reader.proposal(name.text, known), known),
        call.callee.range)
      return nil
    }
    let formals = [
      Formal(label: nil, type: .integer, isOptional: false, slot: 0),
      Formal(label: "speed", type: .decimal, isOptional: true, slot: 1),
      Formal(label: "busyMilliwatts", type: .integer, isOptional: true, slot: 2),
      Formal(label: "idleMilliwatts", type: .integer, isOptional: true, slot: 3),
    ]
    guard let values = reader.match(formals, call, name: name.text, call.callee.range),
      let count = values[0].flatMap({ coreCount($0, &reader) })
    else { return nil }
    var speed = Speed.one
    if let value = values[1] {
      guard let given = self.speed(value, &reader) else { return nil }
      speed = given
    }
    let power = self.power(values[2], values[3], &reader)
    let core = CoreDescription(cluster: cluster, speed: speed, power: power)
    return Array(repeating: core, count: count)
  }

  private mutating func speed(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> Speed?
  {
    guard let value = reader.constant(expression, .decimal)?.constant else { return nil }
    guard value > 0 else {
      reader.error(Messages.positive("speed"), expression.range)
      return nil
    }
    var (a, b) = (value, FixedDecimal.scale)
    while b != 0 { (a, b) = (b, a % b) }
    let (numerator, denominator) = (value / a, FixedDecimal.scale / a)
    guard numerator <= FixedDecimal.scale else {
      reader.error(Messages.speedTooLarge, expression.range)
      return nil
    }
    return Speed(numerator: numerator, denominator: denominator)
  }

  // MARK: Policies and costs

  /// `.roundRobin(quantum: 10ms)`, checked against what the simulator knows.
  mutating func configuration(
    _ expression: Grammar.Expression, _ known: [MachineCatalogue.Signature], _ what: String,
    _ reader: inout OutlineReader
  ) -> Configuration? {
    var (callee, arguments): (Grammar.Expression, [Grammar.Argument]) = (expression, [])
    if case .call(let call) = expression.kind {
      (callee, arguments) = (call.callee, call.arguments.filter { !$0.isTrailing })
      if let closure = call.trailing { reader.error(Messages.noClosure(what), closure.value.range) }
    }
    let name: String
    switch callee.kind {
    case .implicitMember(let member): name = member.text
    case .name(let word, _): name = word
    case .missing: return nil
    default:
      reader.error(
        Messages.mismatch(expected: "a \(what)", found: "another value"), expression.range)
      return nil
    }
    guard let signature = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name)
      reader.error(
        Messages.unknownChoice(what, name, nearest: reader.proposal(name, names), names),
        callee.range)
      return nil
    }
    var configuration = Configuration(name: name)
    for argument in arguments {
      guard let value = parameter(argument, signature, configuration, &reader) else { continue }
      configuration.arguments.append(value)
    }
    return configuration
  }

  private mutating func parameter(
    _ argument: Grammar.Argument, _ signature: MachineCatalogue.Signature,
    _ configuration: Configuration, _ reader: inout OutlineReader
  ) -> Configuration.Argument? {
    guard let label = argument.label else {
      let next = signature.parameters.first { configuration[$0.label] == nil }
      reader.error(
        next.map { Messages.missingLabel($0.label, of: signature.name) }
          ?? Messages.tooManyArguments(signature.name), argument.value.range)
      return nil
    }
    guard let parameter = signature.parameters.first(where: { label.text == $0.label }) else {
      let known = signature.parameters.map(\.label)
      let message = Messages.unknownArgument(
        label.text, of: signature.name, nearest: reader.proposal(label.text, known), known)
      reader.error(message, label.range)
      return nil
    }
    guard configuration[label.text] == nil else {
      reader.error(Messages.repeatedArgument(label.text), label.range)
      return nil
    }
    if parameter.format == .symbol { return choice(argument.value, parameter, &reader) }
    let type: ValueType =
      switch parameter.format {
      case .boolean: .boolean
      case .duration: .duration
      case .instant: .instant
      case .size: .size
      case .decimal: .decimal
      case .string, .quoted, .symbol: .string
      case .integer, .thread, .object, .array: .integer
      }
    guard let value = reader.constant(argument.value, type)?.constant else { return nil }
    guard value >= parameter.least || type == .boolean || type == .string else {
      let least = reader.written(parameter.least, type)
      reader.error(Messages.tooSmall(label.text, least: least), argument.value.range)
      return nil
    }
    guard value <= parameter.most || type == .boolean || type == .string else {
      let most = reader.written(parameter.most, type)
      reader.error(Messages.tooLarge(label.text, most: most), argument.value.range)
      return nil
    }
    return Configuration.Argument(label: label.text, value: value)
  }

  /// `.firstFit`, one of what a parameter can be.
  private func choice(
    _ expression: Grammar.Expression, _ parameter: MachineCatalogue.Parameter,
    _ reader: inout OutlineReader
  ) -> Configuration.Argument? {
    guard case .implicitMember(let name) = expression.kind else {
      if case .missing = expression.kind { return nil }
      reader.error(
        Messages.mismatch(
          expected: parameter.choices.map { ".\($0)" }.joined(separator: " or "),
          found: "another value"), expression.range)
      return nil
    }
    guard let value = parameter.choices.firstIndex(of: name.text) else {
      let nearest = reader.proposal(name.text, parameter.choices)
      reader.error(
        Messages.unknownChoice(parameter.label, name.text, nearest: nearest, parameter.choices),
        expression.range)
      return nil
    }
    return Configuration.Argument(label: parameter.label, value: Int64(value))
  }
}
