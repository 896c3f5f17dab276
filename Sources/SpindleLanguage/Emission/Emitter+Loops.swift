import SpindleModel

/// Loops over ranges, collections and sequences.
extension Emitter {
  func emitLoop(_ loop: Typed.Loop, _ label: String?, _ range: SourceRange) {
    let type = concrete(loop.sequence.type)
    if type.nominal?.isAsyncHandle == true { return emitAwaitedLoop(loop, label, range) }
    if let iteration = loop.iteration, !known.isCollection(type) {
      if loop.isAwaited { noteAwait() }
      return emitIteration(iteration, loop, label, range)
    }
    let outer = code.frame.next
    guard let nominal = type.nominal else { return unsupported("a loop over \(type)", range) }
    if nominal === known.range || nominal === known.closedRange {
      emitCountingLoop(loop, isClosed: nominal === known.closedRange, label, range)
    } else if nominal.builtin == .string {
      emitElements(of: characters(of: loop.sequence), loop, label, range) { $0 }
    } else if nominal.builtin == .dictionary {
      emitEntryLoop(loop, type, label, range)
    } else if nominal.builtin == .array || nominal.builtin == .set {
      var list = emit(loop.sequence)
      if isShared(loop.sequence) { list = copy(list, type, range) }
      let isSet = nominal.builtin == .set
      emitElements(of: list, loop, label, range) {
        isSet ? unwrap($0, type.arguments[0], range) : $0
      }
    } else {
      unsupported("a loop over \(type)", range)
    }
    code.frame.next = outer
  }

  /// An array with the characters of a text, which the library's text puts together.
  private func characters(of text: Typed.Expression) -> Register {
    guard let getter = table.characters else { preconditionFailure("a text has characters") }
    return emitBlockCall(
      block(of: getter, [:]), [.value(text)], result: known.array(known.string), text.range)
  }

  /// The body of a loop for an element, and the temporaries that have it, from the one with the number `given` on.
  func emitBody(
    _ loop: Typed.Loop, _ element: Register, next: Frame.Label, exit: Frame.Label,
    _ label: String?, given: (temporaries: Int, owned: Int)? = nil
  ) {
    let mark = code.frame.next
    let owned = given?.owned ?? code.frame.owned.count
    let temporaries = given?.temporaries ?? code.frame.temporaries.count
    let lives = Frame.LifeMark(symbols: code.frame.scoped.count, temporaries: temporaries)
    let range = loop.pattern.range
    code.frame.loopDepth += 1
    inScope(range) {
      let fails = isCounting ? code.frame.label() : next
      if case .local(let local) = loop.pattern.kind, !local.isVariable {
        declare(local, taking: element, range)
      } else {
        emitPattern(loop.pattern, element, fails: fails)
      }
      if let filter = loop.filter {
        jump(unless: filter, to: fails)
      }
      let held = code.frame.owned.count
      endTemporaries(from: temporaries, range)
      inLoop(label, exit: exit, next: next, lives: lives) { emitBlock(loop.body) }
      // An element that did not fit goes here, too: what the pattern owns is released.
      if isCounting { code.frame.mark(fails) }
      releaseOwners(from: owned, upTo: held, range)
    }
    code.frame.loopDepth -= 1
    code.frame.next = mark
  }

  private func emitElements(
    of list: Register, _ loop: Typed.Loop, _ label: String?, _ range: SourceRange,
    _ make: (Register) -> Register
  ) {
    let (count, index, item) = (allocate(), allocate(), allocate())
    emit(.arrayCount(count, array: list), range)
    emit(.constant(0, to: index), range)
    let (top, next, exit) = (code.frame.label(), code.frame.label(), code.frame.label())
    code.frame.mark(top)
    emit(.jumpUnlessLess(index, count, code.frame.target(exit)), range)
    emit(.arrayGet(item, array: list, index: index), range)
    emitBody(loop, make(item), next: next, exit: exit, label)
    code.frame.mark(next)
    emit(.increment(index), range)
    code.frame.jump(top, expansion ?? range)
    code.frame.mark(exit)
  }

