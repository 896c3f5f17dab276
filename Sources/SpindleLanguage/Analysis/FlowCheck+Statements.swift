import SpindleModel

/// The ways through statements.
extension FlowCheck {
  mutating func check(_ statements: [Typed.Statement]) {
    for statement in statements { check(statement) }
  }

  mutating func check(_ statement: Typed.Statement) {
    switch statement.kind {
    case .expression(let value), .discard(let value):
      check(value)
      if value.type.nominal?.builtin == .never { state.isReachable = false }
    case .binding(let pattern, let value, _):
      check(value)
      check(pattern)
    case .declaration(let local): declare(local)
    case .asyncLet(_, let closure, _): check(closure)
    case .assignment(let place, let value): checkAssignment(place, value)
    case .tupleAssignment(let places, let value):
      check(value)
      for case let place? in places { checkAssigned(place) }
    case .if(let conditions, let body, let otherwise):
      let failing = check(conditions)
      check(body)
      let behind = state
      state = failing
      check(otherwise)
      state.join(behind)
    case .guard(let conditions, let otherwise):
      let failing = check(conditions)
      let behind = state
      state = failing
      check(otherwise)
      if state.isReachable {
        let end = Int(statement.range.upperBound)
        report(Messages.guardFallsThrough, SourceRange(end - 1, end))
      }
      state = behind
    case .while(let conditions, let body, let label):
      checkLoop(label) { flow in
        let failing = flow.check(conditions)
        flow.check(body)
        return flow.isAlways(conditions) ? nil : failing
      }
    case .repeatWhile(let body, let condition, let label):
      checkRepeat(body, condition, label)
    case .forIn(let loop, let label): check(loop, label)
    case .switch(let selection, let label): check(selection, label)
    case .block(let body, let label):
      targets.append(Target(label: label, isLoop: false))
      check(body)
      leaveTarget()
    case .several(let inner): check(inner)
    case .break(let label): leave(label, isBreak: true, statement.range)
    case .continue(let label): leave(label, isBreak: false, statement.range)
    case .fallthrough: checkFallthrough(statement.range)
    case .return(let value):
      checkReturn(value, statement.range)
    case .throw(let value):
      check(value)
      atThrows.join(state)
      state.isReachable = false
    case .defer(let body): checkDefer(body)
    case .doCatch(let body, let catches, _, let label): check(body, catches, label)
    case .localFunction(let function): check(function)
    }
  }

  private mutating func checkReturn(_ value: Typed.Expression?, _ range: SourceRange) {
    if let value { check(value) }
    if isInDefer { report(Messages.leavesDefer("return"), range) }
    // An `init?` that fails gives its properties no values.
    if state.isReachable, initializer == nil || value == nil { atReturns.append(state) }
    state.isReachable = false
  }

  /// The body of a `defer`, which runs behind what follows, on each way out: what it assigns says nothing of those.
  private mutating func checkDefer(_ body: [Typed.Statement]) {
    let before = (state, targets, atReturns)
    (targets, atReturns, isInDefer) = ([], [], true)
    check(body)
    (state, targets, atReturns) = before
    isInDefer = false
  }

  // MARK: Conditions

  /// Goes through conditions: `state` is where all hold, the result is where one fails.
  private mutating func check(_ conditions: [Typed.Condition]) -> State {
    var failing = State()
    failing.isReachable = false
    for condition in conditions {
      switch condition {
      case .expression(let value): check(value)
      case .pattern(let pattern, let value):
        check(value)
        check(pattern)
      }
      failing.join(state)
    }
    if conditions.isEmpty { failing.join(state) }
    if isAlways(conditions) { failing.isReachable = false }
    return failing
  }

  private func isAlways(_ conditions: [Typed.Condition]) -> Bool {
    conditions.allSatisfy { condition in
      if case .expression(let value) = condition, case .constant(1) = value.kind { return true }
      return false
    }
  }

  // MARK: Loops

  /// A loop: `body` goes through it once and gives what holds where its condition fails.
  private mutating func checkLoop(
    _ label: String?, _ body: (inout FlowCheck) -> State?
  ) {
    let entry = state
    var after = State()
    for round in 0..<2 {
      after = State()
      after.isReachable = false
      targets.append(Target(label: label, isLoop: true))
      let failing = body(&self)
      let target = targets.removeLast()
      if let failing { after.join(failing) }
      if let atBreak = target.atBreak { after.join(atBreak) }
      var back = state
      if let atContinue = target.atContinue { back.join(atContinue) }
      guard round == 0 else { break }
      // From its end a loop goes on at its beginning.
      let certain = entry.certain
      state = entry
      state.join(back)
      state.certain = certain
      state.isReachable = entry.isReachable
    }
    state = after
  }

