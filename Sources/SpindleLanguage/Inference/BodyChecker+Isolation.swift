import SpindleModel

/// Where code runs, and which calls and uses leave that place: found once, for emission to follow.
extension BodyChecker {
  // MARK: Functions

  /// Where the code of a function runs.
  func isolation(
    of symbol: FunctionSymbol, _ own: Typed.Local?, _ parameters: [Typed.Local]
  ) -> Typed.Isolation {
    if let isolated = parameters.first(where: \.isIsolated) { return .actor(isolated) }
    // Source: SE-0327. An initialiser that cannot suspend does not run on the actor that it makes.
    if symbol.isInitializer, !symbol.isAsync, case .ownActor = symbol.isolation {
      return .nonisolated
    }
    return isolation(symbol.isolation, symbol.isStatic ? nil : own)
  }

  func isolation(_ written: SymbolIsolation, _ own: Typed.Local?) -> Typed.Isolation {
    switch written {
    case .mainActor: .mainActor
    case .globalActor(let actor): .globalActor(actor)
    case .ownActor: own.map { .actor($0) } ?? .nonisolated
    case .nonsending: .caller
    case .unspecified, .nonisolated, .concurrent: .nonisolated
    }
  }

  /// Where a function in a body runs: where the function around it does, unless it says otherwise.
  func isolation(ofLocal symbol: FunctionSymbol) -> Typed.Isolation {
    guard symbol.isolation == .unspecified else { return isolation(symbol.isolation, nil) }
    return scope.isFunction ? scope.isolation : .nonisolated
  }

  // MARK: Closures

  /// Where a closure runs as far as its attributes, its type and the code around it say.
  ///
  /// Source: swift:lib/Sema/TypeCheckConcurrency.cpp, determineClosureIsolation.
  func isolation(
    of syntax: Grammar.Closure, _ wanted: FunctionType?, _ inner: Typed.FunctionScope
  ) -> Typed.Isolation {
    var isSendable = wanted?.isSendable ?? false
    for attribute in syntax.attributes {
      switch attribute.name.text {
      case "MainActor":
        return .mainActor
      case "concurrent": return .nonisolated
      case "Sendable": isSendable = true
      case let name:
        if let actor = table.types[name], actor.isGlobalActor { return .globalActor(actor) }
      }
    }
    inner.mayRunAnywhere =
      isSendable && !inner.isAsync && (wanted?.isolation ?? .unspecified) == .unspecified
    switch wanted?.isolation {
    case .mainActor?: return .mainActor
    case .globalActor(let actor)?: return .globalActor(actor)
    case .concurrent?: return .nonisolated
    case .nonsending?: return scope.isolation.isNonisolated ? .caller : scope.isolation
    case .inherited?: return inherited
    case .unspecified?, nil: return isSendable ? .nonisolated : inherited
    }
  }

  /// What a closure takes over of the code that it is formed in.
  private var inherited: Typed.Isolation {
    if case .caller = scope.isolation { return .nonisolated }
    return scope.isolation
  }

  /// Whether code says itself on which actor it is, or the code around it in the same function.
  private var saysIsolation: Bool {
    var around: Typed.FunctionScope? = scope
    while let one = around {
      if one.saysIsolation { return true }
      if one.isFunction { return false }
      around = one.parent
    }
    return false
  }

  /// Notes that the library knows nothing of the actor that a closure belongs to, so that the closure looks at its
  /// entry whether it is there.
  ///
  /// Source: SE-0423. Only code with an explicit isolation is checked, since a trace may model a program in the mode
  /// of Swift 5.
  func noteUnchecked(_ value: Typed.Expression, _ symbol: FunctionSymbol) {
    guard case .row(let row) = symbol.implementation, !row.action.isInPlace, !row.makesTask,
      case .closure(let closure) = value.kind, !closure.type.isSendable, !closure.scope.isAsync,
      closure.type.isolation == .unspecified, !closure.isolation.isNonisolated, saysIsolation
    else { return }
    closure.checksIsolation = true
  }

