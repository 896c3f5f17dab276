import SpindleModel

/// Values that must be known before the run, and the parameters of a trace.
extension Lowering {
  /// The value of an expression that must be known before the run; reports when it is not.
  mutating func constant(
    _ expression: Expression, _ type: ValueType?, formal: Formal? = nil
  ) -> Operand? {
    beginFrame(.anywhere, name: .none)
    frame.isReachable = false
    let count = diagnostics.count
    var made = value(expression, expecting: type)
    if let type { made = coerce(made, to: type, expression.range) }
    abandonFrame()
    guard made.type != .unknown else { return nil }
    guard made.constant != nil else {
      if diagnostics.count == count { error(Messages.notConstant, expression.range) }
      return nil
    }
    if let formal { checkLiteral(expression, made, formal) }
    return made
  }

  // MARK: Parameters

  mutating func declareParameter(_ name: Name, _ standard: Expression, _ allowed: Expression?) {
    let made = constant(standard, nil).flatMap { operand -> Operand? in
      guard isParameterType(operand.type) else {
        error(Messages.parameterType(name.text), standard.range)
        return nil
      }
      return operand
    }
    guard var chosen = made else {
      declareAtTop(name, .constant(0), .unknown)
      return
    }
    chosen.isLiteral = false
    let values = allowedValues(allowed, chosen.type)
    if let values, let value = chosen.constant, !values.contains(value) {
      error(Messages.notAllowed(name.text, list(values, chosen.type)), standard.range)
    }
    for assignment in overrides.parameters where assignment.name == name.text {
      chosen = overridden(assignment, chosen, values) ?? chosen
    }
    let value = chosen.constant ?? 0
    guard let symbol = declareAtTop(name, .constant(value), chosen.type) else { return }
    parameterSymbols.append(symbol)
    program.parameters.append(
      Parameter(
        name: name.text, value: spelled(value, chosen.type),
        allowed: (values ?? []).map { spelled($0, chosen.type) }))
  }

  private func isParameterType(_ type: ValueType) -> Bool {
    switch type {
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string: true
    default: false
    }
  }

  private mutating func allowedValues(_ list: Expression?, _ type: ValueType) -> [Int64]? {
    guard let list else { return nil }
    guard case .array(let elements) = list.kind else {
      if case .missing = list.kind { return nil }
      error(Messages.allowedList, list.range)
      return nil
    }
    var values: [Int64] = []
    for element in elements {
      guard let value = constant(element, type)?.constant else { continue }
      values.append(value)
    }
    return values.isEmpty ? nil : values
  }

  /// The value that the command line gives to a parameter; nil when it was refused.
  private mutating func overridden(
    _ assignment: Overrides.Assignment, _ standard: Operand, _ values: [Int64]?
  ) -> Operand? {
    let type = standard.type
    let outer = source
    defer { source = outer }
    let prefix = assignment.name + "="
    let made: Operand
    if type == .string, isBareWord(assignment.value) {
      source = SourceText(name: "--set", prefix + assignment.value)
      made = .constant(Int64(intern(assignment.value).index), .string)
    } else {
      guard let expression = option("--set", prefix: prefix, assignment.value),
        let value = constant(expression, type)
      else { return nil }
      made = value
    }
    guard let values, let value = made.constant, !values.contains(value) else { return made }
    let place = SourceRange(prefix.utf8.count, source.utf8.count)
    error(Messages.notAllowed(assignment.name, list(values, type)), place)
    return nil
  }

  private func isBareWord(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains(UInt8(ascii: "\""))
  }

  /// A value as a trace would write it.
  func spelled(_ value: Int64, _ type: ValueType) -> String {
    guard type == .string else { return written(value, type) }
    var text = "\""
    for character in program.names[Int(value)].unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(character)
      }
    }
    return text + "\""
  }

  private func list(_ values: [Int64], _ type: ValueType) -> String {
    values.map { spelled($0, type) }.joined(separator: ", ")
  }
}
