import SpindleModel

/// Arrays in order: `sorted()`, `sorted(by:)`, `sort`, and least and greatest by a closure.
extension Lowering {
  /// `a.sorted()`, `a.sorted { $0 > $1 }`, `a.sorted(by: >)`: stable, as Swift's is.
  ///
  /// Each element goes behind those that it is not in front of, found by halving: n log n comparisons.
  mutating func sorted(_ array: Register, _ element: ValueType, _ call: CallSite) -> Operand {
    let place = call.place
    guard let body = order(element, call, "sorted") else { return .unknown }
    let result = frame.allocate()
    emit(.arrayMake(result, base: result, count: 0), place)
    if let kind = lifeKind(.array(element)) { emit(.countElements(result, kind), place) }
    let owner = growing(result, place)
    eachElement(of: array, place) { lowering, item, _, _ in
      let index = lowering.position(of: item, in: result, element, body, place)
      lowering.emit(.arrayInsert(result, index: index, value: item), place)
    }
    frame.next = Int(result.index) + 1
    return grown(result, owner, element)
  }

  /// What says which of two comes first.
  private enum Order {
    case ascending
    case body(ElementBody)
  }

  private mutating func order(
    _ element: ValueType, _ call: CallSite, _ name: String
  ) -> Order? {
    guard call.arguments.isEmpty && call.closures.isEmpty else {
      return elementBody(call, "by", [element, element], .boolean).map { .body($0) }
    }
    guard element.isOrdered || element == .string || element.isUnknown else {
      if !checker.unordered.contains("\(element)") {
        error(Messages.noOrder("\(element)"), nameRange(of: call.callee))
      }
      return nil
    }
    return .ascending
  }

  /// Where an element belongs among those that are in order.
  private mutating func position(
    of item: Register, in sorted: Register, _ element: ValueType, _ order: Order,
    _ place: SourceRange
  ) -> Register {
    let (low, high, middle) = (frame.allocate(), frame.allocate(), frame.allocate())
    let (probe, two) = (frame.allocate(), frame.allocate())
    let (top, right, exit) = (frame.label(), frame.label(), frame.label())
    emit(.constant(0, to: low), place)
    emit(.constant(2, to: two), place)
    emit(.arrayCount(high, array: sorted), place)
    frame.mark(top)
    emit(.jumpUnlessLess(low, high, frame.target(exit)), place)
    emit(.add(middle, low, high), place)
    emit(.divide(middle, middle, two), place)
    emit(.arrayGet(probe, array: sorted, index: middle), place)
    frame.loopDepth += 1
    let test = isBefore(item, probe, element, order, place)
    frame.loopDepth -= 1
    emit(.jumpUnless(test, frame.target(right)), place)
    emit(.copy(high, from: middle), place)
    frame.jump(top, place)
    frame.mark(right)
    emit(.copy(low, from: middle), place)
    emit(.increment(low), place)
    frame.jump(top, place)
    frame.mark(exit)
    return low
  }

  private mutating func isBefore(
    _ first: Register, _ second: Register, _ element: ValueType, _ order: Order,
    _ place: SourceRange
  ) -> Register {
    switch order {
    case .body(let body):
      register(of: run(body, [(first, element), (second, element)], .boolean), place)
    case .ascending where element == .string: textIsBefore(first, second, place)
    case .ascending:
      less(first, second, place)
    }
  }

  private mutating func less(_ first: Register, _ second: Register, _ place: SourceRange)
    -> Register
  {
    let test = frame.allocate()
    emit(.less(test, first, second), place)
    return test
  }

  /// Whether a text comes before another, as Swift orders them.
  mutating func textIsBefore(_ first: Register, _ second: Register, _ place: SourceRange)
    -> Register
  {
    let base = frame.allocate(2)
    emit(.copy(base, from: first), place)
    emit(.copy(Register(Int(base.index) + 1), from: second), place)
    emit(.perform(.doing(.textIsBefore), base: base, noSite), place)
    return base
  }

  /// `a.sort()`, `a.sort(by:)`: what `a = a.sorted()` does.
  mutating func sortInPlace(_ base: Expression, _ call: CallSite) -> Operand {
    let member = Expression.MemberAccess(
      base: base, name: words.sorted, nameRange: nameRange(of: call.callee))
    let sorted = arena.node(
      Expression.Call(
        callee: arena.expression(kind: .member(arena.node(member)), range: call.callee.range),
        arguments: call.arguments, closures: call.closures, range: call.range))
    lowerAssignment(base, nil, arena.expression(kind: .call(sorted), range: call.range), call.range)
    return .void
  }

  /// `a.min()`, `a.max()`, `a.max { $0.size < $1.size }`.
  mutating func extreme(
    _ name: String, _ array: Register, _ element: ValueType, _ call: CallSite
  ) -> Operand {
    guard let order = order(element, call, name) else { return .unknown }
    let place = call.place
    let result = frame.allocate()
    emit(.constant(noValue, to: result), place)
    eachElement(of: array, place) { lowering, item, _, _ in
      let (take, next) = (lowering.frame.label(), lowering.frame.label())
      lowering.jump(ifMissing: result, to: take, place)
      // Of equals both give the first, as Swift's do.
      let test =
        name == "min"
        ? lowering.isBefore(item, result, element, order, place)
        : lowering.isBefore(result, item, element, order, place)
      lowering.emit(.jumpUnless(test, lowering.frame.target(next)), place)
      lowering.frame.mark(take)
      lowering.emit(.copy(result, from: item), place)
      lowering.frame.mark(next)
    }
    frame.next = Int(result.index) + 1
    return shared(.register(result, .optional(element)), place)
  }
}
