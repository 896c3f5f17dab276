import SpindleModel

/// `a ?? b`, `a!`, `a?.b`, `try? a`.
extension Lowering {
  /// `left ?? right`: the right side is evaluated only where the left one is nil.
  mutating func coalesce(
    _ sides: Expression.Sides, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    let result = frame.allocate()
    let hint: ValueType? = expecting.map { type in
      if case .optionalOf = type { return type }
      return .optional(type)
    }
    let left = value(sides.left, expecting: hint, target: result)
    guard case .optionalOf(let wrapped) = left.type else {
      if left.type == .null { return value(sides.right, expecting: expecting, target: target) }
      guard !left.type.isUnknown else {
        _ = value(sides.right)
        return .unknown
      }
      if !isOptionalInSwift(sides.left) {
        let text = source.text(in: sides.left.range)
        warn(
          Messages.neverNil(text, "\(left.type)", without: "'??' and what follows"),
          sides.operatorRange)
      }
      // The right side is looked at, and never comes to its turn.
      place(kept(left, isVariable: false), in: result, sides.left.range)
      frame.next = Int(result.index) + 1
      let end = frame.label()
      frame.jump(end, range)
      frame.isReachable = true
      _ = coerce(value(sides.right, expecting: left.type), to: left.type, sides.right.range)
      frame.next = Int(result.index) + 1
      frame.mark(end)
      return .register(result, left.type)
    }
    place(kept(left, isVariable: false), in: result, sides.left.range)
    frame.next = Int(result.index) + 1
    let end = frame.label()
    jump(ifPresent: result, to: end, range)
    var right = value(sides.right, expecting: wrapped.type, target: result)
    var type = wrapped.type
    if case .optionalOf = right.type { type = left.type }
    if right.type == .null { type = left.type }
    if !(right.type.isVoid && !frame.isReachable) {
      right = coerce(right, to: type, sides.right.range)
    }
    place(kept(right, isVariable: false), in: result, sides.right.range)
    frame.next = Int(result.index) + 1
    frame.mark(end)
    return .register(result, type)
  }

  /// Whether Swift has an optional where a trace has none: the name of a thread, and of an operation or its queue.
  private func isOptionalInSwift(_ expression: Expression) -> Bool {
    if case .name(let name) = expression.kind, name.text == "name", checker.ownClass >= 0 {
      // In a subclass it stands alone.
      return find(name) == nil && checker.classes[checker.ownClass].parent != nil
    }
    guard case .member(let member) = expression.kind, member.name.text == "name" else {
      return false
    }
    return checker.objects(member.base)?.property(member.name)?.takesNil == true
  }

  /// What is asked whether it is nil, as an optional where it is one in Swift: then it is always there.
  mutating func optional(_ made: Operand, _ expression: Expression) -> Operand {
    guard made.type == .string, isOptionalInSwift(expression) else { return made }
    var made = made
    made.type = .optional(.string)
    return made
  }

  /// Jumps where the value in `register` is not nil.
  mutating func jump(ifPresent register: Register, to label: Frame.Label, _ range: SourceRange) {
    let next = frame.next
    let test = frame.allocate()
    emit(.constant(noValue, to: test), range)
    emit(.notEqual(test, register, test), range)
    emit(.jumpIf(test, frame.target(label)), range)
    frame.next = next
  }

  /// Jumps where the value in `register` is nil.
  mutating func jump(ifMissing register: Register, to label: Frame.Label, _ range: SourceRange) {
    let next = frame.next
    let test = frame.allocate()
    emit(.constant(noValue, to: test), range)
    emit(.equal(test, register, test), range)
    emit(.jumpIf(test, frame.target(label)), range)
    frame.next = next
  }

  /// `a!`: crashes the simulated program where it is nil.
  mutating func forced(
    _ inner: Expression, _ expecting: ValueType?, target: Register?, _ range: SourceRange
  ) -> Operand {
    let wish = expecting.map { .optional($0) } ?? presence(of: inner)
    let made = optional(value(inner, expecting: wish, target: target), inner)
    switch made.type {
    case .optionalOf: return unwrap(made, range)
    case .unknown: return made
    default:
      let text = source.text(in: inner.range)
      return refuse(Messages.neverNil(text, "\(made.type)", without: "the '!'"), range)
    }
  }

