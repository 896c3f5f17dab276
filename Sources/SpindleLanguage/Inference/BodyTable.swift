import SpindleModel

/// The bodies of a program and of the library with their types, each found when it is first asked for.
final class BodyTable {
  let table: DeclarationTable
  /// The parameters of the trace with the values that they have in this program.
  var parameters: [String: (value: Int64, type: SwiftType)] = [:]
  /// Those of them that the code names.
  var usedParameters: Set<String> = []
  var bodies: [ObjectIdentifier: Body] = [:]
  var initialValues: [ObjectIdentifier: Typed.Expression] = [:]
  /// The bodies and the first values of the program, in the order in which they were checked.
  private(set) var ownBodies: [(symbol: FunctionSymbol, body: Body)] = []
  private(set) var ownValues: [Typed.Expression] = []
  /// Whether the program asks for the type of a value, so that errors keep the names of theirs.
  var namesTypes = false
  /// Whether the program casts to classes of operations or threads.
  var castsLibraryObjects = false

  /// The types of the values that are kept under keys which are texts: the first one in the text gives a key its type.
  var storedTypes: [String: SwiftType] = [:]

  /// The types of the weak and unowned references that bodies have.
  var references: [SwiftType] = []

  /// The names in lists of options, by the places of the lists.
  var optionPlaces: [SourceRange: [(bits: Int64, place: SourceRange)]] = [:]
  /// The values in front of a `??` that are never nil, with the places of that sign.
  var presentValues: [(value: Typed.Expression, sign: SourceRange)] = []

  /// How many names have been looked for among all that are known, for what messages propose.
  var proposals = 0
  /// The names that mean something at the top, those of types among them.
  private(set) lazy var topNames: [String] = {
    let all = Array(parameters.keys) + table.globals.keys
    return (all.filter { $0.first?.isLetter == true } + table.typeNames).sorted()
  }()

  /// The members of types without type arguments that have been asked for.
  var foundMembers: [MemberName: [BodyChecker.FoundMember]] = [:]

  /// A name in a type.
  struct MemberName: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  /// The code of a function.
  struct Body {
    var ownSelf: Typed.Local?
    var parameters: [Typed.Local]
    var statements: [Typed.Statement]
    var scope: Typed.FunctionScope
  }

  /// The values and defaults that are checked at the moment.
  private var open: Set<ObjectIdentifier> = []

  init(_ table: DeclarationTable) { self.table = table }

  /// Notes that a value is checked; one that needs itself is reported.
  private func beginsValue(_ key: ObjectIdentifier, _ range: SourceRange) -> Bool {
    if open.insert(key).inserted { return true }
    table.report(Messages.endlessStandard, range)
    return false
  }

  /// The code of a function that has a body.
  func body(of symbol: FunctionSymbol) -> Body? {
    if let known = bodies[ObjectIdentifier(symbol)] { return known }
    let block: Grammar.Block
    switch symbol.implementation {
    case .body(let one), .inlined(let one): block = one
    case .none, .builtin, .row, .memberwise, .enumCase: return nil
    }
    if hidesResult(symbol), !open.insert(ObjectIdentifier(symbol)).inserted {
      table.report(Messages.endlessResult(symbol.name), symbol.range)
      return nil
    }
    let checker = BodyChecker(self, context: context(of: symbol))
    let made = checker.checkFunction(symbol, block)
    bodies[ObjectIdentifier(symbol)] = made
    if !symbol.isInLibraryText { ownBodies.append((symbol, made)) }
    return made
  }

  /// Whether the result of a function is `some P` of a protocol of the library: its body says of what type that is, as
  /// operators and loops have to know it.
  func hidesResult(_ symbol: FunctionSymbol) -> Bool {
    guard symbol.isOpaque, case .existential(let protocols) = symbol.result else { return false }
    guard case .body = symbol.implementation else { return false }
    return protocols.contains(where: \.isLibrary) && !protocols.contains(table.known.errorProtocol)
  }

  /// Completes the result of a function that only its body says.
  func completeResult(of symbol: FunctionSymbol) {
    guard symbol.isOpaque, hidesResult(symbol) else { return }
    if body(of: symbol) == nil { symbol.result = .error }
  }

  /// The meaning of names of types in the body of a function.
  func context(of symbol: MemberSymbol) -> TypeContext {
    var context = symbol.owner.map { self.context(of: $0) } ?? TypeContext()
    if let function = symbol as? FunctionSymbol { context = context.adding(function.generics) }
    return context
  }

  /// The meaning of names of types in a type.
  func context(of nominal: Nominal) -> TypeContext {
    var context = TypeContext()
    var owners: [Nominal] = []
    var owner = Optional(nominal)
    while let one = owner {
      owners.insert(one, at: 0)
      owner = one.outer
    }
    for one in owners { context = context.adding(one.generics) }
    (context.nominal, context.selfType) = (nominal, nominal.selfType)
    context.locals = nominal.localTypes
    return context
  }

  /// Notes a cast to a class that may be one of the library, or a class of the program below one.
  func noteCast(to type: SwiftType) {
    if case .parameter = type { castsLibraryObjects = true }
    var above = type.nominal
    while let one = above, !castsLibraryObjects {
      castsLibraryObjects = one.handle == .operation || one.handle == .thread
      above = one.superclass?.nominal
    }
  }

