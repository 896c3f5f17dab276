import SpindleModel

/// What the ways through a body decide: that each variable has a value where it is read, that a function gives its
/// result, that a `guard` leaves.
///
/// Types say nothing of this, and a program for which it does not hold has no meaning. One pass over the typed tree;
/// loops are gone through twice, since their end leads to their beginning.
struct FlowCheck {
  /// What holds at a place.
  struct State {
    /// Whether some way leads there.
    var isReachable = true
    /// What has a value on each way, and what has one on some way.
    var certain: Set<ObjectIdentifier> = []
    var possible: Set<ObjectIdentifier> = []

    /// What holds where two ways meet.
    mutating func join(_ other: State) {
      guard other.isReachable else { return }
      guard isReachable else {
        self = other
        return
      }
      possible.formUnion(other.possible)
      certain.formIntersection(other.certain)
    }
  }

  /// What `break` and `continue` leave.
  struct Target {
    var label: String?
    var isLoop: Bool
    var isSelection = false
    var atBreak: State?
    var atContinue: State?
  }

  let table: DeclarationTable
  var state = State()
  var targets: [Target] = []
  /// What holds where something in the `do` at hand throws.
  var atThrows = State()
  /// The variables without a first value that are declared in the function at hand, or around its closures.
  var late: Set<ObjectIdentifier> = []
  /// Those that closures around the place see, which cannot give them a value.
  var outside: Set<ObjectIdentifier> = []
  /// Whether the code of a `defer` is gone through, which nothing leads out of.
  var isInDefer = false
  /// What holds where an initialiser ends by `return`.
  var atReturns: [State] = []
  /// The initialiser that is checked; nil in any other code.
  var initializer: Initializer?

  init(_ table: DeclarationTable) { self.table = table }

  /// Checks the body of a function or an accessor.
  static func check(_ body: BodyTable.Body, of symbol: FunctionSymbol, _ table: DeclarationTable) {
    var flow = FlowCheck(table)
    flow.initializer = Initializer(symbol)
    flow.check(body.statements)
    if symbol.isInitializer {
      flow.checkInitialized(symbol)
    } else {
      flow.checkEnd(symbol.result, FlowCheck.end(of: symbol), name: symbol.name)
    }
  }

  /// Checks code that gives nothing, such as `main`.
  static func check(_ statements: [Typed.Statement], _ table: DeclarationTable) {
    var flow = FlowCheck(table)
    flow.check(statements)
  }

  /// Checks a value outside of bodies, for the closures in it.
  static func check(_ value: Typed.Expression, _ table: DeclarationTable) {
    var flow = FlowCheck(table)
    flow.check(value)
  }

  /// The brace that closes a body.
  static func end(of symbol: FunctionSymbol) -> SourceRange {
    guard case .body(let block) = symbol.implementation else { return symbol.range }
    return block.range.lastByte
  }

  func report(_ message: String, _ range: SourceRange) {
    // A loop is gone through twice.
    let isKnown = table.diagnostics.contains { $0.range == range && $0.message == message }
    if !isKnown { table.report(message, range) }
  }

  /// Reports an end that is reached where a function has to return something; one that is declared has a `name`.
  func checkEnd(_ result: SwiftType, _ range: SourceRange, name: String? = nil) {
    guard state.isReachable, !result.isVoid, !result.isError else { return }
    if let name, result.nominal?.builtin == .never {
      return report("'\(name)' says that it never returns, and its end is reached", range)
    }
    report(Messages.missingReturn("\(result)"), range)
  }

  // MARK: Variables

  /// A variable that has no value yet.
  mutating func declare(_ local: Typed.Local) {
    let key = ObjectIdentifier(local)
    late.insert(key)
    // In the second pass through a loop, a closure declares its own variable again.
    outside.remove(key)
    state.certain.remove(key)
    state.possible.remove(key)
  }

  mutating func read(_ local: Typed.Local, _ range: SourceRange) {
    let key = ObjectIdentifier(local)
    guard late.contains(key), state.isReachable, !state.certain.contains(key) else { return }
    report(
      outside.contains(key)
        ? Messages.noValueForClosure(local.name) : Messages.noValueYet(local.name), range)
    state.certain.insert(key)
  }

  mutating func assign(_ local: Typed.Local, _ range: SourceRange) {
    let key = ObjectIdentifier(local)
    guard late.contains(key) else { return }
    if !local.isVariable {
      if outside.contains(key) {
        report(Messages.noValueForClosure(local.name), range)
      } else if state.isReachable, state.possible.contains(key) {
        report(Messages.secondValue(local.name), range)
      }
    }
    state.certain.insert(key)
    state.possible.insert(key)
  }
}