  /// Notes that a parameter of a closure is the actor on which that runs.
  func noteIsolated(_ local: Typed.Local, _ index: Int, _ types: [FunctionType.Parameter]) {
    guard index < types.count, types[index].isIsolated else { return }
    local.isIsolated = true
    scope.isolation = .actor(local)
  }

  /// Settles where a closure runs once it is known what it uses: it is on the actor of the code around it only if
  /// it uses that.
  ///
  /// Source: SE-0304, actor context propagation; swift:lib/Sema/TypeCheckCaptures.cpp.
  func settleIsolation(of closure: Typed.Closure, _ wanted: FunctionType?) {
    let inner = closure.scope
    if case .actor(let actor) = inner.isolation, actor.scope !== inner,
      wanted?.isolation != .inherited, !inner.captured.contains(where: { $0 === actor })
    {
      inner.isolation = .nonisolated
    }
    if case .actor(let actor) = inner.isolation, actor.scope !== inner { inner.note(actor) }
    closure.isolation = inner.isolation
    switch closure.type.isolation {
    case .mainActor, .globalActor: inner.saysIsolation = true
    case .unspecified, .concurrent, .nonsending, .inherited: break
    }
  }

  /// The type of a closure that a call is given: one for the main queue, named so, is the main actor's.
  ///
  /// Source: swift:lib/Sema/TypeCheckConcurrency.cpp, isDispatchQueueOperationName; lib/Sema/CSSyntacticElement.cpp,
  /// isMainDispatchQueueMember.
  func placed(_ type: SwiftType, _ candidate: Candidate) -> SwiftType {
    guard case .function(var function) = type, case .row = candidate.symbol.implementation,
      case .property(let queue, nil)? = candidate.receiver?.kind,
      case .perform(.queue(.main)) = queue.get
    else { return type }
    function.isolation = .mainActor
    return .function(function)
  }

  /// A function that cannot suspend, where one is wanted that may: it goes to its actor when it is called.
  func suspending(_ value: Typed.Expression, _ expected: SwiftType?) -> Typed.Expression {
    guard case .function(let wanted)? = expected.map({ solver.shallow($0).unwrappedFully }),
      wanted.isAsync, case .function = value.kind, case .function(var function) = value.type,
      !function.isAsync
    else { return value }
    function.isAsync = true
    value.type = .function(function)
    return value
  }

  /// A closure of an actor that cannot suspend, where one is wanted that may: one that goes to the actor; nil for any other.
  func visitingClosure(
    _ value: Typed.Expression, _ source: SwiftType, _ target: SwiftType
  ) -> Typed.Expression? {
    guard case .function(let given) = source, case .function(let wanted) = target,
      !given.isAsync, wanted.isAsync, wanted.isolation == .unspecified,
      given.isolation == .mainActor || isGlobal(given.isolation),
      solver.attempt({ $0.unify(source, target) })
    else { return nil }
    return node(.conversion(value), target, value.range)
  }

  private func isGlobal(_ isolation: FunctionType.TypeIsolation) -> Bool {
    if case .globalActor = isolation { true } else { false }
  }

  /// Where a closure runs as far as its attributes say; nil where they do not.
  func typeIsolation(of syntax: Grammar.Closure) -> FunctionType.TypeIsolation? {
    for attribute in syntax.attributes {
      switch attribute.name.text {
      case "MainActor": return .mainActor
      case let name:
        if let actor = table.types[name], actor.isGlobalActor { return .globalActor(actor) }
      }
    }
    return nil
  }

  // MARK: Calls

