import SpindleModel

/// Values as texts, as Swift prints them.
extension Emitter {
  func emitText(_ segments: [Typed.Segment], _ range: SourceRange) -> Register {
    // All values are there before the text is put together.
    let values = segments.compactMap { segment -> Typed.Expression? in
      if case .value(let value) = segment { value } else { nil }
    }
    var registers = emitOwned(eachOf: values).makeIterator()
    let parts = segments.map { segment -> (text: String?, register: Register, type: SwiftType) in
      switch segment {
      case .text(let text): (text, Register(0), .void)
      case .value(let value): (nil, registers.next() ?? Register(0), concrete(value.type))
      }
    }
    let described = parts.map { part in
      part.text == nil ? describe(part.register, part.type, isPart: false, range) : nil
    }
    let result = allocate()
    emit(.textBegin, range)
    for (part, description) in zip(parts, described) {
      if let text = part.text {
        emit(.textLiteral(code.intern(text)), range)
      } else if let description {
        emit(.textValue(description.register, description.format), range)
      }
    }
    emit(.textEnd(result), range)
    return result
  }

  /// What is appended to a text for a value: a register, and how it is written.
  ///
  /// A value that is not plain gets a text of its own first: only one text can be open at a time.
  func describe(
    _ value: Register, _ type: SwiftType, isPart: Bool, _ range: SourceRange
  ) -> (register: Register, format: ValueFormat) {
    switch type {
    case .nominal(let nominal, let arguments):
      switch nominal.builtin {
      case .integer, .fixedInteger, .double, .boolean, .duration, .instant, .size:
        return (value, format(of: type))
      case .string: return (value, isPart ? .quoted : .string)
      case .symbol, .options, .handle, .never:
        if isPart, let prefix = nominal.family?.nameAsPart {
          let written = allocate()
          text([(prefix + ".", nil), (nil, (value, .string))], into: written, range)
          return (written, .string)
        }
        if nominal.family?.isWrittenByName == true { return (value, .string) }
        if let handle = nominal.handle, format(of: type) == .object {
          return describe(value, handle, nominal, range)
        }
        if nominal.family == .mode {
          return (
            translated(value, KnownNumbers.modes.map { ($0.own, intern($0.raw)) }, range), .string
          )
        }
        if nominal.family == .taskPriority {
          // A priority writes its type in front.
          let written = allocate()
          text([("TaskPriority.", nil), (nil, (value, .string))], into: written, range)
          return (written, .string)
        }
        return (value, format(of: type))
      case .optional: return (describeOptional(value, arguments[0], range), .string)
      case .array: return (describeArray(value, arguments[0], "[", "]", range), .string)
      case .dictionary:
        return (describeDictionary(value, arguments[0], arguments[1], range), .string)
      case .set:
        // A set in something else is written as Swift's debugger shows it.
        let (open, close) = isPart ? ("Set([", "])") : ("[", "]")
        return (describeArray(value, arguments[0], open, close, isSet: true, range), .string)
      case nil: return describeNominal(value, nominal, type, isPart: isPart, range)
      }
    case .tuple(let elements): return (describeTuple(value, elements, range), .string)
    case .existential(let protocols) where protocols.contains(known.errorProtocol):
      guard isPart else { return (value, .string) }
      let reflected = allocate()
      reflect(value, behind: "", into: reflected, range)
      return (reflected, .string)
    case .existential: return (describeAny(value, isPart: isPart, range), .string)
    case .function: return (constant(intern("(Function)"), range), .string)
    case .metatype(let named):
      return (describe(metatypeOf: named, value, isPart: isPart, range), .string)
    default:
      unsupported("printing a value of \(type)", range)
      return (value, .integer)
    }
  }

  /// An object of the library: its label or name, or where it has none its type's.
  private func describe(
    _ object: Register, _ handle: HandleClass, _ nominal: Nominal, _ range: SourceRange
  ) -> (register: Register, format: ValueFormat) {
    let members = table.vocabulary.instances[Int(handle.rawValue)]
    guard let property = members.property("label") ?? members.property("name"),
      property.type == .string, !property.needsThread, !property.suspends
    else { return (constant(intern(nominal.name), range), .string) }
    return (read(property, object, Typed.Expression(.error, known.string, range)), .string)
  }

