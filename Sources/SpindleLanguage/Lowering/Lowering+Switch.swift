import SpindleModel

/// `switch`, and what its cases compare with.
extension Lowering {
  mutating func lowerSwitch(_ selection: Statement.Selection, label: Word?) {
    if !selection.rest.isEmpty { return lowerTupleSwitch(selection, label: label) }
    let (mark, outerStart) = (scope.count, blockStart)
    let before = frame.temporaries.count
    let made = value(selection.value, expecting: presence(of: selection.value))
    let owner =
      takesRest(selection.cases.last) ? keeper(of: made, selection.value.range) : nil
    let owners = owner.map { [$0] } ?? []
    let subject = declareSubject(made, owner: owner, selection.value.range)
    if owner != nil || lifeKind(made.type) == nil {
      // A number or a text that something gave does not need it any more.
      releaseTemporaries(from: before, selection.value.range)
    }
    blockStart = scope.count
    let exit = frame.label()
    let bodies = selection.cases.map { _ in frame.label() }
    let isComplete = checkCases(selection, made.type)
    var otherwise = exit
    let last = selection.cases.count - 1
    for (index, each) in selection.cases.enumerated() {
      if each.patterns.isEmpty {
        otherwise = bodies[index]
      } else if index == last && isComplete == .byCases {
        // Whatever comes here is of this case: each pattern is still looked at for its mistakes.
        for pattern in each.patterns { test(pattern, subject, to: bodies[index]) }
        otherwise = bodies[index]
      } else {
        for pattern in each.patterns { test(pattern, subject, to: bodies[index]) }
      }
    }
    frame.jump(otherwise, selection.value.range)
    lowerCases(selection, bodies, exit: exit, label, owners) { lowering, pattern, range in
      if let pattern { lowering.declareNames(pattern, subject, holds: true) }
      if owner == nil { lowering.releaseTemporaries(from: before, range) }
    }
    scope.close(downTo: mark)
    blockStart = outerStart
  }

  /// The bodies of the cases; `owners` have what is looked at, where a case may keep that.
  ///
  /// One with several patterns, the last one, and one that another falls into keep nothing.
  mutating func lowerCases(
    _ selection: Statement.Selection, _ bodies: [Frame.Label], exit: Frame.Label, _ label: Word?,
    _ owners: [OwnedRegister], _ declareNames: (inout Lowering, Pattern?, SourceRange) -> Void
  ) {
    var isFallenInto = false
    let last = bodies.count - 1
    for (index, each) in selection.cases.enumerated() {
      frame.mark(bodies[index])
      let keepsNothing = each.patterns.count != 1 || index == last || isFallenInto
      isFallenInto = lowerCase(
        each, exit: exit, label: label, next: index < last ? bodies[index + 1] : nil
      ) { lowering, pattern in
        declareNames(&lowering, pattern, each.range)
        if keepsNothing { lowering.release(owners, each.range) }
      }
      frame.jump(exit, each.range)
    }
    frame.mark(exit)
    release(owners, selection.value.range)
  }

  private mutating func release(_ owners: [OwnedRegister], _ range: SourceRange) {
    guard isCounting, frame.isReachable else { return }
    for owner in owners { emit(.release(owner.register, owner.kind), range) }
  }

  /// Whether a case takes all that is left, so that each one in front of it that has one pattern keeps the whole value until
  /// it ends: else a case has what it binds, and the rest is let go of in front of it.
  ///
  /// Run with Swift 6.3.1, with and without `-O`.
  func takesRest(_ last: Statement.Case?) -> Bool {
    guard let last else { return false }
    if last.patterns.isEmpty { return true }
    guard last.patterns.count == 1, last.patterns[0].filter == nil else { return false }
    return last.patterns[0].takesAll
      || last.patterns[0].tupleParts?.allSatisfy(\.takesAll) == true
  }

  /// What a `switch` is over, or a `case` of a condition.
  struct Subject {
    var type: ValueType
    var symbol: Symbol.Meaning
    var range: SourceRange
  }

