import SpindleModel

/// `--replace`: an executor or a lock of the command line in the place of one at the top.
extension Lowering {
  /// The executor that the command line puts in the place of the trace's own.
  mutating func replacedValue(
    _ assignment: Overrides.Assignment, _ name: Word, target: Register
  ) -> Operand {
    let outer = source
    defer { checker.diagnosis.source = outer }
    guard
      var expression = checker.option("--replace", prefix: assignment.name + "=", assignment.value)
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

  /// The lock that the command line puts in the place of the trace's own, which `call` makes: one of its class,
  /// or the same with another protocol, `bus=inheritance`.
  mutating func replacedLock(
    _ assignment: Overrides.Assignment, _ call: Node<Expression.Call>, _ handle: HandleClass,
    _ name: Word, target: Register
  ) -> Operand {
    let outer = source
    defer { checker.diagnosis.source = outer }
    guard
      var expression = checker.option("--replace", prefix: assignment.name + "=", assignment.value)
    else { return .unknown }
    if case .name(let type) = expression.kind, vocabulary.type(type) != nil {
      expression = arena.expression(
        kind: .call(
          arena.node(
            Expression.Call(
              callee: expression, arguments: SyntaxList(), closures: SyntaxList(),
              range: expression.range))), range: expression.range)
    }
    var made: Operand
    switch expression.kind {
    case .name(let choice), .implicitMember(let choice):
      guard handle != .readWrite else {
        return refuse(Messages.noProtocol(handle.name), expression.range)
      }
      let known = ResourceProtocol.allCases.map(\.rawValue)
      guard known.contains(choice.text) else {
        let nearest = proposal(choice.text, known)
        return refuse(
          Messages.unknownChoice("resource protocol", choice.text, nearest: nearest, known),
          expression.range)
      }
      checker.diagnosis.source = outer
      boundName = name
      made = value(changed(call, protocolTo: choice.text), target: target)
    case .call:
      boundName = name
      made = value(expression, target: target)
    default: made = value(expression, target: target)
    }
    boundName = nil
    guard made.type != .unknown else { return .unknown }
    guard case .handle(let other) = made.type,
      other == handle || handle.isPlainLock && other.isPlainLock
    else {
      return refuse(
        Messages.otherLock(handle.name, found: "\(made.type)", isPlain: handle.isPlainLock),
        expression.range)
    }
    return made
  }

  /// The value that a property has from the start: `--replace 'Cache.lock=OSAllocatedUnfairLock'` puts another lock or
  /// executor there.
  mutating func fieldValue(
    _ written: Expression, _ number: Int, of index: Int, expecting type: ValueType, target: Register
  ) -> Operand {
    let field = checker.classes[index].fields[number]
    let name = "\(checker.classes[index].name.text).\(field.name.text)"
    guard let replacement = replacements.last(where: { $0.name == name }) else {
      return value(written, expecting: type, target: target)
    }
    frame.isReachable = false
    let original = value(written, expecting: type)
    frame.isReachable = true
    frame.next = Int(target.index) + 1
    var made = original
    if case .handle(let handle) = original.type, handle.isExecutor {
      made = replacedValue(replacement, field.name.word, target: target)
    } else if case .handle(let handle) = original.type, handle.isLock,
      case .call(let call) = written.kind
    {
      made = replacedLock(replacement, call, handle, field.name.word, target: target)
    } else if original.type != .unknown {
      checker.refuseReplacement(replacement)
    }
    // Plain locks do for each other.
    if made.type.handle?.isLock == true { made.type = type }
    return made
  }

  /// The type of a field that does not say it: where the command line puts another executor there, that one's.
  mutating func replacedType(_ own: ValueType, _ number: Int, of index: Int) -> ValueType {
    let field = checker.classes[index].fields[number]
    let name = "\(checker.classes[index].name.text).\(field.name.text)"
    guard case .handle(let handle) = own, handle.isExecutor,
      let replacement = replacements.last(where: { $0.name == name })
    else { return own }
    let count = checker.diagnosis.count
    beginFrame(.anywhere, name: .none)
    let made = replacedValue(replacement, field.name.word, target: frame.allocate())
    abandonFrame()
    checker.diagnosis.retract(to: count)
    return made.type.isUnknown ? own : made.type
  }

  /// The call that makes a lock, with another protocol; all else as it is written.
  private func changed(_ call: Node<Expression.Call>, protocolTo choice: String) -> Expression {
    let text = SourceText(name: "--replace", "lock(resourceProtocol: .\(choice))")
    let parsed = Parser.parseExpression(text, in: arena).0
    guard case .call(let model) = parsed.kind, var chosen = model.arguments.first else {
      fatalError("'resourceProtocol: .\(choice)' is not an argument")
    }
    chosen.labelRange = call.range
    chosen.value = arena.expression(kind: chosen.value.kind, range: call.range)
    // Arguments stand in the order of the parameters: behind it there is the ceiling only.
    var arguments = call.arguments.filter { $0.label.map { $0 == "resourceProtocol" } != true }
    let place = arguments.firstIndex { $0.label.map { $0 == "priorityCeiling" } == true }
    arguments.insert(chosen, at: place ?? arguments.endIndex)
    let made = Expression.Call(
      callee: call.callee, arguments: arena.list(arguments), closures: call.closures,
      range: call.range)
    return arena.expression(kind: .call(arena.node(made)), range: call.range)
  }
}
