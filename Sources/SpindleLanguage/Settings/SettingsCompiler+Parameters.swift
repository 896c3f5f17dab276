import SpindleModel

/// Values that must be known before the run, and the parameters of a trace.
extension SettingsCompiler {
  mutating func declareParameter(
    _ name: Grammar.Name, _ standard: Grammar.Expression, _ allowed: Grammar.Expression?,
    _ reader: inout OutlineReader
  ) {
    let made = reader.constant(standard, nil).flatMap { operand -> Operand? in
      guard isParameterType(operand.type) else {
        reader.error(Messages.parameterType(name.text), standard.range)
        return nil
      }
      return operand
    }
    guard var chosen = made else {
      reader.declare(name, constant: 0, .unknown)
      return
    }
    chosen.isLiteral = false
    let values = allowedValues(allowed, chosen.type, &reader)
    if let values, let value = chosen.constant, !values.contains(value) {
      reader.error(
        notAllowed(name.text, values, chosen.type, reader), standard.range)
    }
    for assignment in overrides.parameters where assignment.name == name.text {
      chosen = overridden(assignment, chosen, values, &reader) ?? chosen
    }
    let value = chosen.constant ?? 0
    guard let number = reader.declare(name, constant: value, chosen.type) else {
      return
    }
    names.append(number)
    parameters.append(
      Parameter(
        name: name.text, value: spelled(value, chosen.type, reader),
        allowed: (values ?? []).map { spelled($0, chosen.type, reader) }))
  }

  private func isParameterType(_ type: ValueType) -> Bool {
    switch type {
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string: true
    case .symbol, .options, .handle, .choice, .optionalOf, .arrayOf, .functionOf, .dictionary, .set,
      .other, .void, .null, .unknown:
      false
    }
  }

  private mutating func allowedValues(
    _ list: Grammar.Expression?, _ type: ValueType, _ reader: inout OutlineReader
  ) -> [Int64]? {
    guard let list else { return nil }
    if case .range(let from?, let to?, let isClosed, _) = list.kind {
      return values(from: from, to: to, isClosed, type, list.range, &reader)
    }
    guard case .array(let elements) = list.kind else {
      if case .missing = list.kind { return nil }
      reader.error(Messages.allowedList, list.range)
      return nil
    }
    var values: [Int64] = []
    for element in elements {
      guard let value = reader.constant(element, type)?.constant else { continue }
      values.append(value)
    }
    return values.isEmpty ? nil : values
  }

  /// The most values that the range of a parameter may stand for.
  private static let mostValues: Int64 = 10_000

  /// The whole numbers of a range, as a parameter's list.
  private mutating func values(
    from first: Grammar.Expression, to last: Grammar.Expression, _ isClosed: Bool,
    _ type: ValueType,
    _ place: SourceRange, _ reader: inout OutlineReader
  ) -> [Int64]? {
    guard let low = reader.constant(first, type)?.constant,
      let high = reader.constant(last, type)?.constant
    else { return nil }
    let most = high.subtractingReportingOverflow(isClosed ? 0 : 1)
    guard type == .integer, !most.overflow, low <= most.partialValue,
      most.partialValue.subtractingReportingOverflow(low).partialValue < Self.mostValues,
      !most.partialValue.subtractingReportingOverflow(low).overflow
    else {
      reader.error(Messages.allowedRange, place)
      return nil
    }
    return Array(low...most.partialValue)
  }

  /// The value that the command line gives to a parameter; nil when it was refused.
  private mutating func overridden(
    _ assignment: Overrides.Assignment, _ standard: Operand, _ values: [Int64]?,
    _ reader: inout OutlineReader
  ) -> Operand? {
    let type = standard.type
    let outer = reader.source
    defer { reader.diagnosis.source = outer }
    let prefix = assignment.name + "="
    let made: Operand
    if type == .string, isBareWord(assignment.value) {
      reader.diagnosis.source = SourceText(name: "--set", prefix + assignment.value)
      made = .constant(Int64(reader.intern(assignment.value).index), .string)
    } else {
      guard let expression = reader.option("--set", prefix: prefix, assignment.value) else {
        return nil
      }
      let errors = reader.diagnosis.count
      guard let value = reader.constant(expression, type) else {
        if case .name = expression.kind, standard.constant != nil {
          reader.diagnosis.retract(to: errors)
          reader.error(
            Messages.parameterValue(
              assignment.name, assignment.value, "\(type)",
              like: "\(assignment.name)=\(spelled(standard.constant ?? 0, type, reader))"),
            expression.range)
        }
        return nil
      }
      made = value
    }
    guard let values, let value = made.constant, !values.contains(value) else { return made }
    let place = SourceRange(prefix.utf8.count, reader.source.utf8.count)
    reader.error(notAllowed(assignment.name, values, type, reader), place)
    return nil
  }

  private func isBareWord(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains(UInt8(ascii: "\""))
  }

  /// A value as a trace would write it.
  func spelled(_ value: Int64, _ type: ValueType, _ reader: OutlineReader) -> String {
    guard type == .string else { return reader.written(value, type) }
    var text = "\""
    for character in reader.text(of: value).unicodeScalars {
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

  /// Of more values than these the first and the last are told.
  private static var mostListed: Int { 12 }

  /// What is said of a value that is none of those that are allowed.
  private func notAllowed(
    _ name: String, _ values: [Int64], _ type: ValueType, _ reader: OutlineReader
  ) -> String {
    func texts(_ values: some Sequence<Int64>) -> String {
      values.map { spelled($0, type, reader) }.joined(separator: ", ")
    }
    guard values.count > Self.mostListed, let first = values.first, let last = values.last else {
      return Messages.notAllowed(name, texts(values))
    }
    let isRange = type == .integer && zip(values, values.dropFirst()).allSatisfy { $0 + 1 == $1 }
    return isRange
      ? Messages.notInRange(name, from: texts([first]), to: texts([last]))
      : Messages.notAllowed(
        name, "\(texts(values.prefix(Self.mostListed - 2))), … \(texts([last]))")
  }
}
