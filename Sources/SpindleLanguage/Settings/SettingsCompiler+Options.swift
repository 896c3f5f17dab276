import SpindleModel

/// What the command line says against the trace's own text.
extension Lowering {
  /// Reads an option's text as an expression; from then on, mistakes are told in that text.
  ///
  /// The prefix is what stands before the expression in the text that is shown.
  mutating func option(_ name: String, prefix: String = "", _ text: String) -> Expression? {
    source = SourceText(name: name, prefix + text)
    let blank = String(repeating: " ", count: prefix.utf8.count)
    let (expression, found) = Parser.parseExpression(
      SourceText(name: name, blank + text), in: arena)
    for diagnostic in found {
      diagnostics.append(
        Diagnostic(
          severity: diagnostic.severity, message: diagnostic.message, range: diagnostic.range,
          source: source))
    }
    return found.contains { $0.severity == .error } ? nil : expression
  }

  /// Reports options that name what the trace does not have.
  mutating func checkOptionNames(_ tree: SyntaxTree) {
    guard !overrides.parameters.isEmpty || !overrides.replacements.isEmpty else { return }
    var (parameters, values): ([String], [String]) = ([], [])
    for declaration in tree.declarations {
      if case .parameter(let name, _, _) = declaration.kind { parameters.append(name.text) }
      if case .binding(let binding) = declaration.kind, !binding.isVariable {
        values.append(binding.name.text)
      }
    }
    let outer = source
    for assignment in overrides.parameters where !parameters.contains(assignment.name) {
      source = SourceText(name: "--set", "\(assignment.name)=\(assignment.value)")
      let near = proposal(assignment.name, parameters)
      error(
        Messages.noParameter(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    for assignment in overrides.replacements where !values.contains(assignment.name) {
      source = SourceText(name: "--replace", "\(assignment.name)=\(assignment.value)")
      let near = proposal(assignment.name, values)
      error(
        Messages.noExecutor(assignment.name, nearest: near),
        SourceRange(0, assignment.name.utf8.count))
    }
    source = outer
  }

  mutating func refuseReplacement(_ assignment: Overrides.Assignment) {
    let outer = source
    source = SourceText(name: "--replace", "\(assignment.name)=\(assignment.value)")
    error(
      Messages.noExecutor(assignment.name, nearest: nil),
      SourceRange(0, assignment.name.utf8.count))
    source = outer
  }

  /// The executor that the command line puts in the place of the trace's own.
  mutating func replacedValue(
    _ assignment: Overrides.Assignment, _ name: Word, target: Register
  ) -> Operand {
    let outer = source
    defer { source = outer }
    guard var expression = option("--replace", prefix: assignment.name + "=", assignment.value)
    else { return .unknown }
    if case .name(let type) = expression.kind, vocabulary.type(type) != nil {
      let call = Expression.Call(
        callee: expression, arguments: SyntaxList(), closures: SyntaxList(),
        range: expression.range)
      expression = arena.expression(kind: .call(arena.node(call)), range: expression.range)
    }
    if case .call = expression.kind { boundName = name }
    let made = value(expression, target: target)
    boundName = nil
    guard made.type != .unknown else { return .unknown }
    guard case .handle(let handle) = made.type, handle.isExecutor else {
      return refuse(
        Messages.mismatch(expected: "an executor", found: "\(made.type)"), expression.range)
    }
    return made
  }

  /// Applies the options that stand for settings.
  mutating func applyOptions() {
    let outer = source
    defer { source = outer }
    if let text = overrides.platform, let expression = option("--platform", text) {
      applyPlatform(expression)
    }
    if let text = overrides.cores, let expression = option("--cores", text) {
      applyCores(expression)
    }
    if let text = overrides.costs, let expression = option("--costs", text) {
      if let costs = configuration(expression, catalogue.costs, "cost profile") {
        program.machine.costs = costs
      }
    }
    if let text = overrides.policy, let expression = option("--policy", text) {
      if let policy = configuration(expression, catalogue.policies, "policy") {
        program.machine.policy = policy
      }
    }
    if let text = overrides.seed, let expression = option("--seed", text) { applySeed(expression) }
    if let text = overrides.until, let expression = option("--until", text) {
      applyUntil(expression)
    }
  }
}
