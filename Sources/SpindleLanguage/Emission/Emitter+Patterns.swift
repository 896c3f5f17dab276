import SpindleModel

/// Errors, `switch` and patterns.
extension Emitter {
  func emitDo(
    _ body: [Typed.Statement], _ catches: [Typed.Catch], _ error: Typed.Local?, _ label: String?,
    _ range: SourceRange
  ) {
    let outer = code.frame.next
    let exit = code.frame.label()
    let thrown = allocate()
    let (start, throwing) = (code.frame.code.count, code.frame.throwing)
    let (awaits, owned) = (code.frame.awaitCount, code.frame.owned.count)
    inLoop(label, exit: exit, next: exit, isLoop: false, endsBreak: false) { emitBlock(body) }
    let end = code.frame.code.count
    code.frame.jump(exit, expansion ?? range)
    guard code.frame.throwing > throwing, end > start else {
      code.frame.mark(exit)
      code.frame.next = outer
      return
    }
    code.frame.throwing = throwing
    let origin = allocate()
    code.frame.catchHere(start: start, end: end, error: thrown, origin: origin)
    goHome(behind: awaits, range)
    releaseOwners(from: owned, range)
    if let error {
      storages[ObjectIdentifier(error)] = .register(
        thrown, depth: code.depth, symbol: symbol(thrown, nil))
    }
    var isTaken = false
    for one in catches where !isTaken {
      let next = code.frame.label()
      if one.items.isEmpty { isTaken = true }
      let (mark, before) = (code.frame.scoped.count, code.frame.owned.count)
      emitItems(one.items, thrown, fails: next)
      let held = code.frame.owned.count
      if one.items.contains(where: { $0.filter == nil && takesAll($0.pattern) }) { isTaken = true }
      inLoop(label, exit: exit, next: exit, isLoop: false, endsBreak: false) {
        emitBlock(one.body)
      }
      endScope(from: mark, range)
      code.frame.jump(exit, expansion ?? range)
      code.frame.mark(next)
      if code.frame.isReachable { releaseOwners(from: before, upTo: held, range) }
    }
    if !isTaken {
      emit(.rethrow(thrown, from: origin), range)
      code.frame.noteThrow()
      code.frame.isReachable = false
    }
    code.frame.mark(exit)
    code.frame.next = outer
  }

  func takesAll(_ pattern: Typed.Pattern) -> Bool {
    switch pattern.kind {
    case .any, .local: true
    case .tuple(let parts): parts.allSatisfy(takesAll)
    default: false
    }
  }

  // MARK: Switch

  func emitSwitch(
    _ selection: Typed.Selection, _ label: String?, _ range: SourceRange
  ) {
    let outer = code.frame.next
    let before = code.frame.temporaries.count
    let given = emitOwned(selection.subject)
    let kind = takesRest(selection.cases.last) ? lifeKind(concrete(selection.subject.type)) : nil
    let value = kind.map(temporary) ?? allocate()
    if let kind {
      emit(.retain(value, from: given, kind), range)
      releaseTemporaries(from: before, but: value, range)
    } else {
      emit(.copy(value, from: given), range)
    }
    let exit = code.frame.label()
    let bodies = selection.cases.map { _ in code.frame.label() }
    var isFallenInto = false
    for (index, one) in selection.cases.enumerated() {
      let next = code.frame.label()
      let (lives, owned) = (lifeMark, code.frame.owned.count)
      if !one.isDefault { emitItems(one.items, value, fails: next) }
      let held = code.frame.owned.count
      code.frame.mark(bodies[index])
      // A case with one pattern keeps the whole value where the last case takes all the rest.
      let keeps = kind != nil && one.items.count == 1 && index + 1 < bodies.count && !isFallenInto
      if !keeps { releaseTemporaries(from: before, range) }
      isFallenInto = inLoop(label, exit: exit, next: exit, isLoop: false, lives: lives) {
        if index + 1 < bodies.count {
          code.frame.loops[code.frame.loops.count - 1].following = bodies[index + 1]
        }
        emitBlock(one.body)
      }
      endScope(from: lives.symbols, range)
      code.frame.jump(exit, expansion ?? range)
      code.frame.mark(next)
      if code.frame.isReachable { releaseOwners(from: owned, upTo: held, range) }
    }
    if code.frame.isReachable, !selection.cases.contains(where: \.isDefault) {
      crash("no case of this 'switch' takes the value", range)
    }
    code.frame.mark(exit)
    code.frame.next = outer
  }