  /// The text that a value prints as.
  func printed(
    _ value: Register, _ type: SwiftType, isPart: Bool = false, _ range: SourceRange
  ) -> Register {
    let made = describe(value, type, isPart: isPart, range)
    if made.format == .string { return made.register }
    let result = allocate()
    text([(nil, made)], into: result, range)
    return result
  }

  /// A text of literals and values.
  func text(
    _ parts: [(literal: String?, value: (register: Register, format: ValueFormat)?)],
    into result: Register, _ range: SourceRange
  ) {
    emit(.textBegin, range)
    for part in parts {
      if let literal = part.literal, !literal.isEmpty {
        emit(.textLiteral(code.intern(literal)), range)
      }
      if let value = part.value { emit(.textValue(value.register, value.format), range) }
    }
    emit(.textEnd(result), range)
  }

  private func describeOptional(
    _ value: Register, _ wrapped: SwiftType, _ range: SourceRange
  ) -> Register {
    let result = constant(intern("nil"), range)
    let end = code.frame.label()
    jump(ifNil: true, value, to: end, range)
    let inner = describe(
      unwrap(value, wrapped, range), wrapped, isPart: true, range)
    text([("Optional(", nil), (nil, inner), (")", nil)], into: result, range)
    code.frame.mark(end)
    return result
  }

