import SpindleModel

/// Arrays within arrays, whose rows are changed where they are: `rows[next()][0] = x`, `rows[rows.count - 1].append(x)`.
///
/// A row is changed as a copy that is put back, so that what leads there is come to twice: it is evaluated once, in front.
extension Lowering {
  /// Calls what changes a row whose index is more than a name; nil for anything else.
  mutating func changeRow(
    _ base: Expression, _ name: Word, _ nameRange: SourceRange, _ call: CallSite, _ naming: Naming,
    isUsed: Bool, target: Register?
  ) -> Operand? {
    guard isRow(base), Lowering.arrayChanges.contains(name.text), !isRepeatable(base) else {
      return nil
    }
    let mark = scope.count
    let row = steadyRow(base)
    guard isRepeatable(row) else {
      scope.close(downTo: mark)
      walkStray(call)
      return refuse(Messages.repeatedPlace, base.range)
    }
    let callee = arena.member(name, of: row, nameRange)
    let changed = arena.node(
      Expression.Call(
        callee: callee, arguments: call.arguments, closures: call.closures, range: call.range))
    guard case .member(let member) = callee.kind else { return nil }
    let made = callMember(member, changed, naming, isUsed: isUsed, target: target)
    scope.close(downTo: mark)
    return made
  }

  /// Sets an element of a row, where its indices or the right side are more than names; false for anything else.
  mutating func setInRow(
    _ access: Expression.ElementAccess, _ operation: Expression.InfixOperator?,
    _ expression: Expression, _ range: SourceRange
  ) -> Bool {
    guard isRow(access.base), case .arrayOf(let element)? = placeType(access.base),
      !(isRepeatable(access.base) && isQuiet(access.index) && isQuiet(expression))
    else { return false }
    let mark = scope.count
    let row = steadyRow(access.base)
    let index = steadyIndex(access.index, .integer)
    let right = quiet(given(expression, operation, to: element.type), element.type)
    guard isRepeatable(row) else {
      scope.close(downTo: mark)
      error(Messages.repeatedPlace, access.base.range)
      return true
    }
    let changed = Expression.ElementAccess(base: row, index: index)
    lowerAssignment(
      arena.expression(kind: .element(arena.node(changed)), range: range), operation, right, range)
    scope.close(downTo: mark)
    return true
  }

  /// Whether a place is an array that is an element of another one.
  private mutating func isRow(_ place: Expression) -> Bool {
    guard case .element(let outer) = place.kind, outer.fallback == nil,
      case .arrayOf? = placeType(outer.base), case .arrayOf? = placeType(place)
    else { return false }
    return true
  }

  /// A row with all its indices evaluated, and what has the array of rows.
  private mutating func steadyRow(_ place: Expression) -> Expression {
    guard case .element(let access) = place.kind else { return steadyOwner(place) }
    let base = steadyRow(access.base)
    return step(place, from: base, index: steadyIndex(of: place))
  }
}
