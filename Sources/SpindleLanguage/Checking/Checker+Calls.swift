import SpindleModel

/// A call as it is written.
typealias CallSite = Node<Expression.Call>

/// Which arguments of a call stand for which formals.
extension Checker {
  /// The overload that a call means: one that it fits, else one that has all its labels.
  mutating func overload(_ overloads: [Member], for call: CallSite) -> Member {
    if overloads.count == 1 { return overloads[0] }
    if let fitting = overloads.first(where: { fits($0.formals, call) }) { return fitting }
    let labels = call.arguments.map(\.label)
    let near = overloads.first { member in
      labels.allSatisfy { label in member.formals.contains { $0.label == label } }
    }
    return near ?? overloads[0]
  }

  /// Whether a call's labels are those of `formals`, nothing is missing, and closures stand where
  /// closures are taken.
  mutating func fits(_ formals: [Formal], _ call: CallSite) -> Bool {
    let call = gathered(call, for: formals)
    var next = 0
    // The closures that may stand behind the call.
    var behind = formals.filter { $0.takesClosure }
    for argument in call.arguments {
      let isClosure = isClosure(argument.value)
      let fitting = formals[next...].firstIndex {
        $0.takes(argument.label) && isClosure ?? $0.takesClosure == $0.takesClosure
      }
      guard let found = fitting else { return false }
      guard formals[next..<found].allSatisfy({ $0.isOptional || $0.takesClosure }) else {
        return false
      }
      next = found + 1
      if formals[found].takesClosure { behind.removeAll { $0.slot == formals[found].slot } }
    }
    guard formals[next...].allSatisfy({ $0.isOptional || $0.takesClosure }) else { return false }
    let needed = behind.count { !$0.isOptional }
    return (needed...max(needed, behind.count)).contains(call.closures.count)
  }

  /// The call of a function that takes any number of values, with those in an array; any other as it is.
  func gathered(_ call: CallSite, for formals: [Formal]) -> CallSite {
    guard formals.contains(where: \.isVariadic) else { return call }
    var arguments: [Expression.Argument] = []
    var next = 0
    for formal in formals {
      guard formal.isVariadic else {
        guard next < call.arguments.count, formal.takes(call.arguments[next].label) else {
          continue
        }
        arguments.append(call.arguments[next])
        next += 1
        continue
      }
      var place = nameRange(of: call.callee)
      var elements: [Expression] = []
      var label = formal.label?.word
      while next < call.arguments.count,
        elements.isEmpty
          ? formal.takes(call.arguments[next].label) : call.arguments[next].label == nil
      {
        if elements.isEmpty { label = call.arguments[next].label }
        let value = call.arguments[next].value
        place = elements.isEmpty ? value.range : place.union(value.range)
        elements.append(value)
        next += 1
      }
      let all = arena.expression(kind: .array(arena.list(elements)), range: place)
      arguments.append(
        Expression.Argument(label: label, labelRange: place, value: all))
    }
    arguments += call.arguments.dropFirst(next)
    return arena.node(
      Expression.Call(
        callee: call.callee, arguments: arena.list(arguments), closures: call.closures,
        range: call.range))
  }

  /// Declares a function at the top, with a name that is new, or that others have with other labels.
  mutating func declareFunctionAtTop(_ name: Name, _ ordinal: Int) {
    if let earlier = scope.findAtTop(name.word), case .function(let first) = scope[earlier].meaning
    {
      let labels = functions[ordinal].labels
      let others = [first] + (overloads[first] ?? [])
      if others.allSatisfy({ functions[$0].labels != labels }) {
        overloads[first, default: []].append(ordinal)
        return
      }
    }
    declareAtTop(name, .function(ordinal), .unknown)
  }

  /// The function that a call means, of those with the name of `first`: the one whose labels it has, with the fewest that have a
  /// value without it.
  mutating func overload(of first: Int, for call: CallSite) -> Int {
    guard !overloads.isEmpty, let others = overloads[first] else { return first }
    let fitting = ([first] + others).filter { fits(functions[$0].formals, call) }
    return fitting.min { functions[$0].formals.count < functions[$1].formals.count } ?? first
  }

  /// Whether an argument is a closure; nil when that can't be seen.
  @inline(__always)
  mutating func isClosure(_ argument: Expression) -> Bool? {
    switch argument.kind {
    case .closure: return true
    case .none: return nil
    case .name(let name):
      guard let index = find(name) else {
        if let own = givesClosure(argument) { return own }
        return vocabulary.free.property(name) == nil ? nil : false
      }
      if case .function = scope[index].meaning { return true }
      return scope[index].type.isUnknown ? nil : scope[index].type.isFunction
    case .call, .member, .element, .conditional, .coalesce, .unwrap, .bind, .chain, .await,
      .attempt:
      return givesClosure(argument) ?? false
    case .integer, .decimal, .duration, .size, .percent, .text, .string, .boolean,
      .implicitMember, .array, .dictionary, .prefix, .infix, .range, .specialized, .condition,
      .match, .missing:
      return false
    }
  }

