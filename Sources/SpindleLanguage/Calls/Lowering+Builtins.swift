import SpindleModel

/// Functions of Swift's library that need nothing of the simulated system: each comes to instructions.
extension Lowering {
  /// A call of such a function, or of a type as a function; nil when `name` is none.
  mutating func builtin(
    _ name: String, _ call: CallSite, expecting: ValueType?, target: Register?
  ) -> Operand? {
    switch name {
    case "min", "max": return extreme(name, call, expecting: expecting)
    case "abs": return magnitude(call, target: target)
    case "precondition", "assert": return claim(name, call)
    case "preconditionFailure", "assertionFailure":
      return failure(name, call)
    case Lowering.unsigned: return unsigned(call, target: target)
    case "Int", "Decimal", "String", "Instant": return converted(name, call, target: target)
    case "Double", "Float", "CGFloat", "Float32", "Float64":
      return converted("Decimal", call, target: target)
    case "DispatchQoS": return qualityOfService(call)
    case "Bool": return probable(call, target: target)
    case "Array": return repeatedArray(call, expecting: expecting) ?? array(of: call)
    case "Set": return set(of: call, target: target)
    case "Dictionary":
      walkStray(call)
      return refuse(dictionaryForm(call), call.range)
    case "withExtendedLifetime": return extended(call, expecting: expecting)
    case "drawn": return drawn(call, expecting: expecting)
    case "CancellationError" where call.arguments.isEmpty && call.closures.isEmpty:
      // An error is a text, and this is what a cancelled task throws.
      return Operand(type: .string, location: .constant(Int64(intern("\(name)()").index)))
    default: return nil
    }
  }

  // MARK: Numbers