  /// How the code goes on for the call of a function; reports what suspends without an `await`.
  func hop(
    for candidate: Candidate, _ arguments: [Typed.Argument], _ name: String, _ range: SourceRange
  ) -> Typed.Hop? {
    if let local = candidate.local {
      let isolation = local.scope.isolation
      if candidate.symbol.isAsync { noteSuspension(name, range) }
      if let made = isolatedHop(candidate.symbol, arguments, name, range) { return made }
      guard !isolation.isSame(as: scope.isolation) else { return nil }
      if candidate.symbol.isAsync { return Typed.Hop(target: nil) }
      guard !isolation.isNonisolated, mayVisit(.isolation(isolation), name, range) else {
        return nil
      }
      return Typed.Hop(target: .isolation(isolation))
    }
    if candidate.symbol.isInitializer {
      return hop(forInitializer: candidate, arguments, name, range)
    }
    return hop(for: candidate.symbol, candidate.receiver, arguments, name, range)
  }

  func hop(
    for symbol: FunctionSymbol, _ receiver: Typed.Expression?, _ arguments: [Typed.Argument],
    _ name: String, _ range: SourceRange
  ) -> Typed.Hop? {
    if case .row = symbol.implementation {
      if symbol.isAsync { noteSuspension(name, range) }
      return nil
    }
    if case .builtin = symbol.implementation {
      if symbol.isAsync { noteSuspension(name, range) }
      return nil
    }
    if symbol.parameters.contains(where: \.isIsolated) {
      return isolatedHop(symbol, arguments, name, range)
    }
    let target = target(of: symbol, receiver)
    if symbol.isAsync {
      noteSuspension(name, range)
      // What answers to a requirement may be elsewhere.
      if symbol.isRequirement { return Typed.Hop(target: nil) }
      return target.map { isElsewhere($0, receiver) } == true ? Typed.Hop(target: nil) : nil
    }
    guard let target, isElsewhere(target, receiver), mayVisit(target, name, range) else {
      return nil
    }
    return Typed.Hop(target: target)
  }

  /// How the code goes on for a function that runs on the actor which is given for a parameter.
  private func isolatedHop(
    _ symbol: FunctionSymbol, _ arguments: [Typed.Argument], _ name: String, _ range: SourceRange
  ) -> Typed.Hop? {
    guard let number = symbol.parameters.firstIndex(where: \.isIsolated),
      number < arguments.count
    else { return nil }
    if case .value(let value) = arguments[number], isOwnActor(value) {
      if symbol.isAsync { noteSuspension(name, range) }
      return nil
    }
    noteSuspension(name, range)
    return Typed.Hop(target: symbol.isAsync ? nil : .argument(number))
  }

  /// How the code goes on for an initialiser: one that is not written runs where its type does if that is awaited and
  /// its properties have values that run code.
  ///
  /// Source: SE-0411.
  private func hop(
    forInitializer candidate: Candidate, _ arguments: [Typed.Argument], _ name: String,
    _ range: SourceRange
  ) -> Typed.Hop? {
    let symbol = candidate.symbol
    if symbol.isAsync {
      noteSuspension(name, range)
      return Typed.Hop(target: nil)
    }
    if candidate.receiver != nil { return nil }
    if case .memberwise = symbol.implementation {
      guard let owner = symbol.owner, owner.isReference, isAwaited,
        owner.stored.contains(where: { $0.value.map(runsCode) ?? false })
      else { return nil }
    }
    if symbol.isolation == .ownActor { return nil }
    return hop(for: symbol, nil, arguments, name, range)
  }

  /// Whether a value is made by code, and not written out.
  private func runsCode(_ value: Grammar.Expression) -> Bool {
    switch value.kind {
    case .integer, .decimal, .duration, .size, .string, .boolean, .nil, .implicitMember, .closure:
      false
    case .array(let elements): !elements.isEmpty
    case .dictionary(let entries): !entries.isEmpty
    default: true
    }
  }

