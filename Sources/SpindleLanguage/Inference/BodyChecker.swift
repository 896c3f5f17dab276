import SpindleModel

/// Infers and checks the types of one body.
///
/// Bidirectional, as in Pierce and Turner, "Local type inference" (2000): `infer` finds a type with the help of an
/// expected one, `check` has to arrive at a given one.
final class BodyChecker {
  let bodies: BodyTable
  let table: DeclarationTable
  let known: KnownTypes
  let solver: Solver
  var context: TypeContext
  /// The function or closure whose statements are at hand.
  @exclusivity(unchecked) var scope: Typed.FunctionScope
  /// The names that are declared around the place, innermost last.
  @exclusivity(unchecked) var names = LocalNames()
  /// Where the names of the innermost block begin.
  var scopeStart = 0
  /// What a `return` gives; nil where there is nothing to return from.
  var returned: SwiftType?
  /// The first variable of the whole expression at hand, in which all others are.
  private(set) var firstVariable: Int?
  /// Operators on literals whose types are not known yet.
  var deferred: [DeferredOperator] = []
  var deferredMembers: [DeferredMember] = []
  /// What is done with the types of an expression when it is complete.
  @exclusivity(unchecked) var finishers: [() -> Void] = []
  /// What has to hold of the types that are found.
  var requirements: [(type: SwiftType, requirement: Nominal, range: SourceRange)] = []
  /// The calls of generic functions of the program in the expression at hand.
  var openCalls: [(generics: [GenericParameter], substitution: Substitution, place: SourceRange)] =
    []
  /// The type that the first `return` of a function gives whose result is `some P`.
  var underlying: SwiftType?
  /// What the conditions of the extension at hand say.
  var assumed: [(type: SwiftType, requirement: Nominal)] = []
  var isAwaited = false
  /// Whether what is looked at gets another value.
  var isTarget = false
  /// Whether a `try` is around the place.
  var isTried = false
  /// The errors that the code around the place throws so far, and of which type it says they are.
  var raised: [RaisedError] = []
  var thrown: SwiftType?
  /// Whether code may suspend here.
  var mayAwait = true
  /// The call whose function is looked for at the moment.
  var callAtHand: Grammar.Call?
  /// What that call is expected to give.
  var expectedAtHand: SwiftType?
  /// What the branches of the `if` or `switch` at hand assign their values to.
  var choiceResult: Typed.Local?
  /// The names that the first of several patterns of one case binds: the others bind the same.
  var sharedNames: [String: Typed.Local]?
  /// The names that the patterns of the case at hand bind so far.
  var boundNames: [Typed.Local]?
  /// The function whose body is checked; nil for any other code.
  var function: FunctionSymbol?
  var taker = Taker()
  /// Whether the code runs when the run is over: what belongs to an actor is free then.
  var isOver = false
  /// What `#function` is.
  var functionName = "main"

  enum LocalMeaning {
    case local(Typed.Local)
    case function(Typed.LocalFunction, Grammar.Function)
    case type(Nominal)
  }

  /// `.red`, where the type that has it is not known yet.
  struct DeferredMember {
    var node: Typed.Expression
    var name: Grammar.Name
    var call: Grammar.Call?
    /// What is declared around it.
    var scope: Typed.FunctionScope
    var names: LocalNames
  }

  struct DeferredOperator {
    var node: Typed.Expression
    var name: Grammar.Name
    var left: Typed.Expression
    var right: Typed.Expression
  }

  init(_ bodies: BodyTable, context: TypeContext) {
    self.bodies = bodies
    table = bodies.table
    known = bodies.table.known
    solver = Solver(bodies.table.known)
    scope = Typed.FunctionScope(nil)
    self.context = context
    solver.bounds = { [unowned self] in bounds(of: $0) }
    for (name, nominal) in context.locals.sorted(by: { $0.key < $1.key }) {
      names.append(name, .type(nominal))
    }
  }

  func report(_ message: String, _ range: SourceRange) { table.report(message, range) }

  func failed(_ range: SourceRange) -> Typed.Expression {
    Typed.Expression(.error, .error, range)
  }

  /// Reports a mistake; an expression of the type that goes with everything.
  func refuse(_ message: String, _ range: SourceRange) -> Typed.Expression {
    report(message, range)
    return failed(range)
  }

  func resolve(_ syntax: Grammar.TypeSyntax) -> SwiftType {
    table.openArgument = { [self] in solver.variable() }
    defer { table.openArgument = nil }
    return table.resolve(syntax, in: context)
  }

  // MARK: Whole bodies