  /// `a.map { }`, `a.flatMap { }` of an optional: nil where it is nil, else what the closure gives; nil for any other call.
  mutating func mapped(_ made: Operand, _ name: Word, _ call: CallSite) -> Operand? {
    guard case .optionalOf(let wrapped) = made.type, name == words.map || name == "flatMap" else {
      return nil
    }
    var wish: ValueType?
    if case .optionalOf(let wanted)? = wantedResult, !wanted.type.isUnknown {
      wish = name == words.map ? wanted.type : wantedResult
    }
    let from = steady(made, call.callee)
    guard let body = elementBody(call, nil, [wrapped.type], nil) else { return .unknown }
    let (result, end) = (frame.allocate(), frame.label())
    let register = self.register(of: from, call.place)
    emit(.constant(noValue, to: result), call.place)
    jump(ifMissing: register, to: end, call.place)
    let given = run(body, [(register, wrapped.type)], nil, wish: wish)
    if given.type.isVoid || given.type.isUnknown {
      frame.mark(end)
      return given
    }
    var type = ValueType.optional(given.type)
    if case .optionalOf = given.type {
      if name == words.map { error(Messages.mappedOptional, nameRange(of: call.callee)) }
      type = given.type
    }
    place(kept(given, isVariable: false), in: result, call.place)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, type)
  }

  // MARK: Chains

  /// The value in front of a `?`, where there is one; else the chain around ends with nil.
  mutating func bound(_ inner: Expression, target: Register?) -> Operand {
    let made = optional(value(inner, target: target), inner)
    guard case .optionalOf(let wrapped) = made.type else {
      if !made.type.isUnknown, !isOwnName(inner) {
        let (text, end) = (source.text(in: inner.range), Int(inner.range.upperBound))
        return refuse(Messages.neverNil(text, "\(made.type)"), SourceRange(end, end + 1))
      }
      return made
    }
    guard let exit = chainExits.last else { return unwrap(made, inner.range) }
    let register = register(of: made, inner.range)
    jump(ifMissing: register, to: exit, inner.range)
    return .register(register, wrapped.type)
  }

  /// The value of a chain with a `?` in it: nil where that stops.
  mutating func chain(_ inner: Expression, _ expecting: ValueType?, _ range: SourceRange) -> Operand
  {
    let result = frame.allocate()
    let (missing, end) = (frame.label(), frame.label())
    chainExits.append(missing)
    let asksPresence = isPresence(expecting)
    let hint: ValueType? =
      if asksPresence { nil } else if case .optionalOf(let wrapped)? = expecting {
        wrapped.type
      } else { expecting }
    var made = isCall(inner) ? lowerChainedCall(inner, hint) : value(inner, expecting: hint)
    chainExits.removeLast()
    if made.type.isVoid, asksPresence { made = .constant(0, .void) }
    guard !made.type.isVoid || asksPresence, !made.type.isUnknown else {
      frame.next = Int(result.index)
      frame.mark(missing)
      return made
    }
    place(kept(made, isVariable: false), in: result, range)
    frame.jump(end, range)
    frame.mark(missing)
    emit(.constant(noValue, to: result), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    if case .optionalOf = made.type { return .register(result, made.type) }
    return .register(result, .optional(made.type))
  }

  private func isCall(_ expression: Expression) -> Bool {
    if case .call = expression.kind { return true }
    return false
  }

  private mutating func lowerChainedCall(_ inner: Expression, _ hint: ValueType?) -> Operand {
    guard case .call(let call) = inner.kind else { return .unknown }
    return lowerCall(call, isUsed: true, expecting: hint, target: nil)
  }

  /// A chain that stands alone.
  mutating func lowerChain(_ inner: Expression) {
    let missing = frame.label()
    chainExits.append(missing)
    if case .call(let call) = inner.kind {
      lowerCall(call, isUsed: false, expecting: nil, target: nil)
    } else {
      let made = value(inner)
      if !made.type.isUnknown && !made.type.isVoid { warn(Messages.unusedValue, inner.range) }
    }
    chainExits.removeLast()
    frame.mark(missing)
  }

  /// `a?.b = c`, where the right side is evaluated only when `a` is not nil.
  mutating func assignInChain(
    _ target: Expression, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ range: SourceRange
  ) {
    let missing = frame.label()
    chainExits.append(missing)
    lowerAssignment(target, operation, expression, range)
    chainExits.removeLast()
    frame.mark(missing)
  }

  // MARK: Whether anything is there

  /// The wish for what is asked whether it is nil: a `try?` and a chain of what gives nothing are a `Void?` there.
  ///
  /// Where nothing asks, what they give is left out with the rest. nil for anything else.
  func presence(of expression: Expression) -> ValueType? {
    switch expression.kind {
    case .await(let inner, _), .attempt(isForced: true, let inner): presence(of: inner)
    case .attempt(isForced: false, _), .chain: .optional(.unknown)
    default: nil
    }
  }

  private func isPresence(_ wish: ValueType?) -> Bool {
    guard case .optionalOf(let wrapped)? = wish else { return false }
    return wrapped.type.isUnknown || wrapped.type.isVoid
  }

  // MARK: try? and try!

  /// The value of `try? a`, nil where something was thrown; that of `try! a`, which crashes there.
  mutating func attempt(
    isForced: Bool, _ inner: Expression, _ expecting: ValueType?, _ range: SourceRange
  ) -> Operand {
    let result = frame.pinned()
    let thrown = frame.pinned()
    let (start, throwing, awaits) = (frame.code.count, frame.throwing, frame.awaitCount)
    let owned = frame.owned.count
    let asksPresence = isPresence(expecting)
    var made = value(
      inner, expecting: asksPresence ? presence(of: inner) : expecting?.unwrapped)
    if made.type.isVoid, asksPresence, !isForced { made = .constant(0, .void) }
    let hasValue = !made.type.isUnknown && (!made.type.isVoid || asksPresence && !isForced)
    if hasValue { place(kept(made, isVariable: false), in: result, range) }
    let end = frame.code.count
    let after = frame.label()
    if frame.throwing > throwing {
      frame.jump(after, range)
      frame.catchHere(start: start, end: end, error: thrown)
      frame.throwing = throwing
      goHome(behind: awaits, range)
      releaseOwners(from: owned, range)
      if isForced {
        crash(thrown, range)
      } else if hasValue {
        emit(.constant(noValue, to: result), range)
      }
      frame.mark(after)
    }
    guard hasValue else { return made }
    let isOptional = if case .optionalOf = made.type { true } else { false }
    return .register(result, isForced || isOptional ? made.type : .optional(made.type))
  }

  /// Ends the simulated process with what was thrown at `try!`.
  private mutating func crash(_ thrown: Register, _ range: SourceRange) {
    let register = frame.allocate()
    reflect(thrown, behind: Messages.runTimeTry, in: register, range)
    emit(.perform(.doing(.fatalError), base: register, noSite), range)
    frame.isReachable = false
  }
}
