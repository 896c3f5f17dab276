import SpindleModel

/// The limits of the vocabulary: which values are refused when they are known before the run.
struct LimitCheck {
  let table: DeclarationTable
  /// The call at the top whose code is gone through; nil for any other code.
  var arrival: Typed.Expression?

  /// Goes through code, and checks each call of the vocabulary in it.
  var walk: TypedWalk {
    TypedWalk(
      visit: { checkLiteral($0) },
      visitCall: { call, value in check(call, value) },
      assigned: { place, value in
        guard case .property(let row, _) = place.kind else { return }
        check(value, row.limit, label: row.name)
      })
  }

  /// Reports a whole number that does not fit in its type.
  private func checkLiteral(_ value: Typed.Expression) {
    guard case .integer(let number) = value.kind, let nominal = value.type.nominal,
      let bounds = Prelude.bounds(of: nominal)
    else { return }
    // The bits of a number above the largest `Int` are those of one below zero, and numbers without a sign have them all.
    let hasAllBits = bounds.least == 0 && bounds.most == .max
    let fits =
      value.isBeyondInt
      ? hasAllBits && number < 0 : bounds.least <= number && number <= bounds.most
    if fits { return }
    let text = table.source.text(in: value.range).drop { $0 == "(" || $0 == " " }
    report(Messages.literalOutOfRange(String(text), nominal.name), value)
  }

  /// Checks a call at the top: lengths are not below zero, and time goes on between two events.
  func checkArrival(_ value: Typed.Expression) {
    guard case .call(let call) = value.kind, case .function(let symbol) = call.callee else {
      return
    }
    for case .value(let given) in call.arguments {
      check(given, .notNegative, label: "value")
    }
    if value.arrival == "every", case .value(let interval)? = call.arguments.first,
      LimitCheck.constant(interval) == 0
    {
      if case .value(let count) = call.arguments[1], LimitCheck.constant(count) != nil { return }
      report(Messages.emptyInterval(symbol.name), interval)
    }
  }

  private func check(_ call: Typed.Call, _ value: Typed.Expression) {
    guard case .function(let symbol) = call.callee else { return }
    if value.arrival != nil, value !== arrival {
      table.report(Messages.arrivalInBody(symbol.name), call.nameRange)
    }
    if symbol.isInLibraryText, symbol.isInitializer,
      symbol.parameters.first?.label == "probability",
      case .value(let given)? = call.arguments.first
    {
      check(given, .probability, label: "probability")
    }
    if symbol.isInLibraryText, symbol.parameters.last?.label == "relativePriority",
      case .value(let given)? = call.arguments.last, LimitCheck.constant(given) != 0
    {
      report(Messages.relativePriority, given)
    }
    if case .builtin("choice") = symbol.implementation,
      case .variadic(let values)? = call.arguments.first, values.isEmpty
    {
      table.report(Messages.choiceForm, value.range)
    }
    guard case .row(let row) = symbol.implementation else { return }
    checkCancel(row, call)
    checkDraw(row, call)
    checkConstraint(row, call)
    for (formal, argument) in zip(row.formals, call.arguments) {
      if case .value(let given) = argument {
        check(given, formal.limit, label: formal.label?.text ?? "value")
      }
    }
  }

  /// Reports a distribution that has no values.
  private func checkDraw(_ row: Member, _ call: Typed.Call) {
    guard case .value(let first)? = call.arguments.first,
      case .value(let last)? = call.arguments.last, let most = LimitCheck.constant(last)
    else { return }
    switch row.name {
    case "uniform":
      if let least = LimitCheck.constant(first), least > most {
        report(Messages.uniformOrder, first)
      }
    case "pareto": if most <= 0 { report(Messages.paretoShape, last) }
    default: break
    }
  }

  /// Reports a real-time thread that is given less time than it says it computes, by literals.
  private func checkConstraint(_ row: Member, _ call: Typed.Call) {
    guard case .perform(.thread(.realtime)) = row.action else { return }
    var literals: [String: (length: Int64, value: Typed.Expression)] = [:]
    for (formal, argument) in zip(row.formals, call.arguments) {
      guard let label = formal.label?.text, case .value(let given) = argument, isLiteral(given),
        let length = LimitCheck.constant(given)
      else { continue }
      literals[label] = (length, given)
    }
    guard let computation = literals["computation"], let constraint = literals["constraint"],
      constraint.length < computation.length
    else { return }
    report(Messages.realtimeConstraint, constraint.value)
  }

