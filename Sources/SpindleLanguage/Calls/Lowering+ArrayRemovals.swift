import SpindleModel

/// `a.removeFirst(n)`, `a.removeLast(n)`.
extension Lowering {
  /// Takes several elements away at one end: the array is what is left.
  ///
  /// Source: swift:stdlib/public/core/RangeReplaceableCollection.swift, and the messages of its preconditions.
  mutating func removeSeveral(_ base: Expression, _ name: String, _ call: CallSite) -> Operand {
    let place = call.place
    if isWithoutWords { return .unknown }
    let formal = Formal(label: nil, type: .integer, isOptional: false, slot: 0)
    guard checker.match([formal], call, name: name, nameRange(of: call.callee)) != nil else {
      walkStray(call)
      return .unknown
    }
    let mark = scope.count
    // What is nil has nothing to take away, and the number is not asked for.
    var (whole, target) = (base, base)
    if case .bind(let inner) = base.kind {
      _ = value(base)
      (whole, target) = (arena.expression(kind: .unwrap(inner), range: base.range), inner)
    } else if case .unwrap(let inner) = base.kind {
      target = inner
    }
    let count = frame.pinned()
    argument(call.arguments[0].value, formal, into: count)
    let given = arena.named(arena.words.word("? removed"), call.arguments[0].value.range)
    declareLocal(
      Name(word: arena.words.word("? removed"), range: given.range), .register(count), .integer)
    let (test, other) = (frame.allocate(), frame.allocate())
    emit(.constant(0, to: other), place)
    emit(.lessOrEqual(test, other, count), place)
    crash(unless: test, "Number of elements to remove should be non-negative", place)
    let all = value(arena.member(arena.words.word("count"), of: whole, place))
    emit(.lessOrEqual(test, count, register(of: all, place)), place)
    let verb = name == "removeFirst" ? "has" : "contains"
    crash(unless: test, "Can't remove more items from a collection than it \(verb)", place)
    let stretch = arena.words.word(name == "removeFirst" ? "dropFirst" : "dropLast")
    let left = arena.call(
      arena.member(stretch, of: whole, nameRange(of: call.callee)),
      [Expression.Argument(label: nil, labelRange: given.range, value: given)], at: call.range)
    lowerAssignment(target, nil, left, call.range)
    scope.close(downTo: mark)
    return .void
  }

  /// Ends the simulated process with a message of Swift's library where something does not hold.
  private mutating func crash(unless test: Register, _ message: String, _ place: SourceRange) {
    let holds = frame.label()
    emit(.jumpIf(test, frame.target(holds)), place)
    crash(message, place)
    frame.mark(holds)
  }
}
