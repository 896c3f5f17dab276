import SpindleModel

/// The order in which variables at the top get their values.
///
/// Each has its value from its own line on. A value that reads a later one, or itself, through the functions that it
/// calls has no meaning: Swift reads zero there, or crashes.
struct TopOrder {
  let bodies: BodyTable
  /// The place of each variable among those at the top.
  private var places: [ObjectIdentifier: Int] = [:]

  init(_ program: TypedProgram) {
    bodies = program.bodies
    for section in program.sections {
      guard case .variables(let symbols, _, _) = section else { continue }
      for symbol in symbols { places[ObjectIdentifier(symbol)] = places.count }
    }
  }

  /// What the library asks for whenever it likes.
  private enum Asking {
    /// A closure that is a condition.
    case condition
    /// What a class of operations has in the place of the library's `isReady`.
    case isReady
  }

  /// Reports what is read too early.
  static func check(_ program: TypedProgram) {
    let order = TopOrder(program)
    for section in program.sections {
      switch section {
      case .variables(let symbols, let value, _):
        if let first = symbols.first { order.check(value, of: first) }
      case .arrival(let value, _): order.checkArrival(value)
      case .main: break
      }
    }
    order.checkAsked(program)
  }

  /// Reports what a closure does on no thread that the library asks for a condition whenever it likes.
  private func checkAsked(_ program: TypedProgram) {
    let walk = TypedWalk(visitCall: { call, _ in
      guard case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation
      else { return }
      for (formal, argument) in zip(row.formals, call.arguments) where formal.isAsked {
        guard case .value(let given) = argument, let closure = given.closureLiteral else {
          continue
        }
        go(from: nil, asking: .condition, { $0.statements(closure.body) })
      }
    })
    for (_, body) in program.bodies.ownBodies { walk.statements(body.statements) }
    for section in program.sections {
      if case .main(let body, _, _) = section { walk.statements(body.statements) }
    }
    for nominal in program.table.usedTypes {
      for case let variable as VariableSymbol in nominal.members["isReady"] ?? [] {
        guard let getter = variable.getter, getter.isOverride, let body = bodies.body(of: getter)
        else { continue }
        go(from: nil, asking: .isReady, { $0.statements(body.statements) })
      }
    }
  }

  /// Reports what a call at the top does that the world outside cannot do: it has no thread to wait in.
  private func checkArrival(_ value: Typed.Expression) {
    guard case .call(let call) = value.kind else { return }
    for case .value(let argument) in call.arguments {
      guard case .function = argument.type else { continue }
      if let closure = argument.closureLiteral { go(from: nil, { $0.statements(closure.body) }) }
    }
  }

  private func check(_ value: Typed.Expression, of variable: VariableSymbol) {
    go(from: variable, { $0.expression(value) })
  }

  /// Goes through code and through what it calls: the value of a variable at the top, or what the world outside does.
  private func go(
    from variable: VariableSymbol?, asking: Asking? = nil, _ start: (TypedWalk) -> Void
  ) {
    let own = variable.flatMap { places[ObjectIdentifier($0)] }
    var (seen, reported): (Set<ObjectIdentifier>, Set<SourceRange>) = ([], [])
    // The calls in the code itself, of a function and of the library's text, by which what is looked at was come to.
    var site: (function: FunctionSymbol, range: SourceRange)?
    var libraryCall: SourceRange?
    func look(_ function: FunctionSymbol?, _ walk: (TypedWalk) -> Void) {
      walk(
        TypedWalk(
          visit: { value in
            switch value.kind {
            case .global(let other, _):
              read(other, function, value.range)
            case .call(let call):
              guard case .function(let callee) = call.callee else { return }
              needsThread(
                Self.need(of: callee, variable == nil, asking != nil), call.nameRange)
              enter(callee, value.range)
              if function != nil { for end in ends(of: callee) { enter(end, value.range) } }
            case .property(let row, _):
              needsThread(row.needsThread ? row.name : nil, value.range)
            default: break
            }
          }, entersClosures: false))
    }
    func needsThread(_ need: String?, _ range: SourceRange) {
      let place = site?.range ?? libraryCall ?? range
      guard let need, reported.insert(place).inserted else { return }
      report(need, site?.function, isOutside: variable == nil, asking, at: place)
    }
    func read(_ other: VariableSymbol, _ function: FunctionSymbol?, _ range: SourceRange) {
      if other.owner != nil, seen.insert(ObjectIdentifier(other)).inserted,
        let made = bodies.initialValue(of: other)
      {
        // A static is made when it is first used.
        look(function) { $0.expression(made) }
      }
      guard let own, let variable, let place = places[ObjectIdentifier(other)], place >= own,
        reported.isEmpty
      else { return }
      reported.insert(range)
      report(other, function, from: variable, range)
    }
    func enter(_ callee: FunctionSymbol, _ range: SourceRange) {
      guard seen.insert(ObjectIdentifier(callee)).inserted,
        let body = bodies.body(of: callee)
      else { return }
      let outer = (site, libraryCall)
      defer { (site, libraryCall) = outer }
      if callee.isInLibraryText {
        libraryCall = libraryCall ?? range
      } else {
        site = site ?? (callee, libraryCall ?? range)
      }
      look(callee.isInLibraryText ? nil : callee) { $0.statements(body.statements) }
    }
    look(nil, start)
  }

