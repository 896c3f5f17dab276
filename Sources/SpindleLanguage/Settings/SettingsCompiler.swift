import SpindleModel

/// The settings in `trace { }` and `machine { }`.
extension Lowering {
  mutating func applyTraceSettings(_ settings: [Declaration.Setting]) {
    let names = ["seed", "until"]
    for setting in distinct(settings, names, "trace") {
      switch setting.name.text {
      case "seed": applySeed(setting.value)
      default: applyUntil(setting.value)
      }
    }
  }

  mutating func applyMachineSettings(_ settings: [Declaration.Setting]) {
    let names = [
      "platform", "cores", "memory", "costs", "policy", "threadLimit", "priorityInheritance",
      "monitorPhase",
    ]
    for setting in distinct(settings, names, "machine") {
      let value = setting.value
      switch setting.name.text {
      case "platform": applyPlatform(value)
      case "cores": applyCores(value)
      case "memory":
        guard let size = constant(value, .size)?.constant else { continue }
        if size <= 0 { error(Messages.positive("memory"), value.range) }
        program.machine.memory = ByteCount(size)
      case "costs":
        if let costs = configuration(value, catalogue.costs, "cost profile") {
          program.machine.costs = costs
        }
      case "policy":
        if let policy = configuration(value, catalogue.policies, "policy") {
          program.machine.policy = policy
        }
      case "threadLimit":
        guard let limit = constant(value, .integer)?.constant else { continue }
        if limit <= 0 { error(Messages.positive("threadLimit"), value.range) }
        program.machine.threadLimit = limit
      case "monitorPhase": applyMonitorPhase(value)
      default:
        guard let truth = constant(value, .boolean)?.constant else { continue }
        program.machine.priorityInheritance = truth != 0
      }
    }
  }

  private mutating func applyMonitorPhase(_ value: Expression) {
    guard let phase = constant(value, .duration)?.constant else { return }
    guard (0..<Nanoseconds.seconds(1).rawValue).contains(phase) else {
      error(Messages.monitorPhase, value.range)
      return
    }
    program.machine.monitorPhase = Nanoseconds(phase)
  }

  /// The settings that are known, each once; reports the others.
  private mutating func distinct(
    _ settings: [Declaration.Setting], _ names: [String], _ owner: String
  ) -> [Declaration.Setting] {
    var seen: [String: SourceRange] = [:]
    return settings.filter { setting in
      let name = setting.name.text
      guard names.contains(name) else {
        error(
          Messages.unknownSetting(name, of: owner, nearest: proposal(name, names)),
          setting.name.range)
        return false
      }
      if let first = seen[name] {
        error(Messages.twice(name, line: line(first)), setting.name.range)
        return false
      }
      seen[name] = setting.name.range
      if case .missing = setting.value.kind { return false }
      return true
    }
  }

  mutating func applySeed(_ expression: Expression) {
    guard let seed = constant(expression, .integer)?.constant else { return }
    if seed < 0 { error(Messages.negative("a seed"), expression.range) }
    program.seed = UInt64(bitPattern: seed)
  }

  mutating func applyUntil(_ expression: Expression) {
    guard let moment = constant(expression, .instant)?.constant else { return }
    if moment <= 0 { error(Messages.positive("until"), expression.range) }
    if moment > Nanoseconds.longest.rawValue { error(Messages.horizonTooFar, expression.range) }
    program.until = Instant(moment)
  }

  mutating func applyPlatform(_ expression: Expression) {
    var named = expression
    if case .name(let name) = expression.kind {
      named = arena.expression(kind: .implicitMember(name), range: named.range)
    }
    guard case .implicitMember(let name) = named.kind else {
      error(Messages.mismatch(expected: "a platform", found: "another value"), expression.range)
      return
    }
    guard let platform = Platform(rawValue: name.text) else {
      let near = proposal(name.text, Platform.allCases.map(\.rawValue))
      error(
        Messages.unknownChoice(
          "platform", name.text, nearest: near, Platform.allCases.map(\.rawValue)),
        expression.range)
      return
    }
    program.machine.platform = platform
  }

  // MARK: Cores

  mutating func applyCores(_ expression: Expression) {
    var cores: [CoreDescription] = []
    if case .array(let clusters) = expression.kind {
      for cluster in clusters { cores += self.cluster(cluster) ?? [] }
      if clusters.isEmpty { error(Messages.positive("cores"), expression.range) }
    } else {
      guard let count = coreCount(expression) else { return }
      cores = Array(repeating: CoreDescription(), count: count)
    }
    if cores.count > Lowering.mostCores { error(Messages.tooManyCores, expression.range) }
    if !cores.isEmpty { program.machine.cores = cores }
  }

  private static let mostCores = 1_024

