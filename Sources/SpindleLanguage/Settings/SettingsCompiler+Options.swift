import SpindleModel

/// What the command line says against the trace's own text.
extension SettingsCompiler {
  /// Reports options that name what the trace does not have.
  ///
  /// `values` are the names of what can be replaced.
  mutating func checkOptionNames(
    _ parameters: [String], values: @autoclosure () -> [String], _ reader: inout OutlineReader
  ) {
    guard !overrides.parameters.isEmpty || !overrides.replacements.isEmpty else { return }
    let values = values()
    let outer = reader.source
    for assignment in overrides.parameters where !parameters.contains(assignment.name) {
      reader.diagnosis.source = SourceText(
        name: "--set", "\(assignment.name)=\(assignment.value)")
      let near = reader.proposal(assignment.name, parameters)
      reader.error(
        Messages.noParameter(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    for assignment in overrides.replacements where !values.contains(assignment.name) {
      reader.diagnosis.source = SourceText(
        name: "--replace", "\(assignment.name)=\(assignment.value)")
      let near = reader.proposal(assignment.name, values)
      reader.error(
        Messages.noExecutor(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    reader.diagnosis.source = outer
  }

  /// Applies the options that stand for settings.
  mutating func applyOptions(_ reader: inout OutlineReader) {
    let outer = reader.source
    defer { reader.diagnosis.source = outer }
    if let text = overrides.platform, let expression = reader.option("--platform", text) {
      applyPlatform(expression, &reader)
    }
    if let text = overrides.cores, let expression = reader.option("--cores", text) {
      applyCores(expression, &reader)
    }
    if let text = overrides.costs, let costs = costs(option: text, &reader) {
      machine.costs = costs
    }
    if let text = overrides.policy, let expression = reader.option("--policy", text) {
      if let policy = configuration(expression, catalogue.policies, "policy", &reader) {
        machine.policy = policy
      }
    }
    if let text = overrides.seed, let expression = reader.option("--seed", text) {
      applySeed(expression, &reader)
    }
    if let text = overrides.until, let expression = reader.option("--until", text) {
      applyUntil(expression, &reader)
    }
  }
}
