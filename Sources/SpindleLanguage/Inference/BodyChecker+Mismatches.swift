import SpindleModel

/// What is wrong with a call whose arguments no function of its name takes.
extension BodyChecker {
  /// A call that fits none of the functions that it may mean: what is said, and where.
  struct Mismatch {
    var message: String
    var range: SourceRange
    /// Whether it is known what is meant.
    var isMeant = false
  }

  /// What is wrong with a call of `name`, by the function that takes most of its arguments.
  func mismatch(
    _ candidates: [Candidate], _ call: Grammar.Call?, _ expected: SwiftType?, _ name: Grammar.Name
  ) -> Mismatch {
    let arguments = call?.arguments ?? []
    let symbols = candidates.map(\.symbol)
    let near = symbols.first { symbol in
      arguments.allSatisfy { argument in
        argument.isTrailing
          || symbol.parameters.contains { $0.label == argument.label?.text }
      }
    }
    let labels = arguments.map { ($0.label?.text ?? "_") + ":" }.joined()
    let plain = "there is no '\(name.text)(\(labels))'"
    guard let symbol = near ?? symbols.first else {
      return Mismatch(message: plain, range: name.range)
    }
    // A Swift file calls what its app has: a stub in the trace is proposed.
    if table.isInFile(name.range) {
      return Mismatch(message: withStub(plain, symbol, name, call, expected), range: name.range)
    }
    let found = near.map { mismatch($0, arguments, name) } ?? nil
    if let found { return found }
    let all = symbols.compactMap { mismatch($0, arguments, name) }
    return all.first(where: \.isMeant) ?? all.first ?? Mismatch(message: plain, range: name.range)
  }

  private func withStub(
    _ message: String, _ near: FunctionSymbol, _ name: Grammar.Name, _ call: Grammar.Call?,
    _ expected: SwiftType?
  ) -> String {
    guard let call else { return message }
    guard let owner = near.owner else { return withStub(message, function: name.text, call) }
    if near.isInitializer { return withStub(message, initialising: owner, call) }
    return withStub(
      message, member: name.text, of: owner.selfType, isStatic: near.isStatic, call, expected)
  }

  private func mismatch(
    _ symbol: FunctionSymbol, _ arguments: [Grammar.Argument], _ name: Grammar.Name
  ) -> Mismatch? {
    let parameters = symbol.parameters
    var (next, filled) = (0, Set<Int>())
    for argument in arguments where !argument.isTrailing {
      let found = parameters.indices.first { index in
        index >= next && takes(parameters[index], argument, symbol)
      }
      guard let found else {
        return missingClosure(argument, arguments, symbol, next, name)
          ?? stray(argument, symbol, next, name)
      }
      filled.insert(found)
      next = parameters[found].isVariadic ? found : found + 1
    }
    for argument in arguments where argument.isTrailing {
      let found = parameters.indices.first { index in
        !filled.contains(index) && mayBeClosure(parameters[index].type)
          && (argument.label == nil || argument.label?.text == parameters[index].label)
      }
      guard let found else { return strayClosure(argument, symbol, name) }
      filled.insert(found)
    }
    let missing = parameters.indices.first { index in
      !filled.contains(index) && !parameters[index].hasStandard && !parameters[index].isVariadic
    }
    return missing.map { Mismatch(message: lacks(parameters[$0], name, symbol), range: name.range) }
  }

  private func takes(
    _ parameter: FunctionSymbol.Parameter, _ argument: Grammar.Argument, _ symbol: FunctionSymbol
  ) -> Bool {
    if argument.label?.text == parameter.label { return true }
    guard case .row = symbol.implementation else {
      return parameter.isVariadic && argument.label == nil
    }
    return argument.label == nil && isFunction(parameter.type) && isClosure(argument.value)
  }

  private func mayBeClosure(_ type: SwiftType) -> Bool {
    if case .parameter = type { return true }
    return isFunction(type)
  }

  // MARK: What is too much