  /// Reports a call that the library makes of each operation's own `cancel()`, where a class has another.
  private func checkCancel(_ row: Member, _ call: Typed.Call) {
    guard case .perform(let primitive) = row.action, !call.isDirect, hasOwnCancel else { return }
    switch primitive {
    case .operationQueue(.cancelAll): table.report(Messages.ownCancelOfAll, call.nameRange)
    case .operation(.cancel):
      if case .conversion? = call.receiver?.kind { return }
      table.report(Messages.ownCancelOfOne, call.nameRange)
    default: break
    }
  }

  /// Whether a class of operations has a `cancel()` of its own.
  private var hasOwnCancel: Bool {
    table.usedTypes.contains { nominal in
      nominal.superclass != nil && (nominal.members["cancel"] ?? []).contains(where: \.isOverride)
    }
  }

  private func check(_ value: Typed.Expression, _ limit: Formal.Limit, label: String) {
    guard let constant = LimitCheck.constant(value) else { return }
    switch limit {
    case .none, .oneMode, .timeout, .deadline, .date: break
    case .notNegative:
      if constant < 0, let type = LimitCheck.valueType(value.type) {
        report(Messages.negative(type), value)
      }
    case .positive:
      if constant <= 0 { report(Messages.positive(label), value) }
    case .width: if constant < 1 { report(Messages.poolWidth, value) }
    case .stackSize:
      if LimitCheck.valueType(value.type) == .size,
        constant < 16 * 1_024 || constant % (4 * 1_024) != 0
      {
        report(Messages.stackSize, value)
      }
    case .priority:
      if !(0...FixedDecimal.scale).contains(constant), isDecimal(value) {
        report(Messages.priority, value)
      }
    case .probability:
      if !(0...FixedDecimal.scale).contains(constant) { report(Messages.probability, value) }
    case .computation:
      // What a parameter gives is for the run to refuse: the same text is compared with several values.
      if isLiteral(value), !(50_000...50_000_000).contains(constant) {
        report(Messages.realtimeComputation, value)
      }
    }
  }

  private func isLiteral(_ value: Typed.Expression) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= table.source.utf8[Int(value.range.lowerBound)]
  }

  private func report(_ message: String, _ value: Typed.Expression) {
    table.report(message, value.range)
  }

  private func isDecimal(_ value: Typed.Expression) -> Bool {
    value.type.nominal?.builtin == .double
  }

  /// The type of the vocabulary that a type is; nil for any that is written otherwise.
  private static func valueType(_ type: SwiftType) -> ValueType? {
    switch type.unwrappedFully.nominal?.builtin {
    case .integer, .fixedInteger: .integer
    case .duration: .duration
    case .size: .size
    case .double: .decimal
    default: nil
    }
  }

  /// The value of literals and of their sums and products; nil for anything else.
  private static func constant(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .constant(let number), .decimal(let number): return number
    case .integer(let number):
      guard value.type.unwrappedFully.nominal?.builtin == .double else { return number }
      let (scaled, overflow) = number.multipliedReportingOverflow(by: FixedDecimal.scale)
      return overflow ? nil : scaled
    case .wrapped(let inner), .conversion(let inner): return constant(inner)
    case .call(let call):
      guard case .function(let symbol) = call.callee,
        case .builtin(let name) = symbol.implementation
      else { return nil }
      return constant(name, call.arguments)
    default: return nil
    }
  }

  private static func constant(_ name: String, _ arguments: [Typed.Argument]) -> Int64? {
    guard case .value(let first)? = arguments.first, let a = constant(first) else { return nil }
    if name == "negate" { return 0 - a }
    guard arguments.count == 2, case .value(let second) = arguments[1], let b = constant(second)
    else { return nil }
    let (result, overflow): (Int64, Bool)
    switch name {
    case "add": (result, overflow) = a.addingReportingOverflow(b)
    case "subtract": (result, overflow) = a.subtractingReportingOverflow(b)
    case "multiply": (result, overflow) = a.multipliedReportingOverflow(by: b)
    default: return nil
    }
    return overflow ? nil : result
  }
}