  private func emitEntryLoop(
    _ loop: Typed.Loop, _ type: SwiftType, _ label: String?, _ range: SourceRange
  ) {
    checkKey(type.arguments[0], range)
    var entries = emit(loop.sequence)
    if isShared(loop.sequence) { entries = copy(entries, type, range) }
    let keys = allocate()
    emit(.entryKeys(keys, of: entries), range)
    emitElements(of: keys, loop, label, range) { key in
      let value = allocate()
      emit(.entryGet(value, of: entries, key: key), range)
      let held = unwrap(value, type.arguments[1], range)
      let own = unwrap(key, type.arguments[0], range)
      return makeInstance(concrete(loop.element), [own, held], range)
    }
  }

  private func emitCountingLoop(
    _ loop: Typed.Loop, isClosed: Bool, _ label: String?, _ range: SourceRange
  ) {
    let (item, limit) = bounds(of: loop.sequence, range)
    let (top, next, exit) = (code.frame.label(), code.frame.label(), code.frame.label())
    code.frame.mark(top)
    if isClosed {
      let test = allocate()
      emit(.lessOrEqual(test, item, limit), range)
      emit(.jumpUnless(test, code.frame.target(exit)), range)
    } else {
      emit(.jumpUnlessLess(item, limit, code.frame.target(exit)), range)
    }
    emitBody(loop, item, next: next, exit: exit, label)
    code.frame.mark(next)
    emit(.increment(item), range)
    code.frame.jump(top, expansion ?? range)
    code.frame.mark(exit)
  }

  /// The bounds of a range, each in a register of its own, of which the upper one is not below the lower one.
  private func bounds(
    of value: Typed.Expression, _ range: SourceRange
  ) -> (lower: Register, upper: Register) {
    let item: Register
    let limit: Register
    if case .instance(let bounds) = value.kind, bounds.count == 2 {
      item = inNext(range) { emit(bounds[0]) }
      limit = inNext(range) { emit(bounds[1]) }
      if let lower = number(bounds[0]), let upper = number(bounds[1]), lower <= upper {
        return (item, limit)
      }
    } else {
      let whole = inNext(range) { emit(value) }
      (item, limit) = (allocate(), allocate())
      emit(.fieldLoad(item, of: whole, 0), range)
      emit(.fieldLoad(limit, of: whole, 1), range)
    }
    let ordered = code.frame.label()
    let test = allocate()
    emit(.lessOrEqual(test, item, limit), range)
    emit(.jumpIf(test, code.frame.target(ordered)), range)
    crash("Range requires lowerBound <= upperBound", range)
    code.frame.mark(ordered)
    code.frame.next = Int(limit.index) + 1
    return (item, limit)
  }

  /// The number that a literal is; nil for any other expression.
  private func number(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .integer(let number), .constant(let number): number
    default: nil
    }
  }

  private func emitIteration(
    _ iteration: Typed.Iteration, _ loop: Typed.Loop, _ label: String?, _ range: SourceRange
  ) {
    let outer = code.frame.next
    declare(iteration.iterator, holding: emitOwned(iteration.make), until: .expression, range)
    let (top, exit) = (code.frame.label(), code.frame.label())
    code.frame.loopDepth += 1
    code.frame.mark(top)
    let mark = code.frame.next
    let given = (code.frame.temporaries.count, code.frame.owned.count)
    let made = emit(iteration.next)
    jump(ifNil: true, made, to: exit, range)
    emitBody(
      loop, unwrap(made, concrete(loop.element), range), next: top, exit: exit, label,
      given: given)
    code.frame.next = mark
    code.frame.jump(top, expansion ?? range)
    code.frame.loopDepth -= 1
    code.frame.mark(exit)
    code.frame.next = outer
  }
}
