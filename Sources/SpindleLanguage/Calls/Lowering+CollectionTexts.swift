import SpindleModel

/// Arrays, dictionaries and sets as texts, and whether two are equal.
extension Lowering {
  // MARK: Texts

  /// Writes a collection or an optional into the text at hand as Swift prints one: `[1, 2]`, `["a": 1]`, `[:]`,
  /// `Optional(3)`.
  mutating func appendText(of collection: Register, _ type: ValueType, _ range: SourceRange) {
    let next = frame.next
    defer { frame.next = next }
    if case .optionalOf = type { return appendElement(collection, type, range) }
    if let index = payloads(of: type) {
      return appendCase(of: collection, index, isWhole: true, range)
    }
    if let index = structure(of: type) {
      return appendFields(of: collection, index, prefix: "", range)
    }
    guard type.isCollection else { return appendElement(collection, type, range) }
    literal("[", range)
    if case .dictionaryOf(let types) = type {
      let keys = frame.allocate()
      emit(.entryKeys(keys, of: collection), range)
      let (count, some) = (frame.allocate(), frame.label())
      emit(.arrayCount(count, array: collection), range)
      emit(.jumpIf(count, frame.target(some)), range)
      literal(":", range)
      frame.mark(some)
      eachElement(of: collection, range) { lowering, item, index, _ in
        lowering.separate(index, range)
        let key = lowering.frame.allocate()
        lowering.emit(.arrayGet(key, array: keys, index: index), range)
        lowering.appendElement(key, types.parameters[0], range)
        lowering.literal(": ", range)
        lowering.appendElement(item, types.result, range)
      }
    } else if let element = type.elementOfList {
      eachElement(of: collection, range) { lowering, item, index, _ in
        lowering.separate(index, range)
        lowering.appendElement(item, element, range)
      }
    }
    literal("]", range)
  }

  private mutating func literal(_ text: String, _ range: SourceRange) {
    emit(.textLiteral(intern(text)), range)
  }

  /// A comma in front of all elements but the first.
  private mutating func separate(_ index: Register, _ range: SourceRange) {
    let (zero, first) = (frame.allocate(), frame.label())
    emit(.constant(0, to: zero), range)
    emit(.equal(zero, index, zero), range)
    emit(.jumpIf(zero, frame.target(first)), range)
    literal(", ", range)
    frame.mark(first)
  }

  /// An element, which Swift writes as it would be typed: a text in quotes, an optional as one.
  private mutating func appendElement(
    _ item: Register, _ type: ValueType, _ range: SourceRange
  ) {
    if let name = description(of: type)?.type { error(Messages.describedPart(name), range) }
    switch type {
    case .string: emit(.textValue(item, .quoted), range)
    case .optionalOf(let inner):
      let (missing, end) = (frame.label(), frame.label())
      jump(ifMissing: item, to: missing, range)
      literal("Optional(", range)
      appendElement(item, inner.type, range)
      literal(")", range)
      frame.jump(end, range)
      frame.mark(missing)
      literal("nil", range)
      frame.mark(end)
    case .setOf:
      literal("Set(", range)
      appendText(of: item, type, range)
      literal(")", range)
    case .arrayOf, .dictionaryOf: appendText(of: item, type, range)
    case .symbol(let family) where family.nameAsPart != nil:
      literal(family.nameAsPart ?? "", range)
      emit(.textValue(item, .symbol), range)
    case .symbol(.taskPriority):
      literal("TaskPriority", range)
      emit(.textValue(item, .symbol), range)
    case .instance(let name):
      if let index = payloads(of: type) {
        return appendCase(of: item, index, isWhole: false, range)
      }
      if let index = structure(of: type) {
        return appendFields(of: item, index, prefix: "main.", range)
      }
      literal("main.\(name.text)", range)
    case .choice(let name):
      literal("main.\(name.text).", range)
      emit(.textValue(item, .string), range)
    case .functionOf: literal("(Function)", range)
    case .symbol(.mode):
      emit(.textValue(register(of: modeText(.register(item, type), range), range), .string), range)
    case .integer, .boolean, .duration, .instant, .size, .decimal, .symbol, .options, .handle,
      .generic, .void, .null, .unknown:
      emit(.textValue(item, type.format), range)
    }
  }

  /// A case with its values: `failed(code: 1, reason: "x")`; where it is a part, with its type in front.
  private mutating func appendCase(
    of item: Register, _ index: Int, isWhole: Bool, _ range: SourceRange
  ) {
    guard open(index, range) else { return }
    defer { openPayloads.removeLast() }
    let info = checker.classes[index]
    let prefix =
      isWhole ? "" : info.type.isResult ? "\(resultName(info))." : "main.\(info.name.text)."
    eachCase(of: item, index, range) { lowering, one in
      if one.values.isEmpty {
        // What a Result<Void, _> has is nothing, which Swift writes as such.
        let nothing = info.type.isResult ? "()" : ""
        return lowering.literal(prefix + one.name.text + nothing, range)
      }
      lowering.literal(prefix + one.name.text + "(", range)
      for (number, value) in one.values.enumerated() {
        let label = value.label.map { "\($0.text): " } ?? ""
        let text = (number > 0 ? ", " : "") + label
        if !text.isEmpty { lowering.literal(text, range) }
        let part = lowering.frame.allocate()
        lowering.emit(.fieldLoad(part, of: item, Int32(value.field)), range)
        lowering.appendElement(part, lowering.checker.type(value.type), range)
      }
      lowering.literal(")", range)
    }
  }

