import SpindleModel

/// Which of several functions a call means: the one whose arguments need the fewest conversions.
extension BodyChecker {
  /// The function whose parameters the arguments fit with the fewest conversions.
  func choose(
    _ fitting: [(candidate: Candidate, matched: [Matched])], _ written: [Grammar.Argument],
    _ given: [Typed.Expression?], _ expected: SwiftType?
  ) -> (candidate: Candidate, matched: [Matched])? {
    var best: (index: Int, cost: Int)?
    for (index, option) in fitting.enumerated() {
      let mark = solver.mark
      let cost = cost(option.candidate, option.matched, written, given, expected)
      solver.undo(to: mark)
      guard let cost, cost < best?.cost ?? .max else { continue }
      best = (index, cost)
    }
    return best.map { fitting[$0.index] }
  }

  /// How many of the arguments are no values of their parameters.
  func misfits(
    _ candidate: Candidate, _ matched: [Matched], _ written: [Grammar.Argument],
    _ given: [Typed.Expression?]
  ) -> Int {
    let mark = solver.mark
    defer { solver.undo(to: mark) }
    let substitution = open(candidate)
    var count = 0
    for (parameter, match) in zip(candidate.symbol.parameters, matched) {
      guard case .argument(let index) = match else { continue }
      let type = parameter.type.substituting(substitution)
      if cost(of: written[index].value, given[index], type) == nil { count += 1 }
    }
    return count
  }

  func cost(
    _ candidate: Candidate, _ matched: [Matched], _ written: [Grammar.Argument],
    _ given: [Typed.Expression?], _ expected: SwiftType?
  ) -> Int? {
    let substitution = open(candidate)
    // What an extension of a protocol has is taken where a type has nothing of its own.
    var total = candidate.symbol.isProtocolExtension ? 1 : 0
    for (parameter, match) in zip(candidate.symbol.parameters, matched) {
      let type = parameter.type.substituting(substitution)
      // What takes any type is less special than what asks something of it, and that than what names the type.
      if case .parameter(let open) = parameter.type, candidate.symbol.generics.contains(open) {
        total += open.bounds.isEmpty ? 2 : 1
      }
      let indices: [Int]
      switch match {
      case .absent:
        total += 1
        continue
      case .argument(let index): indices = [index]
      case .variadic(let several):
        total += 1
        indices = several
      }
      for index in indices {
        if case .row = candidate.symbol.implementation, let value = given[index],
          withoutOperation(value, type) != nil
        {
          total += 3
          continue
        }
        // What does not escape is rather given to a function that only calls it.
        if parameter.isEscaping, case .local(let local)? = given[index]?.kind, local.staysInCall {
          total += 10
        }
        guard let one = cost(of: written[index].value, given[index], type) else { return nil }
        total += one
      }
    }
    for (one, other) in candidate.symbol.sameTypes {
      guard solver.unify(one.substituting(substitution), other.substituting(substitution)) else {
        return nil
      }
    }
    for generic in candidate.symbol.generics {
      guard let type = substitution[generic] else { continue }
      let types = possible(type)
      for bound in generic.bounds where !types.isEmpty {
        let wanted = bound.substituting(substitution)
        guard types.contains(where: { conforms($0, to: wanted) }) else { return nil }
      }
    }
    if let expected, !solver.isOpen(expected) {
      let result = (candidate.made ?? candidate.symbol.result).substituting(substitution)
      let value = Typed.Expression(.error, result, SourceRange(0, 0))
      if !solver.attempt({ $0.unify(result, expected) }) {
        if converted(value, to: expected) == nil { total += 20 } else { total += 1 }
      }
    }
    return total
  }

  /// What a type can be: a number that is written is one of two where nothing says more; empty for anything.
  private func possible(_ type: SwiftType) -> [SwiftType] {
    switch solver.literal(type) {
    case .integer: [known.integer, known.double]
    case .decimal: [known.double]
    case nil: solver.isOpen(type) ? [] : [type]
    }
  }