  /// Gives what is compared a name that no trace can write.
  mutating func declareSubject(
    _ made: Operand, owner: OwnedRegister? = nil, _ range: SourceRange
  ) -> Subject {
    var meaning = Symbol.Meaning.constant(made.constant ?? 0)
    if case .register(let from) = made.location {
      let register = owner?.register ?? frame.pinned()
      if owner == nil { emit(.copy(register, from: from), range) }
      meaning = .register(register)
    }
    let name = Name(word: words.subject, range: range)
    scope.declare(
      Symbol(
        name: name.word, meaning: meaning, type: made.type, place: range, frame: Int32(depth),
        owner: owner))
    return Subject(type: made.type, symbol: meaning, range: range)
  }

  /// The register that has it.
  mutating func register(of subject: Subject) -> Register {
    switch subject.symbol {
    case .register(let register): return register
    case .constant(let value):
      let register = frame.pinned()
      emit(.constant(value, to: register), subject.range)
      return register
    default: preconditionFailure("a subject is a value")
    }
  }

  /// Gives whether it falls into the next one.
  private mutating func lowerCase(
    _ each: Statement.Case, exit: Frame.Label, label: Word?, next: Frame.Label?,
    declareNames: (inout Lowering, Pattern?) -> Void
  ) -> Bool {
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    let lives = lifeMark
    declareNames(&self, each.patterns.first)
    if each.patterns.count > 1, let naming = each.patterns.first(where: \.binds) {
      error(Messages.nameInSeveral, naming.range)
    }
    frame.loops.append(
      Frame.Loop(
        exit: exit, next: exit, cleanups: frame.cleanups.count, label: label, isLoop: false,
        following: next, lives: lives))
    lowerBlock(each.body)
    let fallsThrough = frame.loops.removeLast().fallsThrough
    closeScope(downTo: mark)
    blockStart = outerStart
    return fallsThrough
  }

  /// Declares what a pattern binds.
  mutating func declareNames(
    _ pattern: Pattern, _ subject: Subject, holds: Bool, isFiltered: Bool = false
  ) {
    if case .payload = pattern.kind {
      let isUsed = !holds || isFiltered || pattern.filter != nil
      return declareParts(
        pattern, register(of: subject), subject.type, holds: holds, isUsed: isUsed)
    }
    guard let (name, isVariable) = pattern.name, !name.word.isUnderscore else { return }
    var type = subject.type
    if case .present = pattern.kind { type = type.unwrapped }
    if isVariable || holds && lifeKind(type) != nil {
      let made = Operand.register(register(of: subject), type)
      declareBound(name, made, isVariable: isVariable, holds: holds, pattern.range)
    } else {
      declareLocal(name, subject.symbol, type)
    }
  }

  /// Declares a name of a pattern that has a value of its own.
  mutating func declareBound(
    _ name: Name, _ made: Operand, isVariable: Bool, holds: Bool,
    isExpectedToBeUsed: Bool = false, _ range: SourceRange
  ) {
    let own = kept(made, isVariable: isVariable)
    if holds, hasCell(name, isVariable: isVariable) { return declareCell(name, own, range) }
    let owner = holds ? keeper(of: own, range) : nil
    let register = owner?.register ?? frame.pinned()
    if owner == nil { place(own, in: register, range) }
    let declared = declareLocal(
      name, isVariable ? .variable(register) : .register(register), own.type,
      isExpectedToBeUsed: isExpectedToBeUsed, owner: owner)
    if let declared { scope[declared].canBeShared = isVariable && holds }
  }

