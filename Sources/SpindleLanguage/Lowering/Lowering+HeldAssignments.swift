import SpindleModel

/// `n! += 1`, `n? = 2`: assignments to what an optional variable or property has.
extension Lowering {
  /// Sets what `inner` has, where `target` is `inner!` or `inner?`; false where that is no place.
  ///
  /// Where it is nil, `inner!` crashes, and `inner?` leaves the right side alone.
  mutating func assignHeld(
    in inner: Expression, by target: Expression, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) -> Bool {
    switch plain(inner).kind {
    case .name, .member, .element: break
    default: return false
    }
    guard isRepeatable(inner) else { return false }
    let (next, temporaries) = (frame.next, frame.temporaries.count)
    let present = value(inner)
    guard case .optionalOf(let held) = present.type else {
      if present.type.isUnknown {
        _ = value(expression, expecting: .unknown)
        return true
      }
      return false
    }
    if case .bind = target.kind {
      guard let exit = chainExits.last else { return false }
      jump(ifMissing: register(of: present, range), to: exit, range)
    } else if operation == nil {
      _ = unwrap(present, inner.range)
    }
    releaseUsed(for: .void, from: temporaries, range)
    frame.next = next
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    let right =
      isQuiet(expression) ? expression : assignedFirst(expression, operation, held.type)
    guard let operation else {
      lowerAssignment(inner, nil, right, range)
      return true
    }
    let whole = arena.expression(kind: .unwrap(inner), range: inner.range)
    let sides = Expression.Sides(left: whole, right: right, operatorRange: range)
    lowerAssignment(
      inner, nil, arena.expression(kind: .infix(operation, arena.node(sides)), range: range), range)
    return true
  }
}
