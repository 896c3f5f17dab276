import SpindleModel

/// `switch (state, event)`: over several values at once, each with a pattern of its own.
extension Lowering {
  mutating func lowerTupleSwitch(_ selection: Statement.Selection, label: Word?) {
    let (mark, outerStart) = (scope.count, blockStart)
    let before = frame.temporaries.count
    var subjects: [Subject] = []
    var owners: [OwnedRegister] = []
    let isKept = takesRest(selection.cases.last)
    let values = [selection.value] + Array(selection.rest)
    for (value, isFollowed) in zip(values, areFollowed(values)) {
      let made = self.value(value)
      let kept = isFollowed ? steady(made, value) : made
      let owner = isKept ? keeper(of: kept, value.range) : nil
      if let owner { owners.append(owner) }
      subjects.append(declareSubject(kept, owner: owner, value.range))
    }
    // What is kept has an owner of its own now.
    if isKept { releaseTemporaries(from: before, selection.value.range) }
    blockStart = scope.count
    let exit = frame.label()
    let bodies = selection.cases.map { _ in frame.label() }
    let isComplete = checkTuples(selection, subjects)
    let last = selection.cases.count - 1
    var otherwise = exit
    for (index, each) in selection.cases.enumerated() {
      if each.patterns.isEmpty || index == last && isComplete { otherwise = bodies[index] }
      for pattern in each.patterns { testParts(pattern, subjects, to: bodies[index]) }
    }
    frame.jump(otherwise, selection.value.range)
    lowerCases(selection, bodies, exit: exit, label, owners) { lowering, pattern, range in
      for (part, subject) in zip(pattern?.tupleParts ?? [], subjects) {
        lowering.declareNames(part, subject, holds: true, isFiltered: pattern?.filter != nil)
      }
      if !isKept { lowering.releaseTemporaries(from: before, range) }
    }
    scope.close(downTo: mark)
    blockStart = outerStart
  }

  /// Jumps to `label` where all values are what the parts of a pattern say.
  private mutating func testParts(
    _ pattern: Pattern, _ subjects: [Subject], to label: Frame.Label
  ) {
    let (mark, outerStart) = (scope.count, blockStart)
    let miss = frame.label()
    if let parts = pattern.tupleParts, parts.count == subjects.count {
      for (part, subject) in zip(parts, subjects) {
        test(part, register(of: subject), subject.type, otherwise: miss)
      }
      if let filter = pattern.filter {
        blockStart = mark
        for (part, subject) in zip(parts, subjects) { declareNames(part, subject, holds: false) }
        branch(filter, when: false, to: miss)
        scope.close(downTo: mark)
        blockStart = outerStart
      }
    } else if let filter = pattern.filter, pattern.takesAll {
      branch(filter, when: false, to: miss)
    } else if !pattern.takesAll || pattern.binds {
      error(Messages.tupleParts(subjects.count), pattern.range)
    }
    frame.jump(label, pattern.range)
    frame.mark(miss)
  }

  // MARK: Whether all is there

  /// Reports a `switch` that leaves values out, as Swift does; whether its cases leave none.
  private mutating func checkTuples(
    _ selection: Statement.Selection, _ subjects: [Subject]
  ) -> Bool {
    if let isByDefault = checkDefaults(selection) { return isByDefault }
    let patterns = selection.cases.flatMap { Array($0.patterns) }.filter { $0.filter == nil }
    if patterns.contains(where: \.takesAll) { return true }
    let rows = patterns.compactMap(\.tupleParts).filter { $0.count == subjects.count }
    if rows.contains(where: { $0.allSatisfy(\.takesAll) }) { return true }
    if subjects.contains(where: \.type.isUnknown) { return true }
    var missing: [String] = []
    var steps = 0
    leftOut(rows, subjects.map(\.type), [], &missing, &steps)
    if missing.isEmpty, steps < Self.mostSteps { return true }
    error(
      missing.isEmpty || missing.contains { $0.contains("_") }
        ? Messages.needsDefault("(\(subjects.map { "\($0.type)" }.joined(separator: ", ")))")
        : Messages.missingCases(Array(missing.prefix(3))), selection.value.range)
    return false
  }

  /// How many steps are taken to find what is left out.
  private static let mostSteps = 10_000

  /// Notes the values that no row takes: of each type those that a pattern names, and the rest.
  private mutating func leftOut(
    _ rows: [[Pattern]], _ types: [ValueType], _ begun: [String], _ missing: inout [String],
    _ steps: inout Int
  ) {
    steps += 1
    if missing.count > 3 || steps >= Self.mostSteps { return }
    guard let type = types.first else {
      if rows.isEmpty { missing.append("(\(begun.joined(separator: ", ")))") }
      return
    }
    for value in valuesToTell(type) {
      let rest = rows.filter { takes($0[0], value, type) }
      leftOut(
        rest.map { Array($0.dropFirst()) }, Array(types.dropFirst()), begun + [value], &missing,
        &steps)
    }
  }

  /// The values of a type that patterns tell apart; `_` for all that no pattern but one for anything takes.
  private mutating func valuesToTell(_ type: ValueType) -> [String] {
    if let all = missingValues([], type) { return all }
    if case .optionalOf = type { return ["nil", "_?"] }
    return ["_"]
  }

  /// Whether a pattern takes a value: then it is no longer missing.
  private mutating func takes(_ pattern: Pattern, _ value: String, _ type: ValueType) -> Bool {
    if pattern.takesAll { return true }
    switch value {
    case "_": return false
    case "_?":
      guard case .present = pattern.kind else { return false }
      return true
    case "nil": return pattern.isNil
    default: return missingValues([pattern], type)?.contains(value) == false
    }
  }
}
