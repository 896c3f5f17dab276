import SpindleModel

/// Calls of the library that do something else than they say.
struct CallWarnings {
  private let table: DeclarationTable
  private let bodies: BodyTable
  /// The names that global queues are bound to.
  private let globalQueues: Set<ObjectName>

  /// Warns of calls of a program that surely mean something else.
  static func walk(_ program: TypedProgram, _ objects: NamedObjects) -> TypedWalk {
    let queues = objects.bindings.filter { $0.isLet && isGlobalQueue($0.row) }.map(\.name)
    let check = CallWarnings(
      table: program.table, bodies: program.bodies, globalQueues: Set(queues))
    return TypedWalk(visitCall: { call, _ in check.check(call) })
  }

  private func check(_ call: Typed.Call) {
    guard case .function(let symbol) = call.callee else { return }
    switch symbol.implementation {
    case .row(let row):
      checkBarrier(row, call)
      checkModes(row, call)
    case .builtin(let name): check(builtin: name, call)
    case .none, .body, .inlined, .memberwise, .enumCase: break
    }
  }

  private func check(builtin name: String, _ call: Typed.Call) {
    switch name {
    case "formatted", "log": checkFormat(call)
    case "checkedContinuation", "unsafeContinuation": checkContinuation(call)
    default: break
    }
  }

  // MARK: Queues and run loops

  /// Warns of a barrier for a global queue.
  private func checkBarrier(_ row: Member, _ call: Typed.Call) {
    guard let receiver = call.receiver, isGlobalQueue(receiver) else { return }
    for case .value(let given) in call.arguments {
      if let place = place(of: "barrier", in: given) {
        table.warn(Messages.barrierOnGlobalQueue, place)
      }
    }
  }

  /// Whether an expression can only be a global queue.
  private func isGlobalQueue(_ value: Typed.Expression) -> Bool {
    if let name = ObjectName(value) { return globalQueues.contains(name) }
    return NamedObjects.row(of: value).map { Self.isGlobalQueue($0.0) } ?? false
  }

  private static func isGlobalQueue(_ row: Member) -> Bool {
    if case .perform(.queue(.global)) = row.action { true } else { false }
  }

  /// Where a flag of a piece of work is named, alone or in a list; nil where it is not.
  private func place(of flag: String, in value: Typed.Expression) -> SourceRange? {
    switch value.kind {
    case .options(.workItemFlags, let bits):
      guard let own = SymbolFamily.workItemFlags.bits(of: flag), bits & own != 0 else { return nil }
      let parts = bodies.optionPlaces[value.range] ?? []
      return parts.first { $0.bits & own != 0 }?.place ?? value.range
    case .wrapped(let inner), .conversion(let inner): return place(of: flag, in: inner)
    default: return nil
    }
  }

  /// Warns of a loop that is to run in a set of modes.
  private func checkModes(_ row: Member, _ call: Typed.Call) {
    for (formal, argument) in zip(row.formals, call.arguments) {
      guard case .oneMode = formal.limit, case .value(let given) = argument,
        case .symbol(.mode, "common") = given.kind
      else { continue }
      table.warn(Messages.commonModes, given.range)
    }
  }

  // MARK: Texts and continuations

  /// Warns of values that a format has no place for.
  private func checkFormat(_ call: Typed.Call) {
    guard call.arguments.count == 2, case .value(let first) = call.arguments[0],
      case .text(let text) = first.kind, let format = TextFormat(text),
      case .variadic(let values) = call.arguments[1]
    else { return }
    for value in values.dropFirst(format.valueCount) {
      table.warn(Messages.formatSurplus, value.range)
    }
  }

  /// Warns of a closure that does nothing with its continuation.
  private func checkContinuation(_ call: Typed.Call) {
    for case .value(let given) in call.arguments {
      guard let closure = given.closureLiteral, let continuation = closure.parameters.first,
        !continuation.isUsed
      else { continue }
      table.warn(Messages.forgottenContinuation, call.nameRange)
    }
  }
}