  /// Jumps to `label` where the subject is what the pattern says.
  private mutating func test(_ pattern: Pattern, _ subject: Subject, to label: Frame.Label) {
    if looksInside(pattern, subject.type) {
      return testInside(pattern, register(of: subject), subject, to: label)
    }
    let (mark, outerStart) = (scope.count, blockStart)
    blockStart = mark
    declareNames(pattern, subject, holds: false)
    let tested = condition(pattern, subject)
    switch (tested, pattern.filter) {
    case (nil, nil): frame.jump(label, pattern.range)
    case (let one?, nil), (nil, let one?): branch(one, when: true, to: label)
    case (let one?, let filter?):
      let sides = Expression.Sides(left: one, right: filter, operatorRange: pattern.range)
      branch(
        arena.expression(kind: .infix(.and, arena.node(sides)), range: pattern.range), when: true,
        to: label)
    }
    scope.close(downTo: mark)
    blockStart = outerStart
  }

  /// The same of a pattern that looks into the subject.
  private mutating func testInside(
    _ pattern: Pattern, _ from: Register, _ subject: Subject, to label: Frame.Label
  ) {
    let (mark, outerStart) = (scope.count, blockStart)
    let miss = frame.label()
    test(pattern, from, subject.type, otherwise: miss)
    if let filter = pattern.filter {
      blockStart = mark
      declareNames(pattern, subject, holds: false)
      branch(filter, when: false, to: miss)
      scope.close(downTo: mark)
      blockStart = outerStart
    }
    frame.jump(label, pattern.range)
    frame.mark(miss)
  }

  /// What must hold of the subject, without `where`; nil when anything will do.
  mutating func condition(_ pattern: Pattern, _ subject: Subject) -> Expression? {
    let name = arena.expression(kind: .name(words.subject), range: subject.range)
    switch pattern.kind {
    case .any, .name, .missing, .payload: return nil
    case .present:
      if case .optionalOf = subject.type {
      } else if !subject.type.isUnknown {
        error(Messages.neverNil(source.text(in: subject.range), "\(subject.type)"), pattern.range)
      }
      return compared(name, .notEqual, arena.expression(kind: .none, range: pattern.range))
    case .value(let value):
      if subject.type.unwrapped == .string {
        if let asked = thrownAs(value, name) { return asked }
        if case .implicitMember(let one) = value.kind, refuseBareCase(one.text, pattern.range) {
          return nil
        }
      }
      guard case .range(let bounds) = value.kind else { return compared(name, .equal, value) }
      let least = compared(name, .greaterOrEqual, bounds.from)
      let most = compared(name, bounds.isClosed ? .lessOrEqual : .less, bounds.to)
      if case .missing = bounds.from.kind { return most }
      if case .missing = bounds.to.kind { return least }
      return compared(least, .and, most)
    }
  }

  /// `case NetworkError.offline` of an error: whether that was thrown; nil for what is no case of an error.
  private mutating func thrownAs(_ value: Expression, _ subject: Expression) -> Expression? {
    guard case .member(let member) = value.kind else { return nil }
    let type: Word
    switch member.base.kind {
    case .name(let name): type = name
    // A type within a type is as good as one at the top.
    case .member(let inner): type = inner.name
    default: return nil
    }
    guard find(type) == nil, isThrown(type) else { return nil }
    let one = arena.expression(kind: .text(member.name), range: member.nameRange)
    let arguments = [subject, one].map {
      Expression.Argument(label: nil, labelRange: $0.range, value: $0)
    }
    let callee = arena.member(
      words.isThrownAs, of: arena.named(type, member.base.range), value.range)
    return arena.call(callee, arguments, at: value.range)
  }

  private func compared(
    _ left: Expression, _ operation: Expression.InfixOperator, _ right: Expression
  ) -> Expression {
    let sides = Expression.Sides(left: left, right: right, operatorRange: right.range)
    return arena.expression(kind: .infix(operation, arena.node(sides)), range: right.range)
  }

  // MARK: if case