  /// How far a closure is from the type of a function, and farther from a type that is not known yet; nil where it
  /// cannot be one.
  func cost(of closure: Grammar.Closure, _ shallow: SwiftType) -> Int? {
    guard case .function(let function) = shallow.wrapped.map({ solver.shallow($0) }) ?? shallow
    else { return solver.isOpen(shallow) ? 4 : nil }
    let count = closure.parameters?.count ?? closure.shorthandCount
    if count != function.parameters.count {
      let isTuple =
        function.parameters.count == 1 && count > 1
        && {
          if case .tuple = solver.shallow(function.parameters[0].type) { true } else { false }
        }()
      guard isTuple || closure.parameters == nil && count < function.parameters.count else {
        return nil
      }
    }
    var total = closure.parameters == nil && count < function.parameters.count ? 2 : 0
    if EffectScan.isThrowing(closure.body) || closure.effects.isThrowing {
      guard function.isThrowing else { return nil }
    } else if function.isThrowing {
      total += 1
    }
    if EffectScan.isAwaiting(closure.body) || closure.effects.isAsync {
      guard function.isAsync else { return nil }
    } else if function.isAsync {
      total += 1
    }
    return total
  }

  func cost(
    of syntax: Grammar.Expression, _ value: Typed.Expression?, _ type: SwiftType
  ) -> Int? {
    if let value {
      let literal = solver.literal(value.type)
      if case .integer(let number) = value.kind, literal != nil,
        let bounds = Prelude.bounds(of: type.nominal),
        number < bounds.least || number > bounds.most
      {
        return nil
      }
      if solver.attempt({ $0.unify(value.type, type) }) {
        // A literal, and what has the type of one, is rather an 'Int' than a number of another type.
        if literal == .integer, type.nominal?.builtin == .double { return 2 }
        if literal == .integer, type.nominal?.builtin == .fixedInteger { return 1 }
        return 0
      }
      return converted(value, to: type) == nil ? nil : 3
    }
    let shallow = solver.shallow(type)
    switch syntax.kind {
    case .closure(let closure):
      // A closure is rather given as it is than as the value of an optional.
      return cost(of: closure, shallow).map { shallow.wrapped == nil ? $0 : $0 + 1 }
    case .implicitMember(let name):
      if shallow.wrapped != nil, ["none", "some"].contains(name.text) { return 0 }
      let owner = shallow.unwrappedFully
      return solver.isOpen(owner)
        || symbol(name.text, owner, syntax.range) != nil
        || members(name.text, of: owner).contains(where: \.symbol.isStatic) ? 0 : nil
    case .call(let call):
      guard case .implicitMember(let name) = call.callee.kind else { return 0 }
      if shallow.wrapped != nil, name.text == "some" { return 0 }
      let owner = shallow.unwrappedFully
      return solver.isOpen(owner)
        || members(name.text, of: owner).contains(where: \.symbol.isStatic) ? 0 : nil
    case .keyPath:
      switch shallow.unwrappedFully {
      // A path is rather given as it is than as a function.
      case .function(let function): return function.parameters.count == 1 ? 1 : nil
      case .variable: return 0
      case .nominal(let nominal, _): return nominal === known.keyPath ? 0 : nil
      case .parameter, .member, .tuple, .existential, .metatype, .error: return nil
      }
    case .nil:
      return shallow.wrapped != nil || solver.isOpen(shallow) || hasNil(shallow) ? 0 : nil
    case .array:
      switch shallow.unwrappedFully.nominal?.builtin {
      case .array: return 0
      case .set, .options: return 1
      default: return solver.isOpen(shallow) ? 1 : nil
      }
    case .dictionary:
      return shallow.unwrappedFully.nominal?.builtin == .dictionary ? 0 : nil
    case .name:
      if case .function = shallow { return 0 }
      return nil
    default: return 0
    }
  }
}