  /// Whether a case takes all that is left, so that each one in front of it that has one pattern keeps the whole value until
  /// it ends: else a case has what it binds, and the rest is released in front of it.
  ///
  /// Run with Swift 6.3.1, with and without `-O`.
  private func takesRest(_ last: Typed.Selection.Case?) -> Bool {
    guard let last else { return false }
    if last.isDefault { return true }
    return last.items.count == 1 && last.items[0].filter == nil && takesAll(last.items[0].pattern)
  }

  /// The patterns of one case, any of which may fit.
  private func emitItems(
    _ items: [(pattern: Typed.Pattern, filter: Typed.Expression?)], _ value: Register,
    fails: Frame.Label
  ) {
    let fits = code.frame.label()
    // Several patterns bind the same names: these have one register each.
    for (index, item) in items.enumerated() {
      let isLast = index == items.count - 1
      let next = isLast ? fails : code.frame.label()
      emitPattern(item.pattern, value, fails: next, isShared: index > 0)
      if let filter = item.filter {
        jump(unless: filter, to: next)
      }
      if !isLast {
        code.frame.jump(fits, expansion ?? item.pattern.range)
        code.frame.mark(next)
      }
    }
    code.frame.mark(fits)
  }

  // MARK: Patterns

  /// Goes on where a value fits a pattern, whose names it binds; else jumps.
  func emitPattern(
    _ pattern: Typed.Pattern, _ value: Register, fails: Frame.Label, isShared: Bool = false
  ) {
    let range = pattern.range
    let type = concrete(pattern.type)
    switch pattern.kind {
    case .any: break
    case .local(let local):
      if isShared, case .register(let known, _, _)? = storages[ObjectIdentifier(local)] {
        if let kind = lifeKind(of: local) {
          emit(.retain(known, from: value, kind), range)
        } else {
          emit(.copy(known, from: value), range)
        }
      } else {
        let isCopied = local.isVariable && isCollection(type)
        declare(local, holding: isCopied ? copy(value, type, range) : value, range)
      }
    case .tuple(let parts):
      for (index, part) in parts.enumerated() {
        let register = allocate()
        emit(.fieldLoad(register, of: value, Int32(index)), range)
        emitPattern(part, register, fails: fails, isShared: isShared)
      }
    case .enumCase(let one, let parts):
      let test = constant(intern(one.name), range)
      if isPlainEnum(type) {
        emit(.equal(test, test, value), range)
      } else {
        let name = allocate()
        emit(.fieldLoad(name, of: value, 0), range)
        emit(.equal(test, test, name), range)
      }
      emit(.jumpUnless(test, code.frame.target(fails)), range)
      for (index, part) in (parts ?? []).enumerated() {
        let register = allocate()
        emit(.fieldLoad(register, of: value, firstField(of: one) + Int32(index)), range)
        emitPattern(part, register, fails: fails, isShared: isShared)
      }
    case .some(let inner):
      jump(ifNil: true, value, to: fails, range)
      emitPattern(
        inner, unwrap(value, type.wrapped ?? .error, range), fails: fails, isShared: isShared)
    case .none: jump(ifNil: false, value, to: fails, range)
    case .isType(let other): _ = casted(value, type, concrete(other), fails, range)
    case .asType(let inner, let other):
      let made = casted(value, type, concrete(other), fails, range)
      emitPattern(inner, made, fails: fails, isShared: isShared)
    case .test(let test, let subject):
      declare(subject, holding: value, until: .expression, range)
      jump(unless: test, to: fails)
    case .symbol(_, let name):
      let test = constant(intern(name), range)
      emit(.equal(test, test, value), range)
      emit(.jumpUnless(test, code.frame.target(fails)), range)
    }
  }

  private func casted(
    _ value: Register, _ from: SwiftType, _ to: SwiftType, _ fails: Frame.Label,
    _ range: SourceRange
  ) -> Register {
    if from == to { return value }
    if from == .any, case .existential(let protocols) = to,
      protocols.contains(known.errorProtocol)
    {
      let made = error(inAny: held(value, .any, range), protocols, range)
      jump(ifNil: true, made, to: fails, range)
      return made
    }
    if isBoxing(from.unwrappedFully), !isInstance(to), !isExistential(to) {
      return emitUnboxed(value, as: to, missing: fails, range)
    }
    guard case .existential(let protocols) = from, protocols.contains(known.errorProtocol) else {
      guard let types = classes(castTo: to) else {
        unsupported("a pattern with the type \(to)", range)
        return value
      }
      let found = code.frame.label()
      jump(to: found, ifOneOf: types, value, range)
      code.frame.jump(fails, expansion ?? range)
      code.frame.mark(found)
      return value
    }
    let made = errorValue(value, as: to, range)
    jump(ifNil: true, made, to: fails, range)
    return made
  }
}