  /// The type of a variable, which its first value may have to tell.
  func type(of variable: VariableSymbol) -> SwiftType {
    if let getter = variable.getter, getter.isOpaque {
      completeResult(of: getter)
      return getter.result
    }
    if variable.state == .resolved { return variable.type }
    if let (storage, member) = variable.wrapper { return type(of: variable, member, in: storage) }
    if variable.state == .resolving, let early = typeThatIsMade(variable) { return early }
    if variable.state == .resolving {
      table.report("the type of '\(variable.name)' depends on itself", variable.range)
      return .error
    }
    if let bound = variable.bound {
      (variable.type, variable.state) = (
        .nominal(table.library("TaskLocal"), [type(of: bound)]), .resolved
      )
      return variable.type
    }
    variable.state = .resolving
    if variable.value != nil {
      variable.type = initialValue(of: variable)?.type ?? .error
      if variable.strength == .weak, variable.type.wrapped == nil, !variable.type.isError {
        variable.type = table.known.optional(variable.type)
      }
      if variable.type.hasVariables {
        if !table.hasErrors {
          table.report("the type of '\(variable.name)' is not known", variable.range)
        }
        variable.type = .error
      }
    } else if variable.path.isEmpty {
      table.report("'\(variable.name)' has neither a type nor a value", variable.range)
    }
    variable.state = .resolved
    return variable.type
  }

  /// The type of a property whose wrapper says it.
  private func type(
    of variable: VariableSymbol, _ member: String, in storage: VariableSymbol
  ) -> SwiftType {
    let wrapper = type(of: storage)
    let checker = BodyChecker(self, context: TypeContext())
    for found in checker.members(member, of: wrapper) {
      guard let one = found.symbol as? VariableSymbol else { continue }
      variable.type = type(of: one).substituting(found.substitution)
    }
    variable.state = .resolved
    return variable.type
  }

  /// The type of a variable whose value is made by naming it: `let worker = Thread { worker.cancel() }`.
  private func typeThatIsMade(_ variable: VariableSymbol) -> SwiftType? {
    guard case .call(let call)? = variable.value?.kind,
      case .name(let name, let arguments) = call.callee.kind,
      arguments.isEmpty, let nominal = table.types[name], nominal.generics.isEmpty,
      nominal.kind != .protocol
    else { return nil }
    return nominal.selfType
  }

  /// The first value of a stored property, a static or a variable at the top; nil for none.
  func initialValue(of variable: VariableSymbol) -> Typed.Expression? {
    if let known = initialValues[ObjectIdentifier(variable)] { return known }
    guard let syntax = variable.value else { return nil }
    guard beginsValue(ObjectIdentifier(variable), syntax.range) else { return nil }
    defer { open.remove(ObjectIdentifier(variable)) }
    let checker = BodyChecker(self, context: context(of: variable))
    let expected = variable.state == .resolved ? variable.type : nil
    let made = checker.checkValue(syntax, expected, of: variable)
    initialValues[ObjectIdentifier(variable)] = made
    if variable.owner?.isLibrary != true { ownValues.append(made) }
    return made
  }

  /// Whether the first value of a variable has been checked.
  func hasValue(_ variable: VariableSymbol) -> Bool {
    initialValues[ObjectIdentifier(variable)] != nil
  }

  /// Keeps the first value of a variable, which says what its type is.
  func note(_ value: Typed.Expression, of variable: VariableSymbol) {
    initialValues[ObjectIdentifier(variable)] = value
    ownValues.append(value)
    if variable.written == nil || variable.type.isError { variable.type = value.type }
    variable.state = .resolved
  }

  /// Gives the parameters of a memberwise initialiser the types that the values of their properties have.
  func completeParameters(of symbol: FunctionSymbol) {
    guard symbol.isMemberwise, let owner = symbol.owner else { return }
    for index in symbol.parameters.indices where symbol.parameters[index].type.isError {
      let name = symbol.parameters[index].name
      let variables = (owner.members[name] ?? []).compactMap { $0 as? VariableSymbol }
      guard let variable = variables.first(where: { !$0.isStatic }) else { continue }
      symbol.parameters[index].type = type(of: variable)
    }
  }

  /// The default of a parameter.
  func standard(
    of parameter: FunctionSymbol.Parameter, _ symbol: FunctionSymbol
  ) -> Typed.Expression? {
    guard let syntax = parameter.standard else { return nil }
    if case .memberwise = symbol.implementation,
      let variable = symbol.owner?.stored.first(where: { $0.name == parameter.name })
    {
      return initialValue(of: variable)
    }
    guard beginsValue(ObjectIdentifier(symbol), syntax.range) else { return nil }
    defer { open.remove(ObjectIdentifier(symbol)) }
    let checker = BodyChecker(self, context: context(of: symbol))
    if parameter.isAutoclosure, case .function(let function) = parameter.type {
      return checker.complete { $0.autoclosure(syntax, function) }
    }
    return checker.checkValue(syntax, parameter.type, of: nil)
  }
}