  /// Jumps to `label` when a value is what a pattern says, or when not, as `wanted` says.
  mutating func branchMatch(
    _ match: Expression.PatternTest, when wanted: Bool, to label: Frame.Label
  ) {
    let made = value(match.value, expecting: presence(of: match.value))
    let mark = scope.count
    let subject = declareSubject(made, match.value.range)
    if looksInside(match.pattern, subject.type) {
      let miss = frame.label()
      test(
        match.pattern, register(of: subject), subject.type, otherwise: wanted ? miss : label)
      if wanted {
        frame.jump(label, match.pattern.range)
        frame.mark(miss)
      }
      scope.close(downTo: mark)
      return declareNames(match.pattern, subject, holds: true)
    }
    guard let tested = condition(match.pattern, subject) else {
      scope.close(downTo: mark)
      declareNames(match.pattern, subject, holds: true)
      if wanted { frame.jump(label, match.value.range) }
      return
    }
    branch(tested, when: wanted, to: label)
    scope.close(downTo: mark)
    declareNames(match.pattern, subject, holds: true)
  }

  // MARK: Whether all is there

  private enum Completeness { case byDefault, byCases, not }

  /// Reports a `switch` that leaves values out, as Swift does.
  private mutating func checkCases(
    _ selection: Statement.Selection, _ type: ValueType
  ) -> Completeness {
    if checkDefaults(selection) != nil { return .byDefault }
    let all = selection.cases.flatMap { Array($0.patterns) }.filter { $0.filter == nil }
    if all.contains(where: { $0.takesAll }) || type.isUnknown { return .byCases }
    let missing = missingValues(all, type)
    guard let missing else {
      error(Messages.needsDefault("\(type)"), selection.value.range)
      return .not
    }
    guard !missing.isEmpty else { return .byCases }
    error(Messages.missingCases(missing), selection.value.range)
    return .not
  }

  /// Reports a `default` that is not the last case, or not the only one; nil where there is none, false where there is.
  mutating func checkDefaults(_ selection: Statement.Selection) -> Bool? {
    let defaults = selection.cases.filter { $0.patterns.isEmpty }
    if let last = selection.cases.last, defaults.count == 1, !last.patterns.isEmpty {
      error(Messages.defaultNotLast, defaults[0].range)
    }
    if defaults.count > 1 { error(Messages.secondDefault, defaults[1].range) }
    return defaults.isEmpty ? nil : false
  }

  /// The values of a type that no pattern names; nil when a type has too many.
  mutating func missingValues(_ patterns: [Pattern], _ type: ValueType) -> [String]? {
    switch type {
    case .boolean:
      return ["true", "false"].filter { name in
        !patterns.contains { $0.truth == (name == "true") }
      }
    case .choice(let name):
      return checker.enums[checker.enums.index(of: name)].cases.map(\.text)
        .filter { name in !patterns.contains { $0.memberName == name } }.map { ".\($0)" }
    case .symbol(let family) where !family.isOpen:
      return family.members.filter { name in !patterns.contains { $0.memberName == name } }
        .map { ".\($0)" }
    case .instance(let name) where payloads(of: type) != nil:
      let index = checker.classes.index(of: name)
      return checker.classes[index].cases.filter { isMissing($0, of: index, patterns) }
        .map { ".\($0.name.text)" }
    case _ where type.isOutcome:
      let both = ["success", "failure"]
      return both.filter { name in !patterns.contains { $0.memberName == name } }.map { ".\($0)" }
    case .optionalOf(let wrapped):
      let some = patterns.contains { if case .present = $0.kind { true } else { false } }
      let rest = some ? [] : missingValues(patterns.filter { !$0.isNil }, wrapped.type)
      guard let rest else { return nil }
      return rest + (patterns.contains { $0.isNil } ? [] : ["nil"])
    default: return nil
    }
  }

  /// Whether some value of a case is left: of a single one its own cases are looked at.
  private mutating func isMissing(
    _ one: ClassInfo.Case, of index: Int, _ patterns: [Pattern]
  ) -> Bool {
    if patterns.contains(where: { $0.memberName == one.name.text }) { return false }
    guard one.values.count == 1 else { return true }
    let parts = patterns.compactMap { pattern -> Pattern? in
      guard let named = pattern.namedCase, named.name == one.name.text else { return nil }
      return named.elements.first?.pattern
    }
    let rest = missingValues(parts, checker.type(one.values[0].type))
    return parts.isEmpty || rest?.isEmpty != true
  }
}
