import SpindleModel

/// Changes that pass something that is computed or observed: `model.frame.width = 3`, `model.list.append(x)`.
///
/// As in Swift, objects and indices on the way come first, then what is given, and only then the access begins: what is
/// computed is read, changed and set, each once. An error on the way sets it, too; a `didSet` alone is not called then: run
/// with Swift 6.3.1.
extension Lowering {
  /// An assignment to a part of what is computed or observed; whether it was one.
  mutating func assignThrough(
    _ target: Expression, _ operation: Expression.InfixOperator?, _ expression: Expression,
    _ range: SourceRange
  ) -> Bool {
    if case .chain = target.kind { return false }
    let mark = scope.count
    if let steady = withSteadyObject(target, from: 2) {
      lowerAssignment(steady, operation, expression, range)
      closeScope(downTo: mark)
      return true
    }
    guard statics.hasPassages else { return false }
    guard let passage = passage(in: target), passage.depth > 0 else { return false }
    let owner = passage.owner.map { steadyOwner($0) }
    var (target, given) = (target, expression)
    if !endsEarly(target, passage.depth) {
      target = steadyIndices(of: target, passage.depth)
      given = self.given(expression, operation, to: placeType(target))
    }
    _ = change(passage, of: owner, target, range) { lowering, place in
      lowering.lowerAssignment(place, operation, given, range)
      return .void
    }
    closeScope(downTo: mark)
    return true
  }

  /// A call that changes what is computed or observed, or a part of it; nil for any other.
  mutating func callThrough(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite, isUsed: Bool, target: Register?
  ) -> Operand? {
    callThrough(member, call) { lowering, call in
      lowering.lowerCall(call, isUsed: isUsed, expecting: nil, target: target)
    }
  }

  /// The same of what is made of the call.
  mutating func callThrough(
    _ member: Node<Expression.MemberAccess>, _ call: CallSite,
    _ body: (inout Lowering, CallSite) -> Operand
  ) -> Operand? {
    guard statics.hasPassages || !isNameAlone(member.base) && runsCode(member.base),
      let type = placeType(member.base),
      let changes = changes(member.name, type, call)
    else { return nil }
    let mark = scope.count
    if let steady = withSteadyObject(member.base, from: 1) {
      let callee = arena.member(member.name, of: steady, member.nameRange)
      let made = body(&self, renamed(call, callee))
      closeScope(downTo: mark)
      return made
    }
    guard let passage = passage(in: member.base) else { return nil }
    let owner = passage.owner.map { steadyOwner($0) }
    var (base, call) = (member.base, call)
    if !endsEarly(base, passage.depth) {
      base = steadyIndices(of: base, passage.depth)
      call = self.given(call, changes)
    }
    let made = change(passage, of: owner, base, call.place) { lowering, place in
      let callee = lowering.arena.member(member.name, of: place, member.nameRange)
      return body(&lowering, lowering.renamed(call, callee))
    }
    closeScope(downTo: mark)
    return made
  }

  // MARK: The change

  private mutating func change(
    _ passage: Passage, of owner: Expression?, _ place: Expression, _ range: SourceRange,
    _ body: (inout Lowering, Expression) -> Operand
  ) -> Operand {
    let part =
      owner.map { arena.member(passage.name, of: $0, passage.range) }
      ?? arena.named(passage.name, passage.range)
    let exit = endsEarly(place, passage.depth) ? frame.label() : nil
    let errors = checker.diagnosis.count
    let start: Int
    let throwing = frame.throwing
    var copy: Expression?
    let made: Operand
    if let exit { chainExits.append(exit) }
    switch passage.kind {
    case .copied:
      if exit != nil { chainExits.removeLast() }
      let name = declarePart(part)
      if let exit { chainExits.append(exit) }
      copy = name
      start = frame.code.count
      made = body(&self, replaced(place, passage.depth, by: name))
    case .inPlace(let index):
      start = frame.code.count
      unobserved.append(Unobserved(index: index, name: passage.name, depth: depth))
      made = body(&self, replaced(place, passage.depth, by: part))
      unobserved.removeLast()
    }
    if exit != nil { chainExits.removeLast() }
    if checker.diagnosis.hasErrors(since: errors) {
      if let exit { frame.mark(exit) }
      return made
    }
    keepFree(made)
    end(passage, of: owner, part, copy, exit, start: start, throwing: throwing, range)
    return made
  }