  /// What stands for each formal; nil when the call was refused.
  mutating func match(
    _ formals: [Formal], _ call: CallSite, name: String, _ nameRange: SourceRange
  ) -> Actuals? {
    // Loops over numbers: copies of formals and arguments would cost more than all the rest.
    let count = formals.count
    var actuals = Actuals(count: count, in: arena)
    var next = 0
    for ordinal in call.arguments.indices {
      var found = next
      while found < count && !formals[found].takes(call.arguments[ordinal].label) { found += 1 }
      guard found < count else {
        if !refuseMissingClosure(call.arguments[ordinal], call, formals, next, name) {
          refuseArgument(call.arguments[ordinal], formals, next, name)
        }
        return nil
      }
      actuals[found] = .argument(ordinal)
      next = found + 1
    }
    for ordinal in call.closures.indices {
      let label = call.closures[ordinal].label
      var found = 0
      while found < count
        && !(formals[found].takesClosure && actuals.isAbsent(found)
          && (label == nil || formals[found].label == label))
      {
        found += 1
      }
      guard found < count else {
        refuseClosure(call.closures[ordinal], formals, name)
        return nil
      }
      actuals[found] = .closure(ordinal)
    }
    for index in 0..<count where !formals[index].isOptional && actuals.isAbsent(index) {
      error(missing(formals[index], name), nameRange)
      return nil
    }
    return actuals
  }

  private mutating func refuseClosure(
    _ closure: Expression.TrailingClosure, _ formals: [Formal], _ name: String
  ) {
    let known = formals.filter { $0.takesClosure }.compactMap(\.label?.text)
    let message =
      (closure.label?.text).map {
        Messages.unknownArgument($0, of: name, nearest: proposal($0, known))
      } ?? Messages.noClosure(name)
    error(message, closure.label == nil ? closure.range : closure.labelRange)
  }

  private func missing(_ formal: Formal, _ name: String) -> String {
    if formal.takesClosure { return Messages.missingClosure(name) }
    if name == "Process" { return Messages.processWithoutLength }
    if let label = formal.label?.text { return Messages.missingArgument(label, of: name) }
    return Messages.missingValue("\(formal.type)", of: name)
  }

  /// Reports `async(work(1ms))`, which does the work instead of handing it on, or the name of a
  /// function without its label; whether it was that.
  private mutating func refuseMissingClosure(
    _ argument: Expression.Argument, _ call: CallSite, _ formals: [Formal], _ next: Int,
    _ name: String
  ) -> Bool {
    guard argument.label == nil, call.closures.isEmpty,
      let wanted = formals[next...].first(where: { $0.takesClosure && !$0.isOptional })
    else { return false }
    let range = argument.value.range
    if let label = wanted.label?.text, namedClosure(argument.value) != nil {
      error(Messages.missingLabel(label, of: name), range)
      return true
    }
    guard case .call = argument.value.kind else { return false }
    error(Messages.callForClosure(name, source.text(in: range)), range)
    return true
  }

  private mutating func refuseArgument(
    _ argument: Expression.Argument, _ formals: [Formal], _ next: Int, _ name: String
  ) {
    let range = argument.label == nil ? argument.value.range : argument.labelRange
    guard let label = argument.label else {
      let labelled = formals[next...].filter { $0.label != nil && !$0.takesClosure }
      if name == "sleep", case .integer = argument.value.kind,
        labelled.first?.label?.text == "for"
      {
        // As Swift's older form counts it: Task.sleep(5_000_000_000).
        return error(Messages.missingLabel("nanoseconds", of: name), range)
      }
      if let label = (labelled.first { !$0.isOptional } ?? labelled.first)?.label?.text {
        error(Messages.missingLabel(label, of: name), range)
      } else {
        error(Messages.tooManyArguments(name), range)
      }
      return
    }
    if formals[..<next].contains(where: { $0.label == label }) {
      error(Messages.misplacedArgument(label.text, of: name), range)
      return
    }
    if let message = ForeignMember.argument(label.text, of: name) { return error(message, range) }
    let known = formals.compactMap(\.label?.text)
    let near = Checker.ownLabel(for: label.text, in: known) ?? proposal(label.text, known)
    if near == nil, formals[next...].contains(where: { $0.label == nil }) {
      error(Messages.needlessLabel(of: name), range)
    } else {
      error(Messages.unknownArgument(label.text, of: name, nearest: near, known), range)
    }
  }

  /// What a trace calls a label of Apple's interfaces; nil when there is no such.
  private static func ownLabel(for label: String, in known: [String]) -> String? {
    let own: String
    switch label {
    case "qos": own = "qualityOfService"
    case "qualityOfService": own = "qos"
    case "label": own = "name"
    case "name": own = "label"
    case "wallDeadline": own = "deadline"
    case "priority": own = "threadPriority"
    case "maxConcurrentOperationCount", "threads", "size": own = "width"
    case "deadline", "wallTimeout": own = "timeout"
    default: return nil
    }
    return known.contains(own) ? own : nil
  }
}
