import SpindleModel

/// What the command line says against the trace's own text.
extension SettingsCompiler {
  /// Reports options that name what the trace does not have.
  ///
  /// `values` are the names of what can be replaced.
  mutating func checkOptionNames(
    _ tree: SyntaxTree, values: @autoclosure () -> [String], _ reader: inout some ConstantReader
  ) {
    guard !overrides.parameters.isEmpty || !overrides.replacements.isEmpty else { return }
    let values = values()
    var parameters: [String] = []
    for declaration in tree.declarations {
      if case .parameter(let name, _, _) = declaration.kind { parameters.append(name.text) }
    }
    let outer = reader.source
    for assignment in overrides.parameters where !parameters.contains(assignment.name) {
      reader.checker.diagnosis.source = SourceText(
        name: "--set", "\(assignment.name)=\(assignment.value)")
      let near = reader.proposal(assignment.name, parameters)
      reader.error(
        Messages.noParameter(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    for assignment in overrides.replacements where !values.contains(assignment.name) {
      reader.checker.diagnosis.source = SourceText(
        name: "--replace", "\(assignment.name)=\(assignment.value)")
      let near = reader.proposal(assignment.name, values)
      reader.error(
        Messages.noExecutor(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    reader.checker.diagnosis.source = outer
  }

  /// Applies the options that stand for settings.
  mutating func applyOptions(_ reader: inout some ConstantReader) {
    let outer = reader.source
    defer { reader.checker.diagnosis.source = outer }
    if let text = overrides.platform, let expression = reader.checker.option("--platform", text) {
      applyPlatform(expression, &reader)
    }
    if let text = overrides.cores, let expression = reader.checker.option("--cores", text) {
      applyCores(expression, &reader)
    }
    if let text = overrides.costs, let costs = costs(option: text, &reader) {
      machine.costs = costs
    }
    if let text = overrides.policy, let expression = reader.checker.option("--policy", text) {
      if let policy = configuration(expression, catalogue.policies, "policy", &reader) {
        machine.policy = policy
      }
    }
    if let text = overrides.seed, let expression = reader.checker.option("--seed", text) {
      applySeed(expression, &reader)
    }
    if let text = overrides.until, let expression = reader.checker.option("--until", text) {
      applyUntil(expression, &reader)
    }
  }
}