  func checkFunction(_ symbol: FunctionSymbol, _ block: Grammar.Block) -> BodyTable.Body {
    let outerSource = table.current
    table.current = symbol.isInLibraryText ? table.librarySource : table.source
    defer { table.current = outerSource }
    (functionName, function) = (symbol.fullName, symbol)
    assume(symbol)
    scope.isFunction = true
    scope.isAsync = symbol.isAsync
    scope.isExpanded = false
    mayAwait = symbol.isAsync
    var ownSelf: Typed.Local?
    if let owner = symbol.owner {
      let type = symbol.isStatic ? SwiftType.metatype(owner.selfType) : owner.selfType
      let made = Typed.Local(
        "self", type, isVariable: symbol.changesSelf || symbol.isInitializer && !owner.isReference,
        symbol.range, scope)
      made.isSelf = true
      made.isInout = symbol.changesSelf
      (ownSelf, scope.ownSelf) = (made, made)
    }
    let parameters = declareParameters(of: symbol)
    scope.isolation = isolation(of: symbol, ownSelf, parameters)
    scope.saysIsolation = !scope.isolation.isNonisolated
    var result = symbol.isInitializer ? SwiftType.void : symbol.result
    let hidesResult = bodies.hidesResult(symbol)
    if hidesResult { result = solver.variable() }
    thrown = symbol.thrown
    // `return nil` is what an `init?` gives where it fails.
    returned = symbol.isFailable ? symbol.result : result
    var statements = checkBody(block, result: result, isInitializer: symbol.isInitializer)
    if hidesResult { symbol.result = hiddenResult(solver.resolve(result), of: symbol) }
    checkRaised()
    if let call = implicitSuper(in: symbol, block) { statements.append(call) }
    return BodyTable.Body(
      ownSelf: ownSelf, parameters: parameters, statements: statements, scope: scope)
  }

  /// The parameters of a function as variables of its body.
  func declareParameters(of symbol: FunctionSymbol) -> [Typed.Local] {
    symbol.parameters.map { parameter in
      let type = parameter.isVariadic ? known.array(parameter.type) : parameter.type
      let made = local(parameter.name, type, isVariable: parameter.isInout, parameter.range)
      (made.isInout, made.isIsolated) = (parameter.isInout, parameter.isIsolated)
      made.isCaller = parameter.isCaller
      if case .function = parameter.type, !parameter.isEscaping, !parameter.isVariadic {
        made.staysInCall = !parameter.isInout && !symbol.isInLibraryText && symbol.role.isEmpty
      }
      declare(made)
      return made
    }
  }

  /// The statements of a body; one that is a single expression gives its value.
  func checkBody(
    _ block: Grammar.Block, result: SwiftType, isInitializer: Bool = false
  ) -> [Typed.Statement] {
    guard !isInitializer, !result.isVoid, let value = onlyValue(of: block) else {
      return checkStatements(block)
    }
    let made = complete {
      $0.hidesResult ? $0.hidden($0.infer(value, nil), result) : $0.check(value, result)
    }
    return [Typed.Statement(kind: .return(made), range: value.range)]
  }

  /// The value that a body gives which is one expression, or one `if` or `switch` with a value in each branch.
  func onlyValue(of block: Grammar.Block) -> Grammar.Expression? {
    guard block.statements.count == 1 else { return nil }
    let only = block.statements[0]
    if case .expression(let value) = only.kind { return value }
    return isChoice(only) ? Grammar.Expression(kind: .choice(only), range: only.range) : nil
  }

  /// Whether an `if` or `switch` gives a value in each of its branches.
  func isChoice(_ statement: Grammar.Statement) -> Bool {
    func isValue(_ block: Grammar.Block) -> Bool {
      guard block.statements.count == 1 else { return false }
      switch block.statements[0].kind {
      case .expression, .throw: return true
      case .if, .switch: return isChoice(block.statements[0])
      default: return false
      }
    }
    switch statement.kind {
    case .if(let one):
      guard let otherwise = one.otherwise else { return false }
      return isValue(one.body) && isValue(otherwise)
    case .switch(let selection):
      return !selection.cases.isEmpty && selection.cases.allSatisfy { isValue($0.body) }
    default: return false
    }
  }

  /// A first value or a default.
  func checkValue(
    _ syntax: Grammar.Expression, _ expected: SwiftType?, of variable: VariableSymbol?
  ) -> Typed.Expression {
    let outerSource = table.current
    let isLibrary = variable?.owner?.isLibrary ?? false
    table.current = isLibrary ? table.librarySource : table.source
    defer { table.current = outerSource }
    mayAwait = false
    variable.map(assumeConditions)
    isOver = variable.map { $0.owner == nil && table.asked.contains($0.name) } ?? false
    scope.isolation = variable.map { isolation($0.isolation, nil) } ?? .nonisolated
    if let variable, variable.owner == nil, table.isInScript(variable.range) {
      scope.isolation = .mainActor
      if variable.isSetInMain { (scope.isFunction, scope.isAsync, mayAwait) = (true, true, true) }
    }
    if let owner = variable?.owner {
      // A lazy value is made when it is asked for, by the instance; any other before there is one.
      let isLazy = variable?.isLazy == true
      let made = Typed.Local(
        "self", isLazy ? owner.selfType : .metatype(owner.selfType),
        isVariable: isLazy && owner.isValue, syntax.range, scope)
      made.isSelf = true
      scope.ownSelf = made
    }
    return complete { checker in
      // The value says the type arguments that are not written: `let names: Set = ["a", "b"]`.
      let wanted = expected ?? variable?.written.map { checker.resolve($0) }
      return wanted.map { checker.check(syntax, $0) } ?? checker.infer(syntax, nil)
    }
  }