  /// How the code goes on for a call of a closure that is a value.
  func hop(for function: FunctionType, _ name: String, _ range: SourceRange) -> Typed.Hop? {
    if function.isAsync {
      noteSuspension(name, range)
      return Typed.Hop(target: nil)
    }
    var target: Typed.Isolation?
    switch function.isolation {
    case .mainActor: target = .mainActor
    case .globalActor(let actor): target = .globalActor(actor)
    case .unspecified, .concurrent, .nonsending, .inherited: break
    }
    if let one = target, one.isSame(as: scope.isolation) { target = nil }
    if target != nil, mayAwait { noteSuspension(name, range) }
    guard isAwaited, mayAwait else { return nil }
    return Typed.Hop(target: target.map { .isolation($0) })
  }

  // MARK: Properties

  /// A stored property or a variable that is read, where that is elsewhere behind a hop.
  func visiting(
    _ variable: VariableSymbol, _ receiver: Typed.Expression?, _ value: Typed.Expression
  ) -> Typed.Expression {
    // A `static let` is made where it belongs, where the code waits for that.
    if variable.isLet, receiver != nil || !isAwaited { return value }
    // An initialiser has its instance for itself, wherever it runs.
    if let receiver, isOwnInInitializer(receiver), receiver.namedLocal?.scope === scope {
      return value
    }
    guard let target = target(of: variable, receiver), isElsewhere(target, receiver),
      mayVisit(target, variable.name, value.range)
    else { return value }
    return node(.visit(value, target), value.type, value.range)
  }

  // MARK: Places

  /// Where something runs that is declared; nil for wherever it is used.
  private func target(
    of symbol: MemberSymbol, _ receiver: Typed.Expression?
  ) -> Typed.HopTarget? {
    switch symbol.isolation {
    case .mainActor: return .isolation(.mainActor)
    case .globalActor(let actor): return .isolation(.globalActor(actor))
    case .ownActor: return receiver == nil ? nil : .receiver
    case .nonisolated, .unspecified, .concurrent:
      let isAsync = (symbol as? FunctionSymbol)?.isAsync ?? false
      return isAsync ? .isolation(.nonisolated) : nil
    case .nonsending: return nil
    }
  }

  private func isElsewhere(_ target: Typed.HopTarget, _ receiver: Typed.Expression?) -> Bool {
    switch target {
    case .isolation(let isolation): !isolation.isSame(as: scope.isolation)
    case .receiver: receiver.map { !isOwnActor($0) } ?? true
    case .argument: true
    }
  }

  /// Whether a value is the actor on which the code runs.
  private func isOwnActor(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .local(let local):
      if case .actor(let own) = scope.isolation { return own === local }
      // An initialiser has its actor for itself.
      return local.isSelf && function?.isInitializer == true && local.scope === scope
    case .conversion(let inner): return isOwnActor(inner)
    default: return false
    }
  }

  /// Whether code goes on elsewhere to use something there.
  ///
  /// A plain function that cannot suspend may use what is the main actor's, since a trace may model a program of which
  /// only the main thread calls that function. Code of another actor, and a closure that a library may run on any
  /// thread, may not.
  private func mayVisit(
    _ target: Typed.HopTarget, _ name: String, _ range: SourceRange
  ) -> Bool {
    if isOver { return false }
    if !mayAwait {
      if case .isolation(.mainActor) = target {
        if mayRunAnywhere {
          report(Messages.mainActorFromOutside(name), range)
          return false
        }
        if scope.isolation.isNonisolated { return false }
      }
      report("'\(name)' belongs to an actor: only code that may suspend can use it here", range)
      return false
    }
    if !isTarget { noteSuspension(name, range) }
    return true
  }

  /// Whether the code is in a closure that may run on any thread.
  private var mayRunAnywhere: Bool {
    var around: Typed.FunctionScope? = scope
    while let one = around, !one.isFunction {
      if one.mayRunAnywhere { return true }
      around = one.parent
    }
    return false
  }

  /// Reports what suspends without an `await` in front of it.
  func noteSuspension(_ name: String, _ range: SourceRange) {
    if !isAwaited { report("'\(name)' is async: write 'await' in front of it", range) }
  }
}
