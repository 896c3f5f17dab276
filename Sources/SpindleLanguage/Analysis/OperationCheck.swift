import SpindleModel

/// What Swift's types would refuse of an operation, as far as the text shows how it was made, and what belongs in the
/// closure of one.
struct OperationCheck {
  /// How operations were made, by the variables that hold them.
  private var forms: [ObjectIdentifier: Form] = [:]
  private let table: DeclarationTable

  private enum Form {
    /// Its closure is its main part, and the library reports for it.
    case plain
    /// As a plain one, and it may have several closures.
    case block
    /// Its closure is `start`, and it reports for itself.
    case asynchronous
  }

  static func check(_ program: TypedProgram) {
    var check = OperationCheck(table: program.table)
    for section in program.sections {
      if case .variables(let symbols, let value, _) = section, let symbol = symbols.first,
        symbols.count == 1
      {
        check.forms[ObjectIdentifier(symbol)] = check.form(madeBy: value)
      }
    }
    for section in program.sections {
      switch section {
      case .variables(_, let value, _), .arrival(let value, _):
        check.look(isFunction: false) { $0.expression(value) }
      case .main(let body, _, _): check.look(isFunction: false) { $0.statements(body.statements) }
      }
    }
    for (_, body) in program.bodies.ownBodies {
      check.look(isFunction: true) { $0.statements(body.statements) }
    }
  }

  private init(table: DeclarationTable) { self.table = table }

  /// Goes through code; in a function names of an operation mean that which calls it, but in the closures that it makes.
  private mutating func look(isFunction: Bool, _ start: (TypedWalk) -> Void) {
    var alone: [ObjectIdentifier: Typed.Expression] = [:]
    var order: [ObjectIdentifier] = []
    var check = self
    start(
      TypedWalk(
        visit: { value in
          check.check(value)
          if Self.isAlone(value) {
            alone[ObjectIdentifier(value)] = value
            order.append(ObjectIdentifier(value))
          }
        },
        assigned: { place, _ in check.checkState(place) },
        bound: { pattern, value in
          if case .local(let local) = pattern.kind {
            check.forms[ObjectIdentifier(local)] = check.form(madeBy: value)
          }
        }))
    if isFunction, !alone.isEmpty {
      start(
        TypedWalk(
          visit: { if Self.isAlone($0) { alone[ObjectIdentifier($0)] = nil } },
          entersClosures: false))
    }
    for key in order {
      guard let value = alone[key] else { continue }
      table.report(Messages.needsOperation(table.source.text(in: value.range)), value.range)
    }
    self = check
  }

  /// Whether something is a member of the operation that runs, which no closure around it has.
  private static func isAlone(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .call(let call):
      guard call.receiver == nil, case .function(let symbol) = call.callee,
        case .row(let row) = symbol.implementation
      else { return false }
      return row.steps.contains { if case .owner = $0.kind { true } else { false } }
    case .property(let row, nil): return row.owner != nil
    default: return false
    }
  }

  // MARK: Forms

  /// The form of the operation that a call makes; nil where the text does not tell.
  private func form(madeBy value: Typed.Expression) -> Form? {
    guard case .call(let call) = value.kind, case .function(let symbol) = call.callee,
      case .row(let row) = symbol.implementation, case .perform(let primitive) = row.action
    else { return nil }
    switch primitive {
    case .operation(.make):
      // The second type of operations is that of block operations.
      if symbol.owner?.superclass != nil { return .block }
      let place = row.formals.firstIndex { $0.label?.text == "isAsynchronous" }
      guard let place, place < call.arguments.count,
        case .value(let given) = call.arguments[place]
      else { return .plain }
      guard case .constant(let truth) = given.kind else { return nil }
      return truth == 1 ? .asynchronous : .plain
    case .operation(.addBlock), .operationQueue(.addBlock), .operationQueue(.addBarrier),
      .operationQueue(.async):
      return .block
    default: return nil
    }
  }

  /// The form of the operation that an expression names.
  private func form(of value: Typed.Expression?) -> Form? {
    switch value?.kind {
    case .local(let local)?: forms[ObjectIdentifier(local)]
    case .global(let variable, _)?: forms[ObjectIdentifier(variable)]
    default: nil
    }
  }

  // MARK: Checks

  private mutating func check(_ value: Typed.Expression) {
    guard case .call(let call) = value.kind, case .function(let symbol) = call.callee,
      case .row(let row) = symbol.implementation, case .perform(let primitive) = row.action
    else { return }
    if let form = form(madeBy: value) {
      for case .value(let argument) in call.arguments {
        var plain = argument
        if case .wrapped(let inner) = argument.kind { plain = inner }
        guard let own = plain.closureLiteral?.parameters.first else { continue }
        forms[ObjectIdentifier(own)] = form
      }
    }
    switch primitive {
    case .operation(.addBlock):
      let form = form(of: call.receiver)
      if form == .plain || form == .asynchronous {
        table.report(Messages.onlyBlockOperations, call.nameRange)
      }
    case .operation(.finish): checkAsynchronous(call.receiver, row.name, call.nameRange)
    case .operation(.willChange), .operation(.didChange): checkKey(call)
    default: break
    }
  }

  /// Refuses to set what an operation says for itself where the library says it.
  private func checkState(_ place: Typed.Expression) {
    guard case .property(let row, let receiver) = place.kind,
      row.set == .operation(.setExecuting) || row.set == .operation(.setFinished)
    else { return }
    let end = Int(place.range.upperBound)
    checkAsynchronous(receiver, row.name, SourceRange(end - row.name.utf8.count, end))
  }

  private func checkAsynchronous(
    _ receiver: Typed.Expression?, _ name: String, _ range: SourceRange
  ) {
    let form = form(of: receiver)
    if form == .plain || form == .block { table.report(Messages.needsAsynchronous(name), range) }
  }

  /// Refuses a key that no operation has.
  private func checkKey(_ call: Typed.Call) {
    guard case .value(let argument)? = call.arguments.first, case .text(let key) = argument.kind,
      !KnownNumbers.operationKeys.contains(key)
    else { return }
    let near = nearest(key, in: KnownNumbers.operationKeys.prefix(8))
    table.report(Messages.unknownKey(key, nearest: near), argument.range)
  }
}