  private mutating func checkRepeat(
    _ body: [Typed.Statement], _ condition: Typed.Expression, _ label: String?
  ) {
    checkLoop(label) { flow in
      flow.check(body)
      let last = flow.targets.count - 1
      if let atContinue = flow.targets[last].atContinue { flow.state.join(atContinue) }
      flow.check(condition)
      if case .constant(1) = condition.kind { return nil }
      return flow.state
    }
  }

  private mutating func check(_ loop: Typed.Loop, _ label: String?) {
    check(loop.sequence)
    if let iteration = loop.iteration { check(iteration.make) }
    checkLoop(label) { flow in
      let failing = flow.state
      flow.check(loop.pattern)
      if let filter = loop.filter { flow.check(filter) }
      flow.check(loop.body)
      return failing
    }
  }

  // MARK: Choices

  private mutating func check(_ selection: Typed.Selection, _ label: String?) {
    check(selection.subject)
    let entry = state
    targets.append(Target(label: label, isLoop: false, isSelection: true))
    var after = State()
    after.isReachable = false
    var falling: State?
    for (index, one) in selection.cases.enumerated() {
      state = entry
      for item in one.items {
        check(item.pattern)
        if let filter = item.filter { check(filter) }
      }
      if let falling { state.join(falling) }
      falling = nil
      let falls = one.body.last.map { if case .fallthrough = $0.kind { true } else { false } }
      if falls == true {
        check(Array(one.body.dropLast()))
        falling = state
        if let last = one.body.last {
          checkFall(from: one, to: selection.cases.dropFirst(index + 1).first, last.range)
        }
      } else {
        check(one.body)
        after.join(state)
      }
    }
    let target = targets.removeLast()
    if let atBreak = target.atBreak { after.join(atBreak) }
    state = after
  }

  private mutating func checkFallthrough(_ range: SourceRange) {
    if !targets.contains(where: \.isSelection) { report(Messages.fallsOutside, range) }
    state.isReachable = false
  }

  private func checkFall(
    from one: Typed.Selection.Case, to next: Typed.Selection.Case?, _ range: SourceRange
  ) {
    guard let next else { return report(Messages.fallsOut, range) }
    let own = one.items.flatMap { $0.pattern.names }
    if let name = next.items.flatMap({ $0.pattern.names }).first(where: { !own.contains($0) }) {
      report(Messages.fallsIntoNames(name), range)
    }
  }

  private mutating func check(
    _ body: [Typed.Statement], _ catches: [Typed.Catch], _ label: String?
  ) {
    let entry = state
    targets.append(Target(label: label, isLoop: false))
    let outer = atThrows
    atThrows = State()
    atThrows.isReachable = false
    check(body)
    var after = state
    // An error comes from a call that throws, or a 'throw'; where nothing does, from nowhere.
    var thrown = atThrows
    if !thrown.isReachable {
      thrown = entry
      thrown.possible.formUnion(state.possible)
    }
    atThrows = outer
    if !catches.contains(where: \.catchesAll) { atThrows.join(thrown) }
    for one in catches {
      state = thrown
      for item in one.items {
        check(item.pattern)
        if let filter = item.filter { check(filter) }
      }
      check(one.body)
      after.join(state)
    }
    let target = targets.removeLast()
    if let atBreak = target.atBreak { after.join(atBreak) }
    state = after
  }

  private mutating func leaveTarget() {
    if let atBreak = targets.removeLast().atBreak { state.join(atBreak) }
  }

  private mutating func leave(_ label: String?, isBreak: Bool, _ range: SourceRange) {
    let found = targets.lastIndex { target in
      if let label { return target.label == label && (isBreak || target.isLoop) }
      return target.isLoop || isBreak && target.isSelection
    }
    guard let found else {
      let word = isBreak ? "break" : "continue"
      if isInDefer { return report(Messages.leavesDefer(word), range) }
      report(label.map { Messages.unknownLabel($0) } ?? Messages.outsideLoop(word), range)
      state.isReachable = false
      return
    }
    if state.isReachable {
      if isBreak {
        join(state, into: &targets[found].atBreak)
      } else {
        join(state, into: &targets[found].atContinue)
      }
    }
    state.isReachable = false
  }

  private func join(_ state: State, into target: inout State?) {
    if target == nil { target = state } else { target?.join(state) }
  }
}
