import SpindleModel

/// What the world outside does: `at`, `every`, `arrivals`.
extension Emitter {
  /// `threadNames("1403", "3307")`: what the threads of the pool are called, in the order of their creation.
  func noteThreadNames(_ call: Typed.Call, _ range: SourceRange) {
    guard case .variadic(let names)? = call.arguments.first, !names.isEmpty else {
      return table.report(Messages.threadNames, range)
    }
    for name in names {
      guard case .text(let text) = name.kind else {
        table.report(Messages.threadNames, name.range)
        continue
      }
      program.threadNames.append(code.intern(text))
    }
  }

  func emitArrival(_ value: Typed.Expression) {
    guard case .call(let call) = value.kind, case .function(let symbol) = call.callee,
      case .builtin(let name) = symbol.implementation
    else { return unsupported("a call at the top", value.range) }
    if name == "threadNames" { return noteThreadNames(call, value.range) }
    guard let isOnce = Emitter.arrivals[name],
      case .value(let when)? = call.arguments.first, case .value(let given)? = call.arguments.last,
      let closure = given.closureLiteral
    else { return unsupported("a call at the top", value.range) }
    var count: Int64?
    if !isOnce, case .value(let times) = call.arguments[1] {
      guard let number = constantNumber(times) else {
        return table.report(Messages.notConstant, times.range)
      }
      count = number
    }
    let interval = worldBlock(symbol.name, when.range) {
      emitReturn(emit(when), concrete(when.type), when.range)
    }
    let end = Int(closure.range.upperBound)
    let body = worldBlock(symbol.name, SourceRange(end - 1, end)) {
      let parameters = closure.parameters.filter { !isOnce || !$0.name.isEmpty }
      for parameter in parameters { declareParameter(parameter, closure.range) }
      code.frame.parameterCount = parameters.count
      emitStatements(closure.body)
    }
    var arrival = Arrival(
      interval: interval, body: body, count: count, isOnce: isOnce, place: call.place)
    arrival.schedule = table.schedules[value.range.lowerBound]
    program.arrivals.append(arrival)
  }

  /// Whether what the world outside does it does once, by the names that the library's text has for it.
  private static let arrivals = ["at": true, "every": false]

  private func constantNumber(_ value: Typed.Expression) -> Int64? {
    switch value.kind {
    case .integer(let number), .constant(let number): number
    case .wrapped(let inner): constantNumber(inner)
    default: nil
    }
  }

  /// A block on no thread.
  private func worldBlock(_ name: String, _ end: SourceRange, _ body: () -> Void) -> BlockID {
    (storages, substitution) = ([:], [:])
    let block = code.reserveBlock()
    code.beginFrame(name: code.intern(name))
    body()
    endFrame(block, end)
    return block
  }
}