  /// `min(a, b, …)`, `max(a, b, …)`.
  private mutating func extreme(
    _ name: String, _ call: CallSite, expecting: ValueType?
  ) -> Operand {
    guard call.arguments.count > 1, call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil })
    else {
      walkStray(call)
      return refuse(Messages.severalValues(name), call.range)
    }
    let result = frame.allocate()
    var type = ValueType.unknown
    var literal: Operand?
    for (index, argument) in call.arguments.enumerated() {
      let register = index == 0 ? result : frame.allocate()
      let hint = type.isUnknown ? expecting : type
      var made = unwrap(
        value(argument.value, expecting: hint, target: register), argument.value.range)
      if index == 0 || type.isUnknown {
        type = made.type
        literal = made.isLiteral ? made : nil
      } else if let first = literal, !made.isLiteral, made.type != .integer {
        let range = call.arguments[0].value.range
        let whole = coerce(first, to: made.type, range)
        if whole.type.isUnknown { return .unknown }
        place(whole, in: result, range)
        (type, literal) = (made.type, nil)
      } else {
        made = coerce(made, to: type, argument.value.range)
      }
      place(made, in: register, argument.value.range)
      guard index > 0 else { continue }
      frame.next = Int(register.index) + 1
      let (test, next) = (frame.allocate(), frame.label())
      // Of equals, 'min' gives the first and 'max' the last, as Swift's do.
      emit(
        name == "min" ? .less(test, register, result) : .lessOrEqual(test, result, register),
        call.place)
      emit(.jumpUnless(test, frame.target(next)), call.place)
      emit(.copy(result, from: register), call.place)
      frame.mark(next)
      frame.next = Int(result.index) + 1
    }
    guard type.isOrdered || type.isUnknown else {
      return refuse(Messages.noOrder("\(type)"), call.callee.range)
    }
    return .register(result, type)
  }

  private mutating func magnitude(_ call: CallSite, target: Register?) -> Operand {
    guard call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == nil else {
      walkStray(call)
      return refuse(Messages.oneValue("abs"), call.range)
    }
    let result = frame.allocate()
    let argument = call.arguments[0].value
    let made = unwrap(value(argument, target: result), argument.range)
    switch made.type {
    case .integer, .duration, .decimal: break
    case .unknown: return .unknown
    default: return refuse(Messages.noOperator("abs", "\(made.type)"), argument.range)
    }
    place(made, in: result, argument.range)
    let (zero, test, end) = (frame.allocate(), frame.allocate(), frame.label())
    emit(.constant(0, to: zero), call.place)
    emit(.less(test, result, zero), call.place)
    emit(.jumpUnless(test, frame.target(end)), call.place)
    emit(.negate(result, result), call.place)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, made.type)
  }

  // MARK: Claims

  /// `precondition(a > 0, "why")`, `assert(a > 0)`.
  private mutating func claim(_ name: String, _ call: CallSite) -> Operand {
    guard (1...2).contains(call.arguments.count), call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil })
    else {
      walkStray(call)
      return refuse(Messages.claimForm(name), call.range)
    }
    let holds = frame.label()
    branch(call.arguments[0].value, when: true, to: holds)
    let title = name == "assert" ? "Assertion failed" : "Precondition failed"
    trap(title, call.arguments.count > 1 ? call.arguments[1].value : nil, call.place)
    frame.isReachable = false
    frame.mark(holds)
    return .void
  }

  private mutating func failure(_ name: String, _ call: CallSite) -> Operand {
    guard call.arguments.count <= 1, call.closures.isEmpty,
      call.arguments.allSatisfy({ $0.label == nil })
    else {
      walkStray(call)
      return refuse(Messages.tooManyArguments(name), call.range)
    }
    trap("Fatal error", call.arguments.first?.value, call.place)
    frame.isReachable = false
    return .void
  }

  /// Ends the simulated process with what is wrong, and why.
  ///
  /// The titles are those of swift:stdlib/public/core/Assert.swift.
  private mutating func trap(_ title: String, _ reason: Expression?, _ range: SourceRange) {
    let register = frame.allocate()
    var pieces: [TextPiece] = [.literal(title)]
    if let reason {
      let made = coerce(value(reason, expecting: .string), to: .string, reason.range)
      pieces += [.literal(": "), piece(made, reason.range)]
    }
    place(join(pieces, register, range), in: register, range)
    emit(.perform(.doing(.trap), base: register, noSite), range)
  }

  // MARK: Conversions

  /// `Int(d)`, `Decimal(n)`, `String(x)`, `Instant(300ms)`.
  private mutating func converted(
    _ name: String, _ call: CallSite, target: Register?
  ) -> Operand {
    if name == "String", call.arguments.first?.label == "format" {
      return formattedText(call, target: target)
    }
    guard call.arguments.count == 1, call.closures.isEmpty else {
      walkStray(call)
      let foreign = call.arguments.first?.label.flatMap {
        ForeignMember.argument($0.text, of: name)
      }
      return refuse(foreign ?? Messages.oneValue(name), call.range)
    }
    let written = call.arguments[0]
    guard written.label == nil || name == "String" && written.label == "describing" else {
      walkStray(call)
      return refuse(Messages.needlessLabel(of: name), written.labelRange)
    }
    let range = written.value.range
    if name == "Instant" {
      let made = coerce(value(written.value, expecting: .instant), to: .instant, range)
      return made
    }
    let made = value(written.value)
    if made.type.isUnknown { return .unknown }
    if name == "String" {
      let result = target ?? frame.allocate()
      return join([piece(made, range)], result, call.place)
    }
    if name == "Int", made.type == .string {
      return ask(.textNumber, made, nil, .optional(.integer), call.place)
    }
    return number(made, asDecimal: name == "Decimal", range, target: target)
  }

  private mutating func number(
    _ made: Operand, asDecimal: Bool, _ range: SourceRange, target: Register?
  ) -> Operand {
    let made = unwrap(made, range)
    let wanted: ValueType = asDecimal ? .decimal : .integer
    switch made.type {
    case wanted:
      var plain = made
      plain.isLiteral = false
      return plain
    case .integer where asDecimal:
      if let constant = made.constant { return decimal(constant, range) }
    case .decimal where !asDecimal:
      if let constant = made.constant { return .constant(constant / FixedDecimal.scale, .integer) }
    default: return refuse(Messages.noNumber("\(made.type)", "\(wanted)"), range)
    }
    let from = register(of: made, range)
    let result = target.flatMap { $0 == from ? nil : $0 } ?? frame.allocate()
    let scale = frame.allocate()
    emit(.constant(FixedDecimal.scale, to: scale), range)
    emit(asDecimal ? .multiply(result, from, scale) : .divide(result, from, scale), range)
    return .register(result, wanted)
  }

  /// `Array(0 ..< 3)`, `Array(a)`.
  private mutating func array(of call: CallSite) -> Operand {
    guard call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == nil else {
      walkStray(call)
      return refuse(Messages.oneValue("Array"), call.range)
    }
    let written = call.arguments[0].value
    if case .range(let bounds) = written.kind { return numbers(in: bounds.value, written.range) }
    var made = value(written)
    if case .setOf(let element) = made.type {
      (made.type, made.isVariable, made.isFresh) = (.array(element.type), true, false)
    }
    guard made.type.isArray || made.type.isUnknown else {
      return refuse(Messages.mismatch(expected: "an array", found: "\(made.type)"), written.range)
    }
    return made
  }

  // MARK: Lengths

  /// `.seconds(2)`, `.milliseconds(n)`: a length whose unit is a word; nil when `name` is none.
  mutating func length(_ name: Word, _ call: CallSite, target: Register?) -> Operand? {
    let unit: Int64
    switch name.text {
    case "seconds": unit = 1_000_000_000
    case "milliseconds": unit = 1_000_000
    case "microseconds": unit = 1_000
    case "nanoseconds": unit = 1
    default: return nil
    }
    guard call.arguments.count == 1, call.closures.isEmpty, call.arguments[0].label == nil else {
      return nil
    }
    let number = call.arguments[0].value
    let one = arena.expression(kind: .duration(Nanoseconds(unit)), range: call.callee.range)
    return infix(.multiply, number, one, call.callee.range, .duration, target: target, call.range)
  }

  // MARK: Members of plain values

  /// A function of a number, a moment or a text; nil when there is none of that name.
  mutating func plainCall(
    _ object: Operand, _ name: String, _ call: CallSite, target: Register?
  ) -> Operand? {
    if object.type == .string { return textCall(object, name, call) }
    guard call.arguments.count == 1, call.closures.isEmpty,
      let label = call.arguments[0].label?.text
        ?? Optional("")
    else { return nil }
    let argument = call.arguments[0].value
    switch (object.type, name, label) {
    case (.instant, "addingTimeInterval", ""), (.instant, "advanced", "by"):
      return joined(object, .add, argument, .duration, call, target: target)
    case (.instant, "timeIntervalSince", ""):
      let first = near(object, argument.range)
      let other = coerce(value(argument, expecting: .instant), to: .instant, argument.range)
      return arithmetic(
        .subtract, first, near(other, argument.range), call.range, target: target, call.range)
    case (.instant, "distance", "to"), (.instant, "duration", "to"):
      let first = near(object, argument.range)
      let other = coerce(value(argument, expecting: .instant), to: .instant, argument.range)
      return arithmetic(
        .subtract, near(other, argument.range), first, call.range, target: target, call.range)
    case (.integer, "isMultiple", "of"):
      let rest = remainder(object, argument, call)
      guard !rest.type.isUnknown else { return rest }
      let zero = ComparisonPair(
        left: rest, right: .constant(0, .integer), code: .equal, isSwapped: false)
      return emitComparison(zero, target: target, call.range)
    default: return nil
    }
  }

  /// What is left of a number for `isMultiple(of:)`: of 0 only 0 is a multiple, and of -1 all are.
  private mutating func remainder(
    _ object: Operand, _ argument: Expression, _ call: CallSite
  ) -> Operand {
    let next = frame.next
    let result = frame.allocate()
    emit(.copy(result, from: register(of: object, call.place)), call.place)
    let made = coerce(value(argument, expecting: .integer), to: .integer, argument.range)
    if made.type.isUnknown { return .unknown }
    let (by, test) = (register(of: made, argument.range), frame.allocate())
    let (nothing, end) = (frame.label(), frame.label())
    emit(.jumpUnless(by, frame.target(end)), call.place)
    emit(.constant(-1, to: test), call.place)
    emit(.equal(test, by, test), call.place)
    emit(.jumpIf(test, frame.target(nothing)), call.place)
    emit(.remainder(result, result, by), call.place)
    frame.jump(end, call.place)
    frame.mark(nothing)
    emit(.constant(0, to: result), call.place)
    frame.mark(end)
    frame.next = max(next, Int(result.index) + 1)
    return .register(result, .integer)
  }

  /// A moment that is near enough for a length of time to lie between it and any other: the distant past and
  /// future stand for the longest time before and behind the start.
  private mutating func near(_ moment: Operand, _ range: SourceRange) -> Operand {
    let longest = Nanoseconds.longest.rawValue
    guard moment.type == .instant else { return moment }
    if let constant = moment.constant {
      return .constant(min(max(constant, -longest), longest), .instant)
    }
    let given = register(of: moment, range)
    let result = frame.allocate()
    let (test, end) = (frame.allocate(), frame.label())
    emit(.copy(result, from: given), range)
    for (limit, isLeast) in [(-longest, true), (longest, false)] {
      let next = frame.label()
      emit(.constant(limit, to: test), range)
      emit(isLeast ? .less(test, given, test) : .less(test, test, given), range)
      emit(.jumpUnless(test, frame.target(next)), range)
      emit(.constant(limit, to: result), range)
      frame.jump(end, range)
      frame.mark(next)
    }
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .instant)
  }

  /// `Date(timeIntervalSinceNow: 5s)`.
  mutating func laterDate(_ length: Expression, _ call: CallSite, target: Register?) -> Operand {
    let present = frame.allocate()
    emit(.now(present), call.callee.range)
    return joined(
      .register(present, .instant), .add, length, .duration, call, target: target)
  }

  private mutating func joined(
    _ object: Operand, _ operation: Expression.InfixOperator, _ argument: Expression,
    _ type: ValueType, _ call: CallSite, target: Register?
  ) -> Operand {
    var left = object
    if case .register(let from) = left.location, !isSimple(argument) {
      let copy = frame.allocate()
      emit(.copy(copy, from: from), call.place)
      left.location = .register(copy)
    }
    let made = coerce(value(argument, expecting: type), to: type, argument.range)
    return arithmetic(operation, left, made, call.range, target: target, call.range)
  }

  /// A property of a number, a moment or a member of a list; nil when there is none of that name.
  mutating func plainProperty(
    _ object: Operand, _ name: String, target: Register?, _ range: SourceRange
  ) -> Operand? {
    switch (object.type, name) {
    case (.instant, "uptimeNanoseconds"):
      var made = object
      made.type = .integer
      return made
    case (.instant, "timeIntervalSinceNow"):
      let present = frame.allocate()
      emit(.now(present), range)
      return arithmetic(
        .subtract, near(object, range), .register(present, .instant), range, target: target, range)
    case (.symbol(.clock), "now"):
      return read(.presentMoment, object: nil, target: target, range)
    case (.symbol(.clock), "minimumResolution"):
      return .constant(1, .duration)
    // An error is a text, and says what it is itself.
    case (.string, "localizedDescription"):
      return localizedDescription(ofAny: object, range)
    case (.string, "isEmpty"):
      let result = target ?? frame.allocate()
      let empty = frame.allocate()
      emit(.constant(Int64(intern("").index), to: empty), range)
      emit(.equal(result, register(of: object, range), empty), range)
      return .register(result, .boolean)
    case (.string, "count"): return ask(.textCount, object, nil, .integer, range)
    case (.string, "capitalized"): return capitalized(object, range)
    case (.symbol(.dispatchQuality), "qosClass"): return object
    case (.symbol(.qualityOfService), "rawValue"): return rawValue(ofQuality: object, range)
    case (.symbol(.queuePriority), "rawValue"): return rawValue(ofQueuePriority: object, range)
    case (.choice(let name), "rawValue"): return rawValue(of: object, name, range)
    case (.symbol(.mode), "rawValue"): return modeText(object, range)
    case (.symbol(.taskPriority), "rawValue"): return rawValue(ofPriority: object, range)
    default: return nil
    }
  }
}
