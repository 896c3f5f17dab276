import SpindleModel

/// Comparisons of what is no single value: output, findings, values, timelines.
extension ExpectationCompiler {
  /// What a comparison with a whole list came to: a term, or nil when it was refused.
  struct WholeComparison {
    var term: TypedTerm?
  }

  /// The comparison of a list, table, set or timeline with a literal; nil when there is none.
  mutating func wholeComparison(
    _ comparison: ExpectationTerm.Relation, _ left: Grammar.Expression, _ right: Grammar.Expression,
    _ place: SourceRange, _ reader: inout OutlineReader
  ) -> WholeComparison? {
    if isWhole(left, beside: right, reader) {
      return wholeTerm(comparison, left, right, place, &reader)
    }
    if isWhole(right, beside: left, reader) {
      return wholeTerm(comparison, right, left, place, &reader)
    }
    return nil
  }

  private func isWhole(
    _ expression: Grammar.Expression, beside other: Grammar.Expression, _ reader: OutlineReader
  ) -> Bool {
    switch expression.kind {
    case .name(let name, _):
      guard reader.find(name) == nil, let row = Vocabulary.measure(name) else { return false }
      if case .plain = row.type { return false }
      return true
    case .call(let call):
      guard case .name(let owner, _) = call.callee.kind else { return false }
      if owner == "timeline" { return true }
      guard owner == "value", let argument = call.arguments.first else { return false }
      guard case .name(let name, _) = argument.value.kind else {
        // What is computed has no type before its code is made.
        if case .array = other.kind { return true }
        return false
      }
      guard let number = reader.find(name), case .arrayOf = reader.names[number].type else {
        return false
      }
      return true
    default: return false
    }
  }

  private mutating func wholeTerm(
    _ comparison: ExpectationTerm.Relation, _ measured: Grammar.Expression,
    _ literal: Grammar.Expression,
    _ place: SourceRange, _ reader: inout OutlineReader
  ) -> WholeComparison {
    guard let measure = term(measured, &reader) else { return WholeComparison(term: nil) }
    guard comparison == .equal || comparison == .notEqual else {
      reader.error(Messages.wholeComparison, place)
      return WholeComparison(term: nil)
    }
    let expected: ExpectationValue? =
      switch measure.type {
      case .output: output(literal, &reader)
      case .findings: findings(literal, &reader)
      case .values: values(literal, &reader)
      case .timeline: timeline(literal, &reader)
      case .plain(.arrayOf(let element)): elements(literal, element.type, &reader)
      case .plain(let type):
        refuseLiteral(
          literal, Messages.noOperator(comparison.rawValue, "\(type)", "a list"), &reader)
      }
    guard let expected else { return WholeComparison(term: nil) }
    return WholeComparison(
      term: TypedTerm(
        term: .compare(comparison, measure.term, .value(expected), nil), type: .plain(.boolean)))
  }

  private mutating func output(_ literal: Grammar.Expression, _ reader: inout OutlineReader)
    -> ExpectationValue?
  {
    guard case .array(let elements) = literal.kind else {
      return refuseLiteral(literal, Messages.outputLiteral, &reader)
    }
    var lines: [ExpectationValue] = []
    for element in elements {
      guard let made = single(element, .string, &reader)?.constant else { continue }
      lines.append(.string(reader.text(of: made)))
    }
    return lines.count == elements.count ? .list(lines) : nil
  }

  /// The elements of an array at the top when the run ends.
  private mutating func elements(
    _ literal: Grammar.Expression, _ type: ValueType, _ reader: inout OutlineReader
  ) -> ExpectationValue? {
    guard case .array(let elements) = literal.kind else {
      return refuseLiteral(literal, Messages.arrayLiteral, &reader)
    }
    var values: [ExpectationValue] = []
    for element in elements {
      guard let made = single(element, type, &reader), let value = made.constant else { continue }
      values.append(expectationValue(value, made.type, reader))
    }
    return values.count == elements.count ? .list(values) : nil
  }

  private mutating func findings(_ literal: Grammar.Expression, _ reader: inout OutlineReader)
    -> ExpectationValue?
  {
    guard case .array(let elements) = literal.kind else {
      return refuseLiteral(literal, Messages.findingsLiteral, &reader)
    }
    var kinds: [ExpectationValue] = []
    for element in elements {
      guard let made = single(element, .symbol(.finding), &reader)?.constant else { continue }
      kinds.append(.symbol(reader.text(of: made)))
    }
    return kinds.count == elements.count ? .list(kinds) : nil
  }

