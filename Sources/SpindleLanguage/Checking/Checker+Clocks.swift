import SpindleModel

/// Types of Apple's interfaces that say nothing more in a trace, and lists of names by their own name.
extension Checker {
  /// Whether an expression is the name of a type whose statics are moments: `Date`, `DispatchTime`.
  func isClock(_ expression: Expression) -> Bool {
    guard case .name(let name) = expression.kind else { return false }
    switch name {
    case "Date", "DispatchTime", "DispatchWallTime": return find(name) == nil
    default: return false
    }
  }

  /// Whether an expression is a clock of Swift's: `ContinuousClock`, `SuspendingClock()`.
  func isSwiftClock(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name):
      return (name == "ContinuousClock" || name == "SuspendingClock") && find(name) == nil
    case .call(let call): return call.arguments.isEmpty && isSwiftClock(call.callee)
    default: return false
    }
  }

  /// `DispatchTime.now()`, `Date()` and `DispatchTimeInterval.seconds(1)` without their type, which
  /// says nothing more; nil for another call.
  func withoutClock(_ call: CallSite) -> CallSite? {
    let own: Expression
    switch call.callee.kind {
    case .name where isClock(call.callee) && call.arguments.isEmpty:
      own = arena.expression(kind: .implicitMember(words.now), range: call.callee.range)
    case .member(let member)
    where isClock(member.base)
      || isLengthType(member.base) && isWrittenLength(member.name.text, call):
      own = arena.expression(kind: .implicitMember(member.name), range: member.nameRange)
    default: return nil
    }
    return arena.node(
      Expression.Call(
        callee: own, arguments: call.arguments, closures: call.closures, range: call.range))
  }

  /// How much later than the present moment `Date(timeIntervalSinceNow: 5s)` is; nil for another call.
  func laterDate(_ call: CallSite) -> Expression? {
    guard isClock(call.callee), call.arguments.count == 1, call.closures.isEmpty,
      call.arguments[0].label == "timeIntervalSinceNow"
    else { return nil }
    return call.arguments[0].value
  }

  /// `CFRunLoopPerformBlock(loop, mode) { }` as `loop.perform(inModes: [mode]) { }`; nil for another call.
  func performOfLoop(_ name: Word, _ call: CallSite) -> CallSite? {
    guard name.text == "CFRunLoopPerformBlock", find(name) == nil, call.arguments.count >= 2,
      call.arguments[0].label == nil, call.arguments[1].label == nil
    else { return nil }
    let mode = call.arguments[1].value
    var modes = call.arguments[1]
    modes.label = words.modes
    modes.value = arena.expression(kind: .array(arena.list([mode])), range: mode.range)
    let callee = arena.node(
      Expression.MemberAccess(
        base: call.arguments[0].value, name: words.perform, nameRange: call.callee.range))
    return arena.node(
      Expression.Call(
        callee: arena.expression(kind: .member(callee), range: call.callee.range),
        arguments: arena.list([modes] + call.arguments.dropFirst(2)), closures: call.closures,
        range: call.range))
  }

  /// Whether an expression is the name of a type whose statics are lengths of time.
  private func isLengthType(_ expression: Expression) -> Bool {
    guard case .name(let name) = expression.kind, find(name) == nil else { return false }
    return name == "DispatchTimeInterval" || name == "Duration"
  }

  /// The list of names that `expression` is the name of: `QualityOfService`, `RunLoop.Mode`.
  ///
  /// It must begin with a free name.
  func family(_ expression: Expression) -> SymbolFamily? {
    let name: String
    switch expression.kind {
    case .name(let only): name = only.text
    case .member(let member):
      guard case .name(let owner) = member.base.kind else { return nil }
      name = "\(owner).\(member.name)"
    default: return nil
    }
    if classes.hiddenLists.contains(name) { return nil }
    return SymbolFamily.named(name).flatMap { $0.type == nil ? nil : $0 }
  }
}
