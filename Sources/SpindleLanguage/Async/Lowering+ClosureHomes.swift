import SpindleModel

/// Where closures run that are values, and where those go on who call them.
extension Lowering {
  // MARK: Inside

  /// What a closure's body is of Swift concurrency; one that a function is given may be asynchronous.
  mutating func start(
    of closure: Expression.Closure, given: Frame.Asynchrony?, _ context: Frame.Context,
    _ traits: FunctionNode.Traits
  ) -> ClosureStart {
    let header = closure.header?.value
    var start = ClosureStart()
    if let given {
      start.asynchrony = given
    } else if case .anywhere = context {
      if closure.isAwaiting || traits.contains(.isAsync) || header?.isAsync == true {
        start.asynchrony.suspending = .yes
        start.goesHome = true
        place(closure, traits, &start)
      } else {
        // What is `@Sendable` and can't wait is no actor's.
        let isSendable = traits.contains(.isSendable) || header?.isSendable == true
        start.asynchrony.suspending = .maybe
        start.asynchrony.home = Home(traits) ?? (isSendable ? .pool : homeAround)
      }
    }
    guard let header else { return start }
    switch header.isolation {
    case .mainActor: (start.asynchrony.home, start.asynchrony.saysHome) = (.mainActor, true)
    case .global(let actor):
      (start.asynchrony.home, start.asynchrony.saysHome) = (home(of: actor), true)
    case .unspecified, .nonisolated, .nonsending, .own: break
    }
    if header.isAsync { start.asynchrony.suspending = .yes }
    return start
  }

  /// Says where an asynchronous closure runs: where its type says; one that is `@Sendable` or `sending`
  /// in the pool; any other where the code does that it stands in, and the value of a variable at the top belongs to
  /// no actor.
  ///
  /// Source: swift:lib/Sema/TypeCheckConcurrency.cpp, determineClosureIsolation; SE-0461 of what stays with
  /// its caller.
  private mutating func place(
    _ closure: Expression.Closure, _ traits: FunctionNode.Traits, _ start: inout ClosureStart
  ) {
    if let home = Home(traits) {
      start.asynchrony.home = home
      return
    }
    let isSendable = traits.contains(.isSendable) || closure.header?.isSendable == true
    start.isWithCaller = traits.contains(.isWithCaller)
    start.asynchrony.home = home(of: closure, inherits: !isSendable)
  }

  /// Goes on at a closure's home, unless nothing of it depends on where it runs.
  mutating func goOn(at start: ClosureStart, _ body: CodeBlock) {
    guard !isIndifferent(body) else { return }
    goHome(into: body, isWithCaller: start.isWithCaller && frame.asynchrony.home == .pool)
  }

  /// Goes on where the body runs that a function of the library is given; nil where that is here.
  ///
  /// In an actor's code that is on the actor only for what uses it.
  mutating func goInto(_ body: Expression.Closure) -> Frame.Asynchrony? {
    let home = home(of: body, inherits: true)
    guard home != frame.asynchrony.home, frame.asynchrony.suspending == .yes else { return nil }
    hop(to: home, SourceRange(Int(body.body.range.lowerBound), Int(body.body.range.lowerBound) + 1))
    var own = frame.asynchrony
    own.home = home
    return own
  }

  /// Behind a body that went on elsewhere.
  mutating func comeBack(from own: Frame.Asynchrony?, _ range: SourceRange) {
    if own != nil { hop(to: frame.asynchrony.home, range) }
  }

  /// Whether a body is nothing, or a plain value that is written there: the compiler proves that it needs no
  /// executor.
  ///
  /// Source: swift:lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp.
  func isIndifferent(_ body: CodeBlock) -> Bool {
    guard let only = body.statements.first else { return true }
    guard body.statements.count == 1 else { return false }
    switch only.kind {
    case .expression(let value): return isPlain(value)
    case .return(let value): return value.map { isPlain($0) } ?? true
    default: return false
    }
  }

  private func isPlain(_ value: Expression) -> Bool {
    switch value.kind {
    case .integer, .boolean, .none: true
    default: false
    }
  }

  // MARK: Outside

  /// In front of the call of a closure that is a value: how it goes on.
  ///
  /// A closure of an actor that can't wait is called on that; one that can goes there itself. Behind either the
  /// code goes on where it belongs, which is nothing where it is there already.
  mutating func beginCall(
    of function: FunctionNode, _ name: String, _ range: SourceRange
  ) -> CallHop {
    if function.traits.contains(.isAsync) {
      noteSuspension(name, range)
      return CallHop(before: nil, comesBack: true)
    }
    let home = Home(function.traits).flatMap { $0 != .pool && isElsewhere($0) ? $0 : nil }
    if home != nil, frame.asynchrony.suspending == .yes { noteSuspension(name, range) }
    guard frame.asynchrony.awaits > 0, frame.asynchrony.suspending != .no else { return .none }
    return CallHop(before: home.map { .home($0) }, comesBack: true)
  }

  /// A closure of an actor that can't wait, where one is wanted that may: one that goes to the actor; nil for any other.
  mutating func visiting(
    _ operand: Operand, as type: ValueType, _ range: SourceRange
  ) -> Operand? {
    guard case .functionOf(let wanted) = type.unwrapped, wanted.traits.contains(.isAsync),
      case .functionOf(let given) = operand.type, !given.traits.contains(.isAsync),
      let home = Home(given.traits), home != .pool
    else { return nil }
    let mark = scope.count
    defer { scope.close(downTo: mark) }
    _ = standIn(for: operand, range)
    let named = NamedClosure(
      callee: .symbol(Int32(mark)), parameters: Array(given.parameters), result: given.result,
      traits: given.traits)
    let register = frame.allocate()
    wrapClosure(named, context: .anywhere, traits: .isAsync, target: register, place: range)
    return held(.register(register, type), range)
  }
}