  private func describeArray(
    _ value: Register, _ element: SwiftType, _ open: String, _ close: String, isSet: Bool = false,
    _ range: SourceRange
  ) -> Register {
    let (result, isFirst) = (constant(intern(open), range), constant(1, range))
    emitLoop(over: value, range) { item in
      let one = isSet ? unwrap(item, element, range) : item
      let made = describe(one, element, isPart: true, range)
      let (next, end) = (code.frame.label(), code.frame.label())
      emit(.jumpUnless(isFirst, code.frame.target(next)), range)
      text([(nil, (result, .string)), (nil, made)], into: result, range)
      emit(.constant(0, to: isFirst), range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
      text([(nil, (result, .string)), (", ", nil), (nil, made)], into: result, range)
      code.frame.mark(end)
    }
    text([(nil, (result, .string)), (close, nil)], into: result, range)
    return result
  }

  private func describeDictionary(
    _ value: Register, _ key: SwiftType, _ element: SwiftType, _ range: SourceRange
  ) -> Register {
    let (result, isFirst) = (constant(intern("["), range), constant(1, range))
    let keys = allocate()
    emit(.entryKeys(keys, of: value), range)
    emitLoop(over: keys, range) { item in
      let entry = allocate()
      emit(.entryGet(entry, of: value, key: item), range)
      let (one, other) = (
        describe(unwrap(item, key, range), key, isPart: true, range),
        describe(unwrap(entry, element, range), element, isPart: true, range)
      )
      let next = code.frame.label()
      emit(.jumpIf(isFirst, code.frame.target(next)), range)
      text([(nil, (result, .string)), (", ", nil)], into: result, range)
      code.frame.mark(next)
      emit(.constant(0, to: isFirst), range)
      text([(nil, (result, .string)), (nil, one), (": ", nil), (nil, other)], into: result, range)
    }
    let end = code.frame.label()
    emit(.jumpUnless(isFirst, code.frame.target(end)), range)
    text([("[:", nil)], into: result, range)
    code.frame.mark(end)
    text([(nil, (result, .string)), ("]", nil)], into: result, range)
    return result
  }

  private func describeTuple(
    _ value: Register, _ elements: [SwiftType.TupleElement], _ range: SourceRange
  ) -> Register {
    if elements.isEmpty { return constant(intern("()"), range) }
    let parts = elements.enumerated().map { index, element in
      let part = allocate()
      emit(.fieldLoad(part, of: value, Int32(index)), range)
      return describe(part, element.type, isPart: true, range)
    }
    let result = allocate()
    var pieces: [(literal: String?, value: (register: Register, format: ValueFormat)?)] = []
    for (index, element) in elements.enumerated() {
      pieces.append(
        ((index == 0 ? "(" : ", ") + (element.label.map { "\($0): " } ?? ""), parts[index]))
    }
    pieces.append((")", nil))
    text(pieces, into: result, range)
    return result
  }

  private func describeNominal(
    _ value: Register, _ nominal: Nominal, _ type: SwiftType, isPart: Bool, _ range: SourceRange
  ) -> (register: Register, format: ValueFormat) {
    if isInstance(type) {
      // A value may have others of its own type in it, as deep as the run makes them.
      guard described.insert(type).inserted else {
        return (describeAny(value, isPart: isPart, range), .string)
      }
    }
    defer { described.remove(type) }
    if let getter = ownDescription(of: nominal, type, isPart: isPart) {
      let result = emitBlockCall(
        block(of: getter, nominal.substitution(type.arguments)), [.register(value)],
        result: known.string, range)
      return (result, .string)
    }
    // What is a part of something else is written with its module.
    let name = isPart ? Self.qualified(type) : Self.fullName(of: type)
    if isPlainEnum(type) {
      guard isPart else { return (value, .string) }
      let result = allocate()
      text([(name + ".", nil), (nil, (value, .string))], into: result, range)
      return (result, .string)
    }
    if nominal.isReference {
      return (constant(intern(nominal.qualifiedName), range), .string)
    }
    if nominal.kind == .enum {
      let prefix = isPart ? name + "." : ""
      return (describeEnum(value, nominal, type, prefix, range), .string)
    }
    let substitution = nominal.substitution(type.arguments)
    let parts = nominal.stored.map { variable in
      let part = allocate()
      emit(.fieldLoad(part, of: value, Int32(variable.index)), range)
      return describe(
        part, bodies.type(of: variable).substituting(substitution), isPart: true, range)
    }
    let result = allocate()
    var pieces: [(literal: String?, value: (register: Register, format: ValueFormat)?)] = [
      ("\(name)(", nil)
    ]
    for (index, variable) in nominal.stored.enumerated() {
      pieces.append(((index == 0 ? "" : ", ") + "\(variable.name): ", parts[index]))
    }
    pieces.append((")", nil))
    text(pieces, into: result, range)
    return (result, .string)
  }

  /// What a type says of itself: in something else, and for a debugger, rather its `debugDescription`.
  ///
  /// Source: swift:stdlib/public/core/OutputStream.swift, _print_unlocked and _debugPrint_unlocked.
  private func ownDescription(
    of nominal: Nominal, _ type: SwiftType, isPart: Bool
  ) -> FunctionSymbol? {
    let checker = BodyChecker(bodies, context: TypeContext())
    let forms = [
      (known.customText, "description"),
      (table.library("CustomDebugStringConvertible"), "debugDescription"),
    ]
    for (form, name) in isPart ? forms.reversed() : forms where nominal.conforms(to: form) {
      if let own = checker.members(name, of: type).first?.symbol as? VariableSymbol,
        let getter = own.getter, getter.owner?.kind != .protocol
      {
        return getter
      }
    }
    return nil
  }

  private func describeEnum(
    _ value: Register, _ nominal: Nominal, _ type: SwiftType, _ prefix: String,
    _ range: SourceRange
  ) -> Register {
    let (result, name) = (allocate(), allocate())
    emit(.fieldLoad(name, of: value, 0), range)
    if prefix.isEmpty {
      emit(.copy(result, from: name), range)
    } else {
      text([(prefix, nil), (nil, (name, .string))], into: result, range)
    }
    let substitution = nominal.substitution(type.arguments)
    forCase(of: name, among: nominal.cases.filter { !$0.values.isEmpty }, range) { one in
      let parts = one.values.enumerated().map { index, part in
        let register = allocate()
        emit(.fieldLoad(register, of: value, firstField(of: one) + Int32(index)), range)
        return describe(register, part.type.substituting(substitution), isPart: true, range)
      }
      if one.values.count == 1, one.values[0].label == nil,
        case .tuple = one.values[0].type.substituting(substitution)
      {
        // A tuple is written with its own parentheses. Run with Swift 6.3.1.
        return text(
          [("\(prefix)\(one.name)", nil), (nil, parts[0])], into: result, range)
      }
      var pieces: [(literal: String?, value: (register: Register, format: ValueFormat)?)] = [
        ("\(prefix)\(one.name)(", nil)
      ]
      for (index, part) in one.values.enumerated() {
        pieces.append(
          ((index == 0 ? "" : ", ") + (part.label.map { "\($0): " } ?? ""), parts[index]))
      }
      pieces.append((")", nil))
      text(pieces, into: result, range)
    }
    return result
  }
}