  // MARK: Whole expressions

  /// A whole expression: at its end, all of its types have to be known.
  func complete(_ body: (BodyChecker) -> Typed.Expression) -> Typed.Expression {
    let first = solver.count
    let outerFirst = firstVariable
    firstVariable = outerFirst ?? first
    let (outerDeferred, outerMembers, outerFinishers) = (deferred, deferredMembers, finishers)
    (deferred, deferredMembers, finishers) = ([], [], [])
    let outerRequirements = requirements
    requirements = []
    let made = body(self)
    settle(from: first)
    for finisher in finishers { finisher() }
    (deferred, deferredMembers, finishers) = (outerDeferred, outerMembers, outerFinishers)
    checkRequirements()
    if outerFirst == nil { checkOpenCalls() }
    requirements = outerRequirements
    firstVariable = outerFirst
    if outerFirst == nil { solver.forgetTrail() }
    return made
  }

  /// Reports the type parameters of the program's functions that nothing determines.
  private func checkOpenCalls() {
    for call in openCalls {
      let open = call.generics.first {
        solver.resolve(call.substitution[$0] ?? .error).hasVariables
      }
      if let open, !table.hasErrors { report(Messages.openParameter(open.name), call.place) }
    }
    openCalls = []
  }

  /// Gives literals their standard types, and operators on them their functions.
  func settle(from first: Int) {
    var rounds = 0
    settleMembers(isLast: false)
    repeat {
      let open = deferred
      deferred = []
      if rounds > 0 || open.isEmpty { solver.settleLiterals(from: first) }
      for each in open { settle(each, isLast: rounds > 0) }
      rounds += 1
    } while !deferred.isEmpty && rounds < 8
    solver.settleLiterals(from: first)
    if !deferred.isEmpty {
      let open = deferred
      deferred = []
      for each in open { settle(each, isLast: true) }
    }
    settleMembers(isLast: true)
  }

  /// Finds the members whose types are known by now; the last time, the others are mistakes.
  private func settleMembers(isLast: Bool) {
    let open = deferredMembers
    deferredMembers = []
    for each in open {
      let type = solver.shallow(each.node.type)
      if solver.isOpen(type), !isLast {
        deferredMembers.append(each)
        continue
      }
      let wanted = solver.isOpen(type) ? nil : type
      let outer = (scope, names)
      (scope, names) = (each.scope, each.names)
      let made = inferImplicit(each.name, each.call, wanted, each.node.range)
      (scope, names) = outer
      let value = wanted.map { convert(made, to: $0) } ?? made
      (each.node.kind, each.node.type) = (value.kind, value.type)
    }
  }

  func settle(_ each: DeferredOperator, isLast: Bool) {
    if solver.isOpen(each.left.type), solver.isOpen(each.right.type), !isLast {
      deferred.append(each)
      return
    }
    let made = applyOperator(each.name, each.left, each.right, each.node.range, nil)
    if !solver.unify(made.type, each.node.type), !made.type.isError {
      report("the operands of '\(each.name.text)' do not fit together", each.name.range)
    }
    each.node.kind = made.kind
  }

  private func checkRequirements() {
    for (type, requirement, range) in requirements {
      let resolved = solver.resolve(type)
      if resolved.hasVariables || resolved.isError { continue }
      if !conforms(resolved, to: requirement) {
        report(Messages.conformance("\(resolved)", requirement.name), range)
      }
    }
  }

  /// Makes an expression whose type is completed with the whole expression that it is part of.
  func node(_ kind: Typed.Kind, _ type: SwiftType, _ range: SourceRange) -> Typed.Expression {
    let made = Typed.Expression(kind, type, range)
    if type.hasVariables {
      finishers.append { [self, made] in made.type = solver.resolve(made.type) }
    }
    return made
  }

  /// Completes the substitution of a call with the whole expression that it is part of.
  func finishCall(_ made: Typed.Expression) {
    if case .call(let call) = made.kind, call.substitution.isEmpty, call.made == nil { return }
    finishers.append { [self, made] in
      guard case .call(let call) = made.kind else {
        if case .function(let symbol, let substitution, let receiver) = made.kind {
          made.kind = .function(symbol, substitution.mapValues(finished), receiver: receiver)
        }
        return
      }
      call.substitution = call.substitution.mapValues(finished)
      call.made = call.made.map(finished)
      if solver.resolve(made.type).isErased {
        report(Messages.erasedType("\(solver.resolve(made.type))"), made.range)
      }
    }
  }

  func finished(_ type: SwiftType) -> SwiftType {
    let resolved = solver.resolve(type)
    // What nothing depends on may be anything.
    return resolved.hasVariables ? .void : resolved
  }
}