  private mutating func values(_ literal: Grammar.Expression, _ reader: inout OutlineReader)
    -> ExpectationValue?
  {
    guard let entries = entries(literal) else {
      return refuseLiteral(literal, Messages.valuesLiteral, &reader)
    }
    var rows: [ExpectationValue.TableRow] = []
    for entry in entries {
      guard let key = reader.constant(entry.key, .string)?.constant else { continue }
      var expected: Operand?
      if case .implicitMember(let name) = entry.value.kind {
        expected = .constant(Int64(reader.intern(name.text).index), .symbol(.waitResult))
      } else {
        expected = single(entry.value, nil, &reader)
      }
      guard let expected, let value = expected.constant else { continue }
      rows.append(
        ExpectationValue.TableRow(
          key: reader.text(of: key), value: expectationValue(value, expected.type.format, reader)))
    }
    return rows.count == entries.count ? .table(rows) : nil
  }

  private typealias Entry = (key: Grammar.Expression, value: Grammar.Expression)

  /// The entries of a dictionary literal; an empty list is an empty one.
  private func entries(_ literal: Grammar.Expression) -> [Entry]? {
    switch literal.kind {
    case .dictionary(let entries): entries
    case .array(let elements) where elements.isEmpty: []
    default: nil
    }
  }

  private mutating func refuseLiteral(
    _ literal: Grammar.Expression, _ message: String, _ reader: inout OutlineReader
  ) -> ExpectationValue? {
    if case .missing = literal.kind { return nil }
    reader.error(message, literal.range)
    return nil
  }

  // MARK: Timelines

  private mutating func timeline(_ literal: Grammar.Expression, _ reader: inout OutlineReader)
    -> ExpectationValue?
  {
    guard let entries = entries(literal) else {
      return refuseLiteral(literal, Messages.timelineLiteral, &reader)
    }
    var rows: [ExpectationValue.TimelineRow] = []
    for entry in entries {
      let times = times(entry.key, &reader)
      guard let labels = labels(entry.value, &reader), let times else { continue }
      rows.append(
        ExpectationValue.TimelineRow(
          earliest: times.earliest, latest: times.latest, labels: labels))
    }
    return rows.count == entries.count ? .timeline(rows) : nil
  }

  private mutating func times(_ key: Grammar.Expression, _ reader: inout OutlineReader) -> (
    earliest: Instant, latest: Instant
  )? {
    guard case .range(let from?, let to?, let isClosed, _) = key.kind else {
      guard let moment = reader.constant(key, .instant)?.constant else { return nil }
      return (Instant(moment), Instant(moment))
    }
    let first = reader.constant(from, .instant)?.constant
    guard let last = reader.constant(to, .instant)?.constant, let first else { return nil }
    guard first <= last, isClosed || first < last else {
      reader.error(Messages.emptyRange, key.range)
      return nil
    }
    return (Instant(first), Instant(isClosed ? last : last - 1))
  }

  private mutating func labels(_ expression: Grammar.Expression, _ reader: inout OutlineReader)
    -> [String]?
  {
    guard case .call(let call) = expression.kind, case .name("any", _) = call.callee.kind
    else {
      guard let made = single(expression, .string, &reader)?.constant else { return nil }
      return [reader.text(of: made)]
    }
    if let extra = call.trailing { reader.error(Messages.noClosure("any"), extra.value.range) }
    if call.arguments.isEmpty {
      reader.error(Messages.missingValue("String", of: "any"), call.callee.range)
    }
    var labels: [String] = []
    for argument in call.arguments {
      if let label = argument.label {
        reader.error(
          Messages.unknownArgument(label.text, of: "any", nearest: nil), label.range)
      }
      guard let made = reader.constant(argument.value, .string)?.constant else { continue }
      labels.append(reader.text(of: made))
    }
    return labels.count == call.arguments.count ? labels : nil
  }

  /// `timeline`, or `timeline(of: …, within: …)`.
  mutating func timelineMeasure(_ call: Grammar.Call, _ reader: inout OutlineReader)
    -> TypedTerm?
  {
    let formals = [
      Formal(label: "of", type: .unknown, isOptional: true, slot: 0),
      Formal(label: "within", type: .duration, isOptional: true, slot: 1, limit: .notNegative),
    ]
    guard let values = reader.match(formals, call, name: "timeline", call.callee.range) else {
      return nil
    }
    var (object, within): (Measure.ObjectReference?, Nanoseconds) = (nil, .zero)
    if let value = values[0] {
      guard let named = reference(value, &reader) else { return nil }
      object = named
    }
    if let value = values[1] {
      let made = reader.constant(value, .duration, formal: formals[1])
      guard let length = made?.constant else { return nil }
      within = Nanoseconds(length)
    }
    return TypedTerm(term: .measure(.timeline(of: object, within: within)), type: .timeline)
  }
}