  private mutating func coreCount(_ expression: Expression) -> Int? {
    guard let count = constant(expression, .integer)?.constant else { return nil }
    guard count > 0 else {
      error(Messages.positive("cores"), expression.range)
      return nil
    }
    guard count <= Int64(Lowering.mostCores) else {
      error(Messages.tooManyCores, expression.range)
      return nil
    }
    return Int(count)
  }

  /// `.efficiency(4, speed: 0.4)`.
  private mutating func cluster(_ expression: Expression) -> [CoreDescription]? {
    guard case .call(let call) = expression.kind,
      case .implicitMember(let name) = call.callee.kind
    else {
      if case .missing = expression.kind { return nil }
      error(Messages.cluster, expression.range)
      return nil
    }
    guard let cluster = CoreDescription.Cluster(rawValue: name.text) else {
      let known = CoreDescription.Cluster.allCases.map(\.rawValue)
      error(
        Messages.unknownChoice("cluster", name.text, nearest: proposal(name.text, known), known),
        call.callee.range)
      return nil
    }
    let formals = [
      Formal(label: nil, type: .integer, isOptional: false, slot: 0),
      Formal(label: "speed", type: .decimal, isOptional: true, slot: 1),
    ]
    guard let actuals = match(formals, call, name: name.text, call.callee.range),
      let count = coreCount(call.arguments[0].value)
    else { return nil }
    var speed = Speed.one
    if case .argument(let ordinal) = actuals[1] {
      guard let given = self.speed(call.arguments[ordinal].value) else { return nil }
      speed = given
    }
    return Array(repeating: CoreDescription(cluster: cluster, speed: speed), count: count)
  }

  private mutating func speed(_ expression: Expression) -> Speed? {
    guard let value = constant(expression, .decimal)?.constant else { return nil }
    guard value > 0 else {
      error(Messages.positive("speed"), expression.range)
      return nil
    }
    var (a, b) = (value, FixedDecimal.scale)
    while b != 0 { (a, b) = (b, a % b) }
    let (numerator, denominator) = (value / a, FixedDecimal.scale / a)
    guard numerator <= FixedDecimal.scale else {
      error(Messages.speedTooLarge, expression.range)
      return nil
    }
    return Speed(numerator: numerator, denominator: denominator)
  }

  // MARK: Policies and costs

  /// `.roundRobin(quantum: 10ms)`, checked against what the simulator knows.
  mutating func configuration(
    _ expression: Expression, _ known: [MachineCatalogue.Signature], _ what: String
  ) -> Configuration? {
    var (callee, arguments): (Expression, SyntaxList<Expression.Argument>) = (
      expression, SyntaxList()
    )
    if case .call(let call) = expression.kind {
      (callee, arguments) = (call.callee, call.arguments)
      if let closure = call.closures.first { error(Messages.noClosure(what), closure.range) }
    }
    let name: String
    switch callee.kind {
    case .implicitMember(let member): name = member.text
    case .name(let word): name = word.text
    case .missing: return nil
    default:
      error(Messages.mismatch(expected: "a \(what)", found: "another value"), expression.range)
      return nil
    }
    guard let signature = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name)
      error(
        Messages.unknownChoice(what, name, nearest: proposal(name, names), names), callee.range)
      return nil
    }
    var configuration = Configuration(name: name)
    for argument in arguments {
      guard let value = parameter(argument, signature, configuration) else { continue }
      configuration.arguments.append(value)
    }
    return configuration
  }

  private mutating func parameter(
    _ argument: Expression.Argument, _ signature: MachineCatalogue.Signature,
    _ configuration: Configuration
  ) -> Configuration.Argument? {
    guard let label = argument.label else {
      let next = signature.parameters.first { configuration[$0.label] == nil }
      error(
        next.map { Messages.missingLabel($0.label, of: signature.name) }
          ?? Messages.tooManyArguments(signature.name), argument.value.range)
      return nil
    }
    guard let parameter = signature.parameters.first(where: { label == $0.label }) else {
      let known = signature.parameters.map(\.label)
      let message = Messages.unknownArgument(
        label.text, of: signature.name, nearest: proposal(label.text, known), known)
      error(message, argument.labelRange)
      return nil
    }
    guard configuration[label.text] == nil else {
      error(Messages.repeatedArgument(label.text), argument.labelRange)
      return nil
    }
    let type: ValueType =
      switch parameter.format {
      case .boolean: .boolean
      case .duration: .duration
      case .instant: .instant
      case .size: .size
      case .decimal: .decimal
      case .string, .symbol: .string
      default: .integer
      }
    guard let value = constant(argument.value, type)?.constant else { return nil }
    guard value >= parameter.least || type == .boolean || type == .string else {
      let least = written(parameter.least, type)
      error(Messages.tooSmall(label.text, least: least), argument.value.range)
      return nil
    }
    return Configuration.Argument(label: label.text, value: value)
  }
}