  /// `async(work(1ms))`, which does the work and does not hand it on, or a function without the label of its parameter.
  private func missingClosure(
    _ argument: Grammar.Argument, _ arguments: [Grammar.Argument], _ symbol: FunctionSymbol,
    _ next: Int, _ name: Grammar.Name
  ) -> Mismatch? {
    guard argument.label == nil, !arguments.contains(where: \.isTrailing),
      let wanted = symbol.parameters[next...].first(where: {
        isFunction($0.type) && !$0.hasStandard
      })
    else { return nil }
    let range = argument.value.range
    switch argument.value.kind {
    case .name(let function, _):
      guard let label = wanted.label, isFunctionName(function, range) else { return nil }
      return Mismatch(message: Messages.missingLabel(label, of: name.text), range: range)
    case .call:
      let text = table.current.text(in: range)
      return Mismatch(message: Messages.callForClosure(name.text, text), range: range)
    default: return nil
    }
  }

  private func isFunctionName(_ name: String, _ range: SourceRange) -> Bool {
    switch meaning(of: name, [], range) {
    case .functions: true
    case .value(let value): isFunction(solver.shallow(value.type))
    case .type, .none: false
    }
  }

  private func stray(
    _ argument: Grammar.Argument, _ symbol: FunctionSymbol, _ next: Int, _ name: Grammar.Name
  ) -> Mismatch {
    let parameters = symbol.parameters
    guard let label = argument.label else {
      let labelled = parameters[next...].filter { $0.label != nil && !isFunction($0.type) }
      let wanted = (labelled.first { !$0.hasStandard } ?? labelled.first)?.label
      return Mismatch(
        message: wanted.map { Messages.missingLabel($0, of: name.text) }
          ?? Messages.tooManyArguments(name.text), range: argument.value.range)
    }
    let message: String
    var isMeant = true
    let known = parameters.compactMap(\.label)
    if parameters[..<next].contains(where: { $0.label == label.text }) {
      message = Messages.misplacedArgument(label.text, of: name.text)
    } else if let foreign = ForeignMember.argument(label.text, of: name.text) {
      message = foreign
    } else {
      let near = Self.otherLabel(for: label.text, in: known) ?? nearest(label.text, in: known)
      message =
        near == nil && parameters[next...].contains(where: { $0.label == nil })
        ? Messages.needlessLabel(of: name.text)
        : Messages.unknownArgument(label.text, of: name.text, nearest: near, known)
      isMeant = near != nil
    }
    return Mismatch(message: message, range: label.range, isMeant: isMeant)
  }

  private func strayClosure(
    _ argument: Grammar.Argument, _ symbol: FunctionSymbol, _ name: Grammar.Name
  ) -> Mismatch {
    guard let label = argument.label else {
      return Mismatch(message: Messages.noClosure(name.text), range: argument.value.range)
    }
    let known = symbol.parameters.filter { mayBeClosure($0.type) }.compactMap(\.label)
    let near = nearest(label.text, in: known)
    return Mismatch(
      message: Messages.unknownArgument(label.text, of: name.text, nearest: near),
      range: label.range, isMeant: near != nil)
  }

  /// What another interface calls a label; nil when none of the `known` ones is meant.
  private static func otherLabel(for label: String, in known: [String]) -> String? {
    let own: String
    switch label {
    case "qos": own = "qualityOfService"
    case "qualityOfService": own = "qos"
    case "label": own = "name"
    case "name": own = "label"
    case "wallDeadline": own = "deadline"
    case "priority": own = "threadPriority"
    case "maxConcurrentOperationCount", "threads", "size": own = "width"
    case "deadline", "wallTimeout": own = "timeout"
    default: return nil
    }
    return known.contains(own) ? own : nil
  }

  // MARK: What is missing

  private func lacks(
    _ parameter: FunctionSymbol.Parameter, _ name: Grammar.Name, _ symbol: FunctionSymbol
  ) -> String {
    if isFunction(parameter.type) { return Messages.missingClosure(name.text) }
    if symbol.isOfLibrary {
      if name.text == "Process" { return Messages.processWithoutLength }
      if let form = Messages.drawForm(name.text) { return form }
    }
    return parameter.label.map { Messages.missingArgument($0, of: name.text) }
      ?? Messages.missingValue("\(parameter.type)", of: name.text)
  }
}
