import SpindleModel

/// What is asked of a text or of a part of a measure.
extension ExpectationCompiler {
  /// The condition that an assertion of code or of XCTest is about; nil for a call of any other name.
  func assertedCondition(
    _ name: String, _ call: Grammar.Call, _ reader: OutlineReader
  ) -> String? {
    guard name == "assert" || name == "precondition" || name.hasPrefix("XCTAssert"),
      let first = call.arguments.first
    else { return nil }
    let text = reader.source.text(in: first.value.range)
    let signs = [
      "XCTAssertEqual": "==", "XCTAssertNotEqual": "!=", "XCTAssertLessThan": "<",
      "XCTAssertLessThanOrEqual": "<=", "XCTAssertGreaterThan": ">",
      "XCTAssertGreaterThanOrEqual": ">=", "XCTAssertNil": "==", "XCTAssertNotNil": "!=",
    ]
    if name == "XCTAssertFalse" { return "!(\(text))" }
    guard let sign = signs[name] else { return text }
    if name.hasSuffix("Nil") { return "\(text) \(sign) nil" }
    guard call.arguments.count > 1 else { return text }
    return "\(text) \(sign) \(reader.source.text(in: call.arguments[1].value.range))"
  }

  /// The comparison that a method of a text comes to: `crash.message.hasPrefix("Fatal")`.
  static func textComparison(_ name: String) -> ExpectationTerm.Relation? {
    switch name {
    case "contains": .contains
    case "hasPrefix": .hasPrefix
    case "hasSuffix": .hasSuffix
    default: nil
    }
  }

  /// `crash.message.contains("deallocated")`: whether a text has, begins with or ends with another one.
  mutating func containment(
    _ comparison: ExpectationTerm.Relation, _ base: Grammar.Expression, _ call: Grammar.Call,
    _ range: SourceRange, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    guard let text = term(base, &reader) else { return nil }
    let name = comparison.rawValue
    guard text.type == .plain(.string) else {
      _ = memberMeasure(base, name, range, &reader)
      return nil
    }
    let formal = Formal(label: nil, type: .string, isOptional: false, slot: 0)
    guard reader.match([formal], call, name: name, range) != nil,
      let part = term(call.arguments[0].value, expecting: .string, &reader)
    else { return nil }
    guard part.type == .plain(.string) else {
      reader.error(Messages.textForm(name), call.arguments[0].value.range)
      return nil
    }
    return TypedTerm(
      term: .compare(comparison, text.term, part.term, nil), type: .plain(.boolean))
  }

  /// A call of a member of a measure: a question about a text, or what can't be called.
  mutating func memberCall(
    _ member: Grammar.Name, of base: Grammar.Expression, _ call: Grammar.Call,
    _ reader: inout OutlineReader
  ) -> TypedTerm? {
    let (name, range) = (member.text, member.range)
    if let comparison = Self.textComparison(name) {
      return containment(comparison, base, call, range, &reader)
    }
    if name == "share", let sampled = sampled(base) {
      return share(of: sampled, call, range, &reader)
    }
    if memberMeasure(base, name, range, &reader) != nil {
      reader.error(Messages.notAFunction(name), range)
    }
    return nil
  }

  /// `crash.message.isEmpty`, and what else is asked of a member of a measure.
  mutating func memberOfMember(
    _ base: Grammar.Expression, _ name: String, _ nameRange: SourceRange,
    _ reader: inout OutlineReader
  ) -> TypedTerm? {
    guard let made = term(base, &reader) else { return nil }
    if name == "isEmpty", made.type == .plain(.string) {
      return TypedTerm(
        term: .compare(.equal, made.term, .value(.string("")), nil), type: .plain(.boolean))
    }
    refuseMember(name, of: base, made.type, nameRange, &reader)
    return nil
  }

  /// Whether an expression begins with what is asked of a run.
  func asks(_ expression: Grammar.Expression, _ reader: OutlineReader) -> Bool {
    switch expression.kind {
    case .name(let name, _):
      reader.find(name) == nil && Vocabulary.measureWords.contains(name)
    case .call(let call): asks(call.callee, reader)
    case .member(let inner, _, _), .subscripted(let inner, _), .forced(let inner),
      .questioned(let inner), .chain(let inner):
      asks(inner, reader)
    default: false
    }
  }

  /// Refuses an element of a measure, and says how the whole is compared.
  mutating func refuseElement(
    _ base: Grammar.Expression, _ index: Grammar.Expression, _ reader: inout OutlineReader
  ) -> TypedTerm? {
    guard let made = term(base, &reader) else { return nil }
    let text = reader.source.text(in: base.range)
    var forms = made.type.comparisons
    if let key = index.literalText, made.type == .values {
      forms = ["== [\"\(key)\": 3]"]
    }
    reader.error(Messages.measureElement(text, forms), index.range)
    return nil
  }

  /// Refuses a number without a unit that is compared with a time or a size; true when it did.
  mutating func refusesBareNumber(
    _ number: TypedTerm, _ type: ValueType, _ range: SourceRange,
    _ reader: inout OutlineReader
  ) -> Bool {
    guard case .value(let value) = number.term, case .plain(let bare) = number.type,
      bare == .integer || bare == .decimal
    else { return false }
    var message = reader.missingUnit(.constant(0, bare), type, range)
    if case .decimal(let part) = value, type.unwrapped == .duration,
      part.billionths > 0, part.billionths < FixedDecimal.scale,
      reader.source.text(in: range).utf8.first == UInt8(ascii: "0")
    {
      // A part of a second, as Swift has it.
      message = Messages.needsUnit("a duration", Nanoseconds(part.billionths).description)
    }
    guard let message else { return false }
    reader.error(message, range)
    return true
  }

  /// The value of one element of a list that a measure is compared with; a list within it has none.
  mutating func single(
    _ element: Grammar.Expression, _ type: ValueType?, _ reader: inout OutlineReader
  ) -> Operand? {
    switch element.kind {
    case .array, .dictionary:
      reader.error(Messages.listInList(type.map { "\($0)" }), element.range)
      return nil
    default: return reader.constant(element, type)
    }
  }

  /// Reports a last value that no expectation compares; true when it did.
  mutating func refusesComparison(
    of name: String, _ type: ValueType, _ range: SourceRange, _ reader: inout OutlineReader
  ) -> Bool {
    switch type {
    case .dictionary: reader.error(Messages.collectionMeasure(name, "a dictionary"), range)
    case .set: reader.error(Messages.collectionMeasure(name, "a set"), range)
    case .other(let type): reader.error(Messages.incomparable(name, type.text), range)
    default:
      guard case .arrayOf(let element) = type.unwrapped, case .arrayOf = element.type.unwrapped
      else { return false }
      reader.error(Messages.collectionMeasure(name, "an array of collections"), range)
    }
    return true
  }
}