  /// A struct with what it has: `Point(x: 1, y: 2)`.
  private mutating func appendFields(
    of item: Register, _ index: Int, prefix: String, _ range: SourceRange
  ) {
    guard open(index, range) else { return }
    defer { openPayloads.removeLast() }
    literal(prefix + checker.classes[index].name.text + "(", range)
    for number in checker.classes[index].fields.indices {
      let name = checker.classes[index].fields[number].shownName
      literal((number > 0 ? ", " : "") + name + ": ", range)
      let part = frame.allocate()
      emit(.fieldLoad(part, of: item, Int32(number)), range)
      appendElement(part, fieldType(index, number), range)
    }
    literal(")", range)
  }

  /// Begins the text or the comparison of an `enum` with values; false within one of the same.
  private mutating func open(_ index: Int, _ range: SourceRange) -> Bool {
    if openPayloads.contains(index) {
      error(Messages.recursivePayload(checker.classes[index].name.text), range)
      return false
    }
    openPayloads.append(index)
    return true
  }

  /// Does one thing or another, as the case of an instance is.
  private mutating func eachCase(
    of item: Register, _ index: Int, _ range: SourceRange,
    _ body: (inout Lowering, ClassInfo.Case) -> Void
  ) {
    let end = frame.label()
    let next = frame.next
    let (held, test) = (frame.allocate(), frame.allocate())
    emit(.fieldLoad(held, of: item, Payload.caseField), range)
    for one in checker.classes[index].cases {
      let other = frame.label()
      emit(.constant(Int64(intern(one.name.text).index), to: test), range)
      emit(.equal(test, held, test), range)
      emit(.jumpUnless(test, frame.target(other)), range)
      let inner = frame.next
      body(&self, one)
      frame.next = inner
      frame.jump(end, range)
      frame.mark(other)
    }
    frame.mark(end)
    frame.next = next
  }

  // MARK: Order of texts

  /// `a < b` of texts.
  mutating func textOrder(
    _ operation: Expression.InfixOperator, _ left: Operand, _ right: Operand, _ range: SourceRange
  ) -> ComparisonPair {
    let (a, b) = (register(of: left, range), register(of: right, range))
    let isSwapped = operation == .greater || operation == .lessOrEqual
    let test = isSwapped ? textIsBefore(b, a, range) : textIsBefore(a, b, range)
    let isNegated = operation == .lessOrEqual || operation == .greaterOrEqual
    return ComparisonPair(
      left: .register(test, .boolean), right: .constant(isNegated ? 0 : 1, .boolean), code: .equal,
      isSwapped: false)
  }

  // MARK: Equality

  /// `a == b` and `a != b` of collections, and of cases with values; nil for anything else.
  mutating func collectionsAreEqual(
    _ left: Operand, _ right: Operand, _ operation: Expression.InfixOperator, _ range: SourceRange
  ) -> ComparisonPair? {
    guard operation == .equal || operation == .notEqual,
      let made = collectionsAreEqual(left, right, range)
    else { return nil }
    return ComparisonPair(
      left: made, right: .constant(operation == .equal ? 1 : 0, .boolean), code: .equal,
      isSwapped: false)
  }

  /// Whether two collections have the same elements: a truth; nil where their types have no `==`.
  private mutating func collectionsAreEqual(
    _ left: Operand, _ right: Operand, _ range: SourceRange
  ) -> Operand? {
    guard left.type.unwrapped == right.type.unwrapped, isCompound(left.type.unwrapped),
      isEquatable(left.type)
    else { return nil }
    // One that is optional is compared as such with one that is not.
    let type = left.type == left.type.unwrapped ? right.type : left.type
    let (a, b) = (register(of: left, range), register(of: right, range))
    let result = frame.allocate()
    let end = frame.label()
    emit(.constant(0, to: result), range)
    compareParts(a, b, type, whenDifferent: end, range)
    emit(.constant(1, to: result), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .boolean)
  }

  /// Whether two values of a type are compared part by part.
  private func isCompound(_ type: ValueType) -> Bool {
    type.isCollection || payloads(of: type) != nil || structure(of: type) != nil
  }

  mutating func isEquatable(_ type: ValueType) -> Bool {
    switch type {
    case .integer, .boolean, .duration, .instant, .size, .decimal, .string, .symbol, .options,
      .choice, .unknown:
      true
    case .optionalOf(let inner), .arrayOf(let inner), .setOf(let inner): isEquatable(inner.type)
    case .dictionaryOf(let types): isEquatable(types.result)
    case .instance:
      if let index = structure(of: type) {
        isEquatable(index)
      } else {
        payloads(of: type).map { checker.classes[$0].isEquatable } ?? false
      }
    case .handle, .generic, .functionOf, .void, .null: false
    }
  }

