import SpindleModel

/// What the world outside does: `at`, `every`, `arrivals`.
extension Lowering {
  private static let formals: [String: [Formal]] = [
    "at": [Formal(label: nil, type: .instant, isOptional: false, slot: 0), body(parameters: [])],
    "every": [interval(label: nil), count, body(parameters: [.integer])],
    "arrivals": [interval(label: "every"), count, body(parameters: [.integer])],
  ]

  private static let count = Formal(
    label: "count", type: .integer, isOptional: true, slot: 1, limit: .notNegative)

  private static func interval(label: Label?) -> Formal {
    Formal(label: label, type: .duration, isOptional: false, slot: 0, limit: .notNegative)
  }

  private static func body(parameters: [ValueType]) -> Formal {
    Formal(
      label: "execute", type: .function(parameters: parameters, result: .void), isOptional: false,
      slot: 2)
  }

  mutating func lowerArrival(_ expression: Expression) {
    guard case .call(let call) = expression.kind, case .name(let name) = call.callee.kind
    else {
      checker.diagnosis.error(Messages.strayAtTop, expression.range, belongsInMain: true)
      return
    }
    if name == "threadNames" {
      lowerThreadNames(call)
      return
    }
    guard let formals = Lowering.formals[name.text] else {
      if name == "Task" || vocabulary.free.overloads(name) != nil || scope.findAtTop(name) != nil {
        checker.diagnosis.error(
          Messages.callAtTop(name.text), call.callee.range, belongsInMain: true)
      } else {
        let near = proposal(
          name.text, ["at", "every", "arrivals", "main", "expect", "machine", "trace"])
        error(Messages.unknownName(name.text, nearest: near), call.callee.range)
      }
      return
    }
    // The front end with types takes it.
    if name == "arrivals", call.arguments.first?.label == "rate" {
      return error(Messages.rateForm, call.range)
    }
    guard let actuals = checker.match(formals, call, name: name.text, call.callee.range),
      let closure = closureLiteral(actuals[formals.count - 1], call),
      case .argument(let first) = actuals[0]
    else {
      walkArrival(call)
      return
    }
    var count: Int64?
    if formals.count == 3, case .argument(let ordinal) = actuals[1] {
      count = constant(call.arguments[ordinal].value, .integer, formal: formals[1])?.constant
    }
    let isOnce = name == "at"
    let when = call.arguments[first].value
    let interval = lowerInterval(when, formals[0], name.text, hasCount: count != nil)
    let body = lowerArrivalBody(
      closure, name.text, from: firstArrival(name.text, when), parameters: isOnce ? 0 : 1)
    program.arrivals.append(
      Arrival(interval: interval, body: body, count: count, isOnce: isOnce, place: call.place))
    if isOnce, let moment = constantMoment(when) { usage.noteArrival(at: moment, when.range) }
  }

  private mutating func lowerInterval(
    _ expression: Expression, _ formal: Formal, _ name: String, hasCount: Bool
  ) -> BlockID {
    let block = reserveBlock()
    beginFrame(.world, name: intern(name), result: formal.type)
    let register = frame.allocate()
    let made = value(expression, expecting: formal.type, target: register)
    checker.checkLiteral(expression, made, formal)
    if name == "at", let moment = made.constant, moment < 0, made.type == .duration {
      error(Messages.negative("a moment"), expression.range)
    }
    if name != "at", !hasCount, made.constant == 0, made.type == .duration {
      error(Messages.emptyInterval(name), expression.range)
    }
    place(coerce(made, to: formal.type, expression.range), in: register, expression.range)
    emit(.finishWith(register), expression.range)
    frame.isReachable = false
    endFrame(block, expression.range)
    return block
  }

  private mutating func lowerArrivalBody(
    _ closure: Expression.Closure, _ name: String, from first: Instant, parameters: Int
  ) -> BlockID {
    let block = reserveBlock()
    let mark = scope.count
    beginFrame(.world, name: intern(name))
    frame.earliest = first
    if closure.parameters.count > parameters, let extra = closure.parameters.last {
      error(Messages.closureParameters(parameters), extra.range)
    }
    lowerBody(closure, parameters: closure.parameters.prefix(parameters).map { _ in .integer })
    endFrame(block, closingBrace(closure.body))
    scope.close(downTo: mark)
    return block
  }

  /// Looks through a call at the top that was refused.
  private mutating func walkArrival(_ call: CallSite) {
    beginFrame(.anywhere, name: .none)
    walkStray(call)
    abandonFrame()
  }

  /// The moment of an `at` when it is known before the run.
  private mutating func constantMoment(_ expression: Expression) -> Instant? {
    guard case .duration(let length) = expression.kind else { return nil }
    return Instant(length.rawValue)
  }
}