  /// Leaves the register of a value alone from now on.
  mutating func keepFree(_ made: Operand) {
    guard case .register(let register) = made.location, !frame.isPinned(register) else { return }
    frame.next = max(frame.next, Int(register.index) + 1)
  }

  /// Behind the change, or where it is left early: what was read is set, or its `didSet` is called.
  private mutating func end(
    _ passage: Passage, of owner: Expression?, _ part: Expression, _ copy: Expression?,
    _ exit: Frame.Label?, start: Int, throwing: Int, _ range: SourceRange
  ) {
    let next = frame.next
    func finish(_ lowering: inout Lowering) {
      if let copy {
        lowering.lowerAssignment(part, nil, copy, range)
      } else {
        lowering.callDidSet(of: passage, owner, range)
      }
      lowering.frame.next = next
    }
    if copy == nil {
      finish(&self)
    } else {
      endScope(start: start, throwing: throwing, range, normal: finish, thrown: finish)
    }
    frame.next = next
    guard let exit else { return }
    let after = frame.label()
    frame.jump(after, range)
    frame.mark(exit)
    finish(&self)
    if case .name(let name)? = copy?.kind, let index = find(name), let own = scope[index].owner {
      emit(.release(own.register, own.kind), range)
    }
    if let outer = chainExits.last { frame.jump(outer, range) }
    frame.mark(after)
  }

  /// Reads what is computed or observed into a `var` that no trace can name.
  private mutating func declarePart(_ part: Expression) -> Expression {
    let range = part.range
    var made = value(part)
    made.isVariable = true
    let copy = kept(made, isVariable: true)
    let owner = keeper(of: copy, range)
    let register = owner?.register ?? frame.pinned()
    if owner == nil {
      place(copy, in: register, range)
    }
    // Only the name holds it now.
    if owner != nil { letGo(of: copy, range) }
    return declare(.variable(register), made.type, range, owner)
  }

  // MARK: What changes

  /// What a member that changes a value of this type is given; nil for one that changes nothing.
  private mutating func changes(_ name: Word, _ type: ValueType, _ call: CallSite) -> [Formal]? {
    func formals(_ wanted: [(Label?, ValueType)]) -> [Formal] {
      wanted.enumerated().map {
        Formal(label: $1.0, type: $1.1, isOptional: false, slot: $0)
      }
    }
    switch type {
    case .arrayOf(let node):
      guard Lowering.arrayChanges.contains(name.text) else { return nil }
      switch (name.text, call.arguments.first?.label?.text) {
      case ("append", nil): return formals([(nil, node.type)])
      case ("append", _): return formals([("contentsOf", type)])
      case ("insert", _): return formals([(nil, node.type), ("at", .integer)])
      case ("remove", _): return formals([("at", .integer)])
      case ("swapAt", _): return formals([(nil, .integer), (nil, .integer)])
      default: return formals(call.arguments.map { ($0.label.map { Label($0) }, .integer) })
      }
    case .dictionaryOf(let types):
      switch name.text {
      case "removeValue": return formals([("forKey", types.parameters[0])])
      case "updateValue": return formals([(nil, types.result), ("forKey", types.parameters[0])])
      case "removeAll": return []
      default: return nil
      }
    case .setOf(let element):
      switch name.text {
      case "insert", "remove": return formals([(nil, element.type)])
      case "removeAll": return []
      default: return nil
      }
    case .boolean: return name == "toggle" ? [] : nil
    case .instance(let className):
      return mutatingFormals(name, checker.classes.index(of: className), call)
    case .choice(let className):
      return checker.classes.members(ofEnum: className).flatMap { mutatingFormals(name, $0, call) }
    default: return nil
    }
  }

  private mutating func mutatingFormals(_ name: Word, _ index: Int, _ call: CallSite) -> [Formal]? {
    let named = checker.classes[index].methods.filter { $0.name == name }.map(\.ordinal)
    let meant = named.first { checker.fits(functions[$0].formals, call) } ?? named.first
    guard let meant, checker.mutating.contains(meant),
      !checker.classes[index].methods.contains(where: {
        $0.ordinal == meant && $0.name.text.contains(" ")
      })
    else { return nil }
    return functions[meant].formals
  }
}

/// A `var` that is changed where it is: its observer is called later.
struct Unobserved {
  var index: Int
  var name: Word
  var depth: Int
}