  /// What runs when an instance dies that a function makes, which may be before it returns.
  private func ends(of made: FunctionSymbol) -> [FunctionSymbol] {
    var found: [FunctionSymbol] = []
    var owner = made.isInitializer ? made.owner : nil
    while let one = owner {
      if let end = one.deinitializer { found.append(end) }
      owner = one.superclass?.nominal
    }
    return found
  }

  /// What emission does by itself that asks on which thread it is.
  private static let onThreads: Set<String> = [
    "assumeOnMain", "checkOnMain", "bindLocal", "dispatchPrecondition", "getSpecific",
  ]

  /// What may wait: at the top every lock is free.
  private static let waiting: Set<String> = ["withLock"]

  /// The name of a function of the vocabulary that needs a thread; nil for any other.
  private static func need(
    of symbol: FunctionSymbol, _ isOutside: Bool, _ isAsked: Bool
  ) -> String? {
    switch symbol.implementation {
    case .row(let row):
      guard row.traits.contains(.needsThread) else { return nil }
      // A lock is free at the top; where the library asks, what is looked at may be behind one.
      let freedom = row.action.freedom
      let isFree = isAsked ? freedom != .none : !isOutside && freedom == .locks
      return isFree ? nil : row.name
    case .builtin(let name):
      return onThreads.contains(name) || isOutside && !isAsked && waiting.contains(name)
        ? symbol.name : nil
    case .none, .body, .inlined, .memberwise, .enumCase: return nil
    }
  }

  private func report(
    _ need: String, _ function: FunctionSymbol?, isOutside: Bool, _ asking: Asking?,
    at range: SourceRange
  ) {
    let message: String
    if asking == .isReady {
      message = Messages.readinessNeedsThread(need)
    } else if let function {
      message =
        isOutside
        ? Messages.functionNeedsThread(function.name, need)
        : Messages.functionNeedsThreadAtTop(function.name, need)
    } else if isOutside {
      message = Messages.needsThread(need)
    } else {
      message = Messages.needsThreadAtTop(need)
    }
    bodies.table.report(message, range)
  }

  private func report(
    _ other: VariableSymbol, _ function: FunctionSymbol?, from variable: VariableSymbol,
    _ range: SourceRange
  ) {
    let table = bodies.table
    guard let function else {
      return table.report(Messages.usedTooEarly(other.name), range)
    }
    let isEnd = function.owner?.deinitializer === function
    let name = isEnd ? "'\(function.owner?.name ?? "").deinit'" : "'\(function.name)'"
    if other === variable {
      return table.report(
        Messages.readWithinItsLine(other.name, by: name), variable.range)
    }
    let line = table.source.fileLine(at: other.range.lowerBound).line
    table.report(
      Messages.readBeforeItsLine(other.name, by: name, line: line), variable.range)
  }
}
