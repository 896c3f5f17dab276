import SpindleModel

/// Clocks as values: `let clock = ContinuousClock()`.
///
/// Both are the virtual time: a machine of a trace does not sleep, so that they say the same. Source:
/// swift:stdlib/public/Concurrency/Clock.swift.
extension Lowering {
  /// `ContinuousClock()`, `SuspendingClock()`.
  mutating func clock(_ name: Word) -> Operand {
    let own = name == "ContinuousClock" ? "continuous" : "suspending"
    return .constant(Int64(intern(own).index), .symbol(.clock))
  }

  /// `clock.sleep(for:)`, `clock.sleep(until:)`, `clock.measure { }`.
  mutating func clockCall(
    _ name: Word, _ nameRange: SourceRange, _ call: CallSite, _ object: Operand, isUsed: Bool,
    target: Register?
  ) -> Operand {
    switch name.text {
    case "sleep":
      let task = arena.expression(kind: .name(words.task), range: nameRange)
      let sleep = arena.expression(
        kind: .member(
          arena.node(Expression.MemberAccess(base: task, name: name, nameRange: nameRange))),
        range: call.callee.range)
      let renamed = arena.node(
        Expression.Call(
          callee: sleep, arguments: call.arguments, closures: call.closures, range: call.range))
      return lowerCall(renamed, isUsed: isUsed, expecting: nil, target: target)
    case "measure": return measure(call, target: target)
    default:
      walkStray(call)
      return refuseMember(name.text, of: object.type, nameRange)
    }
  }

  /// `clock.measure { }`: how long the closure takes, where it stands; it may wait.
  private mutating func measure(_ call: CallSite, target: Register?) -> Operand {
    guard let body = scopeBody(call, ["work"]) else {
      walkStray(call)
      return refuse(Messages.missingClosure("measure"), call.callee.range)
    }
    let result = target ?? frame.allocate()
    let (start, scratch) = (frame.allocate(), frame.allocate())
    emit(.now(start), call.place)
    let awaits = frame.awaitCount
    _ = lowerScopeBody(body, argument: nil, asynchrony: nil, result: scratch, isUsed: false)
    if frame.awaitCount > awaits { noteSuspension("measure", nameRange(of: call.callee)) }
    let place = closingBrace(body.body)
    emit(.now(scratch), place)
    emit(.subtract(result, scratch, start), place)
    return .register(result, .duration)
  }
}