  /// Whether a struct says that its values can be compared, and all that they have can be.
  private mutating func isEquatable(_ index: Int) -> Bool {
    if openPayloads.contains(index) { return true }
    openPayloads.append(index)
    defer { openPayloads.removeLast() }
    return checker.classes[index].isEquatable
      && checker.classes[index].fields.indices.allSatisfy { isEquatable(fieldType(index, $0)) }
  }

  /// Jumps where two values of a type are not equal.
  mutating func compareParts(
    _ a: Register, _ b: Register, _ type: ValueType, whenDifferent label: Frame.Label,
    _ range: SourceRange
  ) {
    let next = frame.next
    defer { frame.next = next }
    if let index = payloads(of: type) {
      return compareCases(a, b, index, whenDifferent: label, range)
    }
    if let index = structure(of: type) {
      return compareFields(a, b, index, whenDifferent: label, range)
    }
    if case .optionalOf(let inner) = type, isCompound(inner.type) {
      return compareOptionals(a, b, inner.type, whenDifferent: label, range)
    }
    guard type.isCollection else {
      let test = frame.allocate()
      emit(.equal(test, a, b), range)
      emit(.jumpUnless(test, frame.target(label)), range)
      return
    }
    let (first, second) = (frame.allocate(), frame.allocate())
    emit(.arrayCount(first, array: a), range)
    emit(.arrayCount(second, array: b), range)
    emit(.equal(first, first, second), range)
    emit(.jumpUnless(first, frame.target(label)), range)
    switch type {
    case .arrayOf(let element):
      eachElement(of: a, range) { lowering, item, index, _ in
        let other = lowering.frame.allocate()
        lowering.emit(.arrayGet(other, array: b, index: index), range)
        lowering.compareParts(item, other, element.type, whenDifferent: label, range)
      }
    case .dictionaryOf(let types):
      let keys = frame.allocate()
      emit(.entryKeys(keys, of: a), range)
      eachElement(of: a, range) { lowering, item, index, _ in
        let (key, other) = (lowering.frame.allocate(), lowering.frame.allocate())
        lowering.emit(.arrayGet(key, array: keys, index: index), range)
        lowering.emit(.entryGet(other, of: b, key: key), range)
        lowering.jump(ifMissing: other, to: label, range)
        lowering.compareParts(item, other, types.result, whenDifferent: label, range)
      }
    default:
      eachElement(of: a, range) { lowering, item, _, _ in
        let other = lowering.frame.allocate()
        lowering.emit(.entryGet(other, of: b, key: item), range)
        lowering.jump(ifMissing: other, to: label, range)
      }
    }
  }

  /// Jumps where two values that may be nil are not equal: two that are nil are.
  private mutating func compareOptionals(
    _ a: Register, _ b: Register, _ type: ValueType, whenDifferent label: Frame.Label,
    _ range: SourceRange
  ) {
    let (missing, end) = (frame.label(), frame.label())
    jump(ifMissing: a, to: missing, range)
    jump(ifMissing: b, to: label, range)
    compareParts(a, b, type, whenDifferent: label, range)
    frame.jump(end, range)
    frame.mark(missing)
    jump(ifPresent: b, to: label, range)
    frame.mark(end)
  }

  /// Jumps where two values of a struct are not equal.
  private mutating func compareFields(
    _ a: Register, _ b: Register, _ index: Int, whenDifferent label: Frame.Label,
    _ range: SourceRange
  ) {
    guard open(index, range) else { return }
    defer { openPayloads.removeLast() }
    for number in checker.classes[index].fields.indices {
      compareField(number, fieldType(index, number), of: a, b, whenDifferent: label, range)
    }
  }

  /// Jumps where a field of two instances is not equal.
  private mutating func compareField(
    _ number: Int, _ type: ValueType, of a: Register, _ b: Register,
    whenDifferent label: Frame.Label, _ range: SourceRange
  ) {
    let (one, other) = (frame.allocate(), frame.allocate())
    emit(.fieldLoad(one, of: a, Int32(number)), range)
    emit(.fieldLoad(other, of: b, Int32(number)), range)
    compareParts(one, other, type, whenDifferent: label, range)
    frame.next = Int(one.index)
  }

  /// Jumps where two values of an `enum` with values are not equal.
  private mutating func compareCases(
    _ a: Register, _ b: Register, _ index: Int, whenDifferent label: Frame.Label,
    _ range: SourceRange
  ) {
    guard open(index, range) else { return }
    defer { openPayloads.removeLast() }
    let (one, other) = (frame.allocate(), frame.allocate())
    emit(.fieldLoad(one, of: a, Payload.caseField), range)
    emit(.fieldLoad(other, of: b, Payload.caseField), range)
    emit(.equal(one, one, other), range)
    emit(.jumpUnless(one, frame.target(label)), range)
    eachCase(of: a, index, range) { lowering, each in
      for value in each.values {
        let type = lowering.checker.type(value.type)
        lowering.compareField(value.field, type, of: a, b, whenDifferent: label, range)
      }
    }
  }
}
